#include "gui/benchmark/benchmark_pages.h"

#include <QFormLayout>
#include <QVBoxLayout>

#include "gui/benchmark/benchmark_sheets.h"
#include "gui/benchmark/sheet_view.h"
#include "gui/widgets/wrap_label.h"

namespace warpscope::gui {
namespace {

QVBoxLayout* pageColumn(QWidget* page) {
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(8, 8, 0, 0);
    column->setSpacing(8);
    return column;
}

QFormLayout* addForm(QVBoxLayout* column) {
    auto* form = new QFormLayout;
    form->setContentsMargins(0, 0, 8, 0);
    column->addLayout(form);
    return form;
}

}  // namespace

ReportBox::ReportBox(const BenchmarkReports& reports, const QString& name,
                     const QString& accessibleName)
    : m_reports(reports) {
    setObjectName(name);
    setAccessibleName(accessibleName);
    connect(this, &QComboBox::activated, this, [this] { m_chosen = currentData().toInt(); });
}

void ReportBox::fill(int wanted) {
    clear();
    const auto& entries = m_reports.entries();
    for (std::size_t i = 0; i < entries.size(); ++i)
        addItem(QStringLiteral("%1  %2").arg(entryTag(i), machineLabel(entries[i])), entries[i].id);
    const int kept = findData(m_chosen);
    const int best = findData(wanted);
    setCurrentIndex(kept >= 0 ? kept : best >= 0 ? best : count() - 1);
}

const BenchmarkEntry* ReportBox::entry() const {
    return m_reports.find(currentData().toInt());
}

void ReportBox::giveWay(const ReportBox& other) {
    if (currentIndex() != other.currentIndex() || count() < 2) return;
    setCurrentIndex(other.currentIndex() == 0 ? 1 : 0);
    m_chosen = 0;
}

PublishedPage::PublishedPage(const BenchmarkReports& reports) : m_reports(reports) {
    QVBoxLayout* column = pageColumn(this);
    auto* note = new WrapLabel;
    note->setText(tr("The published figures were measured by their authors, elsewhere, on other "
                     "hardware (named at each row). They stand here for a sense of proportion and "
                     "are never one side of a speedup."),
                  Tone::Weak);
    column->addWidget(note);
    m_beside = new ReportBox(reports, QStringLiteral("publishedWith"),
                             tr("Results beside the published figures"));
    addForm(column)->addRow(tr("&Beside them"), m_beside);
    m_sheet = new SheetView(QStringLiteral("publishedTable"),
                            tr("Published figures of the source texts, and ours"));
    column->addWidget(m_sheet, 1);
    connect(m_beside, &QComboBox::activated, this, &PublishedPage::showChosen);
}

void PublishedPage::refresh() {
    // Whoever has repeated the experiments, the newest first.
    int wanted = 0;
    for (const BenchmarkEntry& entry : m_reports.entries())
        for (const StepTiming& row : entry.report.results)
            if (!row.experiment.empty()) wanted = entry.id;
    m_beside->fill(wanted);
    showChosen();
}

void PublishedPage::showChosen() {
    const BenchmarkEntry* entry = m_beside->entry();
    m_sheet->setSheet(publishedSheet(entry ? &entry->report : nullptr));
}

ComparisonPage::ComparisonPage(const BenchmarkReports& reports) : m_reports(reports) {
    QVBoxLayout* column = pageColumn(this);
    m_first = new ReportBox(reports, QStringLiteral("compareFirst"), tr("First results"));
    m_second = new ReportBox(reports, QStringLiteral("compareSecond"), tr("Second results"));
    QFormLayout* form = addForm(column);
    form->addRow(tr("&First"), m_first);
    form->addRow(tr("Seco&nd"), m_second);
    m_summary = new WrapLabel;
    m_summary->setObjectName(QStringLiteral("ratioSummary"));
    column->addWidget(m_summary);
    m_sheet = new SheetView(QStringLiteral("comparisonTable"), tr("Ratios of two sets of results"));
    column->addWidget(m_sheet, 1);
    for (const auto& [chosen, other] : {std::pair{m_first, m_second}, std::pair{m_second, m_first}})
        connect(chosen, &QComboBox::activated, this, [this, chosen = chosen, other = other] {
            other->giveWay(*chosen);
            showChosen();
        });
}

void ComparisonPage::refresh() {
    const auto& entries = m_reports.entries();
    m_first->fill(entries.empty() ? 0 : entries[0].id);
    m_second->fill(entries.size() < 2 ? 0 : entries[1].id);
    // What was chosen by hand stays; the other box gives way.
    if (m_second->isChosen())
        m_first->giveWay(*m_second);
    else
        m_second->giveWay(*m_first);
    showChosen();
}

void ComparisonPage::showChosen() {
    const BenchmarkEntry* first = m_first->entry();
    const BenchmarkEntry* second = m_second->entry();
    if (!first || !second || first == second) {
        m_summary->setText(tr("A comparison needs two sets of results: run the benchmark, open a "
                              "file of another machine, or show the shipped results."),
                           Tone::Weak);
        m_sheet->setSheet({});
        return;
    }
    m_summary->setText(ratioSummary(first->report, second->report));
    m_sheet->setSheet(ratioSheet(first->report, second->report));
}

}  // namespace warpscope::gui
