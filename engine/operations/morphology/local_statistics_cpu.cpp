#include <algorithm>
#include <type_traits>

#include "engine/operations/alpha_rows.h"
#include "engine/operations/cpu_work.h"
#include "engine/operations/morphology/local_statistics.h"
#include "engine/operations/morphology/local_statistics_rows.h"
#include "engine/operations/narrow_images.h"

namespace warpscope {
namespace {

// Output rows of one band, top to bottom.
template <class Sample>
class StatisticsBand {
    using Square = std::conditional_t<sizeof(Sample) == 1, std::int32_t, std::int64_t>;
    static constexpr int kMiddle = sizeof(Sample) == 1 ? 128 : 32768;

  public:
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
                statisticsMove(m_source.row(std::min(y + r, height - 1)),
                               m_source.row(std::max(y - r - 1, 0)), m_columnSums.get() + m_reach,
                               m_columnSquares.get() + m_reach, samples);
            const std::int32_t* sums = along(m_columnSums.get(), m_sums.get());
            const Square* squares = along(m_columnSquares.get(), m_squares.get());
            const int end = 2 * m_reach, start = -m_source.channels;
            statisticsResults({sums + end, sums + start, squares + end, squares + start},
                              m_plan.count, m_plan.what == LocalStatistic::StandardDeviation,
                              m_target.row(y), samples);
            if (m_source.channels == 4) copyAlpha(m_source.row(y), m_target.row(y), samples);
        }
    }

  private:
    std::size_t room() const {
        return std::size_t(m_source.samplesPerRow()) + 2 * unsigned(m_reach) + kBefore + 64;
    }

    void start(int y) {
        const int r = m_plan.radius, samples = m_source.samplesPerRow();
        for (int j = y - r; j <= y + r; ++j) {
            const Sample* row = m_source.row(std::clamp(j, 0, m_source.height - 1));
            for (int i = 0; i < samples; ++i) {
                const std::int32_t value = row[i] - kMiddle;
                m_columnSums[std::size_t(m_reach + i)] += value;
                m_columnSquares[std::size_t(m_reach + i)] += Square(value) * value;
            }
        }
    }

    // Columns beyond the border are the border's. All of them added up, with zeros before.
    template <class Sum>
    const Sum* along(Sum* columns, Sum* sums) const {
        const int samples = m_source.samplesPerRow(), channels = m_source.channels;
        Sum* end = columns + m_reach + samples;
        for (int i = 0; i < m_reach; ++i) {
            columns[i] = columns[m_reach + i % channels];
            end[i] = end[i % channels - channels];
        }
        statisticsAddUp(columns, channels, sums + kBefore, samples + 2 * m_reach);
        return sums + kBefore;
    }

    // Zeros before sums, as many as keep these at whole lines.
    static constexpr int kBefore = 16;

    const LocalStatisticsPlan& m_plan;
    View<const Sample> m_source;
    View<Sample> m_target;
    int m_reach;
    hwy::AlignedFreeUniquePtr<std::int32_t[]> m_columnSums, m_sums;
    hwy::AlignedFreeUniquePtr<Square[]> m_columnSquares, m_squares;
};

template <class Sample>
Result<void> runStatistics(const LocalStatisticsPlan& plan, const Image& in,
                           const MutableImage& out, const CpuContext& context) {
    const auto source = in.view<Sample>();
    const auto target = out.view<Sample>();
    const CpuContext chosen =
        forWork(context, in.size(), (sizeof(Sample) == 1 ? 0.8 : 2.2) * source.channels);
    const int threads = chosen.threadCount(), height = source.height;
    // Tall beside the 2 radius rows that every band adds up first.
    const int tall = std::max(64, 8 * plan.radius);
    const int bands = std::max(1, height / tall / threads) * threads;
    return forEachRowBand(chosen, height, (height + bands - 1) / bands, [&](int first, int last) {
        StatisticsBand<Sample>(plan, source, target).run(first, last, chosen);
    });
}

}  // namespace

Result<void> runLocalStatisticsCpu(const LocalStatisticsPlan& plan, const Image& in,
                                   const MutableImage& out, const CpuContext& context) {
    if (plan.range) return plan.range->operation->runCpu(*plan.range, in, out, context);
    if (isFloat(plan.input)) return runLocalStatisticsFloat(plan, in, out, context);
    return onLongRows(in, out, context, [&](const Image& source, const MutableImage& target) {
        return bytesPerSample(plan.input) == 2
                   ? runStatistics<std::uint16_t>(plan, source, target, context)
                   : runStatistics<std::uint8_t>(plan, source, target, context);
    });
}

}  // namespace warpscope
