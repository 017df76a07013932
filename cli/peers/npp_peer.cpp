// NVIDIA's NPP behind the seam of engine/measure/peer_module.h. It has every advantage: its memory
// is allocated and its tables are on the device before anything is timed.
#include <cuda_runtime.h>
#include <npp.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "cli/peers/npp_functions.h"

namespace warpscope::npp {
namespace {

void check(cudaError_t code) {
    if (code != cudaSuccess) throw std::runtime_error(cudaGetErrorString(code));
}

// Made once, on the device that is current in the thread that asks first.
struct Device {
    cudaStream_t stream = nullptr;
    NppStreamContext context = {};
    std::string name;
    std::string label;
    long long cacheBytes = 0;
};

Device makeDevice() {
    Device made;
    int index = 0;
    cudaDeviceProp traits = {};
    check(cudaGetDevice(&index));
    check(cudaGetDeviceProperties(&traits, index));
    check(cudaStreamCreateWithFlags(&made.stream, cudaStreamNonBlocking));
    NppStreamContext& context = made.context;
    context.hStream = made.stream;
    context.nCudaDeviceId = index;
    context.nMultiProcessorCount = traits.multiProcessorCount;
    context.nMaxThreadsPerMultiProcessor = traits.maxThreadsPerMultiProcessor;
    context.nMaxThreadsPerBlock = traits.maxThreadsPerBlock;
    context.nSharedMemPerBlock = traits.sharedMemPerBlock;
    context.nCudaDevAttrComputeCapabilityMajor = traits.major;
    context.nCudaDevAttrComputeCapabilityMinor = traits.minor;
    check(cudaStreamGetFlags(made.stream, &context.nStreamFlags));
    made.name = traits.name;
    made.cacheBytes = traits.l2CacheSize;
    const NppLibraryVersion* version = nppGetLibVersion();
    made.label = "NPP " + std::to_string(version->major) + "." + std::to_string(version->minor) +
                 "." + std::to_string(version->build);
    return made;
}

const Device& device() {
    static const Device made = makeDevice();
    return made;
}

std::size_t rowBytes(const WarpscopePeerImage& image) {
    return std::size_t(image.width) * std::size_t(image.channels) * std::size_t(image.sample_bytes);
}

// Device memory with rows on 256 bytes.
struct DeviceImage {
    WarpscopePeerImage shape = {};

