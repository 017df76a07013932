#include "gui/scopes/scope_view.h"

#include <QChart>
#include <QGraphicsLayout>
#include <QGraphicsScene>
#include <QKeyEvent>
#include <QLineSeries>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "gui/widgets/axis_range.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

// A little more than chroma can reach.
constexpr double kChromaEnd = 0.51;
constexpr double kTargetShare = 0.75;
// From so many lines of text on there is room for titles of the axes.
constexpr double kLinesForTitles = 9;
constexpr double kLettersForTitles = 24;
constexpr double kLinesOfATick = 1.7;
constexpr int kMostTicks = 6;
// Of the line of skin, whatever its tone, against the axis of Cb.
constexpr double kSkinDegrees = 123;

QColor colorOfChroma(double cb, double cr) {
    const double y = 0.6;
    const auto part = [](double v) { return float(std::clamp(v, 0.0, 1.0)); };
    return QColor::fromRgbF(part(y + 1.402 * cr), part(y - 0.344136 * cb - 0.714136 * cr),
                            part(y + 1.772 * cb));
}

double chromaOfCell(int cell) {
    return (cell - kNoChroma) / 255.0;
}

QString number(double v) {
    return QLocale().toString(v, 'g', 6);
}

}  // namespace

ScopeView::ScopeView(QWidget* parent) : QChartView(parent) {
    QChart* chart = this->chart();
    chart->legend()->hide();
    chart->setAnimationOptions(QChart::NoAnimation);
    chart->layout()->setContentsMargins(0, 0, 0, 0);
    chart->setBackgroundRoundness(0);
    chart->setBackgroundPen(Qt::NoPen);
    m_across = new QValueAxis;
    m_up = new QValueAxis;
    chart->addAxis(m_across, Qt::AlignBottom);
    chart->addAxis(m_up, Qt::AlignLeft);
    // Axes without a series have no place.
    auto* series = new QLineSeries;
    chart->addSeries(series);
    for (QValueAxis* axis : {m_across, m_up}) {
        series->attachAxis(axis);
        axis->setLabelFormat(QStringLiteral("%.6g"));
    }
    setFrameShape(QFrame::NoFrame);
    setMouseTracking(true);
    viewport()->setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::CrossCursor);
    setMinimumSize(160, 100);
    setAccessibleName(tr("Scope"));
    setAccessibleDescription(tr("Arrow keys read out one cell after the other, with Shift ten"));
    setViewportUpdateMode(QGraphicsView::FullViewportUpdate);
    connect(&Theme::instance(), &Theme::changed, this, &ScopeView::applyTheme);
    applyTheme();
}

void ScopeView::applyTheme() {
    const ThemeColors& colors = Theme::instance().colors();
    const QFont font = Theme::instance().figureFont();
    chart()->setBackgroundBrush(colors.base);
    setBackgroundBrush(colors.base);
    chart()->setMargins(QMargins());
    for (QValueAxis* axis : {m_across, m_up}) {
        axis->setGridLinePen(QPen(colors.chartGrid, 1));
        axis->setLinePen(QPen(colors.border, 1));
        axis->setLabelsColor(colors.weakText);
        axis->setLabelsFont(font);
        axis->setTitleBrush(colors.weakText);
        axis->setTitleFont(font);
    }
    updateDensity();
}

bool ScopeView::isChroma() const {
    return m_scope && m_scope->request.kind == ScopeKind::Vectorscope;
}

int ScopeView::allColumns() const {
    return m_scope ? m_scope->columns * int(m_scope->grids.size()) : 0;
}

double ScopeView::span() const {
    const ScopeRequest& request = m_scope->request;
    return request.high - request.low + (bytesPerSample(m_scope->format) < 4 ? 1 : 0);
}

void ScopeView::setScope(const ScopePtr& scope, bool labels) {
    m_scope = scope;
    m_labels = scope && labels;
    if (m_hover && (m_hover->x() >= allColumns() || m_hover->y() >= kScopeLevels)) m_hover.reset();
    updateAxes();
    updateDensity();
}

void ScopeView::setLook(const ScopeLook& look) {
    if (look == m_look) return;
    m_look = look;
    updateDensity();
}

