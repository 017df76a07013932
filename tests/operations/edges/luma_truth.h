// Luma of single pixels, straight from its definition, for the slow truth of what looks at the
// neighbours of a pixel.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "support/images.h"
#include "support/operation_run.h"
#include "support/random_seed.h"
#include "support/test_case.h"

namespace warpscope::test {

// Whole numbers that hold everything, or floats that are rounded at every step.
template <class T>
using Wide = std::conditional_t<std::is_floating_point_v<T>, float, std::int64_t>;

// The nearest pixel where there is none.
template <class T>
Wide<T> lumaTruth(const View<const T>& image, int x, int y) {
    x = std::clamp(x, 0, image.width - 1);
    y = std::clamp(y, 0, image.height - 1);
    const T* pixel = image.row(y) + std::ptrdiff_t(x) * image.channels;
    if (image.channels == 1) return Wide<T>(pixel[0]);
    const Wide<T> r = pixel[0], g = pixel[1], b = pixel[2];
    if constexpr (std::is_floating_point_v<T>) {
        const float red = r * (19595.0f / 65536), green = g * (38470.0f / 65536);
        const float both = red + green;
        return both + b * (7471.0f / 65536);
    } else {
        return (19595 * r + 38470 * g + 7471 * b + 32768) >> 16;
    }
}

template <class T>
Wide<T> whiteOf() {
    if constexpr (std::is_floating_point_v<T>)
        return 1;
    else
        return (std::int64_t(1) << (8 * sizeof(T))) - 1;
}

// A gray image of pixel(square) for each pixel, square[j][i] being luma of the pixels around it.
template <class Pixel>
Image fromLumaSquares(const Image& image, const Pixel& pixel) {
    std::vector<double> samples;
    PixelFormat gray = PixelFormat::Gray8;
    visitSampleType(image.format(), [&]<class T>() {
        if constexpr (sizeof(T) <= 2 || std::is_floating_point_v<T>) {
            gray = *withChannels(image.format(), false);
            const auto view = image.view<T>();
            for (int y = 0; y < view.height; ++y)
                for (int x = 0; x < view.width; ++x) {
                    Wide<T> square[3][3];
                    for (int j = 0; j < 3; ++j)
                        for (int i = 0; i < 3; ++i)
                            square[j][i] = lumaTruth(view, x + i - 1, y + j - 1);
                    samples.push_back(double(pixel.template operator()<T>(square)));
                }
        }
    });
    return makeImage(gray, image.size(), samples);
}

// Awkward images and fresh ones whose seed is in their name.
inline std::vector<NamedImage> manyImages(PixelFormat format) {
    std::vector<NamedImage> images = awkwardImages(format);
    const std::uint32_t seed = warpscope::test::freshSeed();
    for (const Size size : {Size{1, 1}, Size{2, 3}, Size{29, 1}, Size{1, 31}, Size{131, 37}}) {
        const std::string name = "seed " + std::to_string(seed);
        images.push_back({name + " noise", makeNoise(format, size, seed)});
        images.push_back({name + " photograph", misaligned(makePhotograph(format, size, seed))});
        if (!isFloat(format)) continue;
        images.push_back({name + " wild", makeWild(format, size, seed)});
        images.push_back({name + " wild", makeWild(format, size, seed, Wild::AllMagnitudes)});
    }
    return images;
}

// On every instruction set, on one thread and on all.
template <class Truth>
void compareWithTruth(const Operation& operation, const TextParameters& parameters,
                      PixelFormat format, const Truth& truthOf) {
    std::string name = operation.description().id;
    for (const auto& [key, value] : parameters) name += ", " + key + "=" + value;
    for (const NamedImage& named : manyImages(format)) {
        const Image truth = truthOf(named.image);
        forEachVectorTarget([&](const std::string& target) {
            for (const Threading threading : {Threading::Single, Threading::AllCores})
                compareSamples(truth, runOn(operation, parameters, named.image, threading),
                               name + ", " + target + ", " + named.name);
        });
        if (QTest::currentTestFailed()) return;
    }
}

inline void addFilterFormats() {
    QTest::addColumn<PixelFormat>("format");
    for (const PixelFormat format : kFilterFormats)
        QTest::newRow(std::string(formatName(format)).c_str()) << format;
}

}  // namespace warpscope::test
