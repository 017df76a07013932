// Medians of 5x5 to 15x15 by tiles: a thread makes 4 x 4 medians. The samples that all windows of a
// tile share are sorted once; then the tile is halved, across and down in turn, and to what the
// windows of a half share the sorted columns or rows are merged that only they have in common. Of a
// sorted list only those go on that can still be a median, given how many samples are to come.
//
// A register holds two samples as 16-bit halves, of pixels half a block's height apart or of two
// channels. 8-bit samples lie in the upper byte of a half; what is below decides only between equal
// ones. A median is one of the inputs.
#pragma once

#include "cuda_kernels/runtime/early_launch.cuh"
#include "cuda_kernels/runtime/launch_pieces.cuh"
#include "cuda_kernels/runtime/sample_loads.cuh"
#include "cuda_kernels/smoothing/median.cuh"
#include "cuda_kernels/smoothing/window_costs.h"

namespace warpscope::cuda {
namespace median_tiles {

using Pair = std::uint32_t;

constexpr int kTile = 4;
constexpr int kAcross = 32, kDown = 4, kThreads = kAcross * kDown;
constexpr int kWidth = kTile * kAcross;   // pixels of a block
constexpr int kPairRows = kTile * kDown;  // rows of pairs of a block
constexpr int kHeight = 2 * kPairRows;
static_assert(kWidth == kMedianTileWidth && kHeight == kMedianTileHeight);
// Shared memory: samples of a row of pairs from kBefore columns before the block's first, those
// whose column is the same modulo 4 side by side, so that threads of a warp read neighbours.
constexpr int kBefore = 8;
constexpr int kQuads = (kWidth + 2 * kBefore) / 4;
constexpr int kQuarter = 40;  // staged words of four columns meet in no bank
constexpr int kRowWords = 4 * kQuarter;
static_assert(kQuads <= kQuarter && kQuarter % 32 == 8 && kMaxMedianRadius <= kBefore);

// Whether minima of pairs are instructions. Elsewhere, where one is many, registers are compared
// whole: right in the upper halves, for which the lower ones decide between equal ones. So all is
// made twice, with the halves of the samples exchanged in between.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
constexpr bool kHasPairs = true;
#else
constexpr bool kHasPairs = false;
#endif

__device__ __forceinline__ void order(Pair& a, Pair& b) {
    const Pair low = kHasPairs ? __vminu2(a, b) : min(a, b);
    b = kHasPairs ? __vmaxu2(a, b) : max(a, b);
    a = low;
}

// Of a median that was made twice the upper half of the first becomes the lower one.
__device__ __forceinline__ void put(Pair& result, Pair median) {
    result = kHasPairs ? median : __byte_perm(result, median, 0x7632);
}

// Batcher's odd-even merge of sorted lists of any lengths. What is not read of `out` is not made.
template <int N, int M>
__device__ __forceinline__ void merge(const Pair (&a)[N], const Pair (&b)[M], Pair (&out)[N + M]) {
    if constexpr (N == 1 && M == 1) {
        out[0] = a[0];
        out[1] = b[0];
        order(out[0], out[1]);
    } else if constexpr (N == 1) {
        merge(b, a, out);
    } else if constexpr (M == 1) {
        constexpr int kFirst = (N + 1) / 2, kSecond = N / 2;
        Pair even[kFirst], odd[kSecond], made[kFirst + 1];
#pragma unroll
        for (int i = 0; i < kFirst; ++i) even[i] = a[2 * i];
#pragma unroll
        for (int i = 0; i < kSecond; ++i) odd[i] = a[2 * i + 1];
        merge(even, b, made);
        out[0] = made[0];
#pragma unroll
        for (int i = 0; i < kFirst; ++i) {
            if (i < kSecond) {
                out[2 * i + 1] = odd[i < kSecond ? i : 0];
                out[2 * i + 2] = made[i + 1];
                order(out[2 * i + 1], out[2 * i + 2]);
            } else {
                out[2 * i + 1] = made[i + 1];
            }
        }
    } else {
        constexpr int kEvens = (N + 1) / 2 + (M + 1) / 2, kOdds = N / 2 + M / 2;
        Pair a0[(N + 1) / 2], a1[N / 2], b0[(M + 1) / 2], b1[M / 2], evens[kEvens], odds[kOdds];
#pragma unroll
        for (int i = 0; i < N; ++i) (i % 2 ? a1[i / 2] : a0[i / 2]) = a[i];
#pragma unroll
        for (int i = 0; i < M; ++i) (i % 2 ? b1[i / 2] : b0[i / 2]) = b[i];
        merge(a0, b0, evens);
        merge(a1, b1, odds);
        out[0] = evens[0];
#pragma unroll
        for (int i = 0; 2 * i + 1 < N + M; ++i) {
            if (i < kOdds && i + 1 < kEvens) {
                out[2 * i + 1] = odds[i];
                out[2 * i + 2] = evens[i + 1];
                order(out[2 * i + 1], out[2 * i + 2]);
            } else {
                out[2 * i + 1] = i < kOdds ? odds[i < kOdds ? i : 0] : evens[i + 1];
            }
        }
    }
}

template <int N>
__device__ __forceinline__ void sort(Pair (&v)[N]) {
    if constexpr (N == 2) {
        order(v[0], v[1]);
    } else if constexpr (N == 3) {
        order(v[0], v[1]);
        order(v[1], v[2]);
        order(v[0], v[1]);
    } else if constexpr (N > 3) {
        constexpr int kFirst = (N + 1) / 2;
        Pair a[kFirst], b[N - kFirst];
#pragma unroll
        for (int i = 0; i < N; ++i) (i < kFirst ? a[i < kFirst ? i : 0] : b[i - kFirst]) = v[i];
        sort(a);
        sort(b);
        merge(a, b, v);
    }
}

// Of a sorted list of `size` to which `others` samples are to come: those that can be the median
// of all.
template <int kSize, int kOthers>
struct Kept {
    static constexpr int kMiddle = (kSize + kOthers - 1) / 2;
    static constexpr int kFirst = kMiddle > kOthers ? kMiddle - kOthers : 0;
    static constexpr int kCount = (kMiddle < kSize ? kMiddle : kSize - 1) - kFirst + 1;
};

template <int kOthers, int N>
__device__ __forceinline__ void keep(const Pair (&list)[N],
                                     Pair (&kept)[Kept<N, kOthers>::kCount]) {
#pragma unroll
    for (int i = 0; i < Kept<N, kOthers>::kCount; ++i) kept[i] = list[Kept<N, kOthers>::kFirst + i];
}

// Sorted samples of kCount columns from number kFirst on; read(i, k) is sample k of column i.
template <int kFirst, int kCount, int N, class Read>
__device__ __forceinline__ void sortedLists(const Read& read, Pair (&out)[kCount * N]) {
    if constexpr (kCount == 1) {
#pragma unroll
        for (int i = 0; i < N; ++i) out[i] = read(kFirst, i);
        sort(out);
    } else {
        constexpr int kHalf = kCount / 2;
        Pair a[kHalf * N], b[(kCount - kHalf) * N];
        sortedLists<kFirst, kHalf, N>(read, a);
        sortedLists<kFirst + kHalf, kCount - kHalf, N>(read, b);
        merge(a, b, out);
    }
}

// Where a thread's windows begin, columns from there on.
template <int K>
struct Window {
    static constexpr int kShift = kBefore - K / 2;
    const Pair* base;

