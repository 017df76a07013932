#include "gui/timings/waterfall_view.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QLocale>
#include <QMenu>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "gui/widgets/axis_range.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {

namespace {

constexpr int kMargin = 12;
constexpr int kColumnGap = 12;
constexpr int kIndent = 16;  // of kernels
constexpr int kLeastBars = 80;
constexpr double kThinnest = 1.5;  // so that what is short is seen

QString startText(double ms) {
    return ms < 0.0005 ? QStringLiteral("0") : millisecondText(ms);
}

}  // namespace

WaterfallView::WaterfallView(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Waterfall of the last run"));
    setToolTip(
        tr("The last run of the chain: each piece of work where it began and as long as it "
           "lasted. CPU: wall time. GPU: between device events, counted from when the first of "
           "its work was queued; the kernels of an operation stand below it, their times are part "
           "of its own. Draw: from the result's arrival in the window to the end of the "
           "paint that showed it."));
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void WaterfallView::setWaterfall(const Waterfall& waterfall, const QString& emptyText) {
    m_waterfall = waterfall;
    m_emptyText = emptyText;
    setAccessibleDescription(m_waterfall.rows.empty()
                                 ? emptyText
                                 : labels().join(QStringLiteral(", ")).replace('\t', ' '));
    updateGeometry();
    update();
}

QStringList WaterfallView::labels() const {
    QStringList texts;
    for (const WaterfallRow& row : m_waterfall.rows)
        texts << QStringLiteral("%1\t%2 ms\t%3 ms")
                     .arg(row.name, startText(row.startMs), millisecondText(row.ms));
    return texts;
}

int WaterfallView::lineHeight() const {
    return QFontMetrics(Theme::instance().figureFont()).height() + 4;
}

WaterfallView::Columns WaterfallView::columns() const {
    const QFontMetrics metrics(Theme::instance().figureFont());
    Columns c;
    c.start = metrics.horizontalAdvance(tr("start, ms"));
    c.duration = metrics.horizontalAdvance(tr("lasted, ms"));
    for (const WaterfallRow& row : m_waterfall.rows) {
        c.names =
            std::max(c.names, metrics.horizontalAdvance(row.name) + (row.kernel ? kIndent : 0));
        c.start = std::max(c.start, metrics.horizontalAdvance(startText(row.startMs)));
        c.duration = std::max(c.duration, metrics.horizontalAdvance(millisecondText(row.ms)));
    }
    const double left = kMargin + c.names + kColumnGap;
    const double right = width() - kMargin - c.duration - kColumnGap - c.start - kColumnGap;
    c.bars = QRectF(left, kColumnGap / 2.0 + lineHeight(), std::max(1.0, right - left),
                    double(m_waterfall.rows.size()) * lineHeight());
    return c;
}

QRectF WaterfallView::barRect(int row, int bar) const {
    return barRect(columns(), row, bar);
}

QRectF WaterfallView::barRect(const Columns& columns, int row, int bar) const {
    const std::vector<WaterfallBar>& bars = m_waterfall.rows.at(std::size_t(row)).bars;
    const WaterfallBar& b = bars.at(std::size_t(bar));
    const double scale = m_waterfall.endMs > 0 ? columns.bars.width() / m_waterfall.endMs : 0;
    return {columns.bars.left() + b.startMs * scale, columns.bars.top() + row * lineHeight() + 3,
            std::max(kThinnest / double(bars.size()), b.ms * scale), double(lineHeight() - 6)};
}

int WaterfallView::rowAt(int y) const {
    const double row = std::floor((y - columns().bars.top()) / lineHeight());
    return row >= 0 && row < double(m_waterfall.rows.size()) ? int(row) : -1;
}

// Of a row, what it is; elsewhere the explanation of the whole.
bool WaterfallView::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const int row = rowAt(help->pos().y()); row >= 0) {
            const int top = int(columns().bars.top()) + row * lineHeight();
            QToolTip::showText(help->globalPos(), m_waterfall.rows[std::size_t(row)].detail, this,
                               QRect(0, top, width(), lineHeight()));
            return true;
        }
    }
    return QWidget::event(event);
}

QSize WaterfallView::minimumSizeHint() const {
    if (m_waterfall.rows.empty()) return {160, 2 * lineHeight()};
    const Columns c = columns();
    // Header, rows, axis with its figures, the note.
    const int lines = int(m_waterfall.rows.size()) + 2 + (m_waterfall.note.isEmpty() ? 0 : 1);
    return {2 * kMargin + c.names + c.start + c.duration + 3 * kColumnGap + kLeastBars,
            lines * lineHeight() + kColumnGap};
}

