// Smoothing that follows the edges of the image itself.
#pragma once

#include "engine/operations/operation.h"

namespace warpscope {

inline constexpr int kMaxGuidedRadius = 100;

struct GuidedFilterPlan final : Plan {
    int radius = 1;
    // Pixels of a window, and 1 over that.
    double count = 1;
    double share = 1;
    // Epsilon in squared levels of the format, times count^2.
    double softening = 0;
    double white = 1;
};

const Operation& guided_filter_operation();
// Sums over windows are of doubles, exact for integers, and always added in the same order, so that
// neither tiles nor crops nor devices change a bit: sums of 1, 2, 4, ... neighbours in turn, of
// which those make up the window that are in the binary digits of its side, from the lowest digit
// and the first column on; then the rows in the same way. As exact sums are the same however they
// are made, those of 8 bits are of 32-bit integers here, differences from the middle level 128.
CpuBody<GuidedFilterPlan> runGuidedFilterCpu;

}  // namespace warpscope
