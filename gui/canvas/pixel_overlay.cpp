#include "gui/canvas/pixel_overlay.h"

#include <QFontMetrics>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "gui/inspector/pixel_values.h"

namespace warpscope::gui {
namespace {

constexpr double kSmallestText = 7.0;  // logical pixels; smaller digits cannot be told apart
constexpr double kLargestText = 13.0;
constexpr int kGridStep = 40;  // how far a grid line is from the grey it crosses

QRgb* line(QImage& image, int y) {
    return reinterpret_cast<QRgb*>(image.scanLine(y));
}

// Away from the middle, so that lines are seen on any colour.
QRgb lineColor(QRgb pixel) {
    const int step = qGray(pixel) < 128 ? kGridStep : -kGridStep;
    const auto moved = [step](int v) { return std::clamp(v + step, 0, 255); };
    return qRgb(moved(qRed(pixel)), moved(qGreen(pixel)), moved(qBlue(pixel)));
}

// Integers of 8 and 16 bits keep one size however long the numbers in sight are.
int fixedLength(PixelFormat format) {
    if (bytesPerSample(format) == 1) return 3;
    return bytesPerSample(format) == 2 ? 5 : 0;
}

struct Cell {
    QPoint pixel;
    std::vector<QString> lines;
};

}  // namespace

void drawPixelGrid(QImage& target, const ViewTransform& transform) {
    const Rect seen = transform.visible();
    const QRect area = transform.imageRect() & target.rect();
    for (int x = seen.x; x < seen.x + seen.width; ++x) {
        const int column = transform.pixelRect({x, seen.y}).left();
        if (column < area.left() || column > area.right()) continue;
        for (int y = area.top(); y <= area.bottom(); ++y)
            line(target, y)[column] = lineColor(line(target, y)[column]);
    }
    for (int y = seen.y; y < seen.y + seen.height; ++y) {
        const int row = transform.pixelRect({seen.x, y}).top();
        if (row < area.top() || row > area.bottom()) continue;
        // A crossing has been drawn with the column.
        int nextColumn = seen.x;
        int crossing = transform.pixelRect({nextColumn, y}).left();
        for (int x = area.left(); x <= area.right(); ++x) {
            while (crossing < x) crossing = transform.pixelRect({++nextColumn, y}).left();
            if (x != crossing) line(target, row)[x] = lineColor(line(target, row)[x]);
        }
    }
}

void PixelValuePainter::makeGlyphs(const QFont& font, int pixelSize) {
    if (m_pixelSize == pixelSize && m_font == font) return;
    m_font = font;
    m_pixelSize = pixelSize;
    QFont sized = font;
    sized.setPixelSize(pixelSize);
    const QFontMetrics metrics(sized);
    m_lineHeight = metrics.capHeight() + std::max(2, pixelSize / 4);
    for (const char c : std::string_view("0123456789-+.eNaInf")) {
        Glyph& glyph = m_glyphs[std::size_t(c)];
        glyph.advance = metrics.horizontalAdvance(QLatin1Char(c));
        glyph.mask = QImage(glyph.advance + 2, m_lineHeight, QImage::Format_Grayscale8);
        glyph.mask.fill(Qt::black);
        QPainter painter(&glyph.mask);
        painter.setFont(sized);
        painter.setPen(Qt::white);
        painter.drawText(1, metrics.capHeight() + 1, QString(QLatin1Char(c)));
    }
}

int PixelValuePainter::textWidth(const QString& text) const {
    int width = 0;
    for (const QChar c : text) width += m_glyphs[std::size_t(c.unicode() & 127)].advance;
    return width;
}

void PixelValuePainter::drawText(QImage& target, QPoint topLeft, const QString& text,
                                 bool dark) const {
    const int ink = dark ? 0 : 255;
    int left = topLeft.x() - 1;
    for (const QChar c : text) {
        const Glyph& glyph = m_glyphs[std::size_t(c.unicode() & 127)];
        const QRect area = QRect(QPoint(left, topLeft.y()), glyph.mask.size()) & target.rect();
        for (int y = area.top(); y <= area.bottom(); ++y) {
            const uchar* mask = glyph.mask.constScanLine(y - topLeft.y());
            QRgb* out = line(target, y);
            for (int x = area.left(); x <= area.right(); ++x) {
                const int a = mask[x - left];
                const auto mix = [a, ink](int v) { return (v * (255 - a) + ink * a + 127) / 255; };
                if (a != 0)
                    out[x] = qRgb(mix(qRed(out[x])), mix(qGreen(out[x])), mix(qBlue(out[x])));
            }
        }
        left += glyph.advance;
    }
}

void PixelValuePainter::draw(QImage& target, const ViewTransform& transform,
                             const std::vector<ValueSource>& sources, const QFont& font,
                             double dpr) {
    std::vector<Cell> cells;
    int longest = 0;
    std::size_t mostLines = 0;
    const Rect seen = transform.visible();
    for (int y = seen.y; y < seen.y + seen.height; ++y) {
        for (int x = seen.x; x < seen.x + seen.width; ++x) {
            const auto source =
                std::find_if(sources.rbegin(), sources.rend(), [&](const ValueSource& s) {
                    return !intersect(s.rect, Rect{x, y, 1, 1}).empty();
                });
            if (source == sources.rend() || source->image.isNull()) continue;
            Cell cell{{x, y}, {}};
            const QPoint own(x - source->rect.x, y - source->rect.y);
            for (int c = 0; c < shownChannels(source->image); ++c) {
                cell.lines.push_back(shortSample(source->image, own, c));
                longest = std::max(longest, int(cell.lines.back().size()));
            }
            longest = std::max(longest, fixedLength(source->image.format()));
            mostLines = std::max(mostLines, cell.lines.size());
            cells.push_back(std::move(cell));
        }
    }
    if (cells.empty()) return;
    // A digit is about 0.64 of the font's size wide, a line of digits about as high as the size.
    const double byWidth = (transform.zoom() - 3) / (0.64 * longest);
    const double byHeight = (transform.zoom() - 2) / (1.02 * double(mostLines));
    const double size = std::min({byWidth, byHeight, kLargestText * dpr});
    if (size < kSmallestText * dpr) return;
    makeGlyphs(font, int(size));
    for (const Cell& cell : cells) {
        const QRect box = transform.pixelRect(cell.pixel);
        const QPoint middle = box.center();
        const QPoint probe(std::clamp(middle.x(), 0, target.width() - 1),
                           std::clamp(middle.y(), 0, target.height() - 1));
        const bool dark = qGray(target.pixel(probe)) > 140;
        int top = box.top() + (box.height() - int(cell.lines.size()) * m_lineHeight) / 2 + 1;
        for (const QString& text : cell.lines) {
            drawText(target, {box.left() + (box.width() - textWidth(text)) / 2 + 1, top}, text,
                     dark);
            top += m_lineHeight;
        }
    }
}

}  // namespace warpscope::gui
