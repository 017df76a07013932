#include "engine/operations/geometry/resize_rows.h"

#include <algorithm>
#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/geometry/resize_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "engine/operations/vector_loops.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

void resizeAcross8(const ResizeBlocks&, bool, const std::uint8_t* const*, std::int16_t* const*) {}
void resizeAcross16(const ResizeBlocks&, bool, const std::uint16_t* const*, std::int32_t* const*) {}
void resizeDown8(const ResizeColumns&, int, const std::int16_t* const*, int, int, std::uint8_t*) {}
void resizeDown16(const std::int32_t*, const std::int32_t* const*, int, int, std::uint16_t*) {}

#else

using D8 = hn::ScalableTag<std::uint8_t>;
using D16 = hn::Repartition<std::int16_t, D8>;
using D32 = hn::Repartition<std::int32_t, D8>;
using D64 = hn::Repartition<std::int64_t, D8>;
using V16 = hn::Vec<D16>;
using V32 = hn::Vec<D32>;

// 16 bytes of each row make a vector.
template <class D>
HWY_ATTR HWY_INLINE hn::Vec<D> rowsAt(D d, const std::uint8_t* const* rows, std::ptrdiff_t at) {
    if constexpr (hn::MaxLanes(D()) == 16) {
        return hn::LoadU(d, rows[0] + at);
    } else {
        const hn::Half<D> half;
        return hn::Combine(d, rowsAt(half, rows + hn::MaxLanes(D()) / 32, at),
                           rowsAt(half, rows, at));
    }
}

template <class D, class T = hn::TFromD<D>>
HWY_ATTR HWY_INLINE void toRows(D d, hn::Vec<D> made, T* const* rows, std::ptrdiff_t at) {
    if constexpr (hn::MaxLanes(D()) * sizeof(T) == 16) {
        hn::Store(made, d, rows[0] + at);
    } else {
        const hn::Half<D> half;
        toRows(half, hn::LowerHalf(half, made), rows, at);
        toRows(half, hn::UpperHalf(half, made), rows + hn::MaxLanes(D()) * sizeof(T) / 32, at);
    }
}

// Adds products of neighbouring pairs.
HWY_ATTR HWY_INLINE void addPairs(V32& sum, V16 a, V16 b) {
    V32 rest = hn::Zero(D32());
    sum = hn::ReorderWidenMulAccumulate(D32(), a, b, sum, rest);
    if (HWY_MAX_BYTES == 16 && HWY_ARCH_ARM) sum = hn::Add(sum, rest);
}

// The sums of a block of all rows, a vector for each plane.
template <int kPlanes>
struct BlockSums {
    V32 of[kPlanes];
};

template <int kPlanes>
HWY_ATTR HWY_INLINE V16 signedTaps(hn::Vec<D8> bytes) {
    // 16-bit samples: less by 32768.
    const V16 taps = hn::BitCast(D16(), bytes);
    return kPlanes == 3 ? hn::Xor(taps, hn::Set(D16(), std::int16_t(-32768))) : taps;
}

template <int kPlanes>
HWY_ATTR HWY_INLINE BlockSums<kPlanes> grayBlock(const ResizeBlocks& b, int block,
                                                 const std::uint8_t* const* rows) {
    BlockSums<kPlanes> sums;
    WARPSCOPE_UNROLL
    for (int plane = 0; plane < kPlanes; ++plane)
        sums.of[plane] = hn::LoadDup128(D32(), b.starts.data() + (block * kPlanes + plane) * 4);
    const std::ptrdiff_t pairs = std::ptrdiff_t(block) * b.loads * b.pairsPerLoad;
    const std::uint8_t* picks = b.picks.data() + pairs * 16;
    const std::int16_t* weights = b.weights.data() + pairs * 8 * kPlanes;
    const std::int32_t* at = b.at.data() + std::ptrdiff_t(block) * b.loads;
    for (int load = 0; load < b.loads; ++load) {
        const hn::Vec<D8> from = rowsAt(D8(), rows, at[load]);
        for (int pair = 0; pair < b.pairsPerLoad; ++pair, picks += 16) {
            const V16 taps =
                signedTaps<kPlanes>(hn::TableLookupBytesOr0(from, hn::LoadDup128(D8(), picks)));
            WARPSCOPE_UNROLL
            for (int plane = 0; plane < kPlanes; ++plane, weights += 8)
                addPairs(sums.of[plane], taps, hn::LoadDup128(D16(), weights));
        }
    }
    return sums;
}

