#include "engine/pipeline/preset_fit.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace warpscope {
namespace {

// As much as most programs give away at either end.
constexpr double kGivenAway = 0.0035;
// Of a quotient, in hundredths of a level.
constexpr double kRounding = 1e-6;
constexpr double kMostPixels = 1 << 20;
// Of the shorter side: some four lines of print on a page.
constexpr double kRadiusShare = 1.0 / 19;
constexpr std::int64_t kLeastRadius = 15, kMostRadius = 150;

// Of one colour: where it begins and ends, in shares of full scale.
template <class T>
std::optional<LevelRange> rangeOf(const View<const T>& view, int channel, int step, double full) {
    std::vector<double> values;
    for (int y = 0; y < view.height; y += step)
        for (int x = 0; x < view.width; x += step) {
            const double value = double(view.row(y)[std::ptrdiff_t(x) * view.channels + channel]);
            if (!std::isnan(value)) values.push_back(value / full);
        }
    if (values.empty()) return std::nullopt;
    const auto away = std::ptrdiff_t(kGivenAway * double(values.size()));
    const auto low = values.begin() + away;
    std::nth_element(values.begin(), low, values.end());
    const double black = *low;
    const auto high = values.end() - 1 - away;
    std::nth_element(values.begin(), high, values.end());
    return LevelRange{black, double(*high)};
}

template <class T>
std::optional<LevelRange> rangeOf(const Image& image) {
    const View<const T> view = image.view<T>();
    const int step =
        std::max(1, int(std::ceil(std::sqrt(double(image.size().pixels()) / kMostPixels))));
    const int colors = isColor(image.format()) ? 3 : 1;
    std::optional<LevelRange> all;
    for (int c = 0; c < colors; ++c) {
        const auto one = rangeOf(view, c, step, fullScale(image.format()));
        if (!one) continue;
        all = all ? LevelRange{std::min(all->black, one->black), std::max(all->white, one->white)}
                  : *one;
    }
    return all;
}

// Hundredths say enough of a level and stay readable; outwards, so that nothing more is lost.
std::optional<LevelRange> inLevels(const std::optional<LevelRange>& shares) {
    if (!shares) return std::nullopt;
    const double black =
        std::clamp(std::floor(shares->black * 25500 + kRounding) / 100, 0.0, 255.0);
    const double white = std::clamp(std::ceil(shares->white * 25500 - kRounding) / 100, 0.0, 255.0);
    if (!(black < white)) return std::nullopt;
    return LevelRange{black, white};
}

// The first and last bin of one channel that are not given away; bins count from 0.
std::optional<std::pair<std::size_t, std::size_t>> binsOf(const Histogram& histogram) {
    const auto& bins = histogram.bins;
    const auto away = std::uint64_t(kGivenAway * double(histogram.total()));
    const auto from = [&](auto begin, auto end) {
        std::uint64_t sum = 0;
        return std::size_t(
            std::find_if(begin, end, [&](std::uint64_t n) { return (sum += n) > away; }) - begin);
    };
    const std::size_t first = from(bins.begin(), bins.end());
    if (first == bins.size()) return std::nullopt;
    return std::pair(first, bins.size() - 1 - from(bins.rbegin(), bins.rend()));
}

}  // namespace

std::optional<LevelRange> usedLevels(const HistogramSet& counts) {
    const bool colors = counts.find(HistogramChannel::Red) != nullptr;
    std::optional<LevelRange> all;
    for (const Histogram& channel : counts.channels) {
        if (colors == (channel.channel == HistogramChannel::Luma)) continue;
        const auto bins = binsOf(channel);
        if (!bins) continue;
        const double n = double(channel.bins.size());
        const double full = fullScale(counts.format), span = counts.high - counts.low;
        const LevelRange one{(counts.low + span * double(bins->first) / n) / full,
                             (counts.low + span * double(bins->second + 1) / n) / full};
        all = all ? LevelRange{std::min(all->black, one.black), std::max(all->white, one.white)}
                  : one;
    }
    return inLevels(all);
}

std::optional<LevelRange> usedLevels(const Image& image) {
    std::optional<LevelRange> range;
    if (isFloat(image.format()))
        range = rangeOf<float>(image);
    else if (bytesPerSample(image.format()) == 1)
        range = rangeOf<std::uint8_t>(image);
    else if (bytesPerSample(image.format()) == 2)
        range = rangeOf<std::uint16_t>(image);
    return inLevels(range);
}

Pipeline fittedTo(Pipeline preset, const Image& image) {
    for (Step& step : preset.steps) {
        if (step.operation == "levels") {
            if (const auto range = usedLevels(image)) {
                step.parameters.set("black", range->black);
                step.parameters.set("white", range->white);
            }
        } else if (step.operation == "adaptive_threshold") {
            const double side = std::min(image.width(), image.height());
            step.parameters.set("radius", std::clamp(std::int64_t(std::lround(side * kRadiusShare)),
                                                     kLeastRadius, kMostRadius));
        }
    }
    return preset;
}

}  // namespace warpscope
