// Figures of samples that are too many to have a bin each: float and sums.
#include <bit>
#include <cmath>
#include <limits>
#include <mutex>

#include "engine/image/exact_figures.h"
#include "engine/image/statistics.h"
#include "engine/operations/analysis/statistics.h"
#include "engine/operations/tone/grayscale.h"

namespace warpscope {
namespace {

constexpr std::size_t kDigit = 65536;

// Whole numbers in the order of the samples. Both zeros are one.
template <class T>
auto keyOf(T v) {
    if constexpr (std::is_same_v<T, float>) {
        const auto bits = std::bit_cast<std::uint32_t>(v + 0.0f);
        return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
    } else {
        return v;
    }
}
template <class T>
using Key = decltype(keyOf(T{}));

template <class T>
T sampleOf(Key<T> key) {
    if constexpr (std::is_same_v<T, float>)
        return std::bit_cast<float>(key & 0x80000000u ? key & 0x7FFFFFFFu : ~key);
    else
        return key;
}

template <class T>
bool isNumber(T v) {
    if constexpr (std::is_floating_point_v<T>) return std::isfinite(v);
    return true;
}

template <class T>
TableCell cellOf(T v) {
    if constexpr (std::is_integral_v<T>)
        if (std::uint64_t(v) <= std::uint64_t(std::numeric_limits<std::int64_t>::max()))
            return std::int64_t(v);
    return double(v);
}

// One channel of an image. Bands count in tables of their own, which are added up: the order of
// bands does not matter.
template <class T>
class Channel {
  public:
    Channel(const Image& image, int channel, const RegionRows* rows, const CpuContext& context)
        : m_view(image.view<T>()), m_channel(channel), m_rows(rows), m_context(context) {}

    // `cellOf` says for each finite sample which of `cells` it counts in; `cells` for none.
    template <class CellOf>
    Result<std::vector<std::uint64_t>> count(std::size_t cells, const CellOf& cellOf) const {
        // Bands with many more samples than cells, and none with more than 32 bits count.
        constexpr std::int64_t kLargestBand = std::int64_t{1} << 31;
        const std::int64_t width = m_view.width;
        const int least = int(std::min<std::int64_t>(m_view.height, 4 * int(cells) / width + 1));
        const int band = int(std::min<std::int64_t>(
            rowsPerBand(m_context, m_view.height, std::uint64_t(width) * sizeof(T), least, 4 << 20),
            kLargestBand / width));
        std::vector<std::uint64_t> counts(cells);
        std::mutex merging;  // guards counts
        auto done = forEachRowBand(m_context, m_view.height, band, [&](int first, int last) {
            std::vector<std::uint32_t> own(cells + 1);
            for (int y = first; y < last; ++y)
                forEachRun(m_view, y, m_rows, [&](const T* pixels, int, int pixelCount) {
                    const T* sample = pixels + m_channel;
                    for (int x = 0; x < pixelCount; ++x, sample += m_view.channels)
                        if (isNumber(*sample)) ++own[cellOf(*sample)];
                });
            const std::lock_guard lock(merging);
            for (std::size_t k = 0; k < cells; ++k) counts[k] += own[k];
        });
        if (!done) return fail(done.error());
        return counts;
    }

    // The samples of these ranks, from 1 and rising, by 16 bits of their keys at a time.
    Result<std::vector<T>> samplesOfRanks(std::vector<std::uint64_t> ranks) const {
        std::vector<Key<T>> found(ranks.size());
        for (int shift = 8 * int(sizeof(T)) - 16; shift >= 0; shift -= 16) {
            // The beginnings that are still looked at; all samples of one count in one table.
            std::vector<Key<T>> starts(found);
            starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
            const bool first = shift == 8 * int(sizeof(T)) - 16;
            const std::size_t none = starts.size() * kDigit;
            auto counts = count(none, [&](T v) {
                const Key<T> key = keyOf(v);
                const auto digit = std::size_t(key >> shift) & (kDigit - 1);
                if (first) return digit;
                const Key<T> start = Key<T>(key >> shift >> 16);
                for (std::size_t i = 0; i < starts.size(); ++i)
                    if (starts[i] == start) return i * kDigit + digit;
                return none;
            });
            if (!counts) return fail(counts.error());
            for (std::size_t i = 0; i < found.size(); ++i) {
                const auto at =
                    std::size_t(std::find(starts.begin(), starts.end(), found[i]) - starts.begin());
                const auto table = std::span(*counts).subspan(at * kDigit, kDigit);
                const std::size_t digit = binOfRank(table, ranks[i]);
                for (std::size_t below = 0; below < digit; ++below) ranks[i] -= table[below];
                found[i] = Key<T>(first ? digit : std::size_t(found[i]) << 16 | digit);
            }
        }
        std::vector<T> samples;
        for (const Key<T> key : found) samples.push_back(sampleOf<T>(key));
        return samples;
    }