template <int kPlanes>
HWY_ATTR HWY_INLINE BlockSums<kPlanes> colourBlock(const ResizeBlocks& b, int block,
                                                   const std::uint8_t* const* rows) {
    BlockSums<kPlanes> sums;
    WARPSCOPE_UNROLL
    for (int plane = 0; plane < kPlanes; ++plane)
        sums.of[plane] = hn::Set(D32(), b.starts[std::size_t(block * kPlanes + plane)]);
    const std::ptrdiff_t pairs = std::ptrdiff_t(block) * b.loads * b.pairsPerLoad;
    const std::int16_t* weights = b.weights.data() + pairs * 2 * kPlanes;
    const std::int32_t* at = b.at.data() + std::ptrdiff_t(block) * b.loads;
    for (int load = 0; load < b.loads; ++load) {
        const hn::Vec<D8> from = rowsAt(D8(), rows, at[load]);
        for (int pair = 0; pair < b.pairsPerLoad; ++pair) {
            const V16 taps = signedTaps<kPlanes>(
                hn::TableLookupBytesOr0(from, hn::LoadDup128(D8(), b.picks.data() + 16 * pair)));
            WARPSCOPE_UNROLL
            for (int plane = 0; plane < kPlanes; ++plane, weights += 2) {
                std::int32_t both;
                __builtin_memcpy(&both, weights, sizeof(both));
                addPairs(sums.of[plane], taps, hn::BitCast(D16(), hn::Set(D32(), both)));
            }
        }
    }
    return sums;
}

// Of four vectors the sums of each 16 bytes.
HWY_ATTR HWY_INLINE V32 blockTotals(V32 a, V32 b, V32 c, V32 d) {
    const D32 d32;
    const D64 d64;
    const auto first =
        hn::BitCast(d64, hn::Add(hn::InterleaveLower(d32, a, b), hn::InterleaveUpper(d32, a, b)));
    const auto second =
        hn::BitCast(d64, hn::Add(hn::InterleaveLower(d32, c, d), hn::InterleaveUpper(d32, c, d)));
    return hn::Add(hn::BitCast(d32, hn::InterleaveLower(d64, first, second)),
                   hn::BitCast(d32, hn::InterleaveUpper(d64, first, second)));
}

template <int kPlanes>
HWY_ATTR HWY_INLINE BlockSums<kPlanes> longBlock(const ResizeBlocks& b, int block,
                                                 const std::uint8_t* const* rows) {
    V32 parts[4][kPlanes];
    const std::ptrdiff_t pixelLoads = std::ptrdiff_t(block) * 4 * b.loads;
    const std::int16_t* weights = b.weights.data() + pixelLoads * b.pairsPerLoad * kPlanes * 8;
    const std::int32_t* at = b.at.data() + pixelLoads;
    WARPSCOPE_UNROLL
    for (int pixel = 0; pixel < 4; ++pixel) {
        WARPSCOPE_UNROLL
        for (int plane = 0; plane < kPlanes; ++plane) parts[pixel][plane] = hn::Zero(D32());
        for (int load = 0; load < b.loads; ++load) {
            const hn::Vec<D8> from = rowsAt(D8(), rows, *at++);
            V16 taps[2] = {};
            if constexpr (kPlanes == 3) {
                taps[0] = signedTaps<kPlanes>(from);
            } else {
                const hn::Vec<D8> zero = hn::Zero(D8());
                taps[0] = hn::BitCast(D16(), hn::InterleaveLower(D8(), from, zero));
                taps[1] = hn::BitCast(D16(), hn::InterleaveUpper(D8(), from, zero));
            }
            WARPSCOPE_UNROLL
            for (int group = 0; group < (kPlanes == 3 ? 1 : 2); ++group) WARPSCOPE_UNROLL
            for (int plane = 0; plane < kPlanes; ++plane, weights += 8)
                addPairs(parts[pixel][plane], taps[group], hn::LoadDup128(D16(), weights));
        }
    }
    BlockSums<kPlanes> sums;
    WARPSCOPE_UNROLL
    for (int plane = 0; plane < kPlanes; ++plane)
        sums.of[plane] =
            hn::Add(blockTotals(parts[0][plane], parts[1][plane], parts[2][plane], parts[3][plane]),
                    hn::LoadDup128(D32(), b.starts.data() + (block * kPlanes + plane) * 4));
    return sums;
}

enum class BlockKind { Gray, Colour, Long };

