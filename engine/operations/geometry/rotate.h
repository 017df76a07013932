// The image turned by any angle.
#pragma once

#include "engine/operations/operation.h"

namespace warpscope {

enum class RotateOutside { Edge, Black, Transparent };

struct RotatePlan final : Plan {
    // 2^32 times cosine and sine.
    std::int64_t cosine = std::int64_t(1) << 32;
    std::int64_t sine = 0;
    bool nearest = false;
    RotateOutside outside = RotateOutside::Edge;

    PixelMap inputFromOutput() const override {
        constexpr double kOne = 4294967296.0;
        const double c = double(cosine) / kOne, s = double(sine) / kOne;
        const double x = place.reduced.width / 2.0, y = place.reduced.height / 2.0;
        const double toX = outputPlace.reduced.width / 2.0;
        const double toY = outputPlace.reduced.height / 2.0;
        return {c, s, x - c * toX - s * toY, -s, c, y + s * toX - c * toY};
    }
    // Of the first pixel of row `y` of the output, with 32 fraction bits; a column further right
    // adds `cosine` to x and takes `sine` from y. In pixels of the reduced copy.
    std::int64_t firstX(int y) const {
        const std::int64_t u = 2 * std::int64_t(outputPlace.part.x) + 1 - outputPlace.reduced.width;
        const std::int64_t v =
            2 * (std::int64_t(outputPlace.part.y) + y) + 1 - outputPlace.reduced.height;
        return (cosine * u + sine * v + (std::int64_t(place.reduced.width - 1) << 32)) >> 1;
    }
    std::int64_t firstY(int y) const {
        const std::int64_t u = 2 * std::int64_t(outputPlace.part.x) + 1 - outputPlace.reduced.width;
        const std::int64_t v =
            2 * (std::int64_t(outputPlace.part.y) + y) + 1 - outputPlace.reduced.height;
        return (cosine * v - sine * u + (std::int64_t(place.reduced.height - 1) << 32)) >> 1;
    }
};

const Operation& rotate_operation();
CpuBody<RotatePlan> runRotateCpu;

}  // namespace warpscope
