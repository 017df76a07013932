#include "engine/worker/draft_plan.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace warpscope {
namespace {

constexpr std::int64_t kWholePixels = 512 * 1024;
// Each level has a quarter of the pixels, and neighbourhoods a quarter of the neighbours.
constexpr int kMostCoarser = 3;
// Of the time that a draft may take.
constexpr double kFinerShare = 0.6;
constexpr double kStayShare = 1.3;
// Where a draft of so few was slow, another program had the processor: fewer would not help.
constexpr std::int64_t kFewPixels = 32 * 1024;

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

// Of the part that a draft computes.
double guessedMs(const ChainShape& shape, const Rect& part, Size level) {
    double ms = 0;
    for (const ShapedStep& step : shape.steps)
        if (step.plan)
            ms += step.plan->guessedMsPerMegapixel * double(step.plan->size.pixels()) * 1e-6;
    return ms * double(part.size().pixels()) / double(level.pixels());
}

DraftPlan planAt(int level, const Pyramid& source, const Pipeline& pipeline, const Rect& shown) {
    DraftPlan plan;
    plan.level = level;
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
    plan.guessedMs = guessedMs(shape, plan.roomy, size);

    if (dependsOnWhole(pipeline)) {
        const int small = smallLevel(source);
        // Where the draft sees all of a finer level anyway, its own statistics are the better ones.
        if (plan.roomy != bounds || plan.level > small) plan.wholeLevel = small;
    }
    plan.exact = plan.level == 0 && plan.wholeLevel <= 0;
    return plan;
}

}  // namespace

Placement placementOfLevel(const Pyramid& source, int level) {
    return Placement::reducedCopy(source.levels[std::size_t(level)].size(),
                                  source.levels.front().size(), std::ldexp(1.0, -level));
}

DraftPlan planDraft(const Pyramid& source, const Pipeline& pipeline, const Viewport& viewport,
                    const DraftPace& pace) {
    if (source.levels.empty()) return {};
    const Size full = source.levels.front().size();
    const Rect shown = intersect(viewport.visible, {0, 0, full.width, full.height});
    if (shown.empty()) return {};
    const int coarsest = int(source.levels.size()) - 1;
    const int first = std::clamp(source.levelFor(viewport.zoom), 0, coarsest);
    const int last = std::min(coarsest, first + kMostCoarser);
    DraftPlan plan = planAt(first, source, pipeline, shown);
    // One that has just kept up, or has not, is left only for a good reason: a picture whose pixels
    // change their size with every other draft is worse than either.
    const auto fits = [&] {
        const double most = plan.level < pace.lastLevel    ? kFinerShare
                            : plan.level == pace.lastLevel ? kStayShare
                                                           : 1.0;
        return plan.roomy.size().pixels() <= kFewPixels ||
               plan.guessedMs * pace.msPerGuess <= most * pace.budgetMs;
    };
    while (plan.level < last && !fits()) plan = planAt(plan.level + 1, source, pipeline, shown);
    return plan;
}

}  // namespace warpscope
