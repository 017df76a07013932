// Float samples: every window is added up in its own order, so that neither crops nor threads nor
// devices change a bit, and a value outside changes nothing.
#include "engine/operations/morphology/local_statistics.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/morphology/local_statistics_float.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <vector>

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;

// Of each column of `side` rows: the mean, and the sum of squared deviations from it.
HWY_ATTR void columnSpreads(const float* const* rows, int side, double* means, double* spreads,
                            int samples) {
    const D d;
    const hn::Rebind<float, D> df;
    const V count = hn::Set(d, double(side));
    for (int i = 0; i < samples; i += int(hn::Lanes(d))) {
        V sum = hn::Zero(d), spread = hn::Zero(d);
        for (int j = 0; j < side; ++j)
            sum = hn::Add(sum, hn::PromoteTo(d, hn::LoadU(df, rows[j] + i)));
        const V mean = hn::Div(sum, count);
        for (int j = 0; j < side; ++j) {
            const V away = hn::Sub(hn::PromoteTo(d, hn::LoadU(df, rows[j] + i)), mean);
            spread = hn::Add(spread, hn::Mul(away, away));
        }
        hn::StoreU(mean, d, means + i);
        hn::StoreU(spread, d, spreads + i);
    }
}

// Of `side` columns from each one on, `channels` samples apart.
HWY_ATTR void squareSpreads(const double* means, const double* spreads, int side, int channels,
                            bool root, float* out, int samples) {
    const D d;
    const hn::Rebind<float, D> df;
    const V count = hn::Set(d, double(side)), all = hn::Set(d, double(side) * double(side));
    for (int i = 0; i < samples; i += int(hn::Lanes(d))) {
        V sum = hn::Zero(d), inside = hn::Zero(d), between = hn::Zero(d);
        for (int j = 0; j < side; ++j) {
            sum = hn::Add(sum, hn::LoadU(d, means + i + j * channels));
            inside = hn::Add(inside, hn::LoadU(d, spreads + i + j * channels));
        }
        const V mean = hn::Div(sum, count);
        for (int j = 0; j < side; ++j) {
            const V away = hn::Sub(hn::LoadU(d, means + i + j * channels), mean);
            between = hn::Add(between, hn::Mul(away, away));
        }
        V result = hn::Div(hn::Add(inside, hn::Mul(count, between)), all);
        if (root) result = hn::Sqrt(result);
        hn::StoreU(hn::DemoteTo(df, result), df, out + i);
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "engine/operations/cpu_work.h"

namespace warpscope {
namespace {

HWY_EXPORT(columnSpreads);
HWY_EXPORT(squareSpreads);

// Columns that are worked on at a time, so that memory does not grow with the image.
constexpr int kSpreadColumns = 4096;
constexpr int kSpreadPadding = 32;

class SpreadBand {
  public:
    SpreadBand(const LocalStatisticsPlan& plan, const View<const float>& source,
               const View<float>& target)
        : m_plan(plan),
          m_source(source),
          m_target(target),
          m_side(2 * plan.radius + 1),
          m_rows(std::size_t(m_side)),
          m_means(alignedZeros<double>(room())),
          m_spreads(alignedZeros<double>(room())) {}

    void run(int y) {
        for (int x = 0; x < m_source.width; x += columns())
            part(y, x, std::min(columns(), m_source.width - x));
        keepAlpha(m_source, m_target, y);
    }

  private:
    int columns() const { return std::min(kSpreadColumns, m_source.width); }
    std::size_t room() const {
        return std::size_t((columns() + 2 * m_plan.radius) * m_source.channels + kSpreadPadding);
    }

    void part(int y, int x, int count) {
        const int r = m_plan.radius, channels = m_source.channels;
        // The columns of the image that the windows have.
        const int from = std::max(0, x - r), to = std::min(m_source.width, x + count + r);
        for (int j = 0; j < m_side; ++j)
            m_rows[std::size_t(j)] = m_source.row(std::clamp(y - r + j, 0, m_source.height - 1)) +
                                     std::ptrdiff_t(from) * channels;
        const int before = (from - (x - r)) * channels, inside = (to - from) * channels;
        HWY_DYNAMIC_DISPATCH(columnSpreads)
        (m_rows.data(), m_side, m_means.get() + before, m_spreads.get() + before, inside);
        for (double* row : {m_means.get(), m_spreads.get()}) {
            const int end = before + inside, wide = (count + 2 * r) * channels;
            for (int i = before - 1; i >= 0; --i) row[i] = row[i + channels];
            for (int i = end; i < wide; ++i) row[i] = row[i - channels];
        }
        HWY_DYNAMIC_DISPATCH(squareSpreads)
        (m_means.get(), m_spreads.get(), m_side, channels,
         m_plan.what == LocalStatistic::StandardDeviation,
         m_target.row(y) + std::ptrdiff_t(x) * channels, count * channels);
    }

    const LocalStatisticsPlan& m_plan;
    View<const float> m_source;
    View<float> m_target;
    int m_side;
    std::vector<const float*> m_rows;
    hwy::AlignedFreeUniquePtr<double[]> m_means, m_spreads;
};

}  // namespace

Result<void> runLocalStatisticsFloat(const LocalStatisticsPlan& plan, const Image& in,
                                     const MutableImage& out, const CpuContext& context) {
    const auto source = in.view<float>();
    const auto target = out.view<float>();
    const double cost = (2.0 + plan.radius) * source.channels;
    const CpuContext chosen = forWork(context, in.size(), cost);
    const auto rowBytes = std::uint64_t(source.samplesPerRow()) * (sizeof(float) + 2 * 8);
    // A band of an image of few columns has some pixels, too.
    const int least = std::min(source.height, 1 + 1024 / source.width);
    return forEachRowBand(chosen, source.height,
                          rowsPerBand(chosen, source.height, rowBytes, least),
                          [&](int first, int last) {
                              SpreadBand band(plan, source, target);
                              for (int y = first; y < last; ++y) {
                                  if (chosen.stopRequested()) return;
                                  band.run(y);
                              }
                          });
}

}  // namespace warpscope

#endif  // HWY_ONCE
