// Untimed work around a measurement: references, inputs, trials, copies for cold runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/backend/backend.h"
#include "engine/measure/timing.h"

namespace warpscope {

// Upload, run, download. Gives output or what was found alone. Errors: those of the backend.
Result<Measured> runOnce(Backend& backend, const Plan& plan, const StepImages& input,
                         const RunContext& context);

// Through filters in the syntax of parseStep, in their order. Errors: those of parseStep, of plans
// and of the backend.
Result<Image> runSteps(Backend& backend, Image image, const std::vector<std::string>& steps,
                       const RunContext& context);

// How many copies of `inputBytes` are more than `cacheBytes` (0: not known, a large one is
// assumed): half as much again, so that what else moves does not keep one alive; at least two.
// Errors: Unsupported where that would be thousands of copies of a tiny image.
Result<int> coldCopyCount(std::uint64_t inputBytes, std::uint64_t cacheBytes);

// Images with equal samples in memory of their own. Errors: OutOfMemory, Cancelled.
Result<std::vector<Image>> copiesOf(const Image& image, int count, std::stop_token stop);

}  // namespace warpscope
