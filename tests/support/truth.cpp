#include "support/truth.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
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

bool isWide(const Image& image) {
    return bytesPerSample(image.format()) == 2;
}

Wide sampleAt(const Image& image, int x, int y, int channel) {
    x = std::clamp(x, 0, image.width() - 1);
    y = std::clamp(y, 0, image.height() - 1);
    const int index = x * channelCount(image.format()) + channel;
    return isWide(image) ? Wide(image.view<std::uint16_t>().row(y)[index])
                         : Wide(image.view<std::uint8_t>().row(y)[index]);
}

void store(const MutableImage& image, int x, int y, int channel, Wide value) {
    const int index = x * channelCount(image.format()) + channel;
    if (bytesPerSample(image.format()) == 2)
        image.view<std::uint16_t>().row(y)[index] = std::uint16_t(value);
    else
        image.view<std::uint8_t>().row(y)[index] = std::uint8_t(value);
}

// An image of the same shape; value(x, y, channel) for colours, alpha as it was.
template <class Value>
Image mapped(const Image& image, const Value& value) {
    MutableImage out = create(image.format(), image.size());
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            for (int c = 0; c < channelCount(image.format()); ++c)
                store(out, x, y, c, c == 3 ? sampleAt(image, x, y, c) : Wide(value(x, y, c)));
    return std::move(out).freezeLike(image);
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

// Walks back and forth between the edges, standing twice on each edge pixel.
int mirrored(int i, int n) {
    while (i < 0 || i >= n) i = i < 0 ? -1 - i : 2 * n - 1 - i;
    return i;
}

template <class T>
int mirroredAt(const Image& image, int x, int y, int c) {
    const int channels = channelCount(image.format());
    return image.view<T>().row(
        mirrored(y, image.height()))[mirrored(x, image.width()) * channels + c];
}

template <class T>
Image nlMeansOf(const Image& image, double h, int patchRadius, int searchRadius) {
    MutableImage created = create(image.format(), image.size());
    const auto out = created.view<T>();
    const int colors = isColor(image.format()) ? 3 : 1;
    const int step = channelCount(image.format());
    h *= sizeof(T) == 2 ? 257 : 1;  // in grey levels of 8 bits
    const double patch = double(colors) * (2 * patchRadius + 1) * (2 * patchRadius + 1);
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            double sum[3] = {}, weights = 0;
            for (int qy = y - searchRadius; qy <= y + searchRadius; ++qy)
                for (int qx = x - searchRadius; qx <= x + searchRadius; ++qx) {
                    double squares = 0;
                    for (int j = -patchRadius; j <= patchRadius; ++j)
                        for (int i = -patchRadius; i <= patchRadius; ++i)
                            for (int c = 0; c < colors; ++c) {
                                const double d = mirroredAt<T>(image, x + i, y + j, c) -
                                                 mirroredAt<T>(image, qx + i, qy + j, c);
                                squares += d * d;
                            }
                    const double weight = std::exp(-(squares / patch) / (h * h));
                    weights += weight;
                    for (int c = 0; c < colors; ++c)
                        sum[c] += weight * mirroredAt<T>(image, qx, qy, c);
                }
            for (int c = 0; c < step; ++c)
                out.row(y)[x * step + c] = c == 3 ? T(mirroredAt<T>(image, x, y, 3))
                                                  : T(std::floor(sum[c] / weights + 0.5));
        }
    return std::move(created).freezeLike(image);
}

template <class T>
std::string disagreementOf(const Image& expected, const Image& actual) {
    constexpr int kAllowed = sizeof(T) == 2 ? 4 : 1;
    const auto a = expected.view<T>();
    const auto b = actual.view<T>();
    std::int64_t differing = 0;
    for (int y = 0; y < a.height; ++y)
        for (int s = 0; s < a.samplesPerRow(); ++s) {
            const int difference = std::abs(a.row(y)[s] - b.row(y)[s]);
            differing += difference != 0;
            const bool alpha = a.channels == 4 && s % 4 == 3;
            if (difference > (alpha ? 0 : kAllowed))
                return fmt::format("at ({}, {}) channel {}: expected {}, got {}", s / a.channels, y,
                                   s % a.channels, a.row(y)[s], b.row(y)[s]);
        }
    const std::int64_t samples = std::int64_t(a.height) * a.samplesPerRow();
    if (kAllowed == 1 && samples >= 4096 && differing * 1000 > samples)
        return fmt::format("{} of {} samples differ", differing, samples);
    return {};
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
    return mapped(image, [&](int x, int y, int c) {
        Wide columnSum = 0;
        for (int j = -radius; j <= radius; ++j) {
            Wide rowSum = 0;
            for (int i = -radius; i <= radius; ++i)
                rowSum += Wide(taps[std::size_t(i + radius)]) * sampleAt(image, x + i, y + j, c);
            columnSum += Wide(taps[std::size_t(j + radius)]) * ((rowSum + 128) / 256);
        }
        return (columnSum + 8388608) / 16777216;
    });
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
    const auto tableOf = [&](HistogramChannel channel) {
        return levelTable(histogram(image, channel), mapping);
    };
    const auto luma = tableOf(HistogramChannel::Luma);
    const std::vector<int> each[3] = {tableOf(HistogramChannel::Red),
                                      tableOf(HistogramChannel::Green),
                                      tableOf(HistogramChannel::Blue)};
    return mapped(image, [&](int x, int y, int c) {
        const int value = int(sampleAt(image, x, y, c));
        if (!isColor(image.format())) return luma[std::size_t(value)];
        if (channels == EqualizeChannels::Each) return each[c][std::size_t(value)];
        const int brightness = int(level(image, x, y, HistogramChannel::Luma));
        return equalizedSample(value, luma[std::size_t(brightness)], brightness,
                               int(fullScale(image.format())));
    });
}

