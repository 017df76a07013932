// All bytes of a regular file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>

#include "engine/base/result.h"

namespace warpscope::io {

struct FileBytes {
    std::unique_ptr<std::uint8_t[]> data;  // never null, also for an empty file
    std::size_t size = 0;
};

// Errors, beginning with the file's name: NotFound, Io (no regular file, unreadable, changed while
// it was read), LimitExceeded above `most` bytes, OutOfMemory, Cancelled.
Result<FileBytes> readFileBytes(const std::filesystem::path& file, std::uint64_t most,
                                const std::stop_token& stop);

}  // namespace warpscope::io
