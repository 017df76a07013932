// A rectangle of the image.
#pragma once

#include "engine/operations/operation.h"

namespace warpscope {

struct CropPlan : Plan {
    // Of the (reduced) image: what the person chose.
    Rect window;
    // Of the input: the part of the window that lies in it. As large as the output.
    Rect taken;

    PixelMap inputFromOutput() const override {
        return {1, 0, double(window.x), 0, 1, double(window.y)};
    }
};

const Operation& crop_operation();
CpuBody<CropPlan> runCropCpu;

}  // namespace warpscope
