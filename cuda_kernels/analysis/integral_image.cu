// Picks the path of an integral image: tiles, or a published one.
#include "engine/operations/analysis/integral_image.h"

#include "cuda_kernels/analysis/integral_image.cuh"

namespace warpscope::cuda {
namespace {

void run(KernelContext& context, const Plan& plan, const DeviceImage& in, const DeviceImage& out) {
    if (plan.variant == "rows_then_columns") return integralRowsThenColumns(context, in, out);
    if (plan.variant == "blocked_4x4") return integralBlocked4x4(context, in, out);
    const int sumBytes = bytesPerSample(out.format);
    const SumOf what =
        static_cast<const IntegralImagePlan&>(plan).fromColor ? SumOf::Luma : SumOf::Sample;
    context.forEachBand(in.size.height, rowsPerSumLaunch(context, in, sumBytes),
                        [&](int first, int last) {
                            std::byte* to = out.data + first * out.pitch;
                            sumRows(context, what, rowsOf(in, first, last),
                                    {to, out.pitch, 0, sumBytes}, first ? to - out.pitch : nullptr);
                        });
}

}  // namespace

WARPSCOPE_CUDA_RUNNER(integral_image, .run = run, .loadKernels = loadSumKernels);

}  // namespace warpscope::cuda
