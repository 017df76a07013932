#include "gui/canvas/profile_chart.h"

#include <QChart>
#include <QClipboard>
#include <QEvent>
#include <QFileDialog>
#include <QGraphicsLayout>
#include <QGraphicsScene>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QLineSeries>
#include <QMouseEvent>
#include <QPainter>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "engine/io/image_writer.h"
#include "gui/widgets/axis_range.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

constexpr double kPad = 8;
constexpr double kRangeMargin = 0.02;  // so that a line at the edge is seen whole

QString figure(double v) {
    // Samples of 16 bits have five digits, and an exponent is harder to read than a fifth.
    const bool long16 = std::abs(v) >= 1e4 && std::abs(v) < 1e6;
    return long16 ? QString::number(v, 'f', 0) : QString::number(v, 'g', 4);
}

QString tickLabel(double v) {
    return QString::asprintf("%.6g", v);
}

// Of points from end to end the one nearest to a part of the length.
std::optional<double> valueAt(const std::vector<double>& values, double part) {
    if (values.empty()) return {};
    return values[std::size_t(std::lround(part * double(values.size() - 1)))];
}

// Values from end to end of `length`, in pieces between those that are no finite numbers. Of more
// values than so many columns can show, the lowest and the highest of each column.
std::vector<QList<QPointF>> pieces(const std::vector<double>& values, double scale, double length,
                                   std::size_t columns) {
    std::vector<QList<QPointF>> all;
    if (values.size() < 2) return all;
    const double apart = length / double(values.size() - 1);
    const auto point = [&](std::size_t i) { return QPointF(double(i) * apart, values[i] * scale); };
    const std::size_t n = values.size();
    const std::size_t step = std::max<std::size_t>(1, n / std::max<std::size_t>(1, columns) / 2);
    for (std::size_t from = 0; from < n;) {
        if (!std::isfinite(values[from])) {
            ++from;
            continue;
        }
        std::size_t to = from;
        while (to < n && std::isfinite(values[to])) ++to;
        QList<QPointF> piece;
        for (std::size_t at = from; at < to; at += 2 * step) {
            const auto begin = values.begin() + std::ptrdiff_t(at);
            const auto end = values.begin() + std::ptrdiff_t(std::min(to, at + 2 * step));
            const auto [low, high] = std::minmax_element(begin, end);
            const auto one = std::size_t(std::min(low, high) - values.begin());
            // Of equal ones the first and the last.
            const auto other = std::size_t(std::max(low, high) - values.begin());
            piece << point(one);
            if (other != one) piece << point(other);
        }
        all.push_back(std::move(piece));
        from = to;
    }
    return all;
}

}  // namespace

ProfileChart::ProfileChart(QWidget* parent) : QChartView(parent) {
    setObjectName(QStringLiteral("profileChart"));
    QChart* chart = this->chart();
    chart->legend()->hide();
    chart->setAnimationOptions(QChart::NoAnimation);
    chart->layout()->setContentsMargins(0, 0, 0, 0);
    chart->setMargins(QMargins());
    chart->setBackgroundVisible(false);
    m_across = new QValueAxis;
    m_up = new QValueAxis;
    chart->addAxis(m_across, Qt::AlignBottom);
    chart->addAxis(m_up, Qt::AlignLeft);
    for (QValueAxis* axis : {m_across, m_up}) axis->setLabelFormat(QStringLiteral("%.6g"));
    setRenderHint(QPainter::Antialiasing);
    setFrameShape(QFrame::NoFrame);
    // The picture shines through a little.
    viewport()->setAutoFillBackground(false);
    setMouseTracking(true);
    viewport()->setMouseTracking(true);
    setFocusPolicy(Qt::TabFocus);
    const auto button = [this] {
        auto* made = new QToolButton(this);
        made->setAutoRaise(true);
        // A click leaves the keys with the picture.
        made->setFocusPolicy(Qt::TabFocus);
        return made;
    };
    for (auto& toggle : m_switches) {
        toggle = button();
        toggle->setCheckable(true);
    }
    m_switches[0]->setChecked(true);
    m_copy = button();
    m_save = button();
    for (QToolButton* toggle : m_switches)
        connect(toggle, &QToolButton::toggled, this, &ProfileChart::refresh);
    connect(m_copy, &QToolButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(csv()); });
    connect(m_save, &QToolButton::clicked, this, &ProfileChart::askForFile);
    connect(&Theme::instance(), &Theme::changed, this, &ProfileChart::applyTheme);
    retranslate();
    applyTheme();
    hide();
}

