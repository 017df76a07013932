// One step in bands of rows of its output, for a device that has no room for all of it at once. The
// bands are put together on the host; every bit is that of the step in one piece.
#pragma once

#include <functional>

#include "engine/backend/backend.h"

namespace warpscope {

// The step's plan for a part of its input; what depends on the whole image is frozen in it. Errors:
// any.
using PartPlanner = std::function<Result<PlanPtr>(const Placement& part)>;

// Whether bands of the step are parts of its result. Not where pixels anywhere in the image decide
// about each other: only tables of levels can be taken from the whole and applied to a part. Not
// where the step is wrong on purpose, since its mistakes depend on sizes, and not in a reduced
// copy, which rounds places.
bool worksInBands(const Plan& plan);

// Uploads, runs and downloads; nothing is left on the backend. Errors: as the backend's.
// Each run() that succeeds adds 1 to `runs`, whatever comes after it.
Result<Image> runAndFetch(Backend& backend, const Plan& plan, const StepImages& in,
                          const RunContext& context, int& runs);

struct BandedOutput {
    Image image;
    int bands = 0;
};

// For a plan that worksInBands(); `in` as Operation::runCpu takes it. Two bands are tried first;
// where memory does not suffice, what is left is done in bands of half as many rows, down to a
// least height. Errors: OutOfMemory where bands of that height do not fit either, Unsupported
// (a part cannot be planned), Cancelled, and the backend's. `runs` as above.
Result<BandedOutput> runInBands(Backend& backend, const Plan& plan, const PartPlanner& planFor,
                                const StepImages& in, const RunContext& context, int& runs);

}  // namespace warpscope
