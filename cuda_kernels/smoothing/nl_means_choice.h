// Which of the kernels for 8-bit samples an NL-means fits: known without a GPU.
#pragma once

#include "engine/operations/smoothing/nl_means.h"

namespace warpscope::cuda {

// nl_means_small.cu.
inline constexpr int kNlMeansSmallPatch = 1, kNlMeansSmallSearch = 2;
inline bool fitsNlMeansSmall(const NlMeansPlan& plan) {
    return bytesPerSample(plan.input) == 1 && plan.patchRadius == kNlMeansSmallPatch &&
           plan.searchRadius >= 1 && plan.searchRadius <= kNlMeansSmallSearch;
}

// nl_means_products.cu, where a tile fits shared memory. `integerMma`: whether the device has
// tensor units for integers. Products cost the same for all patches that fit, sliding sums less for
// small ones: those begin a search radius later.
inline constexpr int kNlMeansProductsPatch = 3, kNlMeansProductsLeastSearch = 3;
inline bool fitsNlMeansProducts(const NlMeansPlan& plan, bool integerMma) {
    return integerMma && bytesPerSample(plan.input) == 1 && isColor(plan.input) &&
           plan.patchRadius >= 1 && plan.patchRadius <= kNlMeansProductsPatch &&
           plan.searchRadius >=
               kNlMeansProductsLeastSearch + (plan.patchRadius < kNlMeansProductsPatch ? 1 : 0);
}

// nl_means_pairs.cu, where that is faster. `warpReductions`: whether the device has them. What
// A(p) is rounded by shows in weights as that much of `factor`, twice the plan's exponent, so that
// smaller h and patches are left to others: with it, 60 to 260 of a million samples were off by one
// level in what was tried, up to 530 with patch radius 1.
inline constexpr int kNlMeansPairsSearch = 10;
inline constexpr double kNlMeansPairsFactor = 6e-4;
inline bool fitsNlMeansPairs(const NlMeansPlan& plan, bool warpReductions) {
    return warpReductions && plan.input == PixelFormat::Gray8 && plan.patchRadius >= 2 &&
           plan.patchRadius <= 3 && plan.searchRadius == kNlMeansPairsSearch &&
           -2 * plan.exponent <= kNlMeansPairsFactor;
}

}  // namespace warpscope::cuda
