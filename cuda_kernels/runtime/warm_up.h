// The first launch of a kernel loads it.
#pragma once

#include "engine/backend/backend.h"

namespace warpscope::cuda {

// Launches every kernel once, on tiny images, and loads those that only large ones reach. Errors:
// those of the backend, and Unsupported where there is no code for its device. Throws CudaFailure.
Result<void> warmUp(Backend& backend);

}  // namespace warpscope::cuda
