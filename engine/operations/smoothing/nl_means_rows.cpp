#include "engine/operations/smoothing/nl_means_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/smoothing/nl_means_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cstring>

#include "engine/operations/smoothing/nl_means_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

void slide(const NlColumnSums& s, int channels, const NlRowPair& in, const NlRowPair& gone,
           int from, int to) {
    const auto square = [](int a, int b) { return (a - b) * (a - b); };
    for (int g = 0; g < s.count; ++g)
        for (int c = 0; c < channels; ++c)
            for (int x = from; x < to; ++x) {
                const int q = x + s.firstDx + g;
                int change = square(in.own[c][x], in.other[c][q]);
                if (gone.own[c]) change -= square(gone.own[c][x], gone.other[c][q]);
                s.pairs[g * s.half + x / 2] += change;
                if (x % 2 != 0) s.odds[g * s.half + x / 2] += change;
            }
}

void finish(const float* values, const float* weights, int half, int from, int to,
            std::uint8_t* out) {
    for (int x = from; x < to; ++x) {
        const int at = x % 2 * half + x / 2;
        out[x - from] = std::uint8_t(values[at] / weights[at] + 0.5f);
    }
}

#else

// Sums of the squares of neighbouring columns.
template <class V>
HWY_ATTR HWY_INLINE V32 squares(V difference, V32 sum) {
    auto rest = hn::Zero(D32());
    const auto products = hn::ReorderWidenMulAccumulate(D32(), difference, difference, sum, rest);
    return hn::RearrangeToOddPlusEven(products, rest);
}

template <int kChannels, bool kLeaving>
HWY_ATTR HWY_INLINE void slideBody(const NlColumnSums& s, const NlRowPair& in,
                                   const NlRowPair& gone, int from, int to) {
    const D16 d16;
    const D32 d32;
    const int lanes = int(hn::Lanes(d16));
    const auto oddColumns = hn::BitCast(d16, hn::Set(d32, std::int32_t(0xFFFF0000u)));
    for (int x = from; x < to; x += lanes) {
        hn::Vec<D16> own[kChannels], old[kChannels];
        for (int c = 0; c < kChannels; ++c) {
            own[c] = hn::LoadU(d16, in.own[c] + x);
            if constexpr (kLeaving) old[c] = hn::LoadU(d16, gone.own[c] + x);
        }
        for (int g = 0; g < s.count; ++g) {
            const int q = x + s.firstDx + g;
            std::int32_t* const pairs = s.pairs + g * s.half + x / 2;
            std::int32_t* const odds = s.odds + g * s.half + x / 2;
            V32 pairSum = hn::LoadU(d32, pairs);
            V32 oddSum = hn::LoadU(d32, odds);
            V32 pairLess = hn::Zero(d32);
            V32 oddLess = hn::Zero(d32);
            for (int c = 0; c < kChannels; ++c) {
                const auto difference = hn::Sub(own[c], hn::LoadU(d16, in.other[c] + q));
                pairSum = squares(difference, pairSum);
                oddSum = squares(hn::And(difference, oddColumns), oddSum);
                if constexpr (kLeaving) {
                    const auto before = hn::Sub(old[c], hn::LoadU(d16, gone.other[c] + q));
                    pairLess = squares(before, pairLess);
                    oddLess = squares(hn::And(before, oddColumns), oddLess);
                }
            }
            if constexpr (kLeaving) {
                pairSum = hn::Sub(pairSum, pairLess);
                oddSum = hn::Sub(oddSum, oddLess);
            }
            hn::StoreU(pairSum, d32, pairs);
            hn::StoreU(oddSum, d32, odds);
        }
    }
}

HWY_ATTR void slide(const NlColumnSums& s, int channels, const NlRowPair& in, const NlRowPair& gone,
                    int from, int to) {
    const bool leaving = gone.own[0] != nullptr;
    if (channels == 1)
        leaving ? slideBody<1, true>(s, in, gone, from, to)
                : slideBody<1, false>(s, in, gone, from, to);
    else
        leaving ? slideBody<3, true>(s, in, gone, from, to)
                : slideBody<3, false>(s, in, gone, from, to);
}

HWY_ATTR void finish(const float* values, const float* weights, int half, int from, int to,
                     std::uint8_t* out) {
    const DF df;
    const D32 d32;
    const hn::Rebind<std::uint16_t, D32> d16;
    const int lanes = int(hn::Lanes(df));
    const VF round = hn::Set(df, 0.5f);
    const auto rounded = [&](int at) HWY_ATTR {
        const VF mean = hn::Div(hn::LoadU(df, values + at), hn::LoadU(df, weights + at));
        return hn::ConvertTo(d32, hn::Add(mean, round));
    };
    for (int j = from / 2; j < to / 2; j += lanes) {
        const V32 both = hn::Or(rounded(j), hn::ShiftLeft<8>(rounded(half + j)));
        const auto bytes = hn::DemoteTo(d16, both);
        std::uint16_t pixels[16];
        hn::StoreU(bytes, d16, pixels);
        std::memcpy(out + 2 * j - from, pixels, 2 * std::size_t(lanes));
    }
}

#endif

HWY_ATTR void gather(const NlWeighing& w, int first, int last, const float* const* valuesAtQ,
                     const NlSums& out, int from, int to) {
    gatherRow<false>(w, first, last, valuesAtQ, out, from, to);
}

HWY_ATTR void scatter(const NlWeighing& w, const float* const* valuesAtP, const NlSums& out,
                      int from, int to) {
    scatterRow<false>(w, valuesAtP, out, from, to);
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace warpscope {

HWY_EXPORT(slide);
HWY_EXPORT(gather);
HWY_EXPORT(scatter);
HWY_EXPORT(finish);

void nlSlide(const NlColumnSums& sums, int channels, const NlRowPair& entering,
             const NlRowPair& leaving, int from, int to) {
    HWY_DYNAMIC_DISPATCH(slide)(sums, channels, entering, leaving, from, to);
}

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
    HWY_DYNAMIC_DISPATCH(finish)(values, weights, half, from, to, out);
}

}  // namespace warpscope

#endif  // HWY_ONCE
