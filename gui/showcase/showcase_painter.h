// Draws the demo's screen: two pictures beside each other, figures below that can be read from the
// back of a room.
#pragma once

#include <QRect>
#include <QSize>
#include <array>

#include "gui/showcase/showcase_content.h"

class QPainter;

namespace warpscope::gui {

// Where everything is, in the window's own pixels.
struct ShowcaseLayout {
    QRect head;                     // operation on the left, size on the right
    std::array<QRect, 2> names;     // of the devices
    std::array<QRect, 2> pictures;  // of one size
    std::array<QRect, 2> figures;   // below the pictures
    QRect factor;                   // between the figures
    QRect foot;
    int unit = 0;  // a hundredth of the height: what fonts and gaps are made of
};
ShowcaseLayout layoutFor(QSize window);

void paintShowcase(QPainter& painter, const ShowcaseLayout& layout, const ShowcaseContent& content);

}  // namespace warpscope::gui
