// What tells whether a file is still the one that was read.
#pragma once

#include <QString>
#include <cstdint>
#include <optional>

namespace warpscope::gui {

struct FileStamp {
    std::int64_t changedNs = 0;
    std::uint64_t bytes = 0;
    std::uint64_t file = 0;  // another number after a replacement by renaming

    friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

// Nothing where there is no such file. Asks the disk: for a thread.
std::optional<FileStamp> stampOf(const QString& path);

}  // namespace warpscope::gui
