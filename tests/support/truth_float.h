// The slow scalar truth of filters on float samples: see truth.h. In long double, straight from the
// definitions; only what a definition itself rounds to float (luma that chooses a bin) is rounded.
#pragma once

#include <string>
#include <vector>

#include "engine/image/image.h"
#include "engine/operations/noise/add_noise.h"
#include "engine/operations/tone/equalize.h"
#include "engine/operations/tone/grayscale.h"

namespace warpscope::truth {

struct Reals {
    Size size;
    int channels = 1;
    // Of each sample, row by row: the exact result, and the largest finite magnitude of what it was
    // made of, itself included.
    std::vector<long double> value, magnitude;
};

Reals grayscaleFloat(const Image& image, GrayMethod method);
Reals invertFloat(const Image& image);
Reals addNoiseFloat(const Image& image, NoiseKind kind, double amount, double sigma,
                    std::uint32_t seed);
Reals equalizeFloat(const Image& image, EqualizeChannels channels, EqualizeMapping mapping);
Reals boxMeanFloat(const Image& image, int radius);
Reals medianFloat(const Image& image, int radius);
// The weights are those of the definition: rounded to float, the residue added to the centre.
Reals gaussianBlurFloat(const Image& image, double sigma, int size);
Reals nlMeansFloat(const Image& image, double h, int patchRadius, int searchRadius);

// "" if every sample is within `ulps` units in the last place of its magnitude, NaN where truth has
// NaN and infinite where truth is; else where the first one is that is not.
std::string beyond(const Reals& truth, const Image& actual, double ulps);

}  // namespace warpscope::truth
