#include "engine/operations/alpha_rows.h"
#include "engine/operations/cpu_work.h"
#include "engine/operations/smoothing/two_rows.h"
#include "engine/operations/work_steps.h"

namespace warpscope {

// `out` holds the blurred image.
template <class T>
static Result<void> sharpen(const UnsharpMaskPlan& plan, const Image& in, const MutableImage& out,
                            const CpuContext& context) {
    const auto source = in.view<T>();
    const auto target = out.view<T>();
    const int samples = source.samplesPerRow();
    const CpuContext chosen = forWork(context, plan.size, 0.3 * source.channels);
    const auto rowBytes = std::uint64_t(samples) * 2 * sizeof(T);
    return forEachRowBand(chosen, source.height, rowsPerBand(chosen, source.height, rowBytes),
                          [&](int first, int last) {
                              for (int y = first; y < last; ++y) {
                                  unsharpRow(plan, source.row(y), target.row(y), samples);
                                  if (source.channels == 4)
                                      copyAlpha(source.row(y), target.row(y), samples);
                              }
                          });
}

Result<void> runUnsharpMaskCpu(const UnsharpMaskPlan& plan, const Image& in,
                               const MutableImage& out, const CpuContext& context) {
    const auto blurred = plan.blur->operation->runCpu(*plan.blur, in, out, workStep(context, 0, 2));
    if (!blurred) return blurred;
    const CpuContext last = workStep(context, 1, 2);
    if (isFloat(plan.input)) return sharpen<float>(plan, in, out, last);
    return bytesPerSample(plan.input) == 2 ? sharpen<std::uint16_t>(plan, in, out, last)
                                           : sharpen<std::uint8_t>(plan, in, out, last);
}

}  // namespace warpscope
