#include "gui/histogram/histogram_panel_state.h"

#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <QStackedLayout>

#include "gui/histogram/histogram_export.h"
#include "gui/histogram/range_counter.h"
#include "gui/histogram/value_handles.h"
#include "gui/widgets/color_toggle.h"
#include "gui/widgets/flow_layout.h"
#include "gui/widgets/steady_label.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {

void HistogramPanel::State::build() {
    const auto chip = [&](const char* name, const QString& text, const QString& accessible,
                          const QString& help, bool on) {
        auto* button = new ColorToggle(text, accessible, help, &panel);
        button->setObjectName(QLatin1String(name));
        button->setChecked(on);
        connect(button, &QToolButton::toggled, &panel, [this] { applyOptions(); });
        return button;
    };
    channels[0] = chip("histogramLuma", tr("L", "luminance"), tr("Luminance"),
                       tr("Luminance: 0.299 R + 0.587 G + 0.114 B"), true);
    channels[1] = chip("histogramRed", tr("R", "red"), tr("Red"), tr("Red"), true);
    channels[2] = chip("histogramGreen", tr("G", "green"), tr("Green"), tr("Green"), true);
    channels[3] = chip("histogramBlue", tr("B", "blue"), tr("Blue"), tr("Blue"), true);
    source = chip("histogramSource", tr("Source"), tr("Source outline"),
                  tr("Show the source as an outline over the result"), true);
    logarithmic = chip("histogramLog", tr("Log", "logarithmic"), tr("Logarithmic counts"),
                       tr("Logarithmic counts: rare values become visible"), false);
    cumulative = chip("histogramCumulative", tr("Σ", "cumulative"), tr("Cumulative curve"),
                      tr("Cumulative curve: share of pixels up to each value"), false);

    menuButton = new QToolButton(&panel);
    menuButton->setObjectName(QStringLiteral("histogramMenu"));
    menuButton->setAutoRaise(true);
    menuButton->setFocusPolicy(Qt::TabFocus);
    menuButton->setPopupMode(QToolButton::InstantPopup);
    menuButton->setAccessibleName(tr("Histogram menu"));
    menuButton->setToolTip(tr("Zoom, copy and save"));
    menuButton->setStyleSheet(QStringLiteral("QToolButton::menu-indicator { image: none; }"));
    menuButton->setMenu(buildMenu());

    // In a narrow panel below each other.
    auto* chips = new FlowLayout(8, nullptr, FlowLayout::Widths::Own);
    const auto addGroup = [&](const QList<QWidget*>& buttons) {
        auto* group = new QWidget(&panel);
        auto* row = new QHBoxLayout(group);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(2);
        for (QWidget* button : buttons) row->addWidget(button);
        chips->addWidget(group);
    };
    addGroup({channels[0], channels[1], channels[2], channels[3]});
    addGroup({source, logarithmic, cumulative});
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 4, 4, 4);
    bar->setSpacing(2);
    bar->addLayout(chips, 1);
    bar->addWidget(menuButton, 0, Qt::AlignTop);

    view = new HistogramView(model, &panel);
    view->setObjectName(QStringLiteral("histogramView"));
    connect(view, &HistogramView::rangeSelected, &panel,
            [this](double low, double high, bool active) {
                selected = active ? std::optional(std::pair(low, high)) : std::nullopt;
                updateHighlight();
            });

    caption = new SteadyLabel(&panel);
    caption->setObjectName(QStringLiteral("histogramCaption"));
    caption->setTextInteractionFlags(Qt::TextSelectableByMouse);
    caption->setContentsMargins(8, 0, 8, 4);

    auto* content = new QWidget(&panel);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(view, 1);
    column->addWidget(caption);

    emptyLabel = new QLabel(&panel);
    emptyLabel->setObjectName(QStringLiteral("histogramEmpty"));
    emptyLabel->setAlignment(Qt::AlignCenter);
    emptyLabel->setWordWrap(true);
    emptyLabel->setMargin(16);

    pages = new QStackedLayout(&panel);
    pages->addWidget(emptyLabel);
    pages->addWidget(content);

    mapping = new MappingWatcher(&panel);
    connect(mapping, &MappingWatcher::changed, &panel, [this] { showMapping(); });
    handles = new ValueHandles(document, bridge, model, *view);
    connect(handles, &ValueHandles::changed, &panel, [this] {
        showMapping();
        updateCaption();
    });
    connect(&bridge, &EngineBridge::fullReady, &panel, [this] { watchMapping(); });
    connect(&document, &Document::sourceChanged, &panel, [this] { watchMapping(); });
    connect(&document, &Document::currentStepChanged, &panel, [this] { watchMapping(); });
    later.setSingleShot(true);
    connect(&later, &QTimer::timeout, &panel, [this] { update(); });
    connect(&bridge, &EngineBridge::histogramsReady, &panel, [this] { updateSoon(); });
    ranges = new RangeCounter(&panel);
    connect(ranges, &RangeCounter::changed, &panel, [this] { updateSoon(); });
    connect(view, &HistogramView::zoomRequested, &panel,
            [this](const std::optional<AxisWindow>& wanted) { setWindow(wanted); });
    connect(&bridge, &EngineBridge::imageOpened, &panel, [this] {
        view->clearSelection();
        ranges->forget();
        window.reset();
        failure.clear();
        updateSoon();
    });
    connect(&bridge, &EngineBridge::fullReady, &panel, [this] { updateMarks(); });
    outdatedTimer.setSingleShot(true);
    outdatedTimer.setInterval(kOutdatedMs);
    connect(&outdatedTimer, &QTimer::timeout, &panel, [this] {
        outdated = true;
        updateCaption();
    });
    connect(&bridge, &EngineBridge::staleChanged, &panel, [this] { watchAge(); });
    connect(&bridge, &EngineBridge::analysisProblemChanged, &panel, [this] { watchAge(); });
    connect(&bridge, &EngineBridge::busyChanged, &panel, [this] { watchAge(); });
    const auto ofOthers = [this] {
        captionAge.reset();
        watchAge();
    };
    connect(&bridge, &EngineBridge::histogramsReady, &panel, ofOthers);
    connect(&document, &Document::pipelineChanged, &panel, [this] { watchAge(); });
    connect(&document, &Document::sourceChanged, &panel, [this] { updateSoon(); });
    connect(&document, &Document::regionChanged, &panel, ofOthers);
    connect(&Theme::instance(), &Theme::changed, &panel, [this] { applyTheme(); });
    applyTheme();
    applyOptions();
    update();
}