    // dx need not be known when this is compiled.
    __device__ __forceinline__ const Pair* column(int dx) const {
        return base + ((dx + kShift) & 3) * kQuarter + ((dx + kShift) >> 2);
    }
};

// The 16 medians of a thread, to results[16 rows and columns * kThreads].
template <int K>
__device__ __forceinline__ void tileMedians(const Window<K>& window, Pair* results) {
    constexpr int kCore = K - 3, kWide = K - 1, kAll = K * K;
    constexpr int kRoot = Kept<kCore * kCore, kAll - kCore * kCore>::kCount;
    Pair root[kRoot];
    {
        Pair all[kCore * kCore];
        sortedLists<0, kCore, kCore>(
            [&](int i, int k) { return window.column(3 + i)[(3 + k) * kRowWords]; }, all);
        keep<kAll - kCore * kCore>(all, root);
    }
#pragma unroll 1
    for (int left = 0; left < kTile; left += 2) {  // halves of 2 x 4
        constexpr int kOthers = kAll - kCore * kWide;
        Pair tall[Kept<kRoot + 2 * kCore, kOthers>::kCount];
        {
            const Pair* const first = window.column(left ? K : 1);
            const Pair* const second = window.column(left ? K + 1 : 2);
            Pair columns[2 * kCore], all[kRoot + 2 * kCore];
            sortedLists<0, 2, kCore>(
                [&](int i, int k) { return (i ? second : first)[(3 + k) * kRowWords]; }, columns);
            merge(root, columns, all);
            keep<kOthers>(all, tall);
        }
        // Columns from `left` on: two of four places move.
        const Pair* const low = window.base + left * kQuarter;
        const Pair* const high = window.base + (left ? 1 - 2 * kQuarter : 0);
        const auto at = [&](int dx, int row) {
            const int place = (dx + Window<K>::kShift) & 3;
            return (place < 2 ? low
                              : high)[place * kQuarter + ((dx + Window<K>::kShift) >> 2) + row];
        };
#pragma unroll 1
        for (int top = 0; top < kTile; top += 2) {  // quarters of 2 x 2
            constexpr int kOthers = kAll - kWide * kWide;
            constexpr int kTall = sizeof(tall) / sizeof(Pair);
            Pair square[Kept<kTall + 2 * kWide, kOthers>::kCount];
            {
                const int row = (top ? K : 1) * kRowWords;
                Pair rows[2 * kWide], all[kTall + 2 * kWide];
                sortedLists<0, 2, kWide>(
                    [&](int i, int k) { return at(1 + k, row + i * kRowWords); }, rows);
                merge(tall, rows, all);
                keep<kOthers>(all, square);
            }
            // The row above and the one below, but for the samples at their ends.
            const int above = top * kRowWords, below = (top + K) * kRowWords;
            Pair upper[kWide], lower[kWide];
            sortedLists<0, 1, kWide>([&](int, int k) { return at(1 + k, above); }, upper);
            sortedLists<0, 1, kWide>([&](int, int k) { return at(1 + k, below); }, lower);
#pragma unroll 1
            for (int x = left; x < left + 2; ++x) {  // 1 x 2
                constexpr int kOthers = kAll - kWide * K;
                constexpr int kSquare = sizeof(square) / sizeof(Pair);
                const Pair* const side = window.column(x == left ? left : left + K) + above;
                Pair pair[Kept<kSquare + kWide, kOthers>::kCount];
                {
                    Pair column[kWide], all[kSquare + kWide];
                    sortedLists<0, 1, kWide>([&](int, int k) { return side[(1 + k) * kRowWords]; },
                                             column);
                    merge(square, column, all);
                    keep<kOthers>(all, pair);
                }
                const auto median = [&](const Pair(&row)[kWide], Pair end) {
                    constexpr int kPair = sizeof(pair) / sizeof(Pair);
                    const Pair ends[1] = {end};
                    Pair whole[K], all[kPair + K], made[1];
                    merge(row, ends, whole);
                    merge(pair, whole, all);
                    keep<0>(all, made);
                    return made[0];
                };
                Pair* const to = results + (top * kTile + x) * kThreads;
                put(to[0], median(upper, side[0]));
                put(to[kTile * kThreads], median(lower, side[K * kRowWords]));
            }
        }
    }
}

// How pixels become pairs, in one or more passes over a block, and how pairs become pixels. Two
// rows: kPairRows apart.
template <class T, int C>
struct Pixels {
    static constexpr int kPasses = C == 4 ? 3 : 1;
    static constexpr int kEach = C == 4 ? 1 : 4;  // pixels that are staged together
    static constexpr int kBytes = C * kEach * int(sizeof(T));
    static constexpr int kWords = kBytes / 4;
    static constexpr int kItems = (kWidth + 2 * kBefore) / kEach;

