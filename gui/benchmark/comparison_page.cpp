#include "gui/benchmark/comparison_page.h"

#include <QGridLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSplitter>
#include <QVBoxLayout>

#include "engine/operations/registry.h"
#include "gui/benchmark/benchmark_pages.h"
#include "gui/benchmark/benchmark_sheets.h"
#include "gui/benchmark/log_chart.h"
#include "gui/benchmark/sheet_view.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/wrap_label.h"

namespace warpscope::gui {
namespace {

constexpr int kFreely = -1;  // of a box: nothing is chosen

// Entries by their text, so that a choice outlives other results.
void refill(QComboBox& box, const QString& freely, const QStringList& texts) {
    const QString before = box.currentIndex() > 0 ? box.currentText() : QString();
    const QSignalBlocker quiet(&box);
    box.clear();
    box.addItem(freely, kFreely);
    for (qsizetype i = 0; i < texts.size(); ++i) box.addItem(texts[i], int(i));
    const int at = before.isEmpty() ? 0 : box.findText(before);
    box.setCurrentIndex(at > 0 ? at : 0);
}

template <class T>
std::optional<T> chosenOf(const QComboBox& box, const std::vector<T>& list) {
    const int at = box.currentData().toInt();
    if (box.currentIndex() < 1 || at < 0 || std::size_t(at) >= list.size()) return std::nullopt;
    return list[std::size_t(at)];
}

}  // namespace

ComparisonPage::ComparisonPage(const BenchmarkReports& reports) : m_reports(reports) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 0, 0);
    column->setSpacing(8);
    auto* grid = new QGridLayout;
    grid->setContentsMargins(0, 0, 8, 0);
    grid->setColumnStretch(1, 5);
    for (const int c : {2, 3, 4}) grid->setColumnStretch(c, 2);
    m_left = addSide(*grid, 0, tr("&Left"), QStringLiteral("compareFirst"));
    m_right = addSide(*grid, 1, tr("Ri&ght"), QStringLiteral("compareSecond"));
    column->addLayout(grid);
    m_summary = new WrapLabel;
    m_summary->setObjectName(QStringLiteral("ratioSummary"));
    column->addWidget(m_summary);
    m_chart = new LogChart;
    m_chart->setObjectName(QStringLiteral("ratioChart"));
    m_chart->setAccessibleName(tr("Ratio against image size"));
    m_sheet = new SheetView(QStringLiteral("comparisonTable"), tr("Ratios of two sets of results"));
    m_splitter = new QSplitter(Qt::Vertical);
    m_splitter->addWidget(m_chart);
    m_splitter->addWidget(m_sheet);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setSizes({300, 260});
    column->addWidget(m_splitter, 1);
    const auto follow = [this](SideBoxes& chosen, SideBoxes& other) {
        connect(chosen.report, &QComboBox::activated, this,
                [this, &chosen, &other] { onReportChosen(chosen, other); });
        for (QComboBox* box : {chosen.place, chosen.variant, chosen.size})
            connect(box, &QComboBox::activated, this, &ComparisonPage::showChosen);
    };
    follow(m_left, m_right);
    follow(m_right, m_left);
}

ComparisonPage::SideBoxes ComparisonPage::addSide(QGridLayout& grid, int row, const QString& title,
                                                  const QString& name) {
    SideBoxes boxes;
    const QString side = QString(title).remove(QLatin1Char('&'));
    auto* label = new QLabel(title);
    boxes.report = new ReportBox(m_reports, name, tr("%1 results").arg(side));
    label->setBuddy(boxes.report);
    grid.addWidget(label, row, 0);
    grid.addWidget(boxes.report, row, 1);
    const auto box = [&](int at, const char* suffix, const QString& spoken, const QString& help) {
        auto* made = new QuietComboBox;
        made->setObjectName(name + QLatin1String(suffix));
        made->setAccessibleName(QStringLiteral("%1, %2").arg(side, spoken));
        made->setToolTip(help);
        grid.addWidget(made, row, at);
        return made;
    };
    boxes.place = box(2, "Place", tr("place"),
                      tr("Where it was measured; without a choice as on the other side"));
    boxes.variant =
        box(3, "Variant", tr("variant"), tr("The variant; without a choice as on the other side"));
    boxes.size = box(4, "Size", tr("size"), tr("The size; without a choice as on the other side"));
    return boxes;
}

// Nothing is compared with itself: the other box gives way, unless something else tells the sides
// apart.
void ComparisonPage::onReportChosen(SideBoxes& chosen, SideBoxes& other) {
    fillBoxes(chosen);
    if (sideOf(chosen).chosenAlike(sideOf(other))) other.report->giveWay(*chosen.report);
    fillBoxes(other);
    showChosen();
}

void ComparisonPage::fillBoxes(SideBoxes& side) {
    const BenchmarkEntry* entry = side.report->entry();
    QStringList places, variants, sizes;
    if (entry) {
        for (const Place& place : placesOf(entry->report))
            places << placeName(entry->report, place);
        for (const std::string& variant : variantsOf(entry->report))
            variants << QString::fromStdString(variant);
        for (const Size& size : sizesOf(entry->report)) sizes << sizeText(size);
    }
    refill(*side.place, tr("Same place"), places);
    refill(*side.variant, tr("Same variant"), variants);
    refill(*side.size, tr("Same size"), sizes);
}

ComparedSide ComparisonPage::sideOf(const SideBoxes& boxes) const {
    ComparedSide side;
    side.entry = boxes.report->entry();
    if (!side.entry) return side;
    side.place = chosenOf(*boxes.place, placesOf(side.entry->report));
    side.variant = chosenOf(*boxes.variant, variantsOf(side.entry->report));
    side.size = chosenOf(*boxes.size, sizesOf(side.entry->report));
    return side;
}

void ComparisonPage::refresh() {
    const auto& entries = m_reports.entries();
    m_left.report->fill(entries.empty() ? 0 : entries[0].id);
    m_right.report->fill(entries.size() < 2 ? 0 : entries[1].id);
    fillBoxes(m_left);
    fillBoxes(m_right);
    // What was chosen by hand stays; the other box gives way.
    if (sideOf(m_left).chosenAlike(sideOf(m_right))) {
        if (m_right.report->isChosen())
            m_left.report->giveWay(*m_right.report);
        else
            m_right.report->giveWay(*m_left.report);
        fillBoxes(m_left);
        fillBoxes(m_right);
    }
    showChosen();
}

void ComparisonPage::showChosen() {
    const ComparedSide left = sideOf(m_left), right = sideOf(m_right);
    const bool two =
        left.entry && right.entry && (left.entry != right.entry || !left.chosenAlike(right));
    m_pairing = two ? pairRows(left, right) : Pairing{};
    if (!two)
        m_summary->setText(
            tr("A comparison needs two different sides: run the benchmark, open a file of another "
               "machine or show the shipped results, or choose two places, variants or sizes of "
               "one set of results."),
            Tone::Weak);
    else
        m_summary->setText(pairingSummary(m_pairing, left, right),
                           m_pairing.rows.empty() ? Tone::Warning : Tone::Text);
    m_sheet->setSheet(pairSheet(m_pairing));
    m_chart->setContent(two ? pairingChart(m_pairing, left, right) : ChartContent{});
    m_chart->setVisible(!m_pairing.rows.empty());
    m_sheet->setVisible(!m_projecting || m_pairing.rows.empty());
    emit chartChanged();
}

void ComparisonPage::setProjecting(bool on) {
    m_projecting = on;
    m_chart->setProjected(on);
    showChosen();
}

}  // namespace warpscope::gui
