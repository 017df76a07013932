// The vector code of integral images: prefix sums of rows on top of the sums above, without any
// knowledge of images or threads. Sums are unsigned and wrap.
#pragma once

#include <cstdint>

namespace warpscope {

// Rows that one call takes at most.
inline constexpr int kIntegralRowsAtOnce = 4;
// Sums that `above` and `columns` need room for beyond the width.
inline constexpr int kIntegralPadding = 64;

// The vector code for samples T (8 or 16 bits) and sums S (32 or 64 bits).
template <class T, class S>
struct IntegralKernels {
    // Integral rows of `rows` rows of samples, 1 to kIntegralRowsAtOnce: out[k][x] is above[x] plus
    // the samples of rows 0 to k up to x. `above` then holds the last of them. With `stream` the
    // rows are written past the cache; they must then begin at multiples of 64 bytes.
    void (*rows)(const T* const* in, int rows, S* above, S* const* out, int width, bool stream);
    // columns[x] += the samples of `rows` rows, 1 to kIntegralRowsAtOnce, at x.
    void (*columns)(const T* const* in, int rows, S* columns, int width);
};
template <class T, class S>
IntegralKernels<T, S> integralKernels();
template <>
IntegralKernels<std::uint8_t, std::uint32_t> integralKernels();
template <>
IntegralKernels<std::uint8_t, std::uint64_t> integralKernels();
template <>
IntegralKernels<std::uint16_t, std::uint32_t> integralKernels();
template <>
IntegralKernels<std::uint16_t, std::uint64_t> integralKernels();

}  // namespace warpscope
