#include "engine/measure/published_chain.h"

#include <utility>

namespace warpscope {

Result<Pipeline> chainOf(const PublishedExperiment& experiment, const PublishedRow& row) {
    const auto timed = requireOperation(experiment.operation);
    if (!timed) return fail(timed.error());
    std::vector<std::string> texts = experiment.before;
    if ((*timed)->description().kind == OperationKind::Filter) {
        std::string text = experiment.operation + ":variant=" + row.variant;
        if (!experiment.parameters.empty()) text += "," + experiment.parameters;
        texts.push_back(std::move(text));
    }
    Pipeline chain;
    for (const std::string& text : texts) {
        auto step = parseStep(text);
        if (!step) return fail(step.error());
        chain.steps.push_back(std::move(*step));
    }
    return chain;
}

}  // namespace warpscope
