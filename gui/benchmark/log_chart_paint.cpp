// How a log-log chart looks.
#include <QFontInfo>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "gui/benchmark/log_chart.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

constexpr double kMarker = 3.4;  // half the size of a marker
constexpr double kRing = 1.5;    // of that, around a marker
constexpr double kInRing = 0.6;  // of that, a marker with a ring around it

QColor mixed(const QColor& a, const QColor& b, double share) {
    const auto part = [&](int x, int y) { return int(std::lround(x + share * (y - x))); };
    return QColor(part(a.red(), b.red()), part(a.green(), b.green()), part(a.blue(), b.blue()));
}

// A circle, then polygons of about the same size.
QPainterPath markerShape(int marker, const QPointF& at, double r) {
    struct Shape {
        int corners;
        double radius, turn;
    };
    constexpr Shape kShapes[] = {{0, 1, 0},      {4, 1.25, M_PI / 4}, {3, 1.4, 0}, {4, 1.35, 0},
                                 {3, 1.4, M_PI}, {6, 1.15, 0},        {5, 1.25, 0}};
    const Shape& shape = kShapes[std::size_t(marker) % std::size(kShapes)];
    QPainterPath path;
    if (shape.corners == 0) path.addEllipse(at, r, r);
    QPolygonF polygon;
    for (int i = 0; i < shape.corners; ++i) {
        const double angle = shape.turn + 2 * M_PI * i / shape.corners;
        polygon << at + r * shape.radius * QPointF(std::sin(angle), -std::cos(angle));
    }
    path.addPolygon(polygon);
    path.closeSubpath();
    return path;
}

QColor colorOf(const ChartSeries& series) {
    return chartColor(series.ink, series.tint);
}

void paintMarker(QPainter& painter, const ChartSeries& series, const QPointF& at, bool doubtful,
                 double r) {
    const ThemeColors& colors = Theme::instance().colors();
    const QColor color = colorOf(series);
    if (doubtful) {
        painter.setPen(QPen(colors.error, 1.6));
        painter.drawLine(at + QPointF(-r, -r), at + QPointF(r, r));
        painter.drawLine(at + QPointF(-r, r), at + QPointF(r, -r));
        return;
    }
    painter.setPen(QPen(color, 1.2));
    if (series.cold) {
        painter.setBrush(colors.base);
        painter.drawPath(markerShape(series.marker, at, r * kRing));
        r *= kInRing;
    }
    painter.setBrush(series.hollow ? colors.base : color);
    painter.drawPath(markerShape(series.marker, at, r));
}

// So that it cannot be read as if it were sure.
void paintNoisyRing(QPainter& painter, const QPointF& at, double r) {
    QPen pen(Theme::instance().colors().error, 1.2);
    pen.setDashPattern({2, 2});
    pen.setCapStyle(Qt::FlatCap);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(at, r, r);
}

QPen linePen(const ChartSeries& series, bool strong, double scale = 1) {
    QPen pen(colorOf(series), scale * ((series.thin ? 1.0 : 1.5) + (strong ? 1.2 : 0)));
    pen.setStyle(series.pen);
    pen.setCapStyle(Qt::FlatCap);
    pen.setJoinStyle(Qt::RoundJoin);
    return pen;
}

QColor inkColor(PlotInk ink) {
    const ThemeColors& colors = Theme::instance().colors();
    switch (ink) {
        case PlotInk::AllCores:
            return colors.cpu;
        case PlotInk::GpuKernels:
            return colors.gpu;
        case PlotInk::GpuEndToEnd:  // the same green, weaker
            return mixed(colors.gpu, colors.base, 0.42);
        case PlotInk::SingleThread:
            break;
    }
    return colors.cpuSingle;
}

// The colour says which backend it is: a neighbouring one, and nearer to the text's.
QColor tinted(const QColor& color, int tint) {
    if (tint == 0) return color;
    const int side = tint % 2 == 1 ? 1 : -1;
    const int turn = side * 16 * ((tint + 1) / 2);
    const bool grey = color.hslHue() < 0 || color.hslSaturation() < 12;
    const QColor turned =
        QColor::fromHsl(((grey ? (side > 0 ? 30 : 300) : color.hslHue() + turn) % 360 + 360) % 360,
                        grey ? 70 : color.hslSaturation(), color.lightness());
    const ThemeColors& colors = Theme::instance().colors();
    return mixed(turned, side > 0 ? colors.text : colors.base, 0.3);
}

