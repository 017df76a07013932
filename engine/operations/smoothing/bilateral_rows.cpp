#include "engine/operations/smoothing/bilateral_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/smoothing/bilateral_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstdlib>

#include "engine/operations/smoothing/bilateral.h"
#include "engine/operations/vector_loops.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if !WARPSCOPE_X86_VECTORS
template <int C>
void weightsRow(const std::uint8_t* const* planes, const BilateralPair& pair, int count,
                std::uint8_t* out) {
    for (int x = 0; x < count; ++x) {
        int d = 0;
        for (int c = 0; c < C; ++c) d += std::abs(planes[c][x + pair.offset] - planes[c][x]);
        out[x] = d < 16 * pair.blocks ? pair.weights[d] : std::uint8_t(0);
    }
}
#endif

#if HWY_TARGET == HWY_SCALAR
template <int C>
void eightBitRow(const std::uint8_t* const* planes, std::uint8_t* const* out, int width,
                 const BilateralUse* uses, int count) {
    for (int x = 0; x < width; ++x) {
        std::uint32_t weights = 256, sums[C];
        for (int c = 0; c < C; ++c) sums[c] = 256u * planes[c][x];
        for (int t = 0; t < count; ++t) {
            const std::uint32_t after = uses[t].own[x], before = uses[t].mirrored[x];
            weights += after + before;
            for (int c = 0; c < C; ++c)
                sums[c] +=
                    after * planes[c][x + uses[t].offset] + before * planes[c][x - uses[t].offset];
        }
        for (int c = 0; c < C; ++c)
            out[c][x] = std::uint8_t((2 * sums[c] + weights) / (2 * weights));
    }
}
#else
using D8 = hn::ScalableTag<std::uint8_t>;
using D16 = hn::Repartition<std::int16_t, D8>;
using D32 = hn::Repartition<std::int32_t, D8>;
using V8 = hn::Vec<D8>;
using V16 = hn::Vec<D16>;
using V32 = hn::Vec<D32>;

// 16-bit values of two taps side by side, of the pixels 4 k to 4 k + 3 of each block.
struct SideBySide {
    V16 quarter[4];
};
HWY_ATTR HWY_INLINE SideBySide sideBySide(V8 a, V8 b) {
    const D8 d;
    const D16 wide;
    const V8 zero = hn::Zero(d);
    const V8 lower = hn::InterleaveLower(d, a, b), upper = hn::InterleaveUpper(d, a, b);
    return {{hn::BitCast(wide, hn::InterleaveLower(d, lower, zero)),
             hn::BitCast(wide, hn::InterleaveUpper(d, lower, zero)),
             hn::BitCast(wide, hn::InterleaveLower(d, upper, zero)),
             hn::BitCast(wide, hn::InterleaveUpper(d, upper, zero))}};
}

// Sums of pairs; some targets keep them in two halves.
struct Sums {
    V32 one[4], other[4];

    HWY_ATTR HWY_INLINE void clear() {
        WARPSCOPE_UNROLL
        for (int q = 0; q < 4; ++q) one[q] = other[q] = hn::Zero(D32());
    }
    HWY_ATTR HWY_INLINE void add(const SideBySide& a, const SideBySide& b) {
        WARPSCOPE_UNROLL
        for (int q = 0; q < 4; ++q)
            one[q] =
                hn::ReorderWidenMulAccumulate(D32(), a.quarter[q], b.quarter[q], one[q], other[q]);
    }
    HWY_ATTR HWY_INLINE V32 of(int q) const { return hn::RearrangeToOddPlusEven(one[q], other[q]); }
};

template <int C>
HWY_ATTR HWY_INLINE V8 differenceOf(const V8 (&centre)[C], const V8 (&other)[C]) {
    const auto one = [&](int c) HWY_ATTR {
        return hn::Or(hn::SaturatedSub(centre[c], other[c]), hn::SaturatedSub(other[c], centre[c]));
    };
    V8 sum = one(0);
    for (int c = 1; c < C; ++c) sum = hn::SaturatedAdd(sum, one(c));
    return sum;
}

