#include "engine/operations/smoothing/gaussian_blur_small.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/smoothing/gaussian_blur_small.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <type_traits>

#include "engine/operations/smoothing/gaussian_blur_pairs-inl.h"
#include "engine/operations/vector_loops.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Columns after which memory is asked for: a cache line of gray.
constexpr int kSmallStep = 64;

#if HWY_TARGET == HWY_SCALAR

template <int kTaps, bool>
void smallRow(const std::uint8_t* padded, const GaussianWeights& w, std::int16_t* out, int count) {
    for (int x = 0; x < count; ++x) {
        std::uint32_t sum = 128;
        for (std::size_t i = 0; i < kTaps; ++i) sum += w.taps[i] * padded[std::size_t(x) + i];
        out[x] = std::int16_t(std::int32_t(sum >> 8) - 32768);
    }
}

template <int kTaps, bool>
void smallColumns(const std::int16_t* const* rows, const GaussianWeights& w, int count,
                  std::uint8_t* const* out, const RowsAhead&) {
    for (int k = 0; k < kGaussianRowsAtOnce; ++k)
        for (int x = 0; x < count; ++x) {
            std::uint32_t sum = kColumnStart;
            for (std::size_t i = 0; i < kTaps; ++i)
                sum += w.taps[i] * std::uint32_t(std::int32_t(rows[std::size_t(k) + i][x]));
            out[k][x] = std::uint8_t(sum >> 24);
        }
}

#else

// A 32-bit lane of the samples from x + k on holds k and k + 1 of an even output and k - 1 and k of
// the odd one after it.
template <int kTaps, bool kExtra>
HWY_ATTR void smallRow(const std::uint8_t* padded, const GaussianWeights& w, std::int16_t* out,
                       int count) {
    constexpr int kPairs = (kTaps + 1) / 2, kBlocks = 4;
    const D16 d16;
    const hn::Rebind<std::uint8_t, D16> d8;
    const DU16 du16;
    const DU32 du32;
    const int lanes = int(hn::Lanes(d16));
    const std::int16_t* pairs = w.pairsFromFirst();
    V16 forEven[kPairs], forOdd[kPairs];
    WARPSCOPE_UNROLL
    for (int i = 0; i < kPairs; ++i) {
        forEven[i] = weightPair(pairs, 2 * i);
        forOdd[i] = weightPair(pairs, 2 * i - 1);
    }
    const auto extraEven = constantPair(w.extra, 0), extraOdd = constantPair(0, w.extra);
    const auto half = hn::Set(D32(), 128);
    const auto minus = hn::Set(du16, 0x8000);
    for (int x = 0; x < count; x += kBlocks * lanes) {
        WARPSCOPE_UNROLL
        for (int b = 0; b < kBlocks; ++b) {
            const std::uint8_t* at = padded + x + b * lanes;
            auto even = half, odd = half;
            WARPSCOPE_UNROLL
            for (int i = 0; i < kPairs; ++i) {
                const auto samples = hn::PromoteTo(d16, hn::LoadU(d8, at + 2 * i));
                even = multiplyAdd(samples, forEven[i], even);
                odd = multiplyAdd(samples, forOdd[i], odd);
            }
            if constexpr (kExtra) {
                const auto samples = hn::PromoteTo(d16, hn::LoadU(d8, at + kTaps / 2));
                even = multiplyAdd(samples, extraEven, even);
                odd = multiplyAdd(samples, extraOdd, odd);
            }
            const auto low = hn::ShiftRight<8>(hn::BitCast(du32, even));
            const auto high = hn::ShiftLeft<8>(hn::BitCast(du32, odd));
            const auto both = hn::OddEven(hn::BitCast(du16, high), hn::BitCast(du16, low));
            hn::StoreU(hn::BitCast(d16, hn::Xor(both, minus)), d16, out + x + b * lanes);
        }
    }
}

// Of the lower or the upper half of each block of lanes.
template <int kTaps, bool kExtra, bool kUpper>
HWY_ATTR HWY_INLINE void sumRows(const std::int16_t* const* from, int x, const V16* weights,
                                 const V16* extra, V32* sums) {
    constexpr int kRows = kTaps + kGaussianRowsAtOnce - 1;
    const D16 d16;
    const DU32 du32;
    WARPSCOPE_UNROLL
    for (int k = 0; k < kGaussianRowsAtOnce; ++k)
        sums[k] = hn::Set(D32(), std::int32_t(kColumnStart));
    WARPSCOPE_UNROLL
    for (int j = 0; j < kRows; j += 2) {
        const auto first = hn::LoadU(d16, from[j] + x), second = hn::LoadU(d16, from[j + 1] + x);
        const auto both = kUpper ? hn::InterleaveUpper(d16, first, second)
                                 : hn::InterleaveLower(d16, first, second);
        WARPSCOPE_UNROLL
        for (int k = 0; k < kGaussianRowsAtOnce; ++k) {
            const int at = j - k + 1;
            if (at >= 0 && at <= kTaps) sums[k] = multiplyAdd(both, weights[at], sums[k]);
            const int centre = k + kTaps / 2;
            if (kExtra && centre / 2 == j / 2)
                sums[k] = multiplyAdd(both, extra[centre % 2], sums[k]);
        }
    }
    WARPSCOPE_UNROLL
    for (int k = 0; k < kGaussianRowsAtOnce; ++k)
        sums[k] = hn::BitCast(D32(), hn::ShiftRight<24>(hn::BitCast(du32, sums[k])));
}

