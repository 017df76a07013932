#include "gui/histogram/readout_window.h"

#include <QCoreApplication>
#include <QPainter>
#include <QScreen>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "gui/histogram/histogram_view.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

constexpr int kPad = 6;
constexpr int kColumnGap = 10;
constexpr int kAway = 4;  // from the chart

QColor inkOf(const QString& firstCell, const QColor& other) {
    for (const HistogramChannel channel : kAllHistogramChannels)
        if (firstCell == HistogramView::channelLetter(channel))
            return Theme::instance().channelColor(channel);
    return other;
}

}  // namespace

ReadoutWindow::ReadoutWindow(QWidget* parent)
    : QWidget(parent, Qt::ToolTip | Qt::FramelessWindowHint | Qt::WindowTransparentForInput) {
    setObjectName(QStringLiteral("histogramReadout"));
    setAttribute(Qt::WA_ShowWithoutActivating);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
}

QRect ReadoutWindow::placeBeside(const QSize& size, const QRect& area, const QRect& screen) {
    const QPoint middle = area.center() - QPoint(size.width() / 2, size.height() / 2);
    const QPoint places[] = {{area.left() - kAway - size.width(), area.top()},
                             {area.right() + 1 + kAway, area.top()},
                             {middle.x(), area.bottom() + 1 + kAway},
                             {middle.x(), area.top() - kAway - size.height()}};
    const auto onScreen = [&](const QPoint& at) {
        QRect rect(at, size);
        rect.moveLeft(std::clamp(rect.left(), screen.left(),
                                 std::max(screen.left(), screen.right() + 1 - size.width())));
        rect.moveTop(std::clamp(rect.top(), screen.top(),
                                std::max(screen.top(), screen.bottom() + 1 - size.height())));
        return rect;
    };
    for (const QPoint& place : places)
        if (const QRect rect = onScreen(place); !rect.intersects(area)) return rect;
    return onScreen(places[0]);
}

void ReadoutWindow::showLines(const QStringList& lines, const QRect& besideGlobal) {
    m_lines = lines;
    const QScreen* at = parentWidget() ? parentWidget()->screen() : screen();
    if (lines.isEmpty() || !at) {
        hide();
        return;
    }
    setGeometry(placeBeside(sizeHint(), besideGlobal, at->availableGeometry()));
    if (!isVisible()) show();
    update();
}

std::vector<double> ReadoutWindow::columnWidths() const {
    const QFontMetricsF metrics(Theme::instance().figureFont());
    std::vector<double> widths;
    for (const QString& line : m_lines) {
        const QStringList cells = line.split(QLatin1Char('\t'));
        widths.resize(std::max(widths.size(), std::size_t(cells.size())), 0.0);
        for (int c = 0; c < cells.size(); ++c)
            widths[std::size_t(c)] =
                std::max(widths[std::size_t(c)], metrics.horizontalAdvance(cells[c]));
    }
    return widths;
}

QSize ReadoutWindow::sizeHint() const {
    const std::vector<double> widths = columnWidths();
    const QFontMetricsF metrics(Theme::instance().figureFont());
    const double width = std::accumulate(widths.begin(), widths.end(), 2.0 * kPad + 2) +
                         kColumnGap * std::max(0, int(widths.size()) - 1);
    return {int(std::ceil(width)),
            int(std::ceil(metrics.height() * double(m_lines.size()))) + 2 * kPad};
}

void ReadoutWindow::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.setPen(QPen(colors.border, 1));
    painter.setBrush(colors.raised);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
    painter.setFont(Theme::instance().figureFont());
    const double line = QFontMetricsF(painter.font()).height();
    const std::vector<double> widths = columnWidths();
    for (int row = 0; row < m_lines.size(); ++row) {
        const QStringList cells = m_lines[row].split(QLatin1Char('\t'));
        double left = kPad;
        for (int c = 0; c < cells.size(); ++c) {
            const double width = widths[std::size_t(c)];
            painter.setPen(row == 0 && c > 0   ? colors.weakText
                           : row > 0 && c == 0 ? inkOf(cells[0], colors.text)
                                               : colors.text);
            painter.drawText(QRectF(left, kPad + line * row, width + 1, line),
                             (c == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter,
                             cells[c]);
            left += width + kColumnGap;
        }
    }
}

}  // namespace warpscope::gui
