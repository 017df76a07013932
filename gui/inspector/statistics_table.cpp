#include "gui/inspector/statistics_table.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

#include "gui/widgets/theme.h"
#include "gui/widgets/tight_table.h"

namespace warpscope::gui {
namespace {

enum Column {
    kMinimum,
    kMaximum,
    kMean,
    kDeviation,
    kNaN,
    kInf,
    kMedian,
    kEntropy,
    kFirstPercentile,
    kColumns = kFirstPercentile + 4
};

constexpr const char* kPercentileIds[] = {"percentile_1", "percentile_5", "percentile_95",
                                          "percentile_99"};
constexpr int kPercents[] = {1, 5, 95, 99};

// Integer samples in full (64-bit sums are beyond what a double holds: said with all its digits,
// as near as it is known); floats with as many digits as a dock has room for, all in the tool tip.
constexpr int kFloatDigits = 4;

QString extremeText(double v, PixelFormat format) {
    return isFloat(format) ? QString::number(v, 'g', kFloatDigits) : QString::number(v, 'f', 0);
}

QString averageText(double v, PixelFormat format) {
    if (isFloat(format)) return QString::number(v, 'g', kFloatDigits);
    if (std::abs(v) >= 1e7) return QString::number(v, 'g', 6);
    return QString::number(v, 'f', std::abs(v) >= 1e4 ? 1 : 2);
}

int shownCount(const SideStatistics& side) {
    const int channels = int(side.channels.size());
    return channels == 4 && !side.hasAlpha ? 3 : channels;
}

QString letterOf(const SideStatistics& side, int channel) {
    return isColor(side.format) ? QStringLiteral("RGBA").mid(channel, 1) : QStringLiteral("Y");
}

// Nothing where the table has no such row.
std::optional<TableCell> cellOf(const AnalysisTable& table, const std::string& channel,
                                const std::string& id) {
    if (table.columns.empty()) return {};
    const auto& names = table.columns.front().cells;
    const auto row = std::ranges::find(names, TableCell(channel)) - names.begin();
    for (const TableColumn& column : table.columns)
        if (column.id == id && row < std::ptrdiff_t(column.cells.size()))
            return column.cells[std::size_t(row)];
    return {};
}

QString cellText(const std::optional<TableCell>& cell, int digits) {
    if (!cell) return QStringLiteral("–");
    if (const auto* whole = std::get_if<std::int64_t>(&*cell)) return QString::number(*whole);
    const auto* real = std::get_if<double>(&*cell);
    return !real || std::isnan(*real) ? QStringLiteral("–") : QString::number(*real, 'g', digits);
}

}  // namespace

StatisticsTable::StatisticsTable(QWidget* parent) : QTableWidget(parent) {
    setColumnCount(kColumns);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setSelectionMode(QAbstractItemView::ContiguousSelection);
    setShowGrid(false);
    setTabKeyNavigation(false);
    setTextElideMode(Qt::ElideNone);
    setWordWrap(false);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    horizontalHeader()->setMinimumSectionSize(24);
    horizontalHeader()->setHighlightSections(false);
    verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    verticalHeader()->setMinimumSectionSize(16);
    verticalHeader()->setHighlightSections(false);
    connect(&Theme::instance(), &Theme::changed, this, &StatisticsTable::rebuild);
    rebuild();
}

void StatisticsTable::setStatistics(const SideStatistics& source, const SideStatistics& result) {
    m_source = source;
    m_result = result;
    rebuild();
}

void StatisticsTable::setOutdated(bool outdated) {
    if (outdated == m_outdated) return;
    m_outdated = outdated;
    rebuild();
}

void StatisticsTable::rebuild() {
    setAccessibleName(tr("Statistics of source and result"));
    setHorizontalHeaderLabels({tr("Min"), tr("Max"), tr("Mean"), tr("SD"), tr("NaN"), tr("Inf"),
                               tr("Med."), tr("Bits"), tr("P1"), tr("P5"), tr("P95"), tr("P99")});
    horizontalHeaderItem(kDeviation)->setToolTip(tr("Standard deviation of all samples"));
    horizontalHeaderItem(kNaN)->setToolTip(tr("Samples that are no numbers"));
    horizontalHeaderItem(kInf)->setToolTip(tr("Samples that are infinite, of either sign"));
    horizontalHeaderItem(kMedian)->setToolTip(
        tr("Median: the sample in the middle; its tool tip has percentiles"));
    horizontalHeaderItem(kEntropy)->setToolTip(
        tr("Entropy: bits that a sample is worth without its neighbours"));
    for (int i = 0; i < 4; ++i) {
        horizontalHeaderItem(kFirstPercentile + i)
            ->setToolTip(tr("The sample that %1 % of all reach or lie below").arg(kPercents[i]));
        setColumnHidden(kFirstPercentile + i, !m_percentiles);
    }
    setRowCount(0);
    addSide(tr("Source"), m_source);
    addSide(tr("Result"), m_result);
    // Only floats can have any.
    for (const int column : {int(kNaN), int(kInf)})
        setColumnHidden(column, !isFloat(m_source.format) && !isFloat(m_result.format));
    // Now, not with the next event: the hint would be that of the texts before.
    tighten(*this);
    updateGeometry();
}

void StatisticsTable::addSide(const QString& name, const SideStatistics& side) {
    for (int c = 0; c < shownCount(side); ++c) {
        const int row = rowCount();
        insertRow(row);
        const QString label = QStringLiteral("%1 %2").arg(name, letterOf(side, c));
        setVerticalHeaderItem(row, new QTableWidgetItem(label));
        const ChannelStatistics& s = side.channels[std::size_t(c)];
        const bool any = s.count > 0;
        const QString dash = QStringLiteral("–");
        put(row, kMinimum, any ? extremeText(s.minimum, side.format) : dash);
        put(row, kMaximum, any ? extremeText(s.maximum, side.format) : dash);
        put(row, kMean, any ? averageText(s.mean, side.format) : dash);
        put(row, kDeviation, any ? averageText(s.standardDeviation, side.format) : dash);
        if (any) {
            const double values[] = {s.minimum, s.maximum, s.mean, s.standardDeviation};
            const int first = isFloat(side.format) ? kMinimum : kMean;
            for (int column = first; column <= kDeviation; ++column)
                item(row, column)->setToolTip(QString::number(values[column], 'g', 9));
        }
        put(row, kNaN, QString::number(qulonglong(s.notANumber)));
        put(row, kInf, QString::number(qulonglong(s.notFinite - s.notANumber)));
        putFigures(row, side, c);
    }
}

void StatisticsTable::putFigures(int row, const SideStatistics& side, int channel) {
    const char* const names[] = {"red", "green", "blue", "alpha"};
    const std::string name = isColor(side.format) ? names[channel] : "gray";
    const auto cell = [&](const char* id) {
        return side.figures ? cellOf(*side.figures, name, id) : std::nullopt;
    };
    const bool old = side.figuresOutdated;
    put(row, kMedian, cellText(cell("median"), kFloatDigits), old);
    put(row, kEntropy, cellText(cell("entropy"), 4), old);
    QStringList lines;
    for (int i = 0; i < 4; ++i) {
        const auto found = cell(kPercentileIds[i]);
        put(row, kFirstPercentile + i, cellText(found, kFloatDigits), old);
        if (!found) continue;
        const QString exact = cellText(found, 9);
        item(row, kFirstPercentile + i)->setToolTip(exact);
        lines << tr("%1 %: %2").arg(kPercents[i]).arg(exact);
        if (i == 1) lines << tr("50 %: %1").arg(cellText(cell("median"), 9));
    }
    item(row, kMedian)->setToolTip(lines.join(QLatin1Char('\n')));
}

void StatisticsTable::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    QAction* percentiles = menu.addAction(tr("Percentiles 1, 5, 95 and 99"));
    percentiles->setCheckable(true);
    percentiles->setChecked(m_percentiles);
    connect(percentiles, &QAction::toggled, this, [this](bool on) {
        m_percentiles = on;
        rebuild();
    });
    menu.exec(event->globalPos());
}

