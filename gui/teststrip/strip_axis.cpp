#include "gui/teststrip/strip_axis.h"

#include <algorithm>
#include <cmath>

#include "gui/widgets/engine_text.h"
#include "gui/widgets/param_scale.h"
#include "gui/widgets/translate.h"

namespace warpscope::gui {
namespace {

constexpr double kAroundPart = 0.3;  // of the slider

bool isNumeric(const ParamSpec& spec) {
    return spec.kind == ParamKind::Integer || spec.kind == ParamKind::Real;
}

std::vector<ParamValue> numbersBetween(const ParamScale& scale, double present, double low,
                                       double high, int count) {
    std::vector<double> numbers;
    for (int i = 0; i < count; ++i)
        numbers.push_back(scale.valueAt(low + (high - low) * i / std::max(1, count - 1)));
    const double here = scale.position(present);
    *std::ranges::min_element(numbers, {}, [&](double number) {
        return std::abs(scale.position(number) - here);
    }) = present;
    std::ranges::sort(numbers);
    std::vector<ParamValue> values;
    for (const double number : numbers) values.push_back(scale.param(number));
    values.erase(std::ranges::unique(values).begin(), values.end());
    return values;
}

std::vector<ParamValue> numbersOf(const ParamSpec& spec, double present, int count,
                                  StripSpread spread, int longSide) {
    ParamScale scale(spec);
    if (spec.unit == "px" && longSide > 0 && scale.high() > longSide && scale.low() < longSide)
        scale.setRange(scale.low(), longSide);
    const double here = scale.position(present);
    // Whole numbers that lie far apart on a short slider need more of it.
    for (double part = spread == StripSpread::Around ? kAroundPart : 1.0;; part *= 1.5) {
        part = std::min(part, 1.0);
        const double low = std::clamp(here - part / 2, 0.0, 1.0 - part);
        auto values = numbersBetween(scale, present, low, low + part, count);
        if (int(values.size()) == count || part == 1.0) return values;
    }
}

}  // namespace

bool canVary(const ParamSpec& spec) {
    return isNumeric(spec) || spec.kind == ParamKind::Choice || !spec.presets.empty();
}

StripAxis axisFor(const ParamSpec& spec, const ParamValue& present, int count, StripSpread spread,
                  int longSide) {
    StripAxis axis{spec, {}, 0};
    if (isNumeric(spec)) {
        axis.values = numbersOf(spec, ParamScale::number(present), count, spread, longSide);
    } else {
        for (const ChoiceSpec& choice : spec.choices) axis.values.emplace_back(choice.id);
        for (const PresetSpec& preset : spec.presets)
            if (std::ranges::find(axis.values, preset.value) == axis.values.end())
                axis.values.push_back(preset.value);
    }
    auto at = std::ranges::find(axis.values, present);
    if (at == axis.values.end()) at = axis.values.insert(axis.values.begin(), present);
    axis.present = std::size_t(at - axis.values.begin());
    return axis;
}

QString valueLabel(const ParamSpec& spec, const ParamValue& value) {
    if (spec.kind == ParamKind::Choice) {
        const auto* id = std::get_if<std::string>(&value);
        const ChoiceSpec* choice = id ? spec.findChoice(*id) : nullptr;
        return choice ? engineText(choice->label) : QString();
    }
    if (!isNumeric(spec)) {
        for (const PresetSpec& preset : spec.presets)
            if (preset.value == value) return engineText(preset.label);
        return tr("as it is");
    }
    if (spec.zeroIsAutomatic && ParamScale::number(value) == 0) return tr("automatic");
    const QString figure = QString::fromStdString(toText(value));
    return spec.unit.empty() ? figure : figure + QLatin1Char(' ') + engineText(spec.unit);
}

}  // namespace warpscope::gui