#if WARPSCOPE_X86_VECTORS
// Two vectors at a time. Differences beyond 16 `blocks` - 1 find nothing: an index with its highest
// bit set gives 0.
template <int C>
HWY_ATTR void weightsRow(const std::uint8_t* const* planes, const BilateralPair& pair, int count,
                         std::uint8_t* out) {
    const D8 d;
    const int lanes = int(hn::Lanes(d));
    const V8 bias = hn::Set(d, std::uint8_t(0x70)), sixteen = hn::Set(d, std::uint8_t(16));
    const auto differenceAt = [&](int x) HWY_ATTR WARPSCOPE_INLINED {
        V8 centre[C], other[C];
        WARPSCOPE_UNROLL
        for (int c = 0; c < C; ++c) {
            centre[c] = hn::LoadU(d, planes[c] + x);
            other[c] = hn::LoadU(d, planes[c] + x + pair.offset);
        }
        return differenceOf<C>(centre, other);
    };
    for (int x = 0; x < count; x += 2 * lanes) {
        V8 first = differenceAt(x), second = differenceAt(x + lanes);
        V8 a = hn::Zero(d), b = hn::Zero(d);
        for (int k = 0; k < 16 * pair.blocks; k += 16) {
            const V8 table = hn::LoadDup128(d, pair.weights + k);
            a = hn::Or(a, hn::TableLookupBytesOr0(table, hn::SaturatedAdd(first, bias)));
            b = hn::Or(b, hn::TableLookupBytesOr0(table, hn::SaturatedAdd(second, bias)));
            first = hn::Sub(first, sixteen);
            second = hn::Sub(second, sixteen);
        }
        hn::StoreU(a, d, out + x);
        hn::StoreU(b, d, out + x + lanes);
    }
}
#endif

// Of bytes side by side the sums.
HWY_ATTR HWY_INLINE V16 pairSums(V8 bytes) {
#if HWY_TARGET == HWY_AVX2
    return V16{_mm256_maddubs_epi16(bytes.raw, _mm256_set1_epi8(1))};
#else
    const D16 d;
    const V16 pairs = hn::BitCast(d, bytes);
    const hn::RebindToUnsigned<D16> du;
    const V16 second = hn::BitCast(d, hn::ShiftRight<8>(hn::BitCast(du, pairs)));
    return hn::Add(hn::And(pairs, hn::Set(d, 255)), second);
#endif
}

// Adds the weights at column x, in lanes of 16 bits as long as they hold them.
HWY_ATTR HWY_INLINE void addWeights(int x, const BilateralUse* uses, int count, V32 (&sums)[4]) {
    constexpr int kMost = 65535 / 510;
    const D8 d;
    const D16 wide;
    for (int q = 0; q < 4; ++q) sums[q] = hn::Zero(D32());
    for (int begin = 0; begin < count; begin += kMost) {
        V16 lower = hn::Zero(wide), upper = hn::Zero(wide);
        for (int t = begin; t < std::min(count, begin + kMost); ++t) {
            const V8 own = hn::LoadU(d, uses[t].own + x);
            const V8 mirrored = hn::LoadU(d, uses[t].mirrored + x);
            lower = hn::Add(lower, pairSums(hn::InterleaveLower(d, own, mirrored)));
            upper = hn::Add(upper, pairSums(hn::InterleaveUpper(d, own, mirrored)));
        }
        const V16 zero = hn::Zero(wide);
        const V16 quarters[4] = {
            hn::InterleaveLower(wide, lower, zero), hn::InterleaveUpper(wide, lower, zero),
            hn::InterleaveLower(wide, upper, zero), hn::InterleaveUpper(wide, upper, zero)};
        WARPSCOPE_UNROLL
        for (int q = 0; q < 4; ++q) sums[q] = hn::Add(sums[q], hn::BitCast(D32(), quarters[q]));
    }
}

