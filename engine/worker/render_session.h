// What the worker does with one request, and what it remembers between requests. Lives on the
// worker's thread.
#pragma once

#include <functional>
#include <map>
#include <optional>

#include "engine/worker/draft_plan.h"
#include "engine/worker/progress_reporter.h"
#include "engine/worker/request_slot.h"

namespace warpscope {

class RenderSession {
  public:
    // `slot` and `sink` are borrowed.
    RenderSession(BackendSet backends, std::uint64_t memoryBudgetBytes, RequestSlot& slot,
                  const RenderEventSink& sink);

    void setMemoryBudget(std::uint64_t bytes) { m_executor.setMemoryBudget(bytes); }

    // Draft, full result, histograms and timings, as the request asks; returns early when it is
    // superseded, cancelled or failed (RenderFailed was sent then).
    // A step that cannot be planned for what it is given is passed over, and its report says so;
    // where the chain fails the source's figures still come.
    void process(const RenderRequest& request);
    // The pixel after every step; nothing is sent when it is stopped.
    void probe(const ProbeRequest& request, std::stop_token stop);
    // Lets go of everything that can be made again.
    void forgetAll();

  private:
    struct Analysis {
        HistogramSet histograms;
        CountedOn countedOn;
        std::vector<ChannelStatistics> statistics;
    };
    struct KnownAnalysis {
        std::uint64_t image = 0;
        std::optional<RegionShape> region;
        Analysis analysis;
    };
    struct Figures {
        AnalysisResult found;
        CountedOn countedOn;
    };
    struct KnownFigures {
        std::uint64_t image = 0;
        std::optional<RegionShape> region;
        Step analysis;
        BackendChoice backend = BackendChoice::Auto;
        Figures figures;
    };
    struct KnownStep {
        std::uint64_t second = 0;
        Pipeline chain;  // up to this step
        BackendChoice backend = BackendChoice::Auto;
        std::optional<RegionShape> region;
        HistogramSet counts;  // empty: nothing of the region is there
    };
    struct KnownThreshold {
        std::uint64_t second = 0;
        Pipeline chain;  // up to this step
        BackendChoice backend = BackendChoice::Auto;
        ThresholdsReady::Found found;
    };
    struct KnownTables {
        std::uint64_t source = 0;
        std::uint64_t second = 0;
        // Where what comes before was computed: results may differ by a level.
        bool onCpu = true;
        Pipeline chain;  // up to this step
        PlanPtr plan;    // of takeTables()
    };
    struct Finished {
        std::uint64_t source = 0;
        std::uint64_t second = 0;
        Pipeline pipeline;
        BackendChoice backend = BackendChoice::Auto;
        FullReady full;
    };
    struct Crop {
        std::uint64_t level = 0;  // id of the level's image
        Rect rect;
        Image image;
    };

    void keepWhatIsEdited(const RenderRequest& request);
    static std::uint64_t idOf(const PyramidPtr& image);  // 0: there is none
    static ExecuteRequest fullRequest(const RenderRequest& request);
    static ChainShape fullShape(const RenderRequest& request);
    // What is left of the request's pipeline without the steps of m_passedOver.
    RenderRequest withoutBroken(const RenderRequest& request);
    void tellPassedOver(std::vector<StepReport>& reports) const;
    void sourceFigures(const RenderRequest& request, const RunContext& context,
                       ProgressReporter& progress);
    // Each returns false when the request is at its end.
    bool draft(const RenderRequest& request, ProgressReporter& progress);
    // The full result. Of a large image what was shown before is given up first, and on the CPU
    // nothing is kept of what lies between the steps.
    Result<ExecuteResult> fullRun(const RenderRequest& request, const RunContext& context);
    // Any chain, with as little between its steps.
    Result<ExecuteResult> chainRun(const RenderRequest& request, Recording recording,
                                   const RunContext& context);
    bool full(const RenderRequest& request, const RunContext& context, ProgressReporter& progress);
    bool histograms(const RenderRequest& request, const RunContext& context,
                    ProgressReporter& progress);
    bool analysis(const RenderRequest& request, const RunContext& context,
                  ProgressReporter& progress);
    void measure(const RenderRequest& request, ProgressReporter& progress);
    bool timings(const RenderRequest& request, const RunContext& context,
                 ProgressReporter& progress);
    bool stepHistograms(const RenderRequest& request, const RunContext& context);
    bool thresholds(const RenderRequest& request, const RunContext& context);
    Result<ThresholdsReady::Found> thresholdAt(std::size_t index, const RenderRequest& request,
                                               const RunContext& context);
    Result<ThresholdsReady::Found> objectsAt(std::size_t index, const RenderRequest& request,
                                             const RunContext& context);
    Result<HistogramSet> countsAfter(const Pipeline& chain, const RenderRequest& request,
                                     const RunContext& context);
    bool difference(const RenderRequest& request, const RunContext& context);
    void copyBandwidth(const RenderRequest& request, const RunContext& context);

