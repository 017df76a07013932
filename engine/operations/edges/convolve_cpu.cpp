#include "engine/operations/edges/convolve.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/edges/convolve_cpu.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "engine/operations/vector_loops.h"

#ifndef WARPSCOPE_CONVOLVE_ROW
#define WARPSCOPE_CONVOLVE_ROW
namespace warpscope {

// Where the first sample of a row meets each weight.
template <class T>
struct ConvolveRow {
    const T* from[kMaxConvolveSide * kMaxConvolveSide];
    const ConvolvePlan& plan;
};

}  // namespace warpscope
#endif

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// ---- from sums to samples ----

// floor((s + d / 2) / d) + offset, limited to 0 to white: narrowing alone does not limit every
// number of 32 bits. The quotient of floats is right or wrong by one below 2^17, and
// the rest shows which; what is larger is limited anyway.
class WholeResult {
  public:
    using D = hn::ScalableTag<std::int32_t>;
    using DF = hn::ScalableTag<float>;
    HWY_ATTR WholeResult(const ConvolvePlan& plan, std::int32_t white)
        : m_divides(plan.divisor != 1),
          m_divisor(hn::Set(D(), plan.divisor)),
          m_half(hn::Set(D(), plan.divisor / 2)),
          m_offset(hn::Set(D(), plan.offset)),
          m_white(hn::Set(D(), white)),
          m_inverse(hn::Set(DF(), 1.0f / float(plan.divisor))) {}

    HWY_ATTR HWY_INLINE hn::Vec<D> operator()(hn::Vec<D> sum) const {
        const D d;
        const DF df;
        if (!m_divides) return limited(hn::Add(sum, m_offset));
        const auto t = hn::Add(sum, m_half);
        const auto most = hn::Set(df, 131072.0f);
        const auto ratio = hn::Mul(hn::ConvertTo(df, t), m_inverse);
        auto q = hn::ConvertTo(d, hn::Floor(hn::Max(hn::Min(ratio, most), hn::Neg(most))));
        const auto rest = hn::Sub(t, hn::Mul(q, m_divisor));
        const auto one = hn::Set(d, 1);
        q = hn::IfThenElse(hn::Lt(rest, hn::Zero(d)), hn::Sub(q, one), q);
        q = hn::IfThenElse(hn::Lt(rest, m_divisor), q, hn::Add(q, one));
        return limited(hn::Add(q, m_offset));
    }

  private:
    HWY_ATTR HWY_INLINE hn::Vec<D> limited(hn::Vec<D> v) const {
        return hn::Min(hn::Max(v, hn::Zero(D())), m_white);
    }

    bool m_divides;
    hn::Vec<D> m_divisor, m_half, m_offset, m_white;
    hn::Vec<DF> m_inverse;
};

// ---- sums in lanes of 16 and 32 bits and of double, which is exact up to 53 ----

#if HWY_TARGET != HWY_SCALAR
struct Sums16 {
    using T = std::uint8_t;
    using D = hn::ScalableTag<std::int16_t>;
    using V = hn::Vec<D>;
    WholeResult result;
    bool divides;
    V offset;
    HWY_ATTR explicit Sums16(const ConvolvePlan& plan)
        : result(plan, 255),
          divides(plan.divisor != 1),
          offset(hn::Set(D(), std::int16_t(plan.offset))) {}

    static HWY_ATTR HWY_INLINE V weight(std::int32_t w) { return hn::Set(D(), std::int16_t(w)); }
    static HWY_ATTR HWY_INLINE V added(V sum, V w, const T* from) {
        return hn::Add(sum, hn::Mul(w, hn::PromoteTo(D(), hn::LoadU(hn::Rebind<T, D>(), from))));
    }
    HWY_ATTR HWY_INLINE void store(V sum, T* out) const {
        const D d;
        if (!divides) {
            const hn::Rebind<T, D> bytes;
            return hn::StoreU(hn::DemoteTo(bytes, hn::SaturatedAdd(sum, offset)), bytes, out);
        }
        const hn::Half<D> half;
        const WholeResult::D d32;
        const hn::Rebind<T, WholeResult::D> bytes;
        const auto low = result(hn::PromoteTo(d32, hn::LowerHalf(half, sum)));
        const auto high = result(hn::PromoteTo(d32, hn::UpperHalf(half, sum)));
        hn::StoreU(hn::DemoteTo(bytes, low), bytes, out);
        hn::StoreU(hn::DemoteTo(bytes, high), bytes, out + hn::Lanes(d) / 2);
    }
};
#endif