// On the flat part, at its end.
QRectF roofNameBox(const ChartLayout& layout, const ChartRoof& roof) {
    const QFontMetricsF metrics(chartFont(layout.scale));
    const double width = metrics.horizontalAdvance(roof.name);
    return {layout.frame.right() - 4 - width, layout.frame.y(roof.top) - metrics.height() - 2,
            width, metrics.height()};
}

// From the left edge, or where it enters from below, to its bend, and on to the right edge.
void paintRoof(QPainter& painter, const ChartLayout& layout, const ChartRoof& roof) {
    const ChartFrame& frame = layout.frame;
    const auto power = [](double decades) { return std::pow(10.0, decades); };
    const double left = power(frame.axes.across.low), right = power(frame.axes.across.high);
    const double bottom = power(frame.axes.values.low), most = power(frame.axes.values.high);
    const double top = roof.top > 0 ? roof.top : most;
    QPolygonF line;
    double flatFrom = left;
    if (roof.slope > 0) {
        const double from = std::max(left, bottom / roof.slope);
        const double to = std::min(right, top / roof.slope);
        if (from < to)
            line << QPointF(frame.x(from), frame.y(from * roof.slope))
                 << QPointF(frame.x(to), frame.y(to * roof.slope));
        flatFrom = std::max(left, to);
    }
    const bool flat = roof.top > 0 && flatFrom < right;
    if (flat)
        line << QPointF(frame.x(flatFrom), frame.y(top)) << QPointF(frame.right(), frame.y(top));
    painter.setPen(QPen(chartColor(roof.ink, roof.tint), 1.6, roof.pen));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(line);
    if (!flat) return;
    painter.drawText(roofNameBox(layout, roof), Qt::AlignRight | Qt::TextDontClip, roof.name);
}

// That font, as much smaller as the text needs, but no smaller than can be read beside it.
QFont narrowed(QFont font, const QString& text, double room) {
    constexpr double kSmallest = 0.72;
    const double wide = QFontMetricsF(font).horizontalAdvance(text);
    if (wide <= room) return font;
    const double size = QFontInfo(font).pixelSize();
    font.setPixelSize(std::max(int(kSmallest * size + 0.5), int(size * room / wide)));
    return font;
}

}  // namespace

QColor chartColor(PlotInk ink, int tint) {
    return tinted(inkColor(ink), tint);
}

void paintSample(QPainter& painter, const QRectF& box, const ChartSeries& series) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(linePen(series, false));
    const double y = std::floor(box.center().y()) + 0.5;
    painter.drawLine(QPointF(box.left(), y), QPointF(box.right(), y));
    paintMarker(painter, series, QPointF(box.center().x(), y), false, kMarker);
}

void LogChart::paintTo(QPainter& painter, const QSizeF& size, Room room) const {
    const Theme& theme = Theme::instance();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const ChartLayout layout = layoutFor(size, room);
    painter.setFont(chartFont(layout.scale));
    painter.fillRect(QRectF(QPointF(), size), theme.colors().base);
    paintFrame(painter, layout, size);
    for (const ChartRoof& roof : m_content.roofs)
        if (!layout.empty()) paintRoof(painter, layout, roof);
    for (const std::size_t index : layout.visible)
        if (!m_current || index != m_current->series) paintSeries(painter, layout, index, false);
    if (m_current) paintSeries(painter, layout, m_current->series, false);
    paintMarks(painter, layout);
    paintLabels(painter, layout);
    painter.restore();
}

