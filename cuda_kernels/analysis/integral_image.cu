// Picks the path of an integral image.
#include "cuda_kernels/analysis/integral_paths.h"
#include "cuda_kernels/analysis/integral_tiles.h"

namespace warpscope::cuda {
namespace {

void reduceThenScan(KernelContext& context, const IntegralImagePlan& plan, const DeviceImage& in,
                    const DeviceImage& out) {
    const int sumBytes = bytesPerSample(out.format);
    const SumOf what = plan.fromColor ? SumOf::Luma : SumOf::Sample;
    context.forEachBand(
        in.size.height, rowsPerSumLaunch(context, in, sumBytes), [&](int first, int last) {
            std::byte* to = out.data + first * out.pitch;
            sumRows(
                context, what,
                {in.data + first * in.pitch, in.pitch, {in.size.width, last - first}, in.format},
                {to, out.pitch, 0, sumBytes}, first ? to - out.pitch : nullptr);
        });
}

Result<void> supports(const Plan& plan) {
    if (bytesPerSample(plan.input) > 2)
        return fail(ErrorCode::Unsupported,
                    "the GPU code of integral_image takes 8 and 16-bit images, not " +
                        std::string(formatName(plan.input)));
    if (plan.output == PixelFormat::Gray32 || plan.output == PixelFormat::Gray64) return {};
    return fail(ErrorCode::Unsupported,
                "integral_image does not give " + std::string(formatName(plan.output)));
}

void run(KernelContext& context, const Plan& plan, const DeviceImage& in, const DeviceImage& out) {
    const auto& integral = static_cast<const IntegralImagePlan&>(plan);
    if (plan.variant == "rows_then_columns")
        integralRowsThenColumns(context, integral, in, out);
    else if (plan.variant == "blocked_4x4")
        integralBlocked4x4(context, integral, in, out);
    else
        reduceThenScan(context, integral, in, out);
}

}  // namespace

extern const CudaRunner cudaRunner_integral_image;
const CudaRunner cudaRunner_integral_image{"integral_image", supports, run,
                                           nullptr,          nullptr,  loadSumKernels};

}  // namespace warpscope::cuda
