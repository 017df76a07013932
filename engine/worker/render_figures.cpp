// What is read off the source and the result of a request: histograms, statistics, an analysis.
#include <utility>

#include "engine/operations/analysis/histogram.h"
#include "engine/operations/analysis/statistics.h"
#include "engine/operations/registry.h"
#include "engine/pipeline/operation_choice.h"
#include "engine/worker/render_session.h"

namespace warpscope {
namespace {

Rect boxIn(const Image& image, const RegionShape& region) {
    return intersect(region.box(), {0, 0, image.width(), image.height()});
}

// The pixels of a region that is no rectangle, in the part of the image around it.
std::optional<RegionRows> rowsIn(const Image& image, const std::optional<RegionShape>& region,
                                 const RunContext& context) {
    if (!region || region->isRectangle() || boxIn(image, *region).empty()) return std::nullopt;
    return RegionRows(*region, boxIn(image, *region), context.stop);
}

}  // namespace

bool RenderSession::isOutside(const Image& image, const std::optional<RegionShape>& region) {
    if (!region) return false;
    const Rect inside = boxIn(image, *region);
    return inside.empty() || !holdsPixels(*region, inside);
}

std::optional<RegionShape> RenderSession::regionIn(const PixelMap& sourceFromImage,
                                                   const std::optional<RegionShape>& region) {
    if (!region) return region;
    return mapped(inverse(sourceFromImage), *region);
}

Image RenderSession::limitedTo(const Image& image, const std::optional<RegionShape>& region) {
    if (!region) return image;
    const Rect inside = boxIn(image, *region);
    return inside.empty() ? image : image.crop(inside);
}

Result<AnalyzeResult> RenderSession::analyseShape(const Plan& plan, const Image& part,
                                                  const RegionRows& rows, BackendChoice choice,
                                                  const RunContext& context) const {
    // The rows are not all there then.
    if (context.stop.stop_requested()) return cancelled();
    const bool single = choice == BackendChoice::CpuSingle;
    auto found = analyzeRows(
        plan, part, rows,
        {single ? Threading::Single : Threading::AllCores, context.stop, context.progress});
    if (!found) return fail(found.error());
    return AnalyzeResult{
        std::move(*found), single ? BackendKind::CpuSingle : BackendKind::Cpu,
        choice == BackendChoice::Cuda ? "only rectangles are counted by the GPU" : ""};
}

Result<AnalyzeResult> RenderSession::histogramIn(const Image& image,
                                                 const std::optional<RegionShape>& region,
                                                 BackendChoice backend, const RunContext& context) {
    const Image part = limitedTo(image, region);
    const auto plan = planHistogram(ChannelSet::all(), part.format(), part.size());
    if (!plan) return fail(plan.error());
    const auto rows = rowsIn(image, region, context);
    return rows ? analyseShape(**plan, part, *rows, backend, context)
                : m_executor.analyze(part, *plan, backend, context);
}

Result<RenderSession::Analysis> RenderSession::analyse(const Image& image,
                                                       const std::optional<RegionShape>& region,
                                                       BackendChoice backend,
                                                       const RunContext& context,
                                                       std::optional<KnownAnalysis>& known) {
    if (known && known->image == image.id() && known->region == region) return known->analysis;
    const Image part = limitedTo(image, region);
    const auto rows = rowsIn(image, region, context);
    auto counted = histogramIn(image, region, backend, context);
    if (!counted) return fail(counted.error());
    if (context.stop.stop_requested()) return cancelled();
    auto statistics = computeStatistics(part, {Threading::AllCores, context.stop, context.progress},
                                        rows ? &*rows : nullptr);
    if (!statistics) return fail(statistics.error());
    known = KnownAnalysis{image.id(),
                          region,
                          {std::get<HistogramSet>(std::move(counted->found)),
                           {std::move(counted->backend), std::move(counted->fallbackReason)},
                           std::move(*statistics)}};
    return known->analysis;
}

bool RenderSession::histograms(const RenderRequest& request, const RunContext& context,
                               ProgressReporter& progress) {
    progress.begin({"Histogram"});
    const Image& source = request.source->levels.front();
    const Image& result = m_finished->full.result->levels.front();
    auto before = analyse(source, request.region, request.backend, context, m_sourceAnalysis);
    if (!before) return failed(request, RenderStage::Histogram, before.error());
    const auto part = regionIn(m_finished->full.place.sourceFromResult, request.region);
    if (isOutside(result, part)) {
        HistogramsReady ready;
        ready.revision = request.revision;
        ready.source = std::move(before->histograms);
        ready.sourceOn = std::move(before->countedOn);
        ready.sourceStatistics = std::move(before->statistics);
        ready.regionOutside = true;
        m_sink(std::move(ready));
        return true;
    }
    auto after = result.id() == source.id()
                     ? before
                     : analyse(result, part, request.backend, context, m_resultAnalysis);
    if (!after) return failed(request, RenderStage::Histogram, after.error());
    m_sink(HistogramsReady{request.revision, std::move(before->histograms),
                           std::move(after->histograms), std::move(before->countedOn),
                           std::move(after->countedOn), std::move(before->statistics),
                           std::move(after->statistics)});
    return true;
}

void RenderSession::sourceFigures(const RenderRequest& request, const RunContext& context,
                                  ProgressReporter& progress) {
    progress.begin({"Histogram"});
    auto counted = analyse(request.source->levels.front(), request.region, request.backend, context,
                           m_sourceAnalysis);
    // Why the chain failed is said already.
    if (!counted) return;
    HistogramsReady ready;
    ready.revision = request.revision;
    ready.source = std::move(counted->histograms);
    ready.sourceOn = std::move(counted->countedOn);
    ready.sourceStatistics = std::move(counted->statistics);
    ready.noResult = true;
    m_sink(std::move(ready));
}

Result<RenderSession::Figures> RenderSession::figuresOf(const Image& image,
                                                        const std::optional<RegionShape>& region,
                                                        const RenderRequest& request,
                                                        const RunContext& context,
                                                        std::optional<KnownFigures>& known) {
    const Step& analysis = *request.analysis;
    if (known && known->image == image.id() && known->region == region &&
        known->analysis == analysis && known->backend == request.backend)
        return known->figures;
    const Image part = limitedTo(image, region);
    PlanRequest wanted;
    wanted.parameters = analysis.parameters;
    wanted.variant = analysis.variant;
    wanted.format = part.format();
    wanted.size = part.size();
    const auto plan = findOperation(analysis.operation)->plan(wanted);
    if (!plan) return fail(plan.error());
    const auto rows = rowsIn(image, region, context);
    auto done = rows ? analyseShape(**plan, part, *rows, request.backend, context)
                     : m_executor.analyze(part, *plan, request.backend, context);
    if (!done) return fail(done.error());
    known =
        KnownFigures{image.id(),
                     region,
                     analysis,
                     request.backend,
                     {std::move(done->found), {done->backend, std::move(done->fallbackReason)}}};
    return known->figures;
}

// What it cannot do is said beside its name; the rest of the request goes on.
bool RenderSession::analysis(const RenderRequest& request, const RunContext& context,
                             ProgressReporter& progress) {
    AnalysisReady ready;
    ready.revision = request.revision;
    ready.analysis = *request.analysis;
    const auto checked = checkChoice(ready.analysis);
    if (!checked) {
        ready.problem = checked.error().message;
        m_sink(std::move(ready));
        return true;
    }
    progress.begin({findOperation(ready.analysis.operation)->description().label});
    const Image& source = request.source->levels.front();
    const Image& result = m_finished->full.result->levels.front();
    const auto part = regionIn(m_finished->full.place.sourceFromResult, request.region);
    if (isOutside(result, part)) {
        ready.problem = "the region lies outside the result";
        m_sink(std::move(ready));
        return true;
    }
    auto before = figuresOf(source, request.region, request, context, m_sourceFigures);
    auto after = !before || result.id() == source.id()
                     ? before
                     : figuresOf(result, part, request, context, m_resultFigures);
    if (after) {
        ready.source = std::move(before->found);
        ready.sourceOn = std::move(before->countedOn);
        ready.result = std::move(after->found);
        ready.resultOn = std::move(after->countedOn);
    } else if (after.error().code == ErrorCode::Cancelled) {
        return false;
    } else {
        ready.problem = after.error().message;
    }
    m_sink(std::move(ready));
    return true;
}

}  // namespace warpscope