    // Pixels x on of a row, those beyond its ends repeated.
    __device__ static void load(const DeviceImage& in, int x, int y,
                                std::uint32_t (&words)[kWords]) {
        const int lastX = in.size.width - 1;
        const std::byte* const row =
            in.data + std::int64_t(min(max(y, 0), in.size.height - 1)) * in.pitch;
        if (C == 4) {
            loadWords<kBytes>(row + std::int64_t(min(max(x, 0), lastX)) * kBytes, words);
        } else if (x >= 0 && x + kEach - 1 <= lastX) {
            loadWords<kBytes>(row + std::int64_t(x) * int(sizeof(T)), words);
        } else {
            constexpr int kPerWord = 4 / int(sizeof(T));
#pragma unroll
            for (int i = 0; i < kWords; ++i) words[i] = 0;
#pragma unroll
            for (int i = 0; i < kEach; ++i)
                words[i / kPerWord] |=
                    std::uint32_t(reinterpret_cast<const T*>(row)[min(max(x + i, 0), lastX)])
                    << (8 * int(sizeof(T)) * (i % kPerWord));
        }
    }
    // Colour: R and B of one row, then of the other, G of both.
    __device__ static void stage(const DeviceImage& in, int pass, int x, int y,
                                 Pair (&pairs)[kEach]) {
        std::uint32_t a[kWords], b[kWords];
        load(in, x, pass == 1 ? y + kPairRows : y, a);
        if (C == 1 || pass == 2) load(in, x, y + kPairRows, b);
        if constexpr (C == 4 && sizeof(T) == 1) {
            pairs[0] = pass == 2 ? __byte_perm(a[0], b[0], 0x5511) : a[0] << 8;
        } else if constexpr (C == 4) {
            pairs[0] =
                pass == 2 ? __byte_perm(a[0], b[0], 0x7632) : __byte_perm(a[0], a[1], 0x5410);
        } else if constexpr (sizeof(T) == 1) {
#pragma unroll
            for (int i = 0; i < 4; ++i)
                pairs[i] = __byte_perm(a[0], b[0], unsigned(0x4400 + i * 0x1111));
        } else {
#pragma unroll
            for (int i = 0; i < 4; ++i)
                pairs[i] = __byte_perm(a[i / 2], b[i / 2], i % 2 ? 0x7632u : 0x5410u);
        }
    }
    // Four pixels of both rows from their pairs, results[pass * 16 + pixel]; alpha is in `out`.
    static constexpr int kOutWords = C * int(sizeof(T));
    __device__ static void unite(const Pair (&pairs)[kPasses][4], int which,
                                 std::uint32_t (&out)[kOutWords]) {
        if constexpr (C == 4 && sizeof(T) == 1) {
#pragma unroll
            for (int i = 0; i < 4; ++i)
                out[i] = __byte_perm(which ? pairs[1][i] : pairs[0][i],
                                     which ? pairs[2][i] >> 16 : pairs[2][i], 0x0351) &
                             0x00ffffffu |
                         (out[i] & 0xff000000u);
        } else if constexpr (C == 4) {
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const Pair ends = which ? pairs[1][i] : pairs[0][i];
                out[2 * i] = __byte_perm(ends, pairs[2][i], which ? 0x7610u : 0x5410u);
                out[2 * i + 1] = __byte_perm(ends, out[2 * i + 1], 0x7632);
            }
        } else if constexpr (sizeof(T) == 1) {
            const Pair a = __byte_perm(pairs[0][0], pairs[0][1], 0x7351);
            const Pair b = __byte_perm(pairs[0][2], pairs[0][3], 0x7351);
            out[0] = __byte_perm(a, b, which ? 0x7632u : 0x5410u);
        } else {
            out[0] = __byte_perm(pairs[0][0], pairs[0][1], which ? 0x7632u : 0x5410u);
            out[1] = __byte_perm(pairs[0][2], pairs[0][3], which ? 0x7632u : 0x5410u);
        }
    }
};

// The tiles of a thread to `out`; rows from `last` on are somebody else's.
template <class T, int C>
__device__ __forceinline__ void writeTile(const DeviceImage& in, const DeviceImage& out, int left,
                                          int top, int last, const Pair* results) {
    using P = Pixels<T, C>;
    const int tx = int(threadIdx.x) % kAcross, ty = int(threadIdx.x) / kAcross;
    const int x = left + tx * kTile;
    if (x >= in.size.width) return;
#pragma unroll
    for (int i = 0; i < kTile; ++i) {
        Pair pairs[P::kPasses][4];
#pragma unroll
        for (int k = 0; k < P::kPasses * 4; ++k)
            pairs[k / 4][k % 4] = results[(k / 4 * 16 + i * kTile + k % 4) * kThreads];
#pragma unroll
        for (int which = 0; which < 2; ++which) {
            const int y = top + ty * kTile + i + which * kPairRows;
            if (y >= last) continue;
            constexpr int kOutBytes = 4 * P::kOutWords;
            const std::int64_t column = std::int64_t(x) * C * int(sizeof(T));
            std::uint32_t words[P::kOutWords];
            if constexpr (C == 4)
                loadWords<kOutBytes>(in.data + std::int64_t(y) * in.pitch + column, words);
            P::unite(pairs, which, words);
            // What lies beyond the row goes into its padding.
            storeWords<kOutBytes>(out.data + std::int64_t(y) * out.pitch + column, words);
        }
    }
}

template <class T, int C, int K>
constexpr std::size_t kSharedBytes = ((kPairRows + K - 1) * kRowWords +
                                      Pixels<T, C>::kPasses * 16 * kThreads) *
                                     sizeof(Pair);

// All rows of pairs that a block looks at, beginning with row `top` and column `left` of the image.
template <class T, int C, int kRows>
__device__ __forceinline__ void stageBlock(const DeviceImage& in, int pass, int left, int top,
                                           Pair* samples) {
    using P = Pixels<T, C>;
#pragma unroll 4
    for (int item = int(threadIdx.x); item < kRows * P::kItems; item += kThreads) {
        const int row = item / P::kItems, place = item % P::kItems;
        Pair pairs[P::kEach];
        P::stage(in, pass, left + place * P::kEach, top + row, pairs);
        Pair* const to = samples + row * kRowWords;
#pragma unroll
        for (int i = 0; i < P::kEach; ++i) {
            const int column = place * P::kEach + i;
            to[column % 4 * kQuarter + column / 4] = pairs[i];
        }
    }
}

// Blocks of a multiprocessor, by the registers that lists need.
template <int K>
constexpr int kResident = K <= 7   ? 4
                          : K == 9 ? 3
                                   : 2;

// C of kernels for gray and colour: half of what large windows take to compile.
constexpr int kEither = 0;

template <class T, int C, int K>
__device__ __forceinline__ void makeTiles(const DeviceImage& in, const DeviceImage& out, int first,
                                          int last, FastDivide tilesPerRow, unsigned firstBlock) {
    letNextLaunchBegin();
    waitForLaunchBefore();
    extern __shared__ __align__(16) unsigned char sharedBytes[];
    Pair* const samples = reinterpret_cast<Pair*>(sharedBytes);
    constexpr int kRows = kPairRows + K - 1;
    Pair* const results = samples + kRows * kRowWords + threadIdx.x;
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
            __syncthreads();
            tileMedians(Window<K>{samples + ty * kTile * kRowWords + tx},
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

template <class T, int C, int K>
__global__ void __launch_bounds__(kThreads, kResident<K>)
    tilesKernel(DeviceImage in, DeviceImage out, int first, int last, FastDivide tilesPerRow,
                unsigned firstBlock) {
    // Of 8 bits others are taken elsewhere (median_choice.h).
    if constexpr (kHasPairs || sizeof(T) == 2)
        makeTiles<T, C, K>(in, out, first, last, tilesPerRow, firstBlock);
}

// Medians of K x K. kOf: what the kernel is for, C or kEither.
template <class T, int C, int K, int kOf = C>
void runFor(KernelContext& context, const DeviceImage& in, const DeviceImage& out) {
    const RowsCost cost =
        medianTilesCost(in.size.width, C == 4 ? 3 : 1, in.pitch * 2 + out.pitch, K / 2);
    const LaunchCut cut = cutRows(limitsOf(context), cost);
    forEachPiece(context, in.size.height, cut, cost.blocks, [&](int first, int last, int piece) {
        const FastDivide tiles{unsigned(cost.blocks)};
        const BlockRange blocks(cut, piece,
                                tiles.divisor * divideUp(unsigned(last - first), kHeight));
        if (blocks.count)
            launchEarly(context, "median tiles", blocks.count, kThreads, kSharedBytes<T, C, K>,
                        tilesKernel<T, kOf, K>, in, out, first, last, tiles, blocks.first);
    });
}

}  // namespace median_tiles

}  // namespace warpscope::cuda
