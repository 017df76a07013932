// Launches all blocks of which are on the device at once, so that they may wait for each other: a
// kernel that needs the whole image before it makes the first pixel keeps its part of it meanwhile.
//
// Nobody waits for a place that is never free. Such a launch is cooperative: the driver gives all
// of its blocks their places or refuses it. Its blocks let the next launch begin only once they are
// all there, and those of the next one, which may be of this kind, wait for the end of this one
// before they wait for each other. The launch before has all of its blocks there, too, or is over.
// Kernels of other kinds, of other streams, end by themselves; another process has its own slice of
// time. Two launches of this kind fit on the device side by side, whatever the driver does; so that
// nobody has to rely on more, there are none where more backends share it.
#pragma once

#include "cuda_kernels/runtime/backend_count.h"
#include "cuda_kernels/runtime/early_launch.cuh"

namespace warpscope::cuda {

// Blocks of `threads` threads and `sharedBytes` of dynamic shared memory that fit on the device at
// once; 0 where such launches are not to be had. Throws CudaFailure.
template <class... Expected>
unsigned residentBlocks(const KernelContext& context, void (*kernel)(Expected...), unsigned threads,
                        std::size_t sharedBytes) {
    const auto* address = reinterpret_cast<const void*>(kernel);
    int cooperative = 0, each = 0;
    WARPSCOPE_CUDA(
        cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, context.traits().index));
    if (!cooperative || sharedBytes > context.traits().sharedPerBlock) return 0;
    if (backendsOn(context.traits().index) > 2) return 0;
    WARPSCOPE_CUDA(cudaFuncSetAttribute(address, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        int(sharedBytes)));
    WARPSCOPE_CUDA(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, address, int(threads), sharedBytes));
    return unsigned(each * context.traits().multiprocessors);
}

// As launchEarly(), of at most residentBlocks() blocks, of a kernel that waitsForLaunchBefore().
template <class... Expected, class... Given>
void launchResident(KernelContext& context, const char* name, unsigned blocks, unsigned threads,
                    std::size_t sharedBytes, void (*kernel)(Expected...), Given&&... arguments) {
    cudaLaunchAttribute attributes[2]{};
    attributes[0].id = cudaLaunchAttributeCooperative;
    attributes[0].val.cooperative = 1;
    attributes[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[1].val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(threads);
    config.dynamicSmemBytes = sharedBytes;
    config.stream = context.stream();
    config.attrs = attributes;
    config.numAttrs = 2;
    context.beginLaunch(name);
    check({name, __FILE__, __LINE__, false},
          [&] { return cudaLaunchKernelEx(&config, kernel, std::forward<Given>(arguments)...); });
    context.endLaunch();
}

}  // namespace warpscope::cuda
