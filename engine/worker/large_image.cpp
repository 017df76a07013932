#include "engine/worker/large_image.h"

#include <algorithm>
#include <atomic>

#include "engine/pipeline/banded_run.h"

namespace warpscope {
namespace {

constexpr std::uint64_t kLarge = std::uint64_t(128) << 20;
constexpr std::uint64_t kOutputs = std::uint64_t(448) << 20;
constexpr std::uint64_t kOutputsOfDrafts = std::uint64_t(64) << 20;
// Each step's band has a size of its own, and blocks for all of them stay in the pool.
constexpr int kBands = 18;
// Of the source. A step is timed with what it is given, what two backends make of it, and the
// inputs of the others.
constexpr double kTimedPart = 1.0 / 12;
constexpr double kWorthKeepingMs = 10'000;
constexpr int kLeastRows = 8;
// Rows that several bands need count as often as they are computed.
constexpr double kMostRepeated = 1.35;

std::atomic<std::uint64_t> leastBytes{kLarge};

double area(const Rect& rect) {
    return double(rect.width) * double(rect.height);
}

bool hasTables(const Plan& plan) {
    const OperationDescription& description = plan.operation->description();
    return plan.operation->hasTables(plan) && !description.isWrongOnPurpose(plan.variant) &&
           plan.place.scale == 1.0;
}

Rect neededOf(const ChainShape& shape, const Rect& rows, Size source) {
    return intersect(neededFor(shape, rows).source, {0, 0, source.width, source.height});
}

}  // namespace

std::uint64_t largeImageBytes() {
    return leastBytes;
}

void setLargeImageBytes(std::uint64_t bytes) {
    leastBytes = bytes == 0 ? kLarge : bytes;
}

bool isLarge(PixelFormat format, Size size) {
    return storageBytes(format, size).value_or(0) >= largeImageBytes();
}

double worthKeepingMs() {
    return kWorthKeepingMs * double(largeImageBytes()) / double(kLarge);
}

std::uint64_t outputsLimit(const Pyramid& source) {
    if (source.levels.empty()) return kOutputs;
    const Image& image = source.levels.front();
    return isLarge(image.format(), image.size()) ? kOutputsOfDrafts : kOutputs;
}

int bandsFor(const ChainShape& shape, Size source) {
    bool works = false;
    for (const ShapedStep& step : shape.steps) {
        if (!step.plan) continue;
        // What is taken from all of the image, but for tables, would be taken anew for each band.
        if (!hasTables(*step.plan) &&
            (step.plan->operation->description().dependsOnWholeImage || !worksInBands(*step.plan)))
            return 1;
        works = works || !step.plan->identity;
    }
    if (!works || shape.failure) return 1;
    const Size result = shape.place.whole;
    const double all = area(neededOf(shape, {0, 0, result.width, result.height}, source));
    int bands = std::min(kBands, result.height / kLeastRows);
    for (; bands > 1; bands /= 2) {
        const Rect needed = neededOf(shape, rowsOfBand(result, bands / 2, bands), source);
        if (!needed.empty() && area(needed) * bands <= kMostRepeated * all) return bands;
    }
    return 1;
}

Rect rowsOfBand(Size result, int band, int bands) {
    const auto edge = [&](int i) { return int(std::int64_t(result.height) * i / bands); };
    return {0, edge(band), result.width, edge(band + 1) - edge(band)};
}

Rect timedRows(const ChainShape& shape, Size source) {
    const Size result = shape.place.whole;
    const double most = kTimedPart * double(source.pixels());
    for (int bands = 2; bands <= result.height; bands *= 2) {
        const Rect rows = rowsOfBand(result, bands / 2, bands);
        if (area(neededOf(shape, rows, source)) <= most) return rows;
    }
    return rowsOfBand(result, result.height / 2, result.height);
}

}  // namespace warpscope
