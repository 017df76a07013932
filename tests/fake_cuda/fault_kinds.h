// The faults that tests pretend, and whether a text tells a person of them.
#pragma once

#include <string>

#include "fake_cuda/fault_hook.h"

namespace warpscope::test {

struct FaultKind {
    const char* name;
    cudaError_t code;
    Lasting lasting;

    bool isMemory() const { return code == cudaErrorMemoryAllocation; }
    bool isForEver() const { return lasting == Lasting::ForEver; }
};
inline constexpr FaultKind kKinds[] = {
    {"no memory once", cudaErrorMemoryAllocation, Lasting::Once},
    {"no memory there", cudaErrorMemoryAllocation, Lasting::SamePlace},
    {"too much for a launch", cudaErrorLaunchOutOfResources, Lasting::Once},
    {"always too much for that launch", cudaErrorLaunchOutOfResources, Lasting::SamePlace},
    {"capture broken", cudaErrorStreamCaptureInvalidated, Lasting::Once},
    {"capture always broken there", cudaErrorStreamCaptureInvalidated, Lasting::SamePlace},
    {"launch failed", cudaErrorLaunchFailure, Lasting::ForEver},
    {"illegal address", cudaErrorIllegalAddress, Lasting::ForEver},
    {"memory damaged", cudaErrorECCUncorrectable, Lasting::ForEver},
};

inline bool contains(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

// Whether a person learns from it what happened.
inline bool explains(const std::string& reason, const FaultKind& kind) {
    if (kind.isMemory()) return contains(reason, "not enough") && contains(reason, "memory");
    if (!contains(reason, cudaGetErrorName(kind.code))) return false;
    return contains(reason, "restart to use the GPU again") == kind.isForEver();
}

// Of a backend that could not be made.
inline bool explainsMissing(const std::string& reason, const FaultKind& kind) {
    return contains(reason, cudaGetErrorString(kind.code));
}

}  // namespace warpscope::test
