// From the colours of an image's ICC profile to those of a screen, for pixels that are shown.
// Samples of images are never changed by it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "engine/base/result.h"

namespace warpscope {

// Cheap to copy; apply() may be called from several threads at once.
class ScreenTransform {
  public:
    // Of the four bytes of a pixel in memory.
    enum class Order { Rgba, Bgra };

    // `image` is an ICC profile of RGB or gray, `screen` one of RGB; where that is empty the screen
    // is taken as sRGB. Relative colorimetric, with black point compensation. Errors: Unsupported
    // (another kind of profile; a build without Little CMS), Damaged.
    static Result<ScreenTransform> create(std::span<const std::uint8_t> image,
                                          std::span<const std::uint8_t> screen = {},
                                          Order order = Order::Rgba);

    // No 8-bit level of a grid through all colours changes by more than one: there is nothing to
    // do.
    bool isIdentity() const;
    // What the profile of the image calls itself: "Adobe RGB (1998)"; may be empty.
    const std::string& name() const;

    // `count` pixels; alpha is kept. `to` may be `from`. Of a gray profile R, G and B are the same,
    // and the first of them counts.
    void apply(const std::uint8_t* from, std::uint8_t* to, std::size_t count) const;

  private:
    struct State;
    std::shared_ptr<const State> m_state;
};

}  // namespace warpscope
