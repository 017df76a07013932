// What tells rows of timings apart: one key for all who group them, look them up or compare them.
#pragma once

#include <string>

#include "engine/measure/timing.h"

namespace warpscope {

std::string parameterText(const ParamSet& parameters);  // "sigma=2 size=0"

// What was computed on which samples, whatever the size, the temperature and the place.
struct StepKind {
    std::string operation;
    std::string variant;
    std::string parameters;  // as text: 2 and 2.0 are the same
    PixelFormat format = PixelFormat::Gray8;

    auto operator<=>(const StepKind&) const = default;
};

// One step on one input: its rows differ in their places alone.
struct StepKey {
    StepKind kind;
    int width = 0;
    int height = 0;
    bool cold = false;
    std::string experiment;
    std::string imageName;
    std::size_t stepIndex = 0;

    auto operator<=>(const StepKey&) const = default;
};

StepKind kindOf(const StepTiming& row);
StepKey keyOf(const StepTiming& row);

}  // namespace warpscope