void ProfileChart::retranslate() {
    setAccessibleName(tr("Profile along the line"));
    setAccessibleDescription(
        tr("Left and Right read out one point after the other, with Shift ten"));
    m_across->setTitleText(tr("distance in pixels"));
    m_up->setTitleText(valueTitle());
    const QString letters[] = {tr("L"), tr("R"), tr("G"), tr("B")};
    const QString names[] = {tr("Luminance"), tr("Red"), tr("Green"), tr("Blue")};
    for (std::size_t i = 0; i < kCurves; ++i) {
        m_switches[i]->setText(letters[i]);
        m_switches[i]->setAccessibleName(names[i]);
        m_switches[i]->setToolTip(names[i]);
    }
    m_copy->setText(tr("Copy"));
    m_copy->setToolTip(tr("Copies the values along the line as CSV"));
    m_save->setText(tr("CSV …"));
    m_save->setToolTip(tr("Saves the values along the line"));
    m_save->setAccessibleName(tr("Save the values along the line"));
    updateButtons();
    redraw();
}

void ProfileChart::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange && m_save) retranslate();
    QChartView::changeEvent(event);
}

void ProfileChart::applyTheme() {
    const ThemeColors& colors = Theme::instance().colors();
    const QFont font = Theme::instance().figureFont();
    for (QValueAxis* axis : {m_across, m_up}) {
        axis->setGridLinePen(QPen(colors.chartGrid, 1));
        axis->setLinePen(QPen(colors.border, 1));
        axis->setLabelsColor(colors.weakText);
        axis->setLabelsFont(font);
        axis->setTitleBrush(colors.weakText);
        axis->setTitleFont(font);
    }
    for (const bool second : {false, true})
        for (int i = 0; i < kCurves; ++i)
            for (QLineSeries* one : m_series[second][std::size_t(i)]) one->setPen(penOf(second, i));
    placePlot();
    redraw();
}

bool ProfileChart::isShown(int curve) const {
    return hasColors() ? m_switches[std::size_t(curve)]->isChecked() : curve == 0;
}

QColor ProfileChart::colorOf(int curve) const {
    const ThemeColors& colors = Theme::instance().colors();
    const QColor all[] = {colors.text, colors.red, colors.green, colors.blue};
    return all[curve];
}

QPen ProfileChart::penOf(bool second, int curve) const {
    if (second) return QPen(colorOf(curve), 1.5);
    return QPen(curve == 0 ? Theme::instance().colors().weakText : colorOf(curve), 1, Qt::DashLine);
}

// In the corner above; gray images have nothing to choose from.
void ProfileChart::updateButtons() {
    int right = width() - 4;
    const auto place = [&](QToolButton* button, bool shown) {
        button->setVisible(shown);
        if (!shown) return;
        const QSize size = button->sizeHint();
        right -= size.width();
        button->setGeometry(right, 3, size.width(), size.height());
    };
    place(m_save, true);
    place(m_copy, true);
    for (std::size_t i = kCurves; i-- > 0;) place(m_switches[i], hasColors());
}

void ProfileChart::resizeEvent(QResizeEvent* event) {
    QChartView::resizeEvent(event);
    updateButtons();
    refresh();
}

void ProfileChart::setProfiles(const LineProfile& first, const QString& firstLabel,
                               double firstScale, const LineProfile& second,
                               const QString& secondLabel) {
    const bool colored = hasColors();
    m_first = first;
    m_second = second;
    m_firstLabel = firstLabel;
    m_secondLabel = secondLabel;
    m_firstScale = firstScale;
    if (colored != hasColors()) {
        m_up->setTitleText(valueTitle());
        updateButtons();
    }
    refresh();
}

void ProfileChart::refresh() {
    updateRange();
    placePlot();
    for (const bool second : {false, true})
        for (int i = 0; i < kCurves; ++i) fill(second, i);
    redraw();
}

void ProfileChart::fill(bool second, int curve) {
    const auto columns = std::size_t(std::max(1.0, m_plot.width() * devicePixelRatioF()));
    std::vector<QList<QPointF>> shown;
    if (isShown(curve))
        shown = pieces((second ? m_second : m_first).curve(curve), second ? 1.0 : m_firstScale,
                       length(), columns);
    auto& series = m_series[second][std::size_t(curve)];
    while (series.size() < shown.size()) {
        auto* more = new QLineSeries;
        chart()->addSeries(more);
        more->attachAxis(m_across);
        more->attachAxis(m_up);
        more->setPen(penOf(second, curve));
        series.push_back(more);
    }
    for (std::size_t i = 0; i < series.size(); ++i) {
        const bool used = i < shown.size();
        if (used) series[i]->replace(shown[i]);
        if (series[i]->isVisible() != used) series[i]->setVisible(used);
    }
}

std::vector<const QLineSeries*> ProfileChart::series(bool second, int curve) const {
    std::vector<const QLineSeries*> shown;
    for (const QLineSeries* one : m_series[second][std::size_t(curve)])
        if (one->isVisible()) shown.push_back(one);
    return shown;
}

