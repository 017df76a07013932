// The ways to run a Gaussian. All give the same bits; gaussian_blur.cu picks one, and has the one
// that runs where no other does.
#pragma once

#include <algorithm>

#include "cuda_kernels/runtime/kernel_support.cuh"
#include "engine/operations/smoothing/gaussian_blur.h"

namespace warpscope::cuda {

// 8-bit images: both passes as products with banded matrices on the integer tensor units, the
// intermediate kept on the multiprocessor.
bool canRunGaussianBanded(const DeviceTraits& traits, const GaussianBlurPlan& plan);
void runGaussianBanded(KernelContext& context, const GaussianBlurPlan& plan, const DeviceImage& in,
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
