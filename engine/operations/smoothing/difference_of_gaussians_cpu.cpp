#include <utility>

#include "engine/operations/alpha_rows.h"
#include "engine/operations/smoothing/difference_of_gaussians.h"
#include "engine/operations/smoothing/gaussian_blur.h"
#include "engine/operations/smoothing/two_rows.h"
#include "engine/operations/work_steps.h"

namespace warpscope {

// `large`: the strong blur.
template <class T>
static Result<void> blurAndSubtract(const DifferenceOfGaussiansPlan& plan, const Image& in,
                                    const Image& large, const MutableImage& out,
                                    const CpuContext& context) {
    const auto source = in.view<T>(), strong = large.view<T>();
    const auto target = out.view<T>();
    const auto channels = std::ptrdiff_t(source.channels);
    const auto finish = [&](int x, int width, int y) {
        T* const made = target.row(y) + channels * x;
        gaussiansRow(plan.gain, strong.row(y) + channels * x, made, int(channels) * width);
        if (channels == 4) copyAlpha(source.row(y) + channels * x, made, 4 * width);
    };
    return blurAndFinish(static_cast<const GaussianBlurPlan&>(*plan.small), in, out, context,
                         {finish, 0.3 * double(channels)});
}

Result<void> runDifferenceOfGaussiansCpu(const DifferenceOfGaussiansPlan& plan, const Image& in,
                                         const MutableImage& out, const CpuContext& context) {
    auto memory = MutableImage::create(in.format(), in.size());
    if (!memory) return fail(memory.error());
    if (auto done =
            plan.large->operation->runCpu(*plan.large, in, *memory, workStep(context, 0, 2));
        !done)
        return done;
    const Image large = std::move(*memory).freezeLike(in);
    const CpuContext last = workStep(context, 1, 2);
    if (isFloat(plan.input)) return blurAndSubtract<float>(plan, in, large, out, last);
    return bytesPerSample(plan.input) == 2
               ? blurAndSubtract<std::uint16_t>(plan, in, large, out, last)
               : blurAndSubtract<std::uint8_t>(plan, in, large, out, last);
}

}  // namespace warpscope
