// Rows of resize by vectors. Samples between the passes: of 8 bits as int16_t, 256 times the sample
// less 32768; of 16 bits as int32_t, 256 times the sample; float as it is.
#pragma once

#include <cstdint>

#include "engine/operations/geometry/resize_blocks.h"

namespace warpscope {

// So many rows go through the pass along rows at once.
inline constexpr int kResizeRows = 4;

// Float pixels for resizeLanesOf(); 0 where there are no vectors, and nothing else here may be
// called.
int resizeLaneCount();

// `from`: behind a row 64 bytes can be read.
void resizeAcross(const ResizeBlocks& blocks, int channels, const std::uint8_t* const* from,
                  std::int16_t* const* to);
void resizeAcross(const ResizeBlocks& blocks, int channels, const std::uint16_t* const* from,
                  std::int32_t* const* to);
// Gray.
void resizeAcross(const ResizeLanes& lanes, const float* const* from, float* const* to);
void resizeAcross(const ResizeAxis& axis, int channels, const float* const* from, float* const* to);

// Row y of the output from its rows of the middle; sums of `count` rows in their order.
void resizeDown(const ResizeColumns& columns, int y, const std::int16_t* const* rows, int samples,
                std::uint8_t* to);
void resizeDown(const std::int32_t* weights, const std::int32_t* const* rows, int count,
                int samples, std::uint16_t* to);
void resizeDown(const double* weights, const float* const* rows, int count, int samples, float* to);

}  // namespace warpscope
