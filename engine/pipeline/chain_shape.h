// What a chain does to the shape of images, known before a pixel is computed: sizes, formats, where
// the pixels of the result lie in the source, which of the source a part of the result needs.
#pragma once

#include <optional>
#include <vector>

#include "engine/image/placement.h"
#include "engine/pipeline/pipeline.h"

namespace warpscope {

// Where a step's second input comes from.
struct SecondInput {
    enum class From { Chain, SecondImage };
    From from = From::Chain;
    // Chain: what that many enabled steps give; 0 is the source.
    std::size_t depth = 0;
};

// Nothing for a step without one. A step that is switched off gives what it is given. Errors
// (NotFound, InvalidArgument): the step that is named is not there, or does not come before.
Result<std::optional<SecondInput>> resolveSecondInput(const Pipeline& pipeline, std::size_t index);

struct ShapedStep {
    std::size_t index = 0;  // in Pipeline::steps
    // For the shape: statistics of the image are not in it. Null for a step that is passed over
    // because its second input is missing.
    PlanPtr plan;
    std::optional<SecondInput> second;
    // From pixels of its input to those of the source.
    PixelMap sourceFromInput;
};

struct ChainShape {
    // The enabled ones, up to the first that cannot be planned.
    std::vector<ShapedStep> steps;
    // Of the result, or of what that first one is given.
    PixelFormat format = PixelFormat::Gray8;
    Placement place;
    // From pixels of the result to pixels of the source, both as `place` counts them: of the
    // reduced copies.
    PixelMap sourceFromResult;
    struct Failure {
        std::size_t step = 0;  // in Pipeline::steps
        Error error;
    };
    std::optional<Failure> failure;
};

// For an image of that format that lies in the whole as `source` says; `source` is a reduced copy
// or all, no part.
ChainShape shapeOf(const Pipeline& pipeline, PixelFormat format, const Placement& source);

// What of a chain can be computed of such an image: a step that cannot be planned is switched off,
// and what it was given goes on.
struct ComputablePart {
    Pipeline pipeline;
    std::vector<ChainShape::Failure> passedOver;
    // Of that pipeline: without a failure.
    ChainShape shape;
};
ComputablePart computablePart(Pipeline pipeline, PixelFormat format, const Placement& source);

// The parts of the (reduced) source and second image that `result`, a rectangle of the (reduced)
// result, is made of.
struct NeededParts {
    Rect source;
    Rect second;
};
NeededParts neededFor(const ChainShape& shape, const Rect& result);

// Pixels beyond an output pixel that all steps together read.
int totalHalo(const ChainShape& shape);

}  // namespace warpscope