void LogChart::paintFrame(QPainter& painter, const ChartLayout& layout, const QSizeF& size) const {
    const ThemeColors& colors = Theme::instance().colors();
    const QFontMetricsF metrics(painter.font());
    const ChartFrame& frame = layout.frame;
    if (layout.empty()) {
        painter.setPen(colors.weakText);
        painter.drawText(QRectF(QPointF(), size).adjusted(24, 24, -24, -24),
                         Qt::AlignCenter | Qt::TextWordWrap, m_emptyText);
        return;
    }
    const double height = metrics.height();
    const auto crisp = [](double v) { return std::floor(v) + 0.5; };
    for (const ChartTick& tick : layout.yTicks) {
        const double y = crisp(tick.at);
        painter.setPen(QPen(colors.chartGrid, 1));
        painter.drawLine(QPointF(frame.left, y), QPointF(frame.right(), y));
        painter.setPen(colors.weakText);
        painter.drawText(QRectF(0, tick.at - height / 2, frame.left - 8, height),
                         Qt::AlignRight | Qt::AlignVCenter, QString::fromStdString(tick.text));
    }
    for (const ChartTick& tick : layout.xTicks) {
        const double x = crisp(tick.at);
        painter.setPen(QPen(colors.chartGrid, 1));
        painter.drawLine(QPointF(x, frame.top), QPointF(x, frame.bottom()));
        painter.setPen(colors.weakText);
        const QString text = QString::fromStdString(tick.text);
        const double half = metrics.horizontalAdvance(text) / 2 + 1;
        painter.drawText(QRectF(tick.at - half, frame.bottom() + 4, 2 * half, height),
                         Qt::AlignCenter, text);
    }
    painter.setPen(QPen(colors.border, 1));
    painter.drawLine(QPointF(frame.left, crisp(frame.bottom())),
                     QPointF(frame.right(), crisp(frame.bottom())));
    if (m_content.unityLine) {
        const double y = crisp(frame.y(1));
        painter.setPen(QPen(colors.weakText, 1));
        painter.drawLine(QPointF(frame.left, y), QPointF(frame.right(), y));
    }
    painter.setPen(colors.text);
    // What all lines are of, and that some have no label.
    const QString title = layout.operation.isEmpty()
                              ? m_content.valueTitle
                              : tr("%1: %2").arg(layout.operation, m_content.valueTitle);
    QString unnamed;
    if (layout.labels.size() < layout.visible.size())
        unnamed = tr("%1 of %n lines named; the others at the cursor", nullptr,
                     int(layout.visible.size()))
                      .arg(layout.labels.size());
    const double taken = unnamed.isEmpty() ? 0 : metrics.horizontalAdvance(unnamed) + 16;
    const double room = std::max(size.width() / 2, size.width() - 16 - taken);
    painter.drawText(QRectF(8, 6, room, height), Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(tr("%1, logarithmic").arg(title), Qt::ElideRight, room));
    painter.setPen(colors.weakText);
    painter.drawText(QRectF(8 + room, 6, size.width() - room - 16, height),
                     Qt::AlignRight | Qt::AlignVCenter,
                     metrics.elidedText(unnamed, Qt::ElideRight, size.width() - room - 16));
    double y = frame.bottom() + 4 + height;
    painter.setPen(colors.weakText);
    painter.drawText(QRectF(0, y, frame.left + frame.width, height), Qt::AlignRight,
                     tr("%1, logarithmic").arg(m_content.acrossTitle));
    y += height + 8;
    for (std::size_t i = 0; i < m_content.captions.size(); ++i) {
        const ChartCaption& caption = m_content.captions[i];
        QPen pen(caption.tint ? chartColor(PlotInk::AllCores, caption.tint) : colors.text, 1.5);
        pen.setStyle(caption.pen);
        painter.setPen(pen);
        painter.drawLine(QPointF(8, y + height / 2), QPointF(36, y + height / 2));
        painter.setPen(colors.weakText);
        painter.drawText(QRectF(44, y, size.width() - 52, layout.captionHeights[i]),
                         Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, caption.text);
        y += layout.captionHeights[i] + 2;
    }
}

void LogChart::paintSeries(QPainter& painter, const ChartLayout& layout, std::size_t index,
                           bool strong) const {
    const ChartSeries& series = m_content.series[index];
    QPolygonF line;
    for (const PlotPoint& point : series.points) line << layout.place(point);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(linePen(series, strong, layout.scale));
    painter.drawPolyline(line);
    for (std::size_t i = 0; i < series.points.size(); ++i) {
        const PlotPoint& point = series.points[i];
        if (point.hasSpread()) {
            QColor color = colorOf(series);
            if (!strong) color.setAlphaF(0.55f);
            painter.setPen(QPen(color, 1));
            const double x = layout.frame.x(point.x);
            painter.drawLine(QPointF(x, layout.frame.y(point.low)),
                             QPointF(x, layout.frame.y(point.high)));
        }
        const double r = layout.scale * (strong ? kMarker + 0.8 : kMarker);
        if (point.noisy) paintNoisyRing(painter, line[qsizetype(i)], 2 * r);
        paintMarker(painter, series, line[qsizetype(i)], point.doubtful, r);
    }
}

