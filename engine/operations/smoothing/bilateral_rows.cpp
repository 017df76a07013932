#include "engine/operations/smoothing/bilateral_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/smoothing/bilateral_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include "engine/operations/smoothing/bilateral.h"
#include "engine/operations/smoothing/bilateral_dot.h"
#include "engine/operations/vector_loops.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR
template <int C>
void eightBitRow(const std::uint8_t* const* planes, std::uint8_t* const* out, int width,
                 const BilateralTap* taps, int count) {
    for (int x = 0; x < width; ++x) {
        std::uint32_t weights = 256, sums[C];
        WARPSCOPE_UNROLL
        for (int c = 0; c < C; ++c) sums[c] = 256u * planes[c][x];
        for (int t = 0; t < count; ++t) {
            int d = 0;
            WARPSCOPE_UNROLL
            for (int c = 0; c < C; ++c) {
                const int one = int(planes[c][x + taps[t].offset]) - int(planes[c][x]);
                d += one < 0 ? -one : one;
            }
            if (d >= 16 * taps[t].blocks) continue;
            weights += taps[t].weights[d];
            WARPSCOPE_UNROLL
            for (int c = 0; c < C; ++c)
                sums[c] += std::uint32_t(taps[t].weights[d]) * planes[c][x + taps[t].offset];
        }
        WARPSCOPE_UNROLL
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

// The weights of two taps, side by side. From 16 `blocks` on tables hold 0, and beyond the larger
// number of the two no index permutes: one with its highest bit set gives 0.
HWY_ATTR HWY_INLINE SideBySide weightsOf(const BilateralTap* taps, V8 first, V8 second) {
    const D8 d;
    const V8 bias = hn::Set(d, std::uint8_t(0x70)), sixteen = hn::Set(d, std::uint8_t(16));
    V8 a = hn::Zero(d), b = hn::Zero(d);
    const int blocks = std::max(taps[0].blocks, taps[1].blocks);
    const auto index = [&](V8 difference) HWY_ATTR WARPSCOPE_INLINED {
        const V8 at = hn::SaturatedAdd(difference, bias);
#if WARPSCOPE_X86_VECTORS
        return at;
#else
        return hn::And(at, hn::Set(d, std::uint8_t(0x8F)));
#endif
    };
    for (int k = 0; k < 16 * blocks; k += 16) {
        a = hn::Or(a,
                   hn::TableLookupBytesOr0(hn::LoadDup128(d, taps[0].weights + k), index(first)));
        b = hn::Or(b,
                   hn::TableLookupBytesOr0(hn::LoadDup128(d, taps[1].weights + k), index(second)));
        first = hn::Sub(first, sixteen);
        second = hn::Sub(second, sixteen);
    }
    return sideBySide(a, b);
}

template <int C>
HWY_ATTR HWY_INLINE V8 differenceOf(const V8 (&centre)[C], const V8 (&other)[C]) {
    const auto one = [&](int c) HWY_ATTR {
        return hn::Or(hn::SaturatedSub(centre[c], other[c]), hn::SaturatedSub(other[c], centre[c]));
    };
    V8 sum = one(0);
    for (int c = 1; c < C; ++c) sum = hn::SaturatedAdd(sum, one(c));
    return sum;
}

// Whose weights stay in the first cache: an even number.
constexpr int kTapsAtOnce = 64;

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
                          const BilateralTap* taps, int count) {
    const D8 d;
    const D32 wide;
    const int lanes = int(hn::Lanes(d));
    // The lowest bytes of the words of quarter q to where they belong.
    alignas(16) static constexpr std::uint8_t kOrder[4][16] = {
        {0, 4, 8, 12, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128},
        {128, 128, 128, 128, 0, 4, 8, 12, 128, 128, 128, 128, 128, 128, 128, 128},
        {128, 128, 128, 128, 128, 128, 128, 128, 0, 4, 8, 12, 128, 128, 128, 128},
        {128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 0, 4, 8, 12}};
    const V8 single = hn::Set(d, std::uint8_t(1));
    const SideBySide ones = sideBySide(single, single);
    for (int x = 0; x < width; x += lanes) {
        V8 centre[C];
        WARPSCOPE_UNROLL
        for (int c = 0; c < C; ++c) centre[c] = hn::LoadU(d, planes[c] + x);
        Sums weights, sums[C];
        weights.clear();
        WARPSCOPE_UNROLL
        for (int c = 0; c < C; ++c) sums[c].clear();
        // Weights of some taps, then one colour after the other: the sums of all at once would be
        // as many as there are registers without AVX-512.
        for (int begin = 0; begin < count; begin += kTapsAtOnce) {
            const int end = std::min(count, begin + kTapsAtOnce);
            SideBySide pairs[kTapsAtOnce / 2];
            Sums sum = weights;
            for (int t = begin; t < end; t += 2) {
                V8 first[C], second[C];
                WARPSCOPE_UNROLL
                for (int c = 0; c < C; ++c) {
                    first[c] = hn::LoadU(d, planes[c] + x + taps[t].offset);
                    second[c] = hn::LoadU(d, planes[c] + x + taps[t + 1].offset);
                }
                SideBySide& pair = pairs[(t - begin) / 2];
                pair = weightsOf(taps + t, differenceOf<C>(centre, first),
                                 differenceOf<C>(centre, second));
                sum.add(pair, ones);
            }
            weights = sum;
            for (int c = 0; c < C; ++c) {
                sum = sums[c];
                for (int t = begin; t < end; t += 2) {
                    const V8 first = hn::LoadU(d, planes[c] + x + taps[t].offset);
                    const V8 second = hn::LoadU(d, planes[c] + x + taps[t + 1].offset);
                    sum.add(pairs[(t - begin) / 2], sideBySide(first, second));
                }
                sums[c] = sum;
            }
        }
        WARPSCOPE_UNROLL
        for (int c = 0; c < C; ++c) {
            const SideBySide own = sideBySide(centre[c], hn::Zero(d));
            V8 made = hn::Zero(d);
            WARPSCOPE_UNROLL
            for (int q = 0; q < 4; ++q) {
                const V32 weight = hn::Add(weights.of(q), hn::Set(wide, 256));
                const V32 sum =
                    hn::Add(sums[c].of(q), hn::ShiftLeft<8>(hn::BitCast(wide, own.quarter[q])));
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

HWY_ATTR void rowOf8Bits(const std::uint8_t* const* planes, std::uint8_t* const* out, int channels,
                         int width, const BilateralTap* taps, int count) {
    channels == 1 ? eightBitRow<1>(planes, out, width, taps, count)
                  : eightBitRow<3>(planes, out, width, taps, count);
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

HWY_EXPORT(rowOf8Bits);
HWY_EXPORT(integerSums);
HWY_EXPORT(rowOfFloats);

void bilateralRow(const std::uint8_t* const* planes, std::uint8_t* const* out, int channels,
                  int width, const BilateralTap* taps, int count) {
    if (bilateralDotProducts()) return bilateralDotRow(planes, out, channels, width, taps, count);
    HWY_DYNAMIC_DISPATCH(rowOf8Bits)(planes, out, channels, width, taps, count);
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
