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
    // What minimum, maximum and mean are of, pixel on pixel: the source of the chain that made the
    // image. Null: of the image itself.
    Image source;
};

const Operation& components_operation();

// The plan that takes them from `source`, which the table then says. From the image itself where
// that is null, of another size, or of a format that the operation does not take. Errors: as
// Operation::plan.
Result<std::shared_ptr<const ComponentsPlan>> planComponents(const PlanRequest& request,
                                                             const Image& source);

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