    explicit DeviceImage(const WarpscopePeerImage& like) : shape(like) {
        shape.pitch = (long long)((rowBytes(like) + 255) / 256 * 256);
        check(cudaMalloc(&shape.data, std::size_t(shape.pitch) * std::size_t(shape.height)));
    }
    DeviceImage(const DeviceImage&) = delete;
    DeviceImage& operator=(const DeviceImage&) = delete;
    ~DeviceImage() { (void)cudaFree(shape.data); }
};

// Results of one task, written in turn; memory of the functions beside them.
struct Results {
    std::vector<std::unique_ptr<DeviceImage>> images;
    Workspace workspace;
    WarpscopePeerImage task = {};
    WarpscopePeerImage given = {};  // what the operation would give
    std::string operation;
    Result kind = Result::Same;
    std::size_t last = 0;
};

Results& results() {
    static Results kept;
    return kept;
}

bool sameShape(const WarpscopePeerImage& a, const WarpscopePeerImage& b) {
    return a.width == b.width && a.height == b.height && a.channels == b.channels &&
           a.sample_bytes == b.sample_bytes && a.is_float == b.is_float;
}

// What the library writes where it does not write what the operation gives.
WarpscopePeerImage shapeOf(const WarpscopePeerTask& task, Result kind) {
    WarpscopePeerImage shape = task.output;
    if (areShorts(kind)) shape.sample_bytes = 2;
    if (kind == Result::Integral) ++shape.width, ++shape.height;
    if (kind == Result::Counts) shape = {nullptr, 0, 256, 1, 1, 4, 0};
    return shape;
}

// As many places as inputs, so that results leave the cache too, but not above half a gigabyte.
void prepare(const WarpscopePeerTask& task, const Function& function,
             const WarpscopePeerImage& input, int count) {
    Results& kept = results();
    const WarpscopePeerImage shape = shapeOf(task, function.result);
    const auto bytes = (long long)(rowBytes(shape)) * shape.height;
    const int places = std::clamp(int((512ll << 20) / std::max(bytes, 1ll)), 1, count);
    const bool same = kept.operation == task.operation && kept.kind == function.result &&
                      sameShape(kept.task, task.input) && sameShape(kept.given, task.output) &&
                      int(kept.images.size()) >= places;
    kept.last = 0;
    if (!same) {
        kept.images.clear();
        kept.operation = task.operation;
        kept.task = task.input;
        kept.given = task.output;
        kept.kind = function.result;
        for (int i = 0; i < places; ++i)
            kept.images.push_back(std::make_unique<DeviceImage>(shape));
    }
    // Functions for colour leave alpha as it lies in the result.
    if (!same && sameShape(shape, task.input))
        for (const auto& image : kept.images)
            check(cudaMemcpy2D(image->shape.data, std::size_t(image->shape.pitch), input.data,
                               std::size_t(input.pitch), rowBytes(input), std::size_t(input.height),
                               cudaMemcpyDeviceToDevice));
}

void once(const WarpscopePeerTask& task, const Function& function, const WarpscopePeerImage& input,
          const WarpscopePeerImage* second, std::size_t place) {
    Results& kept = results();
    kept.last = place;
    const NppStatus status = function.run(
        {task, input, second, kept.images[place]->shape, kept.workspace, device().context});
    if (status < NPP_SUCCESS) throw std::runtime_error("NPP failed");
}

double betweenEvents(const auto& work) {
    cudaEvent_t start = nullptr, end = nullptr;
    check(cudaEventCreate(&start));
    check(cudaEventCreate(&end));
    check(cudaEventRecord(start, device().stream));
    work();
    check(cudaEventRecord(end, device().stream));
    check(cudaEventSynchronize(end));
    float ms = 0;
    check(cudaEventElapsedTime(&ms, start, end));
    (void)cudaEventDestroy(start);
    (void)cudaEventDestroy(end);
    return double(ms);
}

// Empty where the library does what cannot be captured.
std::pair<cudaGraph_t, cudaGraphExec_t> captured(const auto& work) {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    check(cudaStreamBeginCapture(device().stream, cudaStreamCaptureModeRelaxed));
    bool done = true;
    try {
        work();
    } catch (const std::exception&) {
        done = false;
    }
    done = cudaStreamEndCapture(device().stream, &graph) == cudaSuccess && done;
    done = done && cudaGraphInstantiateWithFlags(&executable, graph, 0) == cudaSuccess;
    (void)cudaGetLastError();
    return {graph, done ? executable : nullptr};
}

template <class Work>
int guarded(Work&& work) noexcept {
    try {
        return work();
    } catch (const std::exception&) {
        return 1;
    }
}

int supports(const WarpscopePeerTask* task) {
    return functionFor(*task) != nullptr;
}

void* upload(const WarpscopePeerImage* image) {
    try {
        auto made = std::make_unique<DeviceImage>(*image);
        check(cudaMemcpy2D(made->shape.data, std::size_t(made->shape.pitch), image->data,
                           std::size_t(image->pitch), rowBytes(*image), std::size_t(image->height),
                           cudaMemcpyHostToDevice));
        return made.release();
    } catch (const std::exception&) {
        return nullptr;
    }
}

void release(void* image) {
    delete static_cast<DeviceImage*>(image);
}

int timeRuns(const WarpscopePeerTask* task, void* const* inputs, void* const* seconds, int count,
             long long first, int runs, double* ms, int* graph) {
    return guarded([&] {
        const Function* function = functionFor(*task);
        if (!function || count < 1 || runs < 1) return 1;
        const auto input = [&](long long i) -> const WarpscopePeerImage& {
            return static_cast<DeviceImage*>(inputs[(first + i) % count])->shape;
        };
        const auto second = [&](long long i) -> const WarpscopePeerImage* {
            return seconds ? &static_cast<DeviceImage*>(seconds[(first + i) % count])->shape
                           : nullptr;
        };
        prepare(*task, *function, input(0), count);
        const auto all = [&] {
            for (long long i = 0; i < runs; ++i)
                once(*task, *function, input(i), second(i),
                     std::size_t(first + i) % results().images.size());
        };
        *graph = 0;
        if (runs > 1) {
            // Allocates what it needs and brings its tables to the device.
            once(*task, *function, input(0), second(0), 0);
            check(cudaStreamSynchronize(device().stream));
            const auto [captive, executable] = captured(all);
            if (executable) {
                // The first launch brings the graph to the device.
                check(cudaGraphLaunch(executable, device().stream));
                check(cudaStreamSynchronize(device().stream));
                *ms = betweenEvents([&] { check(cudaGraphLaunch(executable, device().stream)); }) /
                      runs;
                *graph = 1;
                (void)cudaGraphExecDestroy(executable);
            }
            if (captive) (void)cudaGraphDestroy(captive);
            if (executable) return 0;
        }
        *ms = betweenEvents(all) / runs;
        return 0;
    });
}

int fetch(const WarpscopePeerImage* output) {
    return guarded([&] {
        const Results& kept = results();
        if (kept.images.empty() || !sameShape(*output, kept.given)) return 1;
        const WarpscopePeerImage& from = kept.images[kept.last]->shape;
        std::vector<unsigned char> row(rowBytes(from));
        const int lead = kept.kind == Result::Integral ? 1 : 0;
        for (int y = 0; y < output->height; ++y) {
            const auto* source =
                static_cast<const unsigned char*>(from.data) + (y + lead) * from.pitch;
            auto* to = static_cast<unsigned char*>(output->data) + y * output->pitch;
            check(cudaMemcpy(row.data(), source, row.size(), cudaMemcpyDeviceToHost));
            if (areShorts(kept.kind)) {
                const auto* shorts = reinterpret_cast<const short*>(row.data());
                for (int x = 0; x < output->width; ++x) {
                    const int given = kept.kind == Result::NegativeHalves ? -shorts[x] : shorts[x];
                    const int level = kept.kind == Result::Shorts ? given : 128 + (given >> 1);
                    to[x] = (unsigned char)(std::clamp(level, 0, 255));
                }
                continue;
            }
            const int skipped = lead * from.channels * from.sample_bytes;
            std::memcpy(to, row.data() + skipped, rowBytes(*output));
        }
        return 0;
    });
}

int fetchCounts(unsigned long long* bins) {
    return guarded([&] {
        const Results& kept = results();
        if (kept.images.empty() || kept.kind != Result::Counts) return 1;
        int counts[256] = {};
        check(cudaMemcpy(counts, kept.images[kept.last]->shape.data, sizeof counts,
                         cudaMemcpyDeviceToHost));
        for (int i = 0; i < 256; ++i) bins[i] = (unsigned long long)(counts[i]);
        return 0;
    });
}

}  // namespace

Workspace::~Workspace() {
    (void)cudaFree(m_room.data);
    for (Block& block : m_constants) (void)cudaFree(block.data);
}

Npp8u* Workspace::room(std::size_t bytes) {
    if (m_room.bytes < bytes) {
        (void)cudaFree(m_room.data);
        m_room = {};
        check(cudaMalloc(&m_room.data, bytes));
        m_room.bytes = bytes;
    }
    return static_cast<Npp8u*>(m_room.data);
}

const void* Workspace::copied(const void* bytes, std::size_t count, int slot) {
    Block& block = m_constants[slot];
    const auto* from = static_cast<const unsigned char*>(bytes);
    if (block.data && block.contents.size() == count &&
        std::equal(block.contents.begin(), block.contents.end(), from))
        return block.data;
    (void)cudaFree(block.data);
    block = {};
    check(cudaMalloc(&block.data, count));
    check(cudaMemcpy(block.data, bytes, count, cudaMemcpyHostToDevice));
    block.contents.assign(from, from + count);
    return block.data;
}

}  // namespace warpscope::npp

// Null where there is no device.
extern "C" __attribute__((visibility("default"))) const WarpscopePeer* warpscope_peer() {
    using namespace warpscope::npp;
    try {
        static const WarpscopePeerGpu gpu{device().name.c_str(), device().cacheBytes, upload,
                                          release, timeRuns};
        static const WarpscopePeer peer{WARPSCOPE_PEER_VERSION,
                                        "npp",
                                        device().label.c_str(),
                                        supports,
                                        nullptr,
                                        fetch,
                                        fetchCounts,
                                        &gpu};
        return &peer;
    } catch (const std::exception&) {
        return nullptr;
    }
}
