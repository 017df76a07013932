// Extremes over squares by threes: over three samples, over nine, and of three such pieces that
// together cover a window. Threads beside each other march down the columns of a tile, each row of
// which is loaded once; then each thread goes along a piece of one of the tile's rows; at last
// threads beside each other make words of the image. Repeated edges change nothing: they lie in the
// window themselves. Larger squares, up to radius 13: square_groups.cu.
#include "cuda_kernels/morphology/square_tiles.cuh"

#include <algorithm>

#include "cuda_kernels/morphology/square_extremes.cuh"
#include "cuda_kernels/morphology/square_groups.cuh"
#include "cuda_kernels/runtime/tile_rows.h"

namespace warpscope::cuda {
namespace {

// What tiles keep of a word of the image: its extremes, or both kinds of them in two words.
template <bool kBoth>
using Cell = std::conditional_t<kBoth, uint2, std::uint32_t>;

constexpr int kChunk = 8;  // cells of a row that a thread makes at once
constexpr int kKept = 4;   // rows that are moved at once

// Rows of cells between what windows begin and end with, as many as are moved.
constexpr int roundedUp(int end) {
    return (end + kKept - 1) / kKept * kKept;
}

// A word of the image is four gray pixels or one of colour; a thread has one of each row.
template <int C>
struct Shape {
    static constexpr unsigned kThreads = C == 1 ? 128 : 256;
    static constexpr int kWordPixels = C == 1 ? 4 : 1;
    static constexpr int kWide = int(kThreads);
    // Cells are loaded 16 bytes at a time by lanes in rows below each other: that many words apart
    // they meet no bank twice.
    template <bool kBoth>
    static constexpr int kPitch = kWide + (kBoth ? 2 : 4);
};

// How a window is made of three pieces of `length` samples, which begin at 0, middle and end.
struct Threes {
    int radius, length, end, middle;

