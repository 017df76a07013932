// Launches that begin while the launch before them ends: what a launch costs by itself is over by
// then. Short kernels one after the other take up to half as long.
#pragma once

#include "cuda_kernels/runtime/device_answers.h"
#include "cuda_kernels/runtime/kernel_support.cuh"

namespace warpscope::cuda {

// What such a kernel does before it looks at anything in device memory: whatever came before it is
// complete from here on. Afterwards, too, it loads what the launch before may have written by
// ordinary loads: those for what nobody writes while a kernel runs (__ldg, ld.global.nc,
// __restrict__) may be made before this, and from caches that nobody keeps up to date.
__device__ __forceinline__ void waitForLaunchBefore() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

// From here on the next launch may begin, once all blocks have come here: nobody is kept waiting
// for a place by one that waits itself.
__device__ __forceinline__ void letNextLaunchBegin() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

// Whether code for this device waits: code made for earlier ones, translated by the driver, does
// not. All kernels are made for the same devices: one stands for those of its kind.
template <class... Expected>
bool waitsForLaunchBefore(const KernelContext& context, void (*kernel)(Expected...)) {
    if (context.traits().major < 9) return false;
    static DeviceAnswers waits;
    return waits.of(context.traits().index, [kernel] {
        cudaFuncAttributes attributes{};
        WARPSCOPE_CUDA(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(kernel)));
        return attributes.ptxVersion >= 90;
    });
}

// As launch(), of a kernel that calls waitForLaunchBefore().
template <class... Expected, class... Given>
void launchEarly(KernelContext& context, const char* name, unsigned blocks, unsigned threads,
                 std::size_t sharedBytes, void (*kernel)(Expected...), Given&&... arguments) {
    if (!waitsForLaunchBefore(context, kernel))
        return launch(context, name, blocks, threads, sharedBytes, kernel,
                      std::forward<Given>(arguments)...);
    constexpr std::size_t kWithoutAsking = 40 * 1024;
    if (sharedBytes > kWithoutAsking) {
        WARPSCOPE_CUDA(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                                            cudaFuncAttributeMaxDynamicSharedMemorySize,
                                            int(sharedBytes)));
    }
    cudaLaunchAttribute early{};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(threads);
    config.dynamicSmemBytes = sharedBytes;
    config.stream = context.stream();
    config.attrs = &early;
    config.numAttrs = 1;
    context.beginLaunch(name);
    check({name, __FILE__, __LINE__, false},
          [&] { return cudaLaunchKernelEx(&config, kernel, std::forward<Given>(arguments)...); });
    context.endLaunch();
}

}  // namespace warpscope::cuda