QMenu* HistogramPanel::State::buildMenu() {
    auto* menu = new QMenu(&panel);
    const auto add = [&](const char* name, const QString& text, auto&& action) {
        QAction* item = menu->addAction(text);
        item->setObjectName(QLatin1String(name));
        connect(item, &QAction::triggered, &panel, action);
    };
    add("copyPicture", tr("Copy picture"), [this] {
        QApplication::clipboard()->setImage(
            histogramImage(model, view->options(), heading(), QSize(960, 540), 2.0));
    });
    add("copyCounts", tr("Copy counts"), [this] { QApplication::clipboard()->setText(csv()); });
    menu->addSeparator();
    add("zoomToSelection", tr("Zoom to the selected range"), [this] { view->zoomToSelection(); });
    add("zoomToData", tr("Zoom to the data"), [this] { setWindow(model.dataRange()); });
    add("zoomToLevels", tr("Zoom to black and white"), [this] { view->zoomToLevels(); });
    add("zoomToAll", tr("Show all values, far ones too"), [this] { setWindow(model.wholeAxis()); });
    add("resetZoom", tr("Reset zoom"), [this] { view->resetZoom(); });
    menu->addSeparator();
    add("saveCsv", tr("Save counts as CSV…"),
        [this] { saveAs(tr("Comma-separated values (*.csv)"), QStringLiteral("csv")); });
    add("savePng", tr("Save picture as PNG…"),
        [this] { saveAs(tr("PNG picture (*.png)"), QStringLiteral("png")); });
    add("saveSvg", tr("Save picture as SVG…"),
        [this] { saveAs(tr("SVG drawing (*.svg)"), QStringLiteral("svg")); });
    connect(menu, &QMenu::aboutToShow, &panel, [this, menu] { enableActions(*menu); });
    return menu;
}

// What would change nothing is off.
void HistogramPanel::State::enableActions(const QMenu& menu) {
    const auto changes = [this](const AxisWindow& wanted) { return windowFor(wanted) != window; };
    for (QAction* action : menu.actions()) {
        const QString name = action->objectName();
        const bool can = name == QLatin1String("zoomToSelection") ? view->selection().has_value()
                         : name == QLatin1String("zoomToData")    ? changes(model.dataRange())
                         : name == QLatin1String("zoomToLevels")  ? view->levels().has_value()
                         : name == QLatin1String("zoomToAll")     ? changes(model.wholeAxis())
                         : name == QLatin1String("resetZoom")     ? window.has_value()
                                                                  : true;
        action->setEnabled(can && !model.isEmpty());
    }
}

}  // namespace warpscope::gui
