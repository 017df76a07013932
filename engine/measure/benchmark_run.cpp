#include "engine/measure/benchmark_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/backend/cpu_backend.h"
#include "engine/base/figures.h"
#include "engine/measure/timing_report.h"

namespace warpscope {
namespace {

std::string callText(double ms) {
    return ms < 10'000 ? fmt::format("{:.1f} s", ms / 1000) : aboutSeconds(ms / 1000);
}

}  // namespace

BenchmarkRunner::BenchmarkRunner(BackendSet backends, TimingReport head, PeerSet peers,
                                 const Clock& clock)
    : m_backends(std::move(backends)),
      m_head(std::move(head)),
      m_peers(std::move(peers)),
      m_clock(&clock) {}

BenchmarkRunner::~BenchmarkRunner() = default;

Result<BenchmarkResult> BenchmarkRunner::run(const BenchmarkPlan& plan, std::stop_token stop,
                                             const BenchmarkCallbacks& callbacks) {
    auto cases = casesOf(plan);
    if (!cases) return fail(cases.error());
    return Run(*this, plan, std::move(*cases), std::move(stop), callbacks).go();
}

void BenchmarkRunner::pause() {
    const std::lock_guard lock(m_mutex);
    m_paused = true;
}

void BenchmarkRunner::resume() {
    {
        const std::lock_guard lock(m_mutex);
        m_paused = false;
    }
    m_resumed.notify_all();
}

bool BenchmarkRunner::isPaused() const {
    const std::lock_guard lock(m_mutex);
    return m_paused;
}

BenchmarkRunner::Run::Run(BenchmarkRunner& runner, const BenchmarkPlan& plan,
                          std::vector<BenchmarkCase> cases, std::stop_token stop,
                          const BenchmarkCallbacks& callbacks)
    : m_runner(runner),
      m_plan(plan),
      m_cases(std::move(cases)),
      m_context{std::move(stop), {}},
      m_callbacks(callbacks),
      m_clock(*runner.m_clock),
      m_startNs(runner.m_clock->nowNs()) {}

Result<BenchmarkResult> BenchmarkRunner::Run::go() {
    planCases();
    for (std::size_t i = 0; i < m_cases.size(); ++i) addJobs(i);
    m_result.report = m_runner.m_head;
    m_result.report.results.clear();
    measureMachine(m_result.report.machine, m_runner.m_backends, m_plan.copyBandwidth, m_context,
                   m_clock);
    if (m_callbacks.onHead) m_callbacks.onHead(m_result.report);
    for (; m_done < m_jobs.size(); ++m_done) {
        m_rowStartMs = activeMs();
        tell(m_done, false);
        waitWhilePaused();
        if (m_context.stop.stop_requested()) return std::move(m_result);
        const Job& job = m_jobs[m_done];
        auto row = rowOf(job);
        if (!row) {
            if (row.error().code == ErrorCode::Cancelled) return std::move(m_result);
            return fail(row.error());
        }
        if (row->measured()) {
            m_finishedRowsMs += activeMs() - m_rowStartMs;
            m_expectedRowsMs += CostModel::rowMs(row->endToEndMs, m_plan.sampling, job.device());
            ++m_finishedRows;
        }
        m_result.report.results.push_back(*row);
        if (m_callbacks.onRow) m_callbacks.onRow(*row);
    }
    m_result.complete = true;
    tell(m_done, false);
    return std::move(m_result);
}

void BenchmarkRunner::Run::planCases() {
    for (const BenchmarkCase& one : m_cases) {
        auto plan = planCase(one);
        if (plan)
            m_planned.push_back({std::move(*plan), {}});
        else
            m_planned.push_back({nullptr, plan.error().message});
    }
}

void BenchmarkRunner::Run::addJobs(std::size_t caseIndex) {
    const BenchmarkCase& one = m_cases[caseIndex];
    const PlanPtr& plan = m_planned[caseIndex].plan;
    const auto add = [&](Place place, BackendPtr backend, std::string missing, bool cold) {
        m_jobs.push_back(
            {caseIndex, std::move(place), std::move(backend), std::move(missing), cold});
    };
    const BackendSet& set = m_runner.m_backends;
    const PeerSet& peers = m_runner.m_peers;
    const auto wants = [&](BackendKind kind) {
        return std::find(m_plan.backends.begin(), m_plan.backends.end(), kind) !=
               m_plan.backends.end();
    };
    const bool peered = m_plan.peers && plan && peerGivesRows(peers, one, *plan);
    for (const bool cold : {false, true}) {
        if (cold ? !m_plan.cold : !m_plan.warm) continue;
        const auto addOurs = [&](BackendKind kind, const BackendPtr& backend,
                                 const std::string& missing) {
            if (wants(kind)) add(kind, backend, missing, cold);
        };
        addOurs(BackendKind::CpuSingle, set.cpuSingle, "there is none");
        addOurs(BackendKind::Cpu, set.cpu, "there is none");
        addOurs(BackendKind::Cuda, set.cuda,
                set.cudaUnavailable.empty() ? "there is no GPU" : set.cudaUnavailable);
        if (!peered) continue;
        add(Place::Peer{peers.id, true}, peers.single, {}, cold);
        add(Place::Peer{peers.id, false}, peers.cores, {}, cold);
    }
}

void BenchmarkRunner::Run::name(const Job& job, StepTiming& row) const {
    const BenchmarkCase& one = m_cases[job.caseIndex];
    row.backendRequested = job.place;
    if (!row.backend.empty()) row.backend = job.place;
    row.cold = job.cold;
    row.imageName = one.ofImage ? m_plan.imageName : std::string();
    row.experiment = one.experiment;
    row.stepIndex = one.stepIndex;
    row.peer = job.peer() ? m_runner.m_peers.label : std::string();
}

StepTiming BenchmarkRunner::Run::emptyRow(const Job& job, const std::string& why) const {
    const BenchmarkCase& one = m_cases[job.caseIndex];
    StepTiming row;
    row.operation = one.operation->description().id;
    row.variant = one.variant;
    row.parameters = one.parameters;
    row.width = one.size.width;
    row.height = one.size.height;
    row.format = one.format;
    if (const PlanPtr& plan = m_planned[job.caseIndex].plan) {
        row.format = plan->input;
        row.bytesMoved = plan->minimalBytes;
    }
    if (m_inputCase == job.caseIndex) row.imageHash = m_hash;
    row.error = "skipped: " + why;
    name(job, row);
    return row;
}

Result<StepTiming> BenchmarkRunner::Run::rowOf(const Job& job) {
    const Planned& planned = m_planned[job.caseIndex];
    if (!planned.plan) return emptyRow(job, planned.refusal);
    // Before anything costs time: a machine without a GPU has many such rows.
    if (!job.backend) return emptyRow(job, job.missing);
    if (job.peer())
        for (const auto& peer : {m_runner.m_peers.single, m_runner.m_peers.cores})
            peer->setParameters(m_cases[job.caseIndex].parameters);
    if (const auto able = job.backend->supports(*planned.plan); !able)
        return emptyRow(job, able.error().message);
    if (const auto ready = prepareInput(job.caseIndex); !ready) {
        const Error& error = ready.error();
        // Steps may lack what others give; the rest of the chain is timed all the same.
        if (m_cases[job.caseIndex].ofChain && error.code != ErrorCode::Cancelled &&
            error.code != ErrorCode::OutOfMemory)
            return emptyRow(job, error.message);
        return fail(error);
    }

    const BenchmarkCase& one = m_cases[job.caseIndex];
    const auto expected = job.peer() ? expectedPeerMs(job)
                                     : expectedMs(seriesOf(job), one.variant, *job.backend, one);
    if (!expected) return fail(expected.error());
    if (job.peer() && *expected && **expected > longestPeerCallMs())
        return emptyRow(job, fmt::format("one call would take about {} and could not be cancelled",
                                         callText(**expected)));
    if (*expected) {
        const double rowMs = CostModel::rowMs(**expected, m_plan.sampling, job.device());
        if (rowMs > limitMs())
            return emptyRow(job, "would take about " + aboutSeconds(rowMs / 1000));
    }
    if (const auto ready = ensureReference(job); !ready) return fail(ready.error());
    return measured(job);
}

Result<StepTiming> BenchmarkRunner::Run::measured(const Job& job) {
    const BenchmarkCase& one = m_cases[job.caseIndex];
    MeasureRequest request;
    request.plan = m_planned[job.caseIndex].plan;
    request.parameters = one.parameters;
    request.input = m_input;
    if (request.plan->takesSecond) {
        // In memory of its own, as another image would be.
        auto copy = copiesOf(m_input, 1, m_context.stop);
        if (!copy) return fail(copy.error());
        request.input.second = std::move(copy->front());
    }
    if (m_reference && m_reference->counts) request.referenceCounts = &*m_reference->counts;
    if (m_reference && !m_reference->output.isNull()) request.reference = &m_reference->output;
    request.sampling = m_plan.sampling;
    request.cold = job.cold;
    request.betweenSamples = [this] {
        if (activeMs() - m_lastTellMs > 250) tell(m_done, false);
        return waitWhilePaused();
    };
    auto taken = measureStep(*job.backend, request, m_context, m_clock);
    if (!taken) {
        if (taken.error().code == ErrorCode::Cancelled) return fail(taken.error());
        return emptyRow(job, taken.error().message);
    }
    m_costs.record(seriesOf(job), one.size.pixels(), taken->timing.endToEndMs);
    if (isReference(job) && !m_reference) {
        taken->timing.agreement = ownAgreement(*taken);
        m_reference = *taken;
    }
    name(job, taken->timing);
    return std::move(taken->timing);
}

bool BenchmarkRunner::Run::waitWhilePaused() {
    if (!m_runner.isPaused()) return false;
    tell(m_done, true);
    const Stopwatch watch(m_clock);
    {
        std::unique_lock lock(m_runner.m_mutex);
        m_runner.m_resumed.wait(lock, m_context.stop, [this] { return !m_runner.m_paused; });
    }
    m_pausedMs += watch.elapsedMs();
    tell(m_done, false);
    return true;
}

double BenchmarkRunner::Run::activeMs() const {
    return double(m_clock.nowNs() - m_startNs) * 1e-6 - m_pausedMs;
}

void BenchmarkRunner::Run::tell(std::size_t done, bool paused) {
    m_lastTellMs = activeMs();
    if (!m_callbacks.onProgress) return;
    BenchmarkProgress progress;
    progress.done = done;
    progress.total = m_jobs.size();
    progress.secondsLeft = secondsLeft(done);
    progress.paused = paused;
    if (done < m_jobs.size()) {
        const Job& job = m_jobs[done];
        const BenchmarkCase& one = m_cases[job.caseIndex];
        progress.what = one.operation->description().id;
        if (one.variant != kAutomaticVariant) progress.what += ", " + one.variant;
        progress.what +=
            fmt::format(" {} x {}, {}", one.size.width, one.size.height, job.place.id());
        if (job.cold) progress.what += ", cold";
    }
    m_callbacks.onProgress(progress);
}

// From the model where it knows a row, else as long as rows took on average; and as much longer
// than the model says as the rows so far were.
double BenchmarkRunner::Run::secondsLeft(std::size_t done) const {
    if (done >= m_jobs.size()) return 0;
    if (m_finishedRows == 0 || m_expectedRowsMs <= 0) return -1;
    const double correction = std::clamp(m_finishedRowsMs / m_expectedRowsMs, 0.5, 4.0);
    const double average = m_finishedRowsMs / double(m_finishedRows);
    double ms = 0;
    for (std::size_t i = done; i < m_jobs.size(); ++i) {
        const Job& job = m_jobs[i];
        if (!job.backend || !m_planned[job.caseIndex].plan) continue;
        const auto once = m_costs.msPerRun(seriesOf(job), m_cases[job.caseIndex].size.pixels());
        const double rowMs =
            once ? CostModel::rowMs(*once, m_plan.sampling, job.device()) : average / correction;
        if (rowMs > limitMs()) continue;
        const double corrected = rowMs * correction;
        const double spent = i == done ? activeMs() - m_rowStartMs : 0;
        ms += std::max(0.0, corrected - spent);
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

double CostModel::rowMs(double msPerRun, const SamplingOptions& sampling, bool device) {
    const int uncounted = msPerRun > sampling.budgetMs ? 0 : sampling.warmups;
    const double least = msPerRun * std::max(sampling.minSamples, 1);
    const double most = msPerRun * std::max(sampling.maxSamples, 1);
    const double samples = std::max(least, std::min(sampling.budgetMs, most));
    const double once = msPerRun * uncounted + samples;
    return msPerRun + (device ? 2 * once : once);
}

}  // namespace warpscope
