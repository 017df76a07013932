// Pipelines for tests, written as on the command line.
#pragma once

#include <initializer_list>
#include <stdexcept>
#include <string_view>

#include "engine/pipeline/chain_shape.h"
#include "engine/pipeline/pipeline.h"

namespace warpscope::test {

inline Pipeline chain(std::initializer_list<std::string_view> steps) {
    Pipeline pipeline;
    for (const std::string_view text : steps) {
        auto step = parseStep(text);
        if (!step) throw std::runtime_error(step.error().message);
        pipeline.steps.push_back(std::move(*step));
    }
    return pipeline;
}

// Pixels beyond an output pixel that the chain reads of an image reduced by `scale`.
inline int haloOf(const Pipeline& pipeline, double scale) {
    constexpr Size kLarge{65536, 65536};
    return totalHalo(
        shapeOf(pipeline, PixelFormat::Rgba8, Placement::reducedCopy(kLarge, kLarge, scale)));
}

}  // namespace warpscope::test
