#include "engine/operations/morphology/local_statistics_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/morphology/local_statistics_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>

#include "engine/operations/lanes-inl.h"
#include "engine/operations/rows_ahead.h"
#include "engine/operations/vector_loops.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

HWY_ATTR void moveSums(const std::uint8_t* entering, const std::uint8_t* leaving,
                       std::int32_t* sums, std::int32_t* squares, int samples) {
    const hn::ScalableTag<std::int32_t> d;
    const hn::Rebind<std::uint8_t, decltype(d)> bytes;
    const int lanes = int(hn::Lanes(d));
    const auto middle = hn::Set(d, 2 * 128);
    int i = 0;
    for (; i + lanes <= samples; i += lanes) {
        if (i % 64 == 0) fetchAhead(entering + i);
        const auto in = hn::PromoteTo(d, hn::LoadU(bytes, entering + i));
        const auto out = hn::PromoteTo(d, hn::LoadU(bytes, leaving + i));
        const auto difference = hn::Sub(in, out);
        hn::StoreU(hn::Add(hn::LoadU(d, sums + i), difference), d, sums + i);
        // (in - 128)^2 - (out - 128)^2
        const auto more = hn::Mul(difference, hn::Sub(hn::Add(in, out), middle));
        hn::StoreU(hn::Add(hn::LoadU(d, squares + i), more), d, squares + i);
    }
    for (; i < samples; ++i) {
        const int difference = entering[i] - leaving[i];
        sums[i] += difference;
        squares[i] += difference * (entering[i] + leaving[i] - 2 * 128);
    }
}

HWY_ATTR void moveSums16(const std::uint16_t* entering, const std::uint16_t* leaving,
                         std::int32_t* sums, std::int64_t* squares, int samples) {
    int i = 0;
#if HWY_TARGET != HWY_SCALAR
    const FixedTag<std::int64_t> d;
    const FixedTag<std::int32_t> d32;
    const hn::Rebind<std::int32_t, decltype(d)> half;
    const hn::Rebind<std::uint16_t, decltype(d)> words;
    constexpr int kLanes = kLanesOf<FixedTag<std::int64_t>>;
    const auto middle = hn::Set(half, 2 * 32768);
    for (; i + kLanes <= samples; i += kLanes) {
        const auto in = hn::PromoteTo(half, hn::LoadU(words, entering + i));
        const auto out = hn::PromoteTo(half, hn::LoadU(words, leaving + i));
        const auto difference = hn::Sub(in, out);
        hn::StoreU(hn::Add(hn::LoadU(half, sums + i), difference), half, sums + i);
        const auto level = hn::Sub(hn::Add(in, out), middle);
        const auto more = hn::MulEven(hn::BitCast(d32, hn::PromoteTo(d, difference)),
                                      hn::BitCast(d32, hn::PromoteTo(d, level)));
        hn::StoreU(hn::Add(hn::LoadU(d, squares + i), more), d, squares + i);
    }
#endif
    for (; i < samples; ++i) {
        const std::int64_t difference = entering[i] - leaving[i];
        sums[i] += std::int32_t(difference);
        squares[i] += difference * (entering[i] + leaving[i] - 2 * 32768);
    }
}

template <int kChannels, class Sum>
HWY_ATTR HWY_INLINE void addUp(const Sum* HWY_RESTRICT values, Sum* HWY_RESTRICT sums,
                               int samples) {
    const FixedTag<Sum> d;
    constexpr int kLanes = kLanesOf<FixedTag<Sum>>;
    if constexpr (kLanes < kChannels) {
        hn::Vec<decltype(d)> before[kChannels / kLanes];
        for (auto& sum : before) sum = hn::Zero(d);
        for (int i = 0; i < samples; i += kChannels) {
            WARPSCOPE_UNROLL
            for (int k = 0; k < kChannels / kLanes; ++k) {
                before[k] = hn::Add(before[k], hn::LoadU(d, values + i + k * kLanes));
                hn::StoreU(before[k], d, sums + i + k * kLanes);
            }
        }
    } else {
        // The last pixel in every one.
        auto before = hn::Zero(d);
        HWY_ALIGN Sum last[kLanes];
        for (int i = 0; i < kLanes; ++i) last[i] = Sum(kLanes - kChannels + i % kChannels);
        const auto ends = hn::SetTableIndices(d, last);
        for (int i = 0; i < samples; i += kLanes) {
            const auto own = addedUp<kChannels>(d, hn::LoadU(d, values + i));
            hn::StoreU(hn::Add(own, before), d, sums + i);
            // So that each vector waits for one addition of the one before only.
            before = hn::Add(before, hn::TableLookupLanes(own, ends));
        }
    }
}

HWY_ATTR void addUp32(const std::int32_t* values, int channels, std::int32_t* sums, int samples) {
    channels == 1 ? addUp<1>(values, sums, samples) : addUp<4>(values, sums, samples);
}
HWY_ATTR void addUp64(const std::int64_t* values, int channels, std::int64_t* sums, int samples) {
    channels == 1 ? addUp<1>(values, sums, samples) : addUp<4>(values, sums, samples);
}

