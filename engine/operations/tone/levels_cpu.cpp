#include <hwy/cache_control.h>

#include "engine/operations/cpu_work.h"
#include "engine/operations/flat_rows.h"
#include "engine/operations/tone/level_table.h"
#include "engine/operations/tone/levels.h"

namespace warpscope {
namespace {

template <class T>
Result<void> mapColors(const ColorTables<T>& tables, const Image& in, const MutableImage& out,
                       const CpuContext& context) {
    const auto source = in.view<T>();
    const auto target = out.view<T>();
    const int samples = source.samplesPerRow();
    const CpuContext chosen = forWork(context, in.size(), 0.5);
    const int band = rowsPerBand(chosen, source.height, 2 * sizeof(T) * std::uint64_t(samples));
    const bool stream = in.byteCount() >= kFlatStreamBytes;
    return forEachRowBand(chosen, source.height, band, [&](int first, int last) {
        for (int y = first; y < last; ++y)
            lookUpPixels(tables, source.row(y), target.row(y), samples, stream);
        if (stream) hwy::FlushStream();
    });
}

template <class T>
Result<void> mapIntegers(const LevelsPlan& plan, const std::vector<T>& table,
                         const std::vector<T> (&colors)[3], const Image& in,
                         const MutableImage& out, const CpuContext& context) {
    if (!colors[0].empty())
        return mapColors<T>({&colors[0], &colors[1], &colors[2]}, in, out, context);
    if (plan.changesAll()) return mapLevels(table, in, out, context);
    // One colour by the table, the others as they are.
    static const std::vector<T> unchanged = unchangedLevels<T>();
    const auto of = [&](int c) { return plan.changes[c] ? &table : &unchanged; };
    return mapColors<T>({of(0), of(1), of(2)}, in, out, context);
}

}  // namespace

Result<void> runLevelsCpu(const LevelsPlan& plan, const Image& in, const MutableImage& out,
                          const CpuContext& context) {
    if (isFloat(plan.input)) return runLevelsFloat(plan, in, out, context);
    if (bytesPerSample(plan.input) == 1)
        return mapIntegers(plan, plan.table, plan.colors, in, out, context);
    return mapIntegers(plan, plan.table16, plan.colors16, in, out, context);
}

}  // namespace warpscope