template <int kPlanes>
struct TwoBlocks {
    BlockSums<kPlanes> one, other;
};

// Of one load.
template <int kPlanes, int kPairs>
HWY_ATTR HWY_INLINE TwoBlocks<kPlanes> sharedBlocks(const ResizeBlocks& b, int block,
                                                    const std::uint8_t* const* rows) {
    const hn::Vec<D8> from = rowsAt(D8(), rows, b.at[std::size_t(block)]);
    const std::ptrdiff_t pairs = std::ptrdiff_t(block) * kPairs;
    const std::uint8_t* picks = b.picks.data() + pairs * 16;
    const std::int16_t* weights = b.weights.data() + pairs * 8 * kPlanes;
    const std::int32_t* starts = b.starts.data() + std::ptrdiff_t(block) * kPlanes * 4;
    const auto sumsOf = [&](int which) HWY_ATTR {
        BlockSums<kPlanes> sums;
        WARPSCOPE_UNROLL
        for (int plane = 0; plane < kPlanes; ++plane)
            sums.of[plane] = hn::LoadDup128(D32(), starts + (which * kPlanes + plane) * 4);
        WARPSCOPE_UNROLL
        for (int pair = which * kPairs; pair < (which + 1) * kPairs; ++pair) {
            const V16 taps = signedTaps<kPlanes>(
                hn::TableLookupBytesOr0(from, hn::LoadDup128(D8(), picks + 16 * pair)));
            WARPSCOPE_UNROLL
            for (int plane = 0; plane < kPlanes; ++plane)
                addPairs(sums.of[plane], taps,
                         hn::LoadDup128(D16(), weights + 8 * (pair * kPlanes + plane)));
        }
        return sums;
    };
    return {sumsOf(0), sumsOf(1)};
}

// `kShared`: pairs of blocks that share their load; 0: none do.
template <BlockKind kKind, int kPlanes, int kShared>
HWY_ATTR HWY_INLINE TwoBlocks<kPlanes> blocksOf(const ResizeBlocks& b, int block,
                                                const std::uint8_t* const* rows) {
    if constexpr (kShared > 0) return sharedBlocks<kPlanes, kShared>(b, block, rows);
    if constexpr (kKind == BlockKind::Gray)
        return {grayBlock<kPlanes>(b, block, rows), grayBlock<kPlanes>(b, block + 1, rows)};
    if constexpr (kKind == BlockKind::Colour)
        return {colourBlock<kPlanes>(b, block, rows), colourBlock<kPlanes>(b, block + 1, rows)};
    if constexpr (kKind == BlockKind::Long)
        return {longBlock<kPlanes>(b, block, rows), longBlock<kPlanes>(b, block + 1, rows)};
}

constexpr int kRowsOfVector = HWY_MAX_BYTES / 16 < kResizeRows ? HWY_MAX_BYTES / 16 : kResizeRows;

template <int kPlanes, int kShift>
HWY_ATTR HWY_INLINE V32 middle8(const BlockSums<kPlanes>& sums) {
    if constexpr (kPlanes == 1) return hn::ShiftRight<8 - kShift>(sums.of[0]);
    return hn::ShiftRight<8>(hn::Add(hn::ShiftLeft<2>(sums.of[0]), sums.of[kPlanes - 1]));
}

template <BlockKind kKind, int kPlanes, int kShift, int kShared>
HWY_ATTR HWY_NOINLINE void across8(const ResizeBlocks& b, const std::uint8_t* const* from,
                                   std::int16_t* const* to) {
    // What is below 0 saturates.
    const V16 most = hn::Set(D16(), std::int16_t((255 << 8) - 32768));
    for (int row = 0; row < kResizeRows; row += kRowsOfVector)
        for (int block = 0; block < b.blocks; block += 2) {
            const auto sums = blocksOf<kKind, kPlanes, kShared>(b, block, from + row);
            toRows(D16(),
                   hn::Min(hn::ReorderDemote2To(D16(), middle8<kPlanes, kShift>(sums.one),
                                                middle8<kPlanes, kShift>(sums.other)),
                           most),
                   to + row, 4 * block);
        }
}

template <BlockKind kKind, int kShared = 0>
HWY_ATTR void across8As(const ResizeBlocks& b, const std::uint8_t* const* from,
                        std::int16_t* const* to) {
    if (b.planes == 2) return across8<kKind, 2, 0, kShared>(b, from, to);
    b.shift == 0 ? across8<kKind, 1, 0, kShared>(b, from, to)
                 : across8<kKind, 1, 2, kShared>(b, from, to);
}

