// The column sums of nl_means as they slide down a tile.
//
// A square of 16-bit samples needs 32 bits and a patch of them 42. Sums are kept in two parts, of
// the low and of the high 16 bits of the squares: 675 x 65,535 fits 31 bits, so that both stay
// exact however long they slide, whatever tile they began in.
#include "engine/operations/smoothing/nl_means_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/smoothing/nl_means_slide.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "engine/operations/vector_loops.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

void slide(const NlColumnSums& s, int channels, const NlRowPair& in, const NlRowPair& gone,
           int from, int to) {
    const auto square = [](int a, int b) { return std::uint32_t(a - b) * std::uint32_t(a - b); };
    const auto add = [](std::int32_t* pairs, std::int32_t* odds, int x, std::uint32_t entering,
                        std::uint32_t leaving) {
        const int change = int(entering) - int(leaving);
        pairs[x / 2] += change;
        if (x % 2 != 0) odds[x / 2] += change;
    };
    for (int g = 0; g < s.count; ++g)
        for (int c = 0; c < channels; ++c)
            for (int x = from; x < to; ++x) {
                const int q = x + s.firstDx + g;
                const int at = g * s.half;
                const std::uint32_t entering = square(in.own[c][x], in.other[c][q]);
                const std::uint32_t leaving =
                    gone.own[c] ? square(gone.own[c][x], gone.other[c][q]) : 0;
                if (!s.highPairs) {
                    add(s.pairs + at, s.odds + at, x, entering, leaving);
                    continue;
                }
                add(s.pairs + at, s.odds + at, x, entering & 65535u, leaving & 65535u);
                add(s.highPairs + at, s.highOdds + at, x, entering >> 16, leaving >> 16);
            }
}

#else

using D16 = hn::CappedTag<std::int16_t, 32>;
using D32 = hn::RepartitionToWide<D16>;
using DU16 = hn::RebindToUnsigned<D16>;
using DU32 = hn::RebindToUnsigned<D32>;
using V16 = hn::Vec<D16>;
using V32 = hn::Vec<D32>;
using VU32 = hn::Vec<DU32>;

// The sums of one offset at `at` and what changes there, of 8-bit samples.
class Change8 {
  public:
    HWY_ATTR HWY_INLINE Change8(const NlColumnSums& sums, int at)
        : m_pairs(hn::LoadU(D32(), sums.pairs + at)),
          m_odds(hn::LoadU(D32(), sums.odds + at)),
          m_pairsLess(hn::Zero(D32())),
          m_oddsLess(hn::Zero(D32())) {}

    template <bool kLess>
    HWY_ATTR HWY_INLINE void add(V16 a, V16 b) {
        const auto oddColumns = hn::BitCast(D16(), hn::Set(D32(), std::int32_t(0xFFFF0000u)));
        const V16 difference = hn::Sub(a, b);
        V32& pairs = kLess ? m_pairsLess : m_pairs;
        V32& odds = kLess ? m_oddsLess : m_odds;
        pairs = squares(difference, pairs);
        odds = squares(hn::And(difference, oddColumns), odds);
    }

    HWY_ATTR HWY_INLINE void keep(const NlColumnSums& sums, int at) const {
        hn::StoreU(hn::Sub(m_pairs, m_pairsLess), D32(), sums.pairs + at);
        hn::StoreU(hn::Sub(m_odds, m_oddsLess), D32(), sums.odds + at);
    }

  private:
    // Sums of the squares of neighbouring columns.
    HWY_ATTR HWY_INLINE static V32 squares(V16 difference, V32 sum) {
        auto rest = hn::Zero(D32());
        const auto products =
            hn::ReorderWidenMulAccumulate(D32(), difference, difference, sum, rest);
        return hn::RearrangeToOddPlusEven(products, rest);
    }

    V32 m_pairs, m_odds, m_pairsLess, m_oddsLess;
};

// Of 16-bit samples.
class Change16 {
  public:
    HWY_ATTR HWY_INLINE Change16(const NlColumnSums&, int)
        : m_low{hn::Zero(DU32()), hn::Zero(DU32())}, m_high{m_low} {}

