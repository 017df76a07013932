#include "gui/timings/timings_panel.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QElapsedTimer>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedLayout>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/measure/report.h"
#include "gui/app/theme.h"
#include "gui/histogram/chip_button.h"
#include "gui/timings/timing_chart.h"
#include "gui/timings/timing_item_model.h"

namespace warpscope::gui {

namespace {

constexpr int kSwatch = 10;

// A colour swatch as decoration, small enough for a dense table.
class LineDelegate : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        option->decorationSize = QSize(kSwatch, kSwatch);
        option->textElideMode = Qt::ElideNone;
    }
};

}  // namespace

struct TimingsPanel::State {
    State(TimingsPanel& ownPanel, Document& ownDocument, EngineBridge& ownBridge)
        : panel(ownPanel), document(ownDocument), bridge(ownBridge) {}

    TimingsPanel& panel;
    Document& document;
    EngineBridge& bridge;
    QStackedLayout* pages = nullptr;
    QLabel* emptyLabel = nullptr;
    QLabel* stateLabel = nullptr;
    QTreeView* tree = nullptr;
    TimingItemModel* items = nullptr;
    TimingChart* chart = nullptr;
    QScrollArea* scroll = nullptr;
    ChipButton* logarithmic = nullptr;
    QPushButton* again = nullptr;
    QToolButton* copy = nullptr;
    QTimer ageTimer;
    QElapsedTimer sinceLast;
    bool measuring = false;
    bool measuredBefore = false;

    void build();
    QLayout* buildBar();
    void applyTheme();
    void onTimings();
    void fitColumns();
    void updateState();
    TimingState state() const;
    void copyText(std::string (*format)(const TimingReport&));
};

QLayout* TimingsPanel::State::buildBar() {
    stateLabel = new QLabel(&panel);
    stateLabel->setObjectName(QStringLiteral("timingsState"));
    logarithmic = new ChipButton(tr("Log"), tr("Logarithmic bars"),
                                 tr("Logarithmic bars: fast and slow beside each other"), &panel);
    logarithmic->setObjectName(QStringLiteral("timingsLog"));
    connect(logarithmic, &QToolButton::toggled, &panel,
            [this](bool on) { chart->setLogarithmic(on); });

    copy = new QToolButton(&panel);
    copy->setObjectName(QStringLiteral("timingsCopy"));
    copy->setText(tr("Copy"));
    copy->setAutoRaise(true);
    copy->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
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

    again = new QPushButton(tr("Measure again"), &panel);
    again->setObjectName(QStringLiteral("timingsAgain"));
    again->setAutoDefault(false);
    connect(again, &QPushButton::clicked, &panel, [this] {
        measuredBefore = false;
        bridge.requestTimings();
        updateState();
    });

    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 4, 8, 4);
    bar->setSpacing(4);
    bar->addWidget(stateLabel, 1);
    bar->addWidget(logarithmic);
    bar->addWidget(copy);
    bar->addWidget(again);
    return bar;
}

void TimingsPanel::State::build() {
    chart = new TimingChart(&panel);
    chart->setObjectName(QStringLiteral("timingsChart"));
    scroll = new QScrollArea(&panel);
    scroll->setWidget(chart);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setMinimumWidth(200);

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
    tree->setUniformRowHeights(true);
    tree->setTextElideMode(Qt::ElideNone);
    tree->setSelectionMode(QAbstractItemView::ExtendedSelection);
    tree->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    tree->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    tree->header()->setStretchLastSection(false);
    tree->header()->setSectionsMovable(false);
    tree->header()->setTextElideMode(Qt::ElideNone);
    tree->setAccessibleName(tr("Timings"));

    auto* splitter = new QSplitter(Qt::Horizontal, &panel);
    splitter->addWidget(tree);
    splitter->addWidget(scroll);
    splitter->setChildrenCollapsible(false);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setSizes({600, 400});
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

    ageTimer.setInterval(1000);
    connect(&ageTimer, &QTimer::timeout, &panel, [this] { updateState(); });
    connect(&bridge, &EngineBridge::timingsChanged, &panel, [this] { onTimings(); });
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
    connect(&bridge, &EngineBridge::staleChanged, &panel, [this] { updateState(); });
    connect(&document, &Document::sourceChanged, &panel, [this] {
        measuredBefore = false;
        updateState();
    });
    connect(&document, &Document::pipelineChanged, &panel, [this] { updateState(); });
    connect(&Theme::instance(), &Theme::changed, &panel, [this] { applyTheme(); });
    applyTheme();
    onTimings();
}

