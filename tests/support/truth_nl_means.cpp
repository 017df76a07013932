#include "support/truth_nl_means.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <stdexcept>

namespace warpscope::truth {
namespace {

// Walks back and forth between the edges, standing twice on each edge pixel.
int mirrored(int i, int n) {
    while (i < 0 || i >= n) i = i < 0 ? -1 - i : 2 * n - 1 - i;
    return i;
}

template <class T>
int sampleAt(const Image& image, int x, int y, int c) {
    const int channels = channelCount(image.format());
    return image.view<T>().row(
        mirrored(y, image.height()))[mirrored(x, image.width()) * channels + c];
}

template <class T>
Image nlMeansOf(const Image& image, double h, int patchRadius, int searchRadius) {
    auto created = MutableImage::create(image.format(), image.size());
    if (!created) throw std::runtime_error(created.error().message);
    const auto out = created->view<T>();
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
                                const double d = sampleAt<T>(image, x + i, y + j, c) -
                                                 sampleAt<T>(image, qx + i, qy + j, c);
                                squares += d * d;
                            }
                    const double weight = std::exp(-(squares / patch) / (h * h));
                    weights += weight;
                    for (int c = 0; c < colors; ++c)
                        sum[c] += weight * sampleAt<T>(image, qx, qy, c);
                }
            for (int c = 0; c < step; ++c)
                out.row(y)[x * step + c] =
                    c == 3 ? T(sampleAt<T>(image, x, y, 3)) : T(std::floor(sum[c] / weights + 0.5));
        }
    return std::move(*created).freezeLike(image);
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

Image nlMeans(const Image& image, double h, int patchRadius, int searchRadius) {
    return bytesPerSample(image.format()) == 2
               ? nlMeansOf<std::uint16_t>(image, h, patchRadius, searchRadius)
               : nlMeansOf<std::uint8_t>(image, h, patchRadius, searchRadius);
}

std::string nlMeansDisagreement(const Image& expected, const Image& actual) {
    if (expected.format() != actual.format() || expected.size() != actual.size())
        return "formats or sizes differ";
    return bytesPerSample(expected.format()) == 2 ? disagreementOf<std::uint16_t>(expected, actual)
                                                  : disagreementOf<std::uint8_t>(expected, actual);
}

}  // namespace warpscope::truth
