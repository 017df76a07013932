#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "engine/operations/grayscale.h"
#include "engine/operations/histogram.h"

namespace warpscope {
namespace {

// Counts of one band, one table a channel of the plan.
struct Counts {
    explicit Counts(const HistogramSet& set) {
        for (const Histogram& histogram : set.channels)
            tables.push_back(
                {histogram.channel, std::vector<std::uint64_t>(histogram.bins.size())});
    }
    void addTo(HistogramSet& set) const {
        for (std::size_t i = 0; i < tables.size(); ++i)
            for (std::size_t k = 0; k < tables[i].bins.size(); ++k)
                set.channels[i].bins[k] += tables[i].bins[k];
        set.notFinite += notFinite;
    }
    std::vector<Histogram> tables;
    std::uint64_t notFinite = 0;
};

template <class T>
std::size_t integerLevel(HistogramChannel channel, const T* pixel) {
    switch (channel) {
        case HistogramChannel::Red:
            return pixel[0];
        case HistogramChannel::Green:
            return pixel[1];
        case HistogramChannel::Blue:
            return pixel[2];
        case HistogramChannel::Luma:
            break;
    }
    return (kWeights601.red * std::uint32_t(pixel[0]) +
            kWeights601.green * std::uint32_t(pixel[1]) +
            kWeights601.blue * std::uint32_t(pixel[2]) + 32768u) >>
           16;
}

template <class T>
void countIntegers(const View<const T>& view, int first, int last, Counts& counts) {
    for (Histogram& table : counts.tables) {
        for (int y = first; y < last; ++y) {
            const T* row = view.row(y);
            if (view.channels == 1)
                for (int x = 0; x < view.width; ++x) ++table.bins[row[x]];
            else
                for (int x = 0; x < view.width; ++x)
                    ++table.bins[integerLevel(table.channel, row + 4 * x)];
        }
    }
}

// The range of the samples that are counted: of finite pixels, alpha left out.
struct Range {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    void include(double v) {
        low = std::min(low, v);
        high = std::max(high, v);
    }
    void include(const Range& other) {
        low = std::min(low, other.low);
        high = std::max(high, other.high);
    }
};

template <class T>
bool isFinitePixel(const T* pixel, int channels) {
    if constexpr (!std::is_floating_point_v<T>)
        return true;
    else if (channels == 1)
        return std::isfinite(pixel[0]);
    else
        return std::isfinite(pixel[0]) && std::isfinite(pixel[1]) && std::isfinite(pixel[2]);
}

template <class T>
void findRange(const View<const T>& view, int first, int last, Range& range) {
    const int colors = view.channels == 4 ? 3 : 1;
    for (int y = first; y < last; ++y) {
        const T* pixel = view.row(y);
        for (int x = 0; x < view.width; ++x, pixel += view.channels) {
            if (!isFinitePixel(pixel, view.channels)) continue;
            for (int c = 0; c < colors; ++c) range.include(double(pixel[c]));
        }
    }
}

template <class T>
double realLevel(HistogramChannel channel, const T* pixel, int channels) {
    if (channels == 1 || channel == HistogramChannel::Red) return double(pixel[0]);
    if (channel == HistogramChannel::Green) return double(pixel[1]);
    if (channel == HistogramChannel::Blue) return double(pixel[2]);
    return (double(kWeights601.red) * double(pixel[0]) +
            double(kWeights601.green) * double(pixel[1]) +
            double(kWeights601.blue) * double(pixel[2])) /
           65536.0;
}

template <class T>
void countReals(const View<const T>& view, const HistogramSet& set, int first, int last,
                Counts& counts) {
    const double span = set.high - set.low;
    const double binsPerUnit = span > 0 ? 256.0 / span : 0.0;
    for (int y = first; y < last; ++y) {
        const T* pixel = view.row(y);
        for (int x = 0; x < view.width; ++x, pixel += view.channels) {
            if (!isFinitePixel(pixel, view.channels)) {
                ++counts.notFinite;
                continue;
            }
            for (Histogram& table : counts.tables) {
                // Clamped below too: rounding may put the luma of a pixel a hair under the range.
                const double at =
                    (realLevel(table.channel, pixel, view.channels) - set.low) * binsPerUnit;
                ++table.bins[std::size_t(std::clamp(at, 0.0, 255.0))];
            }
        }
    }
}

template <class T>
Result<void> countTyped(const Image& image, const CpuContext& context, HistogramSet& set) {
    const auto view = image.view<T>();
    const int band =
        rowsPerBand(context, view.height, std::uint64_t(view.samplesPerRow()) * sizeof(T));
    std::mutex merging;  // guards set, and range while it is found
    constexpr bool kBinned = std::is_floating_point_v<T> || sizeof(T) >= 4;
    if constexpr (kBinned) {
        Range range;
        CpuContext quiet = context;
        quiet.progress = nullptr;
        auto ranged = forEachRowBand(quiet, view.height, band, [&](int first, int last) {
            Range mine;
            findRange(view, first, last, mine);
            const std::lock_guard lock(merging);
            range.include(mine);
        });
        if (!ranged) return ranged;
        const bool any = range.low <= range.high;
        set.low = any ? range.low : 0.0;
        set.high = any ? range.high : 1.0;
    } else {
        set.low = 0.0;
        set.high = fullScale(set.format);
    }
    const HistogramSet shape = set;  // what bands read while `set` is added to
    return forEachRowBand(context, view.height, band, [&](int first, int last) {
        Counts counts(shape);
        if constexpr (kBinned)
            countReals(view, shape, first, last, counts);
        else
            countIntegers(view, first, last, counts);
        const std::lock_guard lock(merging);
        counts.addTo(set);
    });
}

}  // namespace

Result<HistogramSet> countCpu(const HistogramPlan& plan, const Image& image,
                              const CpuContext& context) {
    HistogramSet set;
    set.size = image.size();
    set.format = image.format();
    for (const HistogramChannel channel : kAllHistogramChannels)
        if (plan.channels.has(channel))
            set.channels.push_back(
                {channel, std::vector<std::uint64_t>(std::size_t(plan.binCount))});
    auto counted = visitSampleType(image.format(),
                                   [&]<class T>() { return countTyped<T>(image, context, set); });
    if (!counted) return fail(counted.error());
    return set;
}

}  // namespace warpscope
