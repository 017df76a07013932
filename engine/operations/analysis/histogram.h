// Counting: luminance (weighted601) and R, G, B in one pass. An analysis: it gives numbers, not an
// image.
#pragma once

#include "engine/image/histogram.h"
#include "engine/image/region_shape.h"
#include "engine/operations/operation.h"

namespace warpscope {

struct HistogramPlan : Plan {
    ChannelSet channels;  // of a gray image always luma alone
    int binCount = 256;   // 65,536 for 16 bits
};

// Parameter "channel": luma, red, green, blue, all.
const Operation& histogram_operation();

// Plan::work of counting: luma of colour (see grayscale) and an addition for each of the tables of
// a channel. Float and sums: also two comparisons for the range, and four operations to a bin.
double countingWork(const HistogramPlan& plan, std::size_t tables);

// The plan for counting these channels of an image of this shape with the automatic variant.
Result<PlanPtr> planHistogram(ChannelSet channels, PixelFormat format, Size size);

// All channels of the plan, nothing counted; the range is that of integer samples.
HistogramSet emptyHistograms(const HistogramPlan& plan);

// 8 and 16 bits: bins are values. Float, Gray32 and Gray64: 256 bins over the range of the finite
// samples. With `rows`, which are as high as the image, only their pixels, with the automatic
// variant. Errors: Cancelled, OutOfMemory.
Result<HistogramSet> countCpu(const HistogramPlan& plan, const Image& image,
                              const CpuContext& context, const RegionRows* rows = nullptr);

// The alpha of Rgba8 or Rgba16, added to `bins`, one a value. Errors: Cancelled, OutOfMemory.
Result<void> countAlphaCpu(const Image& image, const CpuContext& context,
                           std::span<std::uint64_t> bins, const RegionRows* rows = nullptr);

// Fills the bins of `set`, which are zero, with the plan's variant, not automatic: 8 bits only.
// Errors: Cancelled, OutOfMemory.
Result<void> countPublishedCpu(const HistogramPlan& plan, const Image& image,
                               const CpuContext& context, HistogramSet& set);

// The same of the variants that are wrong on purpose: a thread counts so many columns and rows in 8
// bits; a block that does not wait for all its threads counts so many pixels of a row.
inline constexpr int kOverflowingColumns = 256;
inline constexpr int kOverflowingRows = 256;
inline constexpr int kUnawaitedPixels = 2048;
Result<void> countWrongCpu(const HistogramPlan& plan, const Image& image, const CpuContext& context,
                           HistogramSet& set);

}  // namespace warpscope
