// Walks a pipeline on a backend: step cache, cancellation, conversion and fall-back policy. The
// only place where these decisions are made.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/backend/backend_set.h"
#include "engine/pipeline/pipeline.h"

namespace warpscope {

// What happened to one enabled step.
struct StepReport {
    std::size_t stepIndex = 0;               // in Pipeline::steps
    std::optional<BackendKind> backend;      // where it ran
    std::string fallbackReason;              // why not where asked; empty if it did
    std::vector<std::string> notices;        // "converted to 8 bits for this step", "alpha dropped"
    PixelFormat input = PixelFormat::Gray8;  // format that the step was given
    PixelFormat output = PixelFormat::Gray8;
    bool fromCache = false;
    double ms = 0;  // of this run: CPU wall time, CUDA kernels; 0 from the cache
};

// One piece of work of a run, for showing where its time went. CPU work is wall time; work of a GPU
// lies between device events, and its start is counted from when the first of it was queued.
struct RunEvent {
    enum class Kind { Upload, Compute, Download, Convert, Reduce };
    Kind kind = Kind::Compute;
    std::string label;                // operation id of Compute, else empty
    std::optional<std::size_t> step;  // in Pipeline::steps, where it belongs to one
    BackendKind backend = BackendKind::Cpu;
    double startMs = 0;  // since the run began
    double ms = 0;
    // Compute on a GPU where the request asked for them: what lies within `ms`, starts since the
    // run began too.
    std::vector<KernelLaunches> kernels = {};
};

struct ExecuteRequest {
    Image source;
    Pipeline pipeline;  // checked
    BackendChoice backend = BackendChoice::Auto;
    // Drafts: parameters in pixels are multiplied by this; `source` is then a reduced and cropped
    // image.
    double spatialScale = 1.0;
    // Drafts: the whole image, reduced by wholeScale, from which steps that depend on all pixels
    // take their statistics. Null: from source.
    Image whole;
    double wholeScale = 1.0;  // sides of `whole` over those of the full image
    // Drafts: which part of the full image `source` is, in pixels of the full image, and how large
    // that is. Empty: source is the full image.
    Rect window;
    Size fullSize;
    bool useCache = true;
    // Of a GPU's work: Kernels fills RunEvent::kernels, at the cost of events around each of them.
    Recording recording = Recording::Operations;
};

struct ExecuteResult {
    Image image;
    std::vector<StepReport> steps;  // enabled ones, in order
    double totalMs = 0;             // wall time, transfers included
    std::vector<RunEvent> events;   // in the order of their start; steps from the cache have none
};

// The input of step i, for timing views: what the chain before it gives.
struct StepInput {
    Image image;
    PlanPtr plan;
    ParamSet parameters;
    std::size_t stepIndex = 0;
};

// What an analysis found, and where.
struct AnalyzeResult {
    AnalysisResult found;
    BackendKind backend = BackendKind::Cpu;
    std::string fallbackReason;  // why not where asked; empty if it was there
};

class Executor {
  public:
    // `memoryBudgetBytes` bounds what the step cache keeps on each backend.
    Executor(BackendSet backends, std::uint64_t memoryBudgetBytes);
    ~Executor();
    Executor(const Executor&) = delete;
    Executor& operator=(const Executor&) = delete;

    const BackendSet& backends() const;
    void setMemoryBudget(std::uint64_t bytes);
    std::uint64_t cachedBytes() const;
    void clearCache();
    // Drops what was made from this image, as `source` or as `whole`.
    void forgetImage(std::uint64_t imageId);

    // Resumes after the last cached step. Falls back to all cores when the GPU is missing, does not
    // support a step, has no memory or fails, and says so in the reports; after a DeviceFault the
    // GPU is not used again. Errors: Cancelled, OutOfMemory, Unsupported (no backend can do a
    // step), naming the step.
    Result<ExecuteResult> run(const ExecuteRequest& request, const RunContext& context);

    // The inputs of all enabled steps (cached where they are), for measureStep. Errors as run().
    Result<std::vector<StepInput>> stepInputs(const ExecuteRequest& request,
                                              const RunContext& context);

    // Does one analysis of an image, with the same fall-back as run().
    // Errors as run().
    Result<AnalyzeResult> analyze(const Image& image, const PlanPtr& plan, BackendChoice backend,
                                  const RunContext& context);
    // The same for all channels, without the details.
    Result<HistogramSet> histogram(const Image& image, BackendChoice backend,
                                   const RunContext& context);

    // Index in Pipeline::steps of the step at which the last run() or stepInputs() failed; nothing
    // if it did not fail, or not at a step.
    std::optional<std::size_t> failedStep() const;

    // Input pixels beyond an output pixel that the whole chain reads, with spatial parameters
    // scaled.
    static int totalHalo(const Pipeline& pipeline, double spatialScale);

  private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

// The default memory budget: a quarter of the machine's memory, at most 8 GiB.
std::uint64_t defaultMemoryBudget();

}  // namespace warpscope
