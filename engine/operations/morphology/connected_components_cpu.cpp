#include <algorithm>

#include "engine/operations/morphology/component_runs.h"

namespace warpscope {

Result<void> runConnectedComponentsCpu(const ConnectedComponentsPlan& plan, const Image& in,
                                       const MutableImage& out, const CpuContext& context) {
    const auto found = findComponents(in, plan.rule, context);
    if (!found) return fail(found.error());
    const auto target = out.view<std::uint32_t>();
    CpuContext quiet = forWork(context, in.size(), 0.5);
    quiet.progress = nullptr;
    const int band = rowsPerBand(quiet, target.height, std::uint64_t(target.width) * 4);
    return forEachRowBand(quiet, target.height, band, [&](int first, int last) {
        for (int y = first; y < last; ++y) {
            std::uint32_t* const row = target.row(y);
            int done = 0;
            found->forEachRun(y, [&](const ComponentRun& run, std::uint32_t label, std::size_t) {
                std::fill(row + done, row + run.first, 0u);
                std::fill(row + run.first, row + run.end, label);
                done = run.end;
            });
            std::fill(row + done, row + target.width, 0u);
        }
    });
}

}  // namespace warpscope
