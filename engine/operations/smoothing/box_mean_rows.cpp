#include "engine/operations/smoothing/box_mean_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/smoothing/box_mean_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>

#include "engine/operations/rows_ahead.h"
#include "engine/operations/smoothing/box_quotient.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// (2 s + n) / (2 n) in integers. n is odd, so that this is (s + n / 2) / n.
inline std::uint8_t meanOf(std::uint32_t sum, std::uint32_t n) {
    return std::uint8_t((sum + n / 2) / n);
}

// Samples [first, samples); where `alpha` is given, every fourth one is taken from it.
inline void finishMeans(const std::uint32_t* before, const std::uint32_t* until, std::uint32_t n,
                        const std::uint8_t* alpha, std::uint8_t* out, int first, int samples) {
    for (int i = first; i < samples; ++i)
        out[i] = alpha && i % 4 == 3 ? alpha[i] : meanOf(until[i] - before[i], n);
}

// As above, of 16 bits.
inline void finishMeans16(const std::uint32_t* before, const std::uint32_t* until,
                          const BoxQuotient& quotient, const std::uint16_t* alpha,
                          std::uint16_t* out, int first, int samples) {
    for (int i = first; i < samples; ++i)
        out[i] = alpha && i % 4 == 3 ? alpha[i] : std::uint16_t(quotient.of(until[i] - before[i]));
}

inline void finishMeans64(const std::uint64_t* before, const std::uint64_t* until, std::uint32_t n,
                          const std::uint16_t* alpha, std::uint16_t* out, int first, int samples) {
    for (int i = first; i < samples; ++i)
        out[i] = alpha && i % 4 == 3 ? alpha[i] : std::uint16_t((until[i] - before[i] + n / 2) / n);
}

#if HWY_TARGET == HWY_SCALAR

template <class T>
void moveDownOf(const T* entering, const T* leaving, std::uint32_t* columns, int samples) {
    for (int i = 0; i < samples; ++i) columns[i] += std::uint32_t(entering[i]) - leaving[i];
}

template <class T>
void addWeightedOf(const T* row, std::uint32_t times, std::uint32_t* columns, int samples) {
    for (int i = 0; i < samples; ++i) columns[i] += times * row[i];
}

void meanRow(const std::uint32_t* before, const std::uint32_t* until, std::uint32_t n,
             const std::uint8_t* alpha, std::uint8_t* out, int samples) {
    finishMeans(before, until, n, alpha, out, 0, samples);
}

void meanRow16(const std::uint32_t* before, const std::uint32_t* until, const BoxQuotient& quotient,
               const std::uint16_t* alpha, std::uint16_t* out, int samples) {
    finishMeans16(before, until, quotient, alpha, out, 0, samples);
}

void moveDown64(const std::uint16_t* entering, const std::uint16_t* leaving, std::uint64_t* columns,
                int samples) {
    for (int i = 0; i < samples; ++i) columns[i] += std::uint64_t(entering[i]) - leaving[i];
}

void addWeighted64(const std::uint16_t* row, std::uint32_t times, std::uint64_t* columns,
                   int samples) {
    for (int i = 0; i < samples; ++i) columns[i] += std::uint64_t(times) * row[i];
}

void meanRow64(const std::uint64_t* before, const std::uint64_t* until, std::uint32_t n,
               const std::uint16_t* alpha, std::uint16_t* out, int samples) {
    finishMeans64(before, until, n, alpha, out, 0, samples);
}

void prefixGray(const std::uint32_t* in, std::uint32_t* out, int count) {
    std::uint32_t sum = 0;
    for (int i = 0; i < count; ++i) out[i] = sum += in[i];
}

void prefixColor(const std::uint32_t* in, std::uint32_t* out, int pixels) {
    std::uint32_t sum[4] = {};
    for (int i = 0; i < pixels; ++i)
        for (int c = 0; c < 4; ++c) out[4 * i + c] = sum[c] += in[4 * i + c];
}

#else

using D32 = hn::ScalableTag<std::uint32_t>;
using D64 = hn::ScalableTag<std::uint64_t>;
using DI32 = hn::ScalableTag<std::int32_t>;
using DF = hn::ScalableTag<float>;
using V32 = hn::Vec<D32>;
using Index32 = decltype(hn::SetTableIndices(D32(), static_cast<const std::int32_t*>(nullptr)));

