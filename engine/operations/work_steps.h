// For operations that run others: their plans, and their share of the progress.
#pragma once

#include <string>
#include <utility>

#include "engine/operations/operation.h"

namespace warpscope {

// Of another operation for the same image: its best variant, and its defaults where nothing is
// given.
inline Result<PlanPtr> planOfOther(const Operation& other, const PlanRequest& like,
                                   const ParamSet& given) {
    auto parameters = resolveParameters(other.description().parameters, given);
    if (!parameters) return fail(parameters.error());
    PlanRequest request = like;
    request.parameters = std::move(*parameters);
    request.variant = std::string(kAutomaticVariant);
    return other.plan(request);
}

// For step `number` of `steps` that last about equally long. `context` outlives it.
inline CpuContext workStep(const CpuContext& context, int number, int steps) {
    CpuContext part = context;
    if (context.progress)
        part.progress = [&context, number, steps](double done) {
            context.progress((number + done) / steps);
        };
    return part;
}

}  // namespace warpscope
