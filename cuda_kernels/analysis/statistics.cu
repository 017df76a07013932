// Counts of all channels; the host makes the figures of them, as it does of the CPU's.
#include "engine/operations/analysis/statistics.h"

#include "cuda_kernels/analysis/histogram.cuh"

namespace warpscope::cuda {
namespace {

void count(KernelContext& context, const Plan& plan, const DeviceImage& in,
           unsigned long long* bins) {
    const auto& own = static_cast<const StatisticsPlan&>(plan);
    const bool color = isColor(in.format);
    unsigned long long* const alpha = bins + plan.resultWords - std::size_t(own.binCount);
    if (bytesPerSample(in.format) == 1) {
        countEightBit(context, in, own.channels, bins);
        if (color) countEightBitAlpha(context, in, alpha);
    } else {
        countSixteenBit(context, in, own.channels, bins);
        if (color) countSixteenBitAlpha(context, in, alpha);
    }
}

Result<void> supports(const Plan& plan) {
    if (bytesPerSample(plan.input) <= 2) return {};
    return fail(ErrorCode::Unsupported,
                "statistics of " + std::string(formatName(plan.input)) +
                    " are made on the CPU: the GPU counts 8 and 16-bit samples, which have a bin "
                    "each");
}

}  // namespace

WARPSCOPE_CUDA_RUNNER(statistics, .analyze = count, .supports = supports,
                      .loadKernels = loadCountingKernels);

}  // namespace warpscope::cuda
