// What a thread of medians by tiles (median_tiles.cuh) does with samples in shared memory: networks
// of exchanges, made when this is compiled (engine/operations/smoothing/median_plan.h).
#pragma once

#include <utility>

#include "cuda_kernels/runtime/kernel_support.cuh"
#include "cuda_kernels/smoothing/median.cuh"
#include "cuda_kernels/smoothing/window_costs.h"
#include "engine/operations/smoothing/median_plan.h"

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

__device__ __forceinline__ Pair lower(Pair a, Pair b) {
    return kHasPairs ? __vminu2(a, b) : min(a, b);
}
__device__ __forceinline__ Pair higher(Pair a, Pair b) {
    return kHasPairs ? __vmaxu2(a, b) : max(a, b);
}

// Of halves below 1024 (bytes in their lower parts): as floating-point numbers they are whole
// multiples of the smallest one there is, of which sums and differences are exact. Three
// instructions for two, but of other units than those of minima.
__device__ __forceinline__ void orderBySums(Pair& a, Pair& b) {
    Pair more;  // by how much a is above b, or 0
    asm("fma.rn.relu.f16x2 %0, %1, %2, %3;" : "=r"(more) : "r"(b), "r"(0xbc00bc00u), "r"(a));
    asm("sub.f16x2 %0, %0, %1;" : "+r"(a) : "r"(more));
    asm("add.f16x2 %0, %0, %1;" : "+r"(b) : "r"(more));
}

// Of any halves: the higher ones are the sum less the lower ones, exactly, since what is carried
// from one half to the other is taken back. Three instructions for two, but two of them are
// products by a one that the compiler does not know, of the unit that multiplies.
__device__ __forceinline__ void orderByProducts(Pair& a, Pair& b) {
    const unsigned one = blockDim.z;
    const Pair least = lower(a, b);
    const Pair sum = a * one + b;
    b = least * (0u - one) + sum;
    a = least;
}

// Of ten exchanges so many are made by sums, if of bytes, or by products, which leaves both units
// with about as much to do.
constexpr int kBySums = 3, kByProducts = 5;

template <bool kBytes, median::Needed kNeeded, int kStep>
__device__ __forceinline__ void exchange(Pair& low, Pair& high) {
    using enum median::Needed;
    if constexpr (kNeeded == Low) {
        low = lower(low, high);
    } else if constexpr (kNeeded == High) {
        high = higher(low, high);
    } else if constexpr (kBytes && kHasPairs && kStep * 7 % 10 < kBySums) {
        orderBySums(low, high);
    } else if constexpr (!kBytes && kHasPairs && kStep * 7 % 10 < kByProducts) {
        orderByProducts(low, high);
    } else {
        const Pair least = lower(low, high);
        high = higher(low, high);
        low = least;
    }
}

template <bool kBytes, const auto& kNetwork, int... kStep>
__device__ __forceinline__ void someSteps(Pair* wires, std::integer_sequence<int, kStep...>) {
    (exchange<kBytes, kNetwork.steps[kStep].needed, kStep>(wires[kNetwork.steps[kStep].low],
                                                           wires[kNetwork.steps[kStep].high]),
     ...);
}
template <const auto& kNetwork, int... kI>
__device__ __forceinline__ void takeResults(const Pair* wires, Pair* results,
                                            std::integer_sequence<int, kI...>) {
    ((results[kI] = wires[kNetwork.result[kI]]), ...);
}
// The results of a network on `wires`, of which it keeps nothing.
template <bool kBytes, const auto& kNetwork>
__device__ __forceinline__ void run(Pair* wires, Pair* results) {
    someSteps<kBytes, kNetwork>(wires,
                                std::make_integer_sequence<int, int(kNetwork.steps.size())>());
    takeResults<kNetwork>(wires, results, std::make_integer_sequence<int, kNetwork.results>());
}

// Of a median that was made twice the upper half of the first becomes the lower one.
__device__ __forceinline__ void put(Pair& result, Pair median) {
    result = kHasPairs ? median : __byte_perm(result, median, 0x7632);
}

