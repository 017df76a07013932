// What the window asks the render worker for, and what comes back.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <variant>

#include "engine/image/pyramid.h"
#include "engine/image/region_shape.h"
#include "engine/image/statistics.h"
#include "engine/measure/roofline.h"
#include "engine/measure/timing.h"
#include "engine/pipeline/executor.h"

namespace warpscope {

// What of the image is on the screen.
struct Viewport {
    Rect visible;       // pixels of the source, clipped to it
    double zoom = 1.0;  // screen pixels (device pixels) per image pixel
};

using PyramidPtr = std::shared_ptr<const Pyramid>;

struct RenderRequest {
    std::uint64_t revision = 0;  // grows with every request
    PyramidPtr source;           // null: nothing to show
    PyramidPtr second;           // the other image that steps can name; null: none is open
    Pipeline pipeline;
    BackendChoice backend = BackendChoice::Auto;
    Viewport viewport;
    bool interactive = false;    // a slider is being dragged: draft of the visible part only
    bool draftFirst = false;     // before a result that comes as soon as the draft, too
    bool compare = true;         // time the steps on all backends when everything else is done
    bool timeHistogram = false;  // with `compare`: counting the result too, after the steps
    bool copyBandwidth = false;  // measure that too, once, when all is done
    // Histogram, analysis and timings limited to this part of the source; of results, to what was
    // made of it. An ellipse or a polygon is counted by the CPU, and timed as the box around it.
    std::optional<RegionShape> region;
    // An analysis other than the histogram, of the same images.
    std::optional<Step> analysis;
    // Compute this step on one thread and on that backend once more, and send both.
    struct StepOn {
        std::size_t stepIndex = 0;
        BackendKind backend = BackendKind::Cpu;
    };
    std::optional<StepOn> difference;
    bool stepHistograms = false;  // of what every step gives, once the histograms are there
};

// One pixel after every step; asked for beside the requests, and never in their way.
struct ProbeRequest {
    std::uint64_t number = 0;  // grows
    PyramidPtr source;         // has levels
    PyramidPtr second;         // may be null
    Pipeline pipeline;
    BackendChoice backend = BackendChoice::Auto;
    double x = 0, y = 0;  // in the source, the middle of a pixel
};

// How the result of a chain lies over its source.
struct ResultPlace {
    Size size;
    // From pixels of the result to those of the source.
    PixelMap sourceFromResult;

    friend bool operator==(const ResultPlace&, const ResultPlace&) = default;
};

// A picture of the visible part, computed on the reduced source; replaced by the exact one. Maps
// onto `rect` of the result.
struct DraftReady {
    std::uint64_t revision = 0;
    Image picture;
    ResultPlace place;
    Rect rect;           // pixels of the result that `picture` covers
    double scale = 1.0;  // picture pixels per image pixel
    bool exact = false;  // computed at full scale with nothing approximated
    std::vector<StepReport> steps;
    double ms = 0;
};

struct FullReady {
    std::uint64_t revision = 0;
    PyramidPtr result;
    ResultPlace place;
    std::vector<StepReport> steps;
    double ms = 0;  // the whole chain, from the source on the host to the result on the host
    std::vector<RunEvent> events;  // of that run, and the reduced copies that the screen needs
    std::int64_t begunNs = 0;      // steadyClock() at the start of the run
    bool again = false;            // sent before, not computed anew
};

// Where counts were made.
struct CountedOn {
    std::optional<BackendKind> backend;  // none: not counted yet
    std::string fallbackReason;          // why not where asked; empty if it was there
};

struct HistogramsReady {
    std::uint64_t revision = 0;
    HistogramSet source;
    HistogramSet result;
    CountedOn sourceOn;
    CountedOn resultOn;
    std::vector<ChannelStatistics> sourceStatistics;
    std::vector<ChannelStatistics> resultStatistics;
    // Nothing of the region is in the result: nothing was counted there, its figures are empty.
    bool regionOutside = false;
    // The chain failed: there is no result, its figures are empty.
    bool noResult = false;
};

// What RenderRequest::analysis found.
struct AnalysisReady {
    std::uint64_t revision = 0;
    Step analysis;
    AnalysisResult source;
    AnalysisResult result;
    CountedOn sourceOn;
    CountedOn resultOn;
    std::string problem;  // why there is nothing
};

// The bars of a picture of a few pixels.
inline constexpr int kStepHistogramBins = 64;

// What a step gives, counted as the request's histograms are.
struct StepHistogram {
    std::size_t stepIndex = 0;
    HistogramSet counts;  // of kStepHistogramBins
};
// Of all enabled steps that could be computed and have something of the region.
struct StepHistogramsReady {
    std::uint64_t revision = 0;
    std::vector<StepHistogram> steps;
};

// What steps found in what they are given: levels, of thresholds whose method is no fixed level,
// and how many objects there are, of connected components. Sent only where there is such a step.
struct ThresholdsReady {
    struct Found {
        std::size_t stepIndex = 0;
        Step step;  // as it was then
        double level =
            0;  // in samples of `input`: what is above is white; or the number of objects
        PixelFormat input = PixelFormat::Gray8;
    };
    std::uint64_t revision = 0;
    std::vector<Found> steps;
};

struct ProbeReady {
    std::uint64_t number = 0;
    struct Value {
        std::size_t stepIndex = 0;
        Image pixel;  // 1x1; null: the pixel is not in what this step gives
    };
    std::vector<Value> values;  // of the enabled steps that could be computed, in order
};

// TimingReady::stepIndex of what is no step: the histogram of the result.
inline constexpr std::size_t kAnalysisStep = std::size_t(-1);

// One row of the timing table; `last` comes with the final one of a request.
struct TimingReady {
    std::uint64_t revision = 0;
    std::size_t stepIndex = 0;
    StepTiming timing;
    bool last = false;
    bool ofPart = false;  // of the image, or of its region, which is large
};

// Two results of one step on the same input (and region) that ought to be the same.
struct DifferenceReady {
    std::uint64_t revision = 0;
    std::size_t stepIndex = 0;
    Image reference;  // one thread
    Image other;
    BackendKind backend = BackendKind::Cpu;  // where `other` was made
};

// How fast this machine copies its own memory, in GB/s (see timing_report.h); 0: not measurable.
struct CopyBandwidthReady {
    std::uint64_t revision = 0;
    double cpuSingle = 0;
    double cpu = 0;
    double gpu = 0;
    MachinePeaks peaks;  // of arithmetic
};

struct ProgressChanged {
    std::uint64_t revision = 0;
    double fraction = 0;  // 0 to 1
    std::string what;     // operation label or "Histogram", "Timings"
};

// What a request asks for, in the order of the work. Where one fails, those before it are there.
enum class RenderStage { Draft, Result, Histogram, Timings };

struct RenderFailed {
    std::uint64_t revision = 0;
    Error error;
    std::optional<std::size_t> stepIndex;  // in Pipeline::steps, where one step is to blame
    RenderStage stage = RenderStage::Result;
};

// Backends are ready (they are created on the worker thread).
struct BackendsReady {
    BackendSet backends;
};

struct Idle {
    std::uint64_t revision = 0;
};

using RenderEvent =
    std::variant<DraftReady, FullReady, HistogramsReady, AnalysisReady, TimingReady,
                 DifferenceReady, CopyBandwidthReady, ProgressChanged, RenderFailed, BackendsReady,
                 Idle, StepHistogramsReady, ProbeReady, ThresholdsReady>;
using RenderEventSink = std::function<void(RenderEvent)>;

}  // namespace warpscope
