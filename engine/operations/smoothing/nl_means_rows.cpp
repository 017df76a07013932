// The rows of nl_means from patch sums to weighted means.
//
// Weighted sums are floats. Of 16-bit samples, which lie 32,768 lower to fit signed 16 bits, the
// eight offsets of a group are added by themselves first, so that a pixel's sum is added to at most
// 246 times, each time wrong by 2^-24 of a sum of values from -32,768 to 32,767: less than half a
// level of the mean. The sum of weights is wrong by as much at most, and the weights (by 3e-7 and
// by 2e-7 of their exponent) matter less: what is allowed is 4 levels. Where all values are alike,
// weights are 1, their sum is exact, the other is wrong by less than 0.2 of a mean, and the result
// is that value.
#include "engine/operations/smoothing/nl_means_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/smoothing/nl_means_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "engine/operations/vector_loops.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Where the values at column 2j + dx and 2j + 1 + dx lie in a half row, relative to j.
struct HalfOffsets {
    HalfOffsets(int dx, int half)
        : even(dx % 2 == 0 ? dx / 2 : half + (dx - 1) / 2),
          odd(dx % 2 == 0 ? half + dx / 2 : (dx + 1) / 2) {}
    int even;
    int odd;
};

// Adding it to a float below 2^22 leaves the nearest whole number in the low bits.
constexpr float kRounder = 12582912.0f;
// 2^f for f from -1/2 to 1/2, 1 at 0 exactly, with a relative error below 2.1e-7.
constexpr float kPower[] = {0.69314718056f, 0.24022349038f, 0.05550381014f, 0.00966636852f,
                            0.00133813025f};
// Smaller powers than 2^-126 are taken as that: nothing beside the weight 1 of p itself.
constexpr float kLeastExponent = -126.0f;

template <class T>
constexpr int kWhite = sizeof(T) == 1 ? 255 : 65535;
// One half to round, and what 16-bit samples are lower by.
template <class T>
constexpr float kRound = sizeof(T) == 1 ? 0.5f : 32768.5f;

using D32 = hn::CappedTag<std::int32_t, 16>;
using DF = hn::Rebind<float, D32>;
using V32 = hn::Vec<D32>;
using VF = hn::Vec<DF>;

HWY_ATTR HWY_INLINE VF weightOf(VF sum, VF exponent, VF most) {
    const DF df;
    const D32 d32;
    const VF x = hn::Min(sum, most);
    const VF rounder = hn::Set(df, kRounder);
    const VF shifted = hn::MulAdd(x, exponent, rounder);
    const VF f = hn::MulSub(x, exponent, hn::Sub(shifted, rounder));
    VF power = hn::Set(df, kPower[4]);
    power = hn::MulAdd(power, f, hn::Set(df, kPower[3]));
    power = hn::MulAdd(power, f, hn::Set(df, kPower[2]));
    power = hn::MulAdd(power, f, hn::Set(df, kPower[1]));
    power = hn::MulAdd(power, f, hn::Set(df, kPower[0]));
    power = hn::MulAdd(power, f, hn::Set(df, 1.0f));
    const auto steps = hn::ShiftLeft<23>(hn::BitCast(d32, shifted));
    return hn::BitCast(df, hn::Add(hn::BitCast(d32, power), steps));
}

struct Patch {
    V32 even;
    V32 odd;
};

// Sums over the columns of the patch, for columns 2j and 2j + 1. The two windows share all pairs
// of columns but those at their ends.
HWY_ATTR HWY_INLINE Patch patchSums(const std::int32_t* pairs, const std::int32_t* odds,
                                    int radius) {
    const D32 d32;
    if (radius == 0) {
        const V32 odd = hn::LoadU(d32, odds);
        return {hn::Sub(hn::LoadU(d32, pairs), odd), odd};
    }
    // Odd radius: pairs -(k - 1) to k - 1 for both windows. Even radius: the windows begin and end
    // one pair apart.
    const int k = (radius + 1) / 2;
    const int shared = (radius - 1) / 2;
    V32 both = hn::LoadU(d32, pairs - shared);
    for (int i = 1 - shared; i <= shared; ++i) both = hn::Add(both, hn::LoadU(d32, pairs + i));
    const V32 oddBefore = hn::LoadU(d32, odds - k);
    const V32 evenAfter = hn::Sub(hn::LoadU(d32, pairs + k), hn::LoadU(d32, odds + k));
    if (radius % 2 != 0) return {hn::Add(both, oddBefore), hn::Add(both, evenAfter)};
    return {hn::Add(both, hn::Add(hn::LoadU(d32, pairs - k), evenAfter)),
            hn::Add(both, hn::Add(hn::LoadU(d32, pairs + k), oddBefore))};
}

struct Distances {
    VF even;
    VF odd;
};

