#include "engine/operations/smoothing/box_mean.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/smoothing/box_mean_cpu.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

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
                          const Quotient& quotient, const std::uint16_t* alpha, std::uint16_t* out,
                          int first, int samples) {
    for (int i = first; i < samples; ++i)
        out[i] = alpha && i % 4 == 3 ? alpha[i] : std::uint16_t(quotient.of(until[i] - before[i]));
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

void meanRow16(const std::uint32_t* before, const std::uint32_t* until, const Quotient& quotient,
               const std::uint16_t* alpha, std::uint16_t* out, int samples) {
    finishMeans16(before, until, quotient, alpha, out, 0, samples);
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
                             const Quotient& quotient, const std::uint16_t* alpha,
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
                        const Quotient& quotient, const std::uint16_t* alpha, std::uint16_t* out,
                        int samples) {
    alpha ? meanRow16Typed<true>(before, until, quotient, alpha, out, samples)
          : meanRow16Typed<false>(before, until, quotient, alpha, out, samples);
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

#include "engine/operations/cpu_work.h"
#include "engine/operations/narrow_images.h"

namespace warpscope {
namespace {

HWY_EXPORT(moveDown);
HWY_EXPORT(addWeighted);
HWY_EXPORT(moveDown16);
HWY_EXPORT(addWeighted16);
HWY_EXPORT(meanRow);
HWY_EXPORT(meanRow16);
HWY_EXPORT(prefixGray);
HWY_EXPORT(prefixColor);

constexpr int kPadding = 64;
constexpr int kRowsBetweenStops = 16;

// 8 bits: every sum over a square stays below 2^32, and differences of prefix sums that wrapped
// are right modulo 2^32.
struct Kernels8 {
    static constexpr double kNanoseconds = 0.35;  // a sample
    using Sample = std::uint8_t;
    using Sum = std::uint32_t;
    static void move(const Sample* entering, const Sample* leaving, Sum* columns, int samples) {
        HWY_DYNAMIC_DISPATCH(moveDown)(entering, leaving, columns, samples);
    }
    static void add(const Sample* row, std::uint32_t times, Sum* columns, int samples) {
        HWY_DYNAMIC_DISPATCH(addWeighted)(row, times, columns, samples);
    }
    // Where `alpha` is given, every fourth sample is taken from it.
    static void mean(const Sum* before, const Sum* until, std::uint32_t n, const Sample* alpha,
                     Sample* out, int samples) {
        HWY_DYNAMIC_DISPATCH(meanRow)(before, until, n, alpha, out, samples);
    }
    static void prefix(const Sum* in, Sum* out, int pixels, int channels) {
        if (channels == 1)
            HWY_DYNAMIC_DISPATCH(prefixGray)(in, out, pixels);
        else
            HWY_DYNAMIC_DISPATCH(prefixColor)(in, out, pixels);
    }
};

// 16 bits where the sum over a square stays below 2^32 (Quotient::of16), so that the same holds.
struct Kernels16 {
    static constexpr double kNanoseconds = 0.6;
    using Sample = std::uint16_t;
    using Sum = std::uint32_t;
    static void move(const Sample* entering, const Sample* leaving, Sum* columns, int samples) {
        HWY_DYNAMIC_DISPATCH(moveDown16)(entering, leaving, columns, samples);
    }
    static void add(const Sample* row, std::uint32_t times, Sum* columns, int samples) {
        HWY_DYNAMIC_DISPATCH(addWeighted16)(row, times, columns, samples);
    }
    static void mean(const Sum* before, const Sum* until, std::uint32_t n, const Sample* alpha,
                     Sample* out, int samples) {
        const Quotient quotient = *Quotient::of16(n);
        HWY_DYNAMIC_DISPATCH(meanRow16)(before, until, quotient, alpha, out, samples);
    }
    static void prefix(const Sum* in, Sum* out, int pixels, int channels) {
        Kernels8::prefix(in, out, pixels, channels);
    }
};

// Larger squares of 16 bits: 65,535 x 1,002,001 needs more than 32 bits.
struct LargeKernels16 {
    static constexpr double kNanoseconds = 3.0;
    using Sample = std::uint16_t;
    using Sum = std::uint64_t;
    static void move(const Sample* entering, const Sample* leaving, Sum* columns, int samples) {
        for (int i = 0; i < samples; ++i) columns[i] += Sum(entering[i]) - leaving[i];
    }
    static void add(const Sample* row, std::uint32_t times, Sum* columns, int samples) {
        for (int i = 0; i < samples; ++i) columns[i] += Sum(times) * row[i];
    }
    static void mean(const Sum* before, const Sum* until, std::uint32_t n, const Sample* alpha,
                     Sample* out, int samples) {
        for (int i = 0; i < samples; ++i)
            out[i] = alpha && i % 4 == 3 ? alpha[i] : Sample((until[i] - before[i] + n / 2) / n);
    }
    static void prefix(const Sum* in, Sum* out, int pixels, int channels) {
        Sum sum[4] = {};
        for (int i = 0; i < pixels * channels; i += channels)
            for (int c = 0; c < channels; ++c) out[i + c] = sum[c] += in[i + c];
    }
};

// Rows of one band, top to bottom.
template <class K>
class Band {
  public:
    using Sample = typename K::Sample;
    using Sum = typename K::Sum;

    Band(int radius, const View<const Sample>& source, const BoxSumsRow<Sum>& row)
        : m_radius(radius),
          m_source(source),
          m_row(row),
          m_columns(alignedZeros<Sum>(room())),
          m_prefix(alignedZeros<Sum>(room() + std::size_t(source.channels))) {}

    void run(int first, int last, const CpuContext& context) {
        const int r = m_radius;
        const int height = m_source.height;
        start(first);
        for (int y = first; y < last; ++y) {
            if ((y - first) % kRowsBetweenStops == 0 && context.stopRequested()) return;
            if (y > first)
                K::move(m_source.row(std::min(y + r, height - 1)),
                        m_source.row(std::max(y - r - 1, 0)), columns(), m_source.samplesPerRow());
            finish(y);
        }
    }

  private:
    std::size_t room() const {
        return (std::size_t(m_source.width) + 2 * std::size_t(m_radius)) *
                   std::size_t(m_source.channels) +
               kPadding;
    }
    Sum* columns() { return m_columns.get() + m_radius * m_source.channels; }

    // Column sums for row y: rows beyond the border count as often as they are repeated.
    void start(int y) {
        const int r = m_radius;
        const int height = m_source.height;
        const int samples = m_source.samplesPerRow();
        std::fill_n(columns(), samples, Sum{});
        const int top = std::max(0, y - r), bottom = std::min(height - 1, y + r);
        for (int j = top; j <= bottom; ++j) {
            int times = 1;
            if (j == 0) times += std::max(0, r - y);
            if (j == height - 1) times += std::max(0, y + r - (height - 1));
            K::add(m_source.row(j), std::uint32_t(times), columns(), samples);
        }
    }

    void finish(int y) {
        const int r = m_radius;
        const int channels = m_source.channels;
        const int width = m_source.width;
        Sum* row = columns();
        for (int i = 1; i <= r * channels; ++i) row[-i] = row[channels - 1 - (i - 1) % channels];
        Sum* end = row + std::ptrdiff_t(width) * channels;
        for (int i = 0; i < r * channels; ++i) end[i] = end[i - channels];
        // m_prefix begins with one pixel of zeros: entry k is the sum of k columns.
        K::prefix(m_columns.get(), m_prefix.get() + channels, width + 2 * r, channels);
        m_row(y, m_prefix.get(), m_prefix.get() + std::ptrdiff_t(2 * r + 1) * channels);
    }

    int m_radius;
    View<const Sample> m_source;
    const BoxSumsRow<Sum>& m_row;
    hwy::AlignedFreeUniquePtr<Sum[]> m_columns, m_prefix;
};

template <class K>
Result<void> forSums(const Image& in, int radius, const CpuContext& context,
                     const BoxSumsRow<typename K::Sum>& row) {
    using Sample = typename K::Sample;
    const auto source = in.view<Sample>();
    const CpuContext chosen = forWork(context, in.size(), K::kNanoseconds * source.channels);
    const int threads = chosen.threadCount();
    // Tall beside the 2 radius rows that every band adds up first.
    const int tall = std::max(128, 4 * radius);
    const int bands = std::max(1, source.height / tall / threads) * threads;
    const int band = (source.height + bands - 1) / bands;
    return forEachRowBand(chosen, source.height, band, [&](int first, int last) {
        Band<K>(radius, source, row).run(first, last, chosen);
    });
}

template <class K>
Result<void> runTyped(const BoxMeanPlan& plan, const Image& in, const MutableImage& out,
                      const CpuContext& context) {
    using Sample = typename K::Sample;
    using Sum = typename K::Sum;
    const auto source = in.view<Sample>();
    const auto target = out.view<Sample>();
    return forSums<K>(in, plan.radius, context, [&](int y, const Sum* before, const Sum* until) {
        K::mean(before, until, plan.count, source.channels == 1 ? nullptr : source.row(y),
                target.row(y), source.samplesPerRow());
    });
}

}  // namespace

Result<void> forBoxSums8(const Image& in, int radius, const CpuContext& context,
                         const BoxSumsRow<std::uint32_t>& row) {
    return forSums<Kernels8>(in, radius, context, row);
}

Result<void> forNarrowBoxSums16(const Image& in, int radius, const CpuContext& context,
                                const BoxSumsRow<std::uint32_t>& row) {
    return forSums<Kernels16>(in, radius, context, row);
}

Result<void> forBoxSums16(const Image& in, int radius, const CpuContext& context,
                          const BoxSumsRow<std::uint64_t>& row) {
    return forSums<LargeKernels16>(in, radius, context, row);
}

Result<void> runBoxMeanCpu(const BoxMeanPlan& plan, const Image& in, const MutableImage& out,
                           const CpuContext& context) {
    return onLongRows(in, out, context, [&](const Image& source, const MutableImage& target) {
        if (isFloat(plan.input)) return runBoxMeanFloat(plan, source, target, context);
        if (bytesPerSample(plan.input) == 1)
            return runTyped<Kernels8>(plan, source, target, context);
        return Quotient::of16(plan.count) ? runTyped<Kernels16>(plan, source, target, context)
                                          : runTyped<LargeKernels16>(plan, source, target, context);
    });
}

}  // namespace warpscope

#endif  // HWY_ONCE
