#include "engine/operations/cpu_work.h"
#include "engine/operations/smoothing/two_rows.h"
#include "engine/operations/work_steps.h"

namespace warpscope {

// `out` holds the medians.
template <class T>
static Result<void> select(const DespecklePlan& plan, const Image& in, const MutableImage& out,
                           const CpuContext& context) {
    const auto source = in.view<T>();
    const auto target = out.view<T>();
    const int samples = source.samplesPerRow();
    const CpuContext chosen = forWork(context, plan.size, 0.3 * source.channels);
    const auto rowBytes = std::uint64_t(samples) * 2 * sizeof(T);
    // Alpha is its own median.
    return forEachRowBand(chosen, source.height, rowsPerBand(chosen, source.height, rowBytes),
                          [&](int first, int last) {
                              for (int y = first; y < last; ++y)
                                  despeckleRow(plan, source.row(y), target.row(y), samples);
                          });
}

Result<void> runDespeckleCpu(const DespecklePlan& plan, const Image& in, const MutableImage& out,
                             const CpuContext& context) {
    const auto medians =
        plan.median->operation->runCpu(*plan.median, in, out, workStep(context, 0, 2));
    if (!medians) return medians;
    const CpuContext last = workStep(context, 1, 2);
    if (isFloat(plan.input)) return select<float>(plan, in, out, last);
    return bytesPerSample(plan.input) == 2 ? select<std::uint16_t>(plan, in, out, last)
                                           : select<std::uint8_t>(plan, in, out, last);
}

}  // namespace warpscope
