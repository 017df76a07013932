// Copies of an image to be used in turn, so that none of them is in a cache when its turn comes.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/backend/backend.h"

namespace warpscope {

// How many copies of `inputBytes` are more than `cacheBytes` (0: not known, a large one is
// assumed): half as much again, so that what else moves does not keep one alive; at least two.
// Errors: Unsupported where that would be thousands of copies of a tiny image.
Result<int> coldCopyCount(std::uint64_t inputBytes, std::uint64_t cacheBytes);

// Images with equal samples in memory of their own. Errors: OutOfMemory, Cancelled.
Result<std::vector<Image>> copiesOf(const Image& image, int count, std::stop_token stop);

}  // namespace warpscope