// Adds the samples of a plane times their weights at column x. One colour at a time: the sums of
// all would be as many as there are registers without AVX-512.
HWY_ATTR HWY_INLINE void addSamples(const std::uint8_t* plane, int x, const BilateralUse* uses,
                                    int count, V32 (&sums)[4]) {
    const D8 d;
    Sums sum;
    sum.clear();
    for (int t = 0; t < count; ++t) {
        const std::uint8_t* at = plane + x;
        sum.add(sideBySide(hn::LoadU(d, uses[t].own + x), hn::LoadU(d, uses[t].mirrored + x)),
                sideBySide(hn::LoadU(d, at + uses[t].offset), hn::LoadU(d, at - uses[t].offset)));
    }
    WARPSCOPE_UNROLL
    for (int q = 0; q < 4; ++q) sums[q] = sum.of(q);
}

// The largest whole number that is no more than a / b.
HWY_ATTR HWY_INLINE V32 quotient(V32 a, V32 b) {
    const D32 d;
    const hn::Repartition<float, D32> real;
    const V32 about = hn::ConvertTo(d, hn::Div(hn::ConvertTo(real, a), hn::ConvertTo(real, b)));
    const V32 rest = hn::Sub(a, hn::Mul(about, b));
    const V32 one = hn::Set(d, 1);
    const V32 less = hn::Sub(about, hn::IfThenElseZero(hn::Lt(rest, hn::Zero(d)), one));
    return hn::Add(less, hn::IfThenElseZero(hn::Not(hn::Lt(rest, b)), one));
}

template <int C>
HWY_ATTR void eightBitRow(const std::uint8_t* const* planes, std::uint8_t* const* out, int width,
                          const BilateralUse* uses, int count) {
    const D8 d;
    const D32 wide;
    const int lanes = int(hn::Lanes(d));
    // The lowest bytes of the words of quarter q to where they belong.
    alignas(16) static constexpr std::uint8_t kOrder[4][16] = {
        {0, 4, 8, 12, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128},
        {128, 128, 128, 128, 0, 4, 8, 12, 128, 128, 128, 128, 128, 128, 128, 128},
        {128, 128, 128, 128, 128, 128, 128, 128, 0, 4, 8, 12, 128, 128, 128, 128},
        {128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 0, 4, 8, 12}};
    for (int x = 0; x < width; x += lanes) {
        V32 weights[4];
        addWeights(x, uses, count, weights);
        for (int c = 0; c < C; ++c) {
            V32 sums[4];
            addSamples(planes[c], x, uses, count, sums);
            const SideBySide own = sideBySide(hn::LoadU(d, planes[c] + x), hn::Zero(d));
            V8 made = hn::Zero(d);
            WARPSCOPE_UNROLL
            for (int q = 0; q < 4; ++q) {
                const V32 weight = hn::Add(weights[q], hn::Set(wide, 256));
                const V32 sum =
                    hn::Add(sums[q], hn::ShiftLeft<8>(hn::BitCast(wide, own.quarter[q])));
                const V32 value =
                    quotient(hn::Add(hn::Add(sum, sum), weight), hn::Add(weight, weight));
                made = hn::Or(made, hn::TableLookupBytesOr0(hn::BitCast(d, value),
                                                            hn::LoadDup128(d, kOrder[q])));
            }
            hn::StoreU(made, d, out[c] + x);
        }
    }
}
#endif

HWY_ATTR void weightsOfRow(const std::uint8_t* const* planes, int channels,
                           const BilateralPair& pair, int count, std::uint8_t* out) {
    channels == 1 ? weightsRow<1>(planes, pair, count, out)
                  : weightsRow<3>(planes, pair, count, out);
}

HWY_ATTR void rowOf8Bits(const std::uint8_t* const* planes, std::uint8_t* const* out, int channels,
                         int width, const BilateralUse* uses, int count) {
    channels == 1 ? eightBitRow<1>(planes, out, width, uses, count)
                  : eightBitRow<3>(planes, out, width, uses, count);
}

