// The histogram: 8 bits in shared memory (histogram_counting.cu), 16 bits in device memory
// (histogram_counting_16.cu).
#include "cuda_kernels/analysis/histogram.cuh"

namespace warpscope::cuda {
namespace {

void count(KernelContext& context, const Plan& plan, const DeviceImage& in,
           unsigned long long* bins) {
    const auto& counting = static_cast<const HistogramPlan&>(plan);
    if (plan.variant != kAutomaticVariant)
        countPublished(context, counting, in, bins);
    else if (bytesPerSample(in.format) == 1)
        countEightBit(context, in, counting.channels, CountingResult::Counts, bins);
    else
        countSixteenBit(context, in, counting.channels, bins);
}

}  // namespace

WARPSCOPE_CUDA_RUNNER(histogram, .analyze = count, .loadKernels = loadCountingKernels);

}  // namespace warpscope::cuda
