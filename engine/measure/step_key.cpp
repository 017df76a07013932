#include "engine/measure/step_key.h"

#include <fmt/format.h>

namespace warpscope {

std::string parameterText(const ParamSet& parameters) {
    std::string text;
    for (const auto& [id, value] : parameters.values())
        text += fmt::format("{}{}={}", text.empty() ? "" : " ", id, toText(value));
    return text;
}

StepKind kindOf(const StepTiming& row) {
    return {row.operation, row.variant, parameterText(row.parameters), row.format};
}

StepKey keyOf(const StepTiming& row) {
    return {kindOf(row),    row.width,     row.height,   row.cold,
            row.experiment, row.imageName, row.stepIndex};
}

}  // namespace warpscope