template <class T>
HWY_ATTR void moveDownOf(const T* entering, const T* leaving, std::uint32_t* columns, int samples) {
    const D32 d;
    const hn::Rebind<T, D32> narrow;
    const int lanes = int(hn::Lanes(d));
    int i = 0;
    for (; i + lanes <= samples; i += lanes) {
        if (i % (64 / int(sizeof(T))) == 0) fetchAhead(entering + i);
        const auto in = hn::PromoteTo(d, hn::LoadU(narrow, entering + i));
        const auto out = hn::PromoteTo(d, hn::LoadU(narrow, leaving + i));
        hn::StoreU(hn::Add(hn::LoadU(d, columns + i), hn::Sub(in, out)), d, columns + i);
    }
    for (; i < samples; ++i) columns[i] += std::uint32_t(entering[i]) - leaving[i];
}

template <class T>
HWY_ATTR void addWeightedOf(const T* row, std::uint32_t times, std::uint32_t* columns,
                            int samples) {
    const D32 d;
    const hn::Rebind<T, D32> narrow;
    const int lanes = int(hn::Lanes(d));
    const auto factor = hn::Set(d, times);
    int i = 0;
    for (; i + lanes <= samples; i += lanes) {
        const auto in = hn::Mul(factor, hn::PromoteTo(d, hn::LoadU(narrow, row + i)));
        hn::StoreU(hn::Add(hn::LoadU(d, columns + i), in), d, columns + i);
    }
    for (; i < samples; ++i) columns[i] += times * row[i];
}

// The float quotient of (s + n / 2) and n is less than 2^-14 wrong below 256. Half of 1 / n keeps
// it away from whole numbers for n up to 6,561; above that the remainder shows an error of one.
template <bool kMend, bool kAlpha>
HWY_ATTR void meanRowTyped(const std::uint32_t* before, const std::uint32_t* until, std::uint32_t n,
                           const std::uint8_t* alpha, std::uint8_t* out, int samples) {
    const D32 d;
    const DI32 di;
    const DF df;
    const hn::Rebind<std::uint8_t, D32> bytes;
    const int lanes = int(hn::Lanes(d));
    const auto half = hn::Set(d, n / 2);
    const auto inverse = hn::Set(df, 1.0f / float(n));
    const auto bias = hn::Set(df, kMend ? 0.0f : 0.5f / float(n));
    const auto divisor = hn::Set(di, std::int32_t(n));
    const auto one = hn::Set(di, 1);
    alignas(64) std::int32_t keep[hn::MaxLanes(di)];
    for (int k = 0; k < lanes; ++k) keep[k] = k % 4 == 3 ? -1 : 0;
    const auto kept = hn::MaskFromVec(hn::Load(di, keep));
    int i = 0;
    for (; i + lanes <= samples; i += lanes) {
        if (i % 64 == 0) fetchAhead(out + i);
        const auto sum = hn::Sub(hn::LoadU(d, until + i), hn::LoadU(d, before + i));
        const auto t = hn::BitCast(di, hn::Add(sum, half));
        auto q = hn::ConvertTo(di, hn::MulAdd(hn::ConvertTo(df, t), inverse, bias));
        if constexpr (kMend) {
            const auto rest = hn::Sub(t, hn::Mul(q, divisor));
            q = hn::IfThenElse(hn::Lt(rest, hn::Zero(di)), hn::Sub(q, one), q);
            q = hn::IfThenElse(hn::Lt(rest, divisor), q, hn::Add(q, one));
        }
        if constexpr (kAlpha)
            q = hn::IfThenElse(kept, hn::PromoteTo(di, hn::LoadU(bytes, alpha + i)), q);
        hn::StoreU(hn::DemoteTo(bytes, q), bytes, out + i);
    }
    finishMeans(before, until, n, alpha, out, i, samples);
}

HWY_ATTR void meanRow(const std::uint32_t* before, const std::uint32_t* until, std::uint32_t n,
                      const std::uint8_t* alpha, std::uint8_t* out, int samples) {
    if (n <= 6561)
        alpha ? meanRowTyped<false, true>(before, until, n, alpha, out, samples)
              : meanRowTyped<false, false>(before, until, n, alpha, out, samples);
    else
        alpha ? meanRowTyped<true, true>(before, until, n, alpha, out, samples)
              : meanRowTyped<true, false>(before, until, n, alpha, out, samples);
}

