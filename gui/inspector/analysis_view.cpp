#include "gui/inspector/analysis_view.h"

#include <QBoxLayout>
#include <QClipboard>
#include <QComboBox>
#include <QEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QTableWidget>
#include <algorithm>

#include "engine/operations/registry.h"
#include "engine/report/analysis_text.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/table_text.h"
#include "gui/widgets/theme.h"
#include "gui/widgets/tight_table.h"

namespace warpscope::gui {
namespace {

// Tables of fewer rows are turned: a row a figure, a column a channel.
constexpr std::size_t kMostTurned = 12;
// More are only copied: nobody reads them in a dock.
constexpr std::size_t kMostShown = 1000;
constexpr int kVisibleRows = 12;

AnalysisTable tableOf(const AnalysisResult& result) {
    if (const auto* counts = std::get_if<HistogramSet>(&result)) return tableFrom(*counts);
    return std::get<AnalysisTable>(result);
}

// The rows of both under each other. Both are of one analysis, so that they have the same columns.
AnalysisTable sideUnderSide(const AnalysisReady& ready) {
    const AnalysisTable source = tableOf(ready.source), result = tableOf(ready.result);
    if (source.columns.empty() || source.columns.size() != result.columns.size()) return source;
    AnalysisTable both;
    TableColumn& side = both.columns.emplace_back(TableColumn{"image", "Image"});
    side.cells.assign(source.rows(), std::string("source"));
    side.cells.insert(side.cells.end(), result.rows(), std::string("result"));
    for (std::size_t c = 0; c < source.columns.size(); ++c) {
        TableColumn& column = both.columns.emplace_back(source.columns[c]);
        const auto& more = result.columns[c].cells;
        column.cells.insert(column.cells.end(), more.begin(), more.end());
    }
    return both;
}

}  // namespace

AnalysisView::AnalysisView(EngineBridge& bridge, QWidget* parent)
    : QWidget(parent), m_bridge(bridge) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    auto* line = new QHBoxLayout;
    m_title = new QLabel(this);
    m_choice = new QComboBox(this);
    m_choice->addItem(QString());
    for (const Operation* operation : allOperations()) {
        const OperationDescription& description = operation->description();
        if (description.kind != OperationKind::Analysis || description.id == "histogram") continue;
        m_choice->addItem(engineText(description.label), QString::fromStdString(description.id));
        m_choice->setItemData(m_choice->count() - 1, engineText(description.summary),
                              Qt::ToolTipRole);
    }
    m_title->setBuddy(m_choice);
    line->addWidget(m_title);
    line->addWidget(m_choice);
    line->addStretch();
    column->addLayout(line);

    m_problem = new QLabel(this);
    m_problem->setWordWrap(true);
    column->addWidget(m_problem);
    m_table = new QTableWidget(this);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionMode(QAbstractItemView::ContiguousSelection);
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->setWordWrap(false);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->verticalHeader()->setHighlightSections(false);
    m_table->verticalHeader()->setMinimumSectionSize(16);
    column->addWidget(m_table);
    m_copy = new QPushButton(this);
    column->addWidget(m_copy, 0, Qt::AlignLeft);

    connect(m_choice, &QComboBox::activated, this, &AnalysisView::choose);
    connect(m_copy, &QPushButton::clicked, this, [this] {
        QGuiApplication::clipboard()->setText(QString::fromStdString(analysisText(m_found, "csv")));
    });
    connect(&bridge, &EngineBridge::analysisReady, this, &AnalysisView::showFound);
    connect(&Theme::instance(), &Theme::changed, this, &AnalysisView::fillTable);
    retranslate();
    showFound();
}

void AnalysisView::setOutdated(bool outdated) {
    if (outdated == m_outdated) return;
    m_outdated = outdated;
    fillTable();
}

void AnalysisView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QWidget::changeEvent(event);
}

void AnalysisView::retranslate() {
    m_title->setText(tr("Analysis"));
    m_choice->setItemText(0, tr("none"));
    m_choice->setAccessibleName(tr("Analysis of source and result"));
    m_table->setAccessibleName(tr("What the analysis found"));
    m_copy->setText(tr("Copy as CSV"));
}

void AnalysisView::choose(int index) {
    const std::string id = m_choice->itemData(index).toString().toStdString();
    if (id.empty()) return m_bridge.setAnalysis(std::nullopt);
    const OperationDescription& description = findOperation(id)->description();
    Step step;
    step.operation = id;
    if (auto parameters = resolveParameters(description.parameters, {}))
        step.parameters = std::move(*parameters);
    m_bridge.setAnalysis(step);
}

void AnalysisView::showFound() {
    const auto& ready = m_bridge.analysis();
    const QString problem = ready ? engineText(ready->problem) : QString();
    m_found = ready && ready->problem.empty() ? sideUnderSide(*ready) : AnalysisTable{};
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
    m_table->setVisible(!m_found.columns.empty());
    m_copy->setVisible(!m_found.columns.empty());
    fillTable();
}

void AnalysisView::fillTable() {
    m_table->clear();
    const std::size_t shown = std::min(m_found.rows(), kMostShown);
    const bool turned = shown <= kMostTurned;
    const auto columns = int(m_found.columns.size());
    m_table->setRowCount(turned ? columns : int(shown));
    m_table->setColumnCount(turned ? int(shown) : columns);
    for (int c = 0; c < columns; ++c) {
        const TableColumn& column = m_found.columns[std::size_t(c)];
        auto* head = new QTableWidgetItem(headText(column));
        if (turned)
            m_table->setVerticalHeaderItem(c, head);
        else
            m_table->setHorizontalHeaderItem(c, head);
        for (int r = 0; r < int(shown); ++r) {
            auto* item = new QTableWidgetItem(cellText(column.cells[std::size_t(r)]));
            item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
            item->setFont(Theme::instance().figureFont());
            if (m_outdated) item->setForeground(Theme::instance().colors().disabledText);
            m_table->setItem(turned ? c : r, turned ? r : c, item);
        }
    }
    // What names the columns of a turned table are its first rows.
    m_table->horizontalHeader()->setVisible(!turned);
    m_table->verticalHeader()->setVisible(turned);
    tighten(*m_table);
    const int rows = turned ? columns : std::min(int(shown), kVisibleRows);
    int height = 2 * m_table->frameWidth() + m_table->horizontalScrollBar()->sizeHint().height();
    for (int r = 0; r < rows; ++r) height += m_table->rowHeight(r);
    if (!turned) height += m_table->horizontalHeader()->sizeHint().height();
    m_table->setFixedHeight(height);
}

}  // namespace warpscope::gui
