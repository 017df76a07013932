// Where operations run. The engine knows this interface and CpuBackend; the program injects
// CudaBackend (cuda_kernels/runtime/cuda_backend.h).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/base/row_bands.h"
#include "engine/image/image.h"
#include "engine/operations/operation.h"

namespace warpscope {

enum class BackendKind { CpuSingle, Cpu, Cuda };

// "cpu-single", "cpu", "cuda": ids in files and on the command line.
std::string_view backendId(BackendKind kind);
std::optional<BackendKind> backendFromId(std::string_view id);

struct BackendInfo {
    BackendKind kind = BackendKind::Cpu;
    std::string label;   // "CPU, 16 threads", "NVIDIA H100 80GB HBM3"
    std::string device;  // processor or GPU name
    int threads = 0;     // CPU only
    std::string detail;  // instruction set, or driver and compute capability
    // Of a GPU alone: "580.159.04 (CUDA 13.0)", and the CUDA version of the program.
    std::string driver;
    std::string toolkit;
    std::string uuid;  // "GPU-..."
};

enum class SpanKind { Upload, Kernel, Download };

// What a backend keeps of the time that its work takes. Measurements ask for operations: events
// around each kernel would be measured with them.
enum class Recording { Off, Operations, Kernels };

// Launches of one kernel that followed each other within an operation on a GPU.
struct KernelLaunches {
    std::string name;    // as the code names the kernel; empty: the rest, not told apart any more
    double startMs = 0;  // of the first, on the scale of what it is part of
    double ms = 0;       // to the end of the last
    int launches = 1;
};

// One measured piece of work of a backend. GPU spans are between device events, CPU spans are wall
// time.
struct Span {
    SpanKind kind = SpanKind::Kernel;
    std::string label;   // operation id, "upload", "download"
    double startMs = 0;  // since the first span of this recording
    double ms = 0;
    std::uint64_t bytes = 0;  // uploads and downloads: bytes copied
    // Recording::Kernels on a GPU: what lies within `ms`, oldest first. Nothing to add to it.
    std::vector<KernelLaunches> kernels = {};
};

struct RunContext {
    std::stop_token stop;
    ProgressSink progress;
};

// An image on a backend. Immutable once run() or upload() has returned it; shared by the step
// cache. Belongs to one backend.
class Buffer {
  public:
    virtual ~Buffer() = default;
    virtual PixelFormat format() const = 0;
    virtual Size size() const = 0;
    virtual std::uint64_t byteCount() const = 0;  // memory it holds on its backend
    // The image that it came from or was derived from: carries ImageInfo to the download.
    virtual const ImageInfo& info() const = 0;
};
using BufferPtr = std::shared_ptr<const Buffer>;

// What a step works on. The second one is null unless the plan takes it.
struct StepBuffers {
    BufferPtr first;
    BufferPtr second;

    StepBuffers(std::nullptr_t = nullptr) {}
    template <class B>
    StepBuffers(std::shared_ptr<B> one, BufferPtr other = nullptr)
        : first(std::move(one)), second(std::move(other)) {}
};

// Multiplications and additions in a second, 1e9 of them, where nothing waits for memory.
struct ArithmeticPeak {
    // 32-bit float.
    double floatGops = 0;
    // 16-bit samples into 32-bit sums. 0: not measured, as on a GPU.
    double integerGops = 0;
};

struct RepeatedRuns {
    double msPerRun = 0;
    bool graph = false;  // one graph of all runs; else queued one by one
};

// One object is used by one thread at a time (the render worker's, or the command line's). Nothing
// throws across this interface.
class Backend {
  public:
    virtual ~Backend() = default;
    virtual const BackendInfo& info() const = 0;

    // Whether run() can do this plan. Errors: Unsupported with the reason, DeviceFault once the
    // device has failed for good.
    virtual Result<void> supports(const Plan& plan) const = 0;

    virtual Result<BufferPtr> upload(const Image& image, const RunContext& context) = 0;

    // Queues or does one filter step. GPU: returns before the kernels have finished; faults may
    // surface in a later call. Errors: Cancelled, OutOfMemory, DeviceFault, Unsupported.
    virtual Result<BufferPtr> run(const Plan& plan, const StepBuffers& input,
                                  const RunContext& context) = 0;

    // Does one analysis and waits for its result. Errors as run().
    virtual Result<AnalysisResult> analyze(const Plan& plan, const StepBuffers& input,
                                           const RunContext& context) = 0;

    virtual Result<Image> download(const BufferPtr& buffer, const RunContext& context) = 0;

    // Waits for everything queued. Errors: DeviceFault.
    virtual Result<void> synchronize() = 0;

    // Spans since the last call, oldest first, one for each operation, upload and download; waits
    // for queued work first. Recording is off until setRecording(), because events cost a little.
    // Backends without kernels record operations alone.
    virtual void setRecording(Recording recording) = 0;
    virtual Result<std::vector<Span>> takeSpans() = 0;

    // Bytes the backend may still give to buffers, 0 if unknown; the executor keeps its cache under
    // it.
    virtual std::uint64_t memoryAvailable() const = 0;

    // Gives pooled memory back to the system or device.
    virtual void trim() {}

    // Cache that inputs must outgrow to be cold: last level of the CPU, L2 of the GPU. 0: not
    // known.
    virtual std::uint64_t cacheBytes() const { return 0; }

    // Device time of copying `bytes` within the backend's own memory, once for each repetition.
    // Errors: Unsupported where the backend has no clock of its own (the CPU), OutOfMemory,
    // Cancelled, DeviceFault.
    virtual Result<std::vector<double>> copyMs(std::uint64_t bytes, int repetitions,
                                               const RunContext& context);

    // Measured on the spot, in well under a second. A GPU: its plain instructions; tensor units do
    // more. Errors: Unsupported where the backend has no way to, Cancelled, DeviceFault.
    virtual Result<ArithmeticPeak> arithmeticPeak(const RunContext& context);

    // Device time of one of `runs` runs of a plan between one pair of events, inputs in turn from
    // number `first` on; results are dropped. For kernels so short that a pair of events around
    // each would be measured with them. Errors: Unsupported where the backend cannot, else as
    // run().
    virtual Result<RepeatedRuns> timeRepeated(const Plan& plan,
                                              const std::vector<StepBuffers>& inputs,
                                              std::size_t first, int runs,
                                              const RunContext& context);
};
using BackendPtr = std::shared_ptr<Backend>;

}  // namespace warpscope
