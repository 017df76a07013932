// All bytes of a regular file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "engine/io/codec.h"
#include "engine/io/file_handle.h"

namespace warpscope::io {

struct FileBytes {
    std::unique_ptr<std::uint8_t[]> data;  // never null, also for an empty file
    std::size_t size = 0;
};

// `accept` sees the first 4 KiB and the size of the whole, before the rest is read. Errors, those
// of `accept` too beginning with the file's name: NotFound, Io (no regular file, unreadable,
// changed while it was read), LimitExceeded above `most` bytes, OutOfMemory, Cancelled.
using AcceptFile = std::function<Result<void>(Bytes front, std::uint64_t size)>;
Result<FileBytes> readFileBytes(const std::filesystem::path& file, std::uint64_t most,
                                const std::stop_token& stop, const AcceptFile& accept = {});

// The two halves of readFileBytes: opening, and reading what is open, from its beginning.
Result<FileHandle> openFile(const std::filesystem::path& file);
Result<FileBytes> readOpenFile(int descriptor, const std::string& name, std::uint64_t most,
                               const std::stop_token& stop, const AcceptFile& accept = {});

// The same from an open pipe, FIFO, terminal or file, to its end; `name` stands for it in errors.
// Waits for bytes that are late, and looks at `stop` meanwhile. `accept` learns no size (0).
Result<FileBytes> readDescriptorBytes(int descriptor, const std::string& name, std::uint64_t most,
                                      const std::stop_token& stop, const AcceptFile& accept = {});

}  // namespace warpscope::io
