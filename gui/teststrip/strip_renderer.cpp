#include "gui/teststrip/strip_renderer.h"

#include <algorithm>
#include <cmath>

#include "engine/worker/draft_plan.h"

namespace warpscope::gui {
namespace {

Rect hullOf(const Rect& a, const Rect& b) {
    if (a.empty()) return b;
    if (b.empty()) return a;
    const int x = std::min(a.x, b.x), y = std::min(a.y, b.y);
    return {x, y, std::max(a.x + a.width, b.x + b.width) - x,
            std::max(a.y + a.height, b.y + b.height) - y};
}

struct PlannedCell {
    Pipeline pipeline;
    DraftPlan plan;
    std::string problem;
};

PlannedCell plannedCell(const StripJob& job, const Pipeline& pipeline) {
    const Image& source = job.source->levels.front();
    ComputablePart part =
        computablePart(pipeline, source.format(), warpscope::Placement::all(source.size()));
    PlannedCell cell{std::move(part.pipeline), {}, {}};
    for (const ChainShape::Failure& failure : part.passedOver)
        if (failure.step == job.step) cell.problem = failure.error.message;
    cell.plan = planDraft(*job.source, cell.pipeline, job.viewport);
    return cell;
}

ExecuteRequest requestFor(const StripJob& job, const PlannedCell& cell, int wholeLevel) {
    ExecuteRequest wanted;
    wanted.pipeline = cell.pipeline;
    wanted.backend = BackendChoice::Cpu;
    wanted.skipBrokenSteps = true;
    wanted.place = placementOfLevel(*job.source, cell.plan.level);
    if (wholeLevel >= 0) {
        wanted.whole = job.source->levels[std::size_t(wholeLevel)];
        wanted.wholeScale = std::ldexp(1.0, -wholeLevel);
    }
    if (job.second && !job.second->levels.empty()) {
        const auto levelOf = [&](int level) {
            return std::min(level, int(job.second->levels.size()) - 1);
        };
        const int own = levelOf(cell.plan.level);
        wanted.second = job.second->levels[std::size_t(own)];
        wanted.secondPlace = placementOfLevel(*job.second, own);
        if (wholeLevel >= 0)
            wanted.wholeSecond = job.second->levels[std::size_t(levelOf(wholeLevel))];
    }
    return wanted;
}

}  // namespace

StripRenderer::StripRenderer(Sink sink, std::uint64_t memoryBudgetBytes)
    : m_sink(std::move(sink)),
      m_executor(BackendSet::cpuOnly("test strips are computed on the CPU"), memoryBudgetBytes),
      m_thread([this](const std::stop_token& stop) {
          while (const auto job = m_jobs.wait(stop)) compute(*job);
      }) {}

StripRenderer::~StripRenderer() {
    cancel();
}

void StripRenderer::start(StripJob job) {
    {
        const std::lock_guard lock(m_mutex);
        m_stop.request_stop();
        m_stop = std::stop_source();
        job.stop = m_stop.get_token();
    }
    m_jobs.post(std::move(job));
}

void StripRenderer::cancel() {
    const std::lock_guard lock(m_mutex);
    m_stop.request_stop();
}

Image StripRenderer::cropFor(const Image& level, const Rect& rect) {
    if (m_cropLevel == level.id() && m_cropRect == rect) return m_crop;
    if (!m_crop.isNull() && m_crop.id() != m_cropLevel) m_executor.forgetImage(m_crop.id());
    m_crop = level.crop(rect);
    m_cropLevel = level.id();
    m_cropRect = rect;
    return m_crop;
}

void StripRenderer::compute(const StripJob& job) {
    if (job.stop.stop_requested() || !job.source || job.source->levels.empty()) return;
    if (const std::uint64_t id = job.source->levels.front().id(); id != m_sourceId) {
        m_executor.clearCache();
        m_crop = {};
        m_cropLevel = 0;
        m_sourceId = id;
    }
    std::vector<PlannedCell> cells;
    Rect needed;
    int wholeLevel = -1;
    for (const Pipeline& pipeline : job.cells) {
        cells.push_back(plannedCell(job, pipeline));
        needed = hullOf(needed, cells.back().plan.roomy);
        wholeLevel = std::max(wholeLevel, cells.back().plan.wholeLevel);
    }
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (job.stop.stop_requested()) return;
        const PlannedCell& cell = cells[i];
        StripPicture ready{job.revision, i, {}, cell.problem};
        if (cell.problem.empty() && !cell.plan.empty()) {
            ExecuteRequest wanted = requestFor(job, cell, wholeLevel);
            // One part for all cells, so that they share what comes before the step.
            wanted.source = cropFor(job.source->levels[std::size_t(cell.plan.level)], needed);
            wanted.place->part = needed;
            auto result = m_executor.run(wanted, RunContext{job.stop, {}});
            if (job.stop.stop_requested()) return;
            if (result) {
                for (const StepReport& report : result->steps)
                    if (report.stepIndex == job.step) ready.problem = report.problem;
                const Rect& part = result->place.part;
                const Rect shown = intersect(cell.plan.visible, part);
                if (ready.problem.empty() && !shown.empty())
                    ready.picture = result->image.crop(
                        {shown.x - part.x, shown.y - part.y, shown.width, shown.height});
            } else {
                ready.problem = result.error().message;
            }
        }
        m_sink(std::move(ready));
    }
}

}  // namespace warpscope::gui
