// The two passes of gaussian_blur_sparse.cu: banded products on the tensor units for sparse
// matrices. They sum 64 values in little more than the time of the 32 of an ordinary product,
// if of any four neighbours no more than two have weights. A band is not such a matrix by itself,
// but in which order values are summed is free: each four are two neighbours of the image and the
// two that lie half of all values of the product further. A band narrower than that half has
// one of the pairs or the other, never both.
#pragma once

#include <cstdlib>
#include <vector>

#include "cuda_kernels/smoothing/gaussian_blur_warp.cuh"

namespace warpscope::cuda {

// For products of Span pixels or rows: 16 outputs and as much beside them as a band reaches.
template <int Span>
struct SparseShape {
    static_assert(Span == 32 || Span == 64);
    static constexpr int kReach = Span / 4;   // pixels that are read at each side of a tile
    static constexpr int kKept = Span / 32;   // steps above its own whose rows a step needs
    static constexpr int kGroups = Span / 4;  // of four
    static constexpr int kWords = Span / 16;  // of four pixels or rows, that a lane gives
    // Of 16 bytes a lane: weights, which pair of each group has them, and what rounds.
    static constexpr int kWeights = Span / 16;
    static constexpr int kFragments = kWeights + 2;
};

// Which pixel of a row, and which row, a group begins with.
constexpr int pixelOfGroup(int group) {
    return 16 * (group / 8) + 4 * (group % 4) + 2 * (group / 4 % 2);
}
constexpr int rowOfGroup(int group) {
    return 8 * (group / 4) + 2 * (group % 4);
}

// The matrices of a blur as lanes hold them. `columnOf(m)`: which of the tile's columns output m of
// the row pass is.
template <int Span, class ColumnOf>
class SparseTable {
  public:
    SparseTable(int above, const ColumnOf& columnOf) : m_above(above), m_columnOf(columnOf) {}

    void append(const GaussianBlurPlan& plan, std::vector<std::uint32_t>& words) const {
        // Products of 32 take the high bytes and the low ones of a pass from one fragment.
        constexpr int kEach = Span / 16;
        for (int word = 0; word < Shape::kWeights * 128; ++word) {
            const int lane = word / 4 % 32, item = word / 128 * 4 + word % 4;
            const int reg = item % kEach, which = item / kEach;
            words.push_back(weights(plan, which / 2 != 0, which % 2 ? 0 : 8, lane, reg));
        }
        for (int lane = 0; lane < 32; ++lane) {
            words.push_back(pairs(lane, [&](int m, int g) { return takesSecondPixels(m, g); }));
            words.push_back(pairs(lane, [&](int m, int g) { return takesSecondRows(m, g); }));
            // Of groups without a second pair its place has the rows' high bytes.
            words.push_back(
                pairs(lane, [&](int m, int g) { return g >= 8 || takesSecondRows(m, g); }));
            words.push_back(0);
        }
        words.insert(words.end(), 128, 128);
    }

  private:
    using Shape = SparseShape<Span>;

    // Groups from the eighth on have one pair, twice; a lane gives the same word for two of them.
    bool takesSecondPixels(int m, int group) const {
        return group >= 8 ? group >= 12 : pixelOfGroup(group) < m_columnOf(m);
    }
    static bool takesSecondRows(int m, int group) { return rowOfGroup(group) <= m - 2; }

    std::uint32_t weights(const GaussianBlurPlan& plan, bool columns, int shift, int lane,
                          int reg) const {
        const int m = lane / 4 + 8 * (reg & 1);
        std::uint32_t word = 0;
        for (int e = 0; e < 4; ++e) {
            const int group = 8 * (reg / 2) + 2 * (lane % 4) + e / 2;
            const bool second =
                columns ? takesSecondRows(m, group) : group < 8 && takesSecondPixels(m, group);
            const int value = (columns ? rowOfGroup(group) : pixelOfGroup(group)) + e % 2 +
                              (second ? Span / 2 : 0);
            const int away = columns ? value - m_above - m : value - Shape::kReach - m_columnOf(m);
            if (std::abs(away) <= plan.radius)
                word |= (plan.taps[std::size_t(away + plan.radius)] >> shift & 255u) << (8 * e);
        }
        return word;
    }
    // Two bits for each of a pair's places in its group, as the product takes them: row lane / 4
    // or 8 more, eight groups a lane.
    template <class TakesSecond>
    static std::uint32_t pairs(int lane, const TakesSecond& takesSecond) {
        const int m = lane / 4 + 8 * (lane & 1);
        std::uint32_t word = 0;
        for (int i = 0; i < 8; ++i) {
            const int group = (8 * (lane / 2 % 2) + i) % Shape::kGroups;
            word |= (takesSecond(m, group) ? 0xeu : 0x4u) << (4 * i);
        }
        return word;
    }