HWY_ATTR void resizeAcross8(const ResizeBlocks& b, bool colour, const std::uint8_t* const* from,
                            std::int16_t* const* to) {
    static_assert(kMostSharedPairs == 3);
    if (b.isShared && b.pairsPerLoad == 1) return across8As<BlockKind::Gray, 1>(b, from, to);
    if (b.isShared && b.pairsPerLoad == 2) return across8As<BlockKind::Gray, 2>(b, from, to);
    if (b.isShared) return across8As<BlockKind::Gray, 3>(b, from, to);
    if (b.isLong) return across8As<BlockKind::Long>(b, from, to);
    colour ? across8As<BlockKind::Colour>(b, from, to) : across8As<BlockKind::Gray>(b, from, to);
}

HWY_ATTR HWY_INLINE V32 middle16(const BlockSums<3>& sums) {
    const V32 low = hn::Add(sums.of[1], hn::ShiftRight<8>(sums.of[2]));
    const V32 all = hn::ShiftRight<6>(hn::Add(sums.of[0], hn::ShiftRight<8>(low)));
    return hn::Min(hn::Max(all, hn::Zero(D32())), hn::Set(D32(), 65535 << 8));
}

template <BlockKind kKind, int kShared = 0>
HWY_ATTR HWY_NOINLINE void across16(const ResizeBlocks& b, const std::uint8_t* const* from,
                                    std::int32_t* const* to) {
    for (int row = 0; row < kResizeRows; row += kRowsOfVector)
        for (int block = 0; block < b.blocks; block += 2) {
            const auto sums = blocksOf<kKind, 3, kShared>(b, block, from + row);
            toRows(D32(), middle16(sums.one), to + row, 4 * block);
            toRows(D32(), middle16(sums.other), to + row, 4 * block + 4);
        }
}

HWY_ATTR void resizeAcross16(const ResizeBlocks& b, bool colour, const std::uint16_t* const* rows,
                             std::int32_t* const* to) {
    const std::uint8_t* from[kResizeRows];
    for (int i = 0; i < kResizeRows; ++i) from[i] = reinterpret_cast<const std::uint8_t*>(rows[i]);
    if (b.isShared && b.pairsPerLoad == 1) return across16<BlockKind::Gray, 1>(b, from, to);
    if (b.isShared && b.pairsPerLoad == 2) return across16<BlockKind::Gray, 2>(b, from, to);
    if (b.isShared) return across16<BlockKind::Gray, 3>(b, from, to);
    if (b.isLong) return across16<BlockKind::Long>(b, from, to);
    colour ? across16<BlockKind::Colour>(b, from, to) : across16<BlockKind::Gray>(b, from, to);
}

// Calls make(place) for vectors of samples and gives what it makes to `to`, the last one in part.
template <class D, class Make>
HWY_ATTR HWY_INLINE void storedVectors(D d, int samples, hn::TFromD<D>* to, const Make& make) {
    const int lanes = int(hn::Lanes(d));
    int x = 0;
    for (; x + lanes <= samples; x += lanes) hn::StoreU(make(x), d, to + x);
    if (x == samples) return;
    HWY_ALIGN hn::TFromD<D> last[hn::MaxLanes(D())];
    hn::Store(make(x), d, last);
    std::copy_n(last, samples - x, to + x);
}

// `kPairs`: 0 for any number. `kLow`: some w1 is not 0.
template <int kPairs, bool kLow>
HWY_ATTR HWY_NOINLINE void down8(const std::int32_t* words, std::int32_t start,
                                 const std::int16_t* const* rows, int pairs, int samples,
                                 std::uint8_t* to) {
    const D16 d16;
    const D32 d32;
    const hn::Half<D8> bytes;
    const V32 first = hn::Set(d32, start);
    const int n = kPairs == 0 ? pairs : kPairs;
    storedVectors(bytes, samples, to, [&](int x) HWY_ATTR WARPSCOPE_INLINED {
        V32 high[2] = {first, first}, low[2] = {hn::Zero(d32), hn::Zero(d32)};
        for (int pair = 0; pair < n; ++pair) {
            const V16 above = hn::LoadU(d16, rows[2 * pair] + x),
                      below = hn::LoadU(d16, rows[2 * pair + 1] + x);
            const V16 taps[2] = {hn::InterleaveLower(d16, above, below),
                                 hn::InterleaveUpper(d16, above, below)};
            WARPSCOPE_UNROLL
            for (int i = 0; i < 2; ++i) {
                addPairs(high[i], taps[i], hn::BitCast(d16, hn::Set(d32, words[2 * pair])));
                if (kLow)
                    addPairs(low[i], taps[i], hn::BitCast(d16, hn::Set(d32, words[2 * pair + 1])));
            }
        }
        WARPSCOPE_UNROLL
        for (int i = 0; i < 2; ++i)
            high[i] =
                hn::ShiftRight<20>(kLow ? hn::Add(high[i], hn::ShiftRight<4>(low[i])) : high[i]);
        return hn::DemoteTo(bytes, hn::ReorderDemote2To(d16, high[0], high[1]));
    });
}

