// Exact sums over squares of 8-bit samples of large images: threads beside each other slide down
// the columns of a tile, whose sums go to shared memory; then each thread slides along a piece of
// one of the tile's rows. Unlike the sums along a strip (sliding_sums.cuh) that needs no scan and
// moves two sums of columns in a word, but takes tiles enough to fill the device.
#pragma once

#include <algorithm>

#include "cuda_kernels/runtime/dot_products.cuh"
#include "cuda_kernels/runtime/kernel_support.cuh"
#include "cuda_kernels/runtime/tile_rows.h"

namespace warpscope::cuda {

inline constexpr unsigned kTileThreads = 128;
inline constexpr int kTileRows = 16;
inline constexpr int kTilePieces = int(kTileThreads) / kTileRows;  // of a row

// A word of the image is four gray pixels or one of colour. Of each there are the sums of its
// columns: those of its bytes 0 and 2 in one word, those of bytes 1 and 3 (colour: 1 alone) in
// another.
template <int C>
struct TileShape {
    static constexpr int kWords = C == 1 ? 1 : 2;  // of a thread
    static constexpr int kWide = int(kTileThreads) * kWords;
    static constexpr int kSums = C == 1 ? 4 : 3;
    // Lanes are in rows below each other: that many words apart they meet no bank twice.
    static constexpr int kPitch = kWide + 1, kMadePitch = kWide + 2;
    static constexpr int kSumBytes = kTileRows * kPitch * 8;
    static constexpr std::size_t kBytes = kSumBytes + kTileRows * kMadePitch * 4;
    // Sums of columns are to stay below 2^15, and rows of a tile to be made for the most part.
    static constexpr int kMostRadius = C == 1 ? 40 : 20;

