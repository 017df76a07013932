// The vector code of gaussian_blur: single rows, without any knowledge of images or threads. Each
// function exists for 8-bit samples and for 16-bit ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "engine/operations/rows_ahead.h"

namespace warpscope {

// Output rows that one call of gaussianColumns makes together.
inline constexpr int kGaussianRowsAtOnce = 4;
// Rows of samples between passes are cut in whole blocks of this many samples.
inline constexpr int kGaussianBlock = 128;

// A sample of type T before and after the row pass.
template <class T>
using GaussianMiddle = std::conditional_t<sizeof(T) == 1, std::int16_t, std::uint32_t>;

// Weights as signed 16-bit factors, which pairwise multiply-add needs. A centre beyond 32,767 is
// taken in two parts.
struct GaussianWeights {
    explicit GaussianWeights(const std::vector<std::uint32_t>& taps);

    int count = 0;           // 2 radius + 1
    std::int16_t extra = 0;  // what the centre has beyond 32,767
    // The weights from index kBefore on, zeros around them.
    static constexpr int kBefore = 4;
    std::vector<std::int16_t> padded;
    // Each of them and the next, four times: a load and no more.
    static constexpr int kPairLanes = 8;
    std::vector<std::int16_t> pairs;
    const std::int16_t* pairsFromFirst() const { return pairs.data() + kBefore * kPairLanes; }
    std::vector<std::uint32_t> taps;  // as they were given
};

// Samples of one row as 16-bit integers, a plane a colour (R, G, B; alpha is left out), the edge
// pixel repeated `radius` times before and at least `radius` times after, then readable up to
// paddedLength().
void gaussianSpread(const std::uint8_t* row, int width, int channels, int radius,
                    std::int16_t* planes, std::ptrdiff_t planeLength);
void gaussianSpread(const std::uint16_t* row, int width, int channels, int radius,
                    std::uint32_t* planes, std::ptrdiff_t planeLength);
std::ptrdiff_t gaussianPaddedLength(int width, int radius);

// `count` (a multiple of kGaussianBlock) row sums (sum + 128) >> 8, stored as value - 32,768 so
// that they too are signed factors; of 16-bit samples they are stored as they are, in 24 bits.
// `padded` holds sample -radius first.
void gaussianRow(const std::int16_t* padded, const GaussianWeights& weights, std::int16_t* out,
                 int count);
void gaussianRow(const std::uint32_t* padded, const GaussianWeights& weights, std::uint32_t* out,
                 int count);

// The same from a row of the image itself, where the processor gains by that; else false, and
// nothing is done. `row` is readable up to 64 bytes beyond its end. `count` sums of each of the
// planes, one after the other; `room` is for a plane of gaussianPaddedLength(width, radius) samples
// a colour, or of gray.
bool gaussianRowOfImage(const std::uint8_t* row, int width, int planes,
                        const GaussianWeights& weights, std::uint8_t* room, std::int16_t* out,
                        int count);
inline bool gaussianRowOfImage(const std::uint16_t*, int, int, const GaussianWeights&,
                               std::uint16_t*, std::uint32_t*, int) {
    return false;
}

// kGaussianRowsAtOnce output rows of `count` samples (a multiple of 64 bytes): (sum + 2^23) >> 24.
// Output row k is the sum over rows[k] to rows[k + weights.count - 1]; there are weights.count + 3
// rows. `ahead`: rows of images that are needed next; the vector code for 8 bits asks for them.
void gaussianColumns(const std::int16_t* const* rows, const GaussianWeights& weights, int count,
                     std::uint8_t* const* out, const RowsAhead& ahead = {});
void gaussianColumns(const std::uint32_t* const* rows, const GaussianWeights& weights, int count,
                     std::uint16_t* const* out, const RowsAhead& ahead = {});

}  // namespace warpscope
