// Black and white.
#pragma once

#include <optional>
#include <vector>

#include "engine/operations/operation.h"
#include "engine/operations/tone/threshold_choice.h"

namespace warpscope {

struct ThresholdPlan final : Plan {
    ThresholdMethod method = ThresholdMethod::Fixed;
    // Of a fixed threshold, and set by freeze(): nothing is counted then and the plan works on
    // crops.
    std::optional<ThresholdCut> cut;
};

// t in samples of the plan's format, of a plan that freeze() gave or with a fixed one; NaN else.
double chosenThreshold(const ThresholdPlan& plan);

// For the counts of 256 or 65,536 levels, without `value`; 0 without any. Not Fixed.
ThresholdCut cutOfCounts(const std::vector<std::uint64_t>& counts, ThresholdMethod method);

const Operation& threshold_operation();
CpuBody<ThresholdPlan> runThresholdCpu;

// The threshold of `image` (which has plan.input, any size). Errors: Cancelled.
Result<ThresholdCut> chooseThresholdCpu(const ThresholdPlan& plan, const Image& image,
                                        const CpuContext& context);

}  // namespace warpscope