// n S2 - S^2 stays below 2^46, so that doubles hold it; with half of 1 / n^2 more, a product with
// 1 / n^2 is never below a whole number that the quotient reaches.
template <bool kRoot>
HWY_ATTR void finishTyped(const StatisticsSums<std::int32_t>& sums, std::uint32_t n,
                          std::uint8_t* out, int samples) {
    const hn::ScalableTag<double> d;
    const hn::Rebind<std::int32_t, decltype(d)> d32;
    const hn::Rebind<float, decltype(d)> df;
    const hn::Rebind<std::uint8_t, decltype(d)> bytes;
    const int lanes = int(hn::Lanes(d));
    const auto count = hn::Set(d, double(n)), half = hn::Set(d, 0.5);
    const auto inverse = hn::Set(d, 1.0 / (double(n) * double(n)));
    // Sums have room for whole vectors, rows of the output for whole lines of 64 bytes.
    for (int i = 0; i < samples; i += lanes) {
        const auto difference = [&](const std::int32_t* end, const std::int32_t* start) HWY_ATTR {
            return hn::PromoteTo(d, hn::Sub(hn::LoadU(d32, end + i), hn::LoadU(d32, start + i)));
        };
        const auto sum = difference(sums.end, sums.start);
        const auto square = difference(sums.squaresEnd, sums.squaresStart);
        const auto spread = hn::Sub(hn::Mul(count, square), hn::Mul(sum, sum));
        auto level = hn::DemoteTo(d32, hn::Mul(hn::Add(spread, half), inverse));
        if constexpr (kRoot) level = hn::ConvertTo(d32, hn::Sqrt(hn::ConvertTo(df, level)));
        hn::StoreU(hn::DemoteTo(bytes, level), bytes, out + i);
    }
}

// The same roots where n S2 and S^2 stay below 2^31.
HWY_ATTR void rootsOfSmall(const StatisticsSums<std::int32_t>& sums, std::uint32_t n,
                           std::uint8_t* out, int samples) {
    const hn::ScalableTag<std::int32_t> d;
    const hn::ScalableTag<float> df;
    const hn::Rebind<std::uint8_t, decltype(d)> bytes;
    const int lanes = int(hn::Lanes(d));
    const auto count = hn::Set(d, std::int32_t(n)), one = hn::Set(d, 1);
    // The approximate root is wrong by less than 2^-11 of itself: with that added it is never too
    // small, and too large by less than one.
    const auto inverse = hn::Set(df, float((1 + 0x1p-11) / n));
    for (int i = 0; i < samples; i += lanes) {
        const auto difference = [&](const std::int32_t* end, const std::int32_t* start) HWY_ATTR {
            return hn::Sub(hn::LoadU(d, end + i), hn::LoadU(d, start + i));
        };
        const auto sum = difference(sums.end, sums.start);
        const auto square = difference(sums.squaresEnd, sums.squaresStart);
        const auto spread = hn::Sub(hn::Mul(count, square), hn::Mul(sum, sum));
        const auto x = hn::ConvertTo(df, hn::Max(spread, one));
// Elsewhere approximations are coarser.
#if WARPSCOPE_X86_VECTORS
        const auto root = hn::Mul(x, hn::ApproximateReciprocalSqrt(x));
#else
        const auto root = hn::Sqrt(x);
#endif
        auto level = hn::ConvertTo(d, hn::Mul(root, inverse));
        const auto whole = hn::Mul(level, count);
        const auto over = hn::Gt(hn::Mul(whole, whole), spread);
        level = hn::Sub(level, hn::IfThenElseZero(over, one));
        hn::StoreU(hn::DemoteTo(bytes, level), bytes, out + i);
    }
}

constexpr std::uint32_t kSmallSquare = 19 * 19;

HWY_ATTR void finishStatistics(const StatisticsSums<std::int32_t>& sums, std::uint32_t n, bool root,
                               std::uint8_t* out, int samples) {
    if (root && n <= kSmallSquare) return rootsOfSmall(sums, n, out, samples);
    root ? finishTyped<true>(sums, n, out, samples) : finishTyped<false>(sums, n, out, samples);
}

#if HWY_TARGET == HWY_SCALAR

HWY_ATTR void finishStatistics16(const StatisticsSums<std::int64_t>& sums, std::uint32_t n,
                                 bool root, std::uint16_t* out, int samples) {
    const auto n2 = std::int64_t(n) * n;
    for (int i = 0; i < samples; ++i) {
        // Modulo 2^32, as they were added up.
        const auto sum = std::int32_t(std::uint32_t(sums.end[i]) - std::uint32_t(sums.start[i]));
        const std::int64_t square = sums.squaresEnd[i] - sums.squaresStart[i];
        const std::int64_t spread = n * square - std::int64_t(sum) * sum;
        // Wrong by one at most.
        auto level = std::int64_t(double(spread) / double(n2));
        level -= level * n2 > spread;
        level += (level + 1) * n2 <= spread;
        if (root) level = std::int64_t(std::sqrt(double(level)));
        out[i] = std::uint16_t(std::min<std::int64_t>(level, 65535));
    }
}

