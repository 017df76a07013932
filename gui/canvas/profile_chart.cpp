#include "gui/canvas/profile_chart.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

constexpr double kPad = 8;

QString figure(double v) {
    return QString::number(v, 'g', 4);
}

}  // namespace

LineProfile profileAlong(const Image& image, const QLineF& line, int most, bool onlyInside) {
    LineProfile profile;
    profile.length = line.length();
    if (image.isNull()) return profile;
    const int count = std::clamp(int(std::lround(profile.length)) + 1, 2, std::max(2, most));
    profile.values.reserve(std::size_t(count));
    visitSampleType(image.format(), [&]<class T>() {
        const auto view = image.view<T>();
        for (int i = 0; i < count; ++i) {
            const QPointF at = line.pointAt(i / double(count - 1));
            if (onlyInside && !QRectF(0, 0, view.width, view.height).contains(at)) {
                profile.values.push_back(std::nan(""));
                continue;
            }
            const int x = std::clamp(int(std::floor(at.x())), 0, view.width - 1);
            const int y = std::clamp(int(std::floor(at.y())), 0, view.height - 1);
            const T* p = view.row(y) + std::ptrdiff_t(x) * view.channels;
            profile.values.push_back(view.channels == 1
                                         ? double(p[0])
                                         : 0.299 * double(p[0]) + 0.587 * double(p[1]) +
                                               0.114 * double(p[2]));
        }
    });
    return profile;
}

ProfileChart::ProfileChart(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("profileChart"));
    setAccessibleName(tr("Profile along the line"));
    setAttribute(Qt::WA_TransparentForMouseEvents);  // the picture under it stays in reach
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
    hide();
}

void ProfileChart::setProfiles(const LineProfile& first, const QString& firstLabel,
                               double firstScale, const LineProfile& second,
                               const QString& secondLabel) {
    m_first = first;
    m_second = second;
    m_firstLabel = firstLabel;
    m_secondLabel = secondLabel;
    m_firstScale = firstScale;
    bool any = false;
    const auto widen = [&](const LineProfile& profile, double scale) {
        for (const double v : profile.values) {
            if (!std::isfinite(v)) continue;
            m_low = any ? std::min(m_low, v * scale) : v * scale;
            m_high = any ? std::max(m_high, v * scale) : v * scale;
            any = true;
        }
    };
    widen(first, firstScale);
    widen(second, 1.0);
    if (!any) m_low = m_high = 0;
    if (!(m_high > m_low)) {
        m_low -= 0.5;
        m_high += 0.5;
    }
    update();
}

QPolygonF ProfileChart::curve(const LineProfile& profile, double scale, std::size_t from,
                              std::size_t to) const {
    QPolygonF points;
    const double across = m_plot.width() / double(profile.values.size() - 1);
    for (std::size_t i = from; i < to; ++i)
        points << QPointF(m_plot.left() + double(i) * across,
                          m_plot.bottom() - (profile.values[i] * scale - m_low) / (m_high - m_low) *
                                                m_plot.height());
    return points;
}

// Samples that are no finite numbers leave gaps.
void ProfileChart::drawProfile(QPainter& painter, const LineProfile& profile, double scale) const {
    const auto& values = profile.values;
    if (values.size() < 2) return;
    std::size_t from = 0;
    for (std::size_t i = 0; i <= values.size(); ++i) {
        if (i < values.size() && std::isfinite(values[i])) continue;
        if (i > from) painter.drawPolyline(curve(profile, scale, from, i));
        from = i + 1;
    }
}

void ProfileChart::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor back = colors.window;
    back.setAlpha(235);
    painter.setPen(QPen(colors.border, 1));
    painter.setBrush(back);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);

    painter.setFont(Theme::instance().figureFont());
    const QFontMetricsF metrics(painter.font());
    const double line = metrics.height();
    const double left = kPad + 4 +
                        std::max(metrics.horizontalAdvance(figure(m_low)),
                                 metrics.horizontalAdvance(figure(m_high)));
    m_plot =
        QRectF(QPointF(left, kPad + line + 4), QPointF(width() - kPad, height() - kPad - line - 2));
    painter.setPen(QPen(colors.chartGrid, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(m_plot);
    painter.setPen(colors.weakText);
    const auto value = [&](double v, double y) {
        painter.drawText(QRectF(0, y - line / 2, left - 4, line), Qt::AlignRight | Qt::AlignVCenter,
                         figure(v));
    };
    value(m_high, m_plot.top() + line / 4);
    value(m_low, m_plot.bottom() - line / 4);
    const QRectF under(m_plot.left(), m_plot.bottom() + 2, m_plot.width(), line);
    painter.drawText(under, Qt::AlignLeft, QStringLiteral("0"));
    painter.drawText(under, Qt::AlignHCenter, tr("luminance along the line"));
    const double length = std::max(m_first.length, m_second.length);
    painter.drawText(under, Qt::AlignRight, tr("%1 px").arg(figure(length)));

    // Direct labels with a piece of their line.
    double x = kPad;
    const auto label = [&](const QString& text, const QPen& pen) {
        painter.setPen(pen);
        painter.drawLine(QPointF(x, kPad + line / 2), QPointF(x + 16, kPad + line / 2));
        painter.setPen(colors.text);
        painter.drawText(QRectF(x + 20, kPad, width() - x, line), Qt::AlignLeft, text);
        x += 20 + metrics.horizontalAdvance(text) + 16;
    };
    const QPen weak(colors.weakText, 1, Qt::DashLine);
    const QPen strong(colors.text, 1.5);
    if (!m_first.values.empty()) label(m_firstLabel, weak);
    if (!m_second.values.empty()) label(m_secondLabel, strong);
    painter.setClipRect(m_plot.adjusted(-1, -1, 1, 1));
    painter.setPen(weak);
    drawProfile(painter, m_first, m_firstScale);
    painter.setPen(strong);
    drawProfile(painter, m_second, 1.0);
}

}  // namespace warpscope::gui
