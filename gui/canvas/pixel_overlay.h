// Edges of enlarged pixels, and their values inside them.
#pragma once

#include <QFont>
#include <QImage>
#include <array>
#include <vector>

#include "engine/image/image.h"
#include "gui/canvas/view_transform.h"

namespace warpscope::gui {

inline constexpr double kGridAbove = 8.0;    // zoom: 800%
inline constexpr double kValuesFrom = 32.0;  // 3,200%
// Many small zoom steps end a little beside a round value; below half a per cent they count as it.
inline constexpr double kZoomSlack = 0.005;

// Where the numbers come from: the samples of `image`, whose top left is pixel `origin` of what is
// shown. Null image: cells inside `rect` stay empty. With `minus`, of the same size and format, the
// numbers are the differences.
struct ValueSource {
    Image image;
    Rect rect;
    Image minus = {};
};

// Lines along the pixel edges of the visible part of the image. `target` is Format_RGB32. Lines are
// darker than the pixels, and lighter only where pixels are too dark for that.
void drawPixelGrid(QImage& target, const ViewTransform& transform);

// Draws the numbers with masks of the few characters that numbers have, made once a font size:
// laying out thousands of texts would take longer than drawing the image.
class PixelValuePainter {
  public:
    // The last source whose rect has a pixel gives its value. Draws nothing while the numbers would
    // be smaller than can be read (`dpr`: device pixels per logical pixel).
    // `imageFromShown`: from pixels as they are drawn to those of the sources, where an image is
    // drawn turned.
    void draw(QImage& target, const ViewTransform& transform,
              const std::vector<ValueSource>& sources, const QFont& font, double dpr,
              const PixelMap& imageFromShown = {});

  private:
    struct Glyph {
        QImage mask;  // Format_Grayscale8
        int advance = 0;
    };
    void makeGlyphs(const QFont& font, int pixelSize);
    struct Cell {
        QPoint pixel;
        std::vector<QString> lines;
    };
    // The cells' texts; floats with so many digits. Gives the longest text that there may be.
    int collect(const Rect& seen, const std::vector<ValueSource>& sources,
                const PixelMap& imageFromShown, int digits, std::vector<Cell>& cells) const;
    int textWidth(const QString& text) const;
    void drawText(QImage& target, QPoint topLeft, const QString& text, bool dark) const;

    QFont m_font;
    int m_pixelSize = 0;
    int m_lineHeight = 0;
    std::array<Glyph, 128> m_glyphs;
};

}  // namespace warpscope::gui
