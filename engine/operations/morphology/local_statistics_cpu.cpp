#include "engine/operations/morphology/local_statistics.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/morphology/local_statistics_cpu.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Of the columns of a window: a row enters and one leaves. Values are taken from the middle of
// their range, so that sums of squares of 8 bits stay below 2^30; the variance is the same.
HWY_ATTR void moveSums(const std::uint8_t* entering, const std::uint8_t* leaving,
                       std::int32_t* sums, std::int32_t* squares, int samples) {
    const hn::ScalableTag<std::int32_t> d;
    const hn::Rebind<std::uint8_t, decltype(d)> bytes;
    const int lanes = int(hn::Lanes(d));
    const auto middle = hn::Set(d, 2 * 128);
    int i = 0;
    for (; i + lanes <= samples; i += lanes) {
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

// n S2 - S^2 stays below 2^46, so that doubles hold it; with half of 1 / n^2 more, a product with
// 1 / n^2 is never below a whole number that the quotient reaches.
template <bool kRoot>
HWY_ATTR void finishTyped(const std::int32_t* sums, const std::int32_t* squares, std::uint32_t n,
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
        const auto sum = hn::PromoteTo(d, hn::LoadU(d32, sums + i));
        const auto square = hn::PromoteTo(d, hn::LoadU(d32, squares + i));
        const auto spread = hn::Sub(hn::Mul(count, square), hn::Mul(sum, sum));
        auto level = hn::DemoteTo(d32, hn::Mul(hn::Add(spread, half), inverse));
        if constexpr (kRoot) level = hn::ConvertTo(d32, hn::Sqrt(hn::ConvertTo(df, level)));
        hn::StoreU(hn::DemoteTo(bytes, level), bytes, out + i);
    }
}

HWY_ATTR void finishStatistics(const std::int32_t* sums, const std::int32_t* squares,
                               std::uint32_t n, bool root, std::uint8_t* out, int samples) {
    root ? finishTyped<true>(sums, squares, n, out, samples)
         : finishTyped<false>(sums, squares, n, out, samples);
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "engine/operations/alpha_rows.h"
#include "engine/operations/cpu_work.h"
#include "engine/operations/narrow_images.h"

namespace warpscope {
namespace {

HWY_EXPORT(moveSums);
HWY_EXPORT(finishStatistics);

struct Statistics8 {
    using Sample = std::uint8_t;
    using Square = std::int32_t;
    static constexpr int kMiddle = 128;
    static void move(const Sample* entering, const Sample* leaving, std::int32_t* sums,
                     Square* squares, int samples) {
        HWY_DYNAMIC_DISPATCH(moveSums)(entering, leaving, sums, squares, samples);
    }
    static void finish(const std::int32_t* sums, const Square* squares, std::uint32_t n, bool root,
                       Sample* out, int samples) {
        HWY_DYNAMIC_DISPATCH(finishStatistics)(sums, squares, n, root, out, samples);
    }
};

// Sums stay below 2^31, sums of squares below 2^46, n S2 - S^2 below 2^61.
struct Statistics16 {
    using Sample = std::uint16_t;
    using Square = std::int64_t;
    static constexpr int kMiddle = 32768;
    static void move(const Sample* entering, const Sample* leaving, std::int32_t* sums,
                     Square* squares, int samples) {
        for (int i = 0; i < samples; ++i) {
            const std::int64_t difference = entering[i] - leaving[i];
            sums[i] += std::int32_t(difference);
            squares[i] += difference * (entering[i] + leaving[i] - 2 * kMiddle);
        }
    }
    static void finish(const std::int32_t* sums, const Square* squares, std::uint32_t n, bool root,
                       Sample* out, int samples) {
        const auto n2 = std::int64_t(n) * n;
        for (int i = 0; i < samples; ++i) {
            const std::int64_t spread = n * squares[i] - std::int64_t(sums[i]) * sums[i];
            // Wrong by one at most.
            auto level = std::int64_t(double(spread) / double(n2));
            level -= level * n2 > spread;
            level += (level + 1) * n2 <= spread;
            if (root) level = std::int64_t(std::sqrt(double(level)));
            out[i] = Sample(std::min<std::int64_t>(level, 65535));
        }
    }
};

// Output rows of one band, top to bottom.
template <class K>
class StatisticsBand {
  public:
    using Sample = typename K::Sample;
    using Square = typename K::Square;

    StatisticsBand(const LocalStatisticsPlan& plan, const View<const Sample>& source,
                   const View<Sample>& target)
        : m_plan(plan),
          m_source(source),
          m_target(target),
          m_reach(plan.radius * source.channels),
          m_columnSums(alignedZeros<std::int32_t>(room())),
          m_sums(alignedZeros<std::int32_t>(room())),
          m_columnSquares(alignedZeros<Square>(room())),
          m_squares(alignedZeros<Square>(room())) {}

    void run(int first, int last, const CpuContext& context) {
        const int r = m_plan.radius, height = m_source.height;
        const int samples = m_source.samplesPerRow();
        start(first);
        for (int y = first; y < last; ++y) {
            if (context.stopRequested()) return;
            if (y > first)
                K::move(m_source.row(std::min(y + r, height - 1)),
                        m_source.row(std::max(y - r - 1, 0)), m_columnSums.get() + m_reach,
                        m_columnSquares.get() + m_reach, samples);
            along(m_columnSums.get(), m_sums.get());
            along(m_columnSquares.get(), m_squares.get());
            K::finish(m_sums.get(), m_squares.get(), m_plan.count,
                      m_plan.what == LocalStatistic::StandardDeviation, m_target.row(y), samples);
            if (m_source.channels == 4) copyAlpha(m_source.row(y), m_target.row(y), samples);
        }
    }

  private:
    std::size_t room() const {
        return std::size_t(m_source.samplesPerRow()) + 2 * unsigned(m_reach) + 64;
    }

    void start(int y) {
        const int r = m_plan.radius, samples = m_source.samplesPerRow();
        for (int j = y - r; j <= y + r; ++j) {
            const Sample* row = m_source.row(std::clamp(j, 0, m_source.height - 1));
            for (int i = 0; i < samples; ++i) {
                const std::int32_t value = row[i] - K::kMiddle;
                m_columnSums[std::size_t(m_reach + i)] += value;
                m_columnSquares[std::size_t(m_reach + i)] += Square(value) * value;
            }
        }
    }

    // Sums over the window's columns; those beyond the border are the border's.
    template <class Sum>
    void along(Sum* columns, Sum* sums) const {
        m_source.channels == 1 ? slide<1>(columns, sums) : slide<4>(columns, sums);
    }
    template <int kChannels, class Sum>
    void slide(Sum* columns, Sum* sums) const {
        const int samples = m_source.samplesPerRow();
        Sum* end = columns + m_reach + samples;
        for (int i = 0; i < m_reach; ++i) {
            columns[i] = columns[m_reach + i % kChannels];
            end[i] = end[i % kChannels - kChannels];
        }
        Sum sum[kChannels] = {};
        for (int i = 0; i < 2 * m_reach; i += kChannels)
            for (int c = 0; c < kChannels; ++c) sum[c] += columns[i + c];
        const Sum* entering = columns + 2 * m_reach;
        for (int i = 0; i < samples; i += kChannels)
            for (int c = 0; c < kChannels; ++c) {
                sum[c] += entering[i + c];
                sums[i + c] = sum[c];
                sum[c] -= columns[i + c];
            }
    }

    const LocalStatisticsPlan& m_plan;
    View<const Sample> m_source;
    View<Sample> m_target;
    int m_reach;
    hwy::AlignedFreeUniquePtr<std::int32_t[]> m_columnSums, m_sums;
    hwy::AlignedFreeUniquePtr<Square[]> m_columnSquares, m_squares;
};

template <class K>
Result<void> runStatistics(const LocalStatisticsPlan& plan, const Image& in,
                           const MutableImage& out, const CpuContext& context) {
    using Sample = typename K::Sample;
    const auto source = in.view<Sample>();
    const auto target = out.view<Sample>();
    const CpuContext chosen =
        forWork(context, in.size(), (sizeof(Sample) == 1 ? 2.0 : 6.0) * source.channels);
    const int threads = chosen.threadCount(), height = source.height;
    // Tall beside the 2 radius rows that every band adds up first.
    const int tall = std::max(64, 8 * plan.radius);
    const int bands = std::max(1, height / tall / threads) * threads;
    return forEachRowBand(chosen, height, (height + bands - 1) / bands, [&](int first, int last) {
        StatisticsBand<K>(plan, source, target).run(first, last, chosen);
    });
}

}  // namespace

Result<void> runLocalStatisticsCpu(const LocalStatisticsPlan& plan, const Image& in,
                                   const MutableImage& out, const CpuContext& context) {
    if (plan.range) return plan.range->operation->runCpu(*plan.range, in, out, context);
    if (isFloat(plan.input)) return runLocalStatisticsFloat(plan, in, out, context);
    return onLongRows(in, out, context, [&](const Image& source, const MutableImage& target) {
        return bytesPerSample(plan.input) == 2
                   ? runStatistics<Statistics16>(plan, source, target, context)
                   : runStatistics<Statistics8>(plan, source, target, context);
    });
}

}  // namespace warpscope

#endif  // HWY_ONCE
