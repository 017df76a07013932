#include "cuda_kernels/runtime/cuda_api.h"

#include <fmt/format.h>

#include <cstring>

#include "engine/base/log.h"

namespace warpscope::cuda {
namespace {

CallHook& hookSlot() {
    static CallHook hook;
    return hook;
}

const char* fileName(const char* path) {
    const char* slash = std::strrchr(path, '/');
    return slash ? slash + 1 : path;
}

std::string describeFailure(cudaError_t code, const CallSite& site) {
    return fmt::format("CUDA: {} ({}) in {} at {}:{}", cudaGetErrorString(code),
                       cudaGetErrorName(code), site.call, fileName(site.file), site.line);
}

}  // namespace

void setCallHook(CallHook hook) {
    hookSlot() = std::move(hook);
}

CudaFailure::CudaFailure(cudaError_t code, const CallSite& site)
    : m_code(code), m_text(describeFailure(code, site)) {}

namespace detail {

cudaError_t askHook(const CallSite& site) {
    const CallHook& hook = hookSlot();
    return hook ? hook(site) : cudaSuccess;
}

void raise(cudaError_t code, const CallSite& site) {
    // A code that is not sticky would otherwise be reported again by a later, innocent call.
    static_cast<void>(cudaGetLastError());
    throw CudaFailure(code, site);
}

void logFailure(cudaError_t code, const CallSite& site) noexcept {
    try {
        static_cast<void>(cudaGetLastError());
        logMessage(LogLevel::Warning, describeFailure(code, site));
    } catch (...) {
        // Nothing is left to do: this runs in destructors.
    }
}

}  // namespace detail

ErrorCode errorCodeFor(cudaError_t code) {
    switch (code) {
        case cudaErrorMemoryAllocation:
            return ErrorCode::OutOfMemory;
        case cudaErrorNotSupported:
        case cudaErrorNoKernelImageForDevice:
        case cudaErrorUnsupportedPtxVersion:
            return ErrorCode::Unsupported;
        case cudaErrorNoDevice:
        case cudaErrorInvalidDevice:
        case cudaErrorInsufficientDriver:
            return ErrorCode::NotFound;
        case cudaErrorInvalidValue:
        case cudaErrorInvalidConfiguration:
        case cudaErrorInvalidPitchValue:
        case cudaErrorInvalidSymbol:
        case cudaErrorInvalidMemcpyDirection:
        case cudaErrorInvalidDeviceFunction:
        case cudaErrorInvalidResourceHandle:
        case cudaErrorLaunchOutOfResources:
        case cudaErrorCooperativeLaunchTooLarge:
        // A graph could not be made; the same work without one is fine.
        case cudaErrorStreamCaptureUnsupported:
        case cudaErrorStreamCaptureInvalidated:
        case cudaErrorStreamCaptureMerge:
        case cudaErrorStreamCaptureUnmatched:
        case cudaErrorStreamCaptureUnjoined:
        case cudaErrorStreamCaptureIsolation:
        case cudaErrorStreamCaptureImplicit:
        case cudaErrorCapturedEvent:
        case cudaErrorStreamCaptureWrongThread:
            return ErrorCode::Internal;
        default:
            // Everything else is a fault of the device, the driver or a kernel. Those are sticky in
            // the runtime; taking an unknown one for sticky costs a fall-back to the CPU, taking a
            // sticky one for harmless would give wrong pixels.
            return ErrorCode::DeviceFault;
    }
}

}  // namespace warpscope::cuda
