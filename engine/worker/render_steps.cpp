// What is read off every step of a chain: small histograms, the levels of thresholds, and one
// pixel.
#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/image/largest_sum.h"
#include "engine/operations/analysis/histogram.h"
#include "engine/operations/morphology/connected_components.h"
#include "engine/operations/registry.h"
#include "engine/operations/tone/threshold.h"
#include "engine/worker/render_session.h"

namespace warpscope {
namespace {

// With the steps that are off: others may name them.
Pipeline upTo(const Pipeline& pipeline, std::size_t index) {
    Pipeline chain = pipeline;
    chain.steps.resize(index + 1);
    return chain;
}

// What lies above the white level counts in the last bar.
HistogramSet inBars(const HistogramSet& set, double whiteLevel) {
    HistogramSet bars = set;
    for (Histogram& channel : bars.channels) {
        const std::size_t all = channel.bins.size();
        const bool levels = !isFloat(set.format) && bytesPerSample(set.format) <= 2;
        const std::size_t used =
            levels ? std::clamp(std::size_t(std::max(0.0, whiteLevel)) + 1, std::size_t(1), all)
                   : all;
        if (levels) bars.high = set.low + double(used - 1);
        const std::size_t count = std::min(used, std::size_t(kStepHistogramBins));
        std::vector<std::uint64_t> sums(count, 0);
        for (std::size_t i = 0; i < all; ++i)
            sums[std::min(i, used - 1) * count / used] += channel.bins[i];
        channel.bins = std::move(sums);
    }
    return bars;
}

}  // namespace

bool RenderSession::stepHistograms(const RenderRequest& request, const RunContext& context) {
    const RunContext quiet{context.stop, {}};
    StepHistogramsReady ready;
    ready.revision = request.revision;
    std::vector<KnownStep> now, fresh;
    for (std::size_t i = 0; i < request.pipeline.steps.size(); ++i) {
        if (!request.pipeline.steps[i].enabled) continue;
        KnownStep step{
            idOf(request.second), upTo(request.pipeline, i), request.backend, request.region, {}};
        const auto same = [&](const KnownStep& known) {
            return known.second == step.second && known.backend == step.backend &&
                   known.region == step.region && known.chain == step.chain;
        };
        if (const auto known = std::ranges::find_if(m_knownSteps, same);
            known != m_knownSteps.end()) {
            step.counts = known->counts;
        } else {
            auto counted = countsAfter(step.chain, request, quiet);
            if (!counted && counted.error().code == ErrorCode::Cancelled) {
                // What is done is worth having next time.
                std::ranges::move(fresh, std::back_inserter(m_knownSteps));
                return false;
            }
            if (!counted) continue;
            step.counts = std::move(*counted);
            fresh.push_back(step);
        }
        if (!step.counts.channels.empty()) ready.steps.push_back({i, step.counts});
        now.push_back(std::move(step));
    }
    m_knownSteps = std::move(now);
    m_sink(std::move(ready));
    return true;
}

Result<HistogramSet> RenderSession::countsAfter(const Pipeline& chain, const RenderRequest& request,
                                                const RunContext& context) {
    RenderRequest shorter = request;
    shorter.pipeline = chain;
    // The last step's is the window's own histogram, mostly counted already.
    Image image;
    const bool last =
        std::none_of(request.pipeline.steps.begin() + std::ptrdiff_t(chain.steps.size()),
                     request.pipeline.steps.end(), [](const Step& step) { return step.enabled; });
    if (last) {
        image = m_finished->full.result->levels.front();
    } else {
        auto counted = countedInBands(shorter, context);
        if (!counted) return fail(counted.error());
        if (*counted) return inBars((*counted)->counts, (*counted)->whiteLevel);
        auto done = chainRun(shorter, Recording::Off, context);
        if (!done) return fail(done.error());
        image = std::move(done->image);
    }
    const Image& source = request.source->levels.front();
    const ChainShape shape = shapeOf(chain, source.format(), Placement::all(source.size()));
    const auto part = regionIn(shape.sourceFromResult, request.region);
    if (isOutside(image, part)) return HistogramSet{};
    const double white = image.info().whiteLevel;
    if (last && m_resultAnalysis && m_resultAnalysis->image == image.id() &&
        m_resultAnalysis->region == part)
        return inBars(m_resultAnalysis->analysis.histograms, white);
    auto found = histogramIn(image, part, request.backend, context);
    if (!found) return fail(found.error());
    return inBars(std::get<HistogramSet>(found->found), white);
}

bool RenderSession::thresholds(const RenderRequest& request, const RunContext& context) {
    const RunContext quiet{context.stop, {}};
    ThresholdsReady ready;
    ready.revision = request.revision;
    std::vector<KnownThreshold> now;
    for (std::size_t i = 0; i < request.pipeline.steps.size(); ++i) {
        const Step& step = request.pipeline.steps[i];
        const bool counts = step.operation == connected_components_operation().description().id;
        const OperationDescription& description = threshold_operation().description();
        if (!step.enabled || (step.operation != description.id && !counts)) continue;
        if (!counts) {
            const auto given = resolveParameters(description.parameters, step.parameters);
            if (!given || given->choice("method") == "fixed") continue;
        }
        KnownThreshold wanted{idOf(request.second), upTo(request.pipeline, i), request.backend, {}};
        const auto same = [&](const KnownThreshold& known) {
            return known.second == wanted.second && known.backend == wanted.backend &&
                   known.chain == wanted.chain;
        };
        if (const auto known = std::ranges::find_if(m_knownThresholds, same);
            known != m_knownThresholds.end()) {
            wanted.found = known->found;
        } else {
            auto found = counts ? objectsAt(i, request, quiet) : thresholdAt(i, request, quiet);
            if (!found && found.error().code == ErrorCode::Cancelled) return false;
            if (!found) continue;
            wanted.found = std::move(*found);
        }
        ready.steps.push_back(wanted.found);
        now.push_back(std::move(wanted));
    }
    if (now.empty()) return true;
    m_knownThresholds = std::move(now);
    m_sink(std::move(ready));
    return true;
}

// Counted once more, on the CPU: a GPU keeps what it found to itself.
Result<ThresholdsReady::Found> RenderSession::thresholdAt(std::size_t index,
                                                          const RenderRequest& request,
                                                          const RunContext& context) {
    RenderRequest before = request;
    before.pipeline.steps.resize(index);
    Image input = request.source->levels.front();
    if (std::ranges::any_of(before.pipeline.steps, &Step::enabled)) {
        auto done = chainRun(before, Recording::Off, context);
        if (!done) return fail(done.error());
        input = std::move(done->image);
    }
    const Step& step = request.pipeline.steps[index];
    auto given = resolveParameters(threshold_operation().description().parameters, step.parameters);
    if (!given) return fail(given.error());
    PlanRequest planning;
    planning.parameters = std::move(*given);
    planning.variant = step.variant;
    planning.format = input.format();
    planning.size = input.size();
    const auto plan =
        threshold_operation().freeze(planning, input, {Threading::AllCores, context.stop, {}});
    if (!plan) return fail(plan.error());
    return ThresholdsReady::Found{
        index, step, chosenThreshold(static_cast<const ThresholdPlan&>(**plan)), input.format()};
}

// Labels are numbered from 1: the largest one says how many there are.
Result<ThresholdsReady::Found> RenderSession::objectsAt(std::size_t index,
                                                        const RenderRequest& request,
                                                        const RunContext& context) {
    RenderRequest upTo = request;
    upTo.pipeline.steps.resize(index + 1);
    const auto done = chainRun(upTo, Recording::Off, context);
    if (!done) return fail(done.error());
    const Image& labels = done->image;
    if (labels.format() != PixelFormat::Gray32)
        return fail(ErrorCode::Internal, "components without labels");
    const auto most = largestSum(labels, {Threading::AllCores, context.stop, {}});
    if (!most) return fail(most.error());
    return ThresholdsReady::Found{index, request.pipeline.steps[index], *most, labels.format()};
}

// Every step's value is computed from the few pixels that it is made of. What depends on the whole
// image takes its statistics from the whole image, which the full run has left in the cache.
void RenderSession::probe(const ProbeRequest& asked, std::stop_token stop) {
    // Of an image that was not rendered yet nobody knows anything; the window asks again.
    if (idOf(asked.source) == 0 || idOf(asked.source) != m_sourceId) return;
    if (!checkPipeline(asked.pipeline)) return;
    const Image& source = asked.source->levels.front();
    const Placement all = Placement::all(source.size());
    const Rect bounds{0, 0, source.width(), source.height()};
    const Pipeline rest = computablePart(asked.pipeline, source.format(), all).pipeline;
    const RunContext context{stop, {}};
    ProbeReady ready;
    ready.number = asked.number;
    for (std::size_t i = 0; i < rest.steps.size(); ++i) {
        if (!rest.steps[i].enabled) continue;
        RenderRequest shorter;
        shorter.source = asked.source;
        shorter.second = asked.second;
        shorter.backend = asked.backend;
        shorter.pipeline = upTo(rest, i);
        const ChainShape shape = shapeOf(shorter.pipeline, source.format(), all);
        const PixelMap map = inverse(shape.sourceFromResult);
        const int x = int(std::floor(map.mapX(asked.x, asked.y)));
        const int y = int(std::floor(map.mapY(asked.x, asked.y)));
        ready.values.push_back({i, {}});
        const Size size = shape.place.whole;
        if (x < 0 || y < 0 || x >= size.width || y >= size.height) continue;
        const Rect needed = intersect(neededFor(shape, {x, y, 1, 1}).source, bounds);
        if (needed.empty()) continue;
        ExecuteRequest wanted = fullRequest(shorter);
        wanted.recording = Recording::Off;
        wanted.source = source.crop(needed);
        wanted.place = Placement::partOf(source.size(), needed);
        wanted.whole = source;
        if (!wanted.second.isNull()) {
            wanted.secondPlace = Placement::all(wanted.second.size());
            wanted.wholeSecond = wanted.second;
        }
        // The same for all places; else they would be made anew with each move of the mouse.
        auto tables = tablesFor(shorter, shape, context);
        if (stop.stop_requested()) return;
        if (tables) wanted.tables = std::move(tables->plans);
        const std::uint64_t crop = wanted.source.id();
        const auto done = m_executor.run(std::move(wanted), context);
        if (crop != source.id()) m_executor.forgetImage(crop);
        if (stop.stop_requested()) return;
        if (!done) {
            ready.values.pop_back();
            continue;
        }
        const Rect part = done->place.part;
        const Rect pixel = intersect({x - part.x, y - part.y, 1, 1},
                                     {0, 0, done->image.width(), done->image.height()});
        if (!pixel.empty()) ready.values.back().pixel = done->image.crop(pixel);
    }
    m_sink(std::move(ready));
}

}  // namespace warpscope
