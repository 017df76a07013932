// What tests of operations on an image and its blur or median share.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "engine/operations/operation.h"
#include "engine/operations/registry.h"
#include "support/images.h"
#include "support/operation_run.h"
#include "support/random_seed.h"
#include "support/test_case.h"
#include "support/truth.h"

namespace warpscope::test {

// made(a, b, white) of the samples of two images, white 0 for float; alpha is that of `image`.
template <class Made>
Image madeOf(const Image& image, const Image& one, const Image& other, const Made& made) {
    std::vector<double> samples;
    visitSampleType(image.format(), [&]<class T>() {
        const double white = isFloat(image.format()) ? 0 : fullScale(image.format());
        for (int y = 0; y < image.height(); ++y)
            for (int i = 0; i < image.view<T>().samplesPerRow(); ++i)
                samples.push_back(isColor(image.format()) && i % 4 == 3
                                      ? double(image.view<T>().row(y)[i])
                                      : made(double(one.view<T>().row(y)[i]),
                                             double(other.view<T>().row(y)[i]), white));
    });
    return makeImage(image.format(), image.size(), samples);
}

// What the test of gaussian_blur compares with; of float the operation itself.
inline Image blurOf(const Image& image, double sigma) {
    if (!isFloat(image.format()))
        return truth::gaussianBlur(image, sigma, truth::automaticGaussianSize(sigma));
    return runOn(*findOperation("gaussian_blur"), {{"sigma", toText(ParamValue(sigma))}}, image);
}

// Images that gaussian_blur works on in another way each: what finishes its rows must meet all.
struct BlurWay {
    const char* name;
    Size size;
    double sigma;
};
inline constexpr BlurWay kBlurWays[] = {
    {"few columns, side by side", {3, 3001}, 1},
    {"strips of columns", {4300, 131}, 20},
    {"both passes over the whole image", {400, 240}, 30},
    {"row by row", {1001, 601}, 2},
};
// Each such image, and expectedOf(image, sigma).
template <class Expected>
void compareOnBlurWays(const Operation& operation, const char* sigmaName,
                       const TextParameters& others, const Expected& expectedOf) {
    for (const BlurWay& way : kBlurWays)
        for (const PixelFormat format : kFilterFormats) {
            const Image image = makeNoise(format, way.size, freshSeed());
            TextParameters parameters = others;
            parameters.emplace_back(sigmaName, toText(ParamValue(way.sigma)));
            const Image expected = expectedOf(image, way.sigma);
            for (const Threading threading : {Threading::Single, Threading::AllCores})
                compareSamples(expected, runOn(operation, parameters, image, threading), way.name);
            if (QTest::currentTestFailed()) return;
        }
}
// The blur as the operation makes it.
inline Image blurred(const Image& image, double sigma) {
    return runOn(*findOperation("gaussian_blur"), {{"sigma", toText(ParamValue(sigma))}}, image);
}

// As blurOf(), of the median.
inline Image medianOf(const Image& image, int radius) {
    if (!isFloat(image.format())) return truth::median(image, radius);
    return runOn(*findOperation("median"), {{"radius", std::to_string(radius)}}, image);
}

// A level in 8-bit units; `white` 0 for float.
inline double levelOf(int threshold, double white) {
    return white == 0 ? double(float(threshold / 255.0)) : threshold * (white == 255 ? 1 : 257);
}

// Each image with its expected result, on every instruction set.
template <class Expected>
void compareOnAll(const Operation& operation, const TextParameters& parameters,
                  const Expected& expectedOf) {
    const std::uint32_t seed = warpscope::test::freshSeed();
    for (const PixelFormat format : kFilterFormats)
        for (const Size size : {Size{1, 1}, Size{1, 37}, Size{53, 1}, Size{41, 29}})
            for (const Image& image :
                 {makeNoise(format, size, seed), misaligned(makePhotograph(format, size, seed))}) {
                const Image expected = expectedOf(image);
                forEachVectorTarget([&](const std::string& target) {
                    for (const Threading threading : {Threading::Single, Threading::AllCores})
                        compareSamples(expected, runOn(operation, parameters, image, threading),
                                       operation.description().id + ", " + target + ", seed " +
                                           std::to_string(seed));
                });
                if (QTest::currentTestFailed()) return;
            }
}

}  // namespace warpscope::test