// Quotients of 16 bits, by products of 64: of the even lanes, then of the odd ones.
template <bool kAlpha>
HWY_ATTR void meanRow16Typed(const std::uint32_t* before, const std::uint32_t* until,
                             const BoxQuotient& quotient, const std::uint16_t* alpha,
                             std::uint16_t* out, int samples) {
    const D32 d;
    const DI32 di;
    const hn::RepartitionToWide<D32> wide;
    const hn::Rebind<std::uint16_t, D32> narrow;
    const int lanes = int(hn::Lanes(d));
    const auto addend = hn::Set(d, quotient.addend);
    const auto factor = hn::Set(d, quotient.factor);
    const int shift = quotient.bits;
    alignas(64) std::int32_t keep[hn::MaxLanes(di)];
    for (int k = 0; k < lanes; ++k) keep[k] = k % 4 == 3 ? -1 : 0;
    const auto kept = hn::MaskFromVec(hn::Load(di, keep));
    int i = 0;
    for (; i + lanes <= samples; i += lanes) {
        if (i % 32 == 0) fetchAhead(out + i);
        const auto t = hn::Add(hn::Sub(hn::LoadU(d, until + i), hn::LoadU(d, before + i)), addend);
        const auto odd = hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(wide, t)));
        const auto low = hn::ShiftRightSame(hn::MulEven(t, factor), shift);
        const auto high = hn::ShiftRightSame(hn::MulEven(odd, factor), shift);
        auto q = hn::BitCast(di, hn::Or(low, hn::ShiftLeft<32>(high)));
        if constexpr (kAlpha)
            q = hn::IfThenElse(kept, hn::PromoteTo(di, hn::LoadU(narrow, alpha + i)), q);
        hn::StoreU(hn::DemoteTo(narrow, q), narrow, out + i);
    }
    finishMeans16(before, until, quotient, alpha, out, i, samples);
}

HWY_ATTR void meanRow16(const std::uint32_t* before, const std::uint32_t* until,
                        const BoxQuotient& quotient, const std::uint16_t* alpha, std::uint16_t* out,
                        int samples) {
    alpha ? meanRow16Typed<true>(before, until, quotient, alpha, out, samples)
          : meanRow16Typed<false>(before, until, quotient, alpha, out, samples);
}

HWY_ATTR void moveDown64(const std::uint16_t* entering, const std::uint16_t* leaving,
                         std::uint64_t* columns, int samples) {
    const D64 d;
    const hn::Rebind<std::uint32_t, D64> half;
    const hn::Rebind<std::uint16_t, D64> quarter;
    const int lanes = int(hn::Lanes(d));
    int i = 0;
    for (; i + lanes <= samples; i += lanes) {
        if (i % 32 == 0) fetchAhead(entering + i);
        const auto in = hn::PromoteTo(half, hn::LoadU(quarter, entering + i));
        const auto out = hn::PromoteTo(half, hn::LoadU(quarter, leaving + i));
        const auto sum = hn::Add(hn::LoadU(d, columns + i), hn::PromoteTo(d, in));
        hn::StoreU(hn::Sub(sum, hn::PromoteTo(d, out)), d, columns + i);
    }
    for (; i < samples; ++i) columns[i] += std::uint64_t(entering[i]) - leaving[i];
}

// `times` is at most 1,001.
HWY_ATTR void addWeighted64(const std::uint16_t* row, std::uint32_t times, std::uint64_t* columns,
                            int samples) {
    const D64 d;
    const hn::Rebind<std::uint32_t, D64> half;
    const hn::Rebind<std::uint16_t, D64> quarter;
    const int lanes = int(hn::Lanes(d));
    const auto factor = hn::Set(half, times);
    int i = 0;
    for (; i + lanes <= samples; i += lanes) {
        const auto in = hn::Mul(factor, hn::PromoteTo(half, hn::LoadU(quarter, row + i)));
        hn::StoreU(hn::Add(hn::LoadU(d, columns + i), hn::PromoteTo(d, in)), d, columns + i);
    }
    for (; i < samples; ++i) columns[i] += std::uint64_t(times) * row[i];
}

