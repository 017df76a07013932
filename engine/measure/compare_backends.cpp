#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <memory>
#include <utility>

#include "engine/image/content_hash.h"
#include "engine/measure/factor.h"
#include "engine/measure/row_measurement.h"
#include "engine/measure/single_run.h"

namespace warpscope {
namespace {

// A row with names and no figures.
StepTiming skippedRow(const Plan& plan, const ParamSet& parameters, BackendKind backend,
                      std::uint64_t imageHash, std::string_view why) {
    StepTiming row;
    row.operation = plan.operation->description().id;
    row.variant = plan.variant;
    row.parameters = parameters;
    row.backendRequested = backend;
    row.width = plan.size.width;
    row.height = plan.size.height;
    row.format = plan.input;
    row.bytesMoved = plan.minimalBytes;
    row.imageHash = imageHash;
    row.error = fmt::format("skipped: {}", why);
    return row;
}

// One of the places that a step is compared in.
struct Contestant {
    BackendKind kind;
    BackendPtr backend;
    PlanPtr plan;
    std::unique_ptr<RowMeasurement> row = {};
    StepTiming skipped = {};  // where there is no row
};

}  // namespace

Agreement ownAgreement(const Measured& measured) {
    if (measured.counts) return compareAnalyses(*measured.counts, *measured.counts);
    Agreement agreement;
    agreement.verdict = Verdict::Identical;
    agreement.psnrDb = std::numeric_limits<double>::infinity();
    agreement.samples = std::uint64_t(measured.output.size().pixels()) *
                        std::uint64_t(channelCount(measured.output.format()));
    return agreement;
}

Result<std::vector<StepTiming>> compareBackends(const BackendSet& backends, const PlanPtr& plan,
                                                const ParamSet& parameters, const StepImages& input,
                                                const SamplingOptions& sampling,
                                                const RunContext& context,
                                                const std::function<void(const StepTiming&)>& onRow,
                                                const Clock& clock) {
    std::vector<Contestant> contestants;
    contestants.push_back({BackendKind::CpuSingle, backends.cpuSingle, plan});
    contestants.push_back({BackendKind::Cpu, backends.cpu, plan});
    contestants.push_back({BackendKind::Cuda, backends.cuda, plan});
    if (plan->variant != kAutomaticVariant) {
        // A GPU that beats the same algorithm on a CPU has beaten nobody: what the CPU does best
        // stands beside it.
        PlanRequest best;
        best.parameters = parameters;
        best.format = plan->input;
        best.size = plan->size;
        best.place = plan->place;
        if (const auto planned = plan->operation->plan(best)) {
            contestants.push_back({BackendKind::CpuSingle, backends.cpuSingle, *planned});
            contestants.push_back({BackendKind::Cpu, backends.cpu, *planned});
        }
    }
    std::optional<Measured> reference;
    // A variant that is wrong on purpose is not what others are compared with.
    if (plan->operation->description().isWrongOnPurpose(plan->variant) && contestants.size() > 3 &&
        backends.cpuSingle) {
        auto right = runOnce(*backends.cpuSingle, *contestants[3].plan, input, context);
        if (right) reference = std::move(*right);
    }
    const auto stopped = [&] { return context.stop.stop_requested(); };
    const auto hash = contentHash(input.first, context.stop);
    if (!hash) return cancelled();
    const auto skip = [&](Contestant& one, std::string_view why) {
        one.row.reset();
        one.skipped = skippedRow(*one.plan, parameters, one.kind, *hash, why);
        if (onRow) onRow(one.skipped);
    };
    // First calls, each compared with one thread; then rounds in turn, so that what changes on the
    // machine meanwhile meets all of them.
    for (Contestant& one : contestants) {
        if (stopped()) return cancelled();
        if (!one.backend) {
            const bool gpu = one.kind == BackendKind::Cuda && !backends.cudaUnavailable.empty();
            skip(one, gpu ? backends.cudaUnavailable : "there is none");
            continue;
        }
        MeasureRequest request;
        request.plan = one.plan;
        request.parameters = parameters;
        request.sampling = sampling;
        if (reference && reference->counts) request.referenceCounts = &*reference->counts;
        if (reference && !reference->output.isNull()) request.reference = &reference->output;
        request.referenceAgain = [&reference] {
            return reference && !reference->output.isNull() ? &reference->output : nullptr;
        };
        one.row = std::make_unique<RowMeasurement>(*one.backend, std::move(request), clock);
        auto done = one.row->begin(input, context);
        const bool first = one.kind == BackendKind::CpuSingle && !reference;
        if (done && first) {
            reference = one.row->first();
            one.row->agreesWith(ownAgreement(*reference));
        }
        one.row->dropResult();
        if (done) done = one.row->round(input, context);
        if (!done) {
            if (done.error().code == ErrorCode::Cancelled) return cancelled();
            skip(one, done.error().message);
            continue;
        }
        if (onRow) onRow(one.row->timing());
    }
    for (int round = 1; round < sampling.maxRounds; ++round) {
        for (Contestant& one : contestants) {
            if (!one.row || one.row->steady()) continue;
            if (stopped()) return cancelled();
            if (const auto done = one.row->round(input, context); !done) {
                if (done.error().code == ErrorCode::Cancelled) return cancelled();
                skip(one, done.error().message);
                continue;
            }
            if (onRow) onRow(one.row->timing());
        }
    }
    if (stopped()) return cancelled();
    std::vector<StepTiming> rows;
    for (Contestant& one : contestants) rows.push_back(one.row ? one.row->timing() : one.skipped);
    return rows;
}

bool comparable(const StepTiming& row) {
    return row.measured() && row.peer.empty() && row.agreement.allowsSpeedup();
}

std::optional<Factor> factorOf(const TimedSide& fast, const TimedSide& slow) {
    if (!(fast.ms > 0) || !(slow.ms > 0)) return std::nullopt;
    Factor factor{slow.ms / fast.ms};
    if (fast.summary.noisy() || slow.summary.noisy()) {
        const auto lowOf = [](const TimedSide& side) {
            return side.summary.intervalKnown() ? side.summary.lowMs : side.ms;
        };
        const auto highOf = [](const TimedSide& side) {
            return side.summary.intervalKnown() ? side.summary.highMs : side.ms;
        };
        if (!(lowOf(fast) > 0)) return std::nullopt;
        factor.low = lowOf(slow) / highOf(fast);
        factor.high = highOf(slow) / lowOf(fast);
    }
    if (!std::isfinite(factor.value) || !std::isfinite(factor.high)) return std::nullopt;
    return factor;
}

bool isDraw(const TimedSide& a, const TimedSide& b) {
    if (!(a.ms > 0) || !(b.ms > 0)) return false;
    const TimedSide& fast = a.ms < b.ms ? a : b;
    const TimedSide& slow = a.ms < b.ms ? b : a;
    const auto bound = [](const SampleSummary& summary, double interval, double percentile) {
        return summary.intervalKnown() ? interval : percentile;
    };
    const double high = bound(fast.summary, fast.summary.highMs, fast.summary.p90Ms);
    const double low = bound(slow.summary, slow.summary.lowMs, slow.summary.p10Ms);
    // Percentiles that are not known are 0 and widen nothing.
    return slow.ms <= kDrawBelow * fast.ms ||
           std::max(high, fast.ms) >= (low > 0 ? std::min(low, slow.ms) : slow.ms);
}

const StepTiming* bestOfCpu(const std::vector<const StepTiming*>& rowsOfOneInput) {
    const StepTiming* best = nullptr;
    for (const StepTiming* row : rowsOfOneInput)
        if (comparable(*row) && !row->ofGpu() && row->time.medianMs > 0 &&
            (!best || row->time.medianMs < best->time.medianMs))
            best = row;
    return best;
}

std::vector<Speedup> speedups(const std::vector<StepTiming>& rowsOfOneInput,
                              std::string_view variant) {
    const auto rowOf = [&](BackendKind kind) -> const StepTiming* {
        for (const StepTiming& row : rowsOfOneInput)
            if (comparable(row) && row.backend == kind && row.variant == variant) return &row;
        return nullptr;
    };
    const auto bestOf = [&](bool oneThread) -> const StepTiming* {
        const StepTiming* best = nullptr;
        for (const StepTiming& row : rowsOfOneInput) {
            if (!comparable(row) || row.ofGpu() || !(row.time.medianMs > 0)) continue;
            if (oneThread && row.backend != BackendKind::CpuSingle) continue;
            if (!best || row.time.medianMs < best->time.medianMs) best = &row;
        }
        return best;
    };
    std::vector<Speedup> list;
    const auto add = [&](SpeedupSubject subject, const StepTiming* row, const StepTiming* baseline,
                         bool best) {
        if (!row || !baseline || row == baseline) return;
        const bool whole = subject == SpeedupSubject::GpuEndToEnd;
        const auto factor = factorOf(whole ? TimedSide{row->endToEnd, row->endToEndMs}
                                           : TimedSide{row->time, row->time.medianMs},
                                     {baseline->time, baseline->time.medianMs});
        if (!factor) return;
        // What was offered to it counts little where fewer found work.
        const int threads =
            baseline->threadsWorked > 0 ? baseline->threadsWorked : baseline->threads;
        Speedup speedup{subject, baseline->backend.kind(), threads, baseline->variant, best};
        speedup.baselineOffered = baseline->threads;
        speedup.factor = factor->value;
        speedup.low = factor->low;
        speedup.high = factor->high;
        list.push_back(speedup);
    };
    // `best` first; the same row is named once.
    const auto against = [&](std::initializer_list<SpeedupSubject> subjects, const StepTiming* row,
                             std::initializer_list<const StepTiming*> baselines) {
        std::vector<const StepTiming*> named;
        for (const StepTiming* baseline : baselines) {
            if (!baseline || std::find(named.begin(), named.end(), baseline) != named.end())
                continue;
            for (const SpeedupSubject subject : subjects)
                add(subject, row, baseline, named.empty());
            named.push_back(baseline);
        }
    };
    const StepTiming* single = rowOf(BackendKind::CpuSingle);
    const StepTiming* cores = rowOf(BackendKind::Cpu);
    if (cores && cores->threadsWorked != 1)
        against({SpeedupSubject::AllCores}, cores, {bestOf(true), single});
    against({SpeedupSubject::GpuKernels, SpeedupSubject::GpuEndToEnd}, rowOf(BackendKind::Cuda),
            {bestOf(false), cores, single});
    return list;
}

std::vector<Speedup> speedups(const std::vector<StepTiming>& rowsOfOneStep) {
    if (rowsOfOneStep.empty()) return {};
    return speedups(rowsOfOneStep, rowsOfOneStep.front().variant);
}

}  // namespace warpscope
