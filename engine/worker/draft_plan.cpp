#include "engine/worker/draft_plan.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace warpscope {
namespace {

constexpr std::int64_t kWholePixels = 512 * 1024;

bool dependsOnWhole(const Pipeline& pipeline) {
    return std::any_of(pipeline.steps.begin(), pipeline.steps.end(), [](const Step& step) {
        const Operation* operation = step.enabled ? findOperation(step.operation) : nullptr;
        return operation && operation->description().dependsOnWholeImage;
    });
}

int smallLevel(const Pyramid& source) {
    int level = 0;
    while (level + 1 < int(source.levels.size()) &&
           source.levels[std::size_t(level)].size().pixels() > kWholePixels)
        ++level;
    return level;
}

}  // namespace

DraftPlan planDraft(const Pyramid& source, const Pipeline& pipeline, const Viewport& viewport) {
    DraftPlan plan;
    if (source.levels.empty()) return plan;
    const Size full = source.levels.front().size();
    const Rect shown = intersect(viewport.visible, {0, 0, full.width, full.height});
    if (shown.empty()) return plan;

    plan.level = std::clamp(source.levelFor(viewport.zoom), 0, int(source.levels.size()) - 1);
    plan.scale = std::ldexp(1.0, -plan.level);
    const Size size = source.levels[std::size_t(plan.level)].size();
    const Rect bounds{0, 0, size.width, size.height};
    const int unit = 1 << plan.level;
    const int left = shown.x / unit;
    const int top = shown.y / unit;
    const int right = std::min((shown.x + shown.width + unit - 1) / unit, size.width);
    const int bottom = std::min((shown.y + shown.height + unit - 1) / unit, size.height);
    plan.visible = {left, top, right - left, bottom - top};
    plan.covered =
        intersect({left * unit, top * unit, (right - left) * unit, (bottom - top) * unit},
                  {0, 0, full.width, full.height});

    const int halo = Executor::totalHalo(pipeline, plan.scale);
    const int roomyHalo = halo == 0 ? 0 : int(std::bit_ceil(unsigned(halo)));
    plan.needed = intersect(grown(plan.visible, halo), bounds);
    plan.roomy = intersect(grown(plan.visible, roomyHalo), bounds);

    if (dependsOnWhole(pipeline)) {
        const int level = smallLevel(source);
        // Where the draft sees all of a finer level anyway, its own statistics are the better ones.
        if (plan.roomy != bounds || plan.level > level) plan.wholeLevel = level;
    }
    plan.exact = plan.level == 0 && plan.wholeLevel <= 0;
    return plan;
}

}  // namespace warpscope
