// What an executor is asked for and what it reports.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/backend/backend_set.h"
#include "engine/image/placement.h"
#include "engine/pipeline/pipeline.h"

namespace warpscope {

// What happened to one enabled step.
struct StepReport {
    std::size_t stepIndex = 0;           // in Pipeline::steps
    std::optional<BackendKind> backend;  // where it ran
    std::string fallbackReason;          // why not where asked; empty if it did
    std::vector<std::string> notices;    // "alpha dropped"
    // Why the step was passed over, its input handed on: its second input is missing or does not
    // fit, or it cannot be planned for what it is given. Only where the rest of the chain is wanted
    // then.
    std::string problem;
    PixelFormat input = PixelFormat::Gray8;  // format that the step was given
    PixelFormat output = PixelFormat::Gray8;
    bool fromCache = false;
    double ms = 0;  // of this run: CPU wall time, CUDA kernels; 0 from the cache
    // The later step with which it ran as one table, whose `ms` is that of all: index in
    // Pipeline::steps. Only in runs without cache.
    std::optional<std::size_t> fusedInto = {};
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
    // The other image, which steps can name as their second input. May be null.
    Image second;
    // Drafts: where `source` and `second` lie in the images that the person sees. Parameters in
    // pixels are multiplied by the scale, which is the same for both. Nothing: they are those
    // images.
    std::optional<Placement> place = {};
    std::optional<Placement> secondPlace = {};
    // Drafts: the whole images, reduced by wholeScale, from which steps that depend on all pixels
    // take their statistics. Null: from source.
    Image whole;
    Image wholeSecond;
    double wholeScale = 1.0;  // sides of `whole` over those of the full image
    // Plans of Operation::takeTables(), by their steps' indices in Pipeline::steps: tables are
    // theirs, not the source's. Where `source` is a part that no other run is given, since what is
    // kept of steps is known by the image.
    std::map<std::size_t, PlanPtr> tables = {};
    // A step whose second input is missing or of another size is passed over, and its report says
    // so. Else it is an error.
    bool skipBrokenSteps = false;
    bool useCache = true;
    // Of a GPU's work: Kernels fills RunEvent::kernels, at the cost of events around each of them.
    Recording recording = Recording::Operations;
};

struct ExecuteResult {
    Image image;
    Placement place;                // of the image in the chain's full result
    std::vector<StepReport> steps;  // enabled ones, in order
    double totalMs = 0;             // wall time, transfers included
    std::vector<RunEvent> events;   // in the order of their start; steps from the cache have none
};

// The input of step i, for timing views: what the chain before it gives. Steps that are passed over
// have none.
struct StepInput {
    Image image;
    Image second;  // null unless the plan takes it
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
