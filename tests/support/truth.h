// The slow scalar truth: every operation once more, straight from its definition, without plans,
// tables, bands or vectors, in wide integers. What is fast is compared with this, bit by bit.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/image/histogram.h"
#include "engine/image/image.h"
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

}  // namespace warpscope::truth