void ScopeView::updateAxes() {
    if (!m_scope) return;
    const bool parts = m_scope->grids.size() > 1;
    m_across->setLabelsVisible(!parts);
    m_up->setLabelsVisible(true);
    if (isChroma()) {
        m_across->setTitleText(QStringLiteral("Cb"));
        m_up->setTitleText(QStringLiteral("Cr"));
        for (QValueAxis* axis : {m_across, m_up})
            setRangeAndStep(*axis, -kChromaEnd, kChromaEnd, 0, 0.25);
    } else {
        m_across->setTitleText(parts ? tr("columns of the image, three times")
                                     : tr("column of the image, pixels"));
        m_up->setTitleText(m_labels                             ? tr("number of the object")
                           : parts || !isColor(m_scope->format) ? tr("sample value")
                                                                : tr("luminance"));
        const double left = m_scope->part.x;
        const double width = m_scope->size.width;
        setRangeAndStep(*m_across, left, left + width * double(m_scope->grids.size()), left,
                        parts ? width : niceStep(std::max(1.0, width / 4)));
    }
    placePlot(size());
}

// The plot takes what labels and titles leave, a vectorscope the square in its middle. In a small
// dock titles would take a third: the line below says what the axes are.
void ScopeView::placePlot(const QSize& size) {
    const QFontMetrics metrics(Theme::instance().figureFont());
    const double line = metrics.height();
    const bool titles = size.height() >= kLinesForTitles * line &&
                        size.width() >= kLettersForTitles * metrics.averageCharWidth() * 1.5;
    const double title = titles ? line + 4 : 0;
    const double top = line + 6, bottom = line + 14 + title;
    const double high = size.height() - top - bottom;
    const bool upTitle = titles && metrics.horizontalAdvance(m_up->titleText()) <= high;
    m_across->setTitleVisible(titles);
    m_up->setTitleVisible(upTitle);
    if (m_scope && !isChroma()) {
        // Qt makes dots of labels that stand closer.
        const double ticks = std::clamp(high / (kLinesOfATick * line), 1.0, kMostTicks - 1.0);
        const double low = m_scope->request.low;
        setRangeAndStep(*m_up, low, low + span(), 0, niceStep(span() / ticks));
    }
    const double left = widestLabel(metrics) + 14 + (upTitle ? title : 0);
    QRectF area(left, top, size.width() - left - 18, high);
    if (isChroma()) {
        const double side = std::min(area.width(), area.height());
        area = QRectF(area.center().x() - side / 2, top, side, side);
        // Labels without room would be dots.
        for (QValueAxis* axis : {m_across, m_up})
            axis->setLabelsVisible(side > 5 * metrics.horizontalAdvance(QStringLiteral("-0.25 ")));
    }
    if (area.width() > 10 && area.height() > 10) chart()->setPlotArea(area);
    chart()->layout()->invalidate();
    chart()->layout()->activate();
    viewport()->update();
}

// Of the upright axis.
double ScopeView::widestLabel(const QFontMetrics& metrics) const {
    double widest = metrics.horizontalAdvance(QStringLiteral("-0.25"));
    const double step = m_up->tickInterval();
    if (!m_scope || isChroma() || !(step > 0)) return widest;
    const double first = std::ceil(m_up->min() / step) * step;
    for (int i = 0; i < kMostTicks && first + i * step <= m_up->max(); ++i)
        widest = std::max<double>(
            widest, metrics.horizontalAdvance(QString::asprintf("%.6g", first + i * step)));
    return widest;
}

void ScopeView::resizeEvent(QResizeEvent* event) {
    QChartView::resizeEvent(event);
    placePlot(event->size());
}

void ScopeView::updateDensity() {
    m_density = QImage();
    if (m_scope) {
        const Theme& theme = Theme::instance();
        const int columns = m_scope->columns;
        m_density = QImage(allColumns(), kScopeLevels, QImage::Format_ARGB32_Premultiplied);
        m_density.fill(Qt::transparent);
        for (std::size_t i = 0; i < m_scope->grids.size(); ++i) {
            const auto& grid = m_scope->grids[i];
            const double peak = double(*std::max_element(grid.begin(), grid.end()));
            const HistogramChannel channel =
                m_scope->grids.size() == 1 ? HistogramChannel::Luma : HistogramChannel(i + 1);
            const QColor color = theme.channelColor(channel);
            for (int level = 0; level < kScopeLevels; ++level) {
                auto* line = reinterpret_cast<QRgb*>(m_density.scanLine(kScopeLevels - 1 - level));
                for (int x = 0; x < columns; ++x) {
                    const double count = double(m_scope->at(i, x, level)) * m_look.gain;
                    if (count <= 0) continue;
                    const double share =
                        m_look.logarithmic ? std::log1p(count) / std::log1p(peak) : count / peak;
                    QColor cell =
                        isChroma() ? colorOfChroma(chromaOfCell(x), chromaOfCell(level)) : color;
                    cell.setAlphaF(float(std::min(1.0, share)));
                    line[int(i) * columns + x] = qPremultiply(cell.rgba());
                }
            }
        }
    }
    viewport()->update();
}

