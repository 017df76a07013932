// Running a plan or a few steps once, untimed: references, inputs, trials.
#pragma once

#include <string>
#include <vector>

#include "engine/measure/timing.h"

namespace warpscope {

// Upload, run, download. Gives output or counts alone. Errors: those of the backend.
Result<Measured> runOnce(Backend& backend, const Plan& plan, const Image& input,
                         const RunContext& context);

// Through filters in the syntax of parseStep, in their order. Errors: those of parseStep, of plans
// and of the backend.
Result<Image> runSteps(Backend& backend, Image image, const std::vector<std::string>& steps,
                       const RunContext& context);

}  // namespace warpscope
