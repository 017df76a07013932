// What each component of an image is like: place, size, values. An analysis: it gives a table with
// a row a component.
#pragma once

#include "engine/operations/morphology/connected_components.h"

namespace warpscope {

// Nobody reads a longer table; more are refused.
inline constexpr std::uint32_t kMostListedComponents = 200'000;

struct ComponentsPlan final : Plan {
    ComponentRule rule;
};

const Operation& components_operation();

// Errors: LimitExceeded, Cancelled; throws std::bad_alloc.
Result<AnalysisTable> componentsCpu(const ComponentsPlan& plan, const Image& image,
                                    const CpuContext& context);

}  // namespace warpscope
