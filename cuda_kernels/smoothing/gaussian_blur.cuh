// The ways to run a Gaussian. All give the same bits; gaussian_blur.cu picks one, and has the one
// that runs where no other does.
#pragma once

#include <algorithm>
#include <cstdlib>

#include "cuda_kernels/runtime/kernel_support.cuh"
#include "cuda_kernels/smoothing/gaussian_blur_choice.h"

namespace warpscope::cuda {

// What an operation makes of a blurred 8-bit sample and one beside it, of which it also takes
// alpha: (ofBeside * beside + ofBlurred * blurred + added) >> shift, cut to 8 bits; what differs by
// no more than `threshold` stays as it is beside.
struct BlurMix {
    std::int32_t ofBeside = 0, ofBlurred = 0;  // 16 bits each
    std::int32_t added = 0;
    int shift = 0;
    int threshold = -1;

    // Differences of no more than 0 give what is beside by themselves.
    static BlurMix sharpening(std::int32_t amount, int threshold) {
        return {256 + amount, -amount, 128, 8, threshold > 0 ? threshold : -1};
    }
    static BlurMix difference(std::int32_t gain) { return {gain, -gain, 128, 0, -1}; }

    bool fits() const {
        return std::max(std::abs(ofBeside), std::abs(ofBlurred)) <= 32767 && threshold <= 255;
    }
};
// Whether runGaussianMixed takes the plan.
bool canMixGaussian(const DeviceTraits& traits, const GaussianBlurPlan& plan, const BlurMix& mix);
// `beside` may be `in` or `out`.
void runGaussianMixed(KernelContext& context, const GaussianBlurPlan& plan, const DeviceImage& in,
                      const DeviceImage& beside, const DeviceImage& out, const BlurMix& mix);

// 8-bit images and small radii: both passes in registers. `mix`: null for the blur itself.
bool canRunGaussianSmall(const GaussianBlurPlan& plan);
void runGaussianSmall(KernelContext& context, const GaussianBlurPlan& plan, const DeviceImage& in,
                      const DeviceImage& beside, const DeviceImage& out, const BlurMix* mix);

// What prefersGaussianFive takes: the same.
void runGaussianFive(KernelContext& context, const GaussianBlurPlan& plan, const DeviceImage& in,
                     const DeviceImage& out);
void loadGaussianFive();

// 8-bit images: both passes as products with banded matrices on the integer tensor units, the
// intermediate kept on the multiprocessor.
bool canRunGaussianBanded(const DeviceTraits& traits, const GaussianBlurPlan& plan);
void runGaussianBanded(KernelContext& context, const GaussianBlurPlan& plan, const DeviceImage& in,
                       const DeviceImage& beside, const DeviceImage& out, const BlurMix* mix);
void loadGaussianBanded();

// What prefersGaussianWarpgroup takes: the same as products of four warps each, whose right factors
// lie in shared memory. Built for compute capability 9.0 alone.
void runGaussianWarpgroup(KernelContext& context, const GaussianBlurPlan& plan,
                          const DeviceImage& in, const DeviceImage& beside, const DeviceImage& out,
                          const BlurMix* mix);
void runGaussianColourWarpgroup(KernelContext& context, const GaussianBlurPlan& plan,
                                const DeviceImage& in, const DeviceImage& beside,
                                const DeviceImage& out, const BlurMix* mix);

// What fitsGaussianWarp takes: both passes on the tensor units and in the registers of a warp.
// `mix`: a sharpening, of the input beside the blur; null for the blur itself.
void runGaussianWarp(KernelContext& context, const GaussianBlurPlan& plan, const DeviceImage& in,
                     const DeviceImage& out, const BlurMix* mix);
// What of that prefersGaussianPairs takes, to the same bits.
void runGaussianPairs(KernelContext& context, const GaussianBlurPlan& plan, const DeviceImage& in,
                      const DeviceImage& out, const BlurMix* mix);
void loadGaussianPairs();
// clamp(128 + gain (small - large)) of two such blurs. `gain`: up to 32,767.
void runGaussianDifference(KernelContext& context, const GaussianBlurPlan& small,
                           const GaussianBlurPlan& large, std::int32_t gain, const DeviceImage& in,
                           const DeviceImage& out);

// 16-bit images: two passes with 24-bit sums in device memory. Every device, every radius.
void runGaussian16(KernelContext& context, const GaussianBlurPlan& plan, const DeviceImage& in,
                   const DeviceImage& out);

// The plan's variant, not automatic, as published; 8 and 16 bits.
void runGaussianPublished(KernelContext& context, const GaussianBlurPlan& plan,
                          const DeviceImage& in, const DeviceImage& out);

// Float images: every variant, to the same bits as the CPU.
void runGaussianFloat(KernelContext& context, const GaussianBlurPlan& plan, const DeviceImage& in,
                      const DeviceImage& out);

// The weights as kernels take them. 16 bits are enough, because a plan with a single weight of
// 65,536 is an identity and never gets here.
struct GaussianTaps {
    int radius = 0;
    std::uint16_t weights[kMaxGaussianSize + 1] = {};

    explicit GaussianTaps(const GaussianBlurPlan& plan) : radius(plan.radius) {
        std::copy(plan.taps.begin(), plan.taps.end(), weights);
    }
};

}  // namespace warpscope::cuda
