// The vector code of integral images: prefix sums of rows on top of the sums above, without any
// knowledge of images or threads. Sums are unsigned and wrap.
#pragma once

#include <cstdint>

namespace warpscope {

// Rows that one call takes at most.
inline constexpr int kIntegralRowsAtOnce = 4;
// Sums that `above` and `columns` need room for beyond the width.
inline constexpr int kIntegralPadding = 64;

// Integral rows of `rows` rows of samples, 1 to kIntegralRowsAtOnce: out[k][x] is above[x] plus
// the samples of rows 0 to k up to x. `above` then holds the last of them. With `stream` the rows
// are written past the cache; they must then begin at multiples of 64 bytes.
void integralRows(const std::uint8_t* const* in, int rows, std::uint32_t* above,
                  std::uint32_t* const* out, int width, bool stream);
void integralRows(const std::uint8_t* const* in, int rows, std::uint64_t* above,
                  std::uint64_t* const* out, int width, bool stream);
void integralRows(const std::uint16_t* const* in, int rows, std::uint32_t* above,
                  std::uint32_t* const* out, int width, bool stream);
void integralRows(const std::uint16_t* const* in, int rows, std::uint64_t* above,
                  std::uint64_t* const* out, int width, bool stream);

// columns[x] += the samples of `rows` rows, 1 to kIntegralRowsAtOnce, at x.
void addToColumns(const std::uint8_t* const* in, int rows, std::uint32_t* columns, int width);
void addToColumns(const std::uint8_t* const* in, int rows, std::uint64_t* columns, int width);
void addToColumns(const std::uint16_t* const* in, int rows, std::uint32_t* columns, int width);
void addToColumns(const std::uint16_t* const* in, int rows, std::uint64_t* columns, int width);

}  // namespace warpscope
