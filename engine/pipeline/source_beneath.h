// The source of a chain as it lies beneath what the chain makes, pixel on pixel: what objects that
// are found in the result are measured in.
#pragma once

#include "engine/pipeline/executor.h"

namespace warpscope {

// Of a chain for an image of that format and size: its steps that move pixels (crop, turn, resize).
// A step that cannot be planned moves none.
Pipeline movingSteps(const Pipeline& pipeline, PixelFormat format, Size size);

// The request's source after these steps alone, on the request's backend; the source itself where
// there are none. Null where they cannot run on it, or give another size than `result`. Errors:
// Cancelled, OutOfMemory.
Result<Image> sourceBeneath(Executor& executor, ExecuteRequest request, Size result,
                            const RunContext& context);

}  // namespace warpscope