// Sums over whole patches as floats; `at`: where column 2j of the offset lies. Both parts of
// 16-bit sums are exact, so that only this one rounding is left.
template <bool k16>
HWY_ATTR HWY_INLINE Distances distances(const NlColumnSums& sums, int at, int radius) {
    const DF df;
    const Patch low = patchSums(sums.pairs + at, sums.odds + at, radius);
    const Distances distance = {hn::ConvertTo(df, low.even), hn::ConvertTo(df, low.odd)};
    if constexpr (!k16) return distance;
    const Patch high = patchSums(sums.highPairs + at, sums.highOdds + at, radius);
    const VF unit = hn::Set(df, 65536.0f);
    return {hn::MulAdd(hn::ConvertTo(df, high.even), unit, distance.even),
            hn::MulAdd(hn::ConvertTo(df, high.odd), unit, distance.odd)};
}

// kRadius -1: any.
template <bool k16, int kChannels, int kRadius>
HWY_ATTR HWY_INLINE void gatherBody(const NlWeighing& w, int first, int last,
                                    const float* const* valuesAtQ, const NlSums& out, int from,
                                    int to) {
    const DF df;
    const int lanes = int(hn::Lanes(df));
    const int half = w.sums.half;
    const int radius = kRadius < 0 ? w.patchRadius : kRadius;
    const VF exponent = hn::Set(df, w.exponent);
    const VF most = hn::Set(df, kLeastExponent / w.exponent);
    for (int j = from / 2; j < to / 2; j += lanes) {
        VF even[kChannels], odd[kChannels];
        WARPSCOPE_UNROLL
        for (int c = 0; c < kChannels; ++c) even[c] = odd[c] = hn::Zero(df);
        VF evenWeights = hn::Zero(df);
        VF oddWeights = hn::Zero(df);
        for (int g = first; g < last; ++g) {
            const HalfOffsets q(w.sums.firstDx + g, half);
            const Distances distance = distances<k16>(w.sums, g * half + j, radius);
            const VF evenWeight = weightOf(distance.even, exponent, most);
            const VF oddWeight = weightOf(distance.odd, exponent, most);
            hn::StoreU(evenWeight, df, w.weights + 2 * g * half + j);
            hn::StoreU(oddWeight, df, w.weights + (2 * g + 1) * half + j);
            WARPSCOPE_UNROLL
            for (int c = 0; c < kChannels; ++c) {
                const float* values = valuesAtQ[c] + j;
                even[c] = hn::MulAdd(evenWeight, hn::LoadU(df, values + q.even), even[c]);
                odd[c] = hn::MulAdd(oddWeight, hn::LoadU(df, values + q.odd), odd[c]);
            }
            evenWeights = hn::Add(evenWeights, evenWeight);
            oddWeights = hn::Add(oddWeights, oddWeight);
        }
        const auto add = [&](VF sum, float* to32)
                             HWY_ATTR { hn::StoreU(hn::Add(hn::LoadU(df, to32), sum), df, to32); };
        WARPSCOPE_UNROLL
        for (int c = 0; c < kChannels; ++c) {
            add(even[c], out.values[c] + j);
            add(odd[c], out.values[c] + half + j);
        }
        add(evenWeights, out.weights + j);
        add(oddWeights, out.weights + half + j);
    }
}

template <bool k16, int kChannels>
HWY_ATTR HWY_INLINE void gatherFor(const NlWeighing& w, int first, int last,
                                   const float* const* valuesAtQ, const NlSums& out, int from,
                                   int to) {
    switch (w.patchRadius) {
        case 1:
            return gatherBody<k16, kChannels, 1>(w, first, last, valuesAtQ, out, from, to);
        case 2:
            return gatherBody<k16, kChannels, 2>(w, first, last, valuesAtQ, out, from, to);
        case 3:
            return gatherBody<k16, kChannels, 3>(w, first, last, valuesAtQ, out, from, to);
        default:
            return gatherBody<k16, kChannels, -1>(w, first, last, valuesAtQ, out, from, to);
    }
}

template <bool k16>
HWY_ATTR HWY_INLINE void gatherRow(const NlWeighing& w, int first, int last,
                                   const float* const* valuesAtQ, const NlSums& out, int from,
                                   int to) {
    if (w.channels == 1)
        gatherFor<k16, 1>(w, first, last, valuesAtQ, out, from, to);
    else
        gatherFor<k16, 3>(w, first, last, valuesAtQ, out, from, to);
}

