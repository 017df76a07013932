// The most arithmetic that plain instructions of a GPU do.
#pragma once

#include "cuda_kernels/runtime/device_context.h"
#include "engine/backend/backend.h"

namespace warpscope::cuda {

// Float multiply-adds on registers, the best of some launches of about a millisecond. Throws
// CudaFailure, Stopped.
ArithmeticPeak measureArithmeticPeak(DeviceContext& device, const RunContext& context);

}  // namespace warpscope::cuda
