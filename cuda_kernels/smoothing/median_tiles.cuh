// Medians of 5x5 to 15x15 by tiles: a thread makes 4 x 4 medians. The samples that all windows of a
// tile share are sorted once; then the tile is halved, across and down in turn, and to what the
// windows of a half share the sorted columns or rows are merged that only they have in common. Of a
// sorted list only those go on that can still be a median, given how many samples are to come.
// Where shared memory has room, large windows share sorted columns between tiles as well.
//
// A register holds two samples as 16-bit halves, of pixels half a block's height apart or of two
// channels. 8-bit samples lie in the lower byte of a half. A median is one of the inputs.
#pragma once

#include "cuda_kernels/runtime/blocks_by_device.cuh"
#include "cuda_kernels/runtime/early_launch.cuh"
#include "cuda_kernels/runtime/launch_pieces.cuh"
#include "cuda_kernels/smoothing/median_tile_pixels.cuh"

namespace warpscope::cuda {
namespace median_tiles {

template <class T, int C, int K, bool kGrouped>
constexpr std::size_t kSharedBytes = ((kPairRows + K - 1) * kRowWords +
                                      (kGrouped ? Shape<K>::kGroupWords * Shape<K>::kItems : 0) +
                                      (2 * Shape<K>::kWide + Pixels<T, C>::kPasses * 16) *
                                          kThreads) *
                                     sizeof(Pair);

// Blocks of a multiprocessor, by the registers that lists need.
template <class T, int C, int K, bool kGrouped>
constexpr int residentTiles() {
    if (K == 9 && C == 4) return sizeof(T) == 2 ? 3 : blocksByDevice({4, 4, 3});
    if (K <= 9) return 4;
    return K == 11 && kGrouped ? blocksByDevice({2, 3, C == 4 ? 2 : 3}) : 2;
}

// C of kernels for gray and colour: half of what large windows take to compile.
constexpr int kEither = 0;

template <class T, int C, int K, bool kGrouped>
__device__ __forceinline__ void makeTiles(const DeviceImage& in, const DeviceImage& out, int first,
                                          int last, FastDivide tilesPerRow, unsigned firstBlock) {
    letNextLaunchBegin();
    waitForLaunchBefore();
    extern __shared__ __align__(16) unsigned char sharedBytes[];
    Pair* const samples = reinterpret_cast<Pair*>(sharedBytes);
    constexpr int kRows = kPairRows + K - 1;
    Pair* const groups = samples + kRows * kRowWords;
    Pair* const spare =
        groups + (kGrouped ? Shape<K>::kGroupWords * Shape<K>::kItems : 0) + threadIdx.x;
    Pair* const results = spare + 2 * Shape<K>::kWide * kThreads;
    const unsigned block = firstBlock + blockIdx.x;
    const int line = int(tilesPerRow(block));
    const int left = int(block - unsigned(line) * tilesPerRow.divisor) * kWidth;
    const int top = first + line * kHeight;
    const int tx = int(threadIdx.x) % kAcross, ty = int(threadIdx.x) / kAcross;
    const bool colour = C == 4 || (C == kEither && isColor(in.format));
    const int passes = colour ? Pixels<T, 4>::kPasses : Pixels<T, 1>::kPasses;
#pragma unroll 1
    for (int pass = 0; pass < passes; ++pass) {
        if (pass) __syncthreads();
        const int firstColumn = left - kBefore, firstRow = top - K / 2;
        if (colour)
            stageBlock<T, 4, kRows>(in, pass, firstColumn, firstRow, samples);
        else
            stageBlock<T, 1, kRows>(in, pass, firstColumn, firstRow, samples);
        const auto make = [&] {
            constexpr bool kBytes = sizeof(T) == 1;
            __syncthreads();
            if constexpr (kGrouped) {
                sortGroups<kBytes, K>(samples, groups);
                __syncthreads();
            }
            tileMedians<kBytes, K, kGrouped>(samples + ty * kTile * kRowWords + tx,
                                             groups + ty * Shape<K>::kGroups + tx + 1, spare,
                                             results + pass * 16 * kThreads);
        };
        if constexpr (kHasPairs) {
            make();
        } else {
#pragma unroll 1
            for (int half = 0; half < 2; ++half) {
                __syncthreads();
                for (int i = int(threadIdx.x); i < kRows * kRowWords; i += kThreads)
                    samples[i] = __byte_perm(samples[i], 0, 0x1032);
                make();
            }
        }
    }
    if (colour)
        writeTile<T, 4>(in, out, left, top, last, results);
    else
        writeTile<T, 1>(in, out, left, top, last, results);
}

template <class T, int C, int K, bool kGrouped>
__global__ void __launch_bounds__(kThreads, residentTiles<T, C, K, kGrouped>())
    tilesKernel(DeviceImage in, DeviceImage out, int first, int last, FastDivide tilesPerRow,
                unsigned firstBlock) {
    // Of 8 bits others are taken elsewhere (median_choice.h), and groups by none of those.
    if constexpr (kHasPairs || (sizeof(T) == 2 && !kGrouped))
        makeTiles<T, C, K, kGrouped>(in, out, first, last, tilesPerRow, firstBlock);
}

// kOf: what the kernel is for, C or kEither.
template <class T, int C, int K, int kOf, bool kGrouped>
void launchTiles(KernelContext& context, const DeviceImage& in, const DeviceImage& out) {
    const RowsCost cost =
        medianTilesCost(in.size.width, C == 4 ? 3 : 1, in.pitch * 2 + out.pitch, K / 2);
    const LaunchCut cut = cutRows(limitsOf(context), cost);
    forEachPiece(context, in.size.height, cut, cost.blocks, [&](int first, int last, int piece) {
        const FastDivide tiles{unsigned(cost.blocks)};
        const BlockRange blocks(cut, piece,
                                tiles.divisor * divideUp(unsigned(last - first), kHeight));
        if (blocks.count)
            launchEarly(context, "median tiles", blocks.count, kThreads,
                        kSharedBytes<T, C, K, kGrouped>, tilesKernel<T, kOf, K, kGrouped>, in, out,
                        first, last, tiles, blocks.first);
    });
}

// Medians of K x K.
template <class T, int C, int K, int kOf = C>
void runFor(KernelContext& context, const DeviceImage& in, const DeviceImage& out) {
    if constexpr (K >= kLeastGroupedSide) {
        const DeviceTraits& traits = context.traits();
        // Room for two blocks: with one there are too few warps.
        constexpr std::size_t kReserved = 1024;  // of each block
        if (traits.major >= 9 &&
            2 * (kSharedBytes<T, C, K, true> + kReserved) <= traits.sharedPerBlock + kReserved)
            return launchTiles<T, C, K, kOf, true>(context, in, out);
    }
    launchTiles<T, C, K, kOf, false>(context, in, out);
}

}  // namespace median_tiles

}  // namespace warpscope::cuda
