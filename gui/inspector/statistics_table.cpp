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
#include <optional>

#include "gui/display/region_words.h"
#include "gui/widgets/theme.h"
#include "gui/widgets/tight_table.h"

namespace warpscope::gui {
namespace {

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
    return QString::number(v, 'f', std::abs(v) >= 1e4 ? 0 : std::abs(v) >= 1e3 ? 1 : 2);
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
    m_shown.clear();
    refresh();
}

void StatisticsTable::setStatistics(const SideStatistics& source, const SideStatistics& result) {
    if (source.format != m_source.format || result.format != m_result.format) {
        m_fittedWidth = 0;  // others need more or less room
        setProperty(kTightWidth, 0);
    }
    m_source = source;
    m_result = result;
    refresh();
}

void StatisticsTable::setOutdated(bool outdated) {
    if (outdated == m_outdated) return;
    m_outdated = outdated;
    refresh();
}

// While a slider is dragged this is called several times a frame, mostly with nothing new: making
// and measuring the cells each time took more than half of the window's thread.
void StatisticsTable::refresh() {
    std::vector<Row> rows;
    addSide(tr("Source"), m_source, rows);
    addSide(tr("Result"), m_result, rows);
    if (rows == m_shown) return;
    if (int(rows.size()) != rowCount()) setRowCount(int(rows.size()));
    putChanged(rows);
    m_shown = std::move(rows);
    // Only floats can have any.
    for (const int column : {int(kNaN), int(kInf)})
        setColumnHidden(column, !isFloat(m_source.format) && !isFloat(m_result.format));
    // Now, not with the next event: the hint would be that of the texts before.
    fit();
}

void StatisticsTable::putChanged(const std::vector<Row>& rows) {
    const ItemsChange change(*this);
    for (int row = 0; row < int(rows.size()); ++row) {
        const Row& now = rows[std::size_t(row)];
        const bool known = row < int(m_shown.size());
        if (!known || now.label != m_shown[std::size_t(row)].label)
            setVerticalHeaderItem(row, new QTableWidgetItem(now.label));
        for (int column = 0; column < kColumns; ++column)
            if (!known || now.cells[std::size_t(column)] !=
                              m_shown[std::size_t(row)].cells[std::size_t(column)])
                put(row, column, now.cells[std::size_t(column)]);
    }
}

void StatisticsTable::addSide(const QString& name, const SideStatistics& side,
                              std::vector<Row>& rows) const {
    for (int c = 0; c < shownCount(side); ++c) {
        Row& row = rows.emplace_back();
        row.label = QStringLiteral("%1 %2").arg(name, letterOf(side, c));
        row.brief = (&side == &m_result ? QStringLiteral("→ ") : QString()) + letterOf(side, c);
        for (Cell& cell : row.cells) cell.weak = m_outdated;
        const ChannelStatistics& s = side.channels[std::size_t(c)];
        const bool any = s.count > 0;
        const QString dash = QStringLiteral("–");
        row.cells[kMinimum].text = any ? extremeText(s.minimum, side.format) : dash;
        row.cells[kMaximum].text = any ? extremeText(s.maximum, side.format) : dash;
        row.cells[kMean].text = any ? averageText(s.mean, side.format) : dash;
        row.cells[kDeviation].text = any ? averageText(s.standardDeviation, side.format) : dash;
        if (any) {
            const double values[] = {s.minimum, s.maximum, s.mean, s.standardDeviation};
            const int first = isFloat(side.format) ? kMinimum : kMean;
            for (int column = first; column <= kDeviation; ++column)
                row.cells[std::size_t(column)].tip = QString::number(values[column], 'g', 9);
        }
        row.cells[kNaN].text = groupedCount(s.notANumber);
        row.cells[kInf].text = groupedCount(s.notFinite - s.notANumber);
        addFigures(side, c, row);
    }
}

void StatisticsTable::addFigures(const SideStatistics& side, int channel, Row& row) const {
    const char* const names[] = {"red", "green", "blue", "alpha"};
    const std::string name = isColor(side.format) ? names[channel] : "gray";
    const auto cell = [&](const char* id) {
        return side.figures ? cellOf(*side.figures, name, id) : std::nullopt;
    };
    const auto put = [&](int column, const QString& text) {
        Cell& to = row.cells[std::size_t(column)];
        to.text = text;
        to.weak = to.weak || side.figuresOutdated;
    };
    put(kMedian, cellText(cell("median"), kFloatDigits));
    put(kEntropy, cellText(cell("entropy"), 4));
    QStringList lines;
    for (int i = 0; i < 4; ++i) {
        const auto found = cell(kPercentileIds[i]);
        put(kFirstPercentile + i, cellText(found, kFloatDigits));
        if (!found) continue;
        const QString exact = cellText(found, 9);
        row.cells[std::size_t(kFirstPercentile + i)].tip = exact;
        lines << tr("%1 %: %2").arg(kPercents[i]).arg(exact);
        if (i == 1) lines << tr("50 %: %1").arg(cellText(cell("median"), 9));
    }
    row.cells[kMedian].tip = lines.join(QLatin1Char('\n'));
}

// Where figures would be cut off the rows have short names; the tool tip has the long one.
void StatisticsTable::fit() {
    const auto nameRows = [this] {
        std::optional<ItemsChange> change;
        for (int row = 0; row < rowCount(); ++row) {
            const Row& shown = m_shown[std::size_t(row)];
            const QString& name = m_brief ? shown.brief : shown.label;
            QTableWidgetItem* head = verticalHeaderItem(row);
            if (head->text() == name && head->toolTip() == shown.label) continue;
            if (!change) change.emplace(*this);
            head->setText(name);
            head->setToolTip(shown.label);
        }
    };
    if (width() != m_fittedWidth) m_brief = false;
    m_fittedWidth = width();
    nameRows();
    tighten(*this);
    if (isVisible() && !m_brief && overflows(*this)) {
        m_brief = true;
        nameRows();
        setProperty(kTightWidth, 0);
        tighten(*this);
    }
    updateGeometry();
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

void StatisticsTable::put(int row, int column, const Cell& cell) {
    auto* item = new QTableWidgetItem(cell.text);
    item->setToolTip(cell.tip);
    item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    item->setFont(tightFont(*this, Theme::instance().figureFont()));
    if (cell.weak) item->setForeground(Theme::instance().colors().disabledText);
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
    if (event->size().width() != event->oldSize().width()) fit();
}

void StatisticsTable::showEvent(QShowEvent* event) {
    QTableWidget::showEvent(event);
    fit();
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
        QStringList cells{m_shown[std::size_t(row)].label};
        for (int column = range.leftColumn(); column <= range.rightColumn(); ++column)
            if (!isColumnHidden(column)) cells << item(row, column)->text();
        lines << cells.join(QLatin1Char('\t'));
    }
    QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

}  // namespace warpscope::gui
