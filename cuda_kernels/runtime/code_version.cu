#include "cuda_kernels/runtime/code_version.h"

#include <limits>

#include "cuda_kernels/runtime/cuda_api.h"

namespace warpscope::cuda {
namespace {

__global__ void nothingKernel() {}

}  // namespace

int codeVersion() {
    cudaFuncAttributes attributes{};
    // A program without any code for the device says so at its first launch.
    if (!WARPSCOPE_CUDA_QUIET(
            cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(&nothingKernel))))
        return std::numeric_limits<int>::max();
    return attributes.ptxVersion;
}

}  // namespace warpscope::cuda