    // Words that a thread makes of a row.
    static constexpr int pieceWords(int radius) {
        return C == 1 ? (kWide - 2 - (2 * radius + 1) / 4) / kTilePieces
                      : (kWide - 2 * radius) / kTilePieces;
    }
};

struct SumTiles {
    int radius;
    int rows;   // of a block, a multiple of kTileRows
    int piece;  // words that a thread makes of a row
    FastDivide across;
};

// Of two sums each: halves of `come` less those of `gone`, with a sign. Both are below 2^15.
__device__ __forceinline__ std::uint32_t halvesLess(std::uint32_t come, std::uint32_t gone) {
    constexpr std::uint32_t kSigns = 0x80008000u;
    return (come + kSigns - gone) ^ kSigns;
}

// Slides along `piece` words of a row from the window's first column on. `kOdd`: the radius.
template <bool kOdd, class Finish>
__device__ __forceinline__ void slideGray(const uint2* columns, std::uint32_t* made, int radius,
                                          int piece, const Finish& finish) {
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
    const auto makeWord = [&](int i, std::uint32_t levels) {
        const uint2 gone = columns[i], next = columns[i + whole + 1];
        const std::uint32_t even =
            halvesLess(kOdd ? __byte_perm(here.y, next.y, 0x5432) : here.y, gone.x);
        const std::uint32_t odd =
            halvesLess(kOdd ? next.x : __byte_perm(here.x, next.x, 0x5432), gone.y);
        int sums[4] = {sum};
        sums[1] = dotLow(even, 0x0001, sums[0]);
        sums[2] = dotLow(odd, 0x0001, sums[1]);
        sums[3] = dotLow(even, 0x0100, sums[2]);
        sum = dotLow(odd, 0x0100, sums[3]);
        here = next;
        const std::uint32_t word = finish(sums, __funnelshift_l(levelsBefore, levels, late));
        levelsBefore = levels;
        return word;
    };
    const auto levelsAt = [&](int i) { return Finish::kNeedsLevels && i < piece ? made[i] : 0u; };
    std::uint32_t before = makeWord(0, levelsAt(0));
#pragma unroll 4
    for (int i = 1; i <= piece; ++i) {
        const std::uint32_t word = makeWord(i, levelsAt(i));
        made[i - 1] = __funnelshift_r(before, word, late);
        before = word;
    }
}

template <class Finish>
__device__ __forceinline__ void slideColour(const uint2* columns, std::uint32_t* made, int radius,
                                            int piece, const Finish& finish) {
    const int side = 2 * radius + 1;
    std::uint32_t begin[3] = {std::uint32_t(finish.start), std::uint32_t(finish.start),
                              std::uint32_t(finish.start)};
    for (int i = 0; i < side; ++i) {
        begin[0] = dotLowUnsigned(columns[i].x, 0x0001, begin[0]);
        begin[1] += columns[i].y;
        begin[2] = dotLowUnsigned(columns[i].x, 0x0100, begin[2]);
    }
    int sums[3] = {int(begin[0]), int(begin[1]), int(begin[2])};
#pragma unroll 4
    for (int i = 0; i < piece; ++i) {
        made[i] = finish(sums, 0);
        const uint2 gone = columns[i], come = columns[i + side];
        const std::uint32_t less = halvesLess(come.x, gone.x);
        sums[0] = dotLow(less, 0x0001, sums[0]);
        sums[1] += int(come.y - gone.y);
        sums[2] = dotLow(less, 0x0100, sums[2]);
    }
}

// Output rows [first, last); tiles are numbered along the rows. Four blocks: what their shared
// memory allows.
template <int C, class Finish>
__global__ void __launch_bounds__(kTileThreads, 4)
    sumTilesKernel(DeviceImage in, DeviceImage out, int first, int last, SumTiles tiles,
                   Finish finish) {
    using Shape = TileShape<C>;
    constexpr int kWords = Shape::kWords, kWordPixels = C == 1 ? 4 : 1;
    constexpr int kFetched = 12;
    extern __shared__ __align__(16) unsigned char sharedBytes[];
    auto* const columns = reinterpret_cast<uint2*>(sharedBytes);
    auto* const made = reinterpret_cast<std::uint32_t*>(sharedBytes + Shape::kSumBytes);
    const int thread = int(threadIdx.x), radius = tiles.radius;
    const std::uint32_t down = tiles.across(blockIdx.x);
    const int strip = int(blockIdx.x - down * tiles.across.divisor);
    const int top = first + int(down) * tiles.rows, bottom = min(top + tiles.rows, last);
    const int lastX = in.size.width - 1, lastY = in.size.height - 1;
    const int madeWords = kTilePieces * tiles.piece, madeX = strip * madeWords * kWordPixels;
    const int before = C == 1 ? (radius + 3) / 4 : radius;  // words left of what is made

    // Words beyond an edge are made of the one at the edge.
    const std::byte* from[kWords];
    std::uint32_t takeEven = 0, takeOdd = 0;
#pragma unroll
    for (int w = 0; w < kWords; ++w) {
        const int x = madeX + (thread + w * int(kTileThreads) - before) * kWordPixels;
        const int inside = min(max(x, 0), lastX / kWordPixels * kWordPixels);
        from[w] = in.data + std::int64_t(inside) * C;
#ifdef __CUDA_ARCH__
        // Else in.data is added once a load.
        asm("" : "+l"(from[w]));
#endif
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
    }
    // A row is at one product of 32 bits from the first.
    const auto pitch = std::uint32_t(in.pitch);
    const auto fetch = [&](int y, std::uint32_t(&words)[kWords]) {
#pragma unroll
        for (int w = 0; w < kWords; ++w)
            words[w] = __ldg(reinterpret_cast<const std::uint32_t*>(
                from[w] + std::uint64_t(std::uint32_t(y)) * pitch));
    };
    // Rows are under way while threads slide along those of the tile before: all of a tile, of
    // colour half of them.
    constexpr int kAhead = kTileRows / kWords;
    std::uint32_t come[kAhead][kWords], gone[kAhead][kWords], centre[kAhead][kWords];
    const auto fetchAhead = [&](int y) {
#pragma unroll
        for (int k = 0; k < kAhead; ++k) {
            fetch(min(y + k + radius, lastY), come[k]);
            fetch(min(max(y + k - 1 - radius, 0), lastY), gone[k]);
            if constexpr (Finish::kNeedsLevels) fetch(min(y + k, lastY), centre[k]);
        }
    };
    fetchAhead(top);
    const auto evenOf = [](std::uint32_t word) { return word & 0x00ff00ffu; };
    const auto oddOf = [](std::uint32_t word) {
        return __byte_perm(word, 0, C == 1 ? 0x4341 : 0x4441);
    };
    std::uint32_t even[kWords] = {}, odd[kWords] = {};
    for (int y = top - 1 - radius; y < top + radius; y += kFetched) {
        std::uint32_t words[kFetched][kWords];
#pragma unroll
        for (int k = 0; k < kFetched; ++k) fetch(min(max(y + k, 0), lastY), words[k]);
#pragma unroll
        for (int k = 0; k < kFetched; ++k) {
            const std::uint32_t counts = y + k < top + radius ? 0xffffffffu : 0;
#pragma unroll
            for (int w = 0; w < kWords; ++w) {
                even[w] += evenOf(words[k][w] & counts);
                odd[w] += oddOf(words[k][w] & counts);
            }
        }
    }

    const int row = thread % kTileRows, start = thread / kTileRows * tiles.piece;
    const uint2* const window = columns + row * Shape::kPitch + start;
    std::uint32_t* const makes = made + row * Shape::kMadePitch + start;
    for (int y = top; y < bottom; y += kTileRows) {
#pragma unroll
        for (int ahead = 0; ahead < kTileRows; ahead += kAhead) {
#pragma unroll
            for (int k = 0; k < kAhead; ++k)
#pragma unroll
                for (int w = 0; w < kWords; ++w) {
                    even[w] += evenOf(come[k][w]) - evenOf(gone[k][w]);
                    odd[w] += oddOf(come[k][w]) - oddOf(gone[k][w]);
                    const int at = thread + w * int(kTileThreads);
                    columns[(ahead + k) * Shape::kPitch + at] =
                        C == 1 ? uint2{__byte_perm(even[w], odd[w], takeEven),
                                       __byte_perm(even[w], odd[w], takeOdd)}
                               : uint2{even[w], odd[w]};
                    if constexpr (Finish::kNeedsLevels)
                        if (at >= before && at - before < madeWords)
                            made[(ahead + k) * Shape::kMadePitch + at - before] = centre[k][w];
                }
            if (y + ahead + kAhead < bottom) fetchAhead(y + ahead + kAhead);
        }
        __syncthreads();
        if constexpr (C == 4)
            slideColour(window, makes, radius, tiles.piece, finish);
        else if (radius % 2)
            slideGray<true>(window, makes, radius, tiles.piece, finish);
        else
            slideGray<false>(window, makes, radius, tiles.piece, finish);
        __syncthreads();
        // A thread takes two words. What lies beyond the row goes into its padding.
        constexpr int kPairs = C == 1 ? 64 : 128, kStep = int(kTileThreads) / kPairs;
        const int pair = thread % kPairs, x = madeX + 2 * pair * kWordPixels;
        if (2 * pair < madeWords && x <= lastX) {
            const int begin = thread / kPairs;
            const std::int64_t at = std::int64_t(x) * C;
            const std::byte* own = in.data + std::int64_t(y + begin) * in.pitch + at;
            std::byte* to = out.data + std::int64_t(y + begin) * out.pitch + at;
#pragma unroll 8
            for (int k = begin; k < min(kTileRows, bottom - y); k += kStep) {
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

// Whether tiles fill the device and four blocks fit a multiprocessor.
template <int C>
bool fitsSumTiles(const KernelContext& context, int radius, Size size) {
    using Shape = TileShape<C>;
    if (radius > Shape::kMostRadius || context.traits().sharedPerBlock < 4 * Shape::kBytes)
        return false;
    const int pixels = Shape::pieceWords(radius) * kTilePieces * (C == 1 ? 4 : 1);
    return tilesFill(kTileRows, int(divideUp(unsigned(size.width), unsigned(pixels))), size.height,
                     context.traits().multiprocessors);
}

// Calls finish(sums, levels) for the words of all pixels, on the device: finish.start and the sums
// over the squares around four gray pixels or of the three colours of one, whose alpha is kept.
// Finish::kNeedsLevels: whether the gray pixels are wanted. Where fitsSumTiles() says so.
template <int C, class Finish>
void forSumTiles(KernelContext& context, const char* name, int radius, const DeviceImage& in,
                 const DeviceImage& out, const Finish& finish) {
    using Shape = TileShape<C>;
    const int piece = Shape::pieceWords(radius);
    const auto pixels = unsigned(piece * kTilePieces * (C == 1 ? 4 : 1));
    const unsigned across = divideUp(unsigned(in.size.width), pixels);
    const int most = context.rowsPerLaunch(in.pitch * 4 + out.pitch,
                                           std::int64_t(across) * Shape::kWide * 4 * 16);
    const int wanted = tileRowsFor(kTileRows, 2 * radius + 1, int(across), in.size.height,
                                   context.traits().multiprocessors);
    const int rows = std::max(kTileRows, std::min(wanted, most / kTileRows * kTileRows));
    const int bandRows = std::max(rows, most / rows * rows);
    context.forEachBand(in.size.height, bandRows, [&](int first, int last) {
        const unsigned blocks = across * divideUp(unsigned(last - first), unsigned(rows));
        launch(context, name, blocks, kTileThreads, Shape::kBytes, sumTilesKernel<C, Finish>, in,
               out, first, last, SumTiles{radius, rows, piece, FastDivide(across)}, finish);
    });
}

}  // namespace warpscope::cuda