QRectF ScopeView::plot() const {
    return chart()->mapRectToScene(chart()->plotArea());
}

QPointF ScopeView::chromaPoint(double cb, double cr) const {
    const QRectF area = plot();
    return {area.left() + (cb + kChromaEnd) / (2 * kChromaEnd) * area.width(),
            area.bottom() - (cr + kChromaEnd) / (2 * kChromaEnd) * area.height()};
}

QRectF ScopeView::cells() const {
    if (!isChroma()) return plot();
    const double first = (-kNoChroma - 0.5) / 255;
    const double last = (kScopeLevels - kNoChroma - 0.5) / 255;
    return QRectF(chromaPoint(first, last), chromaPoint(last, first));
}

void ScopeView::drawForeground(QPainter* painter, const QRectF&) {
    paintOverlay(*painter);
}

void ScopeView::paintOverlay(QPainter& painter) const {
    const QRectF area = plot();
    if (!m_scope || area.width() < 10 || area.height() < 10) return;
    const ThemeColors& colors = Theme::instance().colors();
    painter.save();
    painter.setRenderHints(QPainter::Antialiasing | QPainter::SmoothPixmapTransform);
    painter.setFont(Theme::instance().figureFont());
    painter.drawImage(cells(), m_density);
    if (isChroma()) paintTargets(painter);
    const int parts = int(m_scope->grids.size());
    for (int i = 1; i < parts; ++i) {
        const double x = area.left() + area.width() * i / parts;
        painter.setPen(QPen(colors.border, 1));
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    }
    if (m_hover) {
        const QRectF all = cells();
        const double x = all.left() + (m_hover->x() + 0.5) * all.width() / allColumns();
        const double y = all.bottom() - (m_hover->y() + 0.5) * all.height() / kScopeLevels;
        QColor line = colors.text;
        line.setAlphaF(0.5f);
        painter.setPen(QPen(line, 1));
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        painter.setPen(colors.text);
        const QFontMetrics metrics(painter.font());
        const QRectF row(4, 2, chart()->size().width() - 8, metrics.height());
        painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(hoverText(), Qt::ElideRight, int(row.width())));
    }
    if (hasFocus()) {
        painter.setPen(QPen(colors.accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(QPointF(0, 0), chart()->size()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
    painter.restore();
}

// Where the bars of a colour test lie at 75%, and the line on which skin lies.
void ScopeView::paintTargets(QPainter& painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    painter.setBrush(Qt::NoBrush);
    const double turn = kSkinDegrees * std::numbers::pi / 180;
    painter.setPen(QPen(colors.weakText, 1, Qt::DashLine));
    painter.drawLine(chromaPoint(0, 0), chromaPoint(0.5 * std::cos(turn), 0.5 * std::sin(turn)));
    const struct {
        QString letter;
        double red, green, blue;
    } targets[] = {{tr("R", "red"), 1, 0, 0},   {tr("Y", "yellow"), 1, 1, 0},
                   {tr("G", "green"), 0, 1, 0}, {tr("C", "cyan"), 0, 1, 1},
                   {tr("B", "blue"), 0, 0, 1},  {tr("M", "magenta"), 1, 0, 1}};
    for (const auto& target : targets) {
        const auto [cb, cr] = chromaOf(kTargetShare * target.red, kTargetShare * target.green,
                                       kTargetShare * target.blue);
        const QPointF at = chromaPoint(cb, cr);
        painter.setPen(QPen(colors.weakText, 1));
        painter.drawRect(QRectF(at.x() - 5, at.y() - 5, 10, 10));
        painter.setPen(colors.text);
        painter.drawText(QRectF(at.x() + 7, at.y() - 10, 20, 20), Qt::AlignLeft | Qt::AlignVCenter,
                         target.letter);
    }
}

void ScopeView::setHover(std::optional<QPoint> cell) {
    if (cell && !m_scope) cell.reset();
    if (cell)
        cell = QPoint(std::clamp(cell->x(), 0, allColumns() - 1),
                      std::clamp(cell->y(), 0, kScopeLevels - 1));
    if (cell == m_hover) return;
    m_hover = cell;
    viewport()->update();
}

QString ScopeView::hoverText() const {
    if (!m_scope || !m_hover) return {};
    const ScopeRequest& request = m_scope->request;
    const int part = m_hover->x() / m_scope->columns;
    const int column = m_hover->x() % m_scope->columns;
    const int level = m_hover->y();
    const QString count =
        QLocale().toString(qulonglong(m_scope->at(std::size_t(part), column, level)));
    if (isChroma())
        return tr("Cb %1, Cr %2, pixels: %3")
            .arg(QLocale().toString(chromaOfCell(column), 'f', 3),
                 QLocale().toString(chromaOfCell(level), 'f', 3), count);
    // First and last pixel that count in the column; the first one is the smallest x with
    // x * columns / width (whole) = column.
    const qint64 width = m_scope->size.width, columns = m_scope->columns;
    const qint64 left = m_scope->part.x;
    const qint64 first = (column * width + columns - 1) / columns;
    const qint64 last = ((column + 1) * width + columns - 1) / columns - 1;
    const QString x = first == last ? number(double(left + first))
                                    : tr("%1 to %2").arg(left + first).arg(left + last);
    const double wide = span() / kScopeLevels;
    const double low = request.low + level * wide;
    const bool one = bytesPerSample(m_scope->format) < 4 && wide == 1;
    const QString value = one ? number(low) : tr("%1 to %2").arg(number(low), number(low + wide));
    const QString names[] = {tr("red"), tr("green"), tr("blue")};
    const QString name = m_scope->grids.size() > 1  ? names[part]
                         : isColor(m_scope->format) ? tr("luminance")
                         : m_labels                 ? tr("object")
                                                    : tr("value");
    return tr("x %1, %2 %3, pixels: %4").arg(x, name, value, count);
}

// QChartView's asks the item under the mouse without looking whether there is one: outside of the
// view, where another button is held, there is none.
void ScopeView::mousePressEvent(QMouseEvent* event) {
    QGraphicsView::mousePressEvent(event);
}

void ScopeView::mouseMoveEvent(QMouseEvent* event) {
    QChartView::mouseMoveEvent(event);
    const QRectF all = cells();
    const QPointF at = mapToScene(event->position().toPoint());
    if (!m_scope || !all.contains(at)) return setHover(std::nullopt);
    setHover(QPoint(int((at.x() - all.left()) / all.width() * allColumns()),
                    int((all.bottom() - at.y()) / all.height() * kScopeLevels)));
}

void ScopeView::leaveEvent(QEvent* event) {
    QChartView::leaveEvent(event);
    setHover(std::nullopt);
}

void ScopeView::keyPressEvent(QKeyEvent* event) {
    const int by = event->modifiers() & Qt::ShiftModifier ? 10 : 1;
    QPoint step;
    switch (event->key()) {
        case Qt::Key_Left:
            step = {-by, 0};
            break;
        case Qt::Key_Right:
            step = {by, 0};
            break;
        case Qt::Key_Up:
            step = {0, by};
            break;
        case Qt::Key_Down:
            step = {0, -by};
            break;
        default:
            return QChartView::keyPressEvent(event);
    }
    const QPoint middle(allColumns() / 2, kScopeLevels / 2);
    setHover(m_hover ? *m_hover + step : middle);
}

void ScopeView::paintTo(QPainter& painter, const QSize& size, const QString& caption) {
    const ThemeColors& colors = Theme::instance().colors();
    const QFont font = Theme::instance().figureFont();
    const int captionHeight = QFontMetrics(font).height() + 12;
    const QSize chartSize(size.width(), size.height() - captionHeight);
    const QRectF all(QPointF(0, 0), chartSize);
    resize(chartSize);
    chart()->resize(chartSize);
    chart()->setGeometry(all);
    scene()->setSceneRect(all);
    placePlot(chartSize);
    painter.fillRect(QRect(QPoint(0, 0), size), colors.base);
    scene()->render(&painter, all, all);
    paintOverlay(painter);
    painter.setFont(font);
    painter.setPen(colors.weakText);
    painter.drawText(QRectF(8, chartSize.height(), size.width() - 16, captionHeight - 4),
                     Qt::AlignLeft | Qt::AlignVCenter, caption);
}

}  // namespace warpscope::gui
