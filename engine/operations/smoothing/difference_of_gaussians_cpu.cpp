#include <utility>

#include "engine/operations/alpha_rows.h"
#include "engine/operations/cpu_work.h"
#include "engine/operations/smoothing/difference_of_gaussians.h"
#include "engine/operations/smoothing/two_rows.h"
#include "engine/operations/work_steps.h"

namespace warpscope {

// `out` holds the weak blur.
template <class T>
static Result<void> subtractBlur(const DifferenceOfGaussiansPlan& plan, const Image& in,
                                 const Image& large, const MutableImage& out,
                                 const CpuContext& context) {
    const auto source = in.view<T>(), strong = large.view<T>();
    const auto target = out.view<T>();
    const int samples = source.samplesPerRow();
    const CpuContext chosen = forWork(context, plan.size, 0.3 * source.channels);
    const auto rowBytes = std::uint64_t(samples) * 3 * sizeof(T);
    return forEachRowBand(chosen, source.height, rowsPerBand(chosen, source.height, rowBytes),
                          [&](int first, int last) {
                              for (int y = first; y < last; ++y) {
                                  gaussiansRow(plan.gain, strong.row(y), target.row(y), samples);
                                  if (source.channels == 4)
                                      copyAlpha(source.row(y), target.row(y), samples);
                              }
                          });
}

Result<void> runDifferenceOfGaussiansCpu(const DifferenceOfGaussiansPlan& plan, const Image& in,
                                         const MutableImage& out, const CpuContext& context) {
    const Operation& blur = *plan.small->operation;
    if (auto done = blur.runCpu(*plan.small, in, out, workStep(context, 0, 3)); !done) return done;
    auto memory = MutableImage::create(in.format(), in.size());
    if (!memory) return fail(memory.error());
    if (auto done = blur.runCpu(*plan.large, in, *memory, workStep(context, 1, 3)); !done)
        return done;
    const Image large = std::move(*memory).freezeLike(in);
    const CpuContext last = workStep(context, 2, 3);
    if (isFloat(plan.input)) return subtractBlur<float>(plan, in, large, out, last);
    return bytesPerSample(plan.input) == 2 ? subtractBlur<std::uint16_t>(plan, in, large, out, last)
                                           : subtractBlur<std::uint8_t>(plan, in, large, out, last);
}

}  // namespace warpscope
