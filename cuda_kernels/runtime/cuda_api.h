// The one seam between this library and the CUDA runtime. Every runtime call and every launch goes
// through WARPSCOPE_CUDA (throws CudaFailure) or WARPSCOPE_CUDA_QUIET (logs; for destructors).
// Tests put a hook in front of it and make any call fail with any code without a GPU fault.
// Internal to cuda_kernels: CudaFailure never leaves a Backend.
#pragma once

#include <cuda_runtime_api.h>

#include <exception>
#include <functional>
#include <string>

#include "engine/base/result.h"

namespace warpscope::cuda {

struct CallSite {
    const char* call = "";  // the expression, "cudaStreamSynchronize(m_stream)", or a kernel's name
    const char* file = "";
    int line = 0;
    bool quiet = false;  // in a destructor or another place where failure is only logged
};

// Asked before each call; anything but cudaSuccess makes the call fail with that code without being
// made. Quiet calls are made all the same and only told to have failed: they give things back, and
// a pretended fault must not leak what is really there. Empty: no hook. Not thread-safe: set it
// while no backend is in use.
using CallHook = std::function<cudaError_t(const CallSite&)>;
void setCallHook(CallHook hook);

class CudaFailure final : public std::exception {
  public:
    CudaFailure(cudaError_t code, const CallSite& site);
    cudaError_t code() const { return m_code; }
    const char* what() const noexcept override { return m_text.c_str(); }

  private:
    cudaError_t m_code;
    std::string m_text;
};

// Thrown between launches and copies when somebody asked to stop.
struct Stopped {};

namespace detail {
cudaError_t askHook(const CallSite& site);
[[noreturn]] void raise(cudaError_t code, const CallSite& site);
void logFailure(cudaError_t code, const CallSite& site) noexcept;
}  // namespace detail

template <class Call>
void check(const CallSite& site, Call&& call) {
    cudaError_t code = detail::askHook(site);
    if (code == cudaSuccess) code = call();
    if (code != cudaSuccess) detail::raise(code, site);
}

// False where the call failed; the failure has been logged then.
template <class Call>
bool checkQuietly(const CallSite& site, Call&& call) noexcept {
    const cudaError_t injected = detail::askHook(site);
    cudaError_t code = call();
    if (injected != cudaSuccess) code = injected;
    if (code != cudaSuccess) detail::logFailure(code, site);
    return code == cudaSuccess;
}

// How a CUDA code looks from outside. Codes after which the context can do nothing more are
// DeviceFault; those that say that we called wrongly are Internal and leave the device usable.
ErrorCode errorCodeFor(cudaError_t code);

}  // namespace warpscope::cuda

#define WARPSCOPE_CUDA(...)                                             \
    ::warpscope::cuda::check({#__VA_ARGS__, __FILE__, __LINE__, false}, \
                             [&]() -> cudaError_t { return __VA_ARGS__; })
#define WARPSCOPE_CUDA_QUIET(...)                                             \
    ::warpscope::cuda::checkQuietly({#__VA_ARGS__, __FILE__, __LINE__, true}, \
                                    [&]() -> cudaError_t { return __VA_ARGS__; })
