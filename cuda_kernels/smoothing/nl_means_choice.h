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


// nl_means_pairs.cu.
inline constexpr int kNlMeansPairsSearch = 10;

}  // namespace warpscope::cuda
