// A filter step in parts of rows, for a device that copies one part while it computes another.
#pragma once

#include <vector>

#include "engine/base/result.h"
#include "engine/image/image.h"
#include "engine/operations/operation.h"

namespace warpscope {

struct RunContext;

struct PartRun {
    PlanPtr plan;  // for the rows of the input from firstIn on, as many as plan->size has
    int firstIn = 0;
    int firstMade = 0;  // the row of the part's output from which on it is the result
    int firstOut = 0;   // where that row lies in the result
    int rows = 0;
};

// What a backend is besides where it can. One thread at a time, as the backend.
class PartRunner {
  public:
    virtual ~PartRunner() = default;

    // From an image on the host to the result on the host; nothing of it stays on the device. The
    // parts are as overlappingParts() makes them (engine/pipeline/overlapped_run.h). Errors:
    // Unsupported where parts would be no quicker than the whole, before anything was done; else
    // as Backend::upload(), run() and download().
    virtual Result<Image> runParts(const Plan& plan, const std::vector<PartRun>& parts,
                                   const Image& input, const RunContext& context) = 0;
};

}  // namespace warpscope
