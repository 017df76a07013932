// Rows that are copied or whose bits are turned over, by whole vectors.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpscope {

// Results of so many bytes no cache will hold: they may be written past it.
inline constexpr std::uint64_t kFlatStreamBytes = 4u << 20;

// out = in ^ flipped, eight bytes at a time from the first. Past the cache where `stream` says so:
// `out` is a multiple of 64 bytes then, and hwy::FlushStream() comes after the last row.
void flipRow(const std::byte* in, std::byte* out, std::size_t bytes, std::uint64_t flipped,
             bool stream);

}  // namespace warpscope