template <int C>
HWY_ATTR void sumsOf(const std::int32_t* const* planes, int width,
                     const BilateralNeighbour* neighbours, int count, const std::int32_t* range,
                     int last, int shift, std::int32_t* weights, std::int32_t* const* low,
                     std::int32_t* const* high) {
    const hn::ScalableTag<std::int32_t> d;
    using V = hn::Vec<decltype(d)>;
    const int lanes = int(hn::Lanes(d));
    const V half = hn::Set(d, (1 << shift) >> 1), end = hn::Set(d, last);
    const V byte = hn::Set(d, 255), rounding = hn::Set(d, 128);
    for (int x = 0; x < width; x += lanes) {
        V centre[C], lower[C], upper[C];
        V weight = hn::Zero(d);
        WARPSCOPE_UNROLL
        for (int c = 0; c < C; ++c) {
            centre[c] = hn::LoadU(d, planes[c] + x);
            lower[c] = upper[c] = hn::Zero(d);
        }
        for (int t = 0; t < count; ++t) {
            V other[C];
            V difference = half;
            WARPSCOPE_UNROLL
            for (int c = 0; c < C; ++c) {
                other[c] = hn::LoadU(d, planes[c] + x + neighbours[t].offset);
                difference = hn::Add(difference, hn::Abs(hn::Sub(other[c], centre[c])));
            }
            const V at = hn::Min(hn::ShiftRightSame(difference, shift), end);
            const V found = hn::GatherIndex(d, range, at);
            const V w = hn::ShiftRight<8>(
                hn::Add(hn::Mul(found, hn::Set(d, neighbours[t].weight)), rounding));
            weight = hn::Add(weight, w);
            WARPSCOPE_UNROLL
            for (int c = 0; c < C; ++c) {
                lower[c] = hn::Add(lower[c], hn::Mul(w, hn::And(other[c], byte)));
                upper[c] = hn::Add(upper[c], hn::Mul(w, hn::ShiftRight<8>(other[c])));
            }
        }
        hn::StoreU(weight, d, weights + x);
        WARPSCOPE_UNROLL
        for (int c = 0; c < C; ++c) {
            hn::StoreU(lower[c], d, low[c] + x);
            hn::StoreU(upper[c], d, high[c] + x);
        }
    }
}

template <class... Rest>
HWY_ATTR void sumsOfIntegers(const std::int32_t* const* planes, int channels, Rest... rest) {
    channels == 1 ? sumsOf<1>(planes, rest...) : sumsOf<3>(planes, rest...);
}
HWY_ATTR void integerSums(const std::int32_t* const* planes, int channels, int width,
                          const BilateralNeighbour* neighbours, int count,
                          const std::int32_t* range, int last, int shift, std::int32_t* weights,
                          std::int32_t* const* low, std::int32_t* const* high) {
    sumsOfIntegers(planes, channels, width, neighbours, count, range, last, shift, weights, low,
                   high);
}

// 2^-t for t >= 0. No multiplication is fused with an addition: bits are the same everywhere.
template <class V>
HWY_ATTR HWY_INLINE V halvings(V t) {
    const hn::ScalableTag<float> d;
    const hn::RebindToSigned<decltype(d)> whole;
    const V steps = hn::Round(hn::Min(t, hn::Set(d, kBilateralFaint)));
    const V f = hn::Sub(steps, t);
    V made = hn::Set(d, kBilateralExp[0]);
    for (int i = 1; i < 8; ++i) made = hn::Add(hn::Mul(made, f), hn::Set(d, kBilateralExp[i]));
    const auto exponent = hn::Sub(hn::Set(whole, 127), hn::ConvertTo(whole, steps));
    const V scaled = hn::Mul(made, hn::BitCast(d, hn::ShiftLeft<23>(exponent)));
    return hn::IfThenZeroElse(hn::Gt(t, hn::Set(d, kBilateralFaint - 1)), scaled);
}