template <class Sample>
struct Sums32 {
    using T = Sample;
    using D = hn::ScalableTag<std::int32_t>;
    using V = hn::Vec<D>;
    WholeResult result;
    HWY_ATTR explicit Sums32(const ConvolvePlan& plan)
        : result(plan, sizeof(T) == 1 ? 255 : 65535) {}

    static HWY_ATTR HWY_INLINE V weight(std::int32_t w) { return hn::Set(D(), w); }
    static HWY_ATTR HWY_INLINE V added(V sum, V w, const T* from) {
        return hn::Add(sum, hn::Mul(w, hn::PromoteTo(D(), hn::LoadU(hn::Rebind<T, D>(), from))));
    }
    HWY_ATTR HWY_INLINE void store(V sum, T* out) const {
        const hn::Rebind<T, D> samples;
        hn::StoreU(hn::DemoteTo(samples, result(sum)), samples, out);
    }
};

// Products are exact, so that it does not matter whether they are fused with the sum. Whole sums
// stay below 2^40: (s + 1/4) / d + 1/2 is nearer to no whole number than 1 / 4d, far more than the
// error of double.
template <class Sample>
struct SumsDouble {
    using T = Sample;
    using D = hn::ScalableTag<double>;
    using V = hn::Vec<D>;
    V divisor, inverse, bias, offset;
    HWY_ATTR explicit SumsDouble(const ConvolvePlan& plan)
        : divisor(hn::Set(D(), double(plan.divisor))),
          inverse(hn::Set(D(), 1.0 / plan.divisor)),
          bias(hn::Set(D(), 0.5 + 0.25 / plan.divisor)),
          offset(
              hn::Set(D(), std::is_floating_point_v<T> ? plan.offsetFloat : double(plan.offset))) {}

    static HWY_ATTR HWY_INLINE V weight(std::int32_t w) { return hn::Set(D(), double(w)); }
    static HWY_ATTR HWY_INLINE V added(V sum, V w, const T* from) {
        const D d;
        const auto loaded = hn::LoadU(hn::Rebind<T, D>(), from);
        if constexpr (std::is_floating_point_v<T>)
            return hn::MulAdd(w, hn::PromoteTo(d, loaded), sum);
        else
            return hn::MulAdd(
                w, hn::PromoteTo(d, hn::PromoteTo(hn::Rebind<std::int32_t, D>(), loaded)), sum);
    }
    HWY_ATTR HWY_INLINE void store(V sum, T* out) const {
        const D d;
        const hn::Rebind<T, D> samples;
        if constexpr (std::is_floating_point_v<T>) {
            const V made = hn::Add(hn::Div(sum, divisor), offset);
            // Without vectors what is too large for float would become the largest one.
#if HWY_TARGET == HWY_SCALAR
            *out = float(hn::GetLane(made));
#else
            hn::StoreU(hn::DemoteTo(samples, made), samples, out);
#endif
        } else {
            const V made = hn::Add(hn::Floor(hn::MulAdd(sum, inverse, bias)), offset);
            const V limited = hn::Max(hn::Min(made, hn::Set(d, 65535.0)), hn::Zero(d));
            const auto whole = hn::DemoteTo(hn::Rebind<std::int32_t, D>(), limited);
            hn::StoreU(hn::DemoteTo(samples, whole), samples, out);
        }
    }
};

// ---- rows ----

// So many vectors at once, which hides how long a sum takes.
template <int kVectors, class Sums, class Row>
HWY_ATTR HWY_INLINE void convolveVectors(const Row& row, const Sums& sums, int x,
                                         typename Sums::T* out) {
    const typename Sums::D d;
    const int lanes = int(hn::Lanes(d));
    typename Sums::V sum[kVectors];
    WARPSCOPE_UNROLL
    for (int k = 0; k < kVectors; ++k) sum[k] = hn::Zero(d);
    const ConvolveTap* taps = row.plan.taps.data();
    const int count = int(row.plan.taps.size());
    for (int i = 0; i < count; ++i) {
        const auto weight = Sums::weight(taps[i].weight);
        const typename Sums::T* from = row.from[i] + x;
        WARPSCOPE_UNROLL
        for (int k = 0; k < kVectors; ++k) sum[k] = Sums::added(sum[k], weight, from + k * lanes);
    }
    WARPSCOPE_UNROLL
    for (int k = 0; k < kVectors; ++k) sums.store(sum[k], out + k * lanes);
}