// kApart: the offsets are summed by themselves and the sum is added then.
template <bool kApart, int kChannels>
HWY_ATTR HWY_INLINE void scatterBody(const NlWeighing& w, const float* const* valuesAtP,
                                     const NlSums& out, int from, int to) {
    const DF df;
    const int lanes = int(hn::Lanes(df));
    const int half = w.sums.half;
    for (int j = from / 2; j < to / 2; j += lanes) {
        VF even[kChannels], odd[kChannels];
        const auto before = [&](const float* sum)
                                HWY_ATTR { return kApart ? hn::Zero(df) : hn::LoadU(df, sum); };
        const auto store = [&](VF sum, float* to32) HWY_ATTR {
            hn::StoreU(kApart ? hn::Add(hn::LoadU(df, to32), sum) : sum, df, to32);
        };
        WARPSCOPE_UNROLL
        for (int c = 0; c < kChannels; ++c) {
            even[c] = before(out.values[c] + j);
            odd[c] = before(out.values[c] + half + j);
        }
        VF evenWeights = before(out.weights + j);
        VF oddWeights = before(out.weights + half + j);
        for (int g = 0; g < w.sums.count; ++g) {
            const HalfOffsets p(-(w.sums.firstDx + g), half);
            const float* weights = w.weights + 2 * g * half + j;
            const VF evenWeight = hn::LoadU(df, weights + p.even);
            const VF oddWeight = hn::LoadU(df, weights + p.odd);
            WARPSCOPE_UNROLL
            for (int c = 0; c < kChannels; ++c) {
                const float* values = valuesAtP[c] + j;
                even[c] = hn::MulAdd(evenWeight, hn::LoadU(df, values + p.even), even[c]);
                odd[c] = hn::MulAdd(oddWeight, hn::LoadU(df, values + p.odd), odd[c]);
            }
            evenWeights = hn::Add(evenWeights, evenWeight);
            oddWeights = hn::Add(oddWeights, oddWeight);
        }
        WARPSCOPE_UNROLL
        for (int c = 0; c < kChannels; ++c) {
            store(even[c], out.values[c] + j);
            store(odd[c], out.values[c] + half + j);
        }
        store(evenWeights, out.weights + j);
        store(oddWeights, out.weights + half + j);
    }
}

template <bool kApart>
HWY_ATTR HWY_INLINE void scatterRow(const NlWeighing& w, const float* const* valuesAtP,
                                    const NlSums& out, int from, int to) {
    if (w.channels == 1)
        scatterBody<kApart, 1>(w, valuesAtP, out, from, to);
    else
        scatterBody<kApart, 3>(w, valuesAtP, out, from, to);
}

template <class T>
HWY_ATTR HWY_INLINE void finishRow(const float* values, const float* weights, int half, int from,
                                   int to, T* out) {
    const DF df;
    const D32 d32;
    const int lanes = int(hn::Lanes(df));
    const VF round = hn::Set(df, kRound<T>);
    const V32 most = hn::Set(d32, kWhite<T>);
    const auto rounded = [&](int at) HWY_ATTR {
        const VF mean = hn::Div(hn::LoadU(df, values + at), hn::LoadU(df, weights + at));
        return hn::Min(hn::ConvertTo(d32, hn::Add(mean, round)), most);
    };
    for (int j = from / 2; j < to / 2; j += lanes) {
        const V32 both = hn::Or(rounded(j), hn::ShiftLeft<8 * sizeof(T)>(rounded(half + j)));
        std::conditional_t<sizeof(T) == 1, std::uint16_t, std::int32_t> pixels[16];
        if constexpr (sizeof(T) == 1) {
            const hn::Rebind<std::uint16_t, D32> d16;
            hn::StoreU(hn::DemoteTo(d16, both), d16, pixels);
        } else {
            hn::StoreU(both, d32, pixels);
        }
        std::memcpy(out + 2 * j - from, pixels, 2 * sizeof(T) * std::size_t(lanes));
    }
}

HWY_ATTR void gather(const NlWeighing& w, int first, int last, const float* const* valuesAtQ,
                     const NlSums& out, int from, int to) {
    if (w.sums.highPairs)
        gatherRow<true>(w, first, last, valuesAtQ, out, from, to);
    else
        gatherRow<false>(w, first, last, valuesAtQ, out, from, to);
}

HWY_ATTR void scatter(const NlWeighing& w, const float* const* valuesAtP, const NlSums& out,
                      int from, int to) {
    if (w.sums.highPairs)
        scatterRow<true>(w, valuesAtP, out, from, to);
    else
        scatterRow<false>(w, valuesAtP, out, from, to);
}

HWY_ATTR void finish8(const float* values, const float* weights, int half, int from, int to,
                      std::uint8_t* out) {
    finishRow(values, weights, half, from, to, out);
}

HWY_ATTR void finish16(const float* values, const float* weights, int half, int from, int to,
                       std::uint16_t* out) {
    finishRow(values, weights, half, from, to, out);
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace warpscope {

HWY_EXPORT(gather);
HWY_EXPORT(scatter);
HWY_EXPORT(finish8);
HWY_EXPORT(finish16);

void nlGather(const NlWeighing& w, int first, int last, const float* const* valuesAtQ,
              const NlSums& out, int from, int to) {
    HWY_DYNAMIC_DISPATCH(gather)(w, first, last, valuesAtQ, out, from, to);
}

void nlScatter(const NlWeighing& w, const float* const* valuesAtP, const NlSums& out, int from,
               int to) {
    HWY_DYNAMIC_DISPATCH(scatter)(w, valuesAtP, out, from, to);
}

void nlFinish(const float* values, const float* weights, int half, int from, int to,
              std::uint8_t* out) {
    HWY_DYNAMIC_DISPATCH(finish8)(values, weights, half, from, to, out);
}

void nlFinish(const float* values, const float* weights, int half, int from, int to,
              std::uint16_t* out) {
    HWY_DYNAMIC_DISPATCH(finish16)(values, weights, half, from, to, out);
}

}  // namespace warpscope

#endif  // HWY_ONCE
