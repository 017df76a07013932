// An operation with its variant and parameters, chosen to be measured: an analysis, which cannot be
// a step of a chain, as well as a filter.
#pragma once

#include <string_view>

#include "engine/pipeline/pipeline.h"

namespace warpscope {

// As checkStep, for every operation. Errors: NotFound, InvalidArgument.
Result<Step> checkChoice(const Step& choice);

// As parseStep, for every operation: "histogram:variant=global_atomics". Errors: InvalidArgument,
// NotFound.
Result<Step> parseChoice(std::string_view text);

}  // namespace warpscope
