// What looks at the neighbours of a pixel's luma: tiles of it in shared memory, weighed on the way
// there, and a kernel for operations that need the eight neighbours.
#pragma once

#include <algorithm>
#include <type_traits>

#include "cuda_kernels/runtime/kernel_support.cuh"
#include "cuda_kernels/runtime/sample_loads.cuh"

namespace warpscope::cuda {

// A group of four pixels is what a thread loads and makes; a tile has kTileGroups of them side by
// side and one more at each end.
inline constexpr int kGroup = 4;
inline constexpr int kTileGroups = 32;
inline constexpr int kTileColumns = kTileGroups * kGroup;
inline constexpr int kTileRows = 16;
inline constexpr int kTilePitch = kTileColumns + 2 * kGroup;
inline constexpr int kTileThreads = 256;

// Lanes that hold small multiples of samples of type T.
template <class T>
using LumaLane = std::conditional_t<std::is_floating_point_v<T>, float, int>;

// Sample by sample, for groups that reach beyond an edge.
template <class T, int C>
__device__ __forceinline__ T lumaAt(const std::byte* row, int x) {
    const T* pixel = reinterpret_cast<const T*>(row) + std::int64_t(x) * C;
    if constexpr (C == 1)
        return pixel[0];
    else if constexpr (std::is_floating_point_v<T>)
        return luma(pixel[0], pixel[1], pixel[2]);
    else
        return T(luma(std::uint32_t(pixel[0]), std::uint32_t(pixel[1]), std::uint32_t(pixel[2])));
}

// Of a group that is loaded.
template <class T, int C, int N>
__device__ __forceinline__ void storeLuma(const std::uint32_t (&words)[N], T* to) {
    if constexpr (C == 1) {
        storeWords<kGroup* int(sizeof(T))>(reinterpret_cast<std::byte*>(to), words);
    } else {
#pragma unroll
        for (int k = 0; k < kGroup; ++k) {
            if constexpr (std::is_floating_point_v<T>)
                to[k] = luma(__uint_as_float(words[4 * k]), __uint_as_float(words[4 * k + 1]),
                             __uint_as_float(words[4 * k + 2]));
            else
                to[k] = T(luma(sampleOf<T>(words, 4 * k), sampleOf<T>(words, 4 * k + 1),
                               sampleOf<T>(words, 4 * k + 2)));
        }
    }
}

// Luma of kTilePitch columns from `left` - kGroup on and of `rows` rows from `top` on, edges
// repeated. `left` is a multiple of kGroup, `tile` aligned to a group. All threads of the block
// come here; the caller synchronizes them.
template <class T, int C, int Threads = kTileThreads>
__device__ __forceinline__ void loadLumaTile(const DeviceImage& in, int left, int top, int rows,
                                             T* tile) {
    constexpr int kAcross = kTileGroups + 2;
    constexpr int kBytes = kGroup * C * int(sizeof(T));
    // Groups on their way at once.
    constexpr int kAtOnce = kBytes <= 16 ? 3 : 1;
    const int lastX = in.size.width - 1, lastY = in.size.height - 1;
    const auto rowAt = [&](int tileRow) {
        return in.data + std::int64_t(min(max(top + tileRow, 0), lastY)) * in.pitch;
    };
    for (int first = int(threadIdx.x); first < kAcross * rows; first += Threads * kAtOnce) {
        std::uint32_t words[kAtOnce][kBytes / 4];
#pragma unroll
        for (int n = 0; n < kAtOnce; ++n) {
            const int i = first + n * Threads, tileRow = i / kAcross;
            const int x = left - kGroup + (i - tileRow * kAcross) * kGroup;
            if (i < kAcross * rows && x >= 0 && x + kGroup - 1 <= lastX)
                loadWords<kBytes>(rowAt(tileRow) + std::int64_t(x) * (C * int(sizeof(T))),
                                  words[n]);
        }
#pragma unroll
        for (int n = 0; n < kAtOnce; ++n) {
            const int i = first + n * Threads, tileRow = i / kAcross;
            if (i >= kAcross * rows) break;
            const int column = (i - tileRow * kAcross) * kGroup, x = left - kGroup + column;
            T* to = tile + tileRow * kTilePitch + column;
            if (x >= 0 && x + kGroup - 1 <= lastX) {
                storeLuma<T, C>(words[n], to);
            } else {
#pragma unroll
                for (int k = 0; k < kGroup; ++k)
                    to[k] = lumaAt<T, C>(rowAt(tileRow), min(max(x + k, 0), lastX));
            }
        }
    }
}

// Where a block's tile lies. Tiles are numbered along the rows.
struct TilePlace {
    int left, top;
    __device__ TilePlace(FastDivide tilesAcross, int first, int rows = kTileRows) {
        const std::uint32_t down = tilesAcross(blockIdx.x);
        left = int(blockIdx.x - down * tilesAcross.divisor) * kTileColumns;
        top = first + int(down) * rows;
    }
};

// A group of samples in a row; what lies beyond the row goes into its padding.
template <class T>
__device__ __forceinline__ void storeGroup(const DeviceImage& out, int x, int y,
                                           const std::uint32_t (&samples)[kGroup]) {
    constexpr int kBits = 8 * int(sizeof(T));
    std::uint32_t words[int(sizeof(T))] = {};
#pragma unroll
    for (int k = 0; k < kGroup; ++k) words[k * kBits / 32] |= samples[k] << (k * kBits % 32);
    storeWords<kGroup* int(sizeof(T))>(
        out.data + std::int64_t(y) * out.pitch + std::int64_t(x) * int(sizeof(T)), words);
}

// Output rows [first, last). body(v) gives the sample (of float its bits) in the middle of
// v[row][column].
template <class T, int C, class Body>
__global__ void __launch_bounds__(kTileThreads)
    lumaStencilKernel(DeviceImage in, DeviceImage out, int first, int last, FastDivide tilesAcross,
                      Body body) {
    using Lane = LumaLane<T>;
    __shared__ alignas(16) T tile[(kTileRows + 2) * kTilePitch];
    const TilePlace place(tilesAcross, first);
    loadLumaTile<T, C>(in, place.left, place.top - 1, kTileRows + 2, tile);
    __syncthreads();
    const int column = int(threadIdx.x % kTileGroups) * kGroup;
    const int x = place.left + column;
    if (x >= in.size.width) return;
    for (int r = int(threadIdx.x / kTileGroups); r < kTileRows; r += kTileThreads / kTileGroups) {
        const int y = place.top + r;
        if (y >= last) return;
        Lane v[3][kGroup + 2];
#pragma unroll
        for (int j = 0; j < 3; ++j)
#pragma unroll
            for (int i = 0; i < kGroup + 2; ++i)
                v[j][i] = Lane(tile[(r + j) * kTilePitch + kGroup - 1 + column + i]);
        std::uint32_t made[kGroup];
#pragma unroll
        for (int k = 0; k < kGroup; ++k) {
            Lane square[3][3];
#pragma unroll
            for (int j = 0; j < 3; ++j)
#pragma unroll
                for (int i = 0; i < 3; ++i) square[j][i] = v[j][k + i];
            made[k] = body(square);
        }
        storeGroup<T>(out, x, y, made);
    }
}

// Calls launchTiles(first, last, tilesAcross, blocks) for bands of whole tiles of Rows rows.
template <int Rows = kTileRows, class Launch>
void forEachTileBand(KernelContext& context, const DeviceImage& in, std::int64_t bytesPerRow,
                     std::int64_t workPerPixel, Launch&& launchTiles) {
    const std::uint32_t across = divideUp(unsigned(in.size.width), kTileColumns);
    const int fitting =
        context.rowsPerLaunch(bytesPerRow, std::int64_t(across) * kTileColumns * workPerPixel);
    const int bandRows = std::max(Rows, fitting / Rows * Rows);
    context.forEachBand(in.size.height, bandRows, [&](int first, int last) {
        launchTiles(first, last, FastDivide(across),
                    across * divideUp(unsigned(last - first), Rows));
    });
}

template <class T, int C, class Body>
void runLumaStencil(KernelContext& context, const char* name, const DeviceImage& in,
                    const DeviceImage& out, const Body& body) {
    forEachTileBand(context, in, in.pitch + out.pitch, 32,
                    [&](int first, int last, FastDivide across, unsigned blocks) {
                        launch(context, name, blocks, kTileThreads, 0,
                               lumaStencilKernel<T, C, Body>, in, out, first, last, across, body);
                    });
}

}  // namespace warpscope::cuda
