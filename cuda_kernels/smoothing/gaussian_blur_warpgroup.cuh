// What the Gaussians by warpgroups share (gaussian_blur_warpgroup.cu, of gray images, and
// gaussian_blur_colour_warpgroup.cu): radii 16 to 96 as products (warpgroup_products.cuh), on
// devices of compute capability 9.0. Both passes are products with the same banded matrix of 64
// rows, split into high and low bytes as in gaussian_blur_banded.cu and kept in registers: it says
// what 64 outputs take of as many neighbours as they have, and neighbours are always the right
// factor. A warpgroup goes down a strip of 64 columns, 64 rows at a time. Its row pass multiplies
// with the samples of 64 rows, each a column of the factor; the 16-bit results stay in shared
// memory as two planes of bytes, a ring of as many rows as a column pass needs, in which each
// column of the image is one of the factor.
//
// In which order rows are columns of a factor, and outputs rows of the matrix, is free. Outputs are
// taken from the last to the first, and columns of a factor so that what a lane holds of the sums
// are 16 neighbours: it stores them at once. Sums cannot overflow: 255 x 65,536 in the row pass,
// less than 2^32 in the column pass.
#pragma once

#include "cuda_kernels/runtime/early_launch.cuh"
#include "cuda_kernels/runtime/launch_pieces.cuh"
#include "cuda_kernels/runtime/warpgroup_products.cuh"
#include "cuda_kernels/smoothing/blur_mix.cuh"
#include "cuda_kernels/smoothing/blur_shares.h"
#include "cuda_kernels/smoothing/gaussian_blur_costs.h"

namespace warpscope::cuda {

inline constexpr int kGroupThreads = 128;
inline constexpr int kSide = kWarpgroupSide;  // columns of a strip, rows of a step
inline constexpr int kPixelStep =
    kSide * 16 + 16;  // 16 columns of all rows; no bank conflicts between two
inline constexpr int kMiddleStep = kSide * 16 + 32;  // 16 rows of all columns; none between four

// Steps: of 32 neighbours, which is what a product sums.
template <int Steps>
struct WarpgroupShape {
    static constexpr int kPieces = 2 * Steps;            // of 16 columns, or rows
    static constexpr int kRing = (kPieces + 3) / 4 * 4;  // pieces of whole steps of rows
    static constexpr int kReach = 16 * (Steps - 2);      // the largest radius
    static constexpr int kBefore = kRing / 4 - 1;        // steps that a first output needs more
    // A step's rows along rows are that much below those that it puts out.
    static constexpr int kAhead = kSide * kBefore - kReach;
    static constexpr int kPixelBytes = kPieces * kPixelStep, kPlaneBytes = kRing * kMiddleStep;
};

// Which column of a factor the image's row or column i of 64 is: lane quarter q then holds i of 16
// q to 16 q + 15.
__host__ __device__ constexpr int factorColumn(int i) {
    return 8 * (i % 16 / 2) + 2 * (i / 16) + i % 2;
}

// The same of columns in the ring, of which a product makes 32: lane quarter q holds 8 q to 8 q + 7
// of those.
__host__ __device__ constexpr int ringColumn(int i) {
    return 32 * (i / 32) + 8 * (i % 8 / 2) + 2 * (i % 32 / 8) + i % 2;
}

// The row pass of a step: rounds the sums and puts 16 rows of two columns into the ring.
template <int Steps>
__device__ __forceinline__ void filterRows(const uint4 (&weights)[2][Steps], std::uint32_t pixels,
                                           std::byte* piece) {
    std::int32_t high[32], low[32];
    sumsBegin(high);
    sumsBegin(low);
    beginProducts();
#pragma unroll
    for (int s = 0; s < Steps; ++s) {
        const std::uint64_t right = rightFactor(pixels + unsigned(2 * s * kPixelStep), kPixelStep);
        multiplyGroup(high, weights[0][s], right, s > 0);
        multiplyGroup(low, weights[1][s], right, s > 0);
    }
    finishProducts();
    sumsAreThere(high);
    sumsAreThere(low);
    const int group = int(threadIdx.x % kGroupThreads) / 32 * 16 + int(threadIdx.x) % 32 / 4;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        std::uint32_t upper[4], lower[4];
#pragma unroll
        for (int word = 0; word < 4; ++word) {
            std::uint32_t sums[4];
#pragma unroll
            for (int e = 0; e < 4; ++e) {
                const int i = 4 * (2 * word + e / 2) + 2 * half + e % 2;
                sums[e] = (std::uint32_t(high[i]) << 8) + std::uint32_t(low[i]) + 128u;
            }
            // Bytes 1 and 2 of each: low ones in the lower half.
            const std::uint32_t first = __byte_perm(sums[0], sums[1], 0x6251);
            const std::uint32_t second = __byte_perm(sums[2], sums[3], 0x6251);
            lower[word] = __byte_perm(first, second, 0x5410);
            upper[word] = __byte_perm(first, second, 0x7632);
        }
        std::byte* const to = piece + ringColumn(kSide - 1 - (group + 8 * half)) * 16;
        *reinterpret_cast<uint4*>(to) = {upper[0], upper[1], upper[2], upper[3]};
        *reinterpret_cast<uint4*>(to + WarpgroupShape<Steps>::kPlaneBytes) = {lower[0], lower[1],
                                                                              lower[2], lower[3]};
    }
}