// Sums are below 2^37 and so exact as doubles, which the sum with 2^52 makes of them. The product
// with the rounded 1 / n is less than 2^-35 wrong, and half of 1 / n keeps it away from whole
// numbers.
template <bool kAlpha>
HWY_ATTR void meanRow64Typed(const std::uint64_t* before, const std::uint64_t* until,
                             std::uint32_t n, const std::uint16_t* alpha, std::uint16_t* out,
                             int samples) {
    constexpr double kWhole = 4503599627370496.0;  // 2^52
    const D64 d;
    const hn::ScalableTag<double> df;
    const hn::Rebind<std::int32_t, D64> half;
    const hn::Rebind<std::uint16_t, D64> quarter;
    const int lanes = int(hn::Lanes(d));
    const auto whole = hn::BitCast(d, hn::Set(df, kWhole));
    const auto addend = hn::Set(df, double(n / 2) + 0.5 - kWhole);
    const auto inverse = hn::Set(df, 1.0 / double(n));
    int i = 0;
    for (; i + lanes <= samples; i += lanes) {
        if (i % 32 == 0) fetchAhead(out + i);
        const auto sum = hn::Sub(hn::LoadU(d, until + i), hn::LoadU(d, before + i));
        const auto t = hn::Add(hn::BitCast(df, hn::Or(sum, whole)), addend);
        hn::StoreU(hn::DemoteTo(quarter, hn::DemoteTo(half, hn::Mul(t, inverse))), quarter,
                   out + i);
        if constexpr (kAlpha)
            for (int k = i + (3 - i % 4); k < i + lanes; k += 4) out[k] = alpha[k];
    }
    finishMeans64(before, until, n, alpha, out, i, samples);
}

HWY_ATTR void meanRow64(const std::uint64_t* before, const std::uint64_t* until, std::uint32_t n,
                        const std::uint16_t* alpha, std::uint16_t* out, int samples) {
    alpha ? meanRow64Typed<true>(before, until, n, alpha, out, samples)
          : meanRow64Typed<false>(before, until, n, alpha, out, samples);
}

// `in` and `out` have room for whole vectors.
HWY_ATTR void prefixGray(const std::uint32_t* in, std::uint32_t* out, int count) {
    const D32 d;
    const int lanes = int(hn::Lanes(d));
    alignas(64) std::int32_t from[hn::MaxLanes(d)];
    alignas(64) std::uint32_t mask[hn::MaxLanes(d)];
    const auto spread = [&](auto source) {
        for (int i = 0; i < lanes; ++i) {
            const int lane = source(i);
            from[i] = std::max(lane, 0);
            mask[i] = lane < 0 ? 0 : 0xFFFFFFFFu;
        }
    };
    spread([](int i) { return i / 4 % 2 == 1 ? i / 4 * 4 - 1 : -1; });
    const Index32 fromBlock = hn::SetTableIndices(d, from);
    const V32 blockMask = hn::Load(d, mask);
    spread([](int i) { return i / 8 == 1 ? 7 : -1; });
    const Index32 fromEight = hn::SetTableIndices(d, from);
    const V32 eightMask = hn::Load(d, mask);
    spread([&](int) { return lanes - 1; });
    const Index32 last = hn::SetTableIndices(d, from);
    auto carry = hn::Zero(d);
    for (int i = 0; i < count; i += lanes) {
        auto v = hn::LoadU(d, in + i);
        v = hn::Add(v, hn::ShiftLeftLanes<1>(d, v));
        v = hn::Add(v, hn::ShiftLeftLanes<2>(d, v));
        if constexpr (hn::MaxLanes(D32()) >= 8)
            v = hn::Add(v, hn::And(hn::TableLookupLanes(v, fromBlock), blockMask));
        if constexpr (hn::MaxLanes(D32()) >= 16)
            v = hn::Add(v, hn::And(hn::TableLookupLanes(v, fromEight), eightMask));
        hn::StoreU(hn::Add(v, carry), d, out + i);
        carry = hn::Add(carry, hn::TableLookupLanes(v, last));
    }
}

// A pixel is 16 bytes: no lanes move.
HWY_ATTR void prefixColor(const std::uint32_t* in, std::uint32_t* out, int pixels) {
    const hn::CappedTag<std::uint32_t, 4> d;
    auto sum = hn::Zero(d);
    for (int i = 0; i < pixels; ++i) {
        sum = hn::Add(sum, hn::LoadU(d, in + 4 * i));
        hn::StoreU(sum, d, out + 4 * i);
    }
}

#endif

