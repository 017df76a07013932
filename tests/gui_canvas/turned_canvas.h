// A canvas with a result that is a part of its source, turned or mirrored. Truth is written down
// pixel by pixel, without the maps.
#pragma once

#include <cmath>

#include "gui_canvas/canvas_fixture.h"

namespace warpscope::gui {

// The part `box` of the source, transposed (4) after it was mirrored across (1) and down (2).
struct Turned {
    int how = 0;
    Rect box;

    bool transposed() const { return (how & 4) != 0; }
    Size size() const {
        return transposed() ? Size{box.height, box.width} : Size{box.width, box.height};
    }
    QPoint source(const QPoint& result) const {
        const QPoint p = transposed() ? QPoint(result.y(), result.x()) : result;
        return {box.x + ((how & 1) != 0 ? box.width - 1 - p.x() : p.x()),
                box.y + ((how & 2) != 0 ? box.height - 1 - p.y() : p.y())};
    }
    QPoint result(const QPoint& source) const {
        const QPoint p = source - QPoint(box.x, box.y);
        if (!QRect(0, 0, box.width, box.height).contains(p)) return {-1, -1};
        const QPoint m((how & 1) != 0 ? box.width - 1 - p.x() : p.x(),
                       (how & 2) != 0 ? box.height - 1 - p.y() : p.y());
        return transposed() ? QPoint(m.y(), m.x()) : m;
    }
    PixelMap map() const {
        const double x = (how & 1) != 0 ? -1 : 1, y = (how & 2) != 0 ? -1 : 1;
        const double dx = box.x + (x < 0 ? box.width : 0), dy = box.y + (y < 0 ? box.height : 0);
        return transposed() ? PixelMap{0, x, dx, y, 0, dy} : PixelMap{x, 0, dx, 0, y, dy};
    }
    // Inverted, so that it can be told from the source.
    Image of(const Image& image) const {
        const auto view = image.view<std::uint8_t>();
        return test::makeImage<std::uint8_t>(PixelFormat::Rgba8, size(), [&](int x, int y, int c) {
            const QPoint from = source({x, y});
            const auto sample = view.row(from.y())[std::ptrdiff_t(from.x()) * 4 + c];
            return c == 3 ? sample : std::uint8_t(255 - sample);
        });
    }
};

inline QColor pixelOf(const Image& image, const QPoint& p) {
    const std::uint8_t* v = image.view<std::uint8_t>().row(p.y()) + std::ptrdiff_t(p.x()) * 4;
    return {v[0], v[1], v[2]};
}

inline void everyTurn() {
    QTest::addColumn<int>("how");
    for (int how = 0; how < 8; ++how)
        QTest::addRow("%s%s%s", (how & 4) != 0 ? "transposed " : "",
                      (how & 1) != 0 ? "across " : "", (how & 2) != 0 ? "down" : "")
            << how;
}

struct TurnedCanvas : CanvasFixture {
    Turned turned;
    Image source, result;

    TurnedCanvas(const PyramidPtr& pyramid, const Turned& how, ViewMode mode,
                 QSize size = {501, 400})
        : CanvasFixture(size), turned(how), source(pyramid->levels.front()) {
        result = how.of(source);
        canvas.setSource(pyramid);
        canvas.setResult(test::pyramidOf(result), how.map());
        canvas.setViewMode(mode);
        canvas.setFocus();
    }
    // Of a source pixel, where it is in the last pane.
    QPoint placeInResult(const QPoint& pixel) const {
        return canvas.widgetPositionInResult(QPointF(pixel) + QPointF(0.5, 0.5)).toPoint();
    }
    QColor colorInResult(const QPoint& pixel) {
        const QPointF at = canvas.widgetPositionInResult(QPointF(pixel) + QPointF(0.5, 0.5)) *
                           canvas.devicePixelRatioF();
        return shot().pixelColor(int(std::floor(at.x())), int(std::floor(at.y())));
    }
    void wheel(const QPoint& at, int notches) {
        QWheelEvent event(at, canvas.mapToGlobal(at), {}, QPoint(0, 120 * notches), Qt::NoButton,
                          Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&canvas, &event);
    }
};

}  // namespace warpscope::gui
