// The rows of the box mean of integers, without any knowledge of images or threads.
#pragma once

#include <cstdint>

#include "engine/operations/smoothing/box_quotient.h"

namespace warpscope {

// Column sums of the window one row lower, of `samples` columns: the row that enters it, less the
// one that leaves it. Sums of 32 bits may wrap.
void moveBoxColumns(const std::uint8_t* entering, const std::uint8_t* leaving,
                    std::uint32_t* columns, int samples);
void moveBoxColumns(const std::uint16_t* entering, const std::uint16_t* leaving,
                    std::uint32_t* columns, int samples);
void moveBoxColumns(const std::uint16_t* entering, const std::uint16_t* leaving,
                    std::uint64_t* columns, int samples);

// A row counted `times` times, at most 1,001.
void addToBoxColumns(const std::uint8_t* row, std::uint32_t times, std::uint32_t* columns,
                     int samples);
void addToBoxColumns(const std::uint16_t* row, std::uint32_t times, std::uint32_t* columns,
                     int samples);
void addToBoxColumns(const std::uint16_t* row, std::uint32_t times, std::uint64_t* columns,
                     int samples);

// out[i]: the mean of n samples whose sum is until[i] - before[i], rounded half up; n is odd.
// `quotient`: BoxQuotient::of16(n). Where `alpha` is given, every fourth sample is taken from it.
void boxMeans(const std::uint32_t* before, const std::uint32_t* until, std::uint32_t n,
              const std::uint8_t* alpha, std::uint8_t* out, int samples);
void boxMeans(const std::uint32_t* before, const std::uint32_t* until, const BoxQuotient& quotient,
              const std::uint16_t* alpha, std::uint16_t* out, int samples);
void boxMeans(const std::uint64_t* before, const std::uint64_t* until, std::uint32_t n,
              const std::uint16_t* alpha, std::uint16_t* out, int samples);

// out[k]: the sum of pixels 0 to k of each channel. Both have room for 64 samples more.
void boxPrefixes(const std::uint32_t* in, std::uint32_t* out, int pixels, int channels);
void boxPrefixes(const std::uint64_t* in, std::uint64_t* out, int pixels, int channels);

}  // namespace warpscope
