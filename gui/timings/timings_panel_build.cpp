// What the panel is put together from.
#include <QButtonGroup>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedLayout>
#include <QStackedWidget>
#include <QStyledItemDelegate>
#include <QToolButton>
#include <QTreeView>

#include "engine/report/report_file.h"
#include "engine/report/report_text.h"
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

// A colour swatch as decoration, small enough for a dense table.
class LineDelegate : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        option->decorationSize = QSize(kTimingSwatch, kTimingSwatch);
        // A sentence over all columns ends in dots where it must; its tool tip has all of it.
        option->textElideMode = index.column() == 0 ? Qt::ElideRight : Qt::ElideNone;
    }
};

}  // namespace

QLayout* TimingsPanel::State::buildBar() {
    struct Chip {
        const char* name;
        QString text, help;
    };
    const Chip specs[kViews] = {
        {"timingsCardChip", tr("Card"), tr("Every figure of the selected step")},
        {"timingsTableChip", tr("Table"), tr("All steps of the pipeline")},
        {"timingsBarsChip", tr("Bars"), tr("All steps, for people who would rather look")},
        {"timingsWaterfallChip", tr("Waterfall"), tr("Where the time of the last run went")}};
    chosen = new QButtonGroup(&panel);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 4, 8, 4);
    bar->setSpacing(4);
    for (int view = 0; view < kViews; ++view) {
        chips[view] = new ChipButton(specs[view].text, specs[view].text, specs[view].help, &panel);
        chips[view]->setObjectName(QLatin1String(specs[view].name));
        chosen->addButton(chips[view], view);
        bar->addWidget(chips[view]);
    }
    connect(chosen, &QButtonGroup::idClicked, &panel, [this](int view) { chooseView(view); });

    stateLabel = new WrapLabel(&panel);
    stateLabel->setObjectName(QStringLiteral("timingsState"));
    logarithmic = new ChipButton(tr("Log"), tr("Logarithmic bars"),
                                 tr("Logarithmic bars: fast and slow beside each other"), &panel);
    logarithmic->setObjectName(QStringLiteral("timingsLog"));
    connect(logarithmic, &QToolButton::toggled, &panel,
            [this](bool on) { chart->setLogarithmic(on); });

    copy = new QToolButton(&panel);
    copy->setObjectName(QStringLiteral("timingsCopy"));
    copy->setText(tr("Copy"));
    copy->setToolTip(tr("Copy timings"));
    copy->setAutoRaise(true);
    copy->setPopupMode(QToolButton::InstantPopup);
    copy->setFocusPolicy(Qt::TabFocus);
    copy->setAccessibleName(tr("Copy timings"));
    auto* menu = new QMenu(copy);
    const auto add = [&](const char* name, const QString& text,
                         std::string (*format)(const TimingReport&)) {
        QAction* action = menu->addAction(text);
        action->setObjectName(QLatin1String(name));
        connect(action, &QAction::triggered, &panel, [this, format] { copyText(format); });
    };
    add("copyTable", tr("Copy as text"), &toTable);
    add("copyCsv", tr("Copy as CSV"), &toCsv);
    add("copyJson", tr("Copy as JSON"), static_cast<std::string (*)(const TimingReport&)>(&toJson));
    add("copyMarkdown", tr("Copy as Markdown"), &toMarkdown);
    copy->setMenu(menu);

    again = new QPushButton(&panel);
    again->setObjectName(QStringLiteral("timingsAgain"));
    again->setAccessibleName(tr("Measure again"));
    again->setToolTip(tr("Measure again"));
    again->setAutoDefault(false);
    connect(again, &QPushButton::clicked, &panel, [this] {
        measuredBefore = false;
        bridge.requestTimings();
        updateState();
    });
    bar->addSpacing(4);
    bar->addWidget(stateLabel, 1);
    bar->addWidget(logarithmic);
    bar->addWidget(copy);
    bar->addWidget(again);
    return bar;
}

void TimingsPanel::State::buildTree() {
    items = new TimingItemModel(&panel);
    tree = new QTreeView(&panel);
    tree->setObjectName(QStringLiteral("timingsTable"));
    tree->setModel(items);
    tree->setItemDelegate(new LineDelegate(tree));
    tree->setFrameShape(QFrame::NoFrame);
    tree->setRootIsDecorated(false);
    tree->setItemsExpandable(false);
    tree->setExpandsOnDoubleClick(false);
    tree->setIndentation(12);
    tree->setTextElideMode(Qt::ElideNone);
    tree->setSelectionMode(QAbstractItemView::ExtendedSelection);
    tree->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    tree->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    tree->setWordWrap(true);
    tree->header()->setStretchLastSection(false);
    tree->header()->setSectionsMovable(false);
    tree->header()->setTextElideMode(Qt::ElideNone);
    tree->header()->setMinimumSectionSize(16);
    tree->setAccessibleName(tr("Timings"));
}