template <int C>
HWY_ATTR void floatRow(const float* const* planes, float* const* out, int width,
                       const BilateralNeighbour* neighbours, int count, float falloff) {
    const hn::ScalableTag<float> d;
    using V = hn::Vec<decltype(d)>;
    const int lanes = int(hn::Lanes(d));
    const V fall = hn::Set(d, falloff);
    for (int x = 0; x < width; x += lanes) {
        // Differences to the centre are summed: they are smaller than samples.
        V centre[C], sums[C], rowSums[C];
        V weight = hn::Zero(d), rowWeight = hn::Zero(d);
        WARPSCOPE_UNROLL
        for (int c = 0; c < C; ++c) {
            centre[c] = hn::LoadU(d, planes[c] + x);
            sums[c] = rowSums[c] = hn::Zero(d);
        }
        const auto endRow = [&]() HWY_ATTR {
            weight = hn::Add(weight, rowWeight);
            rowWeight = hn::Zero(d);
            WARPSCOPE_UNROLL
            for (int c = 0; c < C; ++c) {
                sums[c] = hn::Add(sums[c], rowSums[c]);
                rowSums[c] = hn::Zero(d);
            }
        };
        for (int t = 0; t < count; ++t) {
            if (neighbours[t].beginsRow) endRow();
            V other[C];
            V difference = hn::Zero(d);
            WARPSCOPE_UNROLL
            for (int c = 0; c < C; ++c) {
                other[c] = hn::LoadU(d, planes[c] + x + neighbours[t].offset);
                difference = hn::Add(difference, hn::Abs(hn::Sub(other[c], centre[c])));
            }
            const V w = hn::Mul(hn::Set(d, neighbours[t].floatWeight),
                                halvings(hn::Mul(hn::Mul(difference, difference), fall)));
            rowWeight = hn::Add(rowWeight, w);
            WARPSCOPE_UNROLL
            for (int c = 0; c < C; ++c)
                rowSums[c] = hn::Add(rowSums[c], hn::Mul(w, hn::Sub(other[c], centre[c])));
        }
        endRow();
        WARPSCOPE_UNROLL
        for (int c = 0; c < C; ++c)
            hn::StoreU(hn::Add(centre[c], hn::Div(sums[c], weight)), d, out[c] + x);
    }
}

HWY_ATTR void rowOfFloats(const float* const* planes, float* const* out, int channels, int width,
                          const BilateralNeighbour* neighbours, int count, float falloff) {
    channels == 1 ? floatRow<1>(planes, out, width, neighbours, count, falloff)
                  : floatRow<3>(planes, out, width, neighbours, count, falloff);
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace warpscope {

HWY_EXPORT(weightsOfRow);
HWY_EXPORT(rowOf8Bits);
HWY_EXPORT(integerSums);
HWY_EXPORT(rowOfFloats);

void bilateralWeights(const std::uint8_t* const* planes, int channels, const BilateralPair& pair,
                      int count, std::uint8_t* out) {
    HWY_DYNAMIC_DISPATCH(weightsOfRow)(planes, channels, pair, count, out);
}

void bilateralRow(const std::uint8_t* const* planes, std::uint8_t* const* out, int channels,
                  int width, const BilateralUse* uses, int count) {
    HWY_DYNAMIC_DISPATCH(rowOf8Bits)(planes, out, channels, width, uses, count);
}

void bilateralSums(const std::int32_t* const* planes, int channels, int width,
                   const BilateralNeighbour* neighbours, int count, const std::int32_t* range,
                   int last, int shift, std::int32_t* weights, std::int32_t* const* low,
                   std::int32_t* const* high) {
    HWY_DYNAMIC_DISPATCH(integerSums)
    (planes, channels, width, neighbours, count, range, last, shift, weights, low, high);
}

void bilateralFloats(const float* const* planes, float* const* out, int channels, int width,
                     const BilateralNeighbour* neighbours, int count, float falloff) {
    HWY_DYNAMIC_DISPATCH(rowOfFloats)
    (planes, out, channels, width, neighbours, count, falloff);
}

}  // namespace warpscope

#endif  // HWY_ONCE
