// The vector code of what is made of two filtered images: single rows. `other` is overwritten with
// the result, alpha included.
#pragma once

#include <cstdint>

#include "engine/operations/smoothing/despeckle.h"
#include "engine/operations/smoothing/unsharp_mask.h"

namespace warpscope {

// `other` is the blurred row.
void unsharpRow(const UnsharpMaskPlan& plan, const std::uint8_t* row, std::uint8_t* other,
                int samples);
void unsharpRow(const UnsharpMaskPlan& plan, const std::uint16_t* row, std::uint16_t* other,
                int samples);
void unsharpRow(const UnsharpMaskPlan& plan, const float* row, float* other, int samples);

// Half of the levels + gain (other - row): `other` is the row of the weak blur.
void gaussiansRow(std::int32_t gain, const std::uint8_t* row, std::uint8_t* other, int samples);
void gaussiansRow(std::int32_t gain, const std::uint16_t* row, std::uint16_t* other, int samples);
void gaussiansRow(std::int32_t gain, const float* row, float* other, int samples);

// `other` is the row of medians.
void despeckleRow(const DespecklePlan& plan, const std::uint8_t* row, std::uint8_t* other,
                  int samples);
void despeckleRow(const DespecklePlan& plan, const std::uint16_t* row, std::uint16_t* other,
                  int samples);
void despeckleRow(const DespecklePlan& plan, const float* row, float* other, int samples);

}  // namespace warpscope