void TimingsPanel::State::build() {
    const auto scrolled = [this](QWidget* widget) {
        auto* scroll = new QScrollArea(&panel);
        scroll->setWidget(widget);
        scroll->setWidgetResizable(true);
        scroll->setFrameShape(QFrame::NoFrame);
        return scroll;
    };
    chart = new TimingChart(&panel);
    chart->setObjectName(QStringLiteral("timingsChart"));
    waterfall = new WaterfallView(&panel);
    waterfall->setObjectName(QStringLiteral("timingsWaterfall"));
    card = new TimingCardView(&panel);
    card->setObjectName(QStringLiteral("timingsCard"));
    buildTree();
    views[kCard] = card;
    views[kTable] = tree;
    views[kBars] = scrolled(chart);
    views[kWaterfall] = scrolled(waterfall);
    stack = new QStackedWidget(&panel);
    for (QWidget* view : views) stack->addWidget(view);
    splitter = new QSplitter(Qt::Horizontal, &panel);
    splitter->addWidget(stack);
    splitter->setChildrenCollapsible(false);
    splitter->setHandleWidth(1);

    auto* content = new QWidget(&panel);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(buildBar());
    column->addWidget(splitter, 1);

    emptyLabel = new QLabel(&panel);
    emptyLabel->setObjectName(QStringLiteral("timingsEmpty"));
    emptyLabel->setAlignment(Qt::AlignCenter);
    emptyLabel->setWordWrap(true);
    emptyLabel->setMargin(16);
    pages = new QStackedLayout(&panel);
    pages->addWidget(emptyLabel);
    pages->addWidget(content);
    tree->viewport()->installEventFilter(&panel);
    connectAll();
    bridge.setCopyBandwidthWanted(true);
    applyTheme();
    chooseView(kCard);
    fitToWidth();
    onTimings();
}

void TimingsPanel::State::connectAll() {
    ageTimer.setInterval(1000);
    connect(&ageTimer, &QTimer::timeout, &panel, [this] { updateState(); });
    connect(card, &TimingCardView::differenceRequested, &panel,
            [this](std::size_t step, const std::string& backend) {
                bridge.requestDifference(step, backend);
            });
    connect(&bridge, &EngineBridge::timingsChanged, &panel, [this] { onTimings(); });
    connect(&bridge, &EngineBridge::copyBandwidthReady, &panel, [this] { showRows(); });
    connect(&bridge, &EngineBridge::fullReady, &panel, [this] { showWaterfall(); });
    connect(&bridge, &EngineBridge::progressChanged, &panel, [this](double, const QString& what) {
        const bool now = what.contains(QLatin1String("Timing"), Qt::CaseInsensitive);
        if (now == measuring) return;
        measuring = now;
        updateState();
    });
    connect(&bridge, &EngineBridge::busyChanged, &panel, [this](bool busy) {
        if (!busy) measuring = false;
        updateState();
    });
    for (const auto signal :
         {&EngineBridge::analysisProblemChanged, &EngineBridge::histogramsReady})
        connect(&bridge, signal, &panel, [this] { updateState(); });
    connect(&bridge, &EngineBridge::staleChanged, &panel, [this] { updateState(); });
    connect(&document, &Document::sourceChanged, &panel, [this] {
        measuredBefore = false;
        updateState();
        showWaterfall();
    });
    connect(&document, &Document::pipelineChanged, &panel, [this] { updateState(); });
    connect(&document, &Document::currentStepChanged, &panel, [this] { showCard(); });
    connect(&Theme::instance(), &Theme::changed, &panel, [this] { applyTheme(); });
}

void TimingsPanel::State::applyTheme() {
    const ThemeColors& colors = Theme::instance().colors();
    QPalette weak = panel.palette();
    weak.setColor(QPalette::WindowText, colors.weakText);
    emptyLabel->setPalette(weak);
    stateLabel->setFont(Theme::instance().figureFont());
    tree->setStyleSheet(QStringLiteral("QTreeView::item { padding: 1px 6px; }"
                                       "QHeaderView::section { padding: 3px 6px; border: none; "
                                       "border-bottom: 1px solid %1; background: %2; color: %3; }")
                            .arg(colors.border.name(), colors.base.name(), colors.weakText.name()));
    QPalette base = panel.palette();
    base.setColor(QPalette::Window, colors.base);
    for (const View view : {kBars, kWaterfall}) {
        QWidget* viewport = static_cast<QScrollArea*>(views[view])->viewport();
        viewport->setPalette(base);
        viewport->setAutoFillBackground(true);
    }
    copy->setIcon(Theme::instance().icon(QStringLiteral("copy")));
    again->setIcon(Theme::instance().icon(QStringLiteral("refresh")));
    fitColumns();
}

}  // namespace warpscope::gui
