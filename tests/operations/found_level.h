// The level that a threshold's method finds, by the operation alone: no executor, no worker.
#pragma once

#include "engine/operations/tone/threshold.h"
#include "engine/pipeline/pipeline.h"

namespace warpscope::test {

// `step` is a threshold with resolved parameters and a method that is not fixed; in samples of
// `input`.
inline double levelFoundIn(const Image& input, const Step& step) {
    PlanRequest request;
    request.parameters = step.parameters;
    request.format = input.format();
    request.size = input.size();
    const auto made = threshold_operation().plan(request).value();
    ThresholdPlan plan = static_cast<const ThresholdPlan&>(*made);
    plan.cut = chooseThresholdCpu(plan, input, CpuContext{}).value();
    return chosenThreshold(plan);
}

}  // namespace warpscope::test