#else

// Quotients and roots in double, a little more than they are: never too small, and too large by
// less than one, which is seen by the product.
template <bool kRoot>
HWY_ATTR HWY_INLINE void finishWhole(const StatisticsSums<std::int64_t>& sums, std::uint32_t n,
                                     std::uint16_t* out, int samples) {
    const FixedTag<std::int64_t> d;
    const FixedTag<std::int32_t> d32;
    const FixedTag<double> df;
    const hn::Rebind<std::int32_t, decltype(d)> half;
    const hn::Rebind<std::uint16_t, decltype(d)> words;
    using V = hn::Vec<decltype(d)>;
    const auto times = [&](V a, V b) HWY_ATTR {
        return hn::MulEven(hn::BitCast(d32, a), hn::BitCast(d32, b));
    };
    const std::uint32_t divisor = kRoot ? n : n * n;
    const auto count = hn::Set(d, n), unit = hn::Set(d, divisor);
    const auto inverse = hn::Set(df, (1 + 0x1p-40) / divisor), most = hn::Set(df, 65536.0);
    const auto one = hn::Set(df, 1.0);
    const auto low = hn::Set(d, 0x7fffffff);
    for (int i = 0; i < samples; i += kLanesOf<FixedTag<double>>) {
        const auto sum = hn::PromoteTo(
            d, hn::Sub(hn::LoadU(half, sums.end + i), hn::LoadU(half, sums.start + i)));
        const auto square =
            hn::Sub(hn::LoadU(d, sums.squaresEnd + i), hn::LoadU(d, sums.squaresStart + i));
        // Both parts fit 31 bits.
        const auto product = hn::Add(hn::ShiftLeft<31>(times(count, hn::ShiftRight<31>(square))),
                                     times(count, hn::And(square, low)));
        const auto spread = hn::Sub(product, times(sum, sum));
        auto x = hn::ConvertTo(df, spread);
        if constexpr (kRoot) x = hn::Sqrt(x);
        x = hn::Min(hn::Mul(x, inverse), most);
        auto whole = times(hn::PromoteTo(d, hn::DemoteTo(half, x)), unit);
        // Below 2^31.
        if constexpr (kRoot) whole = times(whole, whole);
        const auto over = hn::RebindMask(df, hn::Gt(whole, spread));
        const auto level = hn::DemoteTo(half, hn::Sub(x, hn::IfThenElseZero(over, one)));
        hn::StoreU(hn::DemoteTo(words, level), words, out + i);
    }
}

HWY_ATTR void finishStatistics16(const StatisticsSums<std::int64_t>& sums, std::uint32_t n,
                                 bool root, std::uint16_t* out, int samples) {
    root ? finishWhole<true>(sums, n, out, samples) : finishWhole<false>(sums, n, out, samples);
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace warpscope {

HWY_EXPORT(moveSums);
HWY_EXPORT(moveSums16);
HWY_EXPORT(addUp32);
HWY_EXPORT(addUp64);
HWY_EXPORT(finishStatistics);
HWY_EXPORT(finishStatistics16);

void statisticsMove(const std::uint8_t* entering, const std::uint8_t* leaving, std::int32_t* sums,
                    std::int32_t* squares, int samples) {
    HWY_DYNAMIC_DISPATCH(moveSums)(entering, leaving, sums, squares, samples);
}
void statisticsMove(const std::uint16_t* entering, const std::uint16_t* leaving, std::int32_t* sums,
                    std::int64_t* squares, int samples) {
    HWY_DYNAMIC_DISPATCH(moveSums16)(entering, leaving, sums, squares, samples);
}

void statisticsAddUp(const std::int32_t* values, int channels, std::int32_t* sums, int samples) {
    HWY_DYNAMIC_DISPATCH(addUp32)(values, channels, sums, samples);
}
void statisticsAddUp(const std::int64_t* values, int channels, std::int64_t* sums, int samples) {
    HWY_DYNAMIC_DISPATCH(addUp64)(values, channels, sums, samples);
}

void statisticsResults(const StatisticsSums<std::int32_t>& sums, std::uint32_t n, bool root,
                       std::uint8_t* out, int samples) {
    HWY_DYNAMIC_DISPATCH(finishStatistics)(sums, n, root, out, samples);
}
void statisticsResults(const StatisticsSums<std::int64_t>& sums, std::uint32_t n, bool root,
                       std::uint16_t* out, int samples) {
    HWY_DYNAMIC_DISPATCH(finishStatistics16)(sums, n, root, out, samples);
}

}  // namespace warpscope

#endif  // HWY_ONCE
