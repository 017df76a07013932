#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda_kernels/runtime/cuda_api.h"

namespace warpscope::cuda {

// Queues one copy of rows of the same length on both sides. Throws CudaFailure.
inline void queueRows(std::byte* to, std::int64_t toPitch, const std::byte* from,
                      std::int64_t fromPitch, std::int64_t rowBytes, int rows, cudaMemcpyKind kind,
                      cudaStream_t stream) {
    if (toPitch == fromPitch) {
        const auto bytes = std::size_t(toPitch * (rows - 1) + rowBytes);
        WARPSCOPE_CUDA(cudaMemcpyAsync(to, from, bytes, kind, stream));
        return;
    }
    WARPSCOPE_CUDA(cudaMemcpy2DAsync(to, std::size_t(toPitch), from, std::size_t(fromPitch),
                                     std::size_t(rowBytes), std::size_t(rows), kind, stream));
}

}  // namespace warpscope::cuda
