// Non-local means: every pixel becomes the mean of pixels around it, weighted by how alike their
// neighbourhoods (patches) are.
#pragma once

#include "engine/operations/operation.h"

namespace warpscope {

inline constexpr int kMaxPatchRadius = 7;
inline constexpr int kMaxSearchRadius = 20;

struct NlMeansPlan final : Plan {
    int patchRadius = 3;
    int searchRadius = 10;
    double h = 10;  // in grey levels of 8 bits
    // Samples of a patch over which the squared differences are averaged: (2 patchRadius + 1)^2,
    // times 3 for colour.
    int patchSamples = 49;
    // w = exp2(exponent * S), S the sum (not the mean) of squared differences: exponent = -log2(e)
    // / (h^2 patchSamples), h scaled for the sample type.
    double exponent = 0;
};

const Operation& nl_means_operation();
CpuBody<NlMeansPlan> runNlMeansCpu;

}  // namespace warpscope
