// Exact sums over squares of 8-bit samples: threads beside each other slide down the columns of a
// tile, whose sums go to shared memory; then each thread slides along a piece of one of the tile's
// rows. Unlike the sums along a strip (sliding_sums.cuh) that needs no scan and moves two sums of
// columns in a word.
#pragma once

#include <algorithm>

#include "cuda_kernels/runtime/blocks_by_device.cuh"
#include "cuda_kernels/runtime/dot_products.cuh"
#include "cuda_kernels/runtime/kernel_support.cuh"
#include "cuda_kernels/runtime/tile_rows.h"

namespace warpscope::cuda {

// A thread a word of a row.
template <int C>
inline constexpr unsigned kTileThreads = C == 1 ? 128 : 256;
// Registers are to leave room for that many blocks on a multiprocessor. kFetched: the rows of the
// image that they hold at once.
template <int C, int kFetched>
inline constexpr int kTileBlocks = C == 4          ? 3
                                   : kFetched > 48 ? blocksByDevice({3, 4, 4})
                                                   : 4;

// A word of the image is four gray pixels or one of colour. Of each there are the sums of its
// columns: those of its bytes 0 and 2 in one word, those of bytes 1 and 3 (colour: 1 alone) in
// another.
template <int C, int kRows>
struct TileShape {
    static constexpr int kWide = int(kTileThreads<C>);
    static constexpr int kPieces = kWide / kRows;  // of a row
    // Lanes are in rows below each other: that many words apart they meet no bank twice.
    static constexpr int kPitch = kWide + 1, kMadePitch = kWide + 2;
    static constexpr int kSumBytes = kRows * kPitch * 8;
    static constexpr std::size_t kBytes = kSumBytes + kRows * kMadePitch * 4;
};

template <int C>
inline constexpr int kTileSums = C == 1 ? 4 : 3;
// Sums of columns are to stay below 2^15. Beyond that, and beyond 50 of colour where the largest
// images take less time so, there are strips.
template <int C>
inline constexpr int kMostTileRadius = C == 1 ? 63 : 50;

struct SumTiles {
    int radius;
    int rows;   // of a block, a multiple of a tile's
    int words;  // of a row of a tile that are made, an even number
    int piece;  // those that a thread makes
    FastDivide across;
};

// Of two sums each: halves of `come` less those of `gone`, with a sign. Both are below 2^15.
__device__ __forceinline__ std::uint32_t halvesLess(std::uint32_t come, std::uint32_t gone) {
    constexpr std::uint32_t kSigns = 0x80008000u;
    return (come + kSigns - gone) ^ kSigns;
}

// Slides along `count` words of a row from the window's first column on. `kOdd`: the radius. What
// some words need is loaded before any of them is stored, which else would wait for one another.
template <bool kOdd, class Finish>
__device__ __forceinline__ void slideGray(const uint2* columns, std::uint32_t* made, int radius,
                                          int count, const Finish& finish) {
    const int whole = (2 * radius + 1) / 4;  // words in a window; 1 or 3 columns are left
    std::uint32_t begin = std::uint32_t(finish.start);
    for (int i = 0; i < whole; ++i) {
        begin = dotLowUnsigned(columns[i].x, 0x0101, begin);
        begin = dotLowUnsigned(columns[i].y, 0x0101, begin);
    }
    uint2 here = columns[whole];
    begin = dotLowUnsigned(here.x, kOdd ? 0x0101 : 0x0001, begin);
    if constexpr (kOdd) begin = dotLowUnsigned(here.y, 0x0001, begin);
    int sum = int(begin);
    // The pixels of a window's centre begin a few bytes before a word of the row does.
    const unsigned late = unsigned(-radius & 3) * 8;
    std::uint32_t levelsBefore = 0;
    const auto makeWord = [&](uint2 gone, uint2 next, std::uint32_t levels) {
        const std::uint32_t even =
            halvesLess(kOdd ? __byte_perm(here.y, next.y, 0x5432) : here.y, gone.x);
        const std::uint32_t odd =
            halvesLess(kOdd ? next.x : __byte_perm(here.x, next.x, 0x5432), gone.y);
        int sums[4] = {sum};
        sums[1] = dotLow(even, 0x0001, sums[0]);
        sums[2] = dotLow(odd, 0x0001, sums[1]);
        sums[3] = dotLow(even, 0x0100, sums[2]);
        // The next word waits for one addition instead of four products.
        sum += dotLow(odd, 0x0101, dotLow(even, 0x0101, 0));
        here = next;
        const std::uint32_t word = finish(sums, __funnelshift_l(levelsBefore, levels, late));
        levelsBefore = levels;
        return word;
    };
    const auto levelsAt = [&](int i) { return Finish::kNeedsLevels && i < count ? made[i] : 0u; };
    std::uint32_t before = makeWord(columns[0], columns[whole + 1], levelsAt(0));
    const auto makeFrom = [&]<int kSome>(int first) {
        uint2 gone[kSome], next[kSome];
        std::uint32_t levels[kSome], words[kSome];
#pragma unroll
        for (int k = 0; k < kSome; ++k) {
            gone[k] = columns[first + k];
            next[k] = columns[first + k + whole + 1];
            levels[k] = levelsAt(first + k);
        }
#pragma unroll
        for (int k = 0; k < kSome; ++k) {
            const std::uint32_t word = makeWord(gone[k], next[k], levels[k]);
            words[k] = __funnelshift_r(before, word, late);
            before = word;
        }
#pragma unroll
        for (int k = 0; k < kSome; ++k) made[first - 1 + k] = words[k];
    };
    constexpr int kSome = 4;
    int i = 1;
    for (; i + kSome <= count + 1; i += kSome) makeFrom.template operator()<kSome>(i);
    for (; i <= count; ++i) makeFrom.template operator()<1>(i);
}

template <class Finish>
__device__ __forceinline__ void slideColour(const uint2* columns, std::uint32_t* made, int radius,
                                            int count, const Finish& finish) {
    const int side = 2 * radius + 1;
    std::uint32_t begin[3] = {std::uint32_t(finish.start), std::uint32_t(finish.start),
                              std::uint32_t(finish.start)};
    for (int i = 0; i < side; ++i) {
        begin[0] = dotLowUnsigned(columns[i].x, 0x0001, begin[0]);
        begin[1] += columns[i].y;
        begin[2] = dotLowUnsigned(columns[i].x, 0x0100, begin[2]);
    }
    int sums[3] = {int(begin[0]), int(begin[1]), int(begin[2])};
    const auto makeFrom = [&]<int kSome>(int first) {
        uint2 gone[kSome], come[kSome];
        std::uint32_t words[kSome];
#pragma unroll
        for (int k = 0; k < kSome; ++k) {
            gone[k] = columns[first + k];
            come[k] = columns[first + k + side];
        }
#pragma unroll
        for (int k = 0; k < kSome; ++k) {
            words[k] = finish(sums, 0);
            const std::uint32_t less = halvesLess(come[k].x, gone[k].x);
            sums[0] = dotLow(less, 0x0001, sums[0]);
            sums[1] += int(come[k].y - gone[k].y);
            sums[2] = dotLow(less, 0x0100, sums[2]);
        }
#pragma unroll
        for (int k = 0; k < kSome; ++k) made[first + k] = words[k];
    };
    constexpr int kSome = 4;
    int i = 0;
    for (; i + kSome <= count; i += kSome) makeFrom.template operator()<kSome>(i);
    for (; i < count; ++i) makeFrom.template operator()<1>(i);
}

// Output rows [first, last); tiles of kRows rows are numbered along the rows. kFetched: how many of
// the rows that a block begins with are loaded at once.
template <int C, int kRows, int kFetched, class Finish>
__global__ void __launch_bounds__(kTileThreads<C>, kTileBlocks<C, kFetched>)
    sumTilesKernel(DeviceImage in, DeviceImage out, int first, int last, SumTiles tiles,
                   Finish finish) {
    using Shape = TileShape<C, kRows>;
    constexpr int kWordPixels = C == 1 ? 4 : 1;
    extern __shared__ __align__(16) unsigned char sharedBytes[];
    auto* const columns = reinterpret_cast<uint2*>(sharedBytes);
    auto* const made = reinterpret_cast<std::uint32_t*>(sharedBytes + Shape::kSumBytes);
    const int thread = int(threadIdx.x), radius = tiles.radius;
    const std::uint32_t down = tiles.across(blockIdx.x);
    const int strip = int(blockIdx.x - down * tiles.across.divisor);
    const int top = first + int(down) * tiles.rows, bottom = min(top + tiles.rows, last);
    const int lastX = in.size.width - 1, lastY = in.size.height - 1;
    const int madeX = strip * tiles.words * kWordPixels;
    const int before = C == 1 ? (radius + 3) / 4 : radius;  // words left of what is made

    // Words beyond an edge are made of the one at the edge.
    const int x = madeX + (thread - before) * kWordPixels;
    const int inside = min(max(x, 0), lastX / kWordPixels * kWordPixels);
    const std::byte* from = in.data + std::int64_t(inside) * C;
#ifdef __CUDA_ARCH__
    // Else in.data is added once a load.
    asm("" : "+l"(from));
#endif
    std::uint32_t takeEven = 0, takeOdd = 0;
    if constexpr (C == 1) {
        const int kept = x < 0 ? 0 : min(max(lastX + 1 - x, 0), 4);
        const int edge = x < 0 ? 0 : min(lastX - inside, 3);
        // Bytes of the half that has a pixel's sum.
        const auto halfOf = [&](int pixel) {
            return 0x76325410u >> (8 * (pixel < kept ? pixel : edge)) & 255u;
        };
        takeEven = halfOf(0) | halfOf(2) << 8;
        takeOdd = halfOf(1) | halfOf(3) << 8;
    }
    // A row is at one product of 32 bits from the first.
    const auto pitch = std::uint32_t(in.pitch);
    const auto fetch = [&](int y) {
        return __ldg(
            reinterpret_cast<const std::uint32_t*>(from + std::uint64_t(std::uint32_t(y)) * pitch));
    };
    // Rows are under way while threads slide along those of the tile before: all of a tile, of
    // colour, whose blocks have more threads, half of them.
    constexpr int kAhead = C == 1 ? kRows : 8;
    std::uint32_t come[kAhead], gone[kAhead], centre[kAhead];
    const auto fetchAhead = [&](int y) {
#pragma unroll
        for (int k = 0; k < kAhead; ++k) {
            come[k] = fetch(min(y + k + radius, lastY));
            gone[k] = fetch(min(max(y + k - 1 - radius, 0), lastY));
            if constexpr (Finish::kNeedsLevels) centre[k] = fetch(min(y + k, lastY));
        }
    };
    const auto evenOf = [](std::uint32_t word) { return word & 0x00ff00ffu; };
    const auto oddOf = [](std::uint32_t word) {
        return __byte_perm(word, 0, C == 1 ? 0x4341 : 0x4441);
    };
    std::uint32_t even = 0, odd = 0;
    // Whether all rows that are looked at first are rows of the image, the spare ones of the last
    // lot too: where none has to be clamped each is one product from the first.
    const int lots = (2 * radius + kFetched) / kFetched * kFetched;
    const bool rowsInside = top - 1 - radius >= 0 && top - 1 - radius + lots <= lastY + 1;
    // Levels of the centre leave too few registers for the one lot of rows that small squares need
    // to be loaded before the loop, and no need for two ways.
    constexpr bool kInLoop = Finish::kNeedsLevels && kFetched <= 24;
    const auto begin = [&]<bool kInside>() {
        std::uint32_t words[kFetched];
        const auto load = [&](int y) {
            const std::byte* const at = from + std::int64_t(y) * in.pitch;
#pragma unroll
            for (int k = 0; k < kFetched; ++k)
                words[k] = kInside ? __ldg(reinterpret_cast<const std::uint32_t*>(
                                         at + std::uint64_t(pitch) * unsigned(k)))
                                   : fetch(min(max(y + k, 0), lastY));
        };
        const auto add = [&](int y) {
            if (!kInLoop && y + kFetched <= top + radius) {
#pragma unroll
                for (int k = 0; k < kFetched; ++k) {
                    even += evenOf(words[k]);
                    odd += oddOf(words[k]);
                }
            } else {
#pragma unroll
                for (int k = 0; k < kFetched; ++k) {
                    const std::uint32_t counts = y + k < top + radius ? 0xffffffffu : 0;
                    even += evenOf(words[k] & counts);
                    odd += oddOf(words[k] & counts);
                }
            }
        };
        int y = top - 1 - radius;
        if constexpr (!kInLoop) {
            load(y);
            // After what is needed before it.
            fetchAhead(top);
            add(y);
            y += kFetched;
        }
        for (; y < top + radius; y += kFetched) {
            load(y);
            if (kInLoop && y == top - 1 - radius) fetchAhead(top);
            add(y);
        }
    };
    if (!kInLoop && rowsInside)
        begin.template operator()<true>();
    else
        begin.template operator()<false>();

    const int row = thread % kRows, start = thread / kRows * tiles.piece;
    const int count = min(tiles.piece, tiles.words - start);
    const uint2* const window = columns + row * Shape::kPitch + start;
    std::uint32_t* const makes = made + row * Shape::kMadePitch + start;
    for (int y = top; y < bottom; y += kRows) {
#pragma unroll
        for (int ahead = 0; ahead < kRows; ahead += kAhead) {
#pragma unroll
            for (int k = 0; k < kAhead; ++k) {
                even += evenOf(come[k]) - evenOf(gone[k]);
                odd += oddOf(come[k]) - oddOf(gone[k]);
                columns[(ahead + k) * Shape::kPitch + thread] =
                    C == 1
                        ? uint2{__byte_perm(even, odd, takeEven), __byte_perm(even, odd, takeOdd)}
                        : uint2{even, odd};
                if constexpr (Finish::kNeedsLevels)
                    if (thread >= before && thread - before < tiles.words)
                        made[(ahead + k) * Shape::kMadePitch + thread - before] = centre[k];
            }
            if (y + ahead + kAhead < bottom) fetchAhead(y + ahead + kAhead);
        }
        __syncthreads();
        if (count > 0) {
            if constexpr (C == 4)
                slideColour(window, makes, radius, count, finish);
            else if (radius % 2)
                slideGray<true>(window, makes, radius, count, finish);
            else
                slideGray<false>(window, makes, radius, count, finish);
        }
        __syncthreads();
        // A thread takes two words. What lies beyond the row goes into its padding.
        constexpr int kPairs = Shape::kWide / 2, kStep = 2;
        const int pair = thread % kPairs, pairX = madeX + 2 * pair * kWordPixels;
        if (2 * pair < tiles.words && pairX <= lastX) {
            const int begin = thread / kPairs;
            const std::int64_t at = std::int64_t(pairX) * C;
            const std::byte* own = in.data + std::int64_t(y + begin) * in.pitch + at;
            std::byte* to = out.data + std::int64_t(y + begin) * out.pitch + at;
#pragma unroll 8
            for (int k = begin; k < min(kRows, bottom - y); k += kStep) {
                uint2 two = reinterpret_cast<const uint2*>(made + k * Shape::kMadePitch)[pair];
                if constexpr (C == 4) {
                    const uint2 centre = __ldg(reinterpret_cast<const uint2*>(own));
                    two.x |= centre.x & 0xff000000u;
                    two.y |= centre.y & 0xff000000u;
                    own += kStep * in.pitch;
                }
                *reinterpret_cast<uint2*>(to) = two;
                to += kStep * out.pitch;
            }
        }
        // The levels of the next tile go where these words are.
        if constexpr (Finish::kNeedsLevels) __syncthreads();
    }
}

// Tiles as wide as each other for rows of an image.
template <int C, int kRows>
SumTiles sumTilesFor(int radius, int width) {
    using Shape = TileShape<C, kRows>;
    const int most = C == 1 ? Shape::kWide - 2 - (2 * radius + 1) / 4 : Shape::kWide - 2 * radius;
    const unsigned words = divideUp(unsigned(width), C == 1 ? 4 : 1);
    SumTiles tiles{};
    tiles.radius = radius;
    tiles.across = FastDivide(divideUp(words, unsigned(most & ~1)));
    tiles.words = int(divideUp(words, tiles.across.divisor) + 1) & ~1;
    tiles.piece = int(divideUp(unsigned(tiles.words), Shape::kPieces));
    return tiles;
}

// Of a row, in multiplications.
template <int C>
constexpr std::int64_t sumTilesWork(std::int64_t across) {
    return across * kTileThreads<C> * 64;
}

// Whether three blocks fit a multiprocessor.
template <int C, int kRows>
bool fitsSumTiles(const KernelContext& context) {
    constexpr std::size_t kReserved = 1024;  // of each block
    return 3 * (TileShape<C, kRows>::kBytes + kReserved) <=
           context.traits().sharedPerBlock + kReserved;
}

// Whether forSumTiles() takes that radius on this device and low tiles are enough for it.
template <int C>
bool fitsSumTiles(const KernelContext& context, int radius, Size size) {
    if (radius > kMostTileRadius<C> || !fitsSumTiles<C, 8>(context)) return false;
    const auto across = int(sumTilesFor<C, 8>(radius, size.width).across.divisor);
    // The widest images with the largest windows: one row of tiles is too much for a launch.
    if (context.rowsPerLaunch(1, tileRowWork(sumTilesWork<C>(across), 2 * radius + 1, 8)) < 8)
        return false;
    return tilesFill(8, across, size.height, context.traits().multiprocessors,
                     radius < 8 ? kTwoTilesEach : kFewTiles);
}

// Of colour, whose blocks have more threads, few rows at once; of gray as many as small squares
// need, and of large ones as many as registers hold, so that a strip waits for memory once or
// twice.
template <int C, int kRows, class Finish>
auto sumTilesKernelFor(int radius) {
    // Levels of the centre take registers, too.
    constexpr bool kLevels = Finish::kNeedsLevels;
    constexpr int kFew = 12, kMore = C == 4 ? kFew : 24;
    constexpr int kMany = C == 4 ? kFew : kLevels ? 32 : 52;
    const int side = 2 * radius + 1;
    // Many at once, unless most of the last lot would be for nothing.
    const auto loaded = [&](int lot) { return (side + lot - 1) / lot * lot; };
    if (side <= kFew) return sumTilesKernel<C, kRows, kFew, Finish>;
    return side <= kMore || 4 * loaded(kMany) > 5 * loaded(kMore)
               ? sumTilesKernel<C, kRows, kMore, Finish>
               : sumTilesKernel<C, kRows, kMany, Finish>;
}

template <int C, int kRows, class Finish>
void forSumTilesOf(KernelContext& context, const char* name, int radius, const DeviceImage& in,
                   const DeviceImage& out, const Finish& finish) {
    using Shape = TileShape<C, kRows>;
    SumTiles tiles = sumTilesFor<C, kRows>(radius, in.size.width);
    const unsigned across = tiles.across.divisor;
    const int side = 2 * radius + 1;
    const int wanted =
        tileRowsFor(kRows, side, int(across), in.size.height, context.traits().multiprocessors);
    const TileBand band = tileBandFor(
        kRows, side, wanted, sumTilesWork<C>(across),
        [&](std::int64_t work) { return context.rowsPerLaunch(in.pitch * 4 + out.pitch, work); });
    tiles.rows = band.rows;
    context.forEachBand(in.size.height, band.bandRows, [&](int first, int last) {
        const unsigned blocks = across * divideUp(unsigned(last - first), unsigned(tiles.rows));
        launch(context, name, blocks, kTileThreads<C>, Shape::kBytes,
               sumTilesKernelFor<C, kRows, Finish>(radius), in, out, first, last, tiles, finish);
    });
}

// Calls finish(sums, levels) for the words of all pixels, on the device: finish.start and the sums
// over the squares around four gray pixels or of the three colours of one, whose alpha is kept.
// Finish::kNeedsLevels: whether the gray pixels are wanted. Where fitsSumTiles() says so.
template <int C, class Finish>
void forSumTiles(KernelContext& context, const char* name, int radius, const DeviceImage& in,
                 const DeviceImage& out, const Finish& finish) {
    const auto across = int(sumTilesFor<C, 16>(radius, in.size.width).across.divisor);
    // Low tiles leave small images more blocks.
    if (fitsSumTiles<C, 16>(context) &&
        tilesFill(16, across, in.size.height, context.traits().multiprocessors))
        return forSumTilesOf<C, 16>(context, name, radius, in, out, finish);
    forSumTilesOf<C, 8>(context, name, radius, in, out, finish);
}

template <int C, class Finish>
void loadSumTiles() {
    for (const int radius : {1, 6, 25}) {
        loadKernel(sumTilesKernelFor<C, 16, Finish>(radius));
        loadKernel(sumTilesKernelFor<C, 8, Finish>(radius));
    }
}

}  // namespace warpscope::cuda
