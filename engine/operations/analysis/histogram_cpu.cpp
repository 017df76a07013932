#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <mutex>

#include "engine/operations/analysis/byte_counter.h"
#include "engine/operations/analysis/histogram.h"
#include "engine/operations/analysis/pixel_level.h"
#include "engine/operations/cpu_work.h"
#include "engine/operations/tone/grayscale.h"

namespace warpscope {
namespace {

// Counts of one band, one table a channel of the plan. 32 bits are enough for a band (see
// kLargestBand); the sums are 64.
struct Counts {
    explicit Counts(const HistogramSet& set) {
        for (const Histogram& histogram : set.channels)
            tables.push_back(
                {histogram.channel, std::vector<std::uint32_t>(histogram.bins.size())});
    }
    void addTo(HistogramSet& set) const {
        for (std::size_t i = 0; i < tables.size(); ++i)
            for (std::size_t k = 0; k < tables[i].bins.size(); ++k)
                set.channels[i].bins[k] += tables[i].bins[k];
        set.notFinite += notFinite;
    }
    struct Table {
        HistogramChannel channel;
        std::vector<std::uint32_t> bins;
    };
    std::vector<Table> tables;
    std::uint64_t notFinite = 0;
};
constexpr std::int64_t kLargestBand = std::int64_t{1} << 31;  // pixels

int colorIndex(HistogramChannel channel) {
    return int(channel) - int(HistogramChannel::Red);
}

// Pixels that are looked at together: they and their luma stay in the first cache while each
// channel is counted.
constexpr int kChunk = 2048;

// Rows [first, last) of `view`, of which only `only` counts if it is there.
template <class T>
struct Band {
    const View<const T>& view;
    const RegionRows* only = nullptr;
    int first = 0;
    int last = 0;

