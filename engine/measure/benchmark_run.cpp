#include "engine/measure/benchmark_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "engine/backend/cpu_backend.h"
#include "engine/base/figures.h"
#include "engine/image/storage_pool.h"
#include "engine/measure/single_run.h"
#include "engine/measure/timing_report.h"

namespace warpscope {
namespace {

std::string callText(double ms) {
    return ms < 10'000 ? fmt::format("{:.1f} s", ms / 1000) : aboutSeconds(ms / 1000);
}

}  // namespace

BenchmarkRunner::BenchmarkRunner(BackendSet backends, TimingReport head, PeerSet peers,
                                 const Clock& clock, EnergyCounters energy)
    : m_backends(std::move(backends)),
      m_head(std::move(head)),
      m_peers(std::move(peers)),
      m_clock(&clock),
      m_energy(std::move(energy)) {}

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
    m_allBursts = m_jobs.size() * std::size_t(std::max(m_plan.sampling.minRounds, 1));
    TimingReport& report = m_result.report;
    report = m_runner.m_head;
    report.results.clear();
    report.complete = false;
    report.rowsPlanned = m_jobs.size();
    const BackendSet& backends = m_runner.m_backends;
    const std::string gpu = backends.cuda ? backends.cuda->info().uuid : std::string();
    report.before = readConditions(gpu);
    if (m_plan.pinThreads) {
        m_cpus = quietCpuOrder();
        if (!m_cpus.empty()) m_pinned.emplace(m_cpus);
        if (m_pinned && m_pinned->ok()) report.pinned = m_pinned->describe();
    }
    if (m_plan.energy) {
        m_meter.emplace(gpu, m_runner.m_energy.folders, m_runner.m_energy.nvml());
        m_countsCpu = m_meter->cpuJoules().has_value();
        m_countsGpu = m_meter->gpuJoules().has_value();
    }
    measureMachine(report.machine, m_runner.m_backends, m_plan.copyBandwidth, m_context, m_clock);
    if (m_callbacks.onHead) m_callbacks.onHead(report);
    auto done = allRounds();
    if (m_pinned && !m_pinned->ok()) report.pinned.clear();
    if (done && m_meter) done = measureEnergy();
    m_pinned.reset();
    report.after = readConditions(gpu);
    if (!done && done.error().code != ErrorCode::Cancelled) return fail(done.error());
    report.complete = done.has_value();
    m_at = done ? m_jobs.size() : m_at;
    tell(false);
    return std::move(m_result);
}

