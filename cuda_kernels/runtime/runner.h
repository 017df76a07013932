// How an operation runs on CUDA. cuda_kernels/<folder>/<stem>.cu consumes the plan of
// engine/operations/<folder>/<stem>.h and ends with WARPSCOPE_CUDA_RUNNER(<stem>, ...); the list is
// made from engine/operations/operations.cmake.
#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

#include "cuda_kernels/runtime/device_context.h"
#include "cuda_kernels/runtime/span_recorder.h"
#include "engine/operations/operation.h"

namespace warpscope::cuda {

// One run of one plan: where launches go, how they are kept short, whether to go on.
class KernelContext {
  public:
    KernelContext(DeviceContext& device, const RunContext& run) : m_device(device), m_run(run) {}

    DeviceContext& device() { return m_device; }
    const DeviceTraits& traits() const { return m_device.traits(); }
    cudaStream_t stream() const { return m_device.stream(); }
    DeviceMemory allocate(std::size_t bytes) { return DeviceMemory(m_device.pool(), bytes); }

    // Launches from here on go into `span`, which must outlive them.
    void recordLaunches(SpanRecorder::Scope& span) { m_span = &span; }
    // What launch() calls around a launch. Throw CudaFailure.
    void beginLaunch(const char* name) {
        if (m_span) m_span->beginLaunch(name);
    }
    void endLaunch() {
        if (m_span) m_span->endLaunch();
    }

    // Throws Stopped when somebody asked to stop.
    void checkStop() const;

    // Rows so that one launch moves at most about `bytesPerRow` times that many bytes and does
    // `multiplicationsPerRow` times that many multiplications in well under 50 ms even on the
    // slowest supported device, and so that a launch's bytes are counted in 31 bits. At least 1.
    int rowsPerLaunch(std::int64_t bytesPerRow, std::int64_t multiplicationsPerRow) const;

    // Calls launchBand(first, last) for bands of rows that cover [0, rows). Looks at the stop token
    // between bands and keeps at most two of them queued, so that a stop takes effect soon.
    template <class LaunchBand>
    void forEachBand(int rows, int rowsPerBand, LaunchBand&& launchBand) {
        for (int first = 0; first < rows;) {
            const int last = rows - first > rowsPerBand ? first + rowsPerBand : rows;
            checkStop();
            launchBand(first, last);
            if (rows > rowsPerBand) pace();
            if (m_run.progress) m_run.progress(double(last) / double(rows));
            first = last;
        }
    }

  private:
    void pace();

    DeviceContext& m_device;
    const RunContext& m_run;
    SpanRecorder::Scope* m_span = nullptr;
    Event m_pace[2];
    unsigned m_paced = 0;
};

struct CudaRunner {
    const char* operation = "";

    // Filters: queues the work; `out` has plan.output and plan.outputSize. Throws CudaFailure,
    // Stopped.
    void (*run)(KernelContext& context, const Plan& plan, const DeviceImage& in,
                const DeviceImage& out) = nullptr;
    // Instead of `run`, where the plan takes a second image of the format and size of the first.
    void (*runOnTwo)(KernelContext& context, const Plan& plan, const DeviceImage& in,
                     const DeviceImage& second, const DeviceImage& out) = nullptr;

    // Analyses: queues the work; `words` (device memory) has plan.resultWords words, in the order
    // that Operation::resultFrom takes.
    void (*analyze)(KernelContext& context, const Plan& plan, const DeviceImage& in,
                    unsigned long long* words) = nullptr;

    // Whether analyze() of this plan writes each of the words once and reads none: they may then
    // lie in page-locked memory of the host, too, and need no copy. Null: no.
    bool (*writesWordsOnce)(const Plan& plan) = nullptr;

    // Whether there are kernels for this plan; Unsupported with the reason otherwise. Null: for
    // samples of 8 and 16 bits, and of filters for all floats that they take.
    Result<void> (*supports)(const Plan& plan) = nullptr;

    // Parameters that together reach every kernel of the operation: launched once when a backend is
    // made, because the first launch of a kernel loads it. Null: the defaults, and every other
    // choice of the parameters that have choices.
    std::vector<ParamSet> (*warmUps)() = nullptr;

    // Loads kernels that only large images reach. May be null. Throws CudaFailure.
    void (*loadKernels)() = nullptr;

    // The published variants have the same kernels for all parameters: the first warm-up reaches
    // them, and the others, which may take thousands of launches, are for `automatic` alone.
    bool variantsNeedOneWarmUp = false;

    bool givesImage() const { return run || runOnTwo; }
};

// The line that makes an operation known, with the members of its CudaRunner by their names.
#define WARPSCOPE_CUDA_RUNNER(stem, ...)       \
    extern const CudaRunner cudaRunner_##stem; \
    const CudaRunner cudaRunner_##stem {       \
        .operation = #stem, __VA_ARGS__        \
    }

const std::vector<const CudaRunner*>& allRunners();
const CudaRunner* findRunner(std::string_view operation);  // null if there is none

// Of the plan's operation.
std::string nameOf(const Plan& plan);
// The runner of a plan. Errors: Unsupported where there is none, or none for this plan.
Result<const CudaRunner*> runnerFor(const Plan& plan);

// What runner.supports and runner.warmUps say, or what holds where they are null.
Result<void> canRun(const CudaRunner& runner, const Plan& plan);
std::vector<ParamSet> warmUpsOf(const CudaRunner& runner, const OperationDescription& description);

}  // namespace warpscope::cuda
