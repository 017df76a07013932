// How the view is drawn beyond black and white: one channel, exposure, gamma, false colours, marks
// of what is clipped. Samples and read-outs never change.
#pragma once

#include <QString>

#include "gui/display/color_map.h"

namespace warpscope::gui {

enum class ViewChannel { All, Red, Green, Blue, Alpha };
inline constexpr ViewChannel kAllViewChannels[] = {
    ViewChannel::All, ViewChannel::Red, ViewChannel::Green, ViewChannel::Blue, ViewChannel::Alpha};

inline constexpr double kMostStops = 20;
inline constexpr double kLeastGamma = 0.1;
inline constexpr double kMostGamma = 10;

struct ViewLook {
    // Of gray images there is one anyway.
    ViewChannel channel = ViewChannel::All;
    ColorMap map = ColorMap::None;
    double stops = 0;  // each doubles what lies above black
    double gamma = 1;  // the level to the power of 1 / gamma
    bool zebra = false;

    bool isNatural() const { return *this == ViewLook{}; }
    // Channel or luminance alone: a single level for a pixel of this many channels.
    bool isScalar() const { return channel != ViewChannel::All || map != ColorMap::None; }
    friend bool operator==(const ViewLook&, const ViewLook&) = default;
};

QString nameOf(ViewChannel channel);
// "red alone, exposure +1, gamma 2.2, Viridis, clipping marked"; empty if it is natural.
QString lookText(const ViewLook& look, bool color);

}  // namespace warpscope::gui
