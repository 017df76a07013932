// What the histogram view draws over its series: labels, clipped ends, marks, read-out.
#include <QChart>
#include <QGraphicsScene>
#include <QLocale>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "gui/histogram/histogram_view.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {

namespace {

constexpr double kLabelMargin = 4;    // of the widget's edges, pixels
constexpr double kClipWarning = 0.1;  // per cent of the pixels from which a clipped end is flagged

QString percentileText(double percentile) {
    return QLocale().toString(percentile, 'f', 1);
}

}  // namespace

QString HistogramView::channelLetter(HistogramChannel channel) {
    switch (channel) {
        case HistogramChannel::Luma:
            return HistogramView::tr("L", "luminance");
        case HistogramChannel::Red:
            return HistogramView::tr("R", "red");
        case HistogramChannel::Green:
            return HistogramView::tr("G", "green");
        case HistogramChannel::Blue:
            return HistogramView::tr("B", "blue");
    }
    return {};
}

void HistogramView::paintOverlay(QPainter& painter) const {
    if (m_model.isEmpty() || m_plot.width() < 20 || m_plot.height() < 10) return;
    painter.save();
    painter.setFont(Theme::instance().figureFont());
    const ThemeColors& colors = Theme::instance().colors();
    if (m_selection) {
        const HistogramSide side = m_model.mainSide();
        const double from = pixelX(m_model.edge(side, m_model.binAt(side, m_selection->first)));
        const double to = pixelX(m_model.edge(side, m_model.binAt(side, m_selection->second) + 1));
        QColor shade = colors.accent;
        shade.setAlphaF(0.22f);
        painter.fillRect(QRectF(QPointF(from, m_plot.top()), QPointF(to, m_plot.bottom())), shade);
        painter.setPen(QPen(colors.accent, 1));
        painter.drawLine(upright(from));
        painter.drawLine(upright(to));
    }
    drawLabels(painter);
    drawStepInput(painter);
    drawMapping(painter);
    drawCutPeaks(painter);
    drawMarks(painter);
    drawStepMarks(painter);
    drawLevels(painter);
    if (m_hover) drawHover(painter);
    if (hasFocus()) {
        painter.setPen(QPen(colors.accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(viewport()->rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
    painter.restore();
}

void HistogramView::drawLabels(QPainter& painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    const QFontMetricsF metrics(painter.font());
    const double line = metrics.height();
    painter.setPen(colors.weakText);

    // Counts.
    const bool logarithmic = m_options.scale == CountScale::Logarithmic;
    const double room = m_plot.left() - 5;
    const auto countLabel = [&](double position, const QString& text) {
        const double low = logarithmic ? kLogFloor : 0.0;
        const double y = m_plot.bottom() - (position - low) / (m_limit - low) * m_plot.height();
        painter.drawText(QRectF(0, std::max(y - line / 2, m_plot.top()), room, line),
                         Qt::AlignRight | Qt::AlignVCenter, text);
    };
    for (double v = 0; v <= m_limit; v += m_countStep)
        countLabel(v, shortCount(logarithmic ? std::pow(10.0, v) : v));
    const QRectF heading(4, 1, m_plot.right() - 4, line);
    painter.drawText(heading, Qt::AlignLeft | Qt::AlignVCenter,
                     logarithmic ? tr("pixels per bin, log") : tr("pixels per bin"));

    // Shares of the cumulative curve.
    if (m_options.cumulative) {
        for (const int percent : {0, 50, 100}) {
            // No label over another: the ends come first.
            if (percent == 50 && m_plot.height() < 3 * line) continue;
            if (percent == 0 && m_plot.height() < 2 * line) continue;
            const double y = m_plot.bottom() - percent / 100.0 * m_plot.height();
            const double top = std::clamp(y - line / 2, m_plot.top(), m_plot.bottom() - line);
            painter.drawText(QRectF(m_plot.right() + 5, top, width() - m_plot.right() - 5, line),
                             Qt::AlignLeft | Qt::AlignVCenter, tr("%1 %").arg(percent));
        }
        painter.drawText(QRectF(0, 1, width() - 4, line), Qt::AlignRight | Qt::AlignVCenter,
                         tr("cumulative"));
    }

    // Values. A label that would touch its neighbour gives way; the last one always stays.
    const auto ticks = m_model.valueTicks(m_plot.width() > 420 ? 8 : 4);
    const double y = m_plot.bottom() + 9;  // below the marks
    // Glyphs may reach a little beyond their advance.
    const double leftLimit = kLabelMargin, rightLimit = width() - kLabelMargin;
    double lastLeft = width() + 1;
    for (std::size_t i = ticks.size(); i-- > 0;) {
        const double half = metrics.horizontalAdvance(ticks[i].label) / 2 + 1;
        const double x = std::clamp(pixelX(ticks[i].value), leftLimit + half, rightLimit - half);
        if (x + half + 6 > lastLeft && i + 1 != ticks.size()) continue;
        painter.drawText(QRectF(x - half, y, 2 * half, line), Qt::AlignCenter, ticks[i].label);
        lastLeft = x - half;
    }
    drawClipping(painter, QRectF(4, y + line + 1, width() - 8, line), m_model.axisTitle());
}

// The row under the axis: pixels at the lowest value, what the axis is, pixels at the highest.
void HistogramView::drawClipping(QPainter& painter, const QRectF& row, const QString& title) const {
    const ThemeColors& colors = Theme::instance().colors();
    const QFontMetricsF metrics(painter.font());
    const HistogramSide side = m_model.mainSide();
    std::optional<Clipping> worst;
    QString lowChannel, highChannel;
    for (const HistogramChannel channel : kAllHistogramChannels) {
        if (!m_options.channels.has(channel)) continue;
        const auto clipping = m_model.clipping(side, channel);
        if (!clipping) continue;
        if (!worst || clipping->low > worst->low) lowChannel = channelLetter(channel);
        if (!worst || clipping->high > worst->high) highChannel = channelLetter(channel);
        if (!worst) {
            worst = clipping;
        } else {
            worst->low = std::max(worst->low, clipping->low);
            worst->high = std::max(worst->high, clipping->high);
        }
    }
    double left = row.left(), right = row.right();
    if (worst) {
        const AxisWindow ends = m_model.clippedAt();
        const auto text = [&](double share, const QString& channel, double value) {
            const QString at = groupedNumber(std::uint64_t(std::max(0.0, value)));
            return share > 0 ? tr("%1 %2 at %3", "channel, per cent, value")
                                   .arg(channel, percentText(share), at)
                             : tr("none at %1").arg(at);
        };
        const QString low = text(worst->low, lowChannel, ends.low);
        const QString high = text(worst->high, highChannel, ends.high);
        const auto pen = [&](double share) {
            return share >= kClipWarning ? colors.warning : colors.weakText;
        };
        painter.setPen(pen(worst->low));
        painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter, low);
        painter.setPen(pen(worst->high));
        painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter, high);
        left += metrics.horizontalAdvance(low) + 8;
        right -= metrics.horizontalAdvance(high) + 8;
    }
    // Where both ends need the room, the caption below still says the depth.
    const double needed = metrics.horizontalAdvance(title);
    const double centre = std::clamp(m_plot.center().x(), left + needed / 2, right - needed / 2);
    if (right - left < needed) return;
    painter.setPen(colors.weakText);
    painter.drawText(QRectF(centre - needed / 2 - 1, row.top(), needed + 2, row.height()),
                     Qt::AlignCenter, title);
}

// A bin that is higher than the axis: a small arrow at the top says that it goes on.
void HistogramView::drawCutPeaks(QPainter& painter) const {
    if (m_options.scale == CountScale::Logarithmic) return;
    painter.setPen(Qt::NoPen);
    for (const HistogramChannel channel : kAllHistogramChannels) {
        if (!m_options.channels.has(channel)) continue;
        const auto& bins = m_model.counts(HistogramSide::Result, channel);
        for (const std::size_t bin : {std::size_t(0), bins.size() - 1}) {
            if (bins.empty() || m_model.isZoomed() || double(bins[bin]) <= m_limit) continue;
            const double x = std::clamp(pixelX((m_model.edge(HistogramSide::Result, int(bin)) +
                                                m_model.edge(HistogramSide::Result, int(bin) + 1)) /
                                               2),
                                        m_plot.left() + 3, m_plot.right() - 3);
            const double y = m_plot.top();
            painter.setBrush(Theme::instance().colors().warning);
            painter.drawPolygon(QPolygonF{{x - 4, y + 5}, {x + 4, y + 5}, {x, y - 1}});
        }
    }
}

void HistogramView::drawMarks(QPainter& painter) const {
    const Theme& theme = Theme::instance();
    // Luminance last, so that it lies on top where a grey pixel has all four in one place.
    for (const HistogramChannel channel : {HistogramChannel::Blue, HistogramChannel::Green,
                                           HistogramChannel::Red, HistogramChannel::Luma}) {
        const auto position = markPosition(channel);
        if (!position || !m_options.channels.has(channel)) continue;
        const double x = pixelX(*position);
        QColor color = theme.channelColor(channel);
        QColor hair = color;
        hair.setAlphaF(0.55f);
        painter.setPen(QPen(hair, 1));
        painter.drawLine(upright(x));
        painter.setPen(QPen(theme.colors().base, 1));
        painter.setBrush(color);
        const double y = m_plot.bottom();
        painter.drawPolygon(QPolygonF{{x, y - 2}, {x - 5, y + 7}, {x + 5, y + 7}});
    }
}

QStringList HistogramView::readoutLines() const {
    QStringList lines;
    if (!m_hover) return lines;
    const auto at = m_selection ? *m_selection : std::pair(*m_hover, *m_hover);
    const bool hasResult = m_model.onAxis(HistogramSide::Result);
    const bool hasSource =
        m_model.onAxis(HistogramSide::Source) && (m_options.source || !hasResult);
    const HistogramSide main = m_model.mainSide();
    QStringList head;
    for (const HistogramChannel channel : kAllHistogramChannels) {
        if (!m_options.channels.has(channel)) continue;
        const bool inMain = m_model.has(main, channel);
        const bool inSource = hasSource && hasResult && m_model.has(HistogramSide::Source, channel);
        if (!inMain && !inSource) continue;
        const BinReadout r = m_model.rangeReadout(main, channel, at.first, at.second);
        const BinReadout s =
            m_model.rangeReadout(HistogramSide::Source, channel, at.first, at.second);
        QStringList cells{channelLetter(channel)};
        if (inMain)
            cells << groupedNumber(r.count) << percentText(r.percent)
                  << percentileText(r.percentile);
        else
            cells << QString() << QString() << QString();
        if (hasSource && hasResult) cells << (inSource ? groupedNumber(s.count) : QString());
        if (head.isEmpty()) {
            const BinReadout& named = inMain ? r : s;
            head << m_model.valueText(named.lowValue, named.highValue, named.side) << tr("pixels")
                 << tr("share") << tr("percentile");
            if (hasSource && hasResult) head << tr("source");
            lines << head.join(QLatin1Char('\t'));
        }
        lines << cells.join(QLatin1Char('\t'));
    }
    return lines;
}

void HistogramView::drawLevels(QPainter& painter) const {
    if (!m_levels) return;
    const ThemeColors& colors = Theme::instance().colors();
    for (const bool white : {false, true}) {
        const QRectF grip = gripRect(white);
        if (grip.isEmpty()) return;
        const double at = pixelX(white ? m_levels->high : m_levels->low);
        const bool beside = at < m_plot.left() - 1 || at > m_plot.right() + 1;
        QColor line = colors.text;
        line.setAlphaF(beside ? 0.0f : 0.5f);
        painter.setPen(QPen(line, 1));
        painter.drawLine(upright(grip.center().x()));
        painter.setPen(QPen(beside ? colors.disabledText : colors.text, 1));
        painter.setBrush(white ? Qt::white : Qt::black);
        painter.drawPolygon(QPolygonF{grip.topLeft(),
                                      grip.topRight(),
                                      {grip.right(), grip.center().y()},
                                      {grip.center().x(), grip.bottom()},
                                      {grip.left(), grip.center().y()}});
    }
}

void HistogramView::drawHover(QPainter& painter) const {
    const double x = pixelX(*m_hover);
    painter.setPen(QPen(Theme::instance().colors().text, 1, Qt::DotLine));
    painter.drawLine(upright(x));
}

QPolygonF HistogramView::mappingLine(const MappingCurve& curve) const {
    const HistogramAxis& axis = m_model.axis();
    QPolygonF line;
    if (!m_model.hasFullScale() || (!axis.integers && !curve.onFloat)) return line;
    // The axis is in samples of the result; later steps may have changed the depth.
    const double full = m_model.fullValue();
    for (const QPointF& point : curve.points)
        line << QPointF(pixelX(point.x() * full), m_plot.bottom() - point.y() * m_plot.height());
    return line;
}

void HistogramView::drawMapping(QPainter& painter) const {
    if (m_mapping.curves.empty()) return;
    const Theme& theme = Theme::instance();
    const ThemeColors& colors = theme.colors();
    painter.save();
    painter.setClipRect(m_plot.adjusted(-1, -1, 1, 1));
    painter.setBrush(Qt::NoBrush);
    for (const MappingCurve& curve : m_mapping.curves) {
        const QPolygonF line = mappingLine(curve);
        // Dark around light, as it crosses bars of every colour.
        painter.setPen(QPen(colors.base, 3.5));
        painter.drawPolyline(line);
        painter.setPen(
            QPen(m_mapping.curves.size() == 1 ? colors.text : theme.channelColor(curve.channel),
                 1.5, Qt::DashLine));
        painter.drawPolyline(line);
    }
    painter.restore();
    if (!m_stepMarks.titles.isEmpty()) return;
    const QString text =
        m_mapping.reduced ? tr("- - tone curve (from a reduced copy)") : tr("- - tone curve");
    const double room = titleRoom();
    if (QFontMetricsF(painter.font()).horizontalAdvance(text) > room) return;
    drawTitle(painter, text);
}

double HistogramView::titleRoom() const {
    const QFontMetricsF metrics(Theme::instance().figureFont());
    const double right =
        m_options.cumulative ? metrics.horizontalAdvance(tr("cumulative")) + 12 : 4;
    return width() - right - metrics.horizontalAdvance(tr("pixels per bin, log")) - 12;
}

void HistogramView::drawTitle(QPainter& painter, const QString& text) const {
    const QFontMetricsF metrics(painter.font());
    const double right =
        m_options.cumulative ? metrics.horizontalAdvance(tr("cumulative")) + 12 : 4;
    painter.setPen(Theme::instance().colors().weakText);
    painter.drawText(QRectF(0, 1, width() - right, metrics.height()),
                     Qt::AlignRight | Qt::AlignVCenter, text);
}

QString HistogramView::stepTitle() const {
    const QFontMetricsF metrics(Theme::instance().figureFont());
    for (const QString& title : m_stepMarks.titles)
        if (metrics.horizontalAdvance(title) <= titleRoom()) return title;
    return {};
}

void HistogramView::drawStepInput(QPainter& painter) const {
    if (m_stepMarks.input.empty()) return;
    const QColor line = Theme::instance().colors().weakText;
    QColor shade = line;
    shade.setAlphaF(0.15f);
    const double left = pixelX(m_stepMarks.inputRange.low);
    const double width =
        (pixelX(m_stepMarks.inputRange.high) - left) / double(m_stepMarks.input.size());
    QPolygonF stairs{{left, m_plot.bottom()}};
    for (const double share : m_stepMarks.input) {
        const double y = m_plot.bottom() - share * m_plot.height();
        const double x = stairs.back().x();
        stairs << QPointF(x, y) << QPointF(x + width, y);
    }
    stairs << QPointF(stairs.back().x(), m_plot.bottom());
    painter.save();
    painter.setClipRect(m_plot.adjusted(-1, -1, 1, 1));
    painter.setPen(QPen(line, 2));
    painter.setBrush(shade);
    painter.drawPolygon(stairs);
    painter.restore();
}

// Of the step: whole lines, where black and white of the view have faint ones.
void HistogramView::drawStepMarks(QPainter& painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    for (const double line : m_stepMarks.lines) {
        const double x = pixelX(line);
        if (x < m_plot.left() - 1 || x > m_plot.right() + 1) continue;
        painter.setPen(QPen(colors.base, 3.5));
        painter.drawLine(upright(x));
        painter.setPen(QPen(colors.text, 1.5));
        painter.drawLine(upright(x));
    }
    if (const QString title = stepTitle(); !title.isEmpty()) drawTitle(painter, title);
}

void HistogramView::paintTo(QPainter& painter, const QSize& size, const QString& caption) {
    const ThemeColors& colors = Theme::instance().colors();
    QFont font = Theme::instance().figureFont();
    const int captionHeight = QFontMetrics(font).height() + 12;
    const QSize chartSize(size.width(), size.height() - captionHeight);
    resize(chartSize);
    chart()->resize(chartSize);
    chart()->setGeometry(QRectF(QPointF(0, 0), chartSize));
    scene()->setSceneRect(QRectF(QPointF(0, 0), chartSize));
    layoutPlot(chartSize);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(QRect(QPoint(0, 0), size), colors.base);
    scene()->render(&painter, QRectF(QPointF(0, 0), chartSize), QRectF(QPointF(0, 0), chartSize));
    paintOverlay(painter);
    painter.setFont(font);
    painter.setPen(colors.weakText);
    painter.drawText(QRectF(8, chartSize.height(), size.width() - 16, captionHeight - 4),
                     Qt::AlignLeft | Qt::AlignVCenter, caption);
}

}  // namespace warpscope::gui
