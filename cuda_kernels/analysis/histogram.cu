// The histogram: 8 bits in shared memory (counting.cu), 16 bits in device memory
// (counting_wide.cu).
#include "cuda_kernels/analysis/counting.h"
#include "cuda_kernels/analysis/histogram_variants.h"
#include "cuda_kernels/runtime/kernel_support.cuh"
#include "engine/operations/analysis/histogram.h"

namespace warpscope::cuda {
namespace {

Result<void> supports(const Plan& plan) {
    if (bytesPerSample(plan.input) <= 2) return {};
    return fail(ErrorCode::Unsupported,
                "the GPU counts 8 and 16-bit images, not " + std::string(formatName(plan.input)));
}

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

std::vector<ParamSet> warmUps() {
    std::vector<ParamSet> sets;
    for (const char* channel : {"luma", "red", "green", "blue", "all"})
        sets.emplace_back().set("channel", std::string(channel));
    return sets;
}

}  // namespace

extern const CudaRunner cudaRunner_histogram;
const CudaRunner cudaRunner_histogram{"histogram", supports, nullptr,
                                      count,       warmUps,  loadCountingKernels};

}  // namespace warpscope::cuda
