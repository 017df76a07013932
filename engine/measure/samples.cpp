#include <algorithm>
#include <cmath>

#include "engine/measure/timing.h"

namespace warpscope {
namespace {

double percentile(const std::vector<double>& sorted, double fraction) {
    const double position = fraction * double(sorted.size() - 1);
    const auto below = std::size_t(position);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return std::lerp(sorted[below], sorted[above], position - double(below));
}

}  // namespace

SampleSummary summarizeSamples(std::vector<double> samplesMs) {
    SampleSummary summary;
    if (samplesMs.empty()) return summary;
    std::sort(samplesMs.begin(), samplesMs.end());
    summary.n = int(samplesMs.size());
    summary.medianMs = percentile(samplesMs, 0.5);
    summary.p10Ms = percentile(samplesMs, 0.1);
    summary.p90Ms = percentile(samplesMs, 0.9);
    return summary;
}

}  // namespace warpscope