    int m_above;
    ColumnOf m_columnOf;
};

#ifndef WARPSCOPE_EMULATED_DOT_PRODUCTS
// added + a (16 x 32 bytes, of any four two) times b (32 x 8).
__device__ __forceinline__ void multiplySparse(std::int32_t (&sums)[4], const uint4& added,
                                               std::uint32_t a0, std::uint32_t a1,
                                               const std::uint32_t (&b)[2], std::uint32_t pairs) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm("mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0,%1,%2,%3}, "
        "{%4,%5}, {%6,%7}, {%8,%9,%10,%11}, %12, 0x0;"
        : "=r"(sums[0]), "=r"(sums[1]), "=r"(sums[2]), "=r"(sums[3])
        : "r"(a0), "r"(a1), "r"(b[0]), "r"(b[1]), "r"(added.x), "r"(added.y), "r"(added.z),
          "r"(added.w), "r"(pairs));
#endif
}
// The same with 64 for 32.
__device__ __forceinline__ void multiplySparse(std::int32_t (&sums)[4], const uint4& added,
                                               const uint4& a, const std::uint32_t (&b)[4],
                                               std::uint32_t pairs) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm("mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.s32.u8.u8.s32 {%0,%1,%2,%3}, "
        "{%4,%5,%6,%7}, {%8,%9,%10,%11}, {%12,%13,%14,%15}, %16, 0x0;"
        : "=r"(sums[0]), "=r"(sums[1]), "=r"(sums[2]), "=r"(sums[3])
        : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]),
          "r"(added.x), "r"(added.y), "r"(added.z), "r"(added.w), "r"(pairs));
#endif
}
#endif

template <int Span>
struct SparseWeights {
    // Products of 64: rows' weights, high and low; columns' alike. Products of 32: both of the
    // rows, both of the columns.
    uint4 fragments[SparseShape<Span>::kWeights];

    __device__ __forceinline__ void load(const uint4* at) {
#pragma unroll
        for (int i = 0; i < SparseShape<Span>::kWeights; ++i) fragments[i] = __ldg(at + 32 * i);
    }
};

// Which pair of each group has weights, and four times what rounds: in registers, of which a
// product then needs no copy.
struct SparsePairs {
    std::uint32_t pixels, rows, rowsHigh;
    uint4 rounding;

    __device__ __forceinline__ void load(const uint4* at) {
        const uint4 words = __ldg(at);
        pixels = words.x;
        rows = words.y;
        rowsHigh = words.z;
        rounding = __ldg(at + 32);
    }
};

// A lane's part of the intermediate of 16 rows: of half of the columns and eight of the rows two
// values below each other, their low bytes and their high ones.
using SparseMiddle = std::uint32_t[2][2];

// `pixels`: of rows 0 to 7 and 8 to 15.
template <int Span, bool Multiplied>
__device__ __forceinline__ void sparseRowPass(
    const SparseWeights<Span>& weights, const SparsePairs& pairs,
    const std::uint32_t (&pixels)[2][SparseShape<Span>::kWords], SparseMiddle& made) {
#pragma unroll
    for (int v = 0; v < 2; ++v) {
        std::int32_t low[4], high[4];
        if constexpr (Span == 32) {
            const uint4& both = weights.fragments[0];
            multiplySparse(low, pairs.rounding, both.z, both.w, pixels[v], pairs.pixels);
            multiplySparse(high, {}, both.x, both.y, pixels[v], pairs.pixels);
        } else {
            multiplySparse(low, pairs.rounding, weights.fragments[1], pixels[v], pairs.pixels);
            multiplySparse(high, {}, weights.fragments[0], pixels[v], pairs.pixels);
        }
#pragma unroll
        for (int half = 0; half < 2; ++half)
            made[half][v] = joinMiddle<Multiplied>(high, low, 2 * half);
    }
}

// Four neighbouring outputs of rows lane / 4 and 8 + lane / 4, from the steps that were kept and
// the one below them.
template <int Span, bool Multiplied>
__device__ __forceinline__ void sparseColumnPass(
    const SparseWeights<Span>& weights, const SparsePairs& pairs,
    const SparseMiddle (&kept)[SparseShape<Span>::kKept], const SparseMiddle& below,
    std::uint32_t (&made)[2]) {
    std::uint32_t columns[2][2];
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        std::uint32_t lows[2], highs[2];
#pragma unroll
        for (int v = 0; v < 2; ++v) {
            lows[v] = __byte_perm(kept[0][half][v], below[half][v], 0x5410);
            highs[v] = __byte_perm(kept[0][half][v], below[half][v], 0x7632);
        }
        std::int32_t high[4], mixed[4], low[4];
        if constexpr (Span == 32) {
            const uint4& both = weights.fragments[1];
            multiplySparse(low, {}, both.z, both.w, lows, pairs.rows);
            multiplySparse(mixed, {}, both, {lows[0], lows[1], highs[0], highs[1]}, pairs.rows);
            multiplySparse(high, pairs.rounding, both.x, both.y, highs, pairs.rows);
        } else {
            const uint4 &highWeights = weights.fragments[2], &lowWeights = weights.fragments[3];
            const std::uint32_t lowWords[4] = {lows[0], lows[1], kept[1][half][0],
                                               kept[1][half][1]};
            const std::uint32_t highWords[4] = {highs[0], highs[1], kept[1][half][0],
                                                kept[1][half][1]};
            multiplySparse(low, {}, lowWeights, lowWords, pairs.rows);
            multiplySparse(mixed, {}, highWeights, lowWords, pairs.rows);
            multiplySparse(high, pairs.rounding, highWeights, highWords, pairs.rowsHigh);
            const uint4 before{std::uint32_t(mixed[0]), std::uint32_t(mixed[1]),
                               std::uint32_t(mixed[2]), std::uint32_t(mixed[3])};
            multiplySparse(mixed, before, lowWeights, highWords, pairs.rowsHigh);
        }
#pragma unroll
        for (int r = 0; r < 2; ++r)
            columns[r][half] = joinOutputs<Multiplied>(high, mixed, low, 2 * r);
    }
#pragma unroll
    for (int r = 0; r < 2; ++r) made[r] = __byte_perm(columns[r][0], columns[r][1], 0x5410);
}

}  // namespace warpscope::cuda