void TimingsPanel::State::applyTheme() {
    const ThemeColors& colors = Theme::instance().colors();
    QPalette weak = panel.palette();
    weak.setColor(QPalette::WindowText, colors.weakText);
    emptyLabel->setPalette(weak);
    stateLabel->setPalette(weak);
    stateLabel->setFont(Theme::instance().figureFont());
    tree->setStyleSheet(QStringLiteral("QTreeView::item { padding: 1px 6px; }"
                                       "QHeaderView::section { padding: 3px 6px; border: none; "
                                       "border-bottom: 1px solid %1; background: %2; color: %3; }")
                            .arg(colors.border.name(), colors.base.name(), colors.weakText.name()));
    QPalette base = panel.palette();
    base.setColor(QPalette::Window, colors.base);
    scroll->viewport()->setPalette(base);
    scroll->viewport()->setAutoFillBackground(true);
    copy->setIcon(Theme::instance().icon(QStringLiteral("copy")));
    again->setIcon(Theme::instance().icon(QStringLiteral("refresh")));
    fitColumns();
}

void TimingsPanel::State::onTimings() {
    const auto& rows = bridge.timings();
    if (!rows.empty()) {
        sinceLast.start();
        measuring = !rows.back().last;
        measuredBefore = true;
    } else {
        measuring = false;
    }
    const TimingTable table = buildTimingTable(rows, bridge.backends() && bridge.backends()->cuda);
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

// Columns as wide as what stands in them; a sentence over all columns widens the last one.
void TimingsPanel::State::fitColumns() {
    QHeaderView* header = tree->header();
    const QFontMetrics figures(Theme::instance().figureFont());
    const QFontMetrics plain(tree->font());
    int widths[kTimingColumns] = {};
    for (int column = 0; column < kTimingColumns; ++column)
        widths[column] = header->sectionSizeHint(column);
    int sentence = 0;
    for (const TimingGroup& group : items->table().groups) {
        sentence = std::max(sentence, plain.horizontalAdvance(group.title + group.details) + 60);
        for (const TimingLine& line : group.lines) {
            if (line.spanned) {
                sentence = std::max(sentence, figures.horizontalAdvance(line.cells[0].text) + 60);
                continue;
            }
            for (int column = 0; column < kTimingColumns; ++column) {
                const int decoration = column == 0 ? 2 * tree->indentation() + kSwatch + 12 : 0;
                widths[column] =
                    std::max(widths[column],
                             figures.horizontalAdvance(line.cells[std::size_t(column)].text) + 22 +
                                 decoration);
            }
        }
    }
    int total = 0;
    for (const int width : widths) total += width;
    if (total < sentence) widths[kTimingColumns - 1] += sentence - total;
    for (int column = 0; column < kTimingColumns; ++column)
        if (header->sectionSize(column) != widths[column])
            header->resizeSection(column, widths[column]);
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
    s.measuredBefore = measuredBefore;
    s.ageMs = sinceLast.isValid() ? sinceLast.elapsed() : 0;
    return s;
}

void TimingsPanel::State::updateState() {
    const TimingState s = state();
    const QString empty = timingEmptyText(s);
    emptyLabel->setText(empty);
    pages->setCurrentIndex(empty.isEmpty() ? 1 : 0);
    const QString text = timingStateText(s);
    if (stateLabel->text() != text) stateLabel->setText(text);
    copy->setEnabled(!bridge.timings().empty());
    again->setEnabled(s.hasImage && s.steps > 0 && !s.measuring);
    if (s.complete && !ageTimer.isActive()) ageTimer.start();
    if (!s.complete) ageTimer.stop();
}

void TimingsPanel::State::copyText(std::string (*format)(const TimingReport&)) {
    const TimingReport report = timingReport(bridge.timings(), bridge.backends());
    QApplication::clipboard()->setText(QString::fromStdString(format(report)));
}

TimingsPanel::TimingsPanel(Document& document, EngineBridge& bridge, QWidget* parent)
    : QWidget(parent), m_state(std::make_unique<State>(*this, document, bridge)) {
    m_state->build();
}

TimingsPanel::~TimingsPanel() = default;

}  // namespace warpscope::gui
