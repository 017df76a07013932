#include <cuda_runtime.h>

#include <cstdint>

#include "illegal_address_kernel.h"

namespace {

__global__ void illegalWriteKernel(std::uintptr_t address) {
    *reinterpret_cast<volatile std::uint32_t*>(address) = 1;
}

}  // namespace

cudaError_t launchIllegalWrite() {
    cudaStream_t stream = nullptr;
    const cudaError_t created = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    if (created != cudaSuccess) return created;
    // Aligned, and below everything that is ever mapped.
    illegalWriteKernel<<<1, 1, 0, stream>>>(std::uintptr_t(0x1000));
    return cudaGetLastError();
}
