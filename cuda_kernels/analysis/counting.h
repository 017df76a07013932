// Counting, shared by the histogram and by equalization.
#pragma once

#include "cuda_kernels/runtime/runner.h"
#include "engine/image/histogram.h"

namespace warpscope::cuda {

// What the last block does with the counts.
enum class CountingResult {
    Counts,        // to `bins`: 256 a channel that was asked for, order luma, red, green, blue
    ClassicTable,  // equalization tables to CountingScratch::tables, a channel asked for each
    FullTable
};

// Queues counting of the channels of a Gray8 (luma alone) or Rgba8 image. `bins` is device memory,
// used for Counts only.
void countEightBit(KernelContext& context, const DeviceImage& in, ChannelSet channels,
                   CountingResult result, unsigned long long* bins);

inline constexpr int kWideBins = 65536;

// Queues counting of the channels of a Gray16 (luma alone) or Rgba16 image into `bins`, device
// memory of kWideBins a channel that was asked for, order luma, red, green, blue. What they hold
// before does not matter.
void countSixteenBit(KernelContext& context, const DeviceImage& in, ChannelSet channels,
                     unsigned long long* bins);

// Loads the kernels that count large 8-bit images, which no tiny one reaches. Throws CudaFailure.
void loadCountingKernels();

}  // namespace warpscope::cuda
