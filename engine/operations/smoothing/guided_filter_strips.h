// How guided_filter goes to the threads of a CPU, and what it costs there.
#pragma once

#include "engine/operations/smoothing/guided_filter.h"

namespace warpscope {

// Strips of the output, `across` side by side and `down` one below the other, each of so many
// columns and rows; the last ones may have less.
struct GuidedCut {
    int columns = 1, rows = 1;
    int across = 1, down = 1;

    int strips() const { return across * down; }
};
// The one by which so many threads should be done soonest.
GuidedCut guidedCut(Size size, int radius, int threads);

// Roughly, of a pixel on one thread; `radius`: 1 to kMaxGuidedRadius.
double guidedNanoseconds(PixelFormat format, int radius);

// runGuidedFilterCpu() by strips of this cut; each gives the same bits.
Result<void> runGuidedStrips(const GuidedFilterPlan& plan, const Image& in, const MutableImage& out,
                             const CpuContext& context, const GuidedCut& cut);

}  // namespace warpscope
