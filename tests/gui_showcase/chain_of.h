// Chains for tests, as the command line writes their steps.
#pragma once

#include <initializer_list>

#include "engine/pipeline/pipeline.h"

namespace warpscope::test {

inline Pipeline chainOf(std::initializer_list<const char*> steps) {
    Pipeline pipeline;
    for (const char* step : steps) pipeline.steps.push_back(parseStep(step).value());
    return pipeline;
}

}  // namespace warpscope::test
