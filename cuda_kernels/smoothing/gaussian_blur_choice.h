// Which of the kernels for small radii a Gaussian of 8-bit samples fits: known without a GPU.
#pragma once

#include "engine/operations/smoothing/gaussian_blur.h"

namespace warpscope::cuda {

inline constexpr int kMostWarpRadius = 15;
inline constexpr int kMostDenseRadius = 8;        // of gaussian_blur_warp.cu by itself
inline constexpr int kMostSmallSparseRadius = 7;  // of products of 32 that leave zeros out

// gaussian_blur_warp.cu and what it runs instead. `integerMma`: whether the device has tensor units
// for integers.
inline bool fitsGaussianWarp(const GaussianBlurPlan& plan, bool integerMma) {
    return integerMma && bytesPerSample(plan.input) == 1 && !plan.identity && plan.radius >= 1 &&
           plan.radius <= kMostWarpRadius;
}

// Whether a blur alone runs there rather than as ordinary arithmetic (gaussian_blur_small.cu, up to
// radius 3), which 3 x 3 takes, and 5 x 5 of large colour images.
inline bool prefersGaussianWarp(const GaussianBlurPlan& plan, Size size, bool integerMma) {
    constexpr std::int64_t kManyPixels = 4'000'000;
    const bool large = std::int64_t(size.width) * size.height > kManyPixels;
    return fitsGaussianWarp(plan, integerMma) &&
           plan.radius > (isColor(plan.input) && large ? 2 : 1);
}

// Whether a blur alone runs as gaussian_blur_five.cu does it: 5 x 5 of gray images of whole pieces
// of a row, so large that each multiprocessor has much of them (gray 3840 x 2160 is as fast
// otherwise).
inline constexpr int kFivePixels = 16;  // of a piece
inline bool prefersGaussianFive(const GaussianBlurPlan& plan, Size size, int multiprocessors) {
    constexpr std::int64_t kPixelsEach = 120'000;
    return plan.input == PixelFormat::Gray8 && !plan.identity && plan.radius == 2 &&
           size.width % kFivePixels == 0 &&
           std::int64_t(size.width) * size.height >= kPixelsEach * multiprocessors;
}

// Whether blurs that fitsGaussianWarp() takes run as products that leave zeros out
// (gaussian_blur_sparse.cu). `radius`: the larger one of two blurs; `mixes`: with what is beside.
inline bool prefersGaussianSparse(int radius, PixelFormat format, bool mixes) {
    return radius > kMostDenseRadius ||
           (isColor(format) && !mixes && radius <= kMostSmallSparseRadius);
}

// Of gray images that fitsGaussianWarp() takes, whether one blur goes down two tiles a warp
// (gaussian_blur_pairs.cu, gaussian_blur_sparse.cu): large ones, where warps enough for the device
// go down several steps.
inline constexpr int kPairColumns = 32, kPairRows = 16;  // of a warp's step
inline bool prefersGaussianPairs(const GaussianBlurPlan& plan, Size size, int multiprocessors) {
    constexpr int kStepsEach = 12;  // of a multiprocessor
    const auto steps = std::int64_t((size.width + kPairColumns - 1) / kPairColumns) *
                       ((size.height + kPairRows - 1) / kPairRows);
    return !isColor(plan.input) && steps >= std::int64_t(kStepsEach) * multiprocessors;
}

// gaussian_blur_warpgroup.cuh. `products`: whether device and build have products of warpgroups.
// Narrower than that a launch of its least rows is short on every such device.
inline constexpr int kLeastWarpgroupRadius = 16, kMostWarpgroupRadius = 96;
inline constexpr int kMostColourWarpgroupRadius = 64;
inline constexpr int kMostWarpgroupWidth = 65536;
inline constexpr int kWarpgroupSide = 64;  // columns and rows of a step
inline bool fitsGaussianWarpgroup(const GaussianBlurPlan& plan, Size size, bool products) {
    const int most = isColor(plan.input) ? kMostColourWarpgroupRadius : kMostWarpgroupRadius;
    return products && bytesPerSample(plan.input) == 1 && !plan.identity &&
           plan.radius >= kLeastWarpgroupRadius && plan.radius <= most &&
           size.width <= kMostWarpgroupWidth;
}
// Not gray images whose steps are just more than multiprocessors: the last ones then wait for a
// turn of their own.
inline bool prefersGaussianWarpgroup(const GaussianBlurPlan& plan, Size size, bool products,
                                     int multiprocessors) {
    if (!fitsGaussianWarpgroup(plan, size, products)) return false;
    if (isColor(plan.input)) return true;
    constexpr int kManyTurns = 4, kLargeRadius = 33;
    const auto steps = std::int64_t((size.width + kWarpgroupSide - 1) / kWarpgroupSide) *
                       ((size.height + kWarpgroupSide - 1) / kWarpgroupSide);
    return steps >= std::int64_t(kManyTurns) * multiprocessors ||
           (steps <= multiprocessors && plan.radius >= kLargeRadius);
}

}  // namespace warpscope::cuda