    Result<ChannelFigures> figures(std::string name, const ChannelStatistics& known,
                                   double white) const {
        ChannelFigures figures;
        figures.channel = std::move(name);
        figures.pixels = known.count + known.notFinite;
        figures.notANumber = known.notANumber;
        figures.infinite = known.notFinite - known.notANumber;
        constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
        figures.percentiles.fill(kNone);
        figures.mean = figures.standardDeviation = figures.entropyBits = kNone;
        if (known.count == 0) return figures;
        figures.mean = known.mean;
        figures.standardDeviation = known.standardDeviation;

        std::vector<std::uint64_t> ranks;
        for (const unsigned percent : kStatisticsPercents)
            ranks.push_back(percentileRank(known.count, percent));
        const auto samples = samplesOfRanks(ranks);
        if (!samples) return fail(samples.error());
        for (std::size_t i = 0; i < samples->size(); ++i)
            figures.percentiles[i] = cellOf((*samples)[i]);

        const auto low = double(samples->front()), high = double(samples->back());
        const auto bins = count(kDigit, [&](T v) {
            if (low == high) return std::size_t{0};
            return std::min(kDigit - 1,
                            std::size_t((double(v) - low) * double(kDigit) / (high - low)));
        });
        if (!bins) return fail(bins.error());
        figures.entropyBits = entropyOf(*bins);
        const auto ends = count(2, [&](T v) {
            return std::size_t(double(v) <= 0 ? 0 : double(v) >= white ? 1 : 2);
        });
        if (!ends) return fail(ends.error());
        figures.black = (*ends)[0];
        figures.white = (*ends)[1];
        return figures;
    }

  private:
    View<const T> m_view;
    int m_channel;
    const RegionRows* m_rows;
    const CpuContext& m_context;
};

Result<Image> lumaOf(const Image& image, const CpuContext& context) {
    auto made = MutableImage::create(PixelFormat::GrayF32, image.size());
    if (!made) return fail(made.error());
    const auto from = image.view<float>();
    const auto to = made->view<float>();
    const int band =
        rowsPerBand(context, from.height, std::uint64_t(from.samplesPerRow()) * sizeof(float));
    auto done = forEachRowBand(context, from.height, band, [&](int first, int last) {
        for (int y = first; y < last; ++y) lumaRow(from.row(y), to.row(y), from.width);
    });
    if (!done) return fail(done.error());
    return std::move(*made).freeze({});
}

}  // namespace

Result<std::vector<ChannelFigures>> realFiguresCpu(const Image& image, const CpuContext& context,
                                                   const RegionRows* only) {
    std::vector<ChannelFigures> rows;
    const CpuContext quiet{context.threading, context.stop, {}};
    const int expected = isColor(image.format()) ? 5 : 1;
    const auto add = [&](const Image& from, std::vector<std::string> names) -> Result<void> {
        const auto known = computeStatistics(from, quiet, only);
        if (!known) return fail(known.error());
        for (std::size_t c = 0; c < names.size(); ++c) {
            auto figures = visitSampleType(from.format(), [&]<class T>() {
                return Channel<T>(from, int(c), only, quiet)
                    .figures(names[c], (*known)[c], fullScale(from.format()));
            });
            if (!figures) return fail(figures.error());
            rows.push_back(std::move(*figures));
            if (context.progress) context.progress(double(rows.size()) / expected);
        }
        return {};
    };
    Result<void> done;
    if (isColor(image.format())) {
        const auto luma = lumaOf(image, quiet);
        if (!luma) return fail(luma.error());
        done = add(*luma, {"luma"});
        if (done) done = add(image, {"red", "green", "blue", "alpha"});
    } else {
        done = add(image, {"gray"});
    }
    if (!done) return fail(done.error());
    return rows;
}

}  // namespace warpscope
