#include "engine/measure/cost_model.h"

#include <algorithm>
#include <cmath>

namespace warpscope {

void CostModel::record(const CostSeries& series, std::int64_t pixels, double msPerRun) {
    Known& known = m_runs[series];
    if (pixels >= known.pixels) known = {pixels, msPerRun};
}

std::optional<double> CostModel::msPerRun(const CostSeries& series, std::int64_t pixels) const {
    const auto found = m_runs.find(series);
    if (found == m_runs.end() || found->second.pixels <= 0) return std::nullopt;
    return found->second.ms * double(pixels) / double(found->second.pixels);
}

double CostModel::rowMs(double msPerRun, const SamplingOptions& sampling, bool device) {
    const int uncounted = msPerRun > sampling.budgetMs ? 0 : sampling.warmups;
    const double least = msPerRun * std::max(sampling.minSamples, 1);
    const double most = msPerRun * std::max(sampling.maxSamples, 1);
    const double samples = std::max(least, std::min(sampling.budgetMs, most));
    const double once = msPerRun * uncounted + samples;
    return msPerRun + (device ? 2 * once : once);
}

}  // namespace warpscope