    constexpr explicit Threes(int given)
        : radius(given),
          length(given < 4 ? 3 : 9),
          end(2 * radius + 1 - length),
          middle((end + 1) / 2) {}
};
constexpr int kMostRadius = 5;

struct SquareTiles {
    int radius;
    int rows;    // of a block, a multiple of a tile's
    int words;   // of a row of a tile that are made
    int across;  // cells of a row whose pieces are made
    FastDivide strips;
};

// Tiles as wide as each other for rows of an image.
template <int C>
SquareTiles tilesFor(int radius, int width) {
    using S = Shape<C>;
    const Threes threes(radius);
    SquareTiles tiles{};
    tiles.radius = radius;
    // Windows of gray pixels begin inside a word; a piece reaches over some words.
    const int begin = C == 1 ? -radius & 3 : 0;
    const int beyond = C == 1 ? (begin + threes.end) / 4 + 1 : threes.end;
    const int reach = C == 1 ? (threes.length == 3 ? 1 : 3) : threes.length - 1;
    const unsigned words = divideUp(unsigned(width), S::kWordPixels);
    tiles.strips = FastDivide(divideUp(words, unsigned(S::kWide - beyond - reach)));
    tiles.words = int(divideUp(words, tiles.strips.divisor));
    tiles.across = tiles.words + beyond;
    return tiles;
}

template <class C>
__device__ __forceinline__ void unpack(const uint4& words, C* cells) {
    if constexpr (sizeof(C) == 8) {
        cells[0] = {words.x, words.y};
        cells[1] = {words.z, words.w};
    } else {
        cells[0] = words.x, cells[1] = words.y, cells[2] = words.z, cells[3] = words.w;
    }
}
__device__ __forceinline__ uint4 packed(const std::uint32_t* cells) {
    return {cells[0], cells[1], cells[2], cells[3]};
}
__device__ __forceinline__ uint4 packed(const uint2* cells) {
    return {cells[0].x, cells[0].y, cells[1].x, cells[1].y};
}

// From extremes of columns to pieces along rows, a thread a part of a row. Cells beyond `count` may
// be anything.
template <int C, SquareOf kWhat, int kLength, int kRows, class Cell>
__device__ __forceinline__ void goAlong(const Cell* room, Cell* pieces, int count) {
    using E = Extremes<kWhat>;
    constexpr int kReach = C == 4 ? kLength - 1 : kLength == 3 ? 1 : 3;
    constexpr int kCells = kChunk + kReach, kVector = 16 / int(sizeof(Cell));
    constexpr int kLoads = (kCells + kVector - 1) / kVector;
    const int row = int(threadIdx.x) % kRows, start = int(threadIdx.x) / kRows * kRows;
    const int at = row * Shape<C>::template kPitch<sizeof(Cell) == 8> + start;
#pragma unroll
    for (int chunk = 0; chunk < kRows; chunk += kChunk) {
        if (start + chunk >= count) return;
        E values[kLoads * kVector];
#pragma unroll
        for (int i = 0; i < kLoads; ++i) {
            Cell cells[kVector];
            unpack(reinterpret_cast<const uint4*>(room + at + chunk)[i], cells);
#pragma unroll
            for (int k = 0; k < kVector; ++k) values[kVector * i + k] = E::ofCell(cells[k]);
        }
        if constexpr (C == 1) {
#pragma unroll
            for (int i = 0; i + 1 < kCells; ++i) values[i] = E::three(values[i], values[i + 1]);
        } else {
#pragma unroll
            for (int i = 0; i + 2 < kCells; ++i)
                values[i] = E::of(values[i], values[i + 1], values[i + 2]);
        }
        if constexpr (kLength == 9) {
#pragma unroll
            for (int i = 0; i < kChunk; ++i)
                values[i] = C == 1 ? E::nine(values[i], values[i + 1], values[i + 2])
                                   : E::of(values[i], values[i + 3], values[i + 6]);
        }
#pragma unroll
        for (int i = 0; i < kChunk; i += kVector) {
            Cell cells[kVector];
#pragma unroll
            for (int k = 0; k < kVector; ++k) cells[k] = values[i + k].cell();
            *reinterpret_cast<uint4*>(pieces + at + chunk + i) = packed(cells);
        }
    }
}

// Of the windows of a word, from pieces.
template <int C, SquareOf kWhat, class Cell>
__device__ __forceinline__ std::uint32_t windows(const Cell* pieces, int begin, int middle,
                                                 int end) {
    using E = Extremes<kWhat>;
    const auto from = [&](int pixel) {
        if constexpr (C == 4)
            return E::ofCell(pieces[pixel]);
        else
            return E::from(pieces, pixel);
    };
    return E::of(from(begin), from(begin + middle), from(begin + end)).result();
}

// Blocks of a multiprocessor that registers are to leave room for. Where extremes of three are no
// instruction the assembler spills to fit as many.
template <int C, bool kSmall, int kRows>
constexpr int blocksFor(SquareOf what) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
    return 1;
#else
    if (C == 4) return what == SquareOf::Difference && !kSmall ? 2 : 3;
    if (kRows == 16) return 4;
    return what == SquareOf::Difference ? 5 : 6;
#endif
}

// Output rows [first, last); tiles of kRows rows are numbered along the rows. kRadius: of small
// squares, whose columns need no more than registers; else 0.
template <int C, SquareOf kWhat, int kRadius, int kRows>
__global__ void __launch_bounds__(Shape<C>::kThreads, blocksFor<C, (kRadius > 0), kRows>(kWhat))
    squareTilesKernel(DeviceImage in, DeviceImage out, int first, int last, SquareTiles tiles) {
    using S = Shape<C>;
    using E = Extremes<kWhat>;
    constexpr bool kBoth = kWhat == SquareOf::Difference;
    constexpr bool kSmall = kRadius > 0;
    constexpr int kPitch = S::template kPitch<kBoth>;
    constexpr int kFetched = kSmall ? 2 * kRadius : C == 1 ? 24 : 12;
    extern __shared__ __align__(16) unsigned char sharedBytes[];
    const Threes threes(kSmall ? kRadius : tiles.radius);
    const int thread = int(threadIdx.x), radius = threes.radius;
    const int middle = threes.middle, end = threes.end;
    // Rows of it are windows' of small squares. Else over the last nine rows of the image: what a
    // window ends with is `end` rows below what it begins with, whose place the window's take.
    auto* const room = reinterpret_cast<Cell<kBoth>*>(sharedBytes);
    auto* const pieces = room + (kRows + (kSmall ? 0 : roundedUp(end))) * kPitch;
    auto* const own = room + thread;
    const std::uint32_t down = tiles.strips(blockIdx.x);
    const int strip = int(blockIdx.x - down * tiles.strips.divisor);
    const int top = first + int(down) * tiles.rows, bottom = min(top + tiles.rows, last);
    const int lastX = in.size.width - 1, lastY = in.size.height - 1;
    const int madeX = strip * tiles.words * S::kWordPixels;

    // Words beyond an edge are made of the one at the edge.
    const int before = (radius + S::kWordPixels - 1) / S::kWordPixels;
    const int x = madeX + (thread - before) * S::kWordPixels;
    const int inside = min(max(x, 0), lastX / S::kWordPixels * S::kWordPixels);
    const std::byte* from = in.data + std::int64_t(inside) * C;
#ifdef __CUDA_ARCH__
    // Else in.data is added once a load.
    asm("" : "+l"(from));
#endif
    std::uint32_t taken = 0x3210u;
    if constexpr (C == 1) {
        const int kept = x < 0 ? 0 : min(max(lastX + 1 - x, 0), 4);
        const int edge = x < 0 ? 0 : min(lastX - inside, 3);
        const std::uint32_t outside = kept == 4 ? 0 : 0xffffu << (4 * kept) & 0xffffu;
        taken = (taken & ~outside) | (std::uint32_t(edge) * 0x1111u & outside);
    }
    // A row is at one product of 32 bits from the first.
    const auto pitch = std::uint32_t(in.pitch);
    const auto fetch = [&](int y) {
        return __ldg(
            reinterpret_cast<const std::uint32_t*>(from + std::uint64_t(std::uint32_t(y)) * pitch));
    };
    const auto mended = [&](std::uint32_t word) {
        return C == 1 ? __byte_perm(word, 0, taken) : word;
    };
    // Rows are under way while threads go along those of the tile before.
    std::uint32_t come[kRows];
    const auto fetchAhead = [&](int y) {
#pragma unroll
        for (int k = 0; k < kRows; ++k) come[k] = fetch(min(y + k + radius, lastY));
    };
    Running<kWhat, kSmall ? kRadius - 1 : 3> running;
    // Up to the last row but one of the first window; some more above do no harm.
    const int above = -(2 * radius + kFetched - 1) / kFetched * kFetched;
    for (int k = above; k < 0; k += kFetched) {
        std::uint32_t words[kFetched];
#pragma unroll
        for (int i = 0; i < kFetched; ++i)
            words[i] = fetch(min(max(top + radius + k + i, 0), lastY));
        // After what is needed before it.
        if (k == above) fetchAhead(top);
#pragma unroll
        for (int i = 0; i < kFetched; ++i) {
            const E made = running.next(mended(words[i]));
            if (!kSmall && end + k + i >= 0) own[(end + k + i) * kPitch] = made.cell();
        }
    }

    auto* const ownMiddle = own + middle * kPitch;
    auto* const ownEnd = own + end * kPitch;
    const int begin = C == 1 ? -radius & 3 : 0;
    const int makesX = madeX + thread * S::kWordPixels;
    const bool makes = thread < tiles.words && makesX <= lastX;
    for (int y = top; y < bottom; y += kRows) {
        if constexpr (kSmall) {
#pragma unroll
            for (int k = 0; k < kRows; ++k) own[k * kPitch] = running.next(mended(come[k])).cell();
        } else {
#pragma unroll
            for (int k = 0; k < kRows; ++k) {
                const E made = running.next(mended(come[k]));
                ownEnd[k * kPitch] = made.cell();
                // A row's own end may be its middle or its begin.
                own[k * kPitch] =
                    E::of(E::ofCell(own[k * kPitch]), E::ofCell(ownMiddle[k * kPitch]), made)
                        .cell();
            }
        }
        if (y + kRows < bottom) fetchAhead(y + kRows);
        __syncthreads();
        goAlong<C, kWhat, kSmall ? 3 : 9, kRows>(room, pieces, tiles.across);
        __syncthreads();
        // What lies beyond the row goes into its padding.
        if (makes) {
            const std::int64_t at = std::int64_t(makesX) * C;
            const std::byte* centre = in.data + std::int64_t(y) * in.pitch + at;
            std::byte* to = out.data + std::int64_t(y) * out.pitch + at;
            const auto* place = pieces + thread;
            const int count = min(kRows, bottom - y);
#pragma unroll 8
            for (int k = 0; k < count; ++k) {
                std::uint32_t made = windows<C, kWhat>(place, begin, middle, end);
                if constexpr (C == 4) {
                    const std::uint32_t word =
                        __ldg(reinterpret_cast<const std::uint32_t*>(centre));
                    made = (made & 0x00ffffffu) | (word & 0xff000000u);
                    centre += in.pitch;
                }
                *reinterpret_cast<std::uint32_t*>(to) = made;
                to += out.pitch;
                place += kPitch;
            }
        }
        if (y + kRows >= bottom) return;
        if constexpr (!kSmall) {
            // Nobody needs the windows' any longer: the last rows are the next tile's first.
            for (int row = 0; row < end; row += kKept) {
                Cell<kBoth> cells[kKept];
#pragma unroll
                for (int i = 0; i < kKept; ++i) cells[i] = own[(row + i + kRows) * kPitch];
#pragma unroll
                for (int i = 0; i < kKept; ++i) own[(row + i) * kPitch] = cells[i];
            }
        }
    }
}

template <int C, int kRows>
std::size_t sharedBytesOf(int radius, SquareOf what) {
    const bool both = what == SquareOf::Difference;
    const Threes threes(radius);
    const int kept = threes.length == 3 ? 0 : roundedUp(threes.end);
    const int pitch = both ? Shape<C>::template kPitch<true> * 2 : Shape<C>::template kPitch<false>;
    return std::size_t(kRows + kept + kRows) * unsigned(pitch) * 4;
}

// Whether enough blocks for twelve warps fit a multiprocessor.
template <int C, int kRows>
bool fits(const KernelContext& context, int radius, SquareOf what) {
    constexpr std::size_t kReserved = 1024;  // of each block
    constexpr std::size_t kBlocks = C == 1 ? 3 : 2;
    return (sharedBytesOf<C, kRows>(radius, what) + kReserved) * kBlocks <=
           context.traits().sharedPerBlock + kReserved;
}

// And whether low tiles are enough for the device.
template <int C>
bool fits(const KernelContext& context, int radius, SquareOf what, Size size) {
    const auto across = int(tilesFor<C>(radius, size.width).strips.divisor);
    return fits<C, 8>(context, radius, what) &&
           tilesFill(8, across, size.height, context.traits().multiprocessors,
                     radius < 3 ? kTwoTilesEach : kFewTiles);
}

template <int C, SquareOf kWhat, int kRows>
auto kernelFor(int radius) {
    if (radius == 1) return squareTilesKernel<C, kWhat, 1, kRows>;
    if (radius == 2) return squareTilesKernel<C, kWhat, 2, kRows>;
    if (radius == 3) return squareTilesKernel<C, kWhat, 3, kRows>;
    return squareTilesKernel<C, kWhat, 0, kRows>;
}

template <int C, SquareOf kWhat, int kRows>
void runOf(KernelContext& context, int radius, const DeviceImage& in, const DeviceImage& out) {
    using S = Shape<C>;
    SquareTiles tiles = tilesFor<C>(radius, in.size.width);
    const unsigned across = tiles.strips.divisor;
    const int most =
        context.rowsPerLaunch(in.pitch * 4 + out.pitch, std::int64_t(across) * S::kWide * 4 * 16);
    const int wanted = tileRowsFor(kRows, 2 * radius, int(across), in.size.height,
                                   context.traits().multiprocessors);
    tiles.rows = std::max(kRows, std::min(wanted, most / kRows * kRows));
    const int bandRows = std::max(tiles.rows, most / tiles.rows * tiles.rows);
    context.forEachBand(in.size.height, bandRows, [&](int first, int last) {
        launch(context, "morphology square", across * divideUp(unsigned(last - first), tiles.rows),
               S::kThreads, sharedBytesOf<C, kRows>(radius, kWhat),
               kernelFor<C, kWhat, kRows>(radius), in, out, first, last, tiles);
    });
}

template <SquareOf kWhat>
void runGray(KernelContext& context, int radius, const DeviceImage& in, const DeviceImage& out) {
    const auto across = int(tilesFor<1>(radius, in.size.width).strips.divisor);
    // Low tiles leave small images more blocks.
    if (fits<1, 16>(context, radius, kWhat) &&
        tilesFill(16, across, in.size.height, context.traits().multiprocessors))
        runOf<1, kWhat, 16>(context, radius, in, out);
    else
        runOf<1, kWhat, 8>(context, radius, in, out);
}

template <int C, SquareOf kWhat, int kRows>
void loadFor() {
    for (const int radius : {1, 2, 3, 4}) loadKernel(kernelFor<C, kWhat, kRows>(radius));
}

}  // namespace

