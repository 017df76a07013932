#include "engine/pipeline/preset_fit.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "engine/operations/tone/threshold.h"

namespace warpscope {
namespace {

// As much as most programs give away at either end.
constexpr double kGivenAway = 0.0035;
// Of a quotient, in hundredths of a level.
constexpr double kRounding = 1e-6;
constexpr double kMostPixels = 1 << 20;
constexpr double kWhite = 255;
// Of the shorter side: some four lines of print on a page.
constexpr double kRadiusShare = 1.0 / 19;
constexpr std::int64_t kLeastRadius = 15, kMostRadius = 150;
// An even surround is a peak at an end, as wide as this share of what is used between the ends,
// besides which there is next to nothing, and which leaves enough to be the picture. It is seen
// along the frame; where only counts are known, it is larger than highlights are.
constexpr double kPeakWidth = 0.03;
constexpr double kPeakFoot = 0.05;
constexpr double kLeastPicture = 0.2;
constexpr double kLeastOfFrame = 0.25;
constexpr double kLeastSurround = 0.06;
// Of the shorter side.
constexpr double kFrameShare = 0.02;
// Strength of non-local means in standard deviations of the noise: more smears detail. A local
// equalization before it makes noise some larger than the levels do.
constexpr double kStrengthPerNoise = 2.2;
constexpr double kLeastStrength = 4, kMostStrength = 40;
// Median of the size of a normal distribution's samples, in standard deviations.
constexpr double kMedianOfNormal = 0.6745;

// A pixel of the frame.
template <class T>
bool isAlong(const View<const T>& view, int x, int y) {
    const int frame = std::max(1, int(kFrameShare * std::min(view.width, view.height)));
    return std::min({x, y, view.width - 1 - x, view.height - 1 - y}) < frame;
}

bool isPeak(double inPeak, double besides) {
    return inPeak > 0 && besides < kPeakFoot * inPeak;
}

LevelRange endsOf(std::vector<double>& values) {
    const auto away = std::ptrdiff_t(kGivenAway * double(values.size()));
    const auto low = values.begin() + away;
    std::nth_element(values.begin(), low, values.end());
    const double black = *low;
    const auto high = values.end() - 1 - away;
    std::nth_element(values.begin(), high, values.end());
    return LevelRange{black, double(*high)};
}

// What lies between surrounds, both ends without; nothing where there are none.
std::optional<LevelRange> betweenSurrounds(const std::vector<double>& values,
                                           const std::vector<double>& along,
                                           const LevelRange& used) {
    const double width = std::max(kPeakWidth * (used.white - used.black), 1.0 / 255);
    const auto isSurround = [&](auto&& inPeak, auto&& besides) {
        return double(std::ranges::count_if(along, inPeak)) >=
                   kLeastOfFrame * double(along.size()) &&
               isPeak(double(std::ranges::count_if(values, inPeak)),
                      double(std::ranges::count_if(values, besides)));
    };
    constexpr double kNone = std::numeric_limits<double>::infinity();
    LevelRange between{-kNone, kNone};
    const double dark = used.black + width, bright = used.white - width;
    if (isSurround([=](double v) { return v <= dark; },
                   [=](double v) { return v > dark && v <= dark + width; }))
        between.black = dark;
    if (isSurround([=](double v) { return v >= bright; },
                   [=](double v) { return v < bright && v >= bright - width; }))
        between.white = bright;
    if (between.black == -kNone && between.white == kNone) return std::nullopt;
    return between;
}

// Of one colour: where it begins and ends, in shares of full scale.
template <class T>
std::optional<LevelRange> rangeOf(const View<const T>& view, int channel, int step, double full) {
    std::vector<double> values, along;
    for (int y = 0; y < view.height; y += step)
        for (int x = 0; x < view.width; x += step) {
            const double value = double(view.row(y)[std::ptrdiff_t(x) * view.channels + channel]);
            if (std::isnan(value)) continue;
            values.push_back(value / full);
            if (isAlong(view, x, y)) along.push_back(value / full);
        }
    if (values.empty()) return std::nullopt;
    const LevelRange used = endsOf(values);
    const auto between = betweenSurrounds(values, along, used);
    if (!between) return used;
    const double all = double(values.size());
    std::erase_if(values, [&](double v) { return !(v > between->black && v < between->white); });
    return double(values.size()) < kLeastPicture * all ? used : endsOf(values);
}

// Of an image of that many pixels every so many are enough, down and across.
int gridStep(const Image& image) {
    return std::max(1, int(std::ceil(std::sqrt(double(image.size().pixels()) / kMostPixels))));
}

template <class T>
std::optional<LevelRange> rangeOf(const Image& image) {
    const View<const T> view = image.view<T>();
    const int step = gridStep(image);
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

struct BinRange {
    std::ptrdiff_t first = 0, last = 0;
};

// The first and last bin of those that are not given away; nothing where all are empty.
std::optional<BinRange> endsOf(const std::vector<std::uint64_t>& bins, BinRange within) {
    const auto sum = [&](std::ptrdiff_t from, std::ptrdiff_t to) {
        return std::accumulate(bins.begin() + from, bins.begin() + to + 1, std::uint64_t(0));
    };
    const std::uint64_t all = sum(within.first, within.last);
    if (all == 0) return std::nullopt;
    const auto away = std::uint64_t(kGivenAway * double(all));
    const auto enough = [&away, counted = std::uint64_t(0)](std::uint64_t n) mutable {
        return (counted += n) > away;
    };
    const auto end = bins.begin() + within.last + 1;
    const auto first = std::find_if(bins.begin() + within.first, end, enough);
    const auto last = std::find_if(std::make_reverse_iterator(end),
                                   std::make_reverse_iterator(bins.begin() + within.first), enough);
    return BinRange{first - bins.begin(), last.base() - 1 - bins.begin()};
}

// As betweenSurrounds(), of one channel; bins count from 0.
std::optional<BinRange> binsOf(const Histogram& histogram) {
    const auto& bins = histogram.bins;
    const BinRange whole{0, std::ptrdiff_t(bins.size()) - 1};
    const auto used = endsOf(bins, whole);
    if (!used) return std::nullopt;
    const auto width =
        std::max(std::ptrdiff_t(1),
                 std::ptrdiff_t(std::lround(kPeakWidth * double(used->last - used->first))));
    const auto sum = [&](std::ptrdiff_t from, std::ptrdiff_t to) {
        from = std::clamp(from, std::ptrdiff_t(0), whole.last + 1);
        to = std::clamp(to + 1, from, whole.last + 1);
        return double(std::accumulate(bins.begin() + from, bins.begin() + to, std::uint64_t(0)));
    };
    const double all = sum(0, whole.last);
    BinRange between = whole;
    const std::ptrdiff_t dark = used->first + width, bright = used->last - width;
    const auto isSurround = [all](double inPeak, double besides) {
        return inPeak >= kLeastSurround * all && isPeak(inPeak, besides);
    };
    if (isSurround(sum(0, dark), sum(dark + 1, dark + width))) between.first = dark + 1;
    if (isSurround(sum(bright, whole.last), sum(bright - width, bright - 1)))
        between.last = bright - 1;
    if (between.first > between.last || sum(between.first, between.last) < kLeastPicture * all)
        return used;
    return endsOf(bins, between);
}

// Luma of one pixel, in shares of full scale.
template <class T>
double lumaAt(const View<const T>& view, int x, int y, double full) {
    const T* pixel = view.row(y) + std::ptrdiff_t(x) * view.channels;
    if (view.channels < 3) return double(pixel[0]) / full;
    return (0.299 * double(pixel[0]) + 0.587 * double(pixel[1]) + 0.114 * double(pixel[2])) / full;
}

// What lies along the frame of an image is its ground: brighter than Otsu's level, or not.
template <class T>
bool groundIsBright(const Image& image) {
    constexpr int kBins = 256;
    const View<const T> view = image.view<T>();
    const double full = fullScale(image.format());
    const int step = gridStep(image);
    std::vector<double> all, along;
    for (int y = 0; y < view.height; y += step)
        for (int x = 0; x < view.width; x += step) {
            const double luma = lumaAt(view, x, y, full);
            if (!std::isfinite(luma)) continue;
            all.push_back(luma);
            if (isAlong(view, x, y)) along.push_back(luma);
        }
    if (along.empty()) return false;
    const auto [low, high] = std::ranges::minmax(all);
    if (!(low < high)) return false;
    const auto binOf = [low = low, high = high](double luma) {
        return std::min(kBins - 1, int((luma - low) / (high - low) * kBins));
    };
    std::vector<std::uint64_t> counts(kBins);
    for (const double luma : all) ++counts[std::size_t(binOf(luma))];
    const double level = cutOfCounts(counts, ThresholdMethod::Otsu).chosen;
    const auto bright =
        std::ranges::count_if(along, [&](double luma) { return binOf(luma) > level; });
    return 2 * bright > std::ptrdiff_t(along.size());
}

// J. Immerkaer's mask, which planes and straight edges leave at 0; its median, so that detail does
// not count as noise. Standard deviation of luma, in shares of full scale.
template <class T>
double noiseOf(const Image& image) {
    const View<const T> view = image.view<T>();
    const double full = fullScale(image.format());
    const int step = gridStep(image);
    std::vector<double> sizes;
    for (int y = 1; y + 1 < view.height; y += step)
        for (int x = 1; x + 1 < view.width; x += step) {
            const auto at = [&](int dx, int dy) { return lumaAt(view, x + dx, y + dy, full); };
            const double mask = at(-1, -1) - 2 * at(0, -1) + at(1, -1) - 2 * at(-1, 0) +
                                4 * at(0, 0) - 2 * at(1, 0) + at(-1, 1) - 2 * at(0, 1) + at(1, 1);
            if (std::isfinite(mask)) sizes.push_back(std::abs(mask) / 6);
        }
    if (sizes.empty()) return 0;
    const auto middle = sizes.begin() + std::ptrdiff_t(sizes.size() / 2);
    std::nth_element(sizes.begin(), middle, sizes.end());
    return *middle / kMedianOfNormal;
}

// Calls that for the image's sample type; nothing for sums.
auto ofSamples(const Image& image, auto&& function) {
    using Answer = decltype(function.template operator()<float>());
    if (isFloat(image.format())) return function.template operator()<float>();
    if (bytesPerSample(image.format()) == 1) return function.template operator()<std::uint8_t>();
    if (bytesPerSample(image.format()) == 2) return function.template operator()<std::uint16_t>();
    return Answer{};
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
                             (counts.low + span * double(bins->last + 1) / n) / full};
        all = all ? LevelRange{std::min(all->black, one.black), std::max(all->white, one.white)}
                  : one;
    }
    return inLevels(all);
}

std::optional<LevelRange> usedLevels(const Image& image) {
    return inLevels(ofSamples(image, [&]<class T>() { return rangeOf<T>(image); }));
}

Pipeline fittedTo(Pipeline preset, const Image& image) {
    const bool countsObjects = std::ranges::any_of(
        preset.steps, [](const Step& step) { return step.operation == "connected_components"; });
    double gain = 1;
    for (Step& step : preset.steps) {
        if (step.operation == "levels") {
            if (const auto range = usedLevels(image)) {
                step.parameters.set("black", range->black);
                step.parameters.set("white", range->white);
                gain = kWhite / (range->white - range->black);
            }
        } else if (step.operation == "nl_means") {
            const double noise = ofSamples(image, [&]<class T>() { return noiseOf<T>(image); });
            step.parameters.set("h",
                                std::clamp(std::round(kStrengthPerNoise * kWhite * noise * gain),
                                           kLeastStrength, kMostStrength));
        } else if (step.operation == "invert" && countsObjects) {
            step.enabled = ofSamples(image, [&]<class T>() { return groundIsBright<T>(image); });
        } else if (step.operation == "adaptive_threshold") {
            const double side = std::min(image.width(), image.height());
            step.parameters.set("radius", std::clamp(std::int64_t(std::lround(side * kRadiusShare)),
                                                     kLeastRadius, kMostRadius));
        }
    }
    return preset;
}

}  // namespace warpscope
