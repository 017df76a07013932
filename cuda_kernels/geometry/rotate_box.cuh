// What a tile of a rotated image needs, in shared memory.
#pragma once

#include <type_traits>

#include "cuda_kernels/runtime/kernel_support.cuh"
#include "engine/operations/geometry/rotate.h"

namespace warpscope::cuda {

// Sides of the tiles that go through shared memory: small ones where there are fewer of the large
// ones than multiprocessors can use.
constexpr int kStagedSide = 32, kSmallSide = 16;
constexpr int kFewTiles = 4;  // large ones, of a multiprocessor
// Turned by 45 degrees, 31 steps are 44 columns and 15 are 22; one more for the fraction, one for
// the neighbour.
constexpr int boxSide(int side) {
    return side == kStagedSide ? 47 : 25;
}
// `pairs`: where a thread makes four pixels beside each other.
constexpr unsigned stagedThreads(int side, bool pairs) {
    return side == kStagedSide || !pairs ? 128 : 64;
}
constexpr int stagedWarps(int side, bool pairs) {
    return int(stagedThreads(side, pairs)) / 32;
}

// Coordinates of the output's first pixel and what a column and a row add, 32 fraction bits.
struct Rotation {
    std::int64_t x, y, cosine, sine;
    Rect part;
    Size whole;
    bool nearest;
    RotateOutside outside;
    // Of a tile that is staged: how far its pixels lie from its first one, at least and at most.
    std::int64_t leastX, mostX, leastY, mostY;
};

// Half of the last bit that a weight has.
constexpr std::int64_t kHalfStep = 1 << 23;

__device__ __forceinline__ int clampedTo(int value, int most) {
    return min(max(value, 0), most);
}

// A tile and the box of the image that holds all neighbours of its pixels.
struct StagedTile {
    int x, y;
    std::int64_t atX, atY;  // of its first pixel
    int left, top, width, height;

