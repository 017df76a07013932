// Images that tests feed to operations: contents and sizes where vector code, bands and integer
// arithmetic go wrong.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/image/image.h"

namespace warpscope::test {

// Every sample, alpha included, is random over the whole range (float: 0 to 1). Same bits on every
// machine.
Image makeNoise(PixelFormat format, Size size, std::uint32_t seed);
// Float only: what filters of float must get right. Around 0 to 1, below and above, with NaN, both
// infinities, both zeros and equal values among them; or finite values of all magnitudes.
enum class Wild { AroundWhite, AllMagnitudes };
Image makeWild(PixelFormat format, Size size, std::uint32_t seed, Wild wild = Wild::AroundWhite);
// Every sample is `value`; alpha too.
Image makeConstant(PixelFormat format, Size size, double value);
// Rises from 0 to full scale along each row and wraps from row to row; channels differ.
Image makeRamp(PixelFormat format, Size size);
// Smooth shading, hard edges, dark corners, grain; alpha varies.
Image makePhotograph(PixelFormat format, Size size, std::uint32_t seed = 7);
// The same samples as `image` at an address and a row distance that are no multiple of anything
// wide.
Image misaligned(const Image& image);
// Samples given row by row; alpha included for colour.
Image makeImage(PixelFormat format, Size size, const std::vector<double>& samples);

// 1x1, 1xN, Nx1, primes, widths of 1 and 15 modulo 16, one more and one less than vector lengths.
std::vector<Size> awkwardSizes();

struct NamedImage {
    std::string name;  // "noise 17x13"
    Image image;
};
// All contents at all awkward sizes, misaligned ones and, for float, wild ones among them.
std::vector<NamedImage> awkwardImages(PixelFormat format);

// "" if all samples are equal (any NaN equals any other), else where the first difference is and
// what the values are.
std::string firstDifference(const Image& expected, const Image& actual);
// Fails the test that runs, with `name` and the first difference, unless all samples are equal.
void compareSamples(const Image& expected, const Image& actual, const std::string& name);

}  // namespace warpscope::test
