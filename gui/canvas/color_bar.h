// Which colours stand for which values, as a bar beside the picture: of the view's false colours,
// and of those that a step of the chain has made.
#pragma once

#include <QRectF>
#include <QString>
#include <QStringList>
#include <array>
#include <optional>

#include "engine/pipeline/pipeline.h"
#include "gui/display/color_map.h"

class QPainter;

namespace warpscope::gui {

struct ColorScale {
    // From the lowest value to the highest.
    std::array<ScreenColor, 256> colors{};
    // At none, a quarter, half, three quarters and all of the way up.
    std::array<double, 5> values{};
    // Of the map, above the bar; may be empty.
    QString name;
    // Samples have no fractions, and neither have the figures beside the bar.
    bool whole = false;
    friend bool operator==(const ColorScale&, const ColorScale&) = default;
};

// The scale in which the result of this chain is coloured: that of its last false_colour step, in
// sample values of what that step is given. Nothing where there is none, where it colours numbered
// regions, and where a later step makes other colours of it (those of Geometry only move them).
std::optional<ColorScale> colorScaleOf(const Pipeline& pipeline, PixelFormat source, Size size);

// Beside the bar, from the lowest value to the highest.
QStringList labelsOf(const ColorScale& scale);
// The colours among all that is drawn, in a widget of that size.
QRectF colorBarPlace(QSizeF widget, const ColorScale& scale);
// At the lower right.
void drawColorBar(QPainter& painter, QSizeF widget, const ColorScale& scale);

}  // namespace warpscope::gui