template <bool kLow>
HWY_ATTR void down8As(const std::int32_t* words, std::int32_t start,
                      const std::int16_t* const* rows, int pairs, int samples, std::uint8_t* to) {
    const auto body = pairs == 1   ? down8<1, kLow>
                      : pairs == 2 ? down8<2, kLow>
                      : pairs == 3 ? down8<3, kLow>
                      : pairs == 4 ? down8<4, kLow>
                                   : down8<0, kLow>;
    body(words, start, rows, pairs, samples, to);
}

HWY_ATTR void resizeDown8(const ResizeColumns& columns, int y, const std::int16_t* const* rows,
                          int pairs, int samples, std::uint8_t* to) {
    const auto at = std::size_t(y);
    (columns.hasLow ? down8As<true> : down8As<false>)(columns.words.data() + columns.begin[at],
                                                      columns.starts[at], rows, pairs, samples, to);
}

HWY_ATTR void resizeDown16(const std::int32_t* weights, const std::int32_t* const* rows, int count,
                           int samples, std::uint16_t* to) {
    const D32 d32;
    const D64 d64;
    const hn::RebindToUnsigned<D64> du64;
    const hn::Rebind<std::uint16_t, D32> words;
    // Half a level; and so many levels that no sum is negative.
    constexpr std::int64_t kStart = (std::int64_t(1) << 37) + (std::int64_t(1) << 60);
    const V32 levels = hn::Set(d32, 1 << 22);
    storedVectors(words, samples, to, [&](int x) HWY_ATTR WARPSCOPE_INLINED {
        auto even = hn::Set(d64, kStart), odd = even;
        for (int tap = 0; tap < count; ++tap) {
            const V32 row = hn::LoadU(d32, rows[tap] + x);
            const V32 weight = hn::Set(d32, weights[tap]);
            const V32 next = hn::BitCast(d32, hn::ShiftRight<32>(hn::BitCast(du64, row)));
            even = hn::Add(even, hn::MulEven(row, weight));
            odd = hn::Add(odd, hn::MulEven(next, weight));
        }
        const auto low = hn::ShiftRight<38>(hn::BitCast(du64, even));
        const auto high = hn::ShiftLeft<32>(hn::ShiftRight<38>(hn::BitCast(du64, odd)));
        return hn::DemoteTo(words, hn::Sub(hn::BitCast(d32, hn::Or(low, high)), levels));
    });
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace warpscope {

HWY_EXPORT(resizeAcross8);
HWY_EXPORT(resizeAcross16);
HWY_EXPORT(resizeDown8);
HWY_EXPORT(resizeDown16);

void resizeAcross(const ResizeBlocks& blocks, int channels, const std::uint8_t* const* from,
                  std::int16_t* const* to) {
    HWY_DYNAMIC_DISPATCH(resizeAcross8)(blocks, channels == 4, from, to);
}

void resizeAcross(const ResizeBlocks& blocks, int channels, const std::uint16_t* const* from,
                  std::int32_t* const* to) {
    HWY_DYNAMIC_DISPATCH(resizeAcross16)(blocks, channels == 4, from, to);
}

void resizeDown(const ResizeColumns& columns, int y, const std::int16_t* const* rows, int samples,
                std::uint8_t* to) {
    HWY_DYNAMIC_DISPATCH(resizeDown8)(columns, y, rows, columns.pairs[std::size_t(y)], samples, to);
}

void resizeDown(const std::int32_t* weights, const std::int32_t* const* rows, int count,
                int samples, std::uint16_t* to) {
    HWY_DYNAMIC_DISPATCH(resizeDown16)(weights, rows, count, samples, to);
}

}  // namespace warpscope

#endif  // HWY_ONCE
