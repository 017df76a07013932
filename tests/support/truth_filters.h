// The slow scalar truth of integral_image, box_mean, median and add_noise: see truth.h.
#pragma once

#include <cstdint>

#include "engine/image/image.h"
#include "engine/operations/noise/add_noise.h"

namespace warpscope::truth {

// All of them take 8 and 16 bits, gray and colour.

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

}  // namespace warpscope::truth
