// The rows of nl_means for 16-bit samples, which lie 32,768 lower to fit signed 16 bits.
//
// A square needs 32 bits and a patch of them 42. Sums are kept in two parts, of the low and of the
// high 16 bits of the squares: 675 x 65,535 fits 31 bits, so that both stay exact however long they
// slide, whatever tile they began in.
//
// Weighted sums are floats. The eight offsets of a group are added by themselves first, so that a
// pixel's sum is added to at most 246 times, each time wrong by 2^-24 of a sum of values from
// -32,768 to 32,767: less than half a level of the mean. The sum of weights is wrong by as much at
// most, and the weights (by 3e-7 and by 2e-7 of their exponent) matter less: what is allowed is 4
// levels. Where all values are alike, weights are 1, their sum is exact, the other is wrong by less
// than 0.2 of a mean, and the result is that value.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/smoothing/nl_means_wide.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

#include "engine/operations/smoothing/nl_means_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

constexpr int kWideMost = 65535;
// What the samples are lower by, and one half to round.
constexpr float kWideRound = 32768.5f;

#if HWY_TARGET == HWY_SCALAR

void wideSlide(const NlColumnSums& s, int channels, const NlRowPair& in, const NlRowPair& gone,
               int from, int to) {
    const auto square = [](int a, int b) { return std::uint32_t(a - b) * std::uint32_t(a - b); };
    const auto change = [&](int at, bool odd, std::uint32_t entering, std::uint32_t leaving) {
        const int low = int(entering & 65535u) - int(leaving & 65535u);
        const int high = int(entering >> 16) - int(leaving >> 16);
        s.pairs[at] += low;
        s.highPairs[at] += high;
        if (!odd) return;
        s.odds[at] += low;
        s.highOdds[at] += high;
    };
    for (int g = 0; g < s.count; ++g)
        for (int c = 0; c < channels; ++c)
            for (int x = from; x < to; ++x) {
                const int q = x + s.firstDx + g;
                change(g * s.half + x / 2, x % 2 != 0, square(in.own[c][x], in.other[c][q]),
                       gone.own[c] ? square(gone.own[c][x], gone.other[c][q]) : 0);
            }
}

void wideFinish(const float* values, const float* weights, int half, int from, int to,
                std::uint16_t* out) {
    for (int x = from; x < to; ++x) {
        const int at = x % 2 * half + x / 2;
        out[x - from] =
            std::uint16_t(std::min(kWideMost, int(values[at] / weights[at] + kWideRound)));
    }
}

#else

using DU16 = hn::RebindToUnsigned<D16>;
using DU32 = hn::RebindToUnsigned<D32>;
using VU32 = hn::Vec<DU32>;

// One part of the squares: modulo 2^32 `all` is even columns plus 65,536 times odd columns.
struct WidePart {
    VU32 all;
    VU32 odd;
};

template <bool kLess, class V>
HWY_ATTR HWY_INLINE void addPart(V squares, WidePart& part) {
    const VU32 pairs = hn::BitCast(DU32(), squares);
    const VU32 odd = hn::ShiftRight<16>(pairs);
    part.all = kLess ? hn::Sub(part.all, pairs) : hn::Add(part.all, pairs);
    part.odd = kLess ? hn::Sub(part.odd, odd) : hn::Add(part.odd, odd);
}

// A difference of signed samples is right as an unsigned one if it is taken the right way round.
template <bool kLess, class V>
HWY_ATTR HWY_INLINE void addSquares(V a, V b, WidePart& low, WidePart& high) {
    const auto difference = hn::BitCast(DU16(), hn::Sub(hn::Max(a, b), hn::Min(a, b)));
    addPart<kLess>(hn::Mul(difference, difference), low);
    addPart<kLess>(hn::MulHigh(difference, difference), high);
}

HWY_ATTR HWY_INLINE void keepPart(const WidePart& part, std::int32_t* pairs, std::int32_t* odds) {
    const D32 d32;
    const VU32 even = hn::Sub(part.all, hn::ShiftLeft<16>(part.odd));
    const V32 both = hn::BitCast(d32, hn::Add(even, part.odd));
    hn::StoreU(hn::Add(hn::LoadU(d32, pairs), both), d32, pairs);
    hn::StoreU(hn::Add(hn::LoadU(d32, odds), hn::BitCast(d32, part.odd)), d32, odds);
}

