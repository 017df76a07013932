#include "engine/operations/analysis/histogram_range.h"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "engine/operations/cpu_work.h"
#include "engine/operations/tone/grayscale.h"

namespace warpscope {
namespace {

// As the histogram of the whole range takes them.
template <class T>
double levelOf(HistogramChannel channel, const T* pixel, int channels) {
    if (channels == 1 || channel == HistogramChannel::Red) return double(pixel[0]);
    if (channel == HistogramChannel::Green) return double(pixel[1]);
    if (channel == HistogramChannel::Blue) return double(pixel[2]);
    return (double(kWeights601.red) * double(pixel[0]) +
            double(kWeights601.green) * double(pixel[1]) +
            double(kWeights601.blue) * double(pixel[2])) /
           65536.0;
}

template <class T>
bool isFinitePixel(const T* pixel, int channels) {
    for (int c = 0; c < std::min(channels, 3); ++c)
        if (!std::isfinite(double(pixel[c]))) return false;
    return true;
}

template <class T>
void countRows(const View<const T>& view, int first, int last, RangeCounts& counts) {
    HistogramSet& set = counts.set;
    const int bins = int(set.channels.front().bins.size());
    const double binsPerUnit = bins / (set.high - set.low);
    for (int y = first; y < last; ++y) {
        const T* pixel = view.row(y);
        for (int x = 0; x < view.width; ++x, pixel += view.channels) {
            if (!isFinitePixel(pixel, view.channels)) {
                ++set.notFinite;
                continue;
            }
            for (Histogram& histogram : set.channels) {
                const double v = levelOf(histogram.channel, pixel, view.channels);
                if (v < set.low)
                    ++counts.below[std::size_t(histogram.channel)];
                else if (v > set.high)
                    ++counts.above[std::size_t(histogram.channel)];
                else
                    ++histogram
                          .bins[std::size_t(std::min(int((v - set.low) * binsPerUnit), bins - 1))];
            }
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
                                 const CpuContext& context) {
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
            countRows(view, first, last, part);
            const std::lock_guard lock(merging);
            add(part, whole);
        });
    });
    if (!done) return fail(done.error());
    return whole;
}

}  // namespace warpscope
