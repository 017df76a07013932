#include "gui/timings/timings_panel.h"

#include <QApplication>
#include <QButtonGroup>
#include <QClipboard>
#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QStackedLayout>
#include <QStackedWidget>
#include <QToolButton>
#include <QTreeView>
#include <algorithm>

#include "engine/base/clock.h"
#include "engine/measure/timing_report.h"
#include "gui/timings/timing_card_view.h"
#include "gui/timings/timing_chart.h"
#include "gui/timings/timing_item_model.h"
#include "gui/timings/timings_panel_state.h"
#include "gui/timings/waterfall_view.h"
#include "gui/widgets/chip_button.h"
#include "gui/widgets/theme.h"
#include "gui/widgets/wrap_label.h"

namespace warpscope::gui {

namespace {

// From here on the card stands beside the other views, and buttons have words.
constexpr int kWidePanel = 760;
constexpr int kWideBar = 620;

}  // namespace

void TimingsPanel::State::chooseView(int view) {
    if (wide && view == kCard) view = kTable;
    chips[view]->setChecked(true);
    stack->setCurrentWidget(views[view]);
    logarithmic->setVisible(view == kBars);
}

// The card beside the others where both have room, else as the first of them.
void TimingsPanel::State::fitToWidth() {
    const int width = panel.width();
    const bool words = width >= kWideBar;
    copy->setToolButtonStyle(words ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
    again->setText(words ? tr("Measure again") : QString());
    if (wide == (width >= kWidePanel)) return;
    wide = width >= kWidePanel;
    chips[kCard]->setVisible(!wide);
    if (wide) {
        if (chosen->checkedId() == kCard) chooseView(kTable);
        splitter->insertWidget(0, card);
        card->show();
        splitter->setStretchFactor(0, 2);
        splitter->setStretchFactor(1, 3);
        splitter->setSizes({width * 9 / 20, width * 11 / 20});
    } else {
        stack->insertWidget(0, card);
        chooseView(kCard);
    }
}

MachineInfo TimingsPanel::State::machine() const {
    return bridge.backends() ? machineInfo(*bridge.backends(), bridge.copyBandwidth())
                             : MachineInfo{};
}

void TimingsPanel::State::onTimings() {
    const auto& rows = bridge.timings();
    measuring = !rows.empty() && !rows.back().last;
    if (!rows.empty()) {
        sinceLast.start();
        measuredBefore = true;
    }
    showRows();
}

void TimingsPanel::State::showRows() {
    const auto& rows = bridge.timings();
    const TimingTable table =
        buildTimingTable(rows, bridge.backends() && bridge.backends()->cuda, machine());
    items->setTable(table);
    tree->expandAll();
    for (int g = 0; g < items->rowCount(); ++g) {
        tree->setFirstColumnSpanned(g, {}, true);
        const QModelIndex step = items->index(g, 0);
        for (int row = 0; row < items->rowCount(step); ++row)
            tree->setFirstColumnSpanned(row, step,
                                        items->line(items->index(row, 0, step))->spanned);
    }
    chart->setBars(table.bars);
    fitColumns();
    updateState();
}

void TimingsPanel::State::showCard() {
    const auto& rows = bridge.timings();
    const int current = document.currentStep();
    // With no step selected, and for an analysis alone: what there is first.
    const std::size_t wanted = current >= 0   ? std::size_t(current)
                               : rows.empty() ? 0
                                              : rows.front().stepIndex;
    std::vector<TimingReady> own;
    for (const TimingReady& row : rows)
        if (row.stepIndex == wanted) own.push_back(row);
    const auto& steps = document.pipeline().steps;
    if (!own.empty())
        card->setCard(
            buildTimingCard(own, bridge.backends() && bridge.backends()->cuda, machine()));
    else if (wanted < steps.size() && !steps[wanted].enabled)
        card->setNotice(tr("This step is off: it is not timed."));
    else
        card->setNotice(timingStateText(state()));
}

void TimingsPanel::State::showWaterfall() {
    const auto& run = bridge.lastRun();
    const QString empty = tr("No run yet: it is drawn here as soon as a chain has run.");
    if (!run) {
        waterfall->setWaterfall({}, empty);
        return;
    }
    const bool drawn = draw && drawnRevision == run->revision;
    waterfall->setWaterfall(buildWaterfall(run->events, drawn ? draw : std::nullopt,
                                           document.pipeline(), bridge.stepReports()),
                            empty);
}

// Columns as wide as what stands in them, as many as there is room for, the most telling first. A
// sentence goes over all of them.
void TimingsPanel::State::fitColumns() {
    QHeaderView* header = tree->header();
    const QFontMetrics figures(Theme::instance().figureFont());
    int widths[kTimingColumns] = {};
    for (int column = 0; column < kTimingColumns; ++column)
        widths[column] = header->sectionSizeHint(column);
    for (const TimingGroup& group : items->table().groups)
        for (const TimingLine& line : group.lines)
            for (int column = 0; column < kTimingColumns && !line.spanned; ++column) {
                const int decoration =
                    column == 0 ? 2 * tree->indentation() + kTimingSwatch + 12 : 0;
                widths[column] =
                    std::max(widths[column],
                             figures.horizontalAdvance(line.cells[std::size_t(column)].text) + 22 +
                                 decoration);
            }
    const int room = tree->viewport()->width();
    int total = 0, shown = 0;
    while (shown < kTimingColumns && (shown < 2 || total + widths[shown] <= room))
        total += widths[shown++];
    // The first two always; the last one shown takes what is left.
    for (int column = 0; column < kTimingColumns; ++column) {
        const bool visible = column < shown;
        if (header->isSectionHidden(column) == visible) header->setSectionHidden(column, !visible);
        const int width = widths[column] + (column == shown - 1 ? std::max(0, room - total) : 0);
        if (visible && header->sectionSize(column) != width) header->resizeSection(column, width);
    }
    QStringList hidden;
    for (int column = shown; column < kTimingColumns; ++column)
        hidden << timingColumnTitle(TimingColumn(column));
    header->setToolTip(hidden.isEmpty() ? QString()
                                        : tr("No room here for: %1. The card has them.")
                                              .arg(hidden.join(QStringLiteral(", "))));
}

TimingState TimingsPanel::State::state() const {
    TimingState s;
    s.hasImage = document.source() != nullptr;
    std::vector<std::size_t> enabled;
    const auto& steps = document.pipeline().steps;
    for (std::size_t i = 0; i < steps.size(); ++i)
        if (steps[i].enabled) enabled.push_back(i);
    s.steps = int(enabled.size()) + (bridge.histogramTimed() ? 1 : 0);
    const auto& rows = bridge.timings();
    if (!rows.empty()) {
        // The step of the last row may still have backends to come: three rows make it done.
        const std::size_t current = rows.back().stepIndex;
        s.stepsDone = int(std::count_if(enabled.begin(), enabled.end(),
                                        [&](std::size_t step) { return step < current; }));
        const auto ofCurrent = std::count_if(
            rows.begin(), rows.end(), [&](const TimingReady& r) { return r.stepIndex == current; });
        if (ofCurrent >= 3) ++s.stepsDone;
        s.complete = rows.back().last;
    }
    s.measuring = measuring;
    s.paused = bridge.paused();
    s.problem = bridge.timingsProblem();
    s.measuredBefore = measuredBefore;
    s.ageMs = sinceLast.isValid() ? sinceLast.elapsed() : 0;
    return s;
}

void TimingsPanel::State::updateState() {
    const TimingState s = state();
    const QString empty = timingEmptyText(s);
    emptyLabel->setText(empty);
    pages->setCurrentIndex(empty.isEmpty() ? 1 : 0);
    stateLabel->setText(timingStateText(s), s.problem.isEmpty() ? Tone::Weak : Tone::Warning);
    showCard();
    copy->setEnabled(!bridge.timings().empty());
    again->setEnabled(s.hasImage && s.steps > 0 && !s.measuring);
    if (s.complete && !ageTimer.isActive()) ageTimer.start();
    if (!s.complete) ageTimer.stop();
}

void TimingsPanel::State::copyText(std::string (*format)(const TimingReport&)) {
    const TimingReport report =
        timingReport(bridge.timings(), bridge.backends(), bridge.copyBandwidth());
    QApplication::clipboard()->setText(QString::fromStdString(format(report)));
}

TimingsPanel::TimingsPanel(Document& document, EngineBridge& bridge, QWidget* parent)
    : QWidget(parent), m_state(std::make_unique<State>(*this, document, bridge)) {
    m_state->build();
}

TimingsPanel::~TimingsPanel() = default;

void TimingsPanel::resultPainted() {
    State& s = *m_state;
    const auto& run = s.bridge.lastRun();
    if (!run || s.bridge.shownRevision() != run->revision || s.drawnRevision == run->revision)
        return;
    s.drawnRevision = run->revision;
    s.draw = DrawTime{double(run->arrivedNs - run->begunNs) * 1e-6,
                      double(steadyClock().nowNs() - run->arrivedNs) * 1e-6};
    s.showWaterfall();
}

void TimingsPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_state->fitToWidth();
}

bool TimingsPanel::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize) m_state->fitColumns();
    return QWidget::eventFilter(watched, event);
}

}  // namespace warpscope::gui