    // f(pixels, how many)
    void forEachRun(auto&& f) const {
        for (int y = first; y < last; ++y)
            warpscope::forEachRun(view, y, only,
                                  [&](const T* pixels, int, int width) { f(pixels, width); });
    }
};

void countIntegers(const Band<std::uint8_t>& band, Counts& counts) {
    std::vector<ByteCounter> counters(counts.tables.size());
    std::uint8_t luma[kChunk];
    band.forEachRun([&](const std::uint8_t* row, int width) {
        if (band.view.channels == 1) return counters[0].count(row, width);
        for (int x = 0; x < width; x += kChunk) {
            const int n = std::min(kChunk, width - x);
            const std::uint8_t* pixels = row + 4 * std::ptrdiff_t(x);
            for (std::size_t i = 0; i < counters.size(); ++i) {
                if (counts.tables[i].channel == HistogramChannel::Luma) {
                    lumaRow(pixels, luma, n);
                    counters[i].countMade(luma, n, pixels);
                } else {
                    counters[i].countColor(pixels, n, colorIndex(counts.tables[i].channel));
                }
            }
        }
    });
    for (std::size_t i = 0; i < counters.size(); ++i) counters[i].addTo(counts.tables[i].bins);
}

void countIntegers(const Band<std::uint16_t>& band, Counts& counts) {
    std::uint16_t luma[kChunk];
    const int channels = band.view.channels;
    band.forEachRun([&](const std::uint16_t* row, int width) {
        for (int x = 0; x < width; x += kChunk) {
            const int n = std::min(kChunk, width - x);
            const std::uint16_t* pixels = row + channels * std::ptrdiff_t(x);
            for (Counts::Table& table : counts.tables) {
                if (channels == 1) {
                    for (int i = 0; i < n; ++i) ++table.bins[pixels[i]];
                } else if (table.channel == HistogramChannel::Luma) {
                    lumaRow(pixels, luma, n);
                    for (int i = 0; i < n; ++i) ++table.bins[luma[i]];
                } else {
                    const int color = colorIndex(table.channel);
                    for (int i = 0; i < n; ++i) ++table.bins[pixels[4 * i + color]];
                }
            }
        }
    });
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
void findRange(const Band<T>& band, Range& range) {
    const int channels = band.view.channels, colors = channels == 4 ? 3 : 1;
    band.forEachRun([&](const T* pixel, int width) {
        for (int x = 0; x < width; ++x, pixel += channels) {
            if (!isFinitePixel(pixel, channels)) continue;
            for (int c = 0; c < colors; ++c) range.include(double(pixel[c]));
        }
    });
}

template <class T>
void countReals(const Band<T>& band, const HistogramSet& set, Counts& counts) {
    const int channels = band.view.channels;
    const double span = set.high - set.low;
    const double binsPerUnit = span > 0 ? 256.0 / span : 0.0;
    band.forEachRun([&](const T* pixel, int width) {
        for (int x = 0; x < width; ++x, pixel += channels) {
            if (!isFinitePixel(pixel, channels)) {
                ++counts.notFinite;
                continue;
            }
            for (Counts::Table& table : counts.tables) {
                // Clamped below too: rounding may put the luma of a pixel a hair under the range.
                const double at = (levelOf(table.channel, pixel, channels) - set.low) * binsPerUnit;
                ++table.bins[std::size_t(std::clamp(at, 0.0, 255.0))];
            }
        }
    });
}

// Of a pixel and a channel, roughly: 16 bits have large tables, larger samples are looked at twice.
double countNanoseconds(PixelFormat format) {
    const int bytes = bytesPerSample(format);
    return bytes == 1 ? 0.5 : bytes == 2 ? 1.0 : 3.0;
}

// Large tables are worth fewer, larger bands: each band's are cleared first and added up at its
// end, which must cost little beside its pixels.
int bandFor(const CpuContext& context, const Image& image, std::size_t bins) {
    const std::uint64_t bandBytes = bytesPerSample(image.format()) == 2 ? 64u << 20 : 1u << 20;
    const auto rowBytes = std::uint64_t(image.width()) * unsigned(bytesPerPixel(image.format()));
    const int leastRows = int(4 * bins) / image.width() + 1;
    return int(
        std::min<std::int64_t>(rowsPerBand(context, image.height(), rowBytes, leastRows, bandBytes),
                               kLargestBand / image.width()));
}

void countAlpha(const Band<std::uint8_t>& band, std::vector<std::uint32_t>& bins) {
    ByteCounter counter;
    band.forEachRun([&](const std::uint8_t* row, int width) { counter.countColor(row, width, 3); });
    counter.addTo(bins);
}

void countAlpha(const Band<std::uint16_t>& band, std::vector<std::uint32_t>& bins) {
    band.forEachRun([&](const std::uint16_t* row, int width) {
        for (int x = 0; x < width; ++x) ++bins[row[4 * x + 3]];
    });
}

template <class T>
Result<void> countTyped(const Image& image, const CpuContext& context, const RegionRows* only,
                        HistogramSet& set) {
    const auto view = image.view<T>();
    constexpr bool kBinned = std::is_floating_point_v<T> || sizeof(T) >= 4;
    const CpuContext chosen = forWork(
        context, image.size(), countNanoseconds(image.format()) * double(set.channels.size()));
    const int band = bandFor(chosen, image, set.channels.front().bins.size());
    std::mutex merging;  // guards set, and range while it is found
    if constexpr (kBinned) {
        Range range;
        CpuContext quiet = chosen;
        quiet.progress = nullptr;
        auto ranged = forEachRowBand(quiet, view.height, band, [&](int first, int last) {
            Range mine;
            findRange(Band<T>{view, only, first, last}, mine);
            const std::lock_guard lock(merging);
            range.include(mine);
        });
        if (!ranged) return ranged;
        const bool any = range.low <= range.high;
        set.low = any ? range.low : 0.0;
        set.high = any ? range.high : 1.0;
    }
    const HistogramSet shape = set;  // what bands read while `set` is added to
    return forEachRowBand(chosen, view.height, band, [&](int first, int last) {
        Counts counts(shape);
        const Band<T> rows{view, only, first, last};
        if constexpr (kBinned)
            countReals(rows, shape, counts);
        else
            countIntegers(rows, counts);
        const std::lock_guard lock(merging);
        counts.addTo(set);
    });
}

}  // namespace

Result<HistogramSet> countCpu(const HistogramPlan& plan, const Image& image,
                              const CpuContext& context, const RegionRows* rows) {
    HistogramSet set = emptyHistograms(plan);
    if (plan.variant != kAutomaticVariant && !rows) {
        const bool wrong = plan.operation->description().isWrongOnPurpose(plan.variant);
        auto done = wrong ? countWrongCpu(plan, image, context, set)
                          : countPublishedCpu(plan, image, context, set);
        if (!done) return fail(done.error());
        return set;
    }
    auto counted = visitSampleType(
        image.format(), [&]<class T>() { return countTyped<T>(image, context, rows, set); });
    if (!counted) return fail(counted.error());
    return set;
}

Result<void> countAlphaCpu(const Image& image, const CpuContext& context,
                           std::span<std::uint64_t> bins, const RegionRows* rows) {
    const auto count = [&]<class T>() {
        const auto view = image.view<T>();
        std::mutex merging;  // guards bins
        const CpuContext chosen = forWork(context, image.size(), countNanoseconds(image.format()));
        const int band = bandFor(chosen, image, bins.size());
        return forEachRowBand(chosen, view.height, band, [&](int first, int last) {
            std::vector<std::uint32_t> own(bins.size());
            countAlpha(Band<T>{view, rows, first, last}, own);
            const std::lock_guard lock(merging);
            for (std::size_t k = 0; k < bins.size(); ++k) bins[k] += own[k];
        });
    };
    return bytesPerSample(image.format()) == 1 ? count.operator()<std::uint8_t>()
                                               : count.operator()<std::uint16_t>();
}

}  // namespace warpscope
