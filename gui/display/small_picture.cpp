#include "gui/display/small_picture.h"

#include <algorithm>
#include <cmath>

#include "gui/display/display_levels.h"
#include "gui/display/sampler.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {

QSize sizeIn(QSize room, Size image) {
    if (image.empty()) return {};
    double scale =
        std::min(double(room.width()) / image.width, double(room.height()) / image.height);
    if (scale > 1) scale = std::floor(scale);
    return {std::max(1, int(std::lround(image.width * scale))),
            std::max(1, int(std::lround(image.height * scale)))};
}

QImage smallPicture(const Image& image, QSize size, const DisplayLook& look) {
    const ThemeColors& colors = Theme::instance().colors();
    QImage drawn(size, QImage::Format_RGB32);
    drawn.fill(colors.canvas);
    DisplayLevels levels;
    levels.setPyramid(std::make_shared<const Pyramid>(Pyramid{{image}}));
    levels.setLook(look);
    const auto part = levels.part(0, {0, 0, image.width(), image.height()});
    if (!part) return drawn;  // no memory for a small picture: the background stays
    const double scaleX = double(size.width()) / image.width();
    const double scaleY = double(size.height()) / image.height();
    const Checkerboard board{colors.checkerLight.rgb(), colors.checkerDark.rgb(), 8, {}};
    drawSamples(drawn, drawn.rect(), part->samples,
                {QPointF(part->x * scaleX, part->y * scaleY), scaleX, scaleY},
                scaleX < 1 ? Filter::Smooth : Filter::Nearest,
                levels.hasAlpha() ? &board : nullptr);
    return drawn;
}

DisplayLook lookForPart(const DisplaySettings& display, const Image& part) {
    DisplayLook look = display.lookFor(part);
    if (look.range) return look;
    switch (display.choice()) {
        case RangeChoice::Natural:
            look.range = beyondNatural(part);
            break;
        case RangeChoice::MinMax:
            look.range = extremesOf(part);
            break;
        case RangeChoice::Percentiles:
            look.range = percentilesOf(part);
            break;
        case RangeChoice::Manual:
            break;
    }
    if (look.range && !(look.range->low < look.range->high)) look.range.reset();
    return look;
}

DisplayLook lookOfLabels(DisplayLook look, const Image& image) {
    if (look.view.map == ColorMap::None && image.format() == PixelFormat::Gray32)
        look.view.map = ColorMap::Labels;
    return look;
}

}  // namespace warpscope::gui
