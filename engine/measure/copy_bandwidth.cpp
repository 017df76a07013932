#include "engine/measure/copy_bandwidth.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "engine/backend/cpu_backend.h"
#include "engine/base/row_bands.h"

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
}

}  // namespace warpscope
