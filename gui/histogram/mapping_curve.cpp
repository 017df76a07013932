#include "gui/histogram/mapping_curve.h"

#include <algorithm>

#include "engine/operations/registry.h"
#include "engine/pipeline/executor.h"
#include "gui/base/task_runner.h"

namespace warpscope::gui {
namespace {

constexpr std::int64_t kReducedPixels = 1 << 19;
constexpr std::size_t kPoints = 256;

// The steps that are on and come before `step`.
Pipeline before(const Pipeline& pipeline, std::size_t step) {
    Pipeline prefix;
    for (std::size_t i = 0; i < step; ++i)
        if (pipeline.steps[i].enabled) prefix.steps.push_back(pipeline.steps[i]);
    return prefix;
}

}  // namespace

std::vector<QPointF> curvePoints(const std::vector<double>& outputs) {
    std::vector<QPointF> points;
    const double last = double(outputs.size() - 1);
    const std::size_t step = std::max<std::size_t>(1, outputs.size() / kPoints);
    for (std::size_t k = 0; k < outputs.size(); k += step)
        points.push_back({double(k) / last, outputs[k]});
    if (points.back().x() < 1.0) points.push_back({1.0, outputs.back()});
    return points;
}

bool operator==(const MappingCurves& a, const MappingCurves& b) {
    return a.format == b.format && a.reduced == b.reduced &&
           std::equal(a.curves.begin(), a.curves.end(), b.curves.begin(), b.curves.end(),
                      [](const MappingCurve& p, const MappingCurve& q) {
                          return p.channel == q.channel && p.points == q.points;
                      });
}

std::optional<std::size_t> mappingStep(const Pipeline& pipeline, int selected) {
    const auto maps = [&](std::size_t i) {
        const Operation* operation = findOperation(pipeline.steps[i].operation);
        return pipeline.steps[i].enabled && operation && operation->description().mapsLevels;
    };
    if (selected >= 0 && std::size_t(selected) < pipeline.steps.size() &&
        maps(std::size_t(selected)))
        return std::size_t(selected);
    for (std::size_t i = pipeline.steps.size(); i-- > 0;) {
        if (!pipeline.steps[i].enabled) continue;
        return maps(i) ? std::optional(i) : std::nullopt;
    }
    return std::nullopt;
}

Result<MappingCurves> mappingCurves(const Pyramid& source, const Pipeline& pipeline,
                                    std::size_t step, const std::stop_token& stop) {
    const RunContext context{stop, {}};
    // One thread, and nothing kept: the worker's own run needs cores and memory more.
    Executor executor(BackendSet::cpuOnly("not asked for"), 0);
    ExecuteRequest request;
    request.pipeline = before(pipeline, step);
    request.backend = BackendChoice::CpuSingle;
    request.useCache = false;
    MappingCurves result;
    result.reduced = !request.pipeline.steps.empty();
    std::size_t level = 0;
    while (result.reduced && level + 1 < source.levels.size() &&
           source.levels[level].size().pixels() > kReducedPixels)
        ++level;
    result.reduced = level > 0;
    request.source = source.levels[level];
    const double scale = 1.0 / double(1 << level);
    request.place =
        Placement::reducedCopy(request.source.size(), source.levels.front().size(), scale);
    Image input = request.source;
    if (!request.pipeline.steps.empty()) {
        auto made = executor.run(request, context);
        if (!made) return fail(made.error());
        input = made->image;
    }
    result.format = input.format();
    const Step& mapping = pipeline.steps[step];
    const Operation& operation = *findOperation(mapping.operation);
    auto parameters = resolveParameters(operation.description().parameters, mapping.parameters);
    if (!parameters) return fail(parameters.error());
    PlanRequest planning;
    planning.parameters = scaledParameters(operation.description(), *parameters, scale);
    planning.format = input.format();
    planning.size = input.size();
    const auto plan = operation.freeze(planning, input, {Threading::Single, stop, {}});
    if (!plan) return fail(plan.error());
    for (const ToneCurve& curve : operation.toneCurves(**plan))
        result.curves.push_back({curve.channel, curvePoints(curve.outputs)});
    return result;
}

MappingWatcher::MappingWatcher(QObject* parent) : QObject(parent) {}

MappingWatcher::~MappingWatcher() {
    m_stop.request_stop();
}

void MappingWatcher::watch(PyramidPtr source, const Pipeline& pipeline, int selected) {
    const auto step = mappingStep(pipeline, selected);
    Pipeline steps;  // that the curve depends on
    if (source && step) {
        steps = before(pipeline, *step);
        steps.steps.push_back(pipeline.steps[*step]);
    } else {
        source = nullptr;
    }
    if (source == m_source && steps == m_steps) return;
    m_source = source;
    m_steps = steps;
    m_stop.request_stop();
    m_stop = std::stop_source();
    const int number = ++m_number;
    if (!source) {
        take({});
        return;
    }
    if (!m_tasks) m_tasks = std::make_unique<TaskRunner>();
    m_tasks->run([this, source, steps, number, stop = m_stop.get_token()]() -> TaskRunner::Finish {
        auto made = mappingCurves(*source, steps, steps.steps.size() - 1, stop);
        // Where there is no curve, there is none to show; the step itself says what went wrong.
        const MappingCurves curves = made ? std::move(*made) : MappingCurves{};
        return [this, curves, number] {
            if (number == m_number) take(curves);
        };
    });
}

void MappingWatcher::take(MappingCurves curves) {
    if (curves == m_curves) return;
    m_curves = std::move(curves);
    emit changed();
}

}  // namespace warpscope::gui