    // A difference of signed samples is right as an unsigned one if it is taken the right way
    // round.
    template <bool kLess>
    HWY_ATTR HWY_INLINE void add(V16 a, V16 b) {
        const auto difference = hn::BitCast(DU16(), hn::Sub(hn::Max(a, b), hn::Min(a, b)));
        m_low.template add<kLess>(hn::BitCast(DU32(), hn::Mul(difference, difference)));
        m_high.template add<kLess>(hn::BitCast(DU32(), hn::MulHigh(difference, difference)));
    }

    HWY_ATTR HWY_INLINE void keep(const NlColumnSums& sums, int at) const {
        m_low.keep(sums.pairs + at, sums.odds + at);
        m_high.keep(sums.highPairs + at, sums.highOdds + at);
    }

  private:
    // One part of the squares: modulo 2^32 `all` is even columns plus 65,536 times odd columns.
    struct Part {
        VU32 all;
        VU32 odd;

        template <bool kLess>
        HWY_ATTR HWY_INLINE void add(VU32 pairs) {
            const VU32 odds = hn::ShiftRight<16>(pairs);
            all = kLess ? hn::Sub(all, pairs) : hn::Add(all, pairs);
            odd = kLess ? hn::Sub(odd, odds) : hn::Add(odd, odds);
        }

        HWY_ATTR HWY_INLINE void keep(std::int32_t* pairs, std::int32_t* odds) const {
            const D32 d32;
            const VU32 even = hn::Sub(all, hn::ShiftLeft<16>(odd));
            const V32 both = hn::BitCast(d32, hn::Add(even, odd));
            hn::StoreU(hn::Add(hn::LoadU(d32, pairs), both), d32, pairs);
            hn::StoreU(hn::Add(hn::LoadU(d32, odds), hn::BitCast(d32, odd)), d32, odds);
        }
    };
    Part m_low, m_high;
};

template <class Change, int kChannels, bool kLeaving>
HWY_ATTR HWY_INLINE void slideBody(const NlColumnSums& s, const NlRowPair& in,
                                   const NlRowPair& gone, int from, int to) {
    const D16 d16;
    const int lanes = int(hn::Lanes(d16));
    for (int x = from; x < to; x += lanes) {
        V16 own[kChannels], old[kChannels];
        WARPSCOPE_UNROLL
        for (int c = 0; c < kChannels; ++c) {
            own[c] = hn::LoadU(d16, in.own[c] + x);
            if constexpr (kLeaving) old[c] = hn::LoadU(d16, gone.own[c] + x);
        }
        for (int g = 0; g < s.count; ++g) {
            const int q = x + s.firstDx + g;
            const int at = g * s.half + x / 2;
            Change change(s, at);
            WARPSCOPE_UNROLL
            for (int c = 0; c < kChannels; ++c) {
                change.template add<false>(own[c], hn::LoadU(d16, in.other[c] + q));
                if constexpr (kLeaving)
                    change.template add<true>(old[c], hn::LoadU(d16, gone.other[c] + q));
            }
            change.keep(s, at);
        }
    }
}

template <class Change>
HWY_ATTR HWY_INLINE void slideRow(const NlColumnSums& s, int channels, const NlRowPair& in,
                                  const NlRowPair& gone, int from, int to) {
    const bool leaving = gone.own[0] != nullptr;
    if (channels == 1)
        leaving ? slideBody<Change, 1, true>(s, in, gone, from, to)
                : slideBody<Change, 1, false>(s, in, gone, from, to);
    else
        leaving ? slideBody<Change, 3, true>(s, in, gone, from, to)
                : slideBody<Change, 3, false>(s, in, gone, from, to);
}

HWY_ATTR void slide(const NlColumnSums& s, int channels, const NlRowPair& in, const NlRowPair& gone,
                    int from, int to) {
    if (s.highPairs)
        slideRow<Change16>(s, channels, in, gone, from, to);
    else
        slideRow<Change8>(s, channels, in, gone, from, to);
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace warpscope {

HWY_EXPORT(slide);

void nlSlide(const NlColumnSums& sums, int channels, const NlRowPair& entering,
             const NlRowPair& leaving, int from, int to) {
    HWY_DYNAMIC_DISPATCH(slide)(sums, channels, entering, leaving, from, to);
}

}  // namespace warpscope

#endif  // HWY_ONCE
