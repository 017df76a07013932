// Another number of pixels.
#pragma once

#include <string>
#include <vector>

#include "engine/operations/operation.h"

namespace warpscope {

// How samples of one side are made: sample i of the output (part) from `count[i]` samples of the
// input (part) from `first[i]` on, with the weights from `begin[i]` on.
struct ResizeAxis {
    std::vector<std::int32_t> first, count, begin;
    // Integers: fixed point; they sum to 2^16 (8 bits) or 2^30 (16 bits) but where a tap lies
    // beyond the part.
    std::vector<std::int32_t> weights;
    // Float: the same unrounded.
    std::vector<double> realWeights;
};

struct ResizePlan final : Plan {
    ResizeAxis across, down;
    // The same for the same tables.
    std::string key;

    PixelMap inputFromOutput() const override {
        return {double(place.reduced.width) / outputPlace.reduced.width,   0, 0, 0,
                double(place.reduced.height) / outputPlace.reduced.height, 0};
    }
};

const Operation& resize_operation();
CpuBody<ResizePlan> runResizeCpu;

}  // namespace warpscope
