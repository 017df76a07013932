#include "gui/inspector/figures_counter.h"

#include "engine/operations/analysis/statistics.h"
#include "gui/base/task_runner.h"

namespace warpscope::gui {
namespace {

Image cut(const FiguresCounter::Part& part) {
    return part.image.isNull() || part.rect.empty() ? Image() : part.image.crop(part.rect);
}

std::optional<RegionRows> rowsOf(const FiguresCounter::Part& part, const CpuContext& context) {
    if (!part.shape || part.rect.empty()) return std::nullopt;
    return RegionRows(*part.shape, part.rect, context.stop);
}

std::optional<AnalysisTable> statisticsOf(const FiguresCounter::Part& part,
                                          const CpuContext& context) {
    const Image image = cut(part);
    const auto rows = rowsOf(part, context);
    if (image.isNull() || (rows && rows->pixels() == 0)) return {};
    PlanRequest request;
    request.format = image.format();
    request.size = image.size();
    const auto plan = statistics_operation().plan(request);
    if (!plan) return {};
    auto found = rows ? analyzeRows(**plan, image, *rows, context)
                      : statistics_operation().analyzeCpu(**plan, image, context);
    if (!found) return {};
    return std::get<AnalysisTable>(std::move(*found));
}

FiguresCounter::Figures figuresOf(const FiguresCounter::Request& request,
                                  const CpuContext& context) {
    FiguresCounter::Figures figures;
    figures.source = statisticsOf(request.source, context);
    figures.result =
        request.result == request.source ? figures.source : statisticsOf(request.result, context);
    const Image first = cut(request.first), second = cut(request.second);
    if (first.isNull() || second.isNull()) return figures;
    const auto rows = rowsOf(request.first, context);
    if (auto likeness = likenessOf(first, second, context, rows ? &*rows : nullptr))
        figures.likeness = std::move(*likeness);
    else
        figures.problem = likeness.error().message;
    return figures;
}

}  // namespace

FiguresCounter::FiguresCounter(QObject* parent) : QObject(parent) {}

FiguresCounter::~FiguresCounter() {
    m_stop.request_stop();
}

void FiguresCounter::forget() {
    m_stop.request_stop();
    ++m_number;
    m_asked.reset();
    m_figures = {};
    m_ready = false;
}

void FiguresCounter::interrupt() {
    if (m_ready || !m_asked) return;
    m_stop.request_stop();
    ++m_number;
    m_asked.reset();
}

void FiguresCounter::count(const Request& request) {
    if (m_asked == request) return;
    m_asked = request;
    // For comparing alone: an old result is not kept by it.
    for (Part* part : {&m_asked->source, &m_asked->result, &m_asked->first, &m_asked->second})
        part->image = part->image.withoutSamples();
    m_ready = false;
    m_stop.request_stop();
    m_stop = std::stop_source();
    if (!m_tasks) m_tasks = std::make_unique<TaskRunner>();
    m_tasks->run([this, request, number = ++m_number,
                  stop = m_stop.get_token()]() -> TaskRunner::Finish {
        if (stop.stop_requested()) return {};
        auto found = std::make_shared<Figures>(figuresOf(request, {Threading::AllCores, stop, {}}));
        if (stop.stop_requested()) return {};
        return [this, number, found] {
            if (number != m_number) return;
            m_figures = std::move(*found);
            m_ready = true;
            emit counted();
        };
    });
}

}  // namespace warpscope::gui
