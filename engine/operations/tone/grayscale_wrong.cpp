// Gray that is wrong on purpose: cut off instead of rounded, and in whole blocks only.
#include <algorithm>

#include "engine/operations/tone/grayscale.h"

namespace warpscope {
namespace {

template <class T>
T grayOf(const T* pixel, const GrayscalePlan& plan, bool cutOff) {
    const std::uint32_t r = pixel[0], g = pixel[1], b = pixel[2];
    if (plan.method == GrayMethod::Maximum) return T(std::max({r, g, b}));
    if (plan.method == GrayMethod::Average)
        return T(cutOff ? (r + g + b) / 3 : (2 * (r + g + b) + 3) / 6);
    const GrayWeights& w = plan.weights;
    return T((w.red * r + w.green * g + w.blue * b + (cutOff ? 0u : 32768u)) >> 16);
}

template <class T>
Result<void> run(const GrayscalePlan& plan, const Image& in, const MutableImage& out,
                 const CpuContext& context) {
    const auto source = in.view<T>();
    const auto target = out.view<T>();
    const bool cutOff = plan.variant == "wrong_floor";
    const Size covered = cutOff ? plan.size : coveredByWholeBlocks(plan);
    const int band = rowsPerBand(context, plan.size.height, std::uint64_t(source.samplesPerRow()));
    return forEachRowBand(context, plan.size.height, band, [&](int first, int last) {
        for (int y = first; y < last; ++y) {
            T* to = target.row(y);
            const int width = y < covered.height ? covered.width : 0;
            for (int x = 0; x < width; ++x) to[x] = grayOf(source.row(y) + 4 * x, plan, cutOff);
            std::fill(to + width, to + plan.size.width, T{0});
        }
    });
}

}  // namespace

Result<void> runGrayscaleWrong(const GrayscalePlan& plan, const Image& in, const MutableImage& out,
                               const CpuContext& context) {
    if (bytesPerSample(plan.input) == 1) return run<std::uint8_t>(plan, in, out, context);
    return run<std::uint16_t>(plan, in, out, context);
}

}  // namespace warpscope
