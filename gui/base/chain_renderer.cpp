#include "gui/base/chain_renderer.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace warpscope::gui {
namespace {

constexpr std::size_t kMostCrops = 3;

Rect hullOf(const Rect& a, const Rect& b) {
    if (a.empty()) return b;
    if (b.empty()) return a;
    const int x = std::min(a.x, b.x), y = std::min(a.y, b.y);
    return {x, y, std::max(a.x + a.width, b.x + b.width) - x,
            std::max(a.y + a.height, b.y + b.height) - y};
}

std::int64_t pixelsOf(const Rect& rect) {
    return std::int64_t(rect.width) * rect.height;
}

ExecuteRequest requestFor(const ChainJob& job, const Pipeline& pipeline, int level,
                          int wholeLevel) {
    ExecuteRequest wanted;
    wanted.pipeline = pipeline;
    wanted.backend = BackendChoice::Cpu;
    wanted.skipBrokenSteps = true;
    wanted.place = placementOfLevel(*job.source, level);
    if (wholeLevel >= 0) {
        wanted.whole = job.source->levels[std::size_t(wholeLevel)];
        wanted.wholeScale = std::ldexp(1.0, -wholeLevel);
    }
    if (job.second && !job.second->levels.empty()) {
        const auto levelOf = [&](int same) {
            return std::min(same, int(job.second->levels.size()) - 1);
        };
        const int own = levelOf(level);
        wanted.second = job.second->levels[std::size_t(own)];
        wanted.secondPlace = placementOfLevel(*job.second, own);
        if (wholeLevel >= 0)
            wanted.wholeSecond = job.second->levels[std::size_t(levelOf(wholeLevel))];
    }
    return wanted;
}

}  // namespace

ChainRenderer::ChainRenderer(Sink sink, std::uint64_t memoryBudgetBytes)
    : m_sink(std::move(sink)),
      m_executor(BackendSet::cpuOnly("small pictures are computed on the CPU"), memoryBudgetBytes),
      m_thread([this](const std::stop_token& stop) {
          while (const auto job = m_jobs.wait(stop)) compute(*job);
      }) {}

ChainRenderer::~ChainRenderer() {
    cancel();
}

void ChainRenderer::start(ChainJob job) {
    {
        const std::lock_guard lock(m_mutex);
        m_stop.request_stop();
        m_stop = std::stop_source();
        job.stop = m_stop.get_token();
    }
    m_jobs.post(std::move(job));
}

void ChainRenderer::cancel() {
    const std::lock_guard lock(m_mutex);
    m_stop.request_stop();
}

void ChainRenderer::forget() {
    m_executor.clearCache();
    m_crops.clear();
    m_sourceId = 0;
}

Image ChainRenderer::cropFor(const Image& level, const Rect& rect) {
    for (const Crop& crop : m_crops)
        if (crop.level == level.id() && crop.rect == rect) return crop.image;
    if (m_crops.size() == kMostCrops) {
        m_executor.forgetImage(m_crops.front().image.id());
        m_crops.erase(m_crops.begin());
    }
    m_crops.push_back({level.id(), rect, level.crop(rect)});
    return m_crops.back().image;
}

ChainRenderer::Cell ChainRenderer::planned(const ChainJob& job, std::size_t index) {
    const Image& source = job.source->levels.front();
    ComputablePart part =
        computablePart(job.cells[index], source.format(), warpscope::Placement::all(source.size()));
    Cell cell;
    cell.index = index;
    cell.pipeline = std::move(part.pipeline);
    for (const ChainShape::Failure& failure : part.passedOver)
        if (failure.step == job.step) cell.problem = failure.error.message;
    Viewport viewport = job.viewport;
    const int coarsest = int(job.source->levels.size()) - 1;
    do {
        cell.plan = planDraft(*job.source, cell.pipeline, viewport);
        viewport.zoom = std::ldexp(1.0, -cell.plan.level - 1);
    } while (cell.plan.level < coarsest &&
             std::max(pixelsOf(cell.plan.needed), pixelsOf(cell.plan.visible)) > job.mostPixels);
    for (const ShapedStep& step : part.shape.steps)
        if (step.index == job.step && step.plan) {
            cell.hasStep = true;
            cell.cost = step.plan->guessedMsPerMegapixel * double(pixelsOf(cell.plan.needed));
        }
    return cell;
}

// One part for many cells, so that they share what comes before the step.
void ChainRenderer::share(const ChainJob& job, std::vector<Cell>& cells) {
    Rect part;
    const int level = cells.empty() ? 0 : cells.front().plan.level;
    const auto fits = [&](const Rect& rect) { return job.mostSharedPixels >= pixelsOf(rect); };
    std::vector<Cell*> sharing;
    for (Cell& cell : cells) {
        cell.part = cell.plan.roomy;
        const Rect both = hullOf(part, cell.plan.roomy);
        if (cell.plan.level != level || !fits(both)) continue;
        part = both;
        sharing.push_back(&cell);
    }
    for (Cell* cell : sharing) cell->part = part;
}

ChainPicture ChainRenderer::pictureOf(const ChainJob& job, const Cell& cell, int wholeLevel) {
    ChainPicture ready{job.revision, cell.index, {}, cell.problem};
    if (!cell.problem.empty() || cell.plan.empty()) return ready;
    ExecuteRequest wanted = requestFor(job, cell.pipeline, cell.plan.level, wholeLevel);
    wanted.source = cropFor(job.source->levels[std::size_t(cell.plan.level)], cell.part);
    wanted.place->part = cell.part;
    std::stop_source stop;
    const std::stop_callback with(job.stop, [&stop] { stop.request_stop(); });
    ProgressSink watch;
    if (job.mostTime && cell.hasStep)
        watch = [&stop, end = std::chrono::steady_clock::now() + *job.mostTime](double) {
            if (std::chrono::steady_clock::now() >= end) stop.request_stop();
        };
    auto result = m_executor.run(wanted, RunContext{stop.get_token(), watch});
    if (!result) {
        ready.gaveUp = result.error().code == ErrorCode::Cancelled;
        if (!ready.gaveUp) ready.problem = result.error().message;
        return ready;
    }
    for (const StepReport& report : result->steps)
        if (report.stepIndex == job.step) ready.problem = report.problem;
    const Rect& part = result->place.part;
    const Rect shown = intersect(cell.plan.visible, part);
    if (ready.problem.empty() && !shown.empty())
        ready.picture =
            result->image.crop({shown.x - part.x, shown.y - part.y, shown.width, shown.height});
    return ready;
}

void ChainRenderer::compute(const ChainJob& job) {
    if (job.stop.stop_requested()) return;
    if (!job.source || job.source->levels.empty()) return forget();
    if (const std::uint64_t id = job.source->levels.front().id(); id != m_sourceId) {
        forget();
        m_sourceId = id;
    }
    std::vector<Cell> cells;
    int wholeLevel = -1;
    for (std::size_t i = 0; i < job.cells.size(); ++i) {
        cells.push_back(planned(job, i));
        wholeLevel = std::max(wholeLevel, cells.back().plan.wholeLevel);
    }
    if (job.quickFirst)
        std::ranges::stable_sort(cells,
                                 [](const Cell& a, const Cell& b) { return a.cost < b.cost; });
    share(job, cells);
    for (const Cell& cell : cells) {
        if (job.stop.stop_requested()) return;
        ChainPicture ready = pictureOf(job, cell, wholeLevel);
        if (job.stop.stop_requested()) return;
        m_sink(std::move(ready));
    }
}

}  // namespace warpscope::gui