template <int kTaps, bool kExtra>
HWY_ATTR void smallColumns(const std::int16_t* const* rows, const GaussianWeights& w, int count,
                           std::uint8_t* const* out, const RowsAhead& ahead) {
    constexpr int kRows = kTaps + kGaussianRowsAtOnce - 1;
    static_assert(kRows % 2 == 0);
    const D16 d16;
    const hn::Rebind<std::uint8_t, D16> d8;
    const int lanes = int(hn::Lanes(d16));
    const std::int16_t* pairs = w.pairsFromFirst();
    // From -1 on.
    V16 weights[kTaps + 1];
    WARPSCOPE_UNROLL
    for (int i = 0; i <= kTaps; ++i) weights[i] = weightPair(pairs, i - 1);
    const V16 extra[] = {constantPair(w.extra, 0), constantPair(0, w.extra)};
    const std::int16_t* from[kRows];
    WARPSCOPE_UNROLL
    for (int j = 0; j < kRows; ++j) from[j] = rows[j];
    const std::ptrdiff_t aheadBytes = ahead.bytesOf(count / kSmallStep);
    std::ptrdiff_t asked = 0;
    for (int x = 0; x < count; x += lanes) {
        if (x % kSmallStep == 0) {
            ahead.fetch(asked, aheadBytes);
            asked += aheadBytes;
        }
        // One half of the columns after the other: both at once need more registers than there
        // are.
        V32 left[kGaussianRowsAtOnce], right[kGaussianRowsAtOnce];
        sumRows<kTaps, kExtra, false>(from, x, weights, extra, left);
        sumRows<kTaps, kExtra, true>(from, x, weights, extra, right);
        WARPSCOPE_UNROLL
        for (int k = 0; k < kGaussianRowsAtOnce; ++k) {
            const auto both = hn::ReorderDemote2To(d16, left[k], right[k]);
            hn::StoreU(hn::DemoteTo(d8, both), d8, out[k] + x);
        }
    }
}

#endif

// Calls f with the taps and whether the centre has an extra weight, as constants. With seven taps
// it has none: else the kernel is not small.
template <class F>
HWY_ATTR HWY_INLINE void withTaps(const GaussianWeights& w, F&& f) {
    using std::integral_constant, std::bool_constant;
    if (w.count == 7) return f(integral_constant<int, 7>(), bool_constant<false>());
    if (w.count == 5)
        return w.extra != 0 ? f(integral_constant<int, 5>(), bool_constant<true>())
                            : f(integral_constant<int, 5>(), bool_constant<false>());
    w.extra != 0 ? f(integral_constant<int, 3>(), bool_constant<true>())
                 : f(integral_constant<int, 3>(), bool_constant<false>());
}

HWY_ATTR void rowOf(const std::uint8_t* padded, const GaussianWeights& w, std::int16_t* out,
                    int count) {
    withTaps(w,
             [&](auto taps, auto extra) HWY_ATTR { smallRow<taps, extra>(padded, w, out, count); });
}

HWY_ATTR void columnsOf(const std::int16_t* const* rows, const GaussianWeights& w, int count,
                        std::uint8_t* const* out, const RowsAhead& ahead) {
    withTaps(w, [&](auto taps, auto extra)
                    HWY_ATTR { smallColumns<taps, extra>(rows, w, count, out, ahead); });
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace warpscope {

HWY_EXPORT(rowOf);
HWY_EXPORT(columnsOf);

bool isSmallGaussian(const GaussianWeights& weights) {
    return weights.count >= 3 && weights.count <= 7 && (weights.count < 7 || weights.extra == 0);
}

void gaussianSmallRow(const std::uint8_t* padded, const GaussianWeights& weights, std::int16_t* out,
                      int count) {
    HWY_DYNAMIC_DISPATCH(rowOf)(padded, weights, out, count);
}

void gaussianSmallColumns(const std::int16_t* const* rows, const GaussianWeights& weights,
                          int count, std::uint8_t* const* out, const RowsAhead& ahead) {
    HWY_DYNAMIC_DISPATCH(columnsOf)(rows, weights, count, out, ahead);
}

}  // namespace warpscope

#endif  // HWY_ONCE