// Where they meet neither each other nor a marker; the others are at the cursor.
void LogChart::paintMarks(QPainter& painter, const ChartLayout& layout) const {
    painter.save();
    painter.setFont(chartFont(0.85 * layout.scale));
    const QFontMetricsF metrics(painter.font());
    std::vector<QRectF> taken;
    for (const ChartRoof& roof : m_content.roofs)
        if (roof.top > 0) taken.push_back(roofNameBox(layout, roof));
    const double r = 2 * kMarker * layout.scale;
    for (const std::size_t index : layout.visible)
        for (const PlotPoint& point : m_content.series[index].points)
            taken.emplace_back(layout.place(point) - QPointF(r, r), QSizeF(2 * r, 2 * r));
    for (const std::size_t index : layout.visible) {
        const ChartSeries& series = m_content.series[index];
        for (std::size_t i = 0;
             i < std::min(series.points.size(), std::size_t(series.marks.size())); ++i) {
            const QString& mark = series.marks[qsizetype(i)];
            const QPointF at = layout.place(series.points[i]);
            QRectF box(0, 0, metrics.horizontalAdvance(mark) + 2, metrics.height());
            for (const bool right : {true, false}) {
                box.moveTopLeft(at +
                                QPointF(right ? r + 1 : -r - 1 - box.width(), -box.height() / 2));
                const bool free =
                    std::none_of(taken.begin(), taken.end(),
                                 [&](const QRectF& other) { return other.intersects(box); });
                if (!free || box.left() < layout.frame.left || box.right() > layout.frame.right())
                    continue;
                taken.push_back(box);
                painter.setPen(mixed(colorOf(series), Theme::instance().colors().text, 0.35));
                painter.drawText(box, Qt::AlignCenter, mark);
                break;
            }
        }
    }
    painter.restore();
}

void LogChart::paintLabels(QPainter& painter, const ChartLayout& layout) const {
    const ThemeColors& colors = Theme::instance().colors();
    const QFontMetricsF metrics(painter.font());
    const double height = metrics.height();
    for (const ChartLabel& label : layout.labels) {
        const ChartSeries& series = m_content.series[layout.visible[label.line]];
        const QColor color = colorOf(series);
        const QPointF from = layout.place(series.points.back()) + QPointF(kMarker + 2, 0);
        painter.setPen(QPen(mixed(color, colors.base, 0.5), 0.8));
        painter.drawPolyline(QPolygonF{from,
                                       {std::max(from.x(), layout.frame.right()), from.y()},
                                       {layout.labelLeft - 3, label.y}});
        painter.setPen(mixed(color, colors.text, 0.35));
        const QStringList said = layout.names[qsizetype(label.line)].split(QLatin1Char('\n'));
        double top = label.y - height * double(said.size()) / 2;
        const QFont font = painter.font();
        for (const QString& one : said) {
            // Smaller letters before fewer of them.
            painter.setFont(narrowed(font, one, layout.labelWidth));
            const QFontMetricsF narrow(painter.font());
            painter.drawText(QRectF(layout.labelLeft, top, layout.labelWidth, height),
                             Qt::AlignLeft | Qt::AlignVCenter,
                             narrow.elidedText(one, Qt::ElideRight, layout.labelWidth));
            top += height;
        }
        painter.setFont(font);
    }
}

void LogChart::paintReadout(QPainter& painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    painter.setFont(chartFont(m_layout.scale));
    const QFontMetricsF metrics(painter.font());
    const QString text = readout();
    constexpr double kMargin = 8;
    const double widest = std::min(460.0 * m_layout.scale, width() - 4 * kMargin);
    const QRectF wanted = metrics.boundingRect(QRectF(0, 0, widest, 1000), Qt::TextWordWrap, text);
    QRectF box(0, 0, std::ceil(wanted.width()) + 2 * kMargin + 1,
               std::ceil(wanted.height()) + 2 * kMargin);
    const QPointF at = placeOf(*m_current);
    box.moveTopLeft(at + QPointF(14, 14));
    if (box.right() > width() - 4) box.moveRight(at.x() - 14);
    if (box.bottom() > height() - 4) box.moveBottom(at.y() - 14);
    box.moveLeft(std::clamp(box.left(), 4.0, std::max(4.0, width() - box.width() - 4)));
    box.moveTop(std::clamp(box.top(), 4.0, std::max(4.0, height() - box.height() - 4)));
    painter.setPen(QPen(colors.border, 1));
    painter.setBrush(colors.raised);
    painter.drawRect(box.translated(-0.5, -0.5));
    painter.setPen(colors.text);
    painter.drawText(box.adjusted(kMargin, kMargin, -kMargin, -kMargin),
                     Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, text);
}

void LogChart::paintEvent(QPaintEvent*) {
    std::optional<PictureColors> light;
    if (m_projected) light.emplace(ThemeChoice::Light);
    QPainter painter(this);
    paintTo(painter, QSizeF(size()));
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_current) {
        paintSeries(painter, m_layout, m_current->series, true);
        paintReadout(painter);
    }
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(Theme::instance().colors().accent, 1));
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

}  // namespace warpscope::gui
