// Colour profiles, which come with images and so from anywhere.
#include <array>

#include "engine/io/screen_transform.h"

using namespace warpscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto transform = ScreenTransform::create({data, size});
    if (!transform) return 0;
    std::array<std::uint8_t, 4 * 64> pixels;
    for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = std::uint8_t(37 * i);
    transform->apply(pixels.data(), pixels.data(), pixels.size() / 4);
    return 0;
}
