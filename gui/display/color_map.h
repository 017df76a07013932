// False colours of the view: 256 colours for the levels from black to white.
#pragma once

#include <QString>
#include <array>
#include <cstdint>

namespace warpscope::gui {

struct ScreenColor {
    std::uint8_t r, g, b;
    friend bool operator==(const ScreenColor&, const ScreenColor&) = default;
};

// None: colours as they are. Grey: the luminance alone.
enum class ColorMap { None, Grey, Viridis, Magma, Fire, Diverging, Labels };
inline constexpr ColorMap kAllColorMaps[] = {ColorMap::None,  ColorMap::Grey, ColorMap::Viridis,
                                             ColorMap::Magma, ColorMap::Fire, ColorMap::Diverging,
                                             ColorMap::Labels};

// Of a map that is not None.
const std::array<ScreenColor, 256>& colorsOf(ColorMap map);
QString nameOf(ColorMap map);

}  // namespace warpscope::gui
