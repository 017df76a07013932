// Counting, which the histogram and equalization share.
#pragma once

#include "cuda_kernels/runtime/kernel_support.cuh"
#include "engine/operations/analysis/histogram.h"
#include "engine/operations/tone/threshold_choice.h"

namespace warpscope::cuda {

// Which equalization tables are made of counts.
enum class CountingResult { ClassicTable, FullTable };

// Queues counting of the channels of a Gray8 (luma alone) or Rgba8 image into `bins`, memory that
// the device writes: 256 a channel that was asked for, order luma, red, green, blue. Each is
// written once.
void countEightBit(KernelContext& context, const DeviceImage& in, ChannelSet channels,
                   unsigned long long* bins);

// Queues counting of an Rgba8 image and making of equalization tables, 256 bytes each, of luma or
// of `each` of red, green, blue; `full`: of EqualizeMapping::Full. In memory that is lost at its
// next use.
const std::uint8_t* tablesOfEightBit(KernelContext& context, const DeviceImage& in, bool each,
                                     bool full);

// Queues counting of the luma of such an image and the choice of a threshold, not Fixed, in the
// counts. `cut` is device memory.
void findThresholdEightBit(KernelContext& context, const DeviceImage& in, ThresholdMethod method,
                           ThresholdCut* cut);

// The same as countEightBit() of the alpha of an Rgba8 image: 256 counts to `bins`.
void countEightBitAlpha(KernelContext& context, const DeviceImage& in, unsigned long long* bins);

inline constexpr int kBins16 = 65536;

// Queues counting of the channels of a Gray16 (luma alone) or Rgba16 image into `bins`, device
// memory of kBins16 a channel that was asked for, order luma, red, green, blue. What they hold
// before does not matter.
void countSixteenBit(KernelContext& context, const DeviceImage& in, ChannelSet channels,
                     unsigned long long* bins);

// The same of the alpha of an Rgba16 image: kBins16 counts.
void countSixteenBitAlpha(KernelContext& context, const DeviceImage& in, unsigned long long* bins);

inline constexpr int kMostTables = 3;
// A block takes a part of a channel's levels.
inline constexpr unsigned kPartLevels = 1024;
inline constexpr unsigned kParts = kBins16 / kPartLevels;

struct PartSums {
    unsigned long long all[kMostTables * kParts];
    unsigned long long darkest[kMostTables * kParts];  // of the darkest level present; 0 if none is
};

// Equalization tables of 65,536 levels and the counts that they are made of.
struct TableScratch {
    unsigned long long bins[kMostTables * kBins16];
    PartSums parts;
    std::uint16_t tables[kMostTables * kBins16];
};

// Queues making of the first `channels` tables in device memory from the counts there.
void makeTables(KernelContext& context, TableScratch* scratch, int channels, CountingResult result);

// Lanes with the same value send one of them with their number, or a flat image would put all its
// pixels in a queue for one address. For all lanes of a warp together.
__device__ inline void addAggregated(unsigned long long* bins, std::uint32_t value, bool valid) {
    const unsigned active = __ballot_sync(0xffffffffu, valid);
    if (!valid) return;
    const unsigned same = __match_any_sync(active, value);
    if (threadIdx.x % 32 == unsigned(__ffs(int(same)) - 1))
        atomicAdd(bins + value, static_cast<unsigned long long>(__popc(same)));
}

// Counts and makes equalization tables of 65,536 levels, those of each channel one after the other,
// in scratch memory that is lost at its next use. At most three channels.
const std::uint16_t* tablesOfSixteenBit(KernelContext& context, const DeviceImage& in,
                                        ChannelSet channels, CountingResult result);

// Queues counting of the plan's channels with its published variant (8 bits), one channel after the
// other: 256 counts a channel to `bins` (device memory), order luma, red, green, blue.
void countPublished(KernelContext& context, const HistogramPlan& plan, const DeviceImage& in,
                    unsigned long long* bins);

// The same of the variants that are wrong on purpose.
void countWrong(KernelContext& context, const HistogramPlan& plan, const DeviceImage& in,
                unsigned long long* bins);

// Loads the kernels that count large 8-bit images, which no tiny one reaches. Throws CudaFailure.
void loadCountingKernels();

}  // namespace warpscope::cuda
