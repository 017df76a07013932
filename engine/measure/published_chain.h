// The experiments of the source texts as pipelines.
#pragma once

#include "engine/measure/published.h"
#include "engine/pipeline/pipeline.h"

namespace warpscope {

// The chain for one row: the steps before and, unless it is an analysis, the timed one as the last.
// Errors: NotFound (an operation that this build has not), InvalidArgument, Unsupported.
Result<Pipeline> chainOf(const PublishedExperiment& experiment, const PublishedRow& row);

}  // namespace warpscope
