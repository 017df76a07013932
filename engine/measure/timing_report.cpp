#include "engine/measure/timing_report.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <vector>

#include "engine/backend/cpu_backend.h"
#include "engine/base/row_bands.h"
#include "engine/measure/build_info.h"
#include "engine/measure/roofline.h"

namespace warpscope {
namespace {

constexpr int kRepetitions = 9;

// Far beyond the caches, and still no burden for a small machine.
std::uint64_t blockBytes(std::uint64_t cacheBytes) {
    constexpr std::uint64_t kLeast = 128u << 20;
    constexpr std::uint64_t kMost = 1024u << 20;
    return std::clamp(4 * cacheBytes, kLeast, kMost);
}

double gbps(std::vector<double> times, std::uint64_t bytes) {
    const double ms = summarizeSamples(std::move(times)).medianMs;
    return ms > 1e-6 ? 2 * double(bytes) / (ms * 1e6) : 0;
}

}  // namespace

TimingReport reportHead(const BackendSet& backends) {
    TimingReport report;
    report.programVersion = WARPSCOPE_VERSION;
#ifdef __clang__
    report.compiler =
        fmt::format("Clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
    report.compiler = fmt::format("GCC {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
    report.build = buildOptions();
    report.commit = buildCommit();
    const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    report.date = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                              fmt::gmtime(std::chrono::system_clock::to_time_t(now)));
    report.machine.cpu = cpuModelName();
    report.machine.simd = cpuInstructionSet();
    if (backends.cpu) report.machine.threads = backends.cpu->info().threads;
    if (backends.cuda) {
        report.machine.gpu = backends.cuda->info().device;
        report.machine.driver = backends.cuda->info().driver;
        report.machine.cuda = backends.cuda->info().toolkit;
    }
    return report;
}

std::string parameterText(const ParamSet& parameters) {
    std::string text;
    for (const auto& [id, value] : parameters.values())
        text += fmt::format("{}{}={}", text.empty() ? "" : " ", id, toText(value));
    return text;
}

StepKind kindOf(const StepTiming& row) {
    return {row.operation, row.variant, parameterText(row.parameters), row.format};
}

StepKey keyOf(const StepTiming& row) {
    return {kindOf(row),    row.width,     row.height,   row.cold,
            row.experiment, row.imageName, row.stepIndex};
}

StepKey inputKeyOf(const StepTiming& row) {
    StepKey key = keyOf(row);
    key.kind.variant.clear();
    return key;
}

std::vector<std::vector<Speedup>> speedupsOfRows(const std::vector<StepTiming>& rows) {
    std::map<StepKey, std::vector<StepTiming>> inputs;
    for (const StepTiming& row : rows) {
        std::vector<StepTiming>& same = inputs[inputKeyOf(row)];
        same.push_back(row);
        same.back().dropSamples();
    }
    std::vector<std::vector<Speedup>> all;
    for (const StepTiming& row : rows) {
        std::vector<Speedup> own;
        if (row.measured() && row.peer.empty())
            for (const Speedup& speedup : speedups(inputs[inputKeyOf(row)], row.variant))
                if (row.backend == (speedup.ofGpu() ? BackendKind::Cuda : BackendKind::Cpu))
                    own.push_back(speedup);
        all.push_back(std::move(own));
    }
    return all;
}

double copyGbpsCpu(Threading threading, std::stop_token stop, const Clock& clock) {
    const std::uint64_t bytes = blockBytes(cpuCacheBytes());
    const std::unique_ptr<std::byte[]> from(new (std::nothrow) std::byte[bytes]);
    const std::unique_ptr<std::byte[]> to(new (std::nothrow) std::byte[bytes]);
    if (!from || !to) return 0;
    const CpuContext context{threading, stop, {}};
    // Pieces of a few megabytes: large enough for the C library to write past the caches where it
    // finds that faster, small enough that a stop is heard.
    constexpr std::uint64_t kPiece = 4u << 20;
    const int pieces = int((bytes + kPiece - 1) / kPiece);
    const auto overPieces = [&](auto&& body) {
        return forEachRowBand(context, pieces, 1, [&](int first, int last) {
            const std::uint64_t begin = std::uint64_t(first) * kPiece;
            body(begin, std::min(bytes, std::uint64_t(last) * kPiece) - begin);
        });
    };
    // The first touch maps the memory.
    const auto touched = overPieces([&](std::uint64_t begin, std::uint64_t count) {
        std::memset(from.get() + begin, 1, count);
        std::memset(to.get() + begin, 2, count);
    });
    if (!touched) return 0;
    std::vector<double> times;
    for (int i = 0; i < kRepetitions; ++i) {
        const Stopwatch watch(clock);
        const auto copied = overPieces([&](std::uint64_t begin, std::uint64_t count) {
            std::memcpy(to.get() + begin, from.get() + begin, count);
        });
        if (!copied || stop.stop_requested()) return 0;
        times.push_back(watch.elapsedMs());
    }
    return gbps(std::move(times), bytes);
}

double copyGbpsDevice(Backend& device, const RunContext& context) {
    std::uint64_t bytes = blockBytes(device.cacheBytes());
    if (const std::uint64_t free = device.memoryAvailable(); free > 0)
        bytes = std::min(bytes, free / 4);
    if (bytes == 0) return 0;
    auto times = device.copyMs(bytes, kRepetitions, context);
    return times ? gbps(std::move(*times), bytes) : 0;
}

void measureMachine(MachineInfo& machine, const BackendSet& backends, bool copies,
                    const RunContext& context, const Clock& clock) {
    machine.cacheBytesCpu = cpuCacheBytes();
    if (backends.cuda) machine.cacheBytesGpu = backends.cuda->cacheBytes();
    if (!copies) return;
    machine.copyGbpsCpu = copyGbpsCpu(Threading::AllCores, context.stop, clock);
    machine.copyGbpsCpuSingle = copyGbpsCpu(Threading::Single, context.stop, clock);
    if (backends.cuda) machine.copyGbpsGpu = copyGbpsDevice(*backends.cuda, context);
    if (const auto peaks = measurePeaks(backends, context)) setPeaks(machine, *peaks);
}

}  // namespace warpscope