template <class Sums, class Row>
HWY_ATTR void convolveSamples(const Row& row, int count, typename Sums::T* out) {
    constexpr int kVectors = 4;
    const Sums sums(row.plan);
    const int lanes = int(hn::Lanes(typename Sums::D()));
    int x = 0;
    for (; x + kVectors * lanes <= count; x += kVectors * lanes)
        convolveVectors<kVectors>(row, sums, x, out + x);
    for (; x < count; x += lanes) {
        if (x + lanes <= count) {
            convolveVectors<1>(row, sums, x, out + x);
            continue;
        }
        // Rows have room for a whole vector, the image has not.
        typename Sums::T last[hn::MaxLanes(typename Sums::D())];
        convolveVectors<1>(row, sums, x, last);
        std::memcpy(out + x, last, std::size_t(count - x) * sizeof(last[0]));
    }
}

void convolveRow8(const ConvolveRow<std::uint8_t>& row, int count, std::uint8_t* out) {
#if HWY_TARGET != HWY_SCALAR
    if (row.plan.fits(16, 255)) return convolveSamples<Sums16>(row, count, out);
#endif
    convolveSamples<Sums32<std::uint8_t>>(row, count, out);
}

void convolveRow16(const ConvolveRow<std::uint16_t>& row, int count, std::uint16_t* out) {
    if (row.plan.fits(32, 65535))
        convolveSamples<Sums32<std::uint16_t>>(row, count, out);
    else
        convolveSamples<SumsDouble<std::uint16_t>>(row, count, out);
}

void convolveRowFloat(const ConvolveRow<float>& row, int count, float* out) {
    convolveSamples<SumsDouble<float>>(row, count, out);
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "engine/operations/alpha_rows.h"
#include "engine/operations/edges/padded_rows.h"

namespace warpscope {
namespace {

HWY_EXPORT(convolveRow8);
HWY_EXPORT(convolveRow16);
HWY_EXPORT(convolveRowFloat);

void convolveRow(const ConvolveRow<std::uint8_t>& row, int count, std::uint8_t* out) {
    HWY_DYNAMIC_DISPATCH(convolveRow8)(row, count, out);
}
void convolveRow(const ConvolveRow<std::uint16_t>& row, int count, std::uint16_t* out) {
    HWY_DYNAMIC_DISPATCH(convolveRow16)(row, count, out);
}
void convolveRow(const ConvolveRow<float>& row, int count, float* out) {
    HWY_DYNAMIC_DISPATCH(convolveRowFloat)(row, count, out);
}

template <class T>
Result<void> convolveTyped(const ConvolvePlan& plan, const Image& in, const MutableImage& out,
                           const CpuContext& context) {
    const auto source = in.view<T>();
    const auto target = out.view<T>();
    const int height = source.height;
    const CpuContext chosen = forWork(
        context, plan.size, 0.035 * double(plan.taps.size() + 1) * bytesPerPixel(plan.input));
    // Rows at both ends of a band are copied twice.
    const int band = rowsPerBand(chosen, height, std::uint64_t(in.pitch()), std::min(height, 64));
    return forEachRowBand(chosen, height, band, [&](int first, int last) {
        PaddedRows<T> rows(source, RowsOf::Samples, plan.radiusY, plan.radiusX);
        ConvolveRow<T> row{{}, plan};
        for (int y = first; y < last && !chosen.stopRequested(); ++y) {
            for (std::size_t i = 0; i < plan.taps.size(); ++i)
                row.from[i] = rows.row(y + plan.taps[i].y) + plan.taps[i].x * source.channels;
            convolveRow(row, source.samplesPerRow(), target.row(y));
            if (source.channels == 4)
                copyAlpha(source.row(y), target.row(y), source.samplesPerRow());
        }
    });
}

}  // namespace

Result<void> runConvolveCpu(const ConvolvePlan& plan, const Image& in, const MutableImage& out,
                            const CpuContext& context) {
    if (isFloat(plan.input)) return convolveTyped<float>(plan, in, out, context);
    return bytesPerSample(plan.input) == 2 ? convolveTyped<std::uint16_t>(plan, in, out, context)
                                           : convolveTyped<std::uint8_t>(plan, in, out, context);
}

}  // namespace warpscope

#endif  // HWY_ONCE
