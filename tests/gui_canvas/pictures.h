// Small images with known samples, for tests of what is drawn.
#pragma once

#include <functional>
#include <memory>

#include "engine/image/pyramid.h"
#include "engine/worker/render_worker.h"

namespace warpscope::test {

// `sample(x, y, channel)` gives every sample.
template <class T>
Image makeImage(PixelFormat format, Size size, const std::function<T(int, int, int)>& sample,
                ImageInfo info = {}) {
    auto image = MutableImage::create(format, size);
    if (!image) qFatal("%s", image.error().message.c_str());
    const auto view = image->view<T>();
    for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x)
            for (int c = 0; c < view.channels; ++c)
                view.row(y)[std::ptrdiff_t(x) * view.channels + c] = sample(x, y, c);
    return std::move(*image).freeze(std::move(info));
}

inline PyramidPtr pyramidOf(const Image& image) {
    auto pyramid = buildPyramid(image, CpuContext{});
    if (!pyramid) qFatal("%s", pyramid.error().message.c_str());
    return std::make_shared<const Pyramid>(std::move(*pyramid));
}

inline Image plainImage(Size size, std::uint8_t r, std::uint8_t g, std::uint8_t b) {
    const std::uint8_t color[] = {r, g, b, 255};
    return makeImage<std::uint8_t>(PixelFormat::Rgba8, size,
                                   [&](int, int, int c) { return color[c]; });
}

// Every pixel different from its neighbours, and from what another seed gives.
inline std::uint8_t hashSample(int x, int y, int c, int seed) {
    std::uint32_t v = std::uint32_t(x) * 73856093u ^ std::uint32_t(y) * 19349663u ^
                      std::uint32_t(c + 1) * 83492791u ^ std::uint32_t(seed) * 2654435761u;
    v ^= v >> 13;
    v *= 0x5bd1e995u;
    return std::uint8_t(v >> 15);
}

inline Image noisyImage(Size size, int seed) {
    return makeImage<std::uint8_t>(PixelFormat::Rgba8, size, [seed](int x, int y, int c) {
        return c == 3 ? std::uint8_t(255) : hashSample(x, y, c, seed);
    });
}

}  // namespace warpscope::test
