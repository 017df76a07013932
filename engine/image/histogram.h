// Histograms as values. How they are counted is in engine/operations/analysis/histogram.h (CPU) and
// cuda_kernels/analysis/histogram.cu.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/image/pixel_format.h"

namespace warpscope {

enum class HistogramChannel { Luma, Red, Green, Blue };

inline constexpr HistogramChannel kAllHistogramChannels[] = {
    HistogramChannel::Luma, HistogramChannel::Red, HistogramChannel::Green, HistogramChannel::Blue};

std::string_view channelName(HistogramChannel channel);  // "luma", "red", ...

// Which channels to count; a gray image has only luma.
struct ChannelSet {
    bool luma = true;
    bool red = false;
    bool green = false;
    bool blue = false;

    static constexpr ChannelSet all() { return {true, true, true, true}; }
    static constexpr ChannelSet only(HistogramChannel channel) {
        return {channel == HistogramChannel::Luma, channel == HistogramChannel::Red,
                channel == HistogramChannel::Green, channel == HistogramChannel::Blue};
    }
    bool has(HistogramChannel channel) const;
    bool anyColor() const { return red || green || blue; }
    friend bool operator==(const ChannelSet&, const ChannelSet&) = default;
};

struct Histogram {
    HistogramChannel channel = HistogramChannel::Luma;
    std::vector<std::uint64_t> bins;  // 256 (8 bits, float, sums) or 65,536 (16 bits)

    std::uint64_t total() const;
};

struct HistogramSet {
    Size size;  // of the image that was counted
    PixelFormat format = PixelFormat::Gray8;
    double low = 0.0;  // sample value at the left edge of the first bin
    double high =
        255.0;  // integers: value of the last bin; float and sums: right edge of the last bin
    std::uint64_t notFinite = 0;  // NaN and infinities, counted here and in no bin
    std::vector<Histogram> channels;

    const Histogram* find(HistogramChannel channel) const;
};

// The same counts in `binCount` bins (a divisor of the number of bins).
Histogram rebinned(const Histogram& histogram, int binCount);

// What a person reads off a histogram. Values are bin indices times bin width plus `low`.
struct HistogramSummary {
    double minimum = 0, maximum = 0, mean = 0, standardDeviation = 0, median = 0;
    std::uint64_t count = 0;
    std::uint64_t atLow = 0;   // count in the first bin (clipped shadows)
    std::uint64_t atHigh = 0;  // count in the last bin (clipped highlights)
};
HistogramSummary summarize(const HistogramSet& set, const Histogram& histogram);

}  // namespace warpscope