void ProfileChart::updateRange() {
    bool any = false;
    const auto widen = [&](const std::vector<double>& values, double scale) {
        for (const double v : values) {
            if (!std::isfinite(v)) continue;
            m_low = any ? std::min(m_low, v * scale) : v * scale;
            m_high = any ? std::max(m_high, v * scale) : v * scale;
            any = true;
        }
    };
    for (int i = 0; i < kCurves; ++i) {
        if (!isShown(i)) continue;
        widen(m_first.curve(i), m_firstScale);
        widen(m_second.curve(i), 1.0);
    }
    if (!any) m_low = m_high = 0;
    if (!(m_high > m_low)) {
        m_low -= 0.5;
        m_high += 0.5;
    }
    const double margin = kRangeMargin * (m_high - m_low);
    m_low -= margin;
    m_high += margin;
}

void ProfileChart::placePlot() {
    if (!m_save) return;
    const QFontMetricsF metrics(Theme::instance().figureFont());
    const double line = metrics.height();
    const double top = std::max(kPad + line, double(m_save->geometry().bottom())) + 4;
    const double bottom = height() - kPad - 2 * line - 10;
    const double step = niceStep((m_high - m_low) / std::max(1.0, (bottom - top) / (2.6 * line)));
    double widest = 0;
    for (double v = std::ceil(m_low / step) * step; v <= m_high; v += step)
        widest = std::max(widest, metrics.horizontalAdvance(tickLabel(v)));
    m_plot = QRectF(QPointF(kPad + line + widest + 14, top), QPointF(width() - 2 * kPad, bottom));
    if (m_plot.width() < 10 || m_plot.height() < 10) return;
    setRangeAndStep(*m_up, m_low, m_high, 0, step);
    const double across = length() > 0 ? length() : 1;
    setRangeAndStep(*m_across, 0, across, 0, niceStep(across / std::max(2.0, m_plot.width() / 80)));
    chart()->setPlotArea(m_plot);
    chart()->layout()->invalidate();
    chart()->layout()->activate();
}

// --- reading out ---

// At a point that has a value, so that value and pixel belong together.
void ProfileChart::hoverAt(double part) {
    const auto& owner = m_first.values.empty() ? m_second.values : m_first.values;
    const double last = double(std::max<std::size_t>(owner.size(), 2) - 1);
    m_hover = std::clamp(std::round(part * last) / last, 0.0, 1.0);
    viewport()->update();
    emit hovered(m_line.pointAt(*m_hover));
}

void ProfileChart::endHover() {
    if (!m_hover) return;
    m_hover.reset();
    viewport()->update();
    emit hoverEnded();
}

void ProfileChart::mouseMoveEvent(QMouseEvent* event) {
    // The picture under it is being moved.
    if (event->buttons() != Qt::NoButton) return event->ignore();
    const double part = (event->position().x() - m_plot.left()) / m_plot.width();
    if (part >= 0 && part <= 1)
        hoverAt(part);
    else
        endHover();
}

void ProfileChart::mousePressEvent(QMouseEvent* event) {
    event->ignore();
}

void ProfileChart::mouseReleaseEvent(QMouseEvent* event) {
    event->ignore();
}

void ProfileChart::mouseDoubleClickEvent(QMouseEvent* event) {
    event->ignore();
}

void ProfileChart::wheelEvent(QWheelEvent* event) {
    event->ignore();
}

// The frame around the viewport swallows the wheel without a word.
bool ProfileChart::event(QEvent* event) {
    if (event->type() != QEvent::Wheel) return QChartView::event(event);
    event->ignore();
    return false;
}

void ProfileChart::contextMenuEvent(QContextMenuEvent* event) {
    event->ignore();
}

void ProfileChart::leaveEvent(QEvent*) {
    endHover();
}

void ProfileChart::focusOutEvent(QFocusEvent* event) {
    QChartView::focusOutEvent(event);
    endHover();
}

void ProfileChart::keyPressEvent(QKeyEvent* event) {
    const bool left = event->key() == Qt::Key_Left;
    if (!left && event->key() != Qt::Key_Right) return event->ignore();
    const auto& owner = m_first.values.empty() ? m_second.values : m_first.values;
    const double by = (left ? -1 : 1) * (event->modifiers() & Qt::ShiftModifier ? 10.0 : 1.0);
    hoverAt(m_hover ? *m_hover + by / double(std::max<std::size_t>(owner.size(), 2) - 1) : 0.5);
}

