#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "engine/measure/timing.h"

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

const StepTiming* rowOf(const std::vector<StepTiming>& rows, BackendKind kind) {
    for (const StepTiming& row : rows)
        if (row.measured() && row.peer.empty() && row.backend == kind) return &row;
    return nullptr;
}

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
    const std::pair<BackendKind, BackendPtr> columns[] = {
        {BackendKind::CpuSingle, backends.cpuSingle},
        {BackendKind::Cpu, backends.cpu},
        {BackendKind::Cuda, backends.cuda}};
    std::vector<StepTiming> rows;
    std::optional<Measured> reference;
    std::uint64_t hash = 0;  // known once something was measured, and only wanted then
    for (const auto& [kind, backend] : columns) {
        if (context.stop.stop_requested()) return cancelled();
        if (!backend) {
            const bool gpu = kind == BackendKind::Cuda && !backends.cudaUnavailable.empty();
            rows.push_back(skippedRow(*plan, parameters, kind, hash,
                                      gpu ? backends.cudaUnavailable : "there is none"));
        } else {
            MeasureRequest request{plan, parameters, input, nullptr, nullptr, sampling, false, {}};
            if (reference && reference->counts) request.referenceCounts = &*reference->counts;
            if (reference && !reference->output.isNull()) request.reference = &reference->output;
            auto measured = measureStep(*backend, request, context, clock);
            if (measured) {
                hash = measured->timing.imageHash;
                if (kind == BackendKind::CpuSingle) {
                    measured->timing.agreement = ownAgreement(*measured);
                    reference = *measured;
                }
                rows.push_back(std::move(measured->timing));
            } else if (measured.error().code == ErrorCode::Cancelled) {
                return cancelled();
            } else {
                rows.push_back(skippedRow(*plan, parameters, kind, hash, measured.error().message));
            }
        }
        if (onRow) onRow(rows.back());
    }
    return rows;
}

std::vector<Speedup> speedups(const std::vector<StepTiming>& rowsOfOneStep) {
    const StepTiming* single = rowOf(rowsOfOneStep, BackendKind::CpuSingle);
    const StepTiming* cores = rowOf(rowsOfOneStep, BackendKind::Cpu);
    const StepTiming* gpu = rowOf(rowsOfOneStep, BackendKind::Cuda);
    std::vector<Speedup> list;
    const auto add = [&](SpeedupSubject subject, const StepTiming* row, double ms,
                         const StepTiming* baseline) {
        if (!row || !baseline || ms <= 0 || baseline->time.medianMs <= 0) return;
        if (!row->agreement.allowsSpeedup() || !baseline->agreement.allowsSpeedup()) return;
        const double factor = baseline->time.medianMs / ms;
        // Beyond all numbers is no figure.
        if (std::isfinite(factor))
            list.push_back({subject, baseline->backend.kind(), baseline->threads, factor});
    };
    add(SpeedupSubject::AllCores, cores, cores ? cores->time.medianMs : 0, single);
    for (const StepTiming* baseline : {single, cores}) {
        add(SpeedupSubject::GpuKernels, gpu, gpu ? gpu->kernelMs : 0, baseline);
        add(SpeedupSubject::GpuEndToEnd, gpu, gpu ? gpu->endToEndMs : 0, baseline);
    }
    return list;
}

}  // namespace warpscope
