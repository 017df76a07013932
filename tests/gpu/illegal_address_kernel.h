// A fault of the device on purpose.
#pragma once

#include <cuda_runtime_api.h>

// Queues a kernel that writes where no memory is. The device's context is lost with it: whatever
// the process asks of CUDA afterwards, in any stream, fails. Launched on a stream of its own.
cudaError_t launchIllegalWrite();
