#include "gui/document/step_levels.h"

#include <QLocale>
#include <cmath>

#include "engine/operations/registry.h"
#include "engine/operations/tone/threshold.h"

namespace warpscope::gui {

std::optional<ThresholdLevel> thresholdLevel(const Document& document, const EngineBridge& bridge,
                                             int index) {
    const auto& steps = document.pipeline().steps;
    if (index < 0 || index >= int(steps.size())) return std::nullopt;
    const Step& step = steps[std::size_t(index)];
    const Operation& operation = threshold_operation();
    if (!step.enabled || step.operation != operation.description().id) return std::nullopt;
    if (step.parameters.choice("method") == "fixed") {
        const auto format = document.formatAt(index);
        if (!format) return std::nullopt;
        PlanRequest request;
        request.parameters = step.parameters;
        request.format = *format;
        request.size = {1, 1};
        const auto plan = operation.plan(request);
        if (!plan) return std::nullopt;
        return ThresholdLevel{chosenThreshold(static_cast<const ThresholdPlan&>(**plan)), *format};
    }
    if (!bridge.thresholds() || bridge.stepFailure()) return std::nullopt;
    for (const ThresholdsReady::Found& found : bridge.thresholds()->steps)
        // Of another method it would be another level.
        if (int(found.stepIndex) == index && found.step.operation == step.operation &&
            found.step.parameters.choice("method") == step.parameters.choice("method"))
            return ThresholdLevel{found.level, found.input};
    return std::nullopt;
}

std::optional<qint64> objectsFound(const Document& document, const EngineBridge& bridge,
                                   int index) {
    const auto& steps = document.pipeline().steps;
    if (index < 0 || index >= int(steps.size()) || !bridge.thresholds() || bridge.stepFailure())
        return std::nullopt;
    const Step& step = steps[std::size_t(index)];
    if (!step.enabled || step.operation != "connected_components") return std::nullopt;
    for (const ThresholdsReady::Found& found : bridge.thresholds()->steps)
        if (int(found.stepIndex) == index && found.step.operation == step.operation)
            return qint64(found.level);
    return std::nullopt;
}

std::optional<LevelRange> usedLevelsBefore(const Document& document, const EngineBridge& bridge,
                                           int index) {
    const auto& steps = document.pipeline().steps;
    if (!document.source() || index < 0 || index >= int(steps.size())) return std::nullopt;
    int before = index - 1;
    while (before >= 0 && !steps[std::size_t(before)].enabled) --before;
    if (before < 0) return usedLevels(document.source()->levels.front());
    if (!bridge.stepHistogramsAreCurrent()) return std::nullopt;
    for (const StepHistogram& step : bridge.stepHistograms()->steps)
        if (int(step.stepIndex) == before) return usedLevels(step.counts);
    return std::nullopt;
}

std::vector<bool> stepsThatChangeNothing(const Document& document) {
    const std::size_t count = document.pipeline().steps.size();
    std::vector<bool> nothing(count, false);
    if (!document.source()) return nothing;
    for (const ShapedStep& step : document.shapeBefore(int(count)).steps)
        if (step.plan && step.index < count) nothing[step.index] = step.plan->identity;
    return nothing;
}

bool isUsed(std::string_view operation, const ParamSet& parameters, std::string_view id) {
    if (operation != "threshold" || id != "value") return true;
    const ParamValue* method = parameters.find("method");
    const auto* choice = method ? std::get_if<std::string>(method) : nullptr;
    return !choice || *choice == "fixed";
}

QString levelText(const ThresholdLevel& threshold) {
    const double level = threshold.level;
    if (isFloat(threshold.input)) return QLocale().toString(level, 'g', 4);
    return QLocale().toString(level, 'f', level == std::floor(level) ? 0 : 2);
}

std::vector<ToneCurve> toneCurvesOf(const Step& step) {
    const Operation* operation = findOperation(step.operation);
    if (!operation || !operation->description().mapsLevels) return {};
    PlanRequest request;
    request.parameters = step.parameters;
    request.format = operation->description().accepts.front();
    request.size = {1, 1};
    const auto plan = operation->plan(request);
    return plan ? operation->toneCurves(**plan) : std::vector<ToneCurve>();
}

}  // namespace warpscope::gui
