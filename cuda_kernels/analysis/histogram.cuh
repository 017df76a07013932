// Counting, which the histogram and equalization share.
#pragma once

#include "cuda_kernels/runtime/kernel_support.cuh"
#include "engine/operations/analysis/histogram.h"

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

inline constexpr int kBins16 = 65536;

// Queues counting of the channels of a Gray16 (luma alone) or Rgba16 image into `bins`, device
// memory of kBins16 a channel that was asked for, order luma, red, green, blue. What they hold
// before does not matter.
void countSixteenBit(KernelContext& context, const DeviceImage& in, ChannelSet channels,
                     unsigned long long* bins);

// Counts and makes equalization tables of 65,536 levels, those of each channel one after the other,
// in scratch memory that is lost at its next use. At most three channels.
const std::uint16_t* tablesOfSixteenBit(KernelContext& context, const DeviceImage& in,
                                        ChannelSet channels, CountingResult result);

// Queues counting of the plan's channels with its published variant (8 bits), one channel after the
// other: 256 counts a channel to `bins` (device memory), order luma, red, green, blue.
void countPublished(KernelContext& context, const HistogramPlan& plan, const DeviceImage& in,
                    unsigned long long* bins);

// Loads the kernels that count large 8-bit images, which no tiny one reaches. Throws CudaFailure.
void loadCountingKernels();

}  // namespace warpscope::cuda
