#include "gui/benchmark/repeat_page.h"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QVBoxLayout>
#include <map>

#include "gui/benchmark/benchmark_pages.h"
#include "gui/benchmark/benchmark_sheets.h"
#include "gui/benchmark/sheet_view.h"
#include "gui/widgets/bench_command.h"
#include "gui/widgets/wrap_label.h"

namespace warpscope::gui {
namespace {

QString percent(double part) {
    return QString::number(100 * part, 'f', 1);
}

}  // namespace

RepeatPage::RepeatPage(const BenchmarkReports& reports) : m_reports(reports) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 0, 0);
    column->setSpacing(8);
    auto* form = new QFormLayout;
    form->setContentsMargins(0, 0, 8, 0);
    m_then = new ReportBox(reports, QStringLiteral("repeatThen"), tr("The earlier run"));
    m_now = new ReportBox(reports, QStringLiteral("repeatNow"), tr("The later run"));
    form->addRow(tr("T&hen"), m_then);
    form->addRow(tr("No&w"), m_now);
    column->addLayout(form);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(0, 0, 8, 0);
    m_tolerance = new QDoubleSpinBox;
    m_tolerance->setObjectName(QStringLiteral("repeatTolerance"));
    m_tolerance->setAccessibleName(tr("A change above this counts as moved"));
    m_tolerance->setPrefix(tr("moved above "));
    m_tolerance->setSuffix(tr("%"));
    m_tolerance->setDecimals(1);
    m_tolerance->setRange(0.1, 100);
    m_tolerance->setValue(5);
    m_all = new QCheckBox(tr("&All figures"));
    m_all->setObjectName(QStringLiteral("repeatAll"));
    m_all->setToolTip(tr("Those that came out again, too"));
    row->addWidget(m_tolerance);
    row->addWidget(m_all);
    row->addStretch(1);
    column->addLayout(row);
    m_summary = new WrapLabel;
    m_summary->setObjectName(QStringLiteral("repeatSummary"));
    column->addWidget(m_summary);
    m_sheet = new SheetView(QStringLiteral("repeatTable"), tr("Figures of two runs"));
    column->addWidget(m_sheet, 1);
    for (ReportBox* box : {m_then, m_now})
        connect(box, &QComboBox::activated, this, &RepeatPage::showChosen);
    connect(m_tolerance, &QDoubleSpinBox::valueChanged, this, &RepeatPage::showChosen);
    connect(m_all, &QCheckBox::toggled, this, &RepeatPage::showChosen);
}

void RepeatPage::choose(int then, int now) {
    m_then->choose(then);
    m_now->choose(now);
    refresh();
}

QString RepeatPage::currentCommand() const {
    const RepeatedFigure* figure =
        repeatRowOrigin(m_check, m_all->isChecked(), m_sheet->currentSheetRow());
    const BenchmarkEntry* now = m_now->entry();
    return figure && now ? commandLineOf(figure->now, now->report.command) : QString();
}

void RepeatPage::refresh() {
    const auto& entries = m_reports.entries();
    m_then->fill(entries.empty() ? 0 : entries[0].id);
    m_now->fill(entries.empty() ? 0 : entries.back().id);
    showChosen();
}

void RepeatPage::showChosen() {
    const BenchmarkEntry *then = m_then->entry(), *now = m_now->entry();
    if (!then || !now || then == now) {
        m_check = {};
        m_summary->setText(tr("Choose two runs of the same benchmark: \"Run again\" below the list "
                              "of results repeats one of this machine."),
                           Tone::Weak);
        m_sheet->setSheet({});
        return;
    }
    m_check = checkRepeat(then->report, now->report, m_tolerance->value() / 100);
    // Places in the order of the report.
    std::vector<std::pair<QString, RepeatCheck>> places;
    for (const RepeatedFigure& figure : m_check.figures) {
        const QString name = figurePlace(figure);
        auto found = std::find_if(places.begin(), places.end(),
                                  [&](const auto& place) { return place.first == name; });
        if (found == places.end()) found = places.insert(places.end(), {name, {}});
        found->second.figures.push_back(figure);
    }
    QVector<TextPiece> pieces;
    const auto add = [&](const QString& name, const RepeatCheck& part) {
        const std::size_t steady = part.figures.size() - part.noisy();
        QString said = tr("%1: %2 of %3 figures moved; median change %4%, largest %5%")
                           .arg(name)
                           .arg(part.moved())
                           .arg(steady)
                           .arg(percent(part.medianChange()), percent(part.largestChange()));
        if (part.noisy() > 0) said += tr("; %1 noisy ones apart").arg(part.noisy());
        if (!pieces.isEmpty()) said.prepend(QLatin1Char('\n'));
        pieces.append({said, part.moved() > 0 ? Tone::Warning : Tone::Text, {}});
    };
    for (const auto& [name, part] : places) add(name, part);
    if (places.size() > 1) add(tr("All"), m_check);
    if (m_check.missing > 0)
        pieces.append({tr("\n%1 rows have no figure in the later run.").arg(m_check.missing),
                       Tone::Warning,
                       {}});
    if (pieces.isEmpty())
        pieces.append({tr("These two have no figure in common."), Tone::Warning, {}});
    m_summary->setPieces(pieces);
    m_sheet->setSheet(repeatSheet(m_check, m_all->isChecked()));
}

}  // namespace warpscope::gui
