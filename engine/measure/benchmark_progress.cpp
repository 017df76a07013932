// How far a run is, how long the rest of it will take, and pauses.
#include <fmt/format.h>

#include <algorithm>

#include "engine/measure/benchmark_run.h"

namespace warpscope {

bool BenchmarkRunner::Run::waitWhilePaused() {
    if (!m_runner.isPaused()) return false;
    tell(true);
    const Stopwatch watch(m_clock);
    {
        std::unique_lock lock(m_runner.m_mutex);
        m_runner.m_resumed.wait(lock, m_context.stop, [this] { return !m_runner.m_paused; });
    }
    m_pausedMs += watch.elapsedMs();
    tell(false);
    return true;
}

double BenchmarkRunner::Run::activeMs() const {
    return double(m_clock.nowNs() - m_startNs) * 1e-6 - m_pausedMs;
}

void BenchmarkRunner::Run::tell(bool paused) {
    m_lastTellMs = activeMs();
    if (!m_callbacks.onProgress) return;
    BenchmarkProgress progress;
    const bool finished = m_at >= m_jobs.size();
    progress.done = finished ? m_allBursts : std::min(m_bursts, m_allBursts);
    progress.total = m_allBursts;
    progress.rows = m_jobs.size();
    progress.round = m_measuresEnergy ? m_round : m_round + 1;
    progress.secondsLeft = finished ? 0 : secondsLeft();
    progress.paused = paused;
    progress.onlyNoisy =
        !finished && !m_measuresEnergy && m_round >= std::max(m_plan.sampling.minRounds, 1);
    if (progress.onlyNoisy) progress.secondsLeft = -1;
    if (!finished) {
        const Job& job = m_jobs[m_at];
        const BenchmarkCase& one = m_cases[job.caseIndex];
        progress.what = one.operation->description().id;
        if (one.variant != kAutomaticVariant) progress.what += ", " + one.variant;
        progress.what +=
            fmt::format(" {} x {}, {}", one.size.width, one.size.height, job.place.id());
        if (job.cold) progress.what += ", cold";
    }
    m_callbacks.onProgress(progress);
}

bool BenchmarkRunner::Run::getsEnergy(const Job& job, double msPerRun) const {
    return !job.cold && !job.peer() && (job.device() ? m_countsGpu : m_countsCpu) &&
           msPerRun <= kEnergyMs;
}

// Rows that were begun cost what their rounds cost so far. Others: from the model where it knows
// them, else as long as rows took on average; and as much longer than the model says as the rows so
// far were.
BenchmarkRunner::Run::RowLeft BenchmarkRunner::Run::leftOf(std::size_t index) const {
    const Job& job = m_jobs[index];
    if (!job.backend || !m_planned[job.caseIndex].plan) return {};
    const auto energyMs = [&](double msPerRun) {
        return getsEnergy(job, msPerRun) ? kEnergyMs : 0.0;
    };
    if (index < m_result.report.results.size()) {
        if (!job.row || job.row->rounds() == 0) return {};
        const double roundMs = job.row->spentMs() / job.row->rounds();
        const int rounds = job.sampling.minRounds - job.row->rounds();
        return {std::max(0, rounds) * roundMs, energyMs(job.row->timing().time.medianMs)};
    }
    const SamplingOptions& sampling = m_plan.sampling;
    const auto once = m_costs.msPerRun(seriesOf(job), m_cases[job.caseIndex].size.pixels());
    const double correction = std::clamp(m_finishedMs / m_expectedMs, 0.5, 4.0);
    const double average = m_finishedMs / double(m_finished);
    const double rowMs = once ? CostModel::rowMs(*once, sampling, job.device()) * correction
                              : average * std::max(sampling.minRounds, 1);
    if (rowMs > 2 * limitMs()) return {};
    return {rowMs, energyMs(once.value_or(0))};
}

double BenchmarkRunner::Run::secondsLeft() const {
    if (m_finished == 0 || m_expectedMs <= 0) return -1;
    double ms = 0;
    for (std::size_t i = 0; i < m_jobs.size(); ++i) {
        const RowLeft left = leftOf(i);
        const double spent = i == m_at ? activeMs() - m_burstStartMs : 0;
        if (!m_measuresEnergy)
            ms += std::max(0.0, left.roundsMs - spent) + left.energyMs;
        else if (i >= m_at)
            ms += std::max(0.0, left.energyMs - spent);
    }
    return ms / 1000;
}

void CostModel::record(const CostSeries& series, std::int64_t pixels, double msPerRun) {
    Known& known = m_runs[series];
    if (pixels >= known.pixels) known = {pixels, msPerRun};
}

std::optional<double> CostModel::msPerRun(const CostSeries& series, std::int64_t pixels) const {
    const auto found = m_runs.find(series);
    if (found == m_runs.end() || found->second.pixels <= 0) return std::nullopt;
    return found->second.ms * double(pixels) / double(found->second.pixels);
}

double CostModel::roundMs(double msPerRun, const SamplingOptions& sampling, bool device) {
    const SamplingOptions round = sampling.ofRound();
    const int uncounted = round.warmsItself(msPerRun) ? 0 : round.warmups;
    const double least = msPerRun * std::max(round.minSamples, 1);
    const double most = msPerRun * std::max(round.maxSamples, 1);
    const double samples = std::max(least, std::min(round.budgetMs, most));
    const double once = msPerRun * uncounted + samples;
    return device ? 2 * once : once;
}

double CostModel::rowMs(double msPerRun, const SamplingOptions& sampling, bool device) {
    return msPerRun + std::max(sampling.minRounds, 1) * roundMs(msPerRun, sampling, device);
}

}  // namespace warpscope