bool fitsSquareTiles(const KernelContext& context, PixelFormat format, int radius, SquareOf what,
                     Size size) {
    // Elsewhere extremes of three are no instruction: strips (square.cu) take fewer of two.
    if (context.traits().major < 9) return false;
    if (isFloat(format) || bytesPerSample(format) != 1) return false;
    if (fitsSquareGroups(context, format, radius)) return true;
    if (radius > kMostRadius) return false;
    return isColor(format) ? fits<4>(context, radius, what, size)
                           : fits<1>(context, radius, what, size);
}

void runSquareTiles(KernelContext& context, int radius, SquareOf what, const DeviceImage& in,
                    const DeviceImage& out) {
    if (fitsSquareGroups(context, in.format, radius))
        return runSquareGroups(context, radius, what, in, out);
    forSquareOf(what, [&]<SquareOf kWhat>() {
        isColor(in.format) ? runOf<4, kWhat, 8>(context, radius, in, out)
                           : runGray<kWhat>(context, radius, in, out);
    });
}

void loadSquareTiles() {
    for (const SquareOf what : {SquareOf::Least, SquareOf::Most, SquareOf::Difference})
        forSquareOf(what, [&]<SquareOf kWhat>() {
            loadFor<1, kWhat, 8>();
            loadFor<1, kWhat, 16>();
            loadFor<4, kWhat, 8>();
        });
    loadSquareGroups();
}

}  // namespace warpscope::cuda
