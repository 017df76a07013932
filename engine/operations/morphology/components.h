// What each component of an image is like: place, size, values. An analysis: it gives a table with
// a row a component.
#pragma once

#include <memory>

#include "engine/operations/morphology/connected_components.h"

namespace warpscope {

// Nobody reads a longer table; more are refused.
inline constexpr std::uint32_t kMostListedComponents = 200'000;

struct ComponentsPlan final : Plan {
    ComponentRule rule;
};

const Operation& components_operation();

class ComponentRuns;

// The table, and where in the image its rows are.
struct FoundComponents {
    AnalysisTable table;
    std::shared_ptr<const ComponentRuns> runs;
    Size size;

    // Of a pixel; 0 where no component is, and outside of the image.
    std::uint32_t labelAt(int x, int y) const;
};

// Errors: LimitExceeded, Cancelled; throws std::bad_alloc.
Result<FoundComponents> componentsCpu(const ComponentsPlan& plan, const Image& image,
                                      const CpuContext& context);

}  // namespace warpscope
