// The slow scalar truth: every operation once more, straight from its definition, without plans,
// tables, bands or vectors, in wide integers. What is fast is compared with this, bit by bit.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/image/histogram.h"
#include "engine/image/image.h"
#include "engine/operations/noise/add_noise.h"
#include "engine/operations/tone/equalize.h"
#include "engine/operations/tone/grayscale.h"

namespace warpscope::truth {

// 8 and 16 bits.
Image grayscale(const Image& image, GrayMethod method);

// Weights in long double; size odd.
std::vector<std::uint32_t> gaussianTaps(double sigma, int size);
int automaticGaussianSize(double sigma);

// 8 and 16 bits. Direct: each output pixel sums size x size neighbours, with the row sums rounded
// as the definition says.
Image gaussianBlur(const Image& image, double sigma, int size);

// 8 and 16 bits.
Image equalize(const Image& image, EqualizeChannels channels, EqualizeMapping mapping);
std::vector<int> levelTable(const std::vector<std::uint64_t>& counts, EqualizeMapping mapping);

// 8 and 16 bits: a bin a value.
std::vector<std::uint64_t> histogram(const Image& image, HistogramChannel channel);

// The definition's t-ratio for one sample: min(white, (2 value t + luma) / (2 luma)), value itself
// where luma is 0.
int equalizedSample(int value, int t, int luma, int white = 255);

// All below take 8 and 16 bits, gray and colour.

// Adds in 128 bits, cut to the format that the definition asks for at the end.
Image integralImage(const Image& image);

// Adds up every square.
Image boxMean(const Image& image, int radius);

// Sorts every square.
Image median(const Image& image, int radius);

// `place` is where the image lies in one that is `wholeWidth` wide.
Image addNoise(const Image& image, NoiseKind kind, double amount, double sigma, std::uint32_t seed,
               Rect place, int wholeWidth);

// Philox 4x32 with ten rounds for any key and counter, in 64-bit arithmetic.
struct Philox {
    std::uint32_t key[2];
    std::uint32_t counter[4];
};
void philox(const Philox& input, std::uint32_t (&words)[4]);

// In double precision; h in grey levels of 8 bits.
Image nlMeans(const Image& image, double h, int patchRadius, int searchRadius);

// Whether `actual` agrees with what nlMeans() gave, as nl_means promises: within 1, and on images
// of 4,096 samples and more at least 99.9% identical; 16 bits within 4; alpha the same. "" or what
// is wrong.
std::string nlMeansDisagreement(const Image& expected, const Image& actual);

}  // namespace warpscope::truth
