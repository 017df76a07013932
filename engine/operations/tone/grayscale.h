// Conversion of colour to gray.
#pragma once

#include "engine/operations/operation.h"

namespace warpscope {

enum class GrayMethod { Weighted601, Weighted709, Average, Maximum };

// Weights of the weighted methods in 1/65536; they sum to 65,536.
struct GrayWeights {
    std::uint32_t red = 0;
    std::uint32_t green = 0;
    std::uint32_t blue = 0;
};
inline constexpr GrayWeights kWeights601{19595, 38470, 7471};
inline constexpr GrayWeights kWeights709{13933, 46871, 4732};

struct GrayscalePlan final : Plan {
    GrayMethod method = GrayMethod::Weighted601;
    GrayWeights weights;  // of the weighted methods
};

const Operation& grayscale_operation();
CpuBody<GrayscalePlan> runGrayscaleCpu;
// The plan's variant, wrong on purpose; 8 and 16 bits of colour.
CpuBody<GrayscalePlan> runGrayscaleWrong;

// What whole blocks of so many pixels each way cover of this image: they are counted from the
// corner of the one that it is a part of. May be empty.
inline constexpr int kGrayBlock = 32;
Size coveredByWholeBlocks(const GrayscalePlan& plan);

// One row of float gray: the weights over 65,536, which is exact, so that nothing overflows that
// the result does not.
void grayRow(const float* rgba, float* gray, int width, GrayMethod method,
             const GrayWeights& weights);

// One row of weighted601 luma, for others that need it; `rgba` has 4 `width` samples.
void lumaRow(const std::uint8_t* rgba, std::uint8_t* luma, int width);
void lumaRow(const std::uint16_t* rgba, std::uint16_t* luma, int width);
void lumaRow(const float* rgba, float* luma, int width);

}  // namespace warpscope
