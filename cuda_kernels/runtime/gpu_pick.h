// Which of several GPUs is taken. Needs no CUDA toolkit.
#pragma once

#include <string>
#include <vector>

#include "cuda_kernels/runtime/cuda_backend.h"
#include "engine/backend/backend_set.h"

namespace warpscope {

struct GpuPick {
    std::string uuid;    // empty: the first usable one
    std::string notice;  // why it is not the one that was wanted; empty if it is
};
// `wanted`: as gpuNameFrom() gives it; empty: none in particular. A name that no device has, or one
// that cannot be used, or more than one, is not followed, with a notice, which is empty where there
// is no GPU to use at all.
GpuPick pickGpu(const CudaReport& report, const std::string& wanted);

std::vector<GpuDevice> gpusOf(const CudaReport& report);

}  // namespace warpscope
