// Results of large images: computed in bands of rows, so that no output of a step is ever there in
// full, and with what was made before let go.
#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/base/clock.h"
#include "engine/image/storage_pool.h"
#include "engine/worker/large_image.h"
#include "engine/worker/render_session.h"

namespace warpscope {
namespace {

// Of the same step in the next band.
void add(std::vector<StepReport>& all, std::vector<StepReport> next) {
    if (all.empty()) {
        all = std::move(next);
        return;
    }
    for (std::size_t i = 0; i < std::min(all.size(), next.size()); ++i) {
        all[i].ms += next[i].ms;
        if (all[i].fallbackReason.empty()) all[i].fallbackReason = next[i].fallbackReason;
        for (std::string& notice : next[i].notices)
            if (std::ranges::find(all[i].notices, notice) == all[i].notices.end())
                all[i].notices.push_back(std::move(notice));
    }
}

}  // namespace

bool RenderSession::isLargeWork(const RenderRequest& request, const ChainShape& shape) {
    const Image& source = request.source->levels.front();
    return isLarge(source.format(), source.size()) || isLarge(shape.format, shape.place.whole);
}

bool RenderSession::runsOnCpu(const RenderRequest& request) const {
    const BackendSet& backends = m_executor.backends();
    return backends.pick(request.backend).backend != backends.cuda;
}

// The outputs on a GPU are not the host's.
bool RenderSession::sparesMemory(const RenderRequest& request, const ChainShape& shape) const {
    if (!isLargeWork(request, shape) || !runsOnCpu(request)) return false;
    double ms = 0;
    std::uint32_t depth = 0;
    for (const ShapedStep& step : shape.steps) {
        if (depth++ == m_editedDepth) break;
        if (step.plan)
            ms += step.plan->guessedMsPerMegapixel * double(step.plan->size.pixels()) * 1e-6;
    }
    return ms < worthKeepingMs();
}

void RenderSession::limitOutputs(const RenderRequest& request, const ChainShape& shape) {
    if (!isLargeWork(request, shape) || !runsOnCpu(request)) return;
    const std::uint64_t limit = outputsLimit(*request.source);
    const std::uint64_t source = request.source->levels.front().byteCount();
    m_executor.setHostLimit(sparesMemory(request, shape) ? limit : limit + 2 * source);
}

ExecuteRequest RenderSession::partOf(const ExecuteRequest& whole, const ChainShape& shape,
                                     const Rect& rows) {
    const Size size = whole.source.size();
    const Rect needed = intersect(neededFor(shape, rows).source, {0, 0, size.width, size.height});
    ExecuteRequest part = whole;
    part.place = Placement::partOf(size, needed);
    part.source = needed.empty() ? Image() : whole.source.crop(needed);
    if (!part.second.isNull()) part.secondPlace = Placement::all(part.second.size());
    return part;
}

Result<void> RenderSession::forEachBand(
    const ExecuteRequest& whole, const ChainShape& shape, int bands, const RunContext& context,
    const std::function<Result<void>(const Rect& rows, ExecuteResult& band)>& visit) {
    for (int i = 0; i < bands; ++i) {
        if (context.stop.stop_requested()) return cancelled();
        const Rect rows = rowsOfBand(shape.place.whole, i, bands);
        ExecuteRequest part = partOf(whole, shape, rows);
        if (part.source.isNull())
            return fail(ErrorCode::Unsupported, "a band that nothing of the image belongs to");
        RunContext own{context.stop, {}};
        if (context.progress)
            own.progress = [&](double fraction) { context.progress((i + fraction) / bands); };
        const std::uint64_t id = part.source.id();
        auto done = m_executor.run(std::move(part), own);
        if (id != whole.source.id()) m_executor.forgetImage(id);
        if (!done) return fail(done.error());
        const Rect made = done->place.part;
        if (!contains(made, rows) || done->image.size() != made.size() ||
            done->image.format() != shape.format)
            return fail(ErrorCode::Unsupported, "a part has another result than the whole");
        done->image = done->image.crop({rows.x - made.x, rows.y - made.y, rows.width, rows.height});
        if (const auto visited = visit(rows, *done); !visited) return visited;
    }
    return {};
}

Result<ExecuteResult> RenderSession::inBands(const ExecuteRequest& whole, const ChainShape& shape,
                                             int bands, const RunContext& context) {
    // Made with the first band: by then the window has let the last result go, whose memory it
    // takes.
    std::optional<MutableImage> out;
    const auto rowBytes =
        std::size_t(shape.place.whole.width) * std::size_t(bytesPerPixel(shape.format));
    const Stopwatch watch;
    ExecuteResult all;
    ImageInfo info;
    double begun = 0;
    const auto done = forEachBand(
        whole, shape, bands, context, [&](const Rect& rows, ExecuteResult& band) -> Result<void> {
            if (!out) {
                auto made = MutableImage::create(shape.format, shape.place.whole);
                if (!made) return fail(made.error());
                out = std::move(*made);
            }
            for (int y = 0; y < rows.height; ++y)
                std::memcpy(out->rowBytes(rows.y + y), band.image.rowBytes(y), rowBytes);
            if (rows.y == 0) info = band.image.info();
            add(all.steps, std::move(band.steps));
            for (RunEvent& event : band.events) {
                event.startMs += begun;
                all.events.push_back(std::move(event));
            }
            begun = watch.elapsedMs();
            return {};
        });
    // The sizes of bands are nobody else's.
    trimStorage();
    if (!done) return fail(done.error());
    all.image = std::move(*out).freeze(std::move(info));
    all.place = shape.place;
    all.totalMs = watch.elapsedMs();
    return all;
}

Result<ExecuteResult> RenderSession::fullRun(const RenderRequest& request,
                                             const RunContext& context) {
    // Whoever shows the one before has been given a draft.
    const ChainShape shape = fullShape(request);
    if (isLargeWork(request, shape)) m_finished.reset();
    limitOutputs(request, shape);
    return chainRun(request, Recording::Kernels, context);  // it is shown piece by piece
}

Result<ExecuteResult> RenderSession::chainRun(const RenderRequest& request, Recording recording,
                                              const RunContext& context) {
    ExecuteRequest wanted = fullRequest(request);
    wanted.recording = recording;
    const ChainShape shape = fullShape(request);
    if (!sparesMemory(request, shape)) return m_executor.run(std::move(wanted), context);
    if (const int bands = bandsFor(shape, wanted.source.size()); bands > 1) {
        auto made = inBands(request, wanted, shape, bands, context);
        // Where a part cannot be planned as the whole can.
        if (made || made.error().code != ErrorCode::Unsupported) return made;
    }
    return m_executor.run(std::move(wanted), context);
}

// The same counts as those of the whole, a few rows at a time.
Result<std::optional<RenderSession::Counted>> RenderSession::countedInBands(
    const RenderRequest& request, const RunContext& context) {
    const ChainShape shape = fullShape(request);
    const bool levels = !isFloat(shape.format) && bytesPerSample(shape.format) <= 2;
    if (request.region || !levels || !sparesMemory(request, shape)) return std::nullopt;
    ExecuteRequest wanted = fullRequest(request);
    wanted.recording = Recording::Off;
    const int bands = bandsFor(shape, wanted.source.size());
    if (bands < 2) return std::nullopt;
    auto tables = tablesFor(request, shape, context);
    if (!tables && tables.error().code == ErrorCode::Unsupported) return std::nullopt;
    if (!tables) return fail(tables.error());
    wanted.tables = std::move(tables->plans);
    trimStorage();
    Counted all;
    const auto done = forEachBand(
        wanted, shape, bands, context, [&](const Rect& rows, ExecuteResult& band) -> Result<void> {
            auto found = histogramIn(band.image, std::nullopt, request.backend, context);
            if (!found) return fail(found.error());
            auto& counts = std::get<HistogramSet>(found->found);
            if (rows.y == 0) {
                all = {std::move(counts), band.image.info().whiteLevel};
                all.counts.size = shape.place.whole;
                return {};
            }
            std::vector<Histogram>& channels = all.counts.channels;
            for (std::size_t c = 0; c < channels.size(); ++c)
                for (std::size_t bin = 0; bin < channels[c].bins.size(); ++bin)
                    channels[c].bins[bin] += counts.channels[c].bins[bin];
            return {};
        });
    trimStorage();
    if (!done && done.error().code == ErrorCode::Unsupported) return std::nullopt;
    if (!done) return fail(done.error());
    return all;
}

std::optional<RenderSession::TimedPart> RenderSession::timedPart(const RenderRequest& request) {
    const ChainShape shape = fullShape(request);
    const Image& source = request.source->levels.front();
    if (!isLargeWork(request, shape)) return std::nullopt;
    Rect rows = timedRows(shape, source.size());
    bool isLess = true;
    if (const auto region = regionIn(shape.sourceFromResult, request.region)) {
        const Size size = shape.place.whole;
        const Rect box = intersect(region->box(), {0, 0, size.width, size.height});
        // Of a region that is larger, as many of its rows.
        if (!box.empty()) {
            const auto most = std::int64_t(rows.width) * rows.height / box.width;
            const int height = int(std::clamp<std::int64_t>(most, 1, box.height));
            rows = {box.x, box.y + (box.height - height) / 2, box.width, height};
            isLess = height < box.height;
        }
    }
    ExecuteRequest part = partOf(fullRequest(request), shape, rows);
    if (part.source.isNull()) return std::nullopt;
    return TimedPart{std::move(part), isLess};
}

}  // namespace warpscope
