// contentHash() of images so large that a stop is to be heard on the way.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>

#include "engine/image/image.h"

namespace warpscope {

// The same value; nothing where a stop was requested before the end.
std::optional<std::uint64_t> contentHash(const Image& image, const std::stop_token& stop);

}  // namespace warpscope