// Groups of columns are worth two barriers from this window on: of 9x9, and of 7x7 more so, tiles
// that sort columns for themselves were faster.
constexpr int kLeastGroupedSide = 11;

// Windows of K x K. The windows of a tile share a core of kCore columns and rows. Column 3 of a
// tile's windows begins a group of four, as does each fourth after it. What is sorted of the rows
// of a core may be sorted once a group, in shared memory, for all tiles that look at it.
template <int K>
struct Shape {
    static constexpr int kCore = K - 3, kWide = K - 1, kAll = K * K;
    static constexpr int kFours = kCore / 4;
    static constexpr bool kPairLeft = kCore % 4 != 0;  // of the core, beside groups
    // Of a row of tiles: the one before the first tile's, of whose last two columns it needs, and
    // up to two columns beyond the last core.
    static constexpr int kGroups = kAcross + 1 + (K - 3) / 4;
    static constexpr int kItems = kGroups * kDown;
    // Words of a group: its first two columns, its last two, all four.
    static constexpr int kFourAt = 4 * kCore, kGroupWords = 8 * kCore;

    // Samples that can be a median: of the core, of 2 x 4, 2 x 2 and 1 x 2 windows.
    static constexpr int kRoot = median::countKept(kCore * kCore, kAll - kCore * kCore);
    static constexpr int kTall = median::countKept(kRoot + 2 * kCore, kAll - kCore * kWide);
    static constexpr int kSquare = median::countKept(kTall + 2 * kWide, kAll - kWide * kWide);
    static constexpr int kPair = median::countKept(kSquare + kWide, K);
};

// Column dx of the windows that begin `base`; dx need not be known when this is compiled.
template <int K>
__device__ __forceinline__ const Pair* columnAt(const Pair* base, int dx) {
    const int c = dx + kBefore - K / 2;
    return base + (c & 3) * kQuarter + (c >> 2);
}

template <int kCount>
__device__ __forceinline__ void copy(const Pair* from, int pitch, Pair* to) {
#pragma unroll
    for (int k = 0; k < kCount; ++k) to[k] = from[k * pitch];
}

template <bool kBytes, int kCount>
__device__ __forceinline__ void sortColumn(const Pair* first, Pair* sorted) {
    Pair wires[kCount];
    copy<kCount>(first, kRowWords, wires);
    run<kBytes, median::kSort<kCount>>(wires, sorted);
}

// Two or four columns from dx on of the rows of the core, sorted.
template <bool kBytes, int K, int kColumns>
__device__ __forceinline__ void sortColumns(const Pair* base, int dx, Pair* sorted) {
    constexpr int kCore = Shape<K>::kCore;
    Pair all[kColumns * kCore];
#pragma unroll
    for (int i = 0; i < kColumns; ++i)
        sortColumn<kBytes, kCore>(columnAt<K>(base, dx + i) + 3 * kRowWords, all + i * kCore);
    if constexpr (kColumns == 2)
        run<kBytes, median::kMerge<median::kKeepAll, kCore, kCore>>(all, sorted);
    else
        run<kBytes, median::kMerge<median::kKeepAll, kCore, kCore, kCore, kCore>>(all, sorted);
}

// Sorts what the tiles of a block share. Word k of group i is groups[k * kItems + i].
template <bool kBytes, int K>
__device__ __forceinline__ void sortGroups(const Pair* samples, Pair* groups) {
    using S = Shape<K>;
    constexpr int kCore = S::kCore;
#pragma unroll 1
    for (int item = int(threadIdx.x); item < S::kItems; item += kThreads) {
        const int line = item / S::kGroups, group = item % S::kGroups - 1;
        const Pair* const from = samples + line * kTile * kRowWords + group;
        Pair* const to = groups + item;
#pragma unroll 1
        for (int half = 0; half < 2; ++half) {
            Pair joined[2 * kCore];
            sortColumns<kBytes, K, 2>(from, 3 + 2 * half, joined);
#pragma unroll
            for (int k = 0; k < 2 * kCore; ++k) to[(half * 2 * kCore + k) * S::kItems] = joined[k];
        }
        Pair all[4 * kCore], joined[4 * kCore];
        copy<4 * kCore>(to, S::kItems, all);
        run<kBytes, median::kMerge<median::kKeepAll, 2 * kCore, 2 * kCore>>(all, joined);
#pragma unroll
        for (int k = 0; k < 4 * kCore; ++k) to[(S::kFourAt + k) * S::kItems] = joined[k];
    }
}

