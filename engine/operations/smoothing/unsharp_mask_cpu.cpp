#include <type_traits>

#include "engine/operations/alpha_rows.h"
#include "engine/operations/smoothing/gaussian_blur.h"
#include "engine/operations/smoothing/two_rows.h"
#include "engine/operations/smoothing/unsharp_mask.h"

namespace warpscope {

template <class T>
static Result<void> sharpen(const UnsharpMaskPlan& plan, const Image& in, const MutableImage& out,
                            const CpuContext& context) {
    const auto source = in.view<T>();
    const auto target = out.view<T>();
    const auto channels = std::ptrdiff_t(source.channels);
    const auto finish = [&](int x, int width, int y) {
        const T* const row = source.row(y) + channels * x;
        T* const made = target.row(y) + channels * x;
        unsharpRow(plan, row, made, int(channels) * width);
        // Of integers the alpha of a blurred image is that of the image, which changes nothing.
        if (std::is_floating_point_v<T> && channels == 4) copyAlpha(row, made, 4 * width);
    };
    return blurAndFinish(static_cast<const GaussianBlurPlan&>(*plan.blur), in, out, context,
                         {finish, 0.3 * double(channels)});
}

Result<void> runUnsharpMaskCpu(const UnsharpMaskPlan& plan, const Image& in,
                               const MutableImage& out, const CpuContext& context) {
    if (isFloat(plan.input)) return sharpen<float>(plan, in, out, context);
    return bytesPerSample(plan.input) == 2 ? sharpen<std::uint16_t>(plan, in, out, context)
                                           : sharpen<std::uint8_t>(plan, in, out, context);
}

}  // namespace warpscope
