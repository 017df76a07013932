#include "gui/benchmark/benchmark_pages.h"

#include <QFormLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include "engine/report/break_even.h"
#include "engine/report/report_tables.h"
#include "gui/benchmark/benchmark_sheets.h"
#include "gui/benchmark/sheet_view.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/translate.h"
#include "gui/widgets/wrap_label.h"

namespace warpscope::gui {
namespace {

constexpr int kExperimentWidth = 150;

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

BreakEvenPage::BreakEvenPage(const BenchmarkReports& reports) : m_reports(reports) {
    QVBoxLayout* column = pageColumn(this);
    auto* rule = new WrapLabel;
    rule->setObjectName(QStringLiteral("breakEvenRule"));
    rule->setText(engineText(drawRule()), Tone::Weak);
    column->addWidget(rule);
    m_none = new WrapLabel;
    m_none->setObjectName(QStringLiteral("breakEvenNone"));
    column->addWidget(m_none);
    m_sheet = new SheetView(QStringLiteral("breakEvenTable"), gui::tr("Break-even sizes in words"));
    column->addWidget(m_sheet, 1);
    column->addStretch();  // texts stay at the top where there is no table
}

void BreakEvenPage::refresh() {
    Sheet sheet = breakEvenSheet(m_reports.entries());
    QStringList why;
    const auto& entries = m_reports.entries();
    for (std::size_t i = 0; sheet.rows.empty() && i < entries.size(); ++i)
        if (entries[i].shown)
            why << QStringLiteral("%1: %2").arg(
                entryTag(i), engineText(noBreakEvenText(entries[i].report.results)));
    if (sheet.rows.empty() && why.isEmpty()) why << tr("Nothing is measured or shown yet.");
    m_none->setText(why.join(QLatin1Char('\n')), Tone::Warning);
    m_none->setVisible(!why.isEmpty());
    m_sheet->setVisible(!sheet.rows.empty());
    m_sheet->setSheet(std::move(sheet));
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
    auto* hint = new QHBoxLayout;
    hint->setContentsMargins(0, 0, 8, 0);
    m_missing = new WrapLabel;
    m_missing->setObjectName(QStringLiteral("publishedMissing"));
    hint->addWidget(m_missing, 1);
    m_time = new QPushButton(tr("&Time these rows"));
    m_time->setObjectName(QStringLiteral("timePublished"));
    m_time->setToolTip(
        tr("Runs all experiments of the source texts on the chosen backends; what "
           "is chosen on the left stays"));
    m_time->setAutoDefault(false);
    hint->addWidget(m_time);
    column->addLayout(hint);
    connect(m_time, &QPushButton::clicked, this, &PublishedPage::timingRequested);
    m_notRecorded = new WrapLabel;
    m_notRecorded->setObjectName(QStringLiteral("publishedNotRecorded"));
    column->addWidget(m_notRecorded);
    m_sheet = new SheetView(QStringLiteral("publishedTable"),
                            tr("Published figures of the source texts, and ours"));
    m_sheet->setWrapped(kExperimentWidth);
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
    if (m_recorded.empty()) {
        m_recorded = shippedEntries();
        QStringList none;
        for (const BenchmarkEntry& entry : m_recorded) none << notRecordedText(entry);
        m_notRecorded->setText(none.join(QLatin1Char(' ')), Tone::Weak);
    }
    showChosen();
}

void PublishedPage::setTimeable(bool timeable) {
    m_time->setEnabled(timeable);
}

QString PublishedPage::currentCommand() const {
    const BenchmarkEntry* entry = m_beside->entry();
    return publishedRowCommand(entry ? &entry->report : nullptr, m_recorded,
                               m_sheet->currentSheetRow());
}

void PublishedPage::showChosen() {
    const BenchmarkEntry* entry = m_beside->entry();
    m_sheet->setSheet(publishedSheet(entry ? &entry->report : nullptr, m_recorded));
    std::size_t all = 0, missing = 0;
    for (const PublishedComparison& line :
         publishedComparison(entry ? entry->report : TimingReport{})) {
        ++all;
        missing += !line.single.measured() && !line.cores.measured() && !line.gpu.measured();
    }
    bool dashes = false;
    for (const PublishedComparison& line :
         publishedComparison(entry ? entry->report : TimingReport{}))
        dashes |= !line.single.measured() || !line.cores.measured() || !line.gpu.measured();
    QString why;
    if (!entry)
        why = tr("— means that nothing was measured here yet.");
    else if (missing == all)
        why =
            tr("— means not timed: the experiments of the source texts were not among what these "
               "results timed.");
    else if (missing > 0)
        why = tr("— means not timed: %1 of %2 rows were not among what these results timed.")
                  .arg(missing)
                  .arg(all);
    else if (dashes)
        why = tr("— means not timed there, by choice or without a GPU.");
    m_missing->setText(why, missing > 0 ? Tone::Warning : Tone::Weak);
    m_missing->setVisible(!why.isEmpty());
    m_time->setVisible(missing > 0);
}

}  // namespace warpscope::gui
