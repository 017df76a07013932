// What a tile of a rotated image needs, in shared memory.
#pragma once

#include <type_traits>

#include "cuda_kernels/runtime/kernel_support.cuh"
#include "engine/operations/geometry/rotate.h"

namespace warpscope::cuda {

// Coordinates of the output's first pixel and what a column and a row add, 32 fraction bits.
struct Rotation {
    std::int64_t x, y, cosine, sine;
    Rect part;
    Size whole;
    RotateOutside outside;
    // Of a tile: how far its pixels lie from its first one, at least and at most.
    std::int64_t leastX, mostX, leastY, mostY;
};

// Half of the last bit that a weight has.
constexpr std::int64_t kHalfStep = 1 << 23;

// A warp's turns are subtiles of 8 x 4 pixels: whatever the angle, their neighbours lie in few
// rows.
constexpr int kSubtileWidth = 8, kSubtileHeight = 4;

__device__ __forceinline__ int clampedTo(int value, int most) {
    return min(max(value, 0), most);
}

// A place is what a step before it gave, and not a product again: those of 64 bits are several
// instructions, which the compiler prefers to a sum that it has to wait for.
__device__ __forceinline__ void step(std::int64_t& place, std::int64_t by) {
    place += by;
    asm("" : "+l"(place));
}

// A tile of the output and the box of the image that holds all neighbours of its pixels.
template <int kWidth, int kHeight>
struct RotatedTile {
    int x, y;
    std::int64_t atX, atY;  // of its first pixel
    int left, top, width, height;

    __device__ __forceinline__ RotatedTile(int firstRow, FastDivide tilesAcross,
                                           const Rotation& turn) {
        const std::uint32_t tileRow = tilesAcross(blockIdx.x);
        x = int(blockIdx.x - tileRow * tilesAcross.divisor) * kWidth;
        y = firstRow + int(tileRow) * kHeight;
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

// Columns and rows of the largest box: a tile's diagonal, one more for the fraction, one for the
// neighbour.
constexpr int boxSide(int width, int height) {
    const int squares = (width - 1) * (width - 1) + (height - 1) * (height - 1);
    int root = 0;
    while (root * root < squares) ++root;
    return root + 2;
}

// A pixel of up to four bytes as one number: what is one load and one store.
template <class T, int C>
using PixelWord =
    std::conditional_t<sizeof(T) * C == 1, std::uint8_t,
                       std::conditional_t<sizeof(T) * C == 2, std::uint16_t, std::uint32_t>>;

// Boxes are copied in pieces of 16 bytes, which begin at multiples of 16 bytes.
template <class Word>
constexpr int kPiecePixels = 16 / int(sizeof(Word));
// Pieces of a row.
template <class Word>
constexpr int piecesOf(int box) {
    return (box + 2 * kPiecePixels<Word> - 2) / kPiecePixels<Word>;
}
// Pixels from one row in shared memory to the next: subtiles have few bank conflicts where four
// rows begin in banks of their own.
template <class Word>
constexpr int boxPitch(int box) {
    int quarters = piecesOf<Word>(box);
    while (quarters % 2 == 0) ++quarters;
    return quarters * kPiecePixels<Word>;
}

__device__ __forceinline__ void copyPiece(void* to, const std::byte* from) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile(
        "cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(unsigned(__cvta_generic_to_shared(to))),
        "l"(from)
        : "memory");
#else
    *reinterpret_cast<uint4*>(to) = __ldg(reinterpret_cast<const uint4*>(from));
#endif
}
__device__ __forceinline__ void waitForPieces() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

// Bytes [first, end) of a piece become those of `word`.
__device__ __forceinline__ void fillBytes(std::uint32_t (&piece)[4], int first, int end,
                                          std::uint32_t word) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const auto below = [&](int byte) {
            const int bits = 8 * (byte - 4 * i);
            return bits >= 32 ? ~0u : bits <= 0 ? 0u : (1u << bits) - 1u;
        };
        const std::uint32_t mask = below(end) & ~below(first);
        piece[i] = (piece[i] & ~mask) | (word & mask);
    }
}