template <int kChannels, bool kLeaving>
HWY_ATTR HWY_INLINE void wideSlideBody(const NlColumnSums& s, const NlRowPair& in,
                                       const NlRowPair& gone, int from, int to) {
    const D16 d16;
    const int lanes = int(hn::Lanes(d16));
    for (int x = from; x < to; x += lanes) {
        hn::Vec<D16> own[kChannels], old[kChannels];
        for (int c = 0; c < kChannels; ++c) {
            own[c] = hn::LoadU(d16, in.own[c] + x);
            if constexpr (kLeaving) old[c] = hn::LoadU(d16, gone.own[c] + x);
        }
        for (int g = 0; g < s.count; ++g) {
            const int q = x + s.firstDx + g;
            const VU32 zero = hn::Zero(DU32());
            WidePart low = {zero, zero};
            WidePart high = {zero, zero};
            for (int c = 0; c < kChannels; ++c) {
                addSquares<false>(own[c], hn::LoadU(d16, in.other[c] + q), low, high);
                if constexpr (kLeaving)
                    addSquares<true>(old[c], hn::LoadU(d16, gone.other[c] + q), low, high);
            }
            const int at = g * s.half + x / 2;
            keepPart(low, s.pairs + at, s.odds + at);
            keepPart(high, s.highPairs + at, s.highOdds + at);
        }
    }
}

HWY_ATTR void wideSlide(const NlColumnSums& s, int channels, const NlRowPair& in,
                        const NlRowPair& gone, int from, int to) {
    const bool leaving = gone.own[0] != nullptr;
    if (channels == 1)
        leaving ? wideSlideBody<1, true>(s, in, gone, from, to)
                : wideSlideBody<1, false>(s, in, gone, from, to);
    else
        leaving ? wideSlideBody<3, true>(s, in, gone, from, to)
                : wideSlideBody<3, false>(s, in, gone, from, to);
}

HWY_ATTR void wideFinish(const float* values, const float* weights, int half, int from, int to,
                         std::uint16_t* out) {
    const DF df;
    const D32 d32;
    const int lanes = int(hn::Lanes(df));
    const VF round = hn::Set(df, kWideRound);
    const V32 most = hn::Set(d32, kWideMost);
    const auto rounded = [&](int at) HWY_ATTR {
        const VF mean = hn::Div(hn::LoadU(df, values + at), hn::LoadU(df, weights + at));
        return hn::Min(hn::ConvertTo(d32, hn::Add(mean, round)), most);
    };
    for (int j = from / 2; j < to / 2; j += lanes) {
        std::int32_t pixels[16];
        hn::StoreU(hn::Or(rounded(j), hn::ShiftLeft<16>(rounded(half + j))), d32, pixels);
        std::memcpy(out + 2 * j - from, pixels, 4 * std::size_t(lanes));
    }
}

#endif

HWY_ATTR void wideGather(const NlWeighing& w, int first, int last, const float* const* valuesAtQ,
                         const NlSums& out, int from, int to) {
    gatherRow<true>(w, first, last, valuesAtQ, out, from, to);
}

HWY_ATTR void wideScatter(const NlWeighing& w, const float* const* valuesAtP, const NlSums& out,
                          int from, int to) {
    scatterRow<true>(w, valuesAtP, out, from, to);
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace warpscope {

HWY_EXPORT(wideSlide);
HWY_EXPORT(wideGather);
HWY_EXPORT(wideScatter);
HWY_EXPORT(wideFinish);

void nlSlideWide(const NlColumnSums& sums, int channels, const NlRowPair& entering,
                 const NlRowPair& leaving, int from, int to) {
    HWY_DYNAMIC_DISPATCH(wideSlide)(sums, channels, entering, leaving, from, to);
}

void nlGatherWide(const NlWeighing& w, int first, int last, const float* const* valuesAtQ,
                  const NlSums& out, int from, int to) {
    HWY_DYNAMIC_DISPATCH(wideGather)(w, first, last, valuesAtQ, out, from, to);
}

void nlScatterWide(const NlWeighing& w, const float* const* valuesAtP, const NlSums& out, int from,
                   int to) {
    HWY_DYNAMIC_DISPATCH(wideScatter)(w, valuesAtP, out, from, to);
}

void nlFinishWide(const float* values, const float* weights, int half, int from, int to,
                  std::uint16_t* out) {
    HWY_DYNAMIC_DISPATCH(wideFinish)(values, weights, half, from, to, out);
}

}  // namespace warpscope

#endif  // HWY_ONCE
