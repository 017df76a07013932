// Numbers the areas of non-zero pixels that touch each other.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/operations/operation.h"

namespace warpscope {

struct ComponentRule {
    // 4 or 8.
    int connectivity = 8;
    // Smaller components have label 0. At least 1.
    std::uint64_t minArea = 1;
};

struct ConnectedComponentsPlan final : Plan {
    // On a reduced copy the smallest area is that of the copy.
    ComponentRule rule;
};

const Operation& connected_components_operation();
CpuBody<ConnectedComponentsPlan> runConnectedComponentsCpu;

// What `components` has too.
std::vector<ParamSpec> componentParameters();
ComponentRule componentRule(const PlanRequest& request);

}  // namespace warpscope
