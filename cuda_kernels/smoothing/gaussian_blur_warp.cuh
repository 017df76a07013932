// What the Gaussians in the registers of a warp share (gaussian_blur_warp.cu,
// gaussian_blur_pairs.cu): the two passes over 16 columns and rows as banded products.
#pragma once

#include <cstdlib>
#include <vector>

#include "cuda_kernels/smoothing/gaussian_blur.cuh"
#include "cuda_kernels/smoothing/gaussian_blur_banded.cuh"

namespace warpscope::cuda {

inline constexpr int kSide = 16;                // columns of a tile, rows of a step
inline constexpr int kReach = kMostWarpRadius;  // pixels that are read beside a strip
// Of 16 bytes a lane: rows' weights, high and low; columns' alike.
inline constexpr int kFragments = 4;

// Row m of the row pass's 16 outputs is this column of the tile: a lane's four outputs of the
// column pass, two of each half, are neighbours.
constexpr int columnOfOutput(int m) {
    return 4 * ((m & 7) >> 1) + 2 * (m >> 3) + (m & 1);
}

// The banded matrices of a blur as lanes hold them, for strips that begin kReach pixels and
// `above` rows before the first output. `pixelOf(quarter, i, e)`: which pixel byte e of word i of
// the lanes of a quarter is; `columnOf(m)`: which of the strip's columns output m of the row pass.
template <class PixelOf, class ColumnOf>
void appendWeights(const GaussianBlurPlan& plan, int above, const PixelOf& pixelOf,
                   const ColumnOf& columnOf, std::vector<std::uint32_t>& words) {
    for (int item = 0; item < kFragments * 32; ++item) {
        const int lane = item % 32, group = lane / 4, quarter = lane % 4;
        const bool columns = item / 64 != 0;
        const int shift = item / 32 % 2 ? 0 : 8;
        for (int reg = 0; reg < 4; ++reg) {
            const int m = group + 8 * (reg & 1), i = reg >> 1;
            std::uint32_t word = 0;
            for (int e = 0; e < 4; ++e) {
                const int row = 16 * i + 8 * (e >> 1) + 2 * quarter + (e & 1);
                const int away =
                    columns ? row - above - m : pixelOf(quarter, i, e) - kReach - columnOf(m);
                if (std::abs(away) <= plan.radius)
                    word |= (plan.taps[std::size_t(away + plan.radius)] >> shift & 255u) << (8 * e);
            }
            words.push_back(word);
        }
    }
}

struct BandedWeights {
    uint4 rowHigh, rowLow, columnHigh, columnLow;

    __device__ __forceinline__ void load(const uint4* at) {
        rowHigh = __ldg(at);
        rowLow = __ldg(at + 32);
        columnHigh = __ldg(at + 64);
        columnLow = __ldg(at + 96);
    }
};

// A lane's part of the intermediate of 16 rows and half of the columns: low and high bytes of four
// values.
using Middle = uint2;

__device__ __forceinline__ void rowPass(const BandedWeights& weights,
                                        const std::uint32_t (&upper)[2],
                                        const std::uint32_t (&lower)[2], Middle (&made)[2]) {
    std::int32_t high[2][4] = {}, low[2][4] = {{128, 128, 128, 128}, {128, 128, 128, 128}};
    multiply(low[0], weights.rowLow, upper[0], upper[1]);
    multiply(low[1], weights.rowLow, lower[0], lower[1]);
    multiply(high[0], weights.rowHigh, upper[0], upper[1]);
    multiply(high[1], weights.rowHigh, lower[0], lower[1]);
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        std::uint32_t pair[2];  // low bytes, then high ones
#pragma unroll
        for (int v = 0; v < 2; ++v) {
            const int at = 2 * half;
            const std::uint32_t first =
                std::uint32_t(high[v][at]) + (std::uint32_t(low[v][at]) >> 8);
            const std::uint32_t second =
                std::uint32_t(high[v][at + 1]) + (std::uint32_t(low[v][at + 1]) >> 8);
            pair[v] = __byte_perm(first, second, 0x5140);
        }
        made[half] = {__byte_perm(pair[0], pair[1], 0x5410), __byte_perm(pair[0], pair[1], 0x7632)};
    }
}

// Of 32 rows: four neighbouring outputs of rows lane / 4 and 8 + lane / 4.
__device__ __forceinline__ void columnPass(const BandedWeights& weights, const Middle (&upper)[2],
                                           const Middle (&lower)[2], std::uint32_t (&made)[2]) {
    std::uint32_t pairs[2][2];
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        std::int32_t high[4] = {128, 128, 128, 128}, mixed[4] = {}, low[4] = {};
        multiply(low, weights.columnLow, upper[half].x, lower[half].x);
        multiply(mixed, weights.columnHigh, upper[half].x, lower[half].x);
        multiply(high, weights.columnHigh, upper[half].y, lower[half].y);
        multiply(mixed, weights.columnLow, upper[half].y, lower[half].y);
#pragma unroll
        for (int r = 0; r < 2; ++r) {
            std::uint32_t total[2];
#pragma unroll
            for (int d = 0; d < 2; ++d) {
                const int at = 2 * r + d;
                const std::uint32_t below =
                    std::uint32_t(mixed[at]) + (std::uint32_t(low[at]) >> 8);
                total[d] = std::uint32_t(high[at]) + (below >> 8);
            }
            pairs[r][half] = __byte_perm(total[0], total[1], 0x0051);
        }
    }
#pragma unroll
    for (int r = 0; r < 2; ++r) made[r] = __byte_perm(pairs[r][0], pairs[r][1], 0x5410);
}

// Row `row`'s bytes before it: a multiplication of 32 bits.
__device__ __forceinline__ std::uint64_t rowStart(int row, int pitch) {
    return std::uint64_t(unsigned(row)) * unsigned(pitch);
}

// Strips side by side, each cut into pieces of some rows: one a warp, numbered along the rows.
struct Strips {
    int first, last, rowsEach;
    FastDivide across;
    std::uint32_t count;
    int inPitch, outPitch;
};

}  // namespace warpscope::cuda
