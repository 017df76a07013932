#include "engine/measure/timing_report.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <vector>

#include "engine/backend/cpu_backend.h"
#include "engine/base/row_bands.h"
#include "engine/base/system_files.h"
#include "engine/measure/build_info.h"
#include "engine/measure/roofline.h"

namespace warpscope {
namespace {

constexpr int kRepetitions = 9;
// From six rounds on the interval is that of the sign test.
constexpr int kCopyRounds = 6;
constexpr int kCopiesOfRound = 2;

// Far beyond the caches, and still no burden for a small machine; or what the environment says, for
// whom time concerns more than the rate.
std::uint64_t blockBytes(std::uint64_t cacheBytes) {
    constexpr std::uint64_t kMib = 1u << 20;
    constexpr std::uint64_t kMost = 1024;
    if (const char* text = std::getenv("WARPSCOPE_COPY_MIB"))
        if (const auto mib = wholeFromText(text); mib && *mib >= 1 && *mib <= kMost)
            return *mib * kMib;
    return std::clamp(4 * cacheBytes, 128 * kMib, kMost * kMib);
}

double gbps(double ms, std::uint64_t bytes) {
    return ms > 1e-6 ? 2 * double(bytes) / (ms * 1e6) : 0;
}

// Two blocks far beyond the caches, mapped by a first touch.
class CopyBlocks {
  public:
    explicit CopyBlocks(std::stop_token stop)
        : m_stop(std::move(stop)),
          m_bytes(blockBytes(cpuCacheBytes())),
          m_from(new (std::nothrow) std::byte[m_bytes]),
          m_to(new (std::nothrow) std::byte[m_bytes]) {
        if (!m_from || !m_to) return;
        m_ready = overPieces(Threading::AllCores, [&](std::uint64_t begin, std::uint64_t count) {
            std::memset(m_from.get() + begin, 1, count);
            std::memset(m_to.get() + begin, 2, count);
        });
    }

    std::uint64_t bytes() const { return m_bytes; }

    // Milliseconds of each; empty where there is no memory or it was stopped.
    std::vector<double> copy(Threading threading, int repetitions, const Clock& clock) {
        std::vector<double> times;
        for (int i = 0; m_ready && i < repetitions; ++i) {
            const Stopwatch watch(clock);
            const bool copied =
                overPieces(threading, [&](std::uint64_t begin, std::uint64_t count) {
                    std::memcpy(m_to.get() + begin, m_from.get() + begin, count);
                });
            if (!copied || m_stop.stop_requested()) return {};
            times.push_back(watch.elapsedMs());
        }
        return times;
    }

  private:
    template <class Body>
    bool overPieces(Threading threading, Body&& body) {
        // Pieces of a few megabytes: large enough for the C library to write past the caches where
        // it finds that faster, small enough that a stop is heard.
        constexpr std::uint64_t kPiece = 4u << 20;
        const CpuContext context{threading, m_stop, {}};
        const auto done = forEachRowBand(
            context, int((m_bytes + kPiece - 1) / kPiece), 1, [&](int first, int last) {
                const std::uint64_t begin = std::uint64_t(first) * kPiece;
                body(begin, std::min(m_bytes, std::uint64_t(last) * kPiece) - begin);
            });
        return bool(done);
    }

    std::stop_token m_stop;
    std::uint64_t m_bytes = 0;
    std::unique_ptr<std::byte[]> m_from, m_to;
    bool m_ready = false;
};

// Of rounds of copies; nothing of an empty one, which is one that was stopped.
struct CopyRate {
    double gbps = 0;
    CopyInterval interval;
};
CopyRate rateOf(const Samples& samples, std::uint64_t bytes) {
    if (samples.perRound.size() != std::size_t(kCopyRounds)) return {};
    const SampleSummary summary = summarizeRounds(samples);
    CopyRate rate{gbps(summary.medianMs, bytes), {}};
    // Few rounds that disagree may leave no lower end of the time.
    if (summary.intervalKnown() && summary.lowMs > 0)
        rate.interval = {gbps(summary.highMs, bytes), gbps(summary.lowMs, bytes)};
    return rate;
}

std::uint64_t deviceBytes(Backend& device) {
    const std::uint64_t bytes = blockBytes(device.cacheBytes());
    const std::uint64_t free = device.memoryAvailable();
    return free > 0 ? std::min(bytes, free / 4) : bytes;
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
        report.machine.gpuUuid = backends.cuda->info().uuid;
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
    CopyBlocks blocks(stop);
    const auto times = blocks.copy(threading, kRepetitions, clock);
    return times.empty() ? 0 : gbps(summarizeSamples(times).medianMs, blocks.bytes());
}

double copyGbpsDevice(Backend& device, const RunContext& context) {
    const std::uint64_t bytes = deviceBytes(device);
    if (bytes == 0) return 0;
    const auto times = device.copyMs(bytes, kRepetitions, context);
    return times ? gbps(summarizeSamples(*times).medianMs, bytes) : 0;
}

bool copyNoisy(double gbps, const CopyInterval& interval) {
    return interval.known() && interval.high - interval.low > 3 * kNoisyAbove * gbps;
}

void measureMachine(MachineInfo& machine, const BackendSet& backends, bool copies,
                    const RunContext& context, const Clock& clock) {
    machine.cacheBytesCpu = cpuCacheBytes();
    if (backends.cuda) machine.cacheBytesGpu = backends.cuda->cacheBytes();
    if (!copies) return;
    CopyBlocks blocks(context.stop);
    const std::uint64_t onDevice = backends.cuda ? deviceBytes(*backends.cuda) : 0;
    Samples cores, single, device;
    const auto add = [](Samples& samples, const std::vector<double>& times) {
        if (!times.empty()) samples.addRound(times);
    };
    for (int round = 0; round < kCopyRounds; ++round) {
        add(cores, blocks.copy(Threading::AllCores, kCopiesOfRound, clock));
        add(single, blocks.copy(Threading::Single, kCopiesOfRound, clock));
        if (onDevice == 0) continue;
        if (const auto times = backends.cuda->copyMs(onDevice, kCopiesOfRound, context))
            add(device, *times);
    }
    const auto set = [](const Samples& samples, std::uint64_t bytes, double& rate,
                        CopyInterval& interval) {
        const CopyRate found = rateOf(samples, bytes);
        rate = found.gbps;
        interval = found.interval;
    };
    set(cores, blocks.bytes(), machine.copyGbpsCpu, machine.copyIntervalCpu);
    set(single, blocks.bytes(), machine.copyGbpsCpuSingle, machine.copyIntervalCpuSingle);
    set(device, onDevice, machine.copyGbpsGpu, machine.copyIntervalGpu);
    if (const auto peaks = measurePeaks(backends, context)) setPeaks(machine, *peaks);
}

}  // namespace warpscope
