#include "gui/timings/timings_panel.h"

#include <QApplication>
#include <QButtonGroup>
#include <QClipboard>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedLayout>
#include <QStackedWidget>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "engine/base/clock.h"
#include "engine/report/plot.h"
#include "engine/report/report_file.h"
#include "engine/report/report_text.h"
#include "gui/timings/timing_card_view.h"
#include "gui/timings/timing_chart.h"
#include "gui/timings/timing_tree.h"
#include "gui/timings/waterfall_view.h"
#include "gui/widgets/bench_command.h"
#include "gui/widgets/color_toggle.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/theme.h"
#include "gui/widgets/wrap_label.h"

namespace warpscope::gui {

namespace {

// From here on the card stands beside the other views, and buttons have words.
constexpr int kWidePanel = 760;
constexpr int kWideBar = 620;
// What the table needs for its most telling columns, and the card to stay readable.
constexpr int kTableWidth = 560;
constexpr int kLeastCard = 210;
// Figures of rows that are there get better with each burst of runs: shown this often.
constexpr int kFiguresMs = 100;

}  // namespace

TimingsPanel::TimingsPanel(Document& document, EngineBridge& bridge, QWidget* parent)
    : QWidget(parent), m_document(document), m_bridge(bridge) {
    const auto scrolled = [this](QWidget* widget) {
        auto* scroll = new QScrollArea(this);
        scroll->setAccessibleName(widget->accessibleName());
        scroll->setWidget(widget);
        scroll->setWidgetResizable(true);
        scroll->setFrameShape(QFrame::NoFrame);
        return scroll;
    };
    m_chart = new TimingChart(this);
    m_chart->setObjectName(QStringLiteral("timingsChart"));
    m_waterfall = new WaterfallView(this);
    m_waterfall->setObjectName(QStringLiteral("timingsWaterfall"));
    m_card = new TimingCardView(this);
    m_card->setObjectName(QStringLiteral("timingsCard"));
    m_tree = new TimingTree(this);
    m_views[kCard] = m_card;
    m_views[kTable] = m_tree;
    m_views[kBars] = scrolled(m_chart);
    m_views[kWaterfall] = scrolled(m_waterfall);
    m_stack = new QStackedWidget(this);
    for (QWidget* view : m_views) m_stack->addWidget(view);
    m_splitter = new QSplitter(Qt::Horizontal, this);
    m_splitter->addWidget(m_stack);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(1);

    auto* content = new QWidget(this);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(buildBar());
    column->addWidget(m_splitter, 1);

    m_emptyLabel = new QLabel(this);
    m_emptyLabel->setObjectName(QStringLiteral("timingsEmpty"));
    m_emptyLabel->setAlignment(Qt::AlignCenter);
    m_emptyLabel->setWordWrap(true);
    m_emptyLabel->setMargin(16);
    m_pages = new QStackedLayout(this);
    m_pages->addWidget(m_emptyLabel);
    m_pages->addWidget(content);
    connectAll();
    m_bridge.setCopyBandwidthWanted(true);
    applyTheme();
    chooseView(kCard);
    fitToWidth();
    onTimings();
}

QLayout* TimingsPanel::buildBar() {
    struct Chip {
        const char* name;
        QString text, help;
    };
    const Chip specs[kViews] = {
        {"timingsCardChip", tr("Card"), tr("Every figure of the selected step")},
        {"timingsTableChip", tr("Table"), tr("All steps of the pipeline")},
        {"timingsBarsChip", tr("Bars"), tr("All steps, for people who would rather look")},
        {"timingsWaterfallChip", tr("Waterfall"), tr("Where the time of the last run went")}};
    m_chosen = new QButtonGroup(this);
    QHBoxLayout* bar = m_bar = new QHBoxLayout;
    bar->setContentsMargins(8, 4, 8, 4);
    bar->setSpacing(4);
    for (int view = 0; view < kViews; ++view) {
        m_chips[view] = new ColorToggle(specs[view].text, specs[view].text, specs[view].help, this);
        m_chips[view]->setObjectName(QLatin1String(specs[view].name));
        m_chosen->addButton(m_chips[view], view);
        bar->addWidget(m_chips[view]);
    }
    connect(m_chosen, &QButtonGroup::idClicked, this, [this](int view) { chooseView(view); });

    m_stateLabel = new WrapLabel(this);
    m_stateLabel->setObjectName(QStringLiteral("timingsState"));
    m_logarithmic = new ColorToggle(tr("Log", "logarithmic"), tr("Logarithmic bars"),
                                    tr("Logarithmic bars: fast and slow beside each other"), this);
    m_logarithmic->setObjectName(QStringLiteral("timingsLog"));
    connect(m_logarithmic, &QToolButton::toggled, this,
            [this](bool on) { m_chart->setLogarithmic(on); });

    m_copy = new QToolButton(this);
    m_copy->setObjectName(QStringLiteral("timingsCopy"));
    m_copy->setText(tr("Copy"));
    m_copy->setToolTip(tr("Copy timings"));
    m_copy->setAutoRaise(true);
    m_copy->setPopupMode(QToolButton::InstantPopup);
    m_copy->setFocusPolicy(Qt::TabFocus);
    m_copy->setAccessibleName(tr("Copy timings"));
    auto* menu = new QMenu(m_copy);
    const auto add = [&](const char* name, const QString& text,
                         std::string (*format)(const TimingReport&)) {
        QAction* action = menu->addAction(text);
        action->setObjectName(QLatin1String(name));
        connect(action, &QAction::triggered, this, [this, format] { copyText(format); });
    };
    add("copyTable", tr("Copy as text"), &toTable);
    add("copyCsv", tr("Copy as CSV"), &toCsv);
    add("copyJson", tr("Copy as JSON"), static_cast<std::string (*)(const TimingReport&)>(&toJson));
    add("copyMarkdown", tr("Copy as Markdown"), &toMarkdown);
    menu->addSeparator();
    QAction* picture = menu->addAction(tr("Copy picture"), this, [this] {
        if (const auto shown = shownPicture()) copyPicture(*shown);
    });
    picture->setObjectName(QStringLiteral("copyTimingsPicture"));
    QAction* save = menu->addAction(tr("Save picture…"), this, [this] {
        if (const auto shown = shownPicture()) savePicture(this, *shown);
    });
    save->setObjectName(QStringLiteral("saveTimingsPicture"));
    m_commands = menu->addMenu(tr("Copy the command"));
    m_commands->setObjectName(QStringLiteral("copyTimingsCommand"));
    connect(menu, &QMenu::aboutToShow, this, [this, picture, save] {
        const auto shown = shownPicture();
        for (QAction* action : {picture, save}) action->setEnabled(shown && !shown->size.isEmpty());
        m_commands->clear();
        addCommands(m_commands);
        m_commands->setEnabled(!m_commands->isEmpty());
    });
    m_copy->setMenu(menu);

    m_again = new QPushButton(this);
    m_again->setObjectName(QStringLiteral("timingsAgain"));
    m_again->setAccessibleName(tr("Measure again"));
    m_again->setToolTip(tr("Measure again"));
    m_again->setAutoDefault(false);
    connect(m_again, &QPushButton::clicked, this, [this] {
        m_measuredBefore = false;
        m_bridge.requestTimings();
        updateState();
    });
    bar->addSpacing(4);
    bar->addWidget(m_stateLabel, 1);
    bar->addWidget(m_logarithmic);
    bar->addWidget(m_copy);
    bar->addWidget(m_again);
    return bar;
}

void TimingsPanel::connectAll() {
    connect(m_splitter, &QSplitter::splitterMoved, this, [this] { m_userSplit = true; });
    m_ageTimer.setInterval(1000);
    connect(&m_ageTimer, &QTimer::timeout, this, [this] { updateState(); });
    connect(m_card, &TimingCardView::menuWanted, this, [this](QMenu* menu) {
        QMenu* commands = menu->addMenu(tr("Copy the command"));
        addCommands(commands);
        commands->setEnabled(!commands->isEmpty());
    });
    connect(m_card, &TimingCardView::differenceRequested, this,
            [this](std::size_t step, BackendKind backend) {
                m_bridge.requestDifference(step, backend);
            });
    auto* figures = new QTimer(this);
    figures->setSingleShot(true);
    figures->setInterval(kFiguresMs);
    connect(figures, &QTimer::timeout, this, &TimingsPanel::onTimings);
    connect(&m_bridge, &EngineBridge::timingsChanged, this,
            [this, figures, shown = std::pair<std::size_t, std::uint64_t>()]() mutable {
                const auto& rows = m_bridge.timings();
                const std::pair now(rows.size(), rows.empty() ? 0 : rows.front().revision);
                if (now != std::exchange(shown, now) || rows.empty() || rows.back().last) {
                    figures->stop();
                    onTimings();
                } else if (!figures->isActive()) {
                    figures->start();
                }
            });
    connect(&m_bridge, &EngineBridge::copyBandwidthReady, this, [this] { showRows(); });
    connect(&m_bridge, &EngineBridge::fullReady, this, [this] { showWaterfall(); });
    connect(&m_bridge, &EngineBridge::progressChanged, this, [this](double, const QString& what) {
        const bool now = what.contains(QLatin1String("Timing"), Qt::CaseInsensitive);
        if (now == m_measuring) return;
        m_measuring = now;
        updateState();
    });
    connect(&m_bridge, &EngineBridge::busyChanged, this, [this](bool busy) {
        if (!busy) m_measuring = false;
        updateState();
    });
    for (const auto signal :
         {&EngineBridge::analysisProblemChanged, &EngineBridge::histogramsReady})
        connect(&m_bridge, signal, this, [this] { updateState(); });
    connect(&m_bridge, &EngineBridge::staleChanged, this, [this] { updateState(); });
    connect(&m_bridge, &EngineBridge::backendsReady, this, [this] { updateState(); });
    connect(&m_document, &Document::sourceChanged, this, [this] {
        m_measuredBefore = false;
        updateState();
        showWaterfall();
    });
    connect(&m_document, &Document::pipelineChanged, this, [this] { updateState(); });
    connect(&m_document, &Document::currentStepChanged, this, [this] { showCard(); });
    connect(&m_bridge, &EngineBridge::peekChanged, this, [this] { showCard(); });
    connect(&Theme::instance(), &Theme::changed, this, [this] { applyTheme(); });
}

void TimingsPanel::applyTheme() {
    const ThemeColors& colors = Theme::instance().colors();
    QPalette weak = palette();
    weak.setColor(QPalette::WindowText, colors.weakText);
    m_emptyLabel->setPalette(weak);
    m_stateLabel->setFont(Theme::instance().figureFont());
    m_tree->setStyleSheet(
        QStringLiteral("QTreeView::item { padding: 1px 6px; }"
                       "QHeaderView::section { padding: 3px 6px; border: none; "
                       "border-bottom: 1px solid %1; background: %2; color: %3; }")
            .arg(colors.border.name(), colors.base.name(), colors.weakText.name()));
    QPalette base = palette();
    base.setColor(QPalette::Window, colors.base);
    for (const View view : {kBars, kWaterfall}) {
        QWidget* viewport = static_cast<QScrollArea*>(m_views[view])->viewport();
        viewport->setPalette(base);
        viewport->setAutoFillBackground(true);
    }
    m_copy->setIcon(Theme::instance().icon(QStringLiteral("copy")));
    m_again->setIcon(Theme::instance().icon(QStringLiteral("refresh")));
    m_tree->fitColumns();
}

void TimingsPanel::chooseView(int view) {
    if (m_wide && view == kCard) view = kTable;
    m_chips[view]->setChecked(true);
    m_stack->setCurrentWidget(m_views[view]);
    m_logarithmic->setVisible(view == kBars);
}

// The card beside the others where both have room, else as the first of them.
void TimingsPanel::fitToWidth() {
    const int width = this->width();
    const auto setWords = [this](bool words) {
        m_copy->setToolButtonStyle(words ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
        m_again->setText(words ? tr("Measure again") : QString());
    };
    // Words must not keep the panel from getting narrower.
    setWords(false);
    for (QWidget* button : {static_cast<QWidget*>(m_copy), static_cast<QWidget*>(m_again)})
        button->setMinimumWidth(button->minimumSizeHint().width());
    setWords(true);
    int needed = 0;
    for (int i = 0; i < m_bar->count(); ++i)
        if (QWidget* part = m_bar->itemAt(i)->widget(); part && !part->isHidden())
            needed += m_bar->spacing() + (part == m_stateLabel ? part->minimumSizeHint().width()
                                                               : part->sizeHint().width());
    if (width < std::max(kWideBar, needed)) setWords(false);
    if (m_wide == (width >= kWidePanel)) {
        splitWidth();
        return;
    }
    m_wide = width >= kWidePanel;
    m_chips[kCard]->setVisible(!m_wide);
    if (m_wide) {
        if (m_chosen->checkedId() == kCard) chooseView(kTable);
        m_splitter->insertWidget(0, m_card);
        m_card->show();
        splitWidth();
    } else {
        m_stack->insertWidget(0, m_card);
        chooseView(kCard);
    }
}

QSize TimingsPanel::minimumSizeHint() const {
    int width = 0;
    for (int i = 0; i < m_bar->count(); ++i)
        if (QWidget* part = m_bar->itemAt(i)->widget(); part && part != m_logarithmic)
            width += m_bar->spacing() + (part == m_copy || part == m_again
                                             ? part->minimumWidth()
                                             : part->minimumSizeHint().width());
    const QMargins margins = m_bar->contentsMargins();
    return {width + margins.left() + margins.right(),
            m_bar->sizeHint().height() + 2 * fontMetrics().height()};
}

// Nearly half for the card where the table has what it needs.
void TimingsPanel::splitWidth() {
    if (!m_wide || m_userSplit) return;
    const int card = std::max(kLeastCard, std::min(width() * 9 / 20, width() - kTableWidth));
    m_splitter->setSizes({card, width() - card});
}

MachineInfo TimingsPanel::machine() const {
    return m_bridge.backends() ? machineInfo(*m_bridge.backends(), m_bridge.copyBandwidth())
                               : MachineInfo{};
}

void TimingsPanel::onTimings() {
    const auto& rows = m_bridge.timings();
    // Figures may be shown after the stop that ended them.
    m_measuring = m_bridge.busy() && !rows.empty() && !rows.back().last;
    if (!rows.empty()) {
        m_sinceLast.start();
        m_measuredBefore = true;
    }
    showRows();
}

void TimingsPanel::showRows() {
    const auto& rows = m_bridge.timings();
    const TimingTable table =
        buildTimingTable(rows, m_bridge.backends() && m_bridge.backends()->cuda, machine());
    m_tree->setTable(table);
    m_chart->setBars(table.bars);
    updateState();
}

void TimingsPanel::showCard() {
    const auto& rows = m_bridge.timings();
    const int current = m_document.currentStep();
    // With no step selected, and for an analysis alone: what there is first.
    const std::size_t wanted = current >= 0   ? std::size_t(current)
                               : rows.empty() ? 0
                                              : rows.front().stepIndex;
    std::vector<TimingReady> own;
    for (const TimingReady& row : rows)
        if (row.stepIndex == wanted) own.push_back(row);
    const auto& steps = m_document.pipeline().steps;
    if (!own.empty())
        m_card->setCard(
            buildTimingCard(own, m_bridge.backends() && m_bridge.backends()->cuda, machine()));
    else if (m_bridge.peek() && wanted > std::size_t(*m_bridge.peek()) && wanted < steps.size())
        m_card->setNotice(tr("The look at step %1 leaves this step out: it is not timed.")
                              .arg(*m_bridge.peek() + 1));
    else if (wanted < steps.size() && !steps[wanted].enabled)
        m_card->setNotice(tr("This step is off: it is not timed."));
    else if (std::ranges::any_of(m_bridge.stepReports(), [&](const StepReport& report) {
                 return report.stepIndex == wanted && !report.problem.empty();
             }))
        m_card->setNotice(tr("This step is passed over: it is not timed."));
    else
        m_card->setNotice(timingStateText(state()));
}

void TimingsPanel::showWaterfall() {
    const auto& run = m_bridge.lastRun();
    const QString empty = tr("No run yet: it is drawn here as soon as a chain has run.");
    if (!run) {
        m_waterfall->setWaterfall({}, empty);
        return;
    }
    const bool drawn = m_draw && m_drawnRevision == run->revision;
    m_waterfall->setWaterfall(buildWaterfall(run->events, drawn ? m_draw : std::nullopt,
                                             m_document.pipeline(), m_bridge.stepReports()),
                              empty);
}

TimingState TimingsPanel::state() const {
    TimingState s;
    s.hasImage = m_document.source() != nullptr;
    s.hasGpu = m_bridge.backends() && m_bridge.backends()->cuda;
    std::vector<std::size_t> enabled;
    const auto& steps = m_document.pipeline().steps;
    for (std::size_t i = 0; i < steps.size(); ++i)
        if (steps[i].enabled) enabled.push_back(i);
    s.steps = int(enabled.size()) + (m_bridge.histogramTimed() ? 1 : 0);
    const auto& rows = m_bridge.timings();
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
    s.measuring = m_measuring;
    s.paused = m_bridge.paused();
    s.problem = m_bridge.timingsProblem();
    s.measuredBefore = m_measuredBefore;
    s.ageMs = m_sinceLast.isValid() ? m_sinceLast.elapsed() : 0;
    return s;
}

void TimingsPanel::updateState() {
    const TimingState s = state();
    const QString empty = timingEmptyText(s);
    m_emptyLabel->setText(empty);
    m_pages->setCurrentIndex(empty.isEmpty() ? 1 : 0);
    m_stateLabel->setText(timingStateText(s), s.problem.isEmpty() ? Tone::Weak : Tone::Warning);
    showCard();
    m_copy->setEnabled(!m_bridge.timings().empty());
    m_again->setEnabled(s.hasImage && s.steps > 0 && !s.measuring);
    if (s.complete && !m_ageTimer.isActive()) m_ageTimer.start();
    if (!s.complete) m_ageTimer.stop();
}

std::optional<Picture> TimingsPanel::shownPicture() const {
    switch (m_chosen->checkedId()) {
        case kBars:
            return m_chart->picture();
        case kWaterfall:
            return m_waterfall->picture();
        default:
            return m_card->picture();
    }
}

// A line a place where the step of the card was measured. On the image at hand, by its file; the
// steps before it are not run then.
void TimingsPanel::addCommands(QMenu* menu) {
    for (const TimingReady& one : m_bridge.timings()) {
        if (one.stepIndex != m_card->card().stepIndex || !one.timing.measured()) continue;
        StepTiming row = one.timing;
        row.imageName = m_document.filePath().toStdString();
        row.stepIndex = 0;
        const QString command = commandLineOf(row);
        QAction* action = menu->addAction(engineText(placeText(row)), this, [command] {
            QApplication::clipboard()->setText(command);
        });
        action->setEnabled(!command.isEmpty());
        action->setObjectName(QString::fromStdString("copyCommand-" + row.backendRequested.id()));
    }
}

void TimingsPanel::copyText(std::string (*format)(const TimingReport&)) {
    const TimingReport report =
        timingReport(m_bridge.timings(), m_bridge.backends(), m_bridge.copyBandwidth());
    QApplication::clipboard()->setText(QString::fromStdString(format(report)));
}

void TimingsPanel::resultPainted() {
    const auto& run = m_bridge.lastRun();
    if (!run || m_bridge.shownRevision() != run->revision || m_drawnRevision == run->revision)
        return;
    m_drawnRevision = run->revision;
    m_draw = DrawTime{double(run->arrivedNs - run->begunNs) * 1e-6,
                      double(steadyClock().nowNs() - run->arrivedNs) * 1e-6};
    showWaterfall();
}

void TimingsPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitToWidth();
}

}  // namespace warpscope::gui
