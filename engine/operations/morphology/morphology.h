// Minima and maxima over a square, a disk or a cross, and what is made of them.
#pragma once

#include <cstdint>

#include "engine/operations/operation.h"

namespace warpscope {

inline constexpr int kMaxMorphologyRadius = 100;

// In the order of the choices.
enum class MorphologyOperation { Erode, Dilate, Open, Close, Gradient, TopHat, BlackHat };
enum class MorphologyShape { Disk, Square, Cross };

// How far a disk reaches to both sides in the row that is `dy` above or below its middle.
struct DiskHalves {
    std::uint8_t at[kMaxMorphologyRadius + 1] = {};
};

struct MorphologyPlan final : Plan {
    MorphologyOperation operationOf = MorphologyOperation::Erode;
    MorphologyShape shape = MorphologyShape::Disk;
    int radius = 2;
    DiskHalves halves;
};

DiskHalves diskHalves(int radius);

const Operation& morphology_operation();
CpuBody<MorphologyPlan> runMorphologyCpu;

}  // namespace warpscope
