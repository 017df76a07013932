#include "engine/image/histogram.h"

#include <numeric>

#include "engine/image/exact_figures.h"

namespace warpscope {

std::string_view channelName(HistogramChannel channel) {
    switch (channel) {
        case HistogramChannel::Luma:
            return "luma";
        case HistogramChannel::Red:
            return "red";
        case HistogramChannel::Green:
            return "green";
        case HistogramChannel::Blue:
            return "blue";
    }
    return "";
}

bool ChannelSet::has(HistogramChannel channel) const {
    switch (channel) {
        case HistogramChannel::Luma:
            return luma;
        case HistogramChannel::Red:
            return red;
        case HistogramChannel::Green:
            return green;
        case HistogramChannel::Blue:
            return blue;
    }
    return false;
}

std::uint64_t Histogram::total() const {
    return std::accumulate(bins.begin(), bins.end(), std::uint64_t{0});
}

const Histogram* HistogramSet::find(HistogramChannel channel) const {
    for (const Histogram& histogram : channels)
        if (histogram.channel == channel) return &histogram;
    return nullptr;
}

Histogram rebinned(const Histogram& histogram, int binCount) {
    if (histogram.bins.size() == std::size_t(binCount)) return histogram;
    Histogram coarse{histogram.channel, std::vector<std::uint64_t>(std::size_t(binCount))};
    const std::size_t group = histogram.bins.size() / std::size_t(binCount);
    for (std::size_t i = 0; i < histogram.bins.size(); ++i)
        coarse.bins[i / group] += histogram.bins[i];
    return coarse;
}

HistogramSummary summarize(const HistogramSet& set, const Histogram& histogram) {
    HistogramSummary s;
    s.count = histogram.total();
    if (s.count == 0) return s;
    const std::size_t n = histogram.bins.size();
    const bool binned = isFloat(set.format) || set.format == PixelFormat::Gray32 ||
                        set.format == PixelFormat::Gray64;
    const double width = binned ? (set.high - set.low) / double(n) : 1.0;
    const double first = set.low + (binned ? width / 2 : 0.0);
    const auto value = [&](std::size_t bin) { return first + width * double(bin); };
    ExactSums sums;  // of bin numbers
    for (std::size_t i = 0; i < n; ++i) sums.add(i, histogram.bins[i]);
    s.minimum = value(binOfRank(histogram.bins, 1));
    s.maximum = value(binOfRank(histogram.bins, s.count));
    s.median = value(binOfRank(histogram.bins, percentileRank(s.count, 50)));
    s.mean = first + width * sums.mean();
    s.standardDeviation = width * sums.standardDeviation();
    s.atLow = histogram.bins.front();
    s.atHigh = histogram.bins.back();
    return s;
}

}  // namespace warpscope