// The four-byte word that repeats pixel `index` of a piece.
template <class Word>
__device__ __forceinline__ std::uint32_t repeated(const std::uint32_t (&piece)[4], int index) {
    constexpr int kInWord = 4 / int(sizeof(Word));
    const int at = index / kInWord;
    const std::uint32_t word =
        at < 2 ? (at ? piece[1] : piece[0]) : (at == 2 ? piece[2] : piece[3]);
    if constexpr (sizeof(Word) == 4) return word;
    constexpr std::uint32_t kAll = sizeof(Word) == 1 ? 0x01010101u : 0x00010001u;
    return Word(word >> (8 * int(sizeof(Word)) * (index % kInWord))) * kAll;
}

// Blocks of so many threads that a multiprocessor of compute capability 9.0 has room for, if their
// threads keep 32 registers.
constexpr unsigned kTileThreads = 128;
constexpr int kMostBlocks = 16;
constexpr int blocksFor(bool many) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ != 900
    return 1;
#else
    return many ? kMostBlocks : 1;
#endif
}

// Copies the box, rows of `kPitch` pixels, from column `origin` of the image on, which is at most
// its first one. A block has to wait before it looks at it. `kAtOnce`: how many pieces a thread
// waits for together where the box reaches beyond the image; each takes registers.
template <int kAtOnce, int kBox, int kPitch, class Word, class Tile>
__device__ __forceinline__ void stageBox(const DeviceImage& in, const Rotation& turn,
                                         const Tile& tile, Word missing, int& origin, Word* box) {
    constexpr int kPixels = kPiecePixels<Word>, kPieces = piecesOf<Word>(kBox);
    constexpr int kRows = int(kTileThreads) / kPieces;  // at once
    static_assert(kRows > 0);
    const int left = tile.left - turn.part.x, shift = left & (kPixels - 1);
    origin = tile.left - shift;
    const int first = int(threadIdx.x) / kPieces;
    const int piece = (int(threadIdx.x) - first * kPieces) * kPixels;
    if (first >= kRows || piece >= shift + tile.width) return;
    const int column = left - shift + piece;
    if (tile.isInside(in, turn.part)) {
        const std::byte* from = in.data + std::int64_t(tile.top - turn.part.y + first) * in.pitch +
                                std::int64_t(column) * int(sizeof(Word));
#pragma unroll
        for (int y = 0; y < kBox; y += kRows, from += kRows * in.pitch)
            if (first + y < tile.height) copyPiece(box + (first + y) * kPitch + piece, from);
        waitForPieces();
        return;
    }
    // What lies beyond is the nearest pixel, or missing.
    constexpr int kBytes = int(sizeof(Word));
    const bool repeats = turn.outside == RotateOutside::Edge;
    const int last = in.size.width - 1, near = clampedTo(column, last & ~(kPixels - 1));
    int firstMissing = turn.part.x + column;
    const std::uint32_t missingWords = missing;
    for (int y = first; y < tile.height; y += kAtOnce * kRows) {
#ifdef __CUDA_ARCH__
        // Else masks are made once and kept in registers, which are too few.
        asm volatile("" : "+r"(firstMissing));
#endif
        uint4 loaded[kAtOnce];
        bool isMissing[kAtOnce];
#pragma unroll
        for (int k = 0; k < kAtOnce; ++k) {
            const int atY = tile.top + min(y + k * kRows, tile.height - 1);
            const int nearY = clampedTo(atY, turn.whole.height - 1);
            const int row = clampedTo(nearY - turn.part.y, in.size.height - 1);
            loaded[k] = *reinterpret_cast<const uint4*>(in.data + std::int64_t(row) * in.pitch +
                                                        std::int64_t(near) * kBytes);
            isMissing[k] = !repeats && nearY != atY;
        }
#pragma unroll
        for (int k = 0; k < kAtOnce; ++k) {
            if (y + k * kRows >= tile.height) break;
            std::uint32_t words[4] = {loaded[k].x, loaded[k].y, loaded[k].z, loaded[k].w};
            if (column < 0)
                fillBytes(words, 0, 16, repeated<Word>(words, 0));
            else if (column + kPixels > last + 1)
                fillBytes(words, (last + 1 - column) * kBytes, 16,
                          repeated<Word>(words, last - near));
            if (!repeats) {
                const int begin = isMissing[k] ? kPixels : -firstMissing;
                fillBytes(words, 0, begin * kBytes, missingWords);
                fillBytes(words, (turn.whole.width - firstMissing) * kBytes, 16, missingWords);
            }
            *reinterpret_cast<uint4*>(box + (y + k * kRows) * kPitch + piece) = {
                words[0], words[1], words[2], words[3]};
        }
    }
}

}  // namespace warpscope::cuda
