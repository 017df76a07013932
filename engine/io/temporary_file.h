// The file that a save writes beside its target. It is locked as long as its save lives, so that
// others can tell what a killed program has left.
#pragma once

#include <sys/types.h>

#include <filesystem>

#include "engine/io/file_handle.h"

namespace warpscope::io {

class TemporaryFile {
  public:
    TemporaryFile() = default;
    ~TemporaryFile();  // removes it unless it became the target
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    // All of these: 0, or an errno.
    int create(const std::filesystem::path& folder, mode_t mode);  // once
    // What was written may be reported as failed only here. The lock stays.
    int closeForWriting();
    // Replaces `target`, which must be in the same file system.
    int becomes(const std::filesystem::path& target);

    int descriptor() const { return m_file.get(); }

  private:
    bool createOnce(const std::filesystem::path& path, mode_t mode);
    bool isOurs();
    void remove();

    std::filesystem::path m_path;
    FileHandle m_file;    // for writing
    FileHandle m_locked;  // the same file: keeps the lock when m_file is closed
    bool m_there = false;
};

// Removes what saves of killed programs have left in a folder. Files of others, or whose save still
// lives, stay. Most calls return at once: a folder is looked through again only after a multiple of
// the time that the last look took.
void sweepTemporaries(const std::filesystem::path& folder);

}  // namespace warpscope::io
