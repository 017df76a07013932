#include "engine/measure/roofline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/operations/registry.h"

namespace warpscope {
namespace {

// Less than this of both roofs is bound by something else.
constexpr double kBound = 0.35;

bool isOneThread(const StepTiming& row) {
    return row.backend.oneThread();
}

std::string percent(double share) {
    const double value = 100 * share;
    return value < 0.5 ? "less than 1%" : fmt::format("{:.0f}%", value);
}

}  // namespace

double MachinePeaks::gopsFor(const StepTiming& row) const {
    const ArithmeticPeak& peak = row.backend.kind() == BackendKind::Cuda ? gpu
                                 : isOneThread(row)                      ? cpuSingle
                                                                         : cpu;
    return isFloat(row.format) ? peak.floatGops : std::max(peak.floatGops, peak.integerGops);
}

Result<MachinePeaks> measurePeaks(const BackendSet& backends, const RunContext& context) {
    MachinePeaks peaks;
    const std::pair<const BackendPtr&, ArithmeticPeak&> places[] = {
        {backends.cpuSingle, peaks.cpuSingle},
        {backends.cpu, peaks.cpu},
        {backends.cuda, peaks.gpu}};
    for (const auto& [backend, peak] : places) {
        if (context.stop.stop_requested()) return cancelled();
        if (!backend) continue;
        auto measured = backend->arithmeticPeak(context);
        if (measured)
            peak = *measured;
        else if (measured.error().code == ErrorCode::Cancelled)
            return cancelled();
    }
    return peaks;
}

MachinePeaks peaksOf(const MachineInfo& machine) {
    return {{machine.peakGopsCpuSingle, machine.peakIntegerGopsCpuSingle},
            {machine.peakGopsCpu, machine.peakIntegerGopsCpu},
            {machine.peakGopsGpu, 0}};
}

void setPeaks(MachineInfo& machine, const MachinePeaks& peaks) {
    machine.peakGopsCpuSingle = peaks.cpuSingle.floatGops;
    machine.peakIntegerGopsCpuSingle = peaks.cpuSingle.integerGops;
    machine.peakGopsCpu = peaks.cpu.floatGops;
    machine.peakIntegerGopsCpu = peaks.cpu.integerGops;
    machine.peakGopsGpu = peaks.gpu.floatGops;
}

double workOf(const StepTiming& row) {
    const Operation* operation = findOperation(row.operation);
    if (!operation) return 0;
    PlanRequest request;
    request.parameters = row.parameters;
    request.format = row.format;
    request.size = {row.width, row.height};
    auto resolved = resolveParameters(operation->description().parameters, row.parameters);
    if (!resolved) return 0;
    request.parameters = std::move(*resolved);
    const auto plan = operation->plan(request);
    return plan ? (*plan)->work : 0;
}

double copyGbPerSFor(const StepTiming& row, const MachineInfo& machine) {
    if (row.backend.kind() == BackendKind::Cuda) return machine.copyGbpsGpu;
    return isOneThread(row) && machine.copyGbpsCpuSingle > 0 ? machine.copyGbpsCpuSingle
                                                             : machine.copyGbpsCpu;
}

std::optional<RooflinePoint> rooflinePoint(const StepTiming& row, const MachineInfo& machine,
                                           const MachinePeaks& peaks) {
    if (!row.measured() || !(row.time.medianMs > 0) || row.bytesMoved == 0) return std::nullopt;
    const double copy = copyGbPerSFor(row, machine), peak = peaks.gopsFor(row);
    if (!(copy > 0) && !(peak > 0)) return std::nullopt;
    const double work = workOf(row), bytes = double(row.bytesMoved);
    const double perSecond = 1e-6 / row.time.medianMs;  // 1e9 a second
    RooflinePoint point;
    point.opsPerByte = work / bytes;
    point.gops = work * perSecond;
    point.gbPerS = bytes * perSecond;
    if (!std::isfinite(point.gops) || !std::isfinite(point.gbPerS)) return std::nullopt;
    if (copy > 0) point.copyShare = point.gbPerS / copy;
    if (peak > 0) point.arithmeticShare = point.gops / peak;
    point.memoryBound = !(peak > 0) || (copy > 0 && copy * point.opsPerByte <= peak);
    const std::uint64_t cache =
        row.backend.kind() == BackendKind::Cuda ? machine.cacheBytesGpu : machine.cacheBytesCpu;
    point.fitsCache = !row.cold && row.bytesMoved <= cache;
    return point;
}

std::string whyThatFast(const RooflinePoint& point) {
    const bool beyond = point.copyShare > kBeyondCopying;
    const bool cached = point.fitsCache || beyond;
    const std::string copied = point.fitsCache ? "in the cache"
                               : beyond        ? "faster than copying, in part from the cache"
                                               : percent(point.copyShare) + " of copying";
    const std::string computed =
        fmt::format("{} of the arithmetic peak", percent(point.arithmeticShare));
    const double memory = cached ? 0 : point.copyShare;
    if (std::max(memory, point.arithmeticShare) < kBound) {
        if (point.arithmeticShare > 0 && point.copyShare > 0)
            return fmt::format("{} and {}: bound by neither (latency, launches or synchronization)",
                               copied, computed);
        return point.copyShare > 0 ? copied + ": not bound by memory"
                                   : computed + ": not bound by arithmetic";
    }
    if (point.arithmeticShare > memory) {
        if (point.arithmeticShare > 1)
            return computed +
                   ": bound by arithmetic, with better instructions or fewer operations than were "
                   "counted";
        return computed + ": bound by arithmetic";
    }
    return copied + ": bound by memory";
}

}  // namespace warpscope
