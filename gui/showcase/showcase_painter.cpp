#include "gui/showcase/showcase_painter.h"

#include <QFontMetrics>
#include <QImage>
#include <QPainter>
#include <algorithm>

#include "gui/widgets/theme.h"
#include "gui/widgets/translate.h"

namespace warpscope::gui {
namespace {

constexpr int kSmallestPixels = 8;      // of letters
constexpr qreal kSourceOpacity = 0.35;  // of the picture while there is no result

struct TextStyle {
    double height = 3;  // in layout units
    QColor color;
    bool bold = false;
    Qt::Alignment alignment = Qt::AlignLeft | Qt::AlignVCenter;
    bool figures = false;
};

class Painting {
  public:
    Painting(QPainter& painter, const ShowcaseLayout& layout)
        : m_painter(painter), m_layout(layout), m_colors(Theme::instance().colors()) {}

    void head(const ShowcaseContent& content);
    void side(std::size_t index, const ShowcaseContent& content);
    void factor(const ShowcaseContent& content);
    void foot(const ShowcaseContent& content);
    void notice(const QString& text);

  private:
    int px(double units) const { return qRound(units * m_layout.unit); }
    QFont fontOf(const TextStyle& style, int pixels) const;
    // One line, made smaller until it fits, and cut only below half its size.
    void line(const QRect& rect, const QString& text, const TextStyle& style);
    bool inTwoLines(const QRect& rect, const QString& text, const TextStyle& style, int pixels);
    void lines(const QRect& rect, const QString& text, const TextStyle& style);
    void picture(const QRect& rect, const SideContent& side);
    void progress(const QRect& rect, const SideContent& side, const QColor& color);