// The core's samples that can be a median. `groups`: word 0 of the tile's first group.
template <bool kBytes, int K, bool kGrouped>
__device__ __forceinline__ void sortCore(const Pair* base, const Pair* groups,
                                         Pair (&root)[Shape<K>::kRoot]) {
    using S = Shape<K>;
    constexpr int kCore = S::kCore, kOthers = S::kAll - kCore * kCore;
    constexpr int kFour = 4 * kCore, kTwo = 2 * kCore;
    Pair all[kCore * kCore];
    // Of two fours and a pair, the pair goes first to one of them: the fewest exchanges.
    constexpr int kTwoAt = S::kFours ? kFour : 0, kSecondFourAt = kFour + (S::kPairLeft ? kTwo : 0);
#pragma unroll
    for (int i = 0; i < S::kFours; ++i) {
        Pair* const to = all + (i ? kSecondFourAt + (i - 1) * kFour : 0);
        if constexpr (kGrouped)
            copy<kFour>(groups + S::kFourAt * S::kItems + i, S::kItems, to);
        else
            sortColumns<kBytes, K, 4>(base, 3 + 4 * i, to);
    }
    if constexpr (S::kPairLeft) {
        if constexpr (kGrouped)
            copy<kTwo>(groups + S::kFours, S::kItems, all + kTwoAt);
        else
            sortColumns<kBytes, K, 2>(base, 3 + 4 * S::kFours, all + kTwoAt);
    }
    if constexpr (kCore == 2 || kCore == 4) {
        static_assert(S::kRoot == kCore * kCore);
        copy<S::kRoot>(all, 1, root);
    } else if constexpr (S::kFours == 1) {
        run<kBytes, median::kMerge<kOthers, kFour, kTwo>>(all, root);
    } else if constexpr (S::kFours == 2 && !S::kPairLeft) {
        run<kBytes, median::kMerge<kOthers, kFour, kFour>>(all, root);
    } else if constexpr (S::kFours == 2) {
        run<kBytes, median::kMerge<kOthers, kFour, kTwo, kFour>>(all, root);
    } else {
        static_assert(S::kFours == 3 && !S::kPairLeft);
        run<kBytes, median::kMerge<kOthers, kFour, kFour, kFour>>(all, root);
    }
}

// The two columns that the left or the right windows of a tile have in common beside the core.
template <bool kBytes, int K, bool kGrouped>
__device__ __forceinline__ void sortBeside(const Pair* base, const Pair* groups, bool right,
                                           Pair* sorted) {
    using S = Shape<K>;
    if constexpr (kGrouped) {
        // Columns 1 and 2 end the group before; K and K + 1 begin one or end it.
        constexpr int kEnd = 2 * S::kCore * S::kItems, kOnRight = K % 4 == 1 ? kEnd : 0;
        copy<2 * S::kCore>(groups + (right ? kOnRight + (K - 3) / 4 : kEnd - 1), S::kItems, sorted);
    } else {
        sortColumns<kBytes, K, 2>(base, right ? K : 1, sorted);
    }
}

