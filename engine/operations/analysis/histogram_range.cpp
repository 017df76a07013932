#include "engine/operations/analysis/histogram_range.h"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "engine/operations/analysis/pixel_level.h"
#include "engine/operations/cpu_work.h"

namespace warpscope {
namespace {

template <class T>
void countRun(const T* pixel, int width, int channels, RangeCounts& counts) {
    HistogramSet& set = counts.set;
    const int bins = int(set.channels.front().bins.size());
    const double binsPerUnit = bins / (set.high - set.low);
    for (int x = 0; x < width; ++x, pixel += channels) {
        if (!isFinitePixel(pixel, channels)) {
            ++set.notFinite;
            continue;
        }
        for (Histogram& histogram : set.channels) {
            const double v = levelOf(histogram.channel, pixel, channels);
            if (v < set.low)
                ++counts.below[std::size_t(histogram.channel)];
            else if (v > set.high)
                ++counts.above[std::size_t(histogram.channel)];
            else
                ++histogram.bins[std::size_t(std::min(int((v - set.low) * binsPerUnit), bins - 1))];
        }
    }
}

void add(const RangeCounts& part, RangeCounts& whole) {
    whole.set.notFinite += part.set.notFinite;
    for (std::size_t i = 0; i < part.set.channels.size(); ++i)
        for (std::size_t k = 0; k < part.set.channels[i].bins.size(); ++k)
            whole.set.channels[i].bins[k] += part.set.channels[i].bins[k];
    for (std::size_t c = 0; c < 4; ++c) {
        whole.below[c] += part.below[c];
        whole.above[c] += part.above[c];
    }
}

}  // namespace

Result<RangeCounts> countInRange(const Image& image, double low, double high, int bins,
                                 const CpuContext& context, const RegionRows* rows) {
    const bool ordered = std::isfinite(low) && std::isfinite(high) && low < high;
    if (image.isNull() || bytesPerSample(image.format()) < 4 || !ordered || bins < 1)
        return fail(ErrorCode::InvalidArgument, "no range to count in");
    RangeCounts empty;
    empty.set.size = image.size();
    empty.set.format = image.format();
    empty.set.low = low;
    empty.set.high = high;
    for (const HistogramChannel channel : kAllHistogramChannels)
        if (isColor(image.format()) || channel == HistogramChannel::Luma)
            empty.set.channels.push_back({channel, std::vector<std::uint64_t>(std::size_t(bins))});
    RangeCounts whole = empty;
    std::mutex merging;  // guards whole
    const auto rowBytes = std::uint64_t(image.width()) * unsigned(bytesPerPixel(image.format()));
    const int band = rowsPerBand(context, image.height(), rowBytes, 1, 1u << 20);
    auto done = visitSampleType(image.format(), [&]<class T>() {
        const auto view = image.view<T>();
        return forEachRowBand(context, view.height, band, [&](int first, int last) {
            RangeCounts part = empty;
            for (int y = first; y < last; ++y)
                forEachRun(view, y, rows, [&](const T* pixels, int, int width) {
                    countRun(pixels, width, view.channels, part);
                });
            const std::lock_guard lock(merging);
            add(part, whole);
        });
    });
    if (!done) return fail(done.error());
    return whole;
}

}  // namespace warpscope