    QPainter& m_painter;
    const ShowcaseLayout& m_layout;
    const ThemeColors& m_colors;
};

QFont Painting::fontOf(const TextStyle& style, int pixels) const {
    QFont font = style.figures ? Theme::instance().figureFont() : m_painter.font();
    font.setPixelSize(std::max(pixels, kSmallestPixels));
    font.setBold(style.bold);
    return font;
}

void Painting::line(const QRect& rect, const QString& text, const TextStyle& style) {
    if (text.isEmpty() || rect.width() <= 0) return;
    const int wanted = px(style.height);
    int pixels = wanted;
    const auto width = [&] { return QFontMetrics(fontOf(style, pixels)).horizontalAdvance(text); };
    while (pixels > std::max(wanted / 2, 9) && width() > rect.width()) --pixels;
    if (width() > rect.width() && inTwoLines(rect, text, style, pixels)) return;
    const QFont font = fontOf(style, pixels);
    m_painter.save();
    m_painter.setFont(font);
    m_painter.setPen(style.color);
    m_painter.drawText(rect, int(style.alignment) | Qt::TextSingleLine,
                       QFontMetrics(font).elidedText(text, Qt::ElideRight, rect.width()));
    m_painter.restore();
}

// Small, but whole: half a name tells nothing. False where even that does not fit.
bool Painting::inTwoLines(const QRect& rect, const QString& text, const TextStyle& style,
                          int pixels) {
    const int flags = int(style.alignment) | Qt::TextWordWrap;
    const auto fits = [&] {
        const QRect taken = QFontMetrics(fontOf(style, pixels)).boundingRect(rect, flags, text);
        return taken.height() <= rect.height() && taken.width() <= rect.width();
    };
    while (pixels > kSmallestPixels && !fits()) --pixels;
    if (!fits()) return false;
    m_painter.save();
    m_painter.setFont(fontOf(style, pixels));
    m_painter.setPen(style.color);
    m_painter.drawText(rect, flags, text);
    m_painter.restore();
    return true;
}

void Painting::lines(const QRect& rect, const QString& text, const TextStyle& style) {
    if (text.isEmpty()) return;
    const int flags = int(style.alignment) | Qt::TextWordWrap;
    int pixels = px(style.height);
    while (pixels > 10 &&
           QFontMetrics(fontOf(style, pixels)).boundingRect(rect, flags, text).height() >
               rect.height())
        --pixels;
    m_painter.save();
    m_painter.setFont(fontOf(style, pixels));
    m_painter.setPen(style.color);
    m_painter.drawText(rect, flags, text);
    m_painter.restore();
}

void Painting::head(const ShowcaseContent& content) {
    const QRect& head = m_layout.head;
    const int gap = px(2);
    const int right = head.width() * 35 / 100;
    const QRect left = head.adjusted(0, 0, -right - gap, 0);
    const QRect size = head.adjusted(head.width() - right, 0, 0, 0);
    const int title = head.height() * 64 / 100;
    const auto above = [&](QRect rect) { return rect.adjusted(0, 0, 0, title - rect.height()); };
    const auto below = [&](QRect rect) { return rect.adjusted(0, title, 0, 0); };
    const auto atRight = Qt::AlignRight | Qt::AlignVCenter;
    line(above(left), content.operation, {5.6, m_colors.text, true});
    line(below(left), content.details, {2.4, m_colors.weakText});
    line(above(size), content.size, {5.6, m_colors.text, true, atRight, true});
    line(below(size), content.format, {2.4, m_colors.weakText, false, atRight});
}

void Painting::picture(const QRect& rect, const SideContent& side) {
    m_painter.fillRect(rect, m_colors.canvas);
    const Image& image = side.picture;
    if (image.isNull() || bytesPerSample(image.format()) != 1) return;
    const QImage pixels(
        reinterpret_cast<const uchar*>(image.bytes()), image.width(), image.height(),
        qsizetype(image.pitch()),
        isColor(image.format()) ? QImage::Format_RGBX8888 : QImage::Format_Grayscale8);
    m_painter.save();
    m_painter.setOpacity(side.pictureIsSource || !side.problem.isEmpty() ? kSourceOpacity : 1.0);
    m_painter.drawImage(rect, pixels);  // small images get square pixels
    m_painter.restore();
}

void Painting::progress(const QRect& rect, const SideContent& side, const QColor& color) {
    const int bar = px(1);
    const QRect strip(rect.left(), rect.bottom() - bar + 1, rect.width(), bar);
    QColor ground = m_colors.window;
    ground.setAlpha(200);
    const QRect text(rect.left(), strip.top() - px(5), rect.width(), px(5));
    m_painter.fillRect(text, ground);
    m_painter.fillRect(strip, m_colors.base);
    m_painter.fillRect(QRect(strip.topLeft(), QSize(qRound(strip.width() * side.progress), bar)),
                       color);
    line(text.adjusted(px(2), 0, -px(2), 0), side.working,
         {2.6, m_colors.text, false, Qt::AlignLeft | Qt::AlignVCenter, true});
}

void Painting::side(std::size_t index, const ShowcaseContent& content) {
    const SideContent& side = content.sides[index];
    const QColor color =
        Theme::instance().backendColor(side.backend.value_or(BackendKind::CpuSingle));
    const Qt::Alignment alignment =
        (index == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter;
    const QRect& name = m_layout.names[index];
    if (side.backend)
        m_painter.fillRect(QRect(name.left(), name.bottom() - px(0.6), name.width(), px(0.7)),
                           color);
    const QRect text = name.adjusted(0, 0, 0, -px(1));
    const TextStyle bold{3.8, color, true, alignment};
    line(text, side.name, bold);
    const int taken =
        QFontMetrics(fontOf(bold, px(bold.height))).horizontalAdvance(side.name) + px(2);
    line(index == 0 ? text.adjusted(taken, 0, 0, 0) : text.adjusted(0, 0, -taken, 0), side.device,
         {2.2, m_colors.weakText, false, alignment});

    const QRect& rect = m_layout.pictures[index];
    picture(rect, side);
    if (!side.problem.isEmpty()) {
        lines(rect.adjusted(px(4), px(4), -px(4), -px(4)), side.problem,
              {3.6, m_colors.error, true, Qt::AlignCenter});
        return;
    }
    if (!side.working.isEmpty()) progress(rect, side, color);

    const QRect& figures = m_layout.figures[index];
    const int large = px(12.5);
    const QRect top(figures.left(), figures.top(), figures.width(), large);
    if (side.rate.isEmpty()) {
        if (content.notice.isEmpty())
            line(top, QStringLiteral("…"), {8, m_colors.weakText, true, alignment});
        return;
    }
    // The unit stands on the line of the number, which is made smaller if both do not fit.
    TextStyle number{12.5, color, true, Qt::AlignLeft | Qt::AlignVCenter, true};
    const TextStyle unit{3.2, m_colors.weakText};
    const int unitWidth = QFontMetrics(fontOf(unit, px(unit.height))).horizontalAdvance(side.unit);
    const int room = figures.width() - unitWidth - px(1.5);
    int pixels = px(number.height);
    const auto width = [&] {
        return QFontMetrics(fontOf(number, pixels)).horizontalAdvance(side.rate);
    };
    while (pixels > px(4) && width() > room) --pixels;
    const int numberWidth = std::min(width(), room);
    const int left =
        index == 0 ? figures.left() : figures.right() + 1 - numberWidth - px(1.5) - unitWidth;
    const QFont font = fontOf(number, pixels);
    const int baseline = top.center().y() + QFontMetrics(font).capHeight() / 2;
    m_painter.setFont(font);
    m_painter.setPen(color);
    m_painter.drawText(QPoint(left, baseline), side.rate);
    m_painter.setFont(fontOf(unit, px(unit.height)));
    m_painter.setPen(m_colors.weakText);
    m_painter.drawText(QPoint(left + numberWidth + px(1.5), baseline), side.unit);
    const QRect time(figures.left(), top.bottom() + 1, figures.width(), px(4.4));
    line(time, side.time, {3.4, m_colors.text, false, alignment, true});
    const QRect parts(figures.left(), time.bottom() + 1, figures.width(), px(3));
    QStringList below{side.interval};
    if (!side.recorded.isEmpty())
        below << tr("recorded, played at its own pace");
    else
        below << side.parts;
    below.removeAll(QString());
    lines(QRect(parts.topLeft(), QSize(parts.width(), figures.bottom() - parts.top())),
          below.join(QLatin1Char('\n')),
          {2.0, side.recorded.isEmpty() ? m_colors.weakText : m_colors.text, false,
           (alignment & ~Qt::AlignVCenter) | Qt::AlignTop, true});
}

void Painting::factor(const ShowcaseContent& content) {
    const QRect& rect = m_layout.factor;
    if (content.differs) {
        lines(rect, content.agreement, {3.2, m_colors.error, true, Qt::AlignCenter});
        return;
    }
    const int large = px(12.5);
    const int range = content.factorRange.isEmpty() ? 0 : px(3);
    line(QRect(rect.left(), rect.top(), rect.width(), large - range), content.factor,
         {content.factorRange.isEmpty() ? 12.5 : 10, m_colors.text, true, Qt::AlignCenter, true});
    line(QRect(rect.left(), rect.top() + large - range, rect.width(), range), content.factorRange,
         {2.8, m_colors.text, true, Qt::AlignCenter, true});
    const auto below = [&](double from, double height) {
        return QRect(rect.left(), rect.top() + large + px(from), rect.width(), px(height));
    };
    const TextStyle style{2.4, m_colors.text, false, Qt::AlignCenter, true};
    const bool two = !content.factorMore.isEmpty();
    if (!content.factor.isEmpty()) {
        line(below(0, two ? 2.8 : 3.6), content.factorSides, style);
        if (two) line(below(2.8, 2.8), content.factorMore, style);
    }
    line(below(two ? 5.6 : 3.8, two ? 2.8 : 3), content.agreement,
         {2.0, m_colors.weakText, false, Qt::AlignCenter});
}

void Painting::foot(const ShowcaseContent& content) {
    const QString text =
        content.noGpu.isEmpty() ? content.method : tr("%1. %2").arg(content.noGpu, content.method);
    QRect rest = m_layout.foot;
    if (!content.doubt.isEmpty()) {
        line(QRect(rest.topLeft(), QSize(rest.width(), px(2.6))), content.doubt,
             {2.2, m_colors.warning, true, Qt::AlignCenter});
        rest.setTop(rest.top() + px(2.6));
    }
    lines(rest, text, {1.8, m_colors.weakText, false, Qt::AlignCenter});
}

void Painting::notice(const QString& text) {
    if (text.isEmpty()) return;
    const QRect area = m_layout.pictures[0].united(m_layout.pictures[1]);
    QRect box(0, 0, area.width() / 2, px(14));
    box.moveCenter(area.center());
    QColor ground = m_colors.window;
    ground.setAlpha(230);
    m_painter.fillRect(box, ground);
    lines(box.adjusted(px(2), px(1), -px(2), -px(1)), text,
          {4, m_colors.text, true, Qt::AlignCenter});
}

}  // namespace

ShowcaseLayout layoutFor(QSize window) {
    ShowcaseLayout layout;
    // A tall window is not filled by ever larger letters.
    layout.unit = std::max(1, std::min(window.height() / 100, window.width() / 150));
    const int unit = layout.unit;
    const int margin = 3 * unit;
    const int width = std::max(window.width() - 2 * margin, 1);
    const int gap = unit;
    const int half = (width - gap) / 2;
    const int nameHeight = 6 * unit;
    const int figureHeight = 21 * unit;
    layout.head = QRect(margin, 2 * unit, width, 11 * unit);
    layout.foot = QRect(margin, window.height() - 8 * unit, width, 7 * unit);
    const int namesTop = layout.head.bottom() + 1 + unit;
    const int picturesTop = namesTop + nameHeight;
    const int figuresTop = layout.foot.top() - figureHeight;
    const int pictureHeight = std::max(figuresTop - unit - picturesTop, 1);
    const int factorWidth = width * 32 / 100;
    const int figureWidth = (width - factorWidth) / 2 - gap;
    for (std::size_t i = 0; i < 2; ++i) {
        const int left = i == 0 ? margin : margin + width - half;
        layout.names[i] = QRect(left, namesTop, half, nameHeight);
        layout.pictures[i] = QRect(left, picturesTop, half, pictureHeight);
        layout.figures[i] = QRect(i == 0 ? margin : margin + width - figureWidth, figuresTop,
                                  figureWidth, figureHeight);
    }
    layout.factor =
        QRect(margin + (width - factorWidth) / 2, figuresTop, factorWidth, figureHeight);
    return layout;
}

void paintShowcase(QPainter& painter, const ShowcaseLayout& layout,
                   const ShowcaseContent& content) {
    Painting painting(painter, layout);
    painting.head(content);
    painting.side(0, content);
    painting.side(1, content);
    painting.factor(content);
    painting.foot(content);
    painting.notice(content.notice);
}

}  // namespace warpscope::gui
