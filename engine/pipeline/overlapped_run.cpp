#include "engine/pipeline/overlapped_run.h"

#include <algorithm>

namespace warpscope {
namespace {

// Copies of less are as long as what each part costs besides.
constexpr std::int64_t kLeastBytes = std::int64_t(5) << 18;
// More hide no more of the first copy and the last, but of images whose eighth part is large.
constexpr std::int64_t kUsualParts = 8;
constexpr std::int64_t kLargeBytes = std::int64_t(8) << 20;
// Of a part's rows: what is computed twice.
constexpr int kLeastRowsPerHalo = 16;

int partCount(const Plan& plan) {
    const auto bytesOf = [&](PixelFormat format) {
        return plan.size.pixels() * std::int64_t(bytesPerPixel(format));
    };
    const std::int64_t bytes = std::max(bytesOf(plan.input), bytesOf(plan.output));
    const int byHalo = plan.size.height / (kLeastRowsPerHalo * std::max(plan.halo, 1));
    const std::int64_t byBytes =
        std::max(std::min(kUsualParts, bytes / kLeastBytes), bytes / kLargeBytes);
    return int(std::min<std::int64_t>(byBytes, byHalo));
}

bool staysInPlace(const Plan& plan) {
    return plan.place == plan.outputPlace && plan.size == plan.outputSize && !plan.movesPixels();
}

}  // namespace

std::vector<PartRun> overlappingParts(const Plan& plan, const PartPlanner& planFor) {
    const OperationDescription& description = plan.operation->description();
    if (plan.identity || plan.takesSecond || description.kind != OperationKind::Filter ||
        description.dependsOnWholeImage || !worksInBands(plan) || !staysInPlace(plan))
        return {};
    const int count = partCount(plan);
    if (count < 2) return {};
    std::vector<PartRun> parts;
    const Rect& all = plan.place.part;
    for (int i = 0; i < count; ++i) {
        const auto rowOf = [&](int part) { return int(std::int64_t(all.height) * part / count); };
        const Rect band{all.x, all.y + rowOf(i), all.width, rowOf(i + 1) - rowOf(i)};
        Placement place = plan.place;
        place.part = intersect(plan.neededInput(band), all);
        if (place.part.x != all.x || place.part.width != all.width) return {};
        const auto own = planFor(place);
        if (!own) return {};
        const Plan& made = **own;
        if (made.identity || made.output != plan.output || made.size != place.part.size() ||
            made.outputSize != made.size || made.outputPlace.part != place.part ||
            !contains(place.part, band))
            return {};
        parts.push_back(
            {*own, place.part.y - all.y, band.y - place.part.y, band.y - all.y, band.height});
    }
    return parts;
}

Result<Image> runOverlapped(Backend& backend, const Plan& plan, const std::vector<PartRun>& parts,
                            const StepImages& in, const RunContext& context, int& runs) {
    auto* const inParts = parts.empty() ? nullptr : dynamic_cast<PartRunner*>(&backend);
    if (inParts) {
        auto done = inParts->runParts(plan, parts, in.first, context);
        if (done) runs += int(parts.size());
        if (done || done.error().code != ErrorCode::Unsupported) return done;
    }
    return runAndFetch(backend, plan, in, context, runs);
}

}  // namespace warpscope