void StatisticsTable::put(int row, int column, const QString& text, bool outdated) {
    auto* item = new QTableWidgetItem(text);
    item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    item->setFont(Theme::instance().figureFont());
    if (m_outdated || outdated) item->setForeground(Theme::instance().colors().disabledText);
    setItem(row, column, item);
}

QSize StatisticsTable::sizeHint() const {
    const int frame = 2 * frameWidth();
    const int needed = verticalHeader()->sizeHint().width() + horizontalHeader()->length() + frame;
    const int bar = width() < needed ? horizontalScrollBar()->sizeHint().height() : 0;
    return {needed,
            horizontalHeader()->sizeHint().height() + verticalHeader()->length() + frame + bar};
}

// In a narrow dock the table scrolls, not everything beside it.
QSize StatisticsTable::minimumSizeHint() const {
    return {std::min(120, sizeHint().width()), sizeHint().height()};
}

void StatisticsTable::resizeEvent(QResizeEvent* event) {
    QTableWidget::resizeEvent(event);
    if (event->size().width() != event->oldSize().width()) updateGeometry();
}

void StatisticsTable::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) rebuild();
    QTableWidget::changeEvent(event);
}

void StatisticsTable::keyPressEvent(QKeyEvent* event) {
    if (!event->matches(QKeySequence::Copy) || selectedRanges().isEmpty()) {
        QTableWidget::keyPressEvent(event);
        return;
    }
    const QTableWidgetSelectionRange range = selectedRanges().first();
    QStringList lines;
    for (int row = range.topRow(); row <= range.bottomRow(); ++row) {
        QStringList cells{verticalHeaderItem(row)->text()};
        for (int column = range.leftColumn(); column <= range.rightColumn(); ++column)
            if (!isColumnHidden(column)) cells << item(row, column)->text();
        lines << cells.join(QLatin1Char('\t'));
    }
    QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

}  // namespace warpscope::gui
