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

Placement placementOfLevel(const Pyramid& source, int level) {
    return Placement::reducedCopy(source.levels[std::size_t(level)].size(),
                                  source.levels.front().size(), std::ldexp(1.0, -level));
}

DraftPlan planDraft(const Pyramid& source, const Pipeline& pipeline, const Viewport& viewport) {
    DraftPlan plan;
    if (source.levels.empty()) return plan;
    const Size full = source.levels.front().size();
    const Rect shown = intersect(viewport.visible, {0, 0, full.width, full.height});
    if (shown.empty()) return plan;

    plan.level = std::clamp(source.levelFor(viewport.zoom), 0, int(source.levels.size()) - 1);
    plan.scale = std::ldexp(1.0, -plan.level);
    const Placement place = placementOfLevel(source, plan.level);
    const Size size = place.reduced;
    const Rect bounds{0, 0, size.width, size.height};
    const ChainShape shape = shapeOf(pipeline, source.levels.front().format(), place);

    // What is seen of the source, in the result. Where nothing of the result is seen, all of it is
    // asked for: it is what fits the window then.
    const PixelMap toLevel{plan.scale, 0, 0, 0, plan.scale, 0};
    const PixelMap toResult = after(toLevel, inverse(shape.sourceFromResult));
    const Rect result{0, 0, shape.place.reduced.width, shape.place.reduced.height};
    plan.visible = intersect(mapped(toResult, shown), result);
    if (plan.visible.empty()) plan.visible = result;
    Placement seen = shape.place;
    seen.part = plan.visible;
    plan.covered = seen.window();

    const int halo = totalHalo(shape);
    const int roomyHalo = halo == 0 ? 0 : int(std::bit_ceil(unsigned(halo)));
    plan.needed = intersect(neededFor(shape, plan.visible).source, bounds);
    plan.roomy = intersect(grown(plan.needed, roomyHalo - halo), bounds);

    if (dependsOnWhole(pipeline)) {
        const int level = smallLevel(source);
        // Where the draft sees all of a finer level anyway, its own statistics are the better ones.
        if (plan.roomy != bounds || plan.level > level) plan.wholeLevel = level;
    }
    plan.exact = plan.level == 0 && plan.wholeLevel <= 0;
    return plan;
}

}  // namespace warpscope
