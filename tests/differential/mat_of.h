// An image as OpenCV sees it.
#pragma once

#include <opencv2/core.hpp>

#include "engine/image/image.h"

namespace warpscope::test {

// Shares the samples, of 8 or 16 bits or float; OpenCV does not write to its inputs.
inline cv::Mat matOf(const Image& image) {
    const int depth = isFloat(image.format())               ? CV_32F
                      : bytesPerSample(image.format()) == 2 ? CV_16U
                                                            : CV_8U;
    return {image.height(), image.width(), CV_MAKETYPE(depth, channelCount(image.format())),
            const_cast<std::byte*>(image.bytes()), std::size_t(image.pitch())};
}

}  // namespace warpscope::test
