// BlurMix on the device, four samples at a time.
#pragma once

#include "cuda_kernels/runtime/cut_bytes.cuh"
#include "cuda_kernels/runtime/dot_products.cuh"
#include "cuda_kernels/smoothing/gaussian_blur.cuh"

namespace warpscope::cuda {

// As it is, what is blurred.
struct NoMix {
    static constexpr bool kUsesBeside = false;
    __device__ __forceinline__ std::uint32_t operator()(std::uint32_t,
                                                        std::uint32_t blurred) const {
        return blurred;
    }
};

struct MixedBytes {
    static constexpr bool kUsesBeside = true;
    std::uint32_t weights = 0;
    std::int32_t added = 0;
    int shift = 0, threshold = -1;

    MixedBytes() = default;
    explicit MixedBytes(const BlurMix& mix)
        : weights((std::uint32_t(mix.ofBeside) & 0xffffu) | std::uint32_t(mix.ofBlurred) << 16),
          added(mix.added),
          shift(mix.shift),
          threshold(mix.threshold) {}

    __device__ __forceinline__ std::uint32_t operator()(std::uint32_t beside,
                                                        std::uint32_t blurred) const {
        const std::uint32_t first = __byte_perm(beside, blurred, 0x5140);
        const std::uint32_t second = __byte_perm(beside, blurred, 0x7362);
        const std::uint32_t upper = cutBytes(dotHigh(weights, second, added) >> shift,
                                             dotLow(weights, second, added) >> shift, 0);
        const std::uint32_t made = cutBytes(dotHigh(weights, first, added) >> shift,
                                            dotLow(weights, first, added) >> shift, upper);
        if (threshold < 0) return made;
        const std::uint32_t changed =
            __vcmpgtu4(__vabsdiffu4(beside, blurred), std::uint32_t(threshold) * 0x01010101u);
        return (made & changed) | (beside & ~changed);
    }
    // Of a pixel, whose alpha stays.
    __device__ __forceinline__ std::uint32_t colours(std::uint32_t beside,
                                                     std::uint32_t blurred) const {
        return ((*this)(beside, blurred) & 0x00ffffffu) | (beside & 0xff000000u);
    }
};

// What BlurMix::sharpening makes.
struct SharpenedBytes {
    static constexpr bool kUsesBeside = true;
    std::uint32_t weights;
    int threshold;

    explicit SharpenedBytes(const BlurMix& mix)
        : weights((std::uint32_t(mix.ofBeside) & 0xffffu) | std::uint32_t(mix.ofBlurred) << 16),
          threshold(mix.threshold) {}

    // A sum that is cut to 16 bits has the result as its upper byte.
    __device__ __forceinline__ std::uint32_t operator()(std::uint32_t beside,
                                                        std::uint32_t blurred) const {
        const std::uint32_t first = __byte_perm(beside, blurred, 0x5140);
        const std::uint32_t second = __byte_perm(beside, blurred, 0x7362);
        const std::uint32_t lower =
            cutHalves(dotHigh(weights, first, 128), dotLow(weights, first, 128));
        const std::uint32_t upper =
            cutHalves(dotHigh(weights, second, 128), dotLow(weights, second, 128));
        const std::uint32_t made = __byte_perm(lower, upper, 0x7531);
        if (threshold < 0) return made;
        const std::uint32_t changed =
            __vcmpgtu4(__vabsdiffu4(beside, blurred), std::uint32_t(threshold) * 0x01010101u);
        return (made & changed) | (beside & ~changed);
    }
};

// The difference of two blurs around the middle of the range.
struct AroundGray {
    static constexpr bool kUsesBeside = false;
    std::uint32_t weights;

    explicit AroundGray(std::int32_t gain)
        : weights(std::uint32_t(gain) | std::uint32_t(-gain) << 16) {}
    __device__ __forceinline__ std::uint32_t operator()(std::uint32_t small,
                                                        std::uint32_t large) const {
        const std::uint32_t first = __byte_perm(small, large, 0x5140);
        const std::uint32_t second = __byte_perm(small, large, 0x7362);
        const std::uint32_t upper =
            cutBytes(dotHigh(weights, second, 128), dotLow(weights, second, 128), 0);
        return cutBytes(dotHigh(weights, first, 128), dotLow(weights, first, 128), upper);
    }
};

}  // namespace warpscope::cuda
