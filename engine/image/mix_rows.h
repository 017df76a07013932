// Two rows of samples into one between them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpscope {

// out[i] = a[i] (256 - weight) + b[i] weight, over 256 and rounded, halves up. weight: 0 to 256.
void mixRows(const std::uint8_t* a, const std::uint8_t* b, std::uint32_t weight, std::uint8_t* out,
             std::size_t count);

}  // namespace warpscope