// The first round goes through all rows, makes their references and knows what each costs. Rows
// take turns in the rounds after it: a burst of load on the machine then spoils one round of many
// rows, which the median forgives, and not all samples of one.
Result<void> BenchmarkRunner::Run::allRounds() {
    const int most = std::max({m_plan.sampling.minRounds, m_plan.sampling.maxRounds, 1});
    for (m_round = 0; m_round < most; ++m_round) {
        bool any = false;
        for (m_at = 0; m_at < m_jobs.size(); ++m_at) {
            Job& job = m_jobs[m_at];
            const bool extra = m_round >= job.sampling.minRounds;
            if (m_round > 0) {
                if (!job.row || job.finished || m_round >= job.sampling.maxRounds ||
                    job.row->steady() || (extra && job.row->spentMs() > limitMs()))
                    continue;
                if (extra) ++m_allBursts;
            }
            any = true;
            pinFor(job);
            m_burstStartMs = activeMs();
            tell(false);
            waitWhilePaused();
            if (m_context.stop.stop_requested()) return cancelled();
            const auto done = m_round == 0 ? beginRow(job) : takeRound(job);
            if (!done) return done;
            ++m_bursts;
        }
        if (!any) break;
    }
    return {};
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
    const auto wants = [&](BackendKind kind) {
        return std::find(m_plan.backends.begin(), m_plan.backends.end(), kind) !=
               m_plan.backends.end();
    };
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
        if (!m_plan.peers || !plan) continue;
        for (const Peer& peer : m_runner.m_peers.peers)
            if (peerPlaces(peer, one, *plan) > 0)
                for (const auto& [place, backend] : peer.places()) add(place, backend, {}, cold);
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
    row.peer = m_runner.m_peers.labelAt(job.place);
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

// Long runs of one row at a time, because the counters of energy are slow: after the rounds, where
// they disturb nobody.
Result<void> BenchmarkRunner::Run::measureEnergy() {
    m_measuresEnergy = true;
    for (m_at = 0; m_at < m_jobs.size(); ++m_at) {
        Job& job = m_jobs[m_at];
        if (!job.row || !getsEnergy(job, job.row->timing().time.medianMs)) continue;
        m_burstStartMs = activeMs();
        tell(false);
        waitWhilePaused();
        if (m_context.stop.stop_requested()) return cancelled();
        const auto ready = prepareInput(job.caseIndex);
        const Result<StepImages> images =
            ready ? imagesFor(job) : Result<StepImages>(fail(ready.error()));
        // What was measured stands without its energy.
        if (!images && images.error().code == ErrorCode::Cancelled) return cancelled();
        if (!images) continue;
        m_meter->begin();
        const auto runs = job.row->runFor(kEnergyMs, *images, m_context);
        if (!runs && runs.error().code == ErrorCode::Cancelled) return fail(runs.error());
        if (!runs) continue;
        const auto joules = job.device() ? m_meter->gpuJoules() : m_meter->cpuJoules();
        if (!joules || *runs == 0) continue;
        StepTiming row = job.row->timing();
        row.joulesPerMegapixel =
            *joules * 1e6 / (double(*runs) * double(row.width) * double(row.height));
        name(job, row);
        report(job, std::move(row));
    }
    return {};
}

void BenchmarkRunner::Run::report(const Job& job, StepTiming row) {
    const auto index = std::size_t(&job - m_jobs.data());
    std::vector<StepTiming>& rows = m_result.report.results;
    if (index == rows.size())
        rows.push_back(std::move(row));
    else
        rows[index] = std::move(row);
    if (m_callbacks.onRow) m_callbacks.onRow(index, rows[index]);
}

Result<void> BenchmarkRunner::Run::skip(Job& job, const std::string& why) {
    // The rounds that it will not have.
    const int rounds = std::max(m_plan.sampling.minRounds, 1);
    m_bursts += std::size_t(std::max(0, rounds - 1 - m_round));
    job.row.reset();
    report(job, emptyRow(job, why));
    return {};
}

double BenchmarkRunner::Run::roundsFitting(const Job& job, double msPerRun) const {
    const double roundMs = CostModel::roundMs(msPerRun, job.sampling, job.device());
    return (limitMs() - msPerRun) / std::max(roundMs, 1e-9);
}

Result<void> BenchmarkRunner::Run::beginRow(Job& job) {
    const Planned& planned = m_planned[job.caseIndex];
    if (!planned.plan) return skip(job, planned.refusal);
    // Before anything costs time: a machine without a GPU has many such rows.
    if (!job.backend) return skip(job, job.missing);
    if (job.peer())
        for (const Peer& peer : m_runner.m_peers.peers)
            peer.setParameters(m_cases[job.caseIndex].parameters);
    if (const auto able = job.backend->supports(*planned.plan); !able)
        return skip(job, able.error().message);
    if (const auto ready = prepareInput(job.caseIndex); !ready) {
        const Error& error = ready.error();
        // Steps may lack what others give; the rest of the chain is timed all the same.
        if (m_cases[job.caseIndex].ofChain && error.code != ErrorCode::Cancelled &&
            error.code != ErrorCode::OutOfMemory)
            return skip(job, error.message);
        return fail(error);
    }

    const BenchmarkCase& one = m_cases[job.caseIndex];
    auto expected = job.peer() ? expectedPeerMs(job)
                               : expectedMs(seriesOf(job), one.variant, *job.backend, one);
    if (!expected) return fail(expected.error());
    if (job.peer() && *expected && **expected > longestPeerCallMs())
        return skip(job, fmt::format("one call would take about {} and could not be cancelled",
                                     callText(**expected)));
    job.sampling = m_plan.sampling;
    std::optional<double> firstMs;
    if (*expected) {
        const int fewest = std::min(job.sampling.minRounds, 3);
        double fitting = roundsFitting(job, **expected);
        // What a smaller image took on a GPU may be what happens once, as memory is pinned and
        // mapped: where one run is short the whole image says it better.
        if (fitting < fewest && job.device() && !job.peer() && **expected <= limitMs() / 4) {
            const auto tried = tryTwice(*job.backend, *planned.plan, m_input, limitMs());
            if (!tried && tried.error().code == ErrorCode::Cancelled) return fail(tried.error());
            if (!tried) return skip(job, tried.error().message);
            firstMs = tried->firstMs;
            expected = tried->secondMs;
            fitting = roundsFitting(job, **expected);
        }
        if (fitting < fewest) {
            const double rowMs = CostModel::rowMs(**expected, job.sampling, job.device());
            return skip(job, "would take about " + aboutSeconds(rowMs / 1000));
        }
        if (fitting < job.sampling.minRounds)
            job.sampling.minRounds = job.sampling.maxRounds = int(fitting);
    }
    if (const auto ready = ensureReference(job); !ready) return fail(ready.error());
    return firstCallOf(job, *expected, firstMs);
}

Result<void> BenchmarkRunner::Run::prepareCopies(const Job& job) {
    if (m_copiesRound == m_round && m_copiesHash == m_hash && !m_copies.empty()) return {};
    m_copies.clear();
    m_copiesRound = -1;
    // Of an input so small that thousands would be needed there are none, and its rows say so.
    const std::uint64_t cache = job.device() ? cpuCacheBytes() : job.backend->cacheBytes();
    const auto count = coldCopyCount(m_input.byteCount(), cache);
    if (!count) return {};
    auto made = copiesOf(m_input, *count, m_context.stop);
    if (!made) return fail(made.error());
    m_copies = std::move(*made);
    m_copiesHash = m_hash;
    m_copiesRound = m_round;
    return {};
}

void BenchmarkRunner::Run::pinFor(const Job& job) {
    if (m_cpus.empty()) return;
    if (job.peer() && job.place.kind() == BackendKind::Cpu)
        m_pinned.reset();
    else if (!m_pinned)
        m_pinned.emplace(m_cpus);
}

Result<StepImages> BenchmarkRunner::Run::imagesFor(const Job& job) {
    StepImages images = m_input;
    if (m_planned[job.caseIndex].plan->takesSecond) {
        // In memory of its own, as another image would be.
        auto copy = copiesOf(m_input, 1, m_context.stop);
        if (!copy) return fail(copy.error());
        images.second = std::move(copy->front());
    }
    return images;
}

Result<void> BenchmarkRunner::Run::firstCallOf(Job& job, std::optional<double> expectedMs,
                                               std::optional<double> firstMs) {
    const BenchmarkCase& one = m_cases[job.caseIndex];
    MeasureRequest request;
    request.plan = m_planned[job.caseIndex].plan;
    request.parameters = one.parameters;
    const auto images = imagesFor(job);
    if (!images) return fail(images.error());
    if (m_reference && m_reference->counts) request.referenceCounts = &*m_reference->counts;
    if (m_reference && !m_reference->output.isNull()) request.reference = &m_reference->output;
    // Rarely: where a result changes from one run to the next.
    request.referenceAgain = [this, &job]() -> const Image* {
        const auto ready = ensureReference(job);
        return ready && m_reference && !m_reference->output.isNull() ? &m_reference->output
                                                                     : nullptr;
    };
    request.sampling = job.sampling;
    request.firstCallMs = firstMs;
    request.cold = job.cold;
    request.betweenSamples = [this] {
        if (activeMs() - m_lastTellMs > 250) tell(false);
        return waitWhilePaused();
    };
    job.row = std::make_unique<RowMeasurement>(*job.backend, std::move(request), m_clock);
    if (const auto begun = job.row->begin(*images, m_context); !begun) {
        if (begun.error().code == ErrorCode::Cancelled) return begun;
        return skip(job, begun.error().message);
    }
    if (isReference(job) && !m_reference) {
        m_reference = job.row->first();
        job.row->agreesWith(ownAgreement(*m_reference));
    }
    job.row->dropResult();
    const auto taken = takeRound(job);
    if (taken && job.row) {
        const double ms = job.row->timing().endToEndMs;
        m_costs.record(seriesOf(job), one.size.pixels(), ms);
        m_finishedMs += activeMs() - m_burstStartMs;
        m_expectedMs +=
            ms + CostModel::roundMs(expectedMs.value_or(ms), job.sampling, job.device());
        ++m_finished;
    }
    return taken;
}

// The time of a result that is another each time says nothing, and what agreed with it agreed with
// one of several.
Result<void> BenchmarkRunner::Run::dropReference(Job& job) {
    const auto comparedWith = [this](Job& one) {
        const BenchmarkCase& of = m_cases[one.caseIndex];
        return std::tuple(seriesOf(of, kAutomaticVariant, BackendKind::CpuSingle), of.size,
                          one.row->timing().imageHash);
    };
    const auto wrong = comparedWith(job);
    for (Job& other : m_jobs) {
        if (&other == &job || !other.row || comparedWith(other) != wrong) continue;
        other.row->agreesWith({});
        StepTiming row = other.row->timing();
        name(other, row);
        report(other, std::move(row));
    }
    m_reference.reset();
    return skip(job, "not repeatable: its result changes from one run to the next");
}

Result<void> BenchmarkRunner::Run::takeRound(Job& job) {
    if (job.peer())
        for (const Peer& peer : m_runner.m_peers.peers)
            peer.setParameters(m_cases[job.caseIndex].parameters);
    if (const auto ready = prepareInput(job.caseIndex); !ready) return ready;
    // Results get other pages of memory than in the last round: where they happen to lie is part of
    // the luck that a figure must survive.
    if (m_trimmedRound != m_round) {
        m_copies.clear();
        trimStorage();
        m_trimmedRound = m_round;
    }
    const auto images = imagesFor(job);
    if (!images) return fail(images.error());
    if (job.cold)
        if (const auto ready = prepareCopies(job); !ready) return ready;
    if (const auto taken = job.row->round(*images, m_context, m_copies); !taken) {
        if (taken.error().code == ErrorCode::Cancelled) return taken;
        if (job.row->rounds() == 0) return skip(job, taken.error().message);
        // What earlier rounds gave stays.
        job.finished = true;
        return {};
    }
    if (isReference(job) && !job.row->repeatable()) return dropReference(job);
    StepTiming row = job.row->timing();
    name(job, row);
    report(job, std::move(row));
    return {};
}

}  // namespace warpscope
