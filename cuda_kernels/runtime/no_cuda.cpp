// The library of a build without CUDA.
#include "cuda_kernels/runtime/cuda_backend.h"
#include "engine/backend/backend_set.h"

namespace warpscope {
namespace {

constexpr const char* kNotBuilt = "this program was built without CUDA";

}  // namespace

CudaReport queryCuda() {
    CudaReport report;
    report.unavailable = kNotBuilt;
    return report;
}

Result<std::unique_ptr<Backend>> makeCudaBackend(const CudaOptions&) {
    return fail(ErrorCode::NotFound, kNotBuilt);
}

BackendSet makeBackends(const CudaOptions&) {
    return BackendSet::cpuOnly(kNotBuilt);
}

}  // namespace warpscope