Image integralImage(const Image& image) {
    const Image gray = grayscale(image, GrayMethod::Weighted601);
    const Wide most = Wide(isWide(image) ? 65535 : 255) * image.width() * image.height();
    const bool fits = most < (Wide(1) << 32);
    MutableImage out = create(fits ? PixelFormat::Gray32 : PixelFormat::Gray64, image.size());
    std::vector<Wide> above(std::size_t(image.width()), 0);
    for (int y = 0; y < image.height(); ++y) {
        Wide row = 0;
        for (int x = 0; x < image.width(); ++x) {
            row += sampleAt(gray, x, y, 0);
            above[std::size_t(x)] += row;
            if (fits)
                out.view<std::uint32_t>().row(y)[x] = std::uint32_t(above[std::size_t(x)]);
            else
                out.view<std::uint64_t>().row(y)[x] = std::uint64_t(above[std::size_t(x)]);
        }
    }
    return std::move(out).freezeLike(image);
}

Image boxMean(const Image& image, int radius) {
    return mapped(image, [&](int x, int y, int c) {
        Wide sum = 0;
        for (int j = -radius; j <= radius; ++j)
            for (int i = -radius; i <= radius; ++i) sum += sampleAt(image, x + i, y + j, c);
        const Wide n = Wide(2 * radius + 1) * (2 * radius + 1);
        return (2 * sum + n) / (2 * n);
    });
}

Image median(const Image& image, int radius) {
    return mapped(image, [&](int x, int y, int c) {
        std::vector<Wide> square;
        for (int j = -radius; j <= radius; ++j)
            for (int i = -radius; i <= radius; ++i)
                square.push_back(sampleAt(image, x + i, y + j, c));
        std::sort(square.begin(), square.end());
        return square[square.size() / 2];
    });
}

void philox(const Philox& input, std::uint32_t (&words)[4]) {
    constexpr std::uint64_t kLow = 0xFFFFFFFFu;
    std::uint64_t c[4] = {input.counter[0], input.counter[1], input.counter[2], input.counter[3]};
    std::uint64_t k[2] = {input.key[0], input.key[1]};
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t first = 0xD2511F53u * c[0];
        const std::uint64_t second = 0xCD9E8D57u * c[2];
        const std::uint64_t next[4] = {(second >> 32) ^ c[1] ^ k[0], second & kLow,
                                       (first >> 32) ^ c[3] ^ k[1], first & kLow};
        std::copy_n(next, 4, c);
        k[0] = (k[0] + 0x9E3779B9u) & kLow;
        k[1] = (k[1] + 0xBB67AE85u) & kLow;
    }
    for (int i = 0; i < 4; ++i) words[i] = std::uint32_t(c[i]);
}

Image addNoise(const Image& image, NoiseKind kind, double amount, double sigma, std::uint32_t seed,
               Rect place, int wholeWidth) {
    const Wide white = isWide(image) ? 65535 : 255;
    const auto threshold = std::uint64_t(std::floor(amount * 4294967296.0 + 0.5));
    const Wide sigma256 = Wide(std::floor(sigma * 256.0 + 0.5));
    return mapped(image, [&](int x, int y, int c) -> Wide {
        const std::uint64_t index =
            std::uint64_t(place.y + y) * std::uint64_t(wholeWidth) + std::uint64_t(place.x + x);
        std::uint32_t words[4];
        philox({{seed, 0}, {std::uint32_t(index), std::uint32_t(index >> 32), 0, 0}}, words);
        const Wide v = sampleAt(image, x, y, c);
        if (kind == NoiseKind::SaltPepper) {
            if (words[0] >= threshold) return v;
            return words[1] % 2 == 1 ? white : 0;
        }
        const Wide product =
            Wide(kNormalQuantiles[words[c] / 1048576]) * sigma256 * (isWide(image) ? 257 : 1);
        // Floor of the quotient plus one half, for negative numbers too.
        Wide noise = (product + 524288) / 1048576;
        if (noise * 1048576 > product + 524288) --noise;
        return std::clamp<Wide>(v + noise, 0, white);
    });
}

Image nlMeans(const Image& image, double h, int patchRadius, int searchRadius) {
    return isWide(image) ? nlMeansOf<std::uint16_t>(image, h, patchRadius, searchRadius)
                         : nlMeansOf<std::uint8_t>(image, h, patchRadius, searchRadius);
}

std::string nlMeansDisagreement(const Image& expected, const Image& actual) {
    if (expected.format() != actual.format() || expected.size() != actual.size())
        return "formats or sizes differ";
    return isWide(expected) ? disagreementOf<std::uint16_t>(expected, actual)
                            : disagreementOf<std::uint8_t>(expected, actual);
}

}  // namespace warpscope::truth
