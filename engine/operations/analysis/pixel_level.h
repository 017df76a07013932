// Values of a pixel as every histogram takes them.
#pragma once

#include <cmath>
#include <type_traits>

#include "engine/image/histogram.h"
#include "engine/operations/tone/grayscale.h"

namespace warpscope {

// In samples, luminance with the integer weights of BT.601. `pixel` has that many channels.
template <class T>
double levelOf(HistogramChannel channel, const T* pixel, int channels) {
    if (channels == 1 || channel == HistogramChannel::Red) return double(pixel[0]);
    if (channel == HistogramChannel::Green) return double(pixel[1]);
    if (channel == HistogramChannel::Blue) return double(pixel[2]);
    return (double(kWeights601.red) * double(pixel[0]) +
            double(kWeights601.green) * double(pixel[1]) +
            double(kWeights601.blue) * double(pixel[2])) /
           65536.0;
}

// Alpha does not count.
template <class T>
bool isFinitePixel(const T* pixel, int channels) {
    if constexpr (!std::is_floating_point_v<T>)
        return true;
    else if (channels == 1)
        return std::isfinite(pixel[0]);
    else
        return std::isfinite(pixel[0]) && std::isfinite(pixel[1]) && std::isfinite(pixel[2]);
}

}  // namespace warpscope