QString ProfileChart::readout() const {
    if (!m_hover) return tr("distance in pixels");
    const QPointF at = m_line.pointAt(*m_hover);
    QStringList parts{tr("%1 px (%2, %3)")
                          .arg(figure(*m_hover * length()))
                          .arg(int(std::floor(at.x())))
                          .arg(int(std::floor(at.y())))};
    const auto text = [](const std::optional<double>& value) {
        return value ? QString::number(*value, 'g', 5) : QStringLiteral("–");
    };
    for (int i = 0; i < kCurves; ++i) {
        if (!isShown(i)) continue;
        const auto first = valueAt(m_first.curve(i), *m_hover);
        const auto second = valueAt(m_second.curve(i), *m_hover);
        QString values = text(first);
        if (!m_second.values.empty()) values += QStringLiteral(" → ") + text(second);
        parts << QStringLiteral("%1 %2").arg(m_switches[std::size_t(i)]->text(), values);
    }
    return parts.join(QStringLiteral("   "));
}

QString ProfileChart::valueTitle() const {
    return hasColors() ? tr("sample value") : tr("luminance");
}

// --- files ---

Result<void> ProfileChart::save(const QString& path) const {
    const QByteArray bytes = csv().toUtf8();
    const std::span text(reinterpret_cast<const std::uint8_t*>(bytes.constData()),
                         std::size_t(bytes.size()));
    return writeFileAtomically(std::filesystem::path(path.toStdU16String()), text);
}

void ProfileChart::askForFile() {
    const QString path =
        QFileDialog::getSaveFileName(window(), tr("Save profile"), QStringLiteral("profile.csv"),
                                     tr("Comma-separated values (*.csv)"));
    if (path.isEmpty()) return;
    if (const auto saved = save(path); !saved)
        emit saveFailed(
            tr("Could not save the profile. %1").arg(engineText(saved.error().message)));
}

// --- painting ---

void ProfileChart::redraw() {
    m_cache = QPixmap();
    viewport()->update();
}

void ProfileChart::paintEvent(QPaintEvent*) {
    const QSize pixels = viewport()->size() * devicePixelRatioF();
    if (m_cache.size() != pixels) {
        m_cache = QPixmap(pixels);
        m_cache.setDevicePixelRatio(devicePixelRatioF());
        m_cache.fill(Qt::transparent);
        QPainter painter(&m_cache);
        painter.setRenderHints(renderHints());
        drawFrame(painter);
        painter.setBrush(Qt::NoBrush);  // or lines are filled with it
        const QRectF area(viewport()->rect());
        scene()->render(&painter, area, area);
        drawLabels(painter);
    }
    QPainter painter(viewport());
    painter.setRenderHints(renderHints());
    painter.drawPixmap(0, 0, m_cache);
    if (m_hover) drawHover(painter);
}

void ProfileChart::drawFrame(QPainter& painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    QColor back = colors.window;
    back.setAlpha(235);
    painter.setPen(QPen(hasFocus() ? colors.accent : colors.border, 1));
    painter.setBrush(back);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
}

// Direct labels with a piece of their line.
void ProfileChart::drawLabels(QPainter& painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    painter.setFont(Theme::instance().figureFont());
    const QFontMetricsF metrics(painter.font());
    const double line = metrics.height();
    double x = kPad;
    const double room =
        (hasColors() ? m_switches[0] : m_copy)->geometry().left() / 2.0 - kPad - 20 - 8;
    const auto label = [&](const QString& whole, const QPen& pen) {
        const QString text = metrics.elidedText(whole, Qt::ElideMiddle, std::max(room, 20.0));
        painter.setPen(pen);
        painter.drawLine(QPointF(x, kPad + line / 2), QPointF(x + 16, kPad + line / 2));
        painter.setPen(colors.text);
        painter.drawText(QRectF(x + 20, kPad, width() - x, line), Qt::AlignLeft, text);
        x += 20 + metrics.horizontalAdvance(text) + 8;
    };
    if (!m_first.values.empty()) label(m_firstLabel, penOf(false, 0));
    if (!m_second.values.empty()) label(m_secondLabel, penOf(true, 0));
}

// In the place of the axis title, so that hovering lays out nothing.
void ProfileChart::drawHover(QPainter& painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    painter.setFont(Theme::instance().figureFont());
    const QFontMetricsF metrics(painter.font());
    const double line = metrics.height();
    const QRectF row(2, height() - line - 7, width() - 4, line + 5);
    painter.fillRect(row, colors.window);
    painter.setPen(colors.text);
    painter.drawText(row, Qt::AlignCenter,
                     metrics.elidedText(readout(), Qt::ElideRight, row.width() - kPad));
    const double x = m_plot.left() + *m_hover * m_plot.width();
    painter.setPen(QPen(colors.accent, 1));
    painter.drawLine(QPointF(x, m_plot.top()), QPointF(x, m_plot.bottom()));
}

}  // namespace warpscope::gui
