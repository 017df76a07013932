#include "gui/canvas/pixel_overlay.h"

#include <QFontMetrics>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "gui/display/pixel_values.h"

namespace warpscope::gui {
namespace {

constexpr double kSmallestText = 7.0;  // device pixels; smaller digits cannot be told apart
constexpr double kLargestText = 13.0;
constexpr int kGridStep = 40;  // how far a grid line is from the grey it crosses
// Below this a darker line would not be seen. Far from the middle greys, where a switch between
// dark and light lines made grids of ordinary pictures look torn.
constexpr int kDarkGrey = 56;
constexpr int kMostDigits = 4;  // of a float; fewer where cells are small

QRgb* line(QImage& image, int y) {
    return reinterpret_cast<QRgb*>(image.scanLine(y));
}

QRgb lineColor(QRgb pixel) {
    const int step = qGray(pixel) < kDarkGrey ? kGridStep : -kGridStep;
    const auto moved = [step](int v) { return std::clamp(v + step, 0, 255); };
    return qRgb(moved(qRed(pixel)), moved(qGreen(pixel)), moved(qBlue(pixel)));
}

// Integers of 8 and 16 bits keep one size however long the numbers in sight are.
int fixedLength(PixelFormat format) {
    if (bytesPerSample(format) == 1) return 3;
    return bytesPerSample(format) == 2 ? 5 : 0;
}

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
    for (const char c : std::string_view("0123456789-+.eNaInf/")) {
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

int PixelValuePainter::collect(const Rect& seen, const std::vector<ValueSource>& sources,
                               const PixelMap& imageFromShown, int digits,
                               std::vector<Cell>& cells) const {
    cells.clear();
    int longest = 0;
    for (int y = seen.y; y < seen.y + seen.height; ++y) {
        for (int x = seen.x; x < seen.x + seen.width; ++x) {
            const QPointF at = mapPoint(imageFromShown, {x + 0.5, y + 0.5});
            const QPoint pixel(int(std::floor(at.x())), int(std::floor(at.y())));
            const auto source =
                std::find_if(sources.rbegin(), sources.rend(), [&](const ValueSource& s) {
                    return !intersect(s.rect, Rect{pixel.x(), pixel.y(), 1, 1}).empty();
                });
            if (source == sources.rend() || source->image.isNull()) continue;
            Cell cell{{x, y}, {}};
            const QPoint own(pixel.x() - source->rect.x, pixel.y() - source->rect.y);
            const bool difference = !source->minus.isNull();
            for (int c = 0; c < shownChannels(source->image); ++c) {
                cell.lines.push_back(
                    difference ? shortDifference(source->image, source->minus, own, c, digits)
                               : shortSample(source->image, own, c, digits));
                longest = std::max(longest, int(cell.lines.back().size()));
            }
            longest = std::max(longest, fixedLength(source->image.format()) + (difference ? 1 : 0));
            cells.push_back(std::move(cell));
        }
    }
    return longest;
}

void PixelValuePainter::draw(QImage& target, const ViewTransform& transform,
                             const std::vector<ValueSource>& sources, const QFont& font, double dpr,
                             const PixelMap& imageFromShown) {
    std::vector<Cell> cells;
    double size = 0;
    for (int digits = kMostDigits; digits >= 2 && size < kSmallestText; --digits) {
        const int longest = collect(transform.visible(), sources, imageFromShown, digits, cells);
        if (cells.empty()) return;
        std::size_t mostLines = 0;
        for (const Cell& cell : cells) mostLines = std::max(mostLines, cell.lines.size());
        // A digit is about 0.64 of the font's size wide, a line of digits about as high as the
        // size.
        const double byWidth = (transform.zoom() - 3) / (0.64 * longest);
        const double byHeight = (transform.zoom() - 2) / (1.02 * double(mostLines));
        size = std::min({byWidth, byHeight, kLargestText * dpr});
    }
    if (size < kSmallestText) return;
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
