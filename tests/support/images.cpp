#include "support/images.h"
#include "support/test_case.h"

#include <fmt/format.h>

#include <QtTest>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <stdexcept>

namespace warpscope::test {
namespace {

MutableImage create(PixelFormat format, Size size) {
    auto image = MutableImage::create(format, size);
    if (!image) throw std::runtime_error(image.error().message);
    return std::move(*image);
}

// `value(x, y, channel)` in samples of the format; clamped to its range unless it is float.
Image fill(PixelFormat format, Size size, const std::function<double(int, int, int)>& value) {
    MutableImage image = create(format, size);
    visitSampleType(format, [&]<class T>() {
        const auto view = image.view<T>();
        for (int y = 0; y < view.height; ++y)
            for (int x = 0; x < view.width; ++x)
                for (int c = 0; c < view.channels; ++c) {
                    double v = value(x, y, c);
                    if constexpr (!std::is_floating_point_v<T>)
                        v = std::clamp(std::floor(v), 0.0, fullScale(format));
                    view.row(y)[x * view.channels + c] = static_cast<T>(v);
                }
    });
    ImageInfo info;
    info.whiteLevel = fullScale(format);
    info.hasAlpha = isColor(format);
    return std::move(image).freeze(std::move(info));
}

}  // namespace

Image makeNoise(PixelFormat format, Size size, std::uint32_t seed) {
    std::mt19937 random(seed);
    const double full = fullScale(format);
    if (isFloat(format))
        return fill(format, size,
                    [&](int, int, int) { return double(random() >> 8) / 16777216.0; });
    return fill(format, size, [&](int, int, int) {
        return std::floor(double(random()) / 4294967296.0 * (full + 1.0));
    });
}

Image makeWild(PixelFormat format, Size size, std::uint32_t seed, Wild wild) {
    std::mt19937 random(seed);
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return fill(format, size, [&](int, int, int) -> double {
        const double unit = double(random() >> 8) / 16777216.0;
        if (wild == Wild::AllMagnitudes) return std::ldexp(unit - 0.5, int(random() % 100) - 50);
        switch (random() % 128) {
            case 0:
                return std::numeric_limits<double>::quiet_NaN();
            case 1:
                return kInfinity;
            case 2:
                return -kInfinity;
            case 3:
                return -0.0;
            case 4:
                return 0.0;
            case 5:
            case 6:
            case 7:
                return 1.0;
            default:
                return 3.0 * unit - 1.0;
        }
    });
}

Image makeConstant(PixelFormat format, Size size, double value) {
    return fill(format, size, [&](int, int, int) { return value; });
}

Image makeRamp(PixelFormat format, Size size) {
    const double full = fullScale(format);
    return fill(format, size, [&](int x, int y, int c) {
        const std::int64_t i = std::int64_t(y) * size.width + x;
        if (isFloat(format)) return double((i * 7 + c * 31) % 1024) / 1023.0;
        return double((i + c * 85) % 256) * std::floor((full + 1.0) / 256.0);
    });
}

Image makePhotograph(PixelFormat format, Size size, std::uint32_t seed) {
    std::mt19937 random(seed);
    const double full = fullScale(format);
    return fill(format, size, [&](int x, int y, int c) {
        const double u = double(x) / size.width;
        const double v = double(y) / size.height;
        double light = 0.55 + 0.35 * std::sin(5.1 * u + 1.3 * c) * std::cos(3.7 * v - 0.4 * c);
        if (std::hypot(u - 0.6, v - 0.4) < 0.2) light = 0.9 - 0.25 * c;
        if (u + v < 0.3) light *= 0.08;
        if (std::abs(u - v) < 0.02) light = 1.0;
        const double grain = (double(random()) / 4294967296.0 - 0.5) * 0.06;
        return std::clamp(light + grain, 0.0, 1.0) * full;
    });
}

Image misaligned(const Image& image) {
    const Size size = image.size();
    MutableImage larger = create(image.format(), {size.width + 3, size.height + 2});
    const auto row = std::size_t(size.width) * std::size_t(bytesPerPixel(image.format()));
    for (int y = 0; y < size.height + 2; ++y)
        std::fill_n(larger.rowBytes(y),
                    std::size_t(larger.width()) * std::size_t(bytesPerPixel(image.format())),
                    std::byte{0xA5});
    for (int y = 0; y < size.height; ++y)
        std::copy_n(image.rowBytes(y), row, larger.rowBytes(y + 1) + bytesPerPixel(image.format()));
    return std::move(larger).freeze(image.info()).crop({1, 1, size.width, size.height});
}

Image makeImage(PixelFormat format, Size size, const std::vector<double>& samples) {
    const int channels = channelCount(format);
    return fill(format, size, [&](int x, int y, int c) {
        return samples.at((std::size_t(y) * std::size_t(size.width) + std::size_t(x)) *
                              std::size_t(channels) +
                          std::size_t(c));
    });
}

std::vector<Size> awkwardSizes() {
    return {{1, 1},  {2, 1},  {1, 2},   {3, 3},   {1, 41},  {97, 1},   {15, 5},  {16, 4},
            {17, 7}, {31, 3}, {33, 13}, {63, 11}, {65, 2},  {127, 19}, {129, 9}, {257, 6},
            {64, 8}, {5, 53}, {4, 4},   {255, 3}, {509, 7}, {1, 1},    {100, 31}};
}

std::vector<NamedImage> awkwardImages(PixelFormat format) {
    std::vector<NamedImage> images;
    std::uint32_t seed = 1;
    for (const Size size : awkwardSizes()) {
        const auto add = [&](const char* content, Image image) {
            if (leftOut()) return;
            images.push_back({fmt::format("{} {}x{}", content, size.width, size.height), image});
        };
        add("noise", makeNoise(format, size, seed++));
        add("ramp", makeRamp(format, size));
        add("photograph", makePhotograph(format, size, seed++));
        add("black", makeConstant(format, size, 0));
        add("white", makeConstant(format, size, fullScale(format)));
        add("misaligned noise", misaligned(makeNoise(format, size, seed++)));
        if (!isFloat(format)) continue;
        add("wild", makeWild(format, size, seed++));
        add("all magnitudes", misaligned(makeWild(format, size, seed++, Wild::AllMagnitudes)));
    }
    return images;
}

std::string firstDifference(const Image& expected, const Image& actual) {
    if (expected.format() != actual.format() || expected.size() != actual.size())
        return "formats or sizes differ";
    return visitSampleType(expected.format(), [&]<class T>() -> std::string {
        const auto a = expected.view<T>();
        const auto b = actual.view<T>();
        for (int y = 0; y < a.height; ++y)
            for (int s = 0; s < a.samplesPerRow(); ++s)
                if (a.row(y)[s] != b.row(y)[s] &&
                    (a.row(y)[s] == a.row(y)[s] || b.row(y)[s] == b.row(y)[s]))
                    return fmt::format("at ({}, {}) channel {}: expected {}, got {}",
                                       s / a.channels, y, s % a.channels, a.row(y)[s], b.row(y)[s]);
        return {};
    });
}

void compareSamples(const Image& expected, const Image& actual, const std::string& name) {
    const std::string difference = firstDifference(expected, actual);
    QVERIFY2(difference.empty(), (name + ": " + difference).c_str());
}

}  // namespace warpscope::test