QSize WaterfallView::sizeHint() const {
    return minimumSizeHint().expandedTo({420, 0});
}

Picture WaterfallView::picture() {
    return {tr("waterfall"), accessibleName(), labels().join(QStringLiteral("; ")), size(),
            [this](QPainter& painter) { render(&painter, {}, {}, RenderFlags()); }};
}

void WaterfallView::contextMenuEvent(QContextMenuEvent* event) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("pictureMenu"));
    addPictureActions(*menu, this, [this] { return picture(); });
    menu->popup(event->globalPos());
}

void WaterfallView::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::instance();
    const ThemeColors& colors = theme.colors();
    QPainter painter(this);
    painter.fillRect(rect(), colors.base);
    painter.setFont(theme.figureFont());
    painter.setPen(colors.weakText);
    if (m_waterfall.rows.empty()) {
        painter.drawText(rect().adjusted(kMargin, kMargin, -kMargin, -kMargin),
                         Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, m_emptyText);
        return;
    }
    const Columns c = columns();
    const QFontMetrics metrics(painter.font());
    const int right = width() - kMargin;
    const auto figures = [&](int y, const QString& start, const QString& lasted) {
        const int height = lineHeight();
        painter.drawText(QRect(right - c.duration, y, c.duration, height),
                         Qt::AlignRight | Qt::AlignVCenter, lasted);
        painter.drawText(QRect(right - c.duration - kColumnGap - c.start, y, c.start, height),
                         Qt::AlignRight | Qt::AlignVCenter, start);
    };
    figures(int(c.bars.top()) - lineHeight(), tr("start, ms"), tr("lasted, ms"));

    // A light grid under the bars, its figures below.
    const double end = std::max(m_waterfall.endMs, 1e-9);
    const double step = niceStep(end / std::max(1.0, c.bars.width() / 70));
    for (double tick = 0; tick <= end * (1 + 1e-9); tick += step) {
        const double x = c.bars.left() + tick / end * c.bars.width();
        painter.setPen(QPen(colors.chartGrid, 1));
        painter.drawLine(QPointF(x, c.bars.top()), QPointF(x, c.bars.bottom()));
        painter.setPen(colors.weakText);
        const QString text = QLocale().toString(tick, 'g', 6) + (tick == 0 ? tr(" ms") : QString());
        const double half = metrics.horizontalAdvance(text) / 2.0;
        painter.drawText(QPointF(tick == 0 ? x : x - half, c.bars.bottom() + metrics.ascent() + 2),
                         text);
    }
    for (std::size_t i = 0; i < m_waterfall.rows.size(); ++i) {
        const WaterfallRow& row = m_waterfall.rows[i];
        const int y = int(c.bars.top()) + int(i) * lineHeight();
        const int indent = row.kernel ? kIndent : 0;
        painter.setPen(row.kernel ? colors.weakText : colors.text);
        painter.drawText(QRect(kMargin + indent, y, c.names - indent, lineHeight()),
                         Qt::AlignVCenter, row.name);
        figures(y, startText(row.startMs), millisecondText(row.ms));
        QColor fill = row.backend ? theme.backendColor(*row.backend) : colors.luma;
        if (row.transfer) fill.setAlphaF(0.45f);
        // Over its kernels an operation is a line, so that their time is not seen twice.
        const bool heads =
            i + 1 < m_waterfall.rows.size() && !row.kernel && m_waterfall.rows[i + 1].kernel;
        // Many short ones then are as dark as they fill the time.
        painter.setRenderHint(QPainter::Antialiasing, row.bars.size() > 1);
        for (std::size_t k = 0; k < row.bars.size(); ++k) {
            QRectF bar = barRect(c, int(i), int(k));
            if (heads) bar.adjust(0, bar.height() / 3, 0, -bar.height() / 3);
            painter.fillRect(bar, fill);
        }
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (!m_waterfall.note.isEmpty()) {
        painter.setPen(colors.weakText);
        painter.drawText(
            QRect(kMargin, int(c.bars.bottom()) + lineHeight(), right - kMargin, lineHeight()),
            Qt::AlignVCenter,
            metrics.elidedText(m_waterfall.note, Qt::ElideRight, right - kMargin));
    }
}

}  // namespace warpscope::gui
