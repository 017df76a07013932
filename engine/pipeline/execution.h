// What an executor is asked for and what it reports.
#pragma once

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

}  // namespace warpscope
