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
#define HWY_TARGET_INCLUDE "engine/operations/smoothing/nl_means_16.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

#include "engine/operations/smoothing/nl_means_rows.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr int kWhite = 65535;
// What the samples are lower by, and one half to round.
constexpr float kRound = 32768.5f;

#if HWY_TARGET == HWY_SCALAR

void slide16(const NlColumnSums& s, int channels, const NlRowPair& in, const NlRowPair& gone,
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

void finish16(const float* values, const float* weights, int half, int from, int to,
              std::uint16_t* out) {
    for (int x = from; x < to; ++x) {
        const int at = x % 2 * half + x / 2;
        out[x - from] = std::uint16_t(std::min(kWhite, int(values[at] / weights[at] + kRound)));
    }
}

#else

using D16 = hn::CappedTag<std::int16_t, 32>;
using D32 = hn::RepartitionToWide<D16>;
using DF = hn::Rebind<float, D32>;
using V32 = hn::Vec<D32>;
using VF = hn::Vec<DF>;
using DU16 = hn::RebindToUnsigned<D16>;
using DU32 = hn::RebindToUnsigned<D32>;
using VU32 = hn::Vec<DU32>;

// One part of the squares: modulo 2^32 `all` is even columns plus 65,536 times odd columns.
struct SquarePart {
    VU32 all;
    VU32 odd;
};

template <bool kLess, class V>
HWY_ATTR HWY_INLINE void addPart(V squares, SquarePart& part) {
    const VU32 pairs = hn::BitCast(DU32(), squares);
    const VU32 odd = hn::ShiftRight<16>(pairs);
    part.all = kLess ? hn::Sub(part.all, pairs) : hn::Add(part.all, pairs);
    part.odd = kLess ? hn::Sub(part.odd, odd) : hn::Add(part.odd, odd);
}

// A difference of signed samples is right as an unsigned one if it is taken the right way round.
template <bool kLess, class V>
HWY_ATTR HWY_INLINE void addSquares(V a, V b, SquarePart& low, SquarePart& high) {
    const auto difference = hn::BitCast(DU16(), hn::Sub(hn::Max(a, b), hn::Min(a, b)));
    addPart<kLess>(hn::Mul(difference, difference), low);
    addPart<kLess>(hn::MulHigh(difference, difference), high);
}

HWY_ATTR HWY_INLINE void keepPart(const SquarePart& part, std::int32_t* pairs, std::int32_t* odds) {
    const D32 d32;
    const VU32 even = hn::Sub(part.all, hn::ShiftLeft<16>(part.odd));
    const V32 both = hn::BitCast(d32, hn::Add(even, part.odd));
    hn::StoreU(hn::Add(hn::LoadU(d32, pairs), both), d32, pairs);
    hn::StoreU(hn::Add(hn::LoadU(d32, odds), hn::BitCast(d32, part.odd)), d32, odds);
}

template <int kChannels, bool kLeaving>
HWY_ATTR HWY_INLINE void slideBody16(const NlColumnSums& s, const NlRowPair& in,
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
            SquarePart low = {zero, zero};
            SquarePart high = {zero, zero};
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

HWY_ATTR void slide16(const NlColumnSums& s, int channels, const NlRowPair& in,
                      const NlRowPair& gone, int from, int to) {
    const bool leaving = gone.own[0] != nullptr;
    if (channels == 1)
        leaving ? slideBody16<1, true>(s, in, gone, from, to)
                : slideBody16<1, false>(s, in, gone, from, to);
    else
        leaving ? slideBody16<3, true>(s, in, gone, from, to)
                : slideBody16<3, false>(s, in, gone, from, to);
}

HWY_ATTR void finish16(const float* values, const float* weights, int half, int from, int to,
                       std::uint16_t* out) {
    const DF df;
    const D32 d32;
    const int lanes = int(hn::Lanes(df));
    const VF round = hn::Set(df, kRound);
    const V32 most = hn::Set(d32, kWhite);
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

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace warpscope {

HWY_EXPORT(slide16);
HWY_EXPORT(finish16);

void nlSlide16(const NlColumnSums& sums, int channels, const NlRowPair& entering,
               const NlRowPair& leaving, int from, int to) {
    HWY_DYNAMIC_DISPATCH(slide16)(sums, channels, entering, leaving, from, to);
}

void nlFinish(const float* values, const float* weights, int half, int from, int to,
              std::uint16_t* out) {
    HWY_DYNAMIC_DISPATCH(finish16)(values, weights, half, from, to, out);
}

}  // namespace warpscope

#endif  // HWY_ONCE