// The 16 medians of a thread, to results[16 rows and columns * kThreads]. `base` is where its
// windows begin, `groups` its first one's, `spare` has room for two rows, kThreads words apart.
template <bool kBytes, int K, bool kGrouped>
__device__ __forceinline__ void tileMedians(const Pair* base, const Pair* groups, Pair* spare,
                                            Pair* results) {
    using S = Shape<K>;
    constexpr int kCore = S::kCore, kWide = S::kWide;
    Pair root[S::kRoot];
    sortCore<kBytes, K, kGrouped>(base, groups, root);
#pragma unroll 1
    for (int left = 0; left < kTile; left += 2) {  // halves of 2 x 4
        Pair tall[S::kTall];
        {
            Pair all[S::kRoot + 2 * kCore];
            copy<S::kRoot>(root, 1, all);
            sortBeside<kBytes, K, kGrouped>(base, groups, left != 0, all + S::kRoot);
            run<kBytes, median::kMerge<S::kAll - kCore * kWide, S::kRoot, 2 * kCore>>(all, tall);
        }
        // Columns from `left` on: two of four places move.
        const Pair* const low = base + left * kQuarter;
        const Pair* const high = base + (left ? 1 - 2 * kQuarter : 0);
        // A row but for the samples at its ends.
        const auto sortRow = [&](int row, Pair* sorted) {
            Pair wires[kWide];
#pragma unroll
            for (int k = 0; k < kWide; ++k) {
                const int c = 1 + k + kBefore - K / 2, place = c & 3;
                wires[k] = (place < 2 ? low : high)[place * kQuarter + (c >> 2) + row * kRowWords];
            }
            run<kBytes, median::kSort<kWide>>(wires, sorted);
        };
        // Both quarters look at rows 2 and K.
#pragma unroll 1
        for (int i = 0; i < 2; ++i) {
            Pair sorted[kWide];
            sortRow(i ? K : 2, sorted);
#pragma unroll
            for (int k = 0; k < kWide; ++k) spare[(i * kWide + k) * kThreads] = sorted[k];
        }
#pragma unroll 1
        for (int top = 0; top < kTile; top += 2) {  // quarters of 2 x 2
            const Pair* const kept = spare + (top ? kWide * kThreads : 0);
            Pair square[S::kSquare];
            {
                Pair rows[2 * kWide], all[S::kTall + 2 * kWide];
                sortRow(top ? K + 1 : 1, rows);
                copy<kWide>(kept, kThreads, rows + kWide);
                copy<S::kTall>(tall, 1, all);
                run<kBytes, median::kMerge<median::kKeepAll, kWide, kWide>>(rows, all + S::kTall);
                run<kBytes, median::kMerge<S::kAll - kWide * kWide, S::kTall, 2 * kWide>>(all,
                                                                                          square);
            }
            // Of the rows above and below, that of the tile's end and that of its middle.
            const int outerRow = top ? K + 2 : 0, innerRow = top ? 2 : K;
            const Pair* const inner = spare + (top ? 0 : kWide * kThreads);
            Pair outer[kWide];
            sortRow(outerRow, outer);
            // Both at once wait less for one another's minima; large windows have enough to do at
            // once in each, and too few registers for two.
            constexpr int kAtOnce = K < kLeastGroupedSide ? 2 : 1;
#pragma unroll(kAtOnce)
            for (int x = left; x < left + 2; ++x) {  // 1 x 2
                const Pair* const side = columnAt<K>(base, x == left ? left : left + K);
                Pair pair[S::kPair];
                {
                    Pair all[S::kSquare + kWide];
                    copy<S::kSquare>(square, 1, all);
                    sortColumn<kBytes, kWide>(side + (top + 1) * kRowWords, all + S::kSquare);
                    run<kBytes, median::kMerge<K, S::kSquare, kWide>>(all, pair);
                }
                // The median is the last sample or one of the middle two of the others.
                const auto medianOf = [&](const Pair* row, int pitch, Pair last) {
                    Pair all[S::kPair + kWide], middle[2];
                    copy<S::kPair>(pair, 1, all);
                    copy<kWide>(row, pitch, all + S::kPair);
                    run<kBytes, median::kMerge<1, S::kPair, kWide>>(all, middle);
                    return higher(middle[0], lower(middle[1], last));
                };
                put(results[((top ? 3 : 0) * kTile + x) * kThreads],
                    medianOf(outer, 1, side[outerRow * kRowWords]));
                put(results[((top ? 2 : 1) * kTile + x) * kThreads],
                    medianOf(inner, kThreads, side[innerRow * kRowWords]));
            }
        }
    }
}

}  // namespace median_tiles

}  // namespace warpscope::cuda
