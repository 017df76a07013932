#include "engine/operations/cpu_work.h"
#include "engine/operations/tone/curves.h"
#include "engine/operations/tone/level_table.h"

namespace warpscope {
namespace {

Result<void> mapSamples(const SampleCurve& curve, const Image& in, const MutableImage& out,
                        const CpuContext& context) {
    const auto source = in.view<float>();
    const auto target = out.view<float>();
    const int samples = source.samplesPerRow();
    const CpuContext chosen = forWork(context, in.size(), 5.0 * double(source.channels));
    const int band = rowsPerBand(chosen, source.height, 8 * std::uint64_t(samples));
    return forEachRowBand(chosen, source.height, band, [&](int first, int last) {
        for (int y = first; y < last; ++y) {
            for (int i = 0; i < samples; ++i) target.row(y)[i] = curve(source.row(y)[i]);
            keepAlpha(source, target, y);
        }
    });
}

}  // namespace

Result<void> runCurvesCpu(const CurvesPlan& plan, const Image& in, const MutableImage& out,
                          const CpuContext& context) {
    if (isFloat(plan.input)) return mapSamples(plan.curve, in, out, context);
    if (bytesPerSample(plan.input) == 1) return mapLevels(plan.table, in, out, context);
    return mapLevels(plan.table16, in, out, context);
}

}  // namespace warpscope