HWY_ATTR void moveDown(const std::uint8_t* entering, const std::uint8_t* leaving,
                       std::uint32_t* columns, int samples) {
    moveDownOf(entering, leaving, columns, samples);
}
HWY_ATTR void moveDown16(const std::uint16_t* entering, const std::uint16_t* leaving,
                         std::uint32_t* columns, int samples) {
    moveDownOf(entering, leaving, columns, samples);
}
HWY_ATTR void addWeighted(const std::uint8_t* row, std::uint32_t times, std::uint32_t* columns,
                          int samples) {
    addWeightedOf(row, times, columns, samples);
}
HWY_ATTR void addWeighted16(const std::uint16_t* row, std::uint32_t times, std::uint32_t* columns,
                            int samples) {
    addWeightedOf(row, times, columns, samples);
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace warpscope {
namespace {

HWY_EXPORT(moveDown);
HWY_EXPORT(moveDown16);
HWY_EXPORT(moveDown64);
HWY_EXPORT(addWeighted);
HWY_EXPORT(addWeighted16);
HWY_EXPORT(addWeighted64);
HWY_EXPORT(meanRow);
HWY_EXPORT(meanRow16);
HWY_EXPORT(meanRow64);
HWY_EXPORT(prefixGray);
HWY_EXPORT(prefixColor);

}  // namespace

void moveBoxColumns(const std::uint8_t* entering, const std::uint8_t* leaving,
                    std::uint32_t* columns, int samples) {
    HWY_DYNAMIC_DISPATCH(moveDown)(entering, leaving, columns, samples);
}
void moveBoxColumns(const std::uint16_t* entering, const std::uint16_t* leaving,
                    std::uint32_t* columns, int samples) {
    HWY_DYNAMIC_DISPATCH(moveDown16)(entering, leaving, columns, samples);
}
void moveBoxColumns(const std::uint16_t* entering, const std::uint16_t* leaving,
                    std::uint64_t* columns, int samples) {
    HWY_DYNAMIC_DISPATCH(moveDown64)(entering, leaving, columns, samples);
}

void addToBoxColumns(const std::uint8_t* row, std::uint32_t times, std::uint32_t* columns,
                     int samples) {
    HWY_DYNAMIC_DISPATCH(addWeighted)(row, times, columns, samples);
}
void addToBoxColumns(const std::uint16_t* row, std::uint32_t times, std::uint32_t* columns,
                     int samples) {
    HWY_DYNAMIC_DISPATCH(addWeighted16)(row, times, columns, samples);
}
void addToBoxColumns(const std::uint16_t* row, std::uint32_t times, std::uint64_t* columns,
                     int samples) {
    HWY_DYNAMIC_DISPATCH(addWeighted64)(row, times, columns, samples);
}

void boxMeans(const std::uint32_t* before, const std::uint32_t* until, std::uint32_t n,
              const std::uint8_t* alpha, std::uint8_t* out, int samples) {
    HWY_DYNAMIC_DISPATCH(meanRow)(before, until, n, alpha, out, samples);
}
void boxMeans(const std::uint32_t* before, const std::uint32_t* until, const BoxQuotient& quotient,
              const std::uint16_t* alpha, std::uint16_t* out, int samples) {
    HWY_DYNAMIC_DISPATCH(meanRow16)(before, until, quotient, alpha, out, samples);
}
void boxMeans(const std::uint64_t* before, const std::uint64_t* until, std::uint32_t n,
              const std::uint16_t* alpha, std::uint16_t* out, int samples) {
    HWY_DYNAMIC_DISPATCH(meanRow64)(before, until, n, alpha, out, samples);
}

void boxPrefixes(const std::uint32_t* in, std::uint32_t* out, int pixels, int channels) {
    if (channels == 1)
        HWY_DYNAMIC_DISPATCH(prefixGray)(in, out, pixels);
    else
        HWY_DYNAMIC_DISPATCH(prefixColor)(in, out, pixels);
}

namespace {

template <int kChannels>
void prefixesOf(const std::uint64_t* in, std::uint64_t* out, int pixels) {
    std::uint64_t sum[kChannels] = {};
    for (int i = 0; i < pixels * kChannels; i += kChannels)
#pragma GCC unroll 4
        for (int c = 0; c < kChannels; ++c) out[i + c] = sum[c] += in[i + c];
}

}  // namespace

void boxPrefixes(const std::uint64_t* in, std::uint64_t* out, int pixels, int channels) {
    channels == 1 ? prefixesOf<1>(in, out, pixels) : prefixesOf<4>(in, out, pixels);
}

}  // namespace warpscope

#endif  // HWY_ONCE
