// What a launch of convolve.cu costs, and the tiles that this depends on. On the host; nothing here
// needs a GPU.
#pragma once

#include "cuda_kernels/runtime/launch_model.h"

namespace warpscope::cuda {

inline constexpr int kConvolveColumns = 128;  // samples of a tile's row
inline constexpr int kConvolveRows = 16;

// `pitches`: bytes of a row; wideSums: of 64 bits or double.
inline RowsCost convolveCost(std::int64_t samples, std::int64_t pitches, int radiusX, int radiusY,
                             bool wideSums) {
    const std::int64_t across = wholeUnits(samples, kConvolveColumns);
    const std::int64_t work =
        across * kConvolveColumns * (2 * radiusX + 1) * (2 * radiusY + 1) * (wideSums ? 8 : 2);
    return {pitches, work + 32, kConvolveRows, across};
}

}  // namespace warpscope::cuda
