#include "support/truth.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace warpscope::truth {
namespace {

using Wide = __int128;  // nothing overflows, whatever the definition multiplies

MutableImage create(PixelFormat format, Size size) {
    auto image = MutableImage::create(format, size);
    if (!image) throw std::runtime_error(image.error().message);
    return std::move(*image);
}

Wide sampleAt(const Image& image, int x, int y, int channel) {
    x = std::clamp(x, 0, image.width() - 1);
    y = std::clamp(y, 0, image.height() - 1);
    const int index = x * channelCount(image.format()) + channel;
    if (bytesPerSample(image.format()) == 2) return image.view<std::uint16_t>().row(y)[index];
    return image.view<std::uint8_t>().row(y)[index];
}

void store(const MutableImage& image, int x, int y, int channel, Wide value) {
    const int index = x * channelCount(image.format()) + channel;
    if (bytesPerSample(image.format()) == 2)
        image.view<std::uint16_t>().row(y)[index] = std::uint16_t(value);
    else
        image.view<std::uint8_t>().row(y)[index] = std::uint8_t(value);
}

Wide grayOf(Wide r, Wide g, Wide b, GrayMethod method) {
    switch (method) {
        case GrayMethod::Weighted601:
            return (19595 * r + 38470 * g + 7471 * b + 32768) / 65536;
        case GrayMethod::Weighted709:
            return (13933 * r + 46871 * g + 4732 * b + 32768) / 65536;
        case GrayMethod::Average:
            return (2 * (r + g + b) + 3) / 6;
        case GrayMethod::Maximum:
            return std::max(r, std::max(g, b));
    }
    return 0;
}

Wide level(const Image& image, int x, int y, HistogramChannel channel) {
    if (!isColor(image.format())) return sampleAt(image, x, y, 0);
    const Wide r = sampleAt(image, x, y, 0);
    const Wide g = sampleAt(image, x, y, 1);
    const Wide b = sampleAt(image, x, y, 2);
    switch (channel) {
        case HistogramChannel::Red:
            return r;
        case HistogramChannel::Green:
            return g;
        case HistogramChannel::Blue:
            return b;
        case HistogramChannel::Luma:
            break;
    }
    return grayOf(r, g, b, GrayMethod::Weighted601);
}

}  // namespace

Image grayscale(const Image& image, GrayMethod method) {
    if (!isColor(image.format())) return image;
    MutableImage out = create(*withChannels(image.format(), false), image.size());
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            store(out, x, y, 0,
                  grayOf(sampleAt(image, x, y, 0), sampleAt(image, x, y, 1),
                         sampleAt(image, x, y, 2), method));
    return std::move(out).freezeLike(image);
}

int automaticGaussianSize(double sigma) {
    int radius = 0;
    while (radius < 3 * sigma) ++radius;
    return 2 * radius + 1;
}

std::vector<std::uint32_t> gaussianTaps(double sigma, int size) {
    const int radius = (size - 1) / 2;
    long double sum = 0;
    const auto bell = [&](int i) {
        return std::exp(-(static_cast<long double>(i) * i) /
                        (2 * static_cast<long double>(sigma) * sigma));
    };
    for (int i = -radius; i <= radius; ++i) sum += bell(i);
    std::vector<std::uint32_t> taps;
    std::int64_t total = 0;
    for (int i = -radius; i <= radius; ++i) {
        taps.push_back(std::uint32_t(std::floor(bell(i) / sum * 65536 + 0.5L)));
        total += taps.back();
    }
    taps[std::size_t(radius)] = std::uint32_t(taps[std::size_t(radius)] + 65536 - total);
    return taps;
}

Image gaussianBlur(const Image& image, double sigma, int size) {
    const auto taps = gaussianTaps(sigma, size);
    const int radius = (size - 1) / 2;
    const int channels = channelCount(image.format());
    MutableImage out = create(image.format(), image.size());
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            for (int c = 0; c < channels; ++c) {
                if (c == 3) {
                    store(out, x, y, c, sampleAt(image, x, y, c));
                    continue;
                }
                Wide columnSum = 0;
                for (int j = -radius; j <= radius; ++j) {
                    Wide rowSum = 0;
                    for (int i = -radius; i <= radius; ++i)
                        rowSum +=
                            Wide(taps[std::size_t(i + radius)]) * sampleAt(image, x + i, y + j, c);
                    columnSum += Wide(taps[std::size_t(j + radius)]) * ((rowSum + 128) / 256);
                }
                store(out, x, y, c, (columnSum + 8388608) / 16777216);
            }
    return std::move(out).freezeLike(image);
}

std::vector<std::uint64_t> histogram(const Image& image, HistogramChannel channel) {
    std::vector<std::uint64_t> counts(bytesPerSample(image.format()) == 2 ? 65536 : 256);
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) ++counts[std::size_t(level(image, x, y, channel))];
    return counts;
}

std::vector<int> levelTable(const std::vector<std::uint64_t>& counts, EqualizeMapping mapping) {
    Wide n = 0;
    for (const std::uint64_t count : counts) n += count;
    Wide m = 0;
    std::size_t darkest = 0;
    while (darkest < counts.size() && counts[darkest] == 0) ++darkest;
    if (darkest < counts.size()) m = counts[darkest];

    const Wide white = Wide(counts.size()) - 1;
    std::vector<int> table;
    Wide cumulative = 0;
    for (std::size_t k = 0; k < counts.size(); ++k) {
        cumulative += counts[k];
        if (mapping == EqualizeMapping::Classic)
            table.push_back(int((2 * white * cumulative + n) / (2 * n)));
        else if (n == m)
            table.push_back(int(k));
        else if (k < darkest)
            table.push_back(0);
        else
            table.push_back(int((2 * white * (cumulative - m) + (n - m)) / (2 * (n - m))));
    }
    return table;
}

int equalizedSample(int value, int t, int luma, int white) {
    if (luma == 0) return value;
    return int(std::min(Wide(white), (2 * Wide(value) * t + luma) / (2 * Wide(luma))));
}

Image equalize(const Image& image, EqualizeChannels channels, EqualizeMapping mapping) {
    MutableImage out = create(image.format(), image.size());
    const auto tableOf = [&](HistogramChannel channel) {
        return levelTable(histogram(image, channel), mapping);
    };
    const auto luma = tableOf(HistogramChannel::Luma);
    const std::vector<int> each[3] = {tableOf(HistogramChannel::Red),
                                      tableOf(HistogramChannel::Green),
                                      tableOf(HistogramChannel::Blue)};
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            for (int c = 0; c < channelCount(image.format()); ++c) {
                const int value = int(sampleAt(image, x, y, c));
                const int brightness = int(level(image, x, y, HistogramChannel::Luma));
                int result = value;
                if (!isColor(image.format()))
                    result = luma[std::size_t(value)];
                else if (c == 3)
                    result = value;
                else if (channels == EqualizeChannels::Each)
                    result = each[c][std::size_t(value)];
                else
                    result = equalizedSample(value, luma[std::size_t(brightness)], brightness,
                                             int(fullScale(image.format())));
                store(out, x, y, c, result);
            }
    return std::move(out).freezeLike(image);
}

}  // namespace warpscope::truth
