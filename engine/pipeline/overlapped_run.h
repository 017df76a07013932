// One step from the host to the host, with its copies and its work side by side where a device can.
#pragma once

#include <vector>

#include "engine/backend/part_runs.h"
#include "engine/pipeline/banded_run.h"

namespace warpscope {

// Parts of rows of the step, from top to bottom, that together are its result. None where copies
// would not be hidden by that: little to copy, pixels that move, a result that depends on the whole
// image, a second input, a halo that is much of a part.
std::vector<PartRun> overlappingParts(const Plan& plan, const PartPlanner& planFor);

// As runAndFetch(), in these parts where there are any and the backend gains by them: `runs` then
// grows by how many they are.
Result<Image> runOverlapped(Backend& backend, const Plan& plan, const std::vector<PartRun>& parts,
                            const StepImages& in, const RunContext& context, int& runs);

}  // namespace warpscope
