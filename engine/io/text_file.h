// Small text files: pipelines, timings.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "engine/base/result.h"

namespace warpscope {

// The bytes as they are. Errors, beginning with the file's name: NotFound ("does not exist"), Io (a
// directory, FIFO or device; unreadable), LimitExceeded above `most` bytes, OutOfMemory.
Result<std::string> readTextFile(const std::filesystem::path& file, std::uint64_t most);

}  // namespace warpscope
