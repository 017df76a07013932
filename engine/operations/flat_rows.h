// Rows whose bits are turned over, by whole vectors.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpscope {

// out = in ^ flipped, eight bytes at a time from the first.
void flipRow(const std::byte* in, std::byte* out, std::size_t bytes, std::uint64_t flipped);

}  // namespace warpscope
