// What a pass of resize.cu costs. On the host; nothing here needs a GPU.
#pragma once

#include "cuda_kernels/runtime/launch_model.h"

namespace warpscope::cuda {

inline constexpr unsigned kResizeThreads = 256;

// A row of a pass's results, of so many taps each. 64-bit products cost several of 32 bits.
inline RowsCost resizePassCost(std::int64_t width, int channels, std::int64_t bytes,
                               std::int64_t taps) {
    return {bytes, width * channels * 8 * taps, 1, wholeUnits(width, kResizeThreads)};
}

}  // namespace warpscope::cuda
