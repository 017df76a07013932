// Names and texts of codes, and the last error of a thread.
#include <utility>

#include "fake_cuda/fake_state.h"

namespace {

struct Known {
    cudaError_t code;
    const char* name;
    const char* text;
};
constexpr Known kKnown[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInvalidMemcpyDirection, "cudaErrorInvalidMemcpyDirection", "no such direction"},
    {cudaErrorNoDevice, "cudaErrorNoDevice", "no device is there"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "no such device"},
    {cudaErrorECCUncorrectable, "cudaErrorECCUncorrectable", "memory error beyond correction"},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "no such handle"},
    {cudaErrorIllegalState, "cudaErrorIllegalState", "not in this state"},
    {cudaErrorNotReady, "cudaErrorNotReady", "not done yet"},
    {cudaErrorIllegalAddress, "cudaErrorIllegalAddress", "access to an illegal address"},
    {cudaErrorLaunchOutOfResources, "cudaErrorLaunchOutOfResources", "too much for a launch"},
    {cudaErrorLaunchTimeout, "cudaErrorLaunchTimeout", "the launch took too long"},
    {cudaErrorHostMemoryAlreadyRegistered, "cudaErrorHostMemoryAlreadyRegistered",
     "memory is page-locked already"},
    {cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "the launch failed"},
    {cudaErrorNotSupported, "cudaErrorNotSupported", "not supported here"},
    {cudaErrorStreamCaptureUnsupported, "cudaErrorStreamCaptureUnsupported",
     "not while a graph is captured"},
    {cudaErrorStreamCaptureInvalidated, "cudaErrorStreamCaptureInvalidated",
     "the capture was broken before"},
    {cudaErrorCapturedEvent, "cudaErrorCapturedEvent", "an event of a captured graph"},
    {cudaErrorUnknown, "cudaErrorUnknown", "nobody knows what"},
};

const Known* find(cudaError_t code) {
    for (const Known& known : kKnown)
        if (known.code == code) return &known;
    return nullptr;
}

thread_local cudaError_t lastError = cudaSuccess;

}  // namespace

namespace warpscope::test::fake {

cudaError_t keep(cudaError_t code) {
    if (code != cudaSuccess) lastError = code;
    return code;
}

}  // namespace warpscope::test::fake

extern "C" {

const char* cudaGetErrorName(cudaError_t error) {
    const Known* known = find(error);
    return known ? known->name : "a code that the fake runtime has no name for";
}

const char* cudaGetErrorString(cudaError_t error) {
    const Known* known = find(error);
    return known ? known->text : "a code that the fake runtime has no text for";
}

cudaError_t cudaGetLastError() {
    return std::exchange(lastError, cudaSuccess);
}
}

// CUDA's own values: compiled with its header, too.
static_assert(cudaErrorInvalidConfiguration == 9 && cudaErrorInvalidPitchValue == 12 &&
              cudaErrorInvalidSymbol == 13 && cudaErrorInsufficientDriver == 35 &&
              cudaErrorInvalidDeviceFunction == 98 && cudaErrorNoKernelImageForDevice == 209 &&
              cudaErrorUnsupportedPtxVersion == 222 && cudaErrorCooperativeLaunchTooLarge == 720);
static_assert(cudaErrorMemoryAllocation == 2 && cudaErrorInvalidValue == 1 &&
              cudaErrorInvalidMemcpyDirection == 21 && cudaErrorNoDevice == 100 &&
              cudaErrorInvalidDevice == 101 && cudaErrorECCUncorrectable == 214 &&
              cudaErrorInvalidResourceHandle == 400 && cudaErrorIllegalState == 401 &&
              cudaErrorNotReady == 600 && cudaErrorIllegalAddress == 700 &&
              cudaErrorLaunchOutOfResources == 701 && cudaErrorLaunchTimeout == 702 &&
              cudaErrorHostMemoryAlreadyRegistered == 712 && cudaErrorLaunchFailure == 719 &&
              cudaErrorNotSupported == 801 && cudaErrorUnknown == 999);
static_assert(cudaErrorStreamCaptureUnsupported == 900 &&
              cudaErrorStreamCaptureInvalidated == 901 && cudaErrorStreamCaptureMerge == 902 &&
              cudaErrorStreamCaptureUnmatched == 903 && cudaErrorStreamCaptureUnjoined == 904 &&
              cudaErrorStreamCaptureIsolation == 905 && cudaErrorStreamCaptureImplicit == 906 &&
              cudaErrorCapturedEvent == 907 && cudaErrorStreamCaptureWrongThread == 908);
static_assert(cudaMemPoolAttrReleaseThreshold == 4 && cudaMemPoolAttrReservedMemCurrent == 5 &&
              cudaMemPoolAttrUsedMemCurrent == 7 && cudaMemcpyHostToDevice == 1 &&
              cudaMemcpyDeviceToHost == 2 && cudaMemcpyDeviceToDevice == 3 &&
              cudaStreamNonBlocking == 1 && cudaEventDisableTiming == 2);
