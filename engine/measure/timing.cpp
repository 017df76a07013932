#include "engine/measure/timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace warpscope {
namespace {

constexpr std::string_view kSingle = "-single";
constexpr std::string_view kGpu = "-cuda";

double percentile(const std::vector<double>& sorted, double fraction) {
    const double position = fraction * double(sorted.size() - 1);
    const auto below = std::size_t(position);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return std::lerp(sorted[below], sorted[above], position - double(below));
}

// How many of n sorted values may be left out at either end, so that what is left still holds the
// median with 95%: the sign test, by the binomial distribution.
std::size_t leftOut(std::size_t n) {
    constexpr double kBothTails = 0.05;
    double probability = std::pow(0.5, double(n));
    double tail = 0;
    for (std::size_t k = 0; k < n / 2; ++k) {
        tail += probability;
        if (2 * tail > kBothTails) return k == 0 ? 0 : k - 1;
        probability *= double(n - k) / double(k + 1);
    }
    return 0;
}

struct Interval {
    double low = 0;
    double high = 0;
};

// `sorted`: the medians of at least two rounds.
Interval medianInterval(const std::vector<double>& sorted) {
    const std::size_t n = sorted.size();
    if (n >= 6) {
        const std::size_t out = leftOut(n);
        return {sorted[out], sorted[n - 1 - out]};
    }
    // Student's t, 97.5%, of 1 to 4 degrees of freedom.
    constexpr std::array kT = {12.706, 4.303, 3.182, 2.776};
    double mean = 0;
    for (const double ms : sorted) mean += ms / double(n);
    double squares = 0;
    for (const double ms : sorted) squares += (ms - mean) * (ms - mean);
    // A median of three and more wanders further than a mean: by the root of half of pi at most.
    const double wider = n > 2 ? 1.2533 : 1.0;
    const double half = wider * kT[n - 2] * std::sqrt(squares / double(n - 1) / double(n));
    const double median = percentile(sorted, 0.5);
    // A time is no less than nothing.
    return {std::max(0.0, median - half), median + half};
}

}  // namespace

SamplingOptions SamplingOptions::ofRound(bool extra) const {
    const int rounds = std::max(minRounds, 1) * (extra ? 3 : 1);
    const auto share = [rounds](int count) { return (count + rounds - 1) / rounds; };
    SamplingOptions round = *this;
    round.minSamples = share(minSamples);
    round.maxSamples = share(maxSamples);
    round.budgetMs = budgetMs / rounds;
    return round;
}

bool SamplingOptions::warmsItself(double callMs) const {
    constexpr double kFarAboveFreshMemoryMs = 1000;
    return budgetMs > 0 &&
           callMs > (freshMemory ? std::max(kFarAboveFreshMemoryMs, budgetMs) : budgetMs);
}

void Samples::addRound(const std::vector<double>& samplesMs) {
    if (samplesMs.empty()) return;
    ms.insert(ms.end(), samplesMs.begin(), samplesMs.end());
    perRound.push_back(int(samplesMs.size()));
}

SampleSummary summarizeSamples(std::vector<double> samplesMs) {
    SampleSummary summary;
    if (samplesMs.empty()) return summary;
    std::sort(samplesMs.begin(), samplesMs.end());
    summary.n = int(samplesMs.size());
    summary.rounds = 1;
    summary.medianMs = percentile(samplesMs, 0.5);
    summary.p10Ms = percentile(samplesMs, 0.1);
    summary.p90Ms = percentile(samplesMs, 0.9);
    return summary;
}

SampleSummary summarizeRounds(const Samples& samples) {
    SampleSummary summary = summarizeSamples(samples.ms);
    if (samples.perRound.size() < 2) return summary;
    std::vector<double> medians;
    auto at = samples.ms.begin();
    for (const int count : samples.perRound) {
        medians.push_back(summarizeSamples({at, at + count}).medianMs);
        at += count;
    }
    std::sort(medians.begin(), medians.end());
    summary.rounds = int(medians.size());
    summary.medianMs = percentile(medians, 0.5);
    const Interval interval = medianInterval(medians);
    summary.lowMs = interval.low;
    summary.highMs = interval.high;
    return summary;
}

Place Place::fromId(std::string_view id) {
    if (id.empty()) return {};
    if (const auto kind = backendFromId(id)) return *kind;
    for (const auto& [suffix, kind] :
         {std::pair(kSingle, BackendKind::CpuSingle), std::pair(kGpu, BackendKind::Cuda)})
        if (id.ends_with(suffix))
            return Peer{std::string(id.substr(0, id.size() - suffix.size())), kind};
    return Peer{std::string(id), BackendKind::Cpu};
}

std::string Place::id() const {
    if (const auto* kind = std::get_if<BackendKind>(&m_place)) return std::string(backendId(*kind));
    const auto* peer = std::get_if<Peer>(&m_place);
    if (!peer) return {};
    const bool single = peer->kind == BackendKind::CpuSingle;
    return fmt::format("{}{}", peer->library,
                       single                            ? kSingle
                       : peer->kind == BackendKind::Cuda ? kGpu
                                                         : "");
}

bool Place::oneThread() const {
    return !empty() && kind() == BackendKind::CpuSingle;
}

BackendKind Place::kind() const {
    if (const auto* kind = std::get_if<BackendKind>(&m_place)) return *kind;
    if (const auto* peer = std::get_if<Peer>(&m_place)) return peer->kind;
    return BackendKind::CpuSingle;
}

}  // namespace warpscope
