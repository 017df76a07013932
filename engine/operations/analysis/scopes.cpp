#include "engine/operations/analysis/scopes.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <new>

#include "engine/operations/cpu_work.h"
#include "engine/operations/tone/grayscale.h"

namespace warpscope {
namespace {

constexpr double kRed = kWeights601.red, kGreen = kWeights601.green, kBlue = kWeights601.blue;
constexpr double kOne = 65536;

// Of samples as they are; luminance of 8 and 16 bits is rounded to a level, as in the histogram.
template <class T>
double lumaOf(const T* p) {
    const double sum = kRed * double(p[0]) + kGreen * double(p[1]) + kBlue * double(p[2]);
    if constexpr (sizeof(T) < 4)
        return double((std::uint32_t(sum) + 32768u) >> 16);
    else
        return sum / kOne;
}

std::array<double, 2> chroma(double red, double green, double blue) {
    const double sum = kRed * red + kGreen * green + kBlue * blue;
    return {(kOne * blue - sum) / (2 * (kOne - kBlue)), (kOne * red - sum) / (2 * (kOne - kRed))};
}

int chromaLevel(double c) {
    return std::clamp(int(c * 255 + (kNoChroma + 0.5)), 0, kScopeLevels - 1);
}

struct Lanes {
    const std::vector<int>& columnOf;  // by pixel of a row
    double span = 0;                   // of the range, the last level included
};

template <class T>
void countChroma(const T* pixel, int width, int channels, ScopeCounts& counts) {
    const double low = counts.request.low, high = counts.request.high;
    const double whole = high - low;
    for (int x = 0; x < width; ++x, pixel += channels) {
        const double r = double(pixel[0]);
        const double g = channels == 1 ? r : double(pixel[1]);
        const double b = channels == 1 ? r : double(pixel[2]);
        if (!std::isfinite(r) || !std::isfinite(g) || !std::isfinite(b)) {
            ++counts.notFinite;
        } else if (std::min({r, g, b}) < low || std::max({r, g, b}) > high) {
            ++counts.beside[0];
        } else {
            const auto [cb, cr] = chroma(r, g, b);
            const int level = chromaLevel(cr / whole);
            ++counts.grids[0][std::size_t(level * kScopeLevels + chromaLevel(cb / whole))];
        }
    }
}

template <class T>
void countLevels(const T* pixel, int column, int width, int channels, const Lanes& lanes,
                 ScopeCounts& counts) {
    const double low = counts.request.low, high = counts.request.high;
    const double levelsPerUnit = kScopeLevels / lanes.span;
    const std::size_t grids = counts.grids.size();
    for (int x = column; x < column + width; ++x, pixel += channels) {
        bool finite = true;
        for (int c = 0; c < std::min(channels, 3); ++c)
            finite = finite && std::isfinite(double(pixel[c]));
        if (!finite) {
            ++counts.notFinite;
            continue;
        }
        for (std::size_t i = 0; i < grids; ++i) {
            const double v = channels == 1 || grids == 3 ? double(pixel[i]) : lumaOf(pixel);
            if (v < low || v > high) {
                ++counts.beside[i];
                continue;
            }
            const int level = std::min(int((v - low) * levelsPerUnit), kScopeLevels - 1);
            ++counts.grids[i][std::size_t(level) * std::size_t(counts.columns) +
                              std::size_t(lanes.columnOf[std::size_t(x)])];
        }
    }
}

void add(const ScopeCounts& part, ScopeCounts& whole) {
    whole.notFinite += part.notFinite;
    for (std::size_t i = 0; i < part.beside.size(); ++i) whole.beside[i] += part.beside[i];
    for (std::size_t i = 0; i < part.grids.size(); ++i)
        for (std::size_t k = 0; k < part.grids[i].size(); ++k)
            whole.grids[i][k] += part.grids[i][k];
}

}  // namespace

std::array<double, 2> chromaOf(double red, double green, double blue) {
    return chroma(red, green, blue);
}

Result<ScopeCounts> countScope(const Image& image, const ScopeRequest& request,
                               const CpuContext& context) {
    const auto& [kind, columns, low, high, region] = request;
    const Rect all{0, 0, image.width(), image.height()};
    const RegionShape shape = region.value_or(all);
    const Rect rect = shape.isRectangle() ? shape.box() : intersect(shape.box(), all);
    if (image.isNull() || rect.empty() || !contains(all, rect) || columns < 1 ||
        !std::isfinite(low) || !std::isfinite(high) || !(low < high))
        return fail(ErrorCode::InvalidArgument, "no part or no range to count in");
    const Image part = image.crop(rect);
    const bool chromatic = kind == ScopeKind::Vectorscope;
    ScopeCounts empty;
    empty.request = request;
    empty.part = rect;
    empty.pixels = std::uint64_t(rect.size().pixels());
    empty.size = part.size();
    empty.format = part.format();
    empty.columns = chromatic ? kScopeLevels : std::min(columns, part.width());
    const bool levels = bytesPerSample(part.format()) < 4;
    try {
        std::optional<RegionRows> only;
        if (!shape.isRectangle()) only.emplace(shape, rect, context.stop);
        if (context.stop.stop_requested()) return cancelled();
        const RegionRows* rows = only ? &*only : nullptr;
        if (rows) empty.pixels = rows->pixels();
        const std::size_t cells = std::size_t(empty.columns) * kScopeLevels;
        const bool three = kind == ScopeKind::Parade && isColor(part.format());
        empty.grids.assign(three ? 3 : 1, std::vector<std::uint64_t>(cells));
        std::vector<int> columnOf(std::size_t(part.width()));
        for (std::size_t x = 0; x < columnOf.size(); ++x)
            columnOf[x] = int(x * std::size_t(empty.columns) / columnOf.size());
        const Lanes lanes{columnOf, high - low + (levels ? 1 : 0)};
        // Bands share as many sets of grids as run side by side, so that few are added up.
        std::mutex sharing;  // guards idle
        std::vector<std::unique_ptr<ScopeCounts>> idle;
        const auto rowBytes = std::uint64_t(part.width()) * unsigned(bytesPerPixel(part.format()));
        const int band = rowsPerBand(context, part.height(), rowBytes, 1, 1u << 20);
        auto done = visitSampleType(part.format(), [&]<class T>() {
            const auto view = part.view<T>();
            return forEachRowBand(context, view.height, band, [&](int first, int last) {
                std::unique_ptr<ScopeCounts> counts;
                {
                    const std::lock_guard lock(sharing);
                    if (!idle.empty()) {
                        counts = std::move(idle.back());
                        idle.pop_back();
                    }
                }
                if (!counts) counts = std::make_unique<ScopeCounts>(empty);
                for (int y = first; y < last; ++y)
                    forEachRun(view, y, rows, [&](const T* pixels, int column, int width) {
                        if (chromatic)
                            countChroma(pixels, width, view.channels, *counts);
                        else
                            countLevels(pixels, column, width, view.channels, lanes, *counts);
                    });
                const std::lock_guard lock(sharing);
                idle.push_back(std::move(counts));
            });
        });
        if (!done) return fail(done.error());
        for (const auto& counts : idle) add(*counts, empty);
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::OutOfMemory, "no memory for a scope");
    }
    return empty;
}

}  // namespace warpscope