// The column pass of a step whose neighbours begin with piece `oldest` of the ring. Calls
// store(side, half, pixels) with eight pixels of each of two rows for one half of the columns, then
// for the other: registers are few, and what is stored at once is made at once.
template <int Steps, class Store>
__device__ __forceinline__ void filterColumns(const uint4 (&weights)[2][Steps], std::uint32_t ring,
                                              int oldest, const Store& store) {
    using S = WarpgroupShape<Steps>;
#pragma unroll
    for (int side = 0; side < 2; ++side) {
        // Registers of their own for each half: the assembler (CUDA 13.0) takes what is made of the
        // sums of two groups to be the same where the registers are.
        std::int32_t high[16], middle[16], low[16];
        sumsBegin(high);
        sumsBegin(middle);
        sumsBegin(low);
        beginProducts();
#pragma unroll
        for (int s = 0; s < Steps; ++s) {
            const std::uint32_t at = ring + unsigned((oldest + 2 * s) % S::kRing * kMiddleStep +
                                                     side * (kSide / 2) * 16);
            const std::uint64_t upper = rightFactor(at, kMiddleStep);
            const std::uint64_t lower = rightFactor(at + S::kPlaneBytes, kMiddleStep);
            multiplyGroup(high, weights[0][s], upper, s > 0);
            multiplyGroup(middle, weights[0][s], lower, s > 0);
            multiplyGroup(low, weights[1][s], lower, s > 0);
            multiplyGroup(middle, weights[1][s], upper, true);
        }
        finishProducts();
        sumsAreThere(high);
        sumsAreThere(middle);
        sumsAreThere(low);
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            std::uint32_t words[2];
#pragma unroll
            for (int word = 0; word < 2; ++word) {
                std::uint32_t sums[4];
#pragma unroll
                for (int e = 0; e < 4; ++e) {
                    const int i = 4 * (2 * word + e / 2) + 2 * half + e % 2;
                    sums[e] = (((std::uint32_t(high[i]) << 8) + std::uint32_t(middle[i])) << 8) +
                              (std::uint32_t(low[i]) + (1u << 23));
                }
                words[word] = __byte_perm(__byte_perm(sums[0], sums[1], 0x0073),
                                          __byte_perm(sums[2], sums[3], 0x0073), 0x5410);
            }
            store(side, half, uint2{words[0], words[1]});
        }
    }
}

// High bytes, then low ones; of each step what every thread keeps.
template <int Steps>
std::vector<std::uint32_t> matrixOf(const GaussianBlurPlan& plan) {
    std::vector<std::uint32_t> words;
    words.reserve(std::size_t(2) * Steps * kGroupThreads * 4);
    const auto weight = [&](int row, int neighbour) -> std::uint32_t {
        const int tap =
            neighbour - (kSide - 1 - row) - (WarpgroupShape<Steps>::kReach - plan.radius);
        return tap < 0 || tap > 2 * plan.radius ? 0 : std::uint32_t(plan.taps[std::size_t(tap)]);
    };
    for (int shift = 8; shift >= 0; shift -= 8)
        for (int s = 0; s < Steps; ++s)
            for (int thread = 0; thread < kGroupThreads; ++thread)
                for (int part = 0; part < 4; ++part) {
                    const int row = thread / 32 * 16 + thread % 32 / 4 + part % 2 * 8;
                    const int neighbour = 32 * s + 4 * (thread % 4) + part / 2 * 16;
                    std::uint32_t word = 0;
                    for (int e = 0; e < 4; ++e)
                        word |= (weight(row, neighbour + e) >> shift & 255u) << 8 * e;
                    words.push_back(word);
                }
    return words;
}

template <int Steps>
const uint4* matrixOnDevice(KernelContext& context, const GaussianBlurPlan& plan) {
    return reinterpret_cast<const uint4*>(context.device().constants(
        "gaussian warpgroup " + std::string(reinterpret_cast<const char*>(plan.taps.data()),
                                            plan.taps.size() * sizeof(plan.taps[0])),
        [&] { return matrixOf<Steps>(plan); }));
}

// Calls run.template operator()<Steps>() for a plan's, of which there are no more than kMost.
template <int kMost, int Steps = warpgroupSteps(kLeastWarpgroupRadius), class Run>
void forWarpgroupSteps(const GaussianBlurPlan& plan, const Run& run) {
    if constexpr (Steps < kMost) {
        if (warpgroupSteps(plan.radius) > Steps)
            return forWarpgroupSteps<kMost, Steps + 1>(plan, run);
    }
    run.template operator()<Steps>();
}

}  // namespace warpscope::cuda