    __device__ __forceinline__ StagedTile(int side, int firstRow, FastDivide tilesAcross,
                                          const Rotation& turn) {
        const std::uint32_t tileRow = tilesAcross(blockIdx.x);
        x = int(blockIdx.x - tileRow * tilesAcross.divisor) * side;
        y = firstRow + int(tileRow) * side;
        atX = turn.x + x * turn.cosine + y * turn.sine + kHalfStep;
        atY = turn.y + y * turn.cosine - x * turn.sine + kHalfStep;
        left = int((atX + turn.leastX) >> 32);
        top = int((atY + turn.leastY) >> 32);
        width = int((atX + turn.mostX) >> 32) + 2 - left;
        height = int((atY + turn.mostY) >> 32) + 2 - top;
    }
    __device__ __forceinline__ bool isInside(const DeviceImage& in, const Rect& part) const {
        return left >= part.x && top >= part.y && left - part.x + width <= in.size.width &&
               top - part.y + height <= in.size.height;
    }
    // Of this thread's first pixel of the tile, from column `origin` and the box's first row on.
    __device__ __forceinline__ void place(const Rotation& turn, int origin, int dx, int dy,
                                          std::int64_t& fromX, std::int64_t& fromY) const {
        fromX = atX + dx * turn.cosine + dy * turn.sine - (std::int64_t(origin) << 32);
        fromY = atY + dy * turn.cosine - dx * turn.sine - (std::int64_t(top) << 32);
    }
};

// A pixel of up to four bytes as one number: what is one load and one store.
template <class T, int C>
using PixelWord =
    std::conditional_t<sizeof(T) * C == 1, std::uint8_t,
                       std::conditional_t<sizeof(T) * C == 2, std::uint16_t, std::uint32_t>>;

// Calls write(row, column, word) for a box that lies inside the image, a row a warp at a time.
template <int kSide, class Word, class Write>
__device__ __forceinline__ void stageInside(const DeviceImage& in, const Rotation& turn,
                                            const StagedTile& tile, const Write& write) {
    constexpr int kWarps = stagedWarps(kSide, false), kParts = (boxSide(kSide) + 31) / 32;
    // Rows whose loads are all under way together: half of the box's, or all.
    constexpr int kAtOnce = (boxSide(kSide) + kWarps * kParts - 1) / (kWarps * kParts);
    const int warp = int(threadIdx.x / 32), lane = int(threadIdx.x % 32);
    const std::byte* row = in.data + std::int64_t(tile.top - turn.part.y + warp) * in.pitch +
                           (tile.left - turn.part.x) * int(sizeof(Word));
    const std::int64_t step = kWarps * in.pitch;
    // Twice the last one rather than a branch.
    const int first = min(lane, tile.width - 1), second = min(lane + 32, tile.width - 1);
#pragma unroll
    for (int y = warp; y < boxSide(kSide); y += kAtOnce * kWarps) {
        Word words[kAtOnce][2];
#pragma unroll
        for (int k = 0; k < kAtOnce; ++k, row += step) {
            if (y + k * kWarps >= tile.height) continue;
            words[k][0] = reinterpret_cast<const Word*>(row)[first];
            if (kParts == 2) words[k][1] = reinterpret_cast<const Word*>(row)[second];
        }
#pragma unroll
        for (int k = 0; k < kAtOnce; ++k) {
            if (y + k * kWarps >= tile.height) continue;
            write(y + k * kWarps, first, words[k][0]);
            if (kParts == 2) write(y + k * kWarps, second, words[k][1]);
        }
    }
}

// The same for any box.
template <int kSide, bool kPairs, class T, int In, int C, class Write>
__device__ __forceinline__ void stageAnywhere(const DeviceImage& in, const Rotation& turn,
                                              const StagedTile& tile, const Write& write) {
    using Word = PixelWord<T, C>;
    constexpr int kWarps = stagedWarps(kSide, kPairs);
    // Of a small box with a pixel a word all rows: few blocks have nothing else to wait with.
    constexpr int kAtOnce =
        kSide == kStagedSide || kPairs ? 6 : (boxSide(kSide) + kWarps - 1) / kWarps;
    const int warp = int(threadIdx.x / 32), lane = int(threadIdx.x % 32);
    const Word missing = C == 4 && turn.outside == RotateOutside::Black ? Word(0xff000000u) : 0;
    const bool repeats = turn.outside == RotateOutside::Edge;
    for (int x = lane; x < tile.width; x += 32) {
        const int atX = tile.left + x, nearX = clampedTo(atX, turn.whole.width - 1);
        const int column = clampedTo(nearX - turn.part.x, in.size.width - 1);
        for (int y = warp; y < tile.height; y += kAtOnce * kWarps) {
            Word words[kAtOnce];
            bool isThere[kAtOnce];
            // The last row again rather than a branch, which the loads would be moved behind.
            const auto rowOf = [&](int k) { return min(y + k * kWarps, tile.height - 1); };
#pragma unroll
            for (int k = 0; k < kAtOnce; ++k) {
                const int atY = tile.top + rowOf(k);
                const int nearY = clampedTo(atY, turn.whole.height - 1);
                const int row = clampedTo(nearY - turn.part.y, in.size.height - 1);
                const std::byte* from = in.data + std::int64_t(row) * in.pitch;
                words[k] = reinterpret_cast<const PixelWord<T, In>*>(from)[column];
                isThere[k] = repeats || (nearX == atX && nearY == atY);
            }
#pragma unroll
            for (int k = 0; k < kAtOnce; ++k) {
                if constexpr (In != C) words[k] = words[k] * 0x010101u | 0xff000000u;
                write(rowOf(k), x, isThere[k] ? words[k] : missing);
            }
        }
    }
}

// Pixels with their right neighbours, `kPitch` a row, from column `origin` of the image on: from
// eight bytes at once, which begin at a multiple of eight.
template <int kSide, int kPitch>
__device__ __forceinline__ void stagePairs(const DeviceImage& in, const Rotation& turn,
                                           const StagedTile& tile, int& origin,
                                           std::uint16_t* pairs) {
    constexpr int kGroup = 8, kGroups = kSide == kStagedSide ? 8 : 4;
    static_assert(kGroups * kGroup >= boxSide(kSide) + kGroup - 1 && kPitch >= kGroups * kGroup);
    constexpr int kRows = int(stagedThreads(kSide, true)) / kGroups;
    constexpr int kRounds = (boxSide(kSide) + kRows - 1) / kRows;
    const int left = tile.left - turn.part.x, shift = left % kGroup;
    origin -= shift;
    const int group = int(threadIdx.x) % kGroups * kGroup, first = int(threadIdx.x) / kGroups;
    if (group >= shift + tile.width) return;
    const int column = left - shift + group;
    const bool hasNext = column + kGroup < in.pitch;
    const std::byte* row =
        in.data + std::int64_t(tile.top - turn.part.y + first) * in.pitch + column;
    uint2 words[kRounds];
    std::uint32_t next[kRounds];
#pragma unroll
    for (int k = 0; k < kRounds; ++k, row += kRows * in.pitch) {
        if (first + k * kRows >= tile.height) continue;
        words[k] = __ldg(reinterpret_cast<const uint2*>(row));
        next[k] = hasNext ? __ldg(reinterpret_cast<const std::uint32_t*>(row + kGroup)) : 0;
    }
#pragma unroll
    for (int k = 0; k < kRounds; ++k) {
        if (first + k * kRows >= tile.height) continue;
        *reinterpret_cast<uint4*>(pairs + (first + k * kRows) * kPitch + group) = {
            __byte_perm(words[k].x, 0, 0x2110), __byte_perm(words[k].x, words[k].y, 0x4332),
            __byte_perm(words[k].y, 0, 0x2110), __byte_perm(words[k].y, next[k], 0x4332)};
    }
}

}  // namespace warpscope::cuda
