// What kernels and their launchers share.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <utility>

#include "cuda_kernels/runtime/runner.h"

namespace warpscope::cuda {

// Queues a kernel; throws CudaFailure naming it. The name is a literal: recorded spans keep it.
template <class... Expected, class... Given>
void launch(KernelContext& context, const char* name, unsigned blocks, unsigned threads,
            std::size_t sharedBytes, void (*kernel)(Expected...), Given&&... arguments) {
    // 48 KiB less what a kernel may have as static shared memory.
    constexpr std::size_t kWithoutAsking = 40 * 1024;
    if (sharedBytes > kWithoutAsking) {
        WARPSCOPE_CUDA(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                                            cudaFuncAttributeMaxDynamicSharedMemorySize,
                                            int(sharedBytes)));
    }
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(threads);
    config.dynamicSmemBytes = sharedBytes;
    config.stream = context.stream();
    context.beginLaunch(name);
    check({name, __FILE__, __LINE__, false},
          [&] { return cudaLaunchKernelEx(&config, kernel, std::forward<Given>(arguments)...); });
    context.endLaunch();
}

// Loads a kernel that no tiny image reaches, which else its first launch does.
template <class Kernel>
void loadKernel(Kernel* kernel) {
    cudaFuncAttributes attributes{};
    WARPSCOPE_CUDA(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(kernel)));
}

constexpr unsigned divideUp(std::uint64_t a, std::uint64_t b) {
    return unsigned((a + b - 1) / b);
}

// Division of numbers below 2^31 by a constant that is known at launch: a multiplication.
struct FastDivide {
    std::uint32_t divisor = 1;
    std::uint32_t factor = 0;
    std::uint32_t shift = 0;

    FastDivide() = default;
    explicit FastDivide(std::uint32_t d) : divisor(d) {
        std::uint32_t log = 0;
        while ((std::uint64_t(1) << log) < d) ++log;
        if (log == 0) return;
        factor = std::uint32_t((std::uint64_t(1) << (31 + log)) / d + 1);
        shift = log - 1;
    }
    __device__ std::uint32_t operator()(std::uint32_t n) const {
        return divisor == 1 ? n : __umulhi(n, factor) >> shift;
    }
};

// Pieces of `pieceBytes` that cover the rows [first, last) of an image, numbered along the rows.
// Rows without padding between them are taken as one.
struct Pieces {
    FastDivide perRow;
    std::uint32_t count = 0;
    std::uint32_t lastPixels = 0;  // pixels of a row's last piece

    // `packed`: the rows of every image that takes part follow each other without padding.
    static Pieces of(int width, int rows, int pixelsPerPiece, bool packed) {
        const std::uint64_t pixels =
            packed ? std::uint64_t(width) * unsigned(rows) : unsigned(width);
        const std::uint64_t row =
            (pixels + unsigned(pixelsPerPiece) - 1) / unsigned(pixelsPerPiece);
        Pieces pieces;
        pieces.perRow = FastDivide(std::uint32_t(row));
        pieces.count = std::uint32_t(row * (packed ? 1u : unsigned(rows)));
        pieces.lastPixels = std::uint32_t(pixels - (row - 1) * unsigned(pixelsPerPiece));
        return pieces;
    }
};

inline bool isPacked(const DeviceImage& image) {
    return image.pitch == image.rowBytes();
}

inline DeviceImage rowsOf(const DeviceImage& image, int first, int last) {
    return {image.data + first * image.pitch,
            image.pitch,
            {image.size.width, last - first},
            image.format};
}

// Calls work.operator()<T, C>() with the type of a format's samples and their number in a pixel.
template <class Work>
void forSamples(PixelFormat format, Work&& work) {
    if (bytesPerSample(format) == 1)
        isColor(format) ? work.template operator()<std::uint8_t, 4>()
                        : work.template operator()<std::uint8_t, 1>();
    else
        isColor(format) ? work.template operator()<std::uint16_t, 4>()
                        : work.template operator()<std::uint16_t, 1>();
}

// BT.601 luma of 8 or 16-bit samples.
__device__ __forceinline__ std::uint32_t luma(std::uint32_t r, std::uint32_t g, std::uint32_t b) {
    return (19595u * r + 38470u * g + 7471u * b + 32768u) >> 16;
}

// BT.601 luma of float samples. Each product and sum is rounded by itself, as on the CPU.
__device__ __forceinline__ float weightedSum(float r, float g, float b, float red, float green,
                                             float blue) {
    return __fadd_rn(__fadd_rn(__fmul_rn(r, red), __fmul_rn(g, green)), __fmul_rn(b, blue));
}
__device__ __forceinline__ float luma(float r, float g, float b) {
    return weightedSum(r, g, b, 19595.0f / 65536.0f, 38470.0f / 65536.0f, 7471.0f / 65536.0f);
}

__device__ __forceinline__ std::uint32_t byteOf(std::uint32_t word, int index) {
    return (word >> (8 * index)) & 255u;
}

}  // namespace warpscope::cuda
