// The backends of a machine with a fake GPU, and what must hold when they are gone.
#pragma once

#include <string>

#include "cuda_kernels/runtime/cuda_backend.h"
#include "cuda_kernels/runtime/device_fault.h"
#include "cuda_kernels/runtime/resources.h"
#include "engine/backend/backend_set.h"
#include "fake_cuda/fake_gpu.h"

namespace warpscope::test {

// Without the warm-up, which is thousands of calls.
inline BackendSet fakeBackends() {
    CudaOptions options;
    options.warmUp = false;
    return makeBackends(options);
}

// As if the program had been started anew. What is wrong after a backend's life: something is still
// there, or the runtime was used in a way that CUDA forbids; empty if nothing is.
inline std::string whatIsLeft() {
    cuda::forgetDeviceFault();
    std::string left = describeAlive();
    if (cuda::liveResources() != cuda::LiveResources{}) left += "; the owners' counters are not 0";
    for (const std::string& misuse : takeFakeMisuse()) left += "; " + misuse;
    return left;
}

}  // namespace warpscope::test
