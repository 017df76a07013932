#include "gui/benchmark/series_legend.h"

#include <QHeaderView>
#include <QPainter>
#include <QStyle>
#include <utility>

#include "gui/benchmark/log_chart.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

constexpr int kOperationsOn = 2;  // at first
constexpr QSize kSample(34, 14);
constexpr int kMargin = 4;

QString keyOf(const QTreeWidgetItem* item) {
    return item->data(0, Qt::UserRole).toString();
}

}  // namespace

SeriesLegend::SeriesLegend(QWidget* parent) : QTreeWidget(parent) {
    setObjectName(QStringLiteral("seriesLegend"));
    setAccessibleName(tr("Series of the chart"));
    setColumnCount(1);
    setHeaderHidden(true);
    setIconSize(kSample);
    setIndentation(16);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    header()->setStretchLastSection(false);
    connect(this, &QTreeWidget::itemChanged, this, &SeriesLegend::onItemChanged);
    connect(&Theme::instance(), &Theme::changed, this, &SeriesLegend::rebuild);
}

// Which file or run has which line.
void SeriesLegend::addSources() {
    if (m_content.captions.size() < 2 || m_content.series.empty()) return;
    for (const ChartCaption& caption : m_content.captions) {
        if (caption.pen == Qt::NoPen) continue;
        ChartSeries sample;
        sample.ink = PlotInk::AllCores;
        sample.pen = caption.pen;
        sample.tint = caption.tint;
        auto* item = new QTreeWidgetItem(this, {caption.text});
        item->setIcon(0, sampleOf(sample));
        item->setToolTip(0, caption.text);
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemNeverHasChildren);
    }
}

QIcon SeriesLegend::sampleOf(const ChartSeries& series) const {
    const qreal ratio = devicePixelRatioF();
    QPixmap pixmap(kSample * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    paintSample(painter, QRectF(QPointF(), QSizeF(kSample)).adjusted(1, 0, -1, 0), series);
    painter.end();
    QIcon icon(pixmap);
    icon.addPixmap(pixmap, QIcon::Selected);
    return icon;
}

void SeriesLegend::setContent(const ChartContent& content) {
    bool same = content.series.size() == m_content.series.size();
    for (std::size_t i = 0; same && i < content.series.size(); ++i)
        same = content.series[i].id == m_content.series[i].id &&
               content.series[i].name == m_content.series[i].name &&
               content.series[i].tint == m_content.series[i].tint;
    m_content = content;
    const QSet<QString> before = m_hidden;
    int on = 0;
    for (const bool begins : std::as_const(m_defaults)) on += begins;
    for (const ChartSeries& series : content.series) {
        if (m_known.contains(series.id)) continue;
        m_known.insert(series.id);
        if (!m_defaults.contains(series.operation))
            m_defaults.insert(series.operation, on++ < kOperationsOn);
        if (!m_defaults.value(series.operation) || series.thin || series.aside)
            m_hidden.insert(series.id);
    }
    if (!same || before != m_hidden) rebuild();
    if (before != m_hidden) emit hiddenChanged();
}

int SeriesLegend::wantedWidth() const {
    return sizeHintForColumn(0) + style()->pixelMetric(QStyle::PM_ScrollBarExtent) + 2 * kMargin;
}

void SeriesLegend::rebuild() {
    m_filling = true;
    QHash<QString, bool> expanded;
    for (int i = 0; i < topLevelItemCount(); ++i)
        expanded.insert(topLevelItem(i)->text(0), topLevelItem(i)->isExpanded());
    const QString current = currentItem() ? keyOf(currentItem()) : QString();
    clear();
    QHash<QString, QTreeWidgetItem*> groups;
    for (const ChartSeries& series : m_content.series) {
        QTreeWidgetItem*& group = groups[series.operation];
        if (!group) {
            group = new QTreeWidgetItem(this, {series.operation});
            group->setToolTip(0, series.operation);
            group->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable |
                            Qt::ItemIsAutoTristate);
            group->setData(0, Qt::UserRole, QStringLiteral("operation/") + series.operation);
        }
        auto* item = new QTreeWidgetItem(group, {series.label()});
        item->setIcon(0, sampleOf(series));
        item->setToolTip(
            0, QStringLiteral("%1%2\n%3")
                   .arg(series.fullName(),
                        series.cold ? tr(" (ring around the marker: cold cache)") : QString(),
                        series.machine));
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable |
                       Qt::ItemNeverHasChildren);
        item->setData(0, Qt::UserRole, series.id);
        item->setCheckState(0, m_hidden.contains(series.id) ? Qt::Unchecked : Qt::Checked);
    }
    addSources();
    for (int i = 0; i < topLevelItemCount(); ++i) {
        QTreeWidgetItem* group = topLevelItem(i);
        // What begins switched off need not take room.
        group->setExpanded(expanded.value(group->text(0), m_defaults.value(group->text(0))));
        for (int c = -1; c < group->childCount(); ++c) {
            QTreeWidgetItem* item = c < 0 ? group : group->child(c);
            if (!current.isEmpty() && keyOf(item) == current) setCurrentItem(item);
        }
    }
    m_filling = false;
}

void SeriesLegend::onItemChanged(QTreeWidgetItem*) {
    if (m_filling) return;
    // A group changes all its series; one signal is enough for all of them.
    QMetaObject::invokeMethod(
        this, [this] { applyHidden(); }, Qt::QueuedConnection);
}

void SeriesLegend::applyHidden() {
    QSet<QString> hidden;
    for (int g = 0; g < topLevelItemCount(); ++g) {
        const QTreeWidgetItem* group = topLevelItem(g);
        for (int c = 0; c < group->childCount(); ++c)
            if (group->child(c)->checkState(0) == Qt::Unchecked)
                hidden.insert(keyOf(group->child(c)));
    }
    // What is not listed now keeps its state for when it comes back.
    for (const ChartSeries& series : m_content.series) m_hidden.remove(series.id);
    m_hidden.unite(hidden);
    emit hiddenChanged();
}

}  // namespace warpscope::gui