    static bool isLargeWork(const RenderRequest& request, const ChainShape& shape);
    bool runsOnCpu(const RenderRequest& request) const;
    bool sparesMemory(const RenderRequest& request, const ChainShape& shape) const;
    // What the outputs of steps may take, by the whole of a request.
    void limitOutputs(const RenderRequest& request, const ChainShape& shape);
    // Keeps tables of what the request asks for.
    void forgetOtherTables(const RenderRequest& request);
    // What these rows of the result are made of; its source is null where they are made of nothing.
    static ExecuteRequest partOf(const ExecuteRequest& whole, const ChainShape& shape,
                                 const Rect& rows);
    // Errors: Unsupported where a band is not a part of the whole, and any of a run.
    Result<void> forEachBand(
        const ExecuteRequest& whole, const ChainShape& shape, int bands, const RunContext& context,
        const std::function<Result<void>(const Rect& rows, ExecuteResult& band)>& visit);
    // By steps' indices in the request's pipeline.
    struct Tables {
        std::map<std::size_t, PlanPtr> plans;
        std::map<std::size_t, double> ms;  // of those that were made now, without their inputs
        double totalMs = 0;
        // Of the progress that is told: those and what is done with them.
        std::size_t parts = 1;
    };
    // What the steps of a chain that have tables take from all of their inputs, which are made one
    // after the other and let go. Errors: Unsupported (what comes before takes long), and any of a
    // run.
    Result<Tables> tablesFor(const RenderRequest& request, const ChainShape& shape,
                             const RunContext& context);
    // With tablesFor().
    Result<ExecuteResult> inBands(const RenderRequest& request, const ExecuteRequest& whole,
                                  const ChainShape& shape, int bands, const RunContext& context);
    Result<ExecuteResult> inBands(const ExecuteRequest& whole, const ChainShape& shape, int bands,
                                  const RunContext& context);
    struct Counted {
        HistogramSet counts;
        double whiteLevel = 0;
    };
    // Of the request's chain, without its result; nothing where that cannot be, or need not.
    Result<std::optional<Counted>> countedInBands(const RenderRequest& request,
                                                  const RunContext& context);
    // What the timings of a large image are taken on, and whether that is less than was asked for;
    // nothing: of all of it.
    struct TimedPart {
        ExecuteRequest request;
        bool isLess = true;  // not: the whole region
    };
    static std::optional<TimedPart> timedPart(const RenderRequest& request);

    bool draftFirst(const RenderRequest& request) const;
    bool alreadyFinished(const RenderRequest& request) const;
    // What a region of the source became in an image that lies over it.
    static std::optional<RegionShape> regionIn(const PixelMap& sourceFromImage,
                                               const std::optional<RegionShape>& region);
    // To the box around the region.
    static Image limitedTo(const Image& image, const std::optional<RegionShape>& region);
    // Whether no pixel of the image is in it.
    static bool isOutside(const Image& image, const std::optional<RegionShape>& region);
    Result<AnalyzeResult> histogramIn(const Image& image, const std::optional<RegionShape>& region,
                                      BackendChoice backend, const RunContext& context);
    // A step's input limited to what the request's region became, with a plan for that part.
    static Result<StepInput> limited(StepInput input, const RenderRequest& request,
                                     const ChainShape& shape);
    Image cropFor(const Image& level, const DraftPlan& plan);
    // `region` in pixels of the image.
    Result<AnalyzeResult> analyseShape(const Plan& plan, const Image& part, const RegionRows& rows,
                                       BackendChoice choice, const RunContext& context) const;
    Result<Analysis> analyse(const Image& image, const std::optional<RegionShape>& region,
                             BackendChoice backend, const RunContext& context,
                             std::optional<KnownAnalysis>& known);
    Result<Figures> figuresOf(const Image& image, const std::optional<RegionShape>& region,
                              const RenderRequest& request, const RunContext& context,
                              std::optional<KnownFigures>& known);
    void learnSpeed(const RenderRequest& request, const ExecuteResult& result);
    DraftPace paceFor(const RenderRequest& request) const;
    void learnPace(const RenderRequest& request, const DraftPlan& plan,
                   const ExecuteResult& result);
    // Always false.
    bool failed(const RenderRequest& request, RenderStage stage, const Error& error);

    Executor m_executor;
    RequestSlot& m_slot;
    const RenderEventSink& m_sink;

    std::uint64_t m_sourceId = 0;
    Pipeline m_lastPipeline;
    std::uint32_t m_editedDepth = 0;  // enabled steps before the one that was changed last
    Crop m_crop;
    std::optional<Finished> m_finished;
    std::optional<KnownAnalysis> m_sourceAnalysis;
    std::optional<KnownAnalysis> m_resultAnalysis;
    std::optional<KnownFigures> m_sourceFigures;
    std::optional<KnownFigures> m_resultFigures;
    // How long the last full run of these steps took, for knowing whether a draft is worth while.
    std::optional<RequestStructure> m_timedStructure;
    double m_msPerMegapixel = 0;
    struct DraftSpeed {
        RequestStructure structure;
        double msPerGuess = 1;
        int level = 0;
    };
    std::optional<DraftSpeed> m_draftPace;          // of the last draft
    std::vector<KnownStep> m_knownSteps;            // of the last request that asked for them
    std::vector<KnownThreshold> m_knownThresholds;  // of the last request with such steps
    std::vector<KnownTables> m_knownTables;         // one for a step
    bool m_copyMeasured = false;
    std::vector<ChainShape::Failure> m_passedOver;  // of the present request
};

}  // namespace warpscope
