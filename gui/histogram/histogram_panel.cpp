#include "gui/histogram/histogram_panel.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QElapsedTimer>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QStackedLayout>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/display/display_levels.h"
#include "gui/display/display_settings.h"
#include "gui/histogram/counted_text.h"
#include "gui/histogram/histogram_export.h"
#include "gui/histogram/histogram_view.h"
#include "gui/histogram/mapping_curve.h"
#include "gui/histogram/range_counter.h"
#include "gui/widgets/color_toggle.h"
#include "gui/widgets/steady_label.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {

namespace {
// A burst of results is shown at most this often, and less often where painting is slow, so that
// the histogram never takes more than a fifth of the window's time from a slider.
constexpr qint64 kMinUpdateMs = 30;
constexpr double kPaintShare = 5;
// What is out of date for a moment only is not worth a mark that flickers.
constexpr int kOutdatedMs = 250;
}  // namespace

struct HistogramPanel::State {
    State(HistogramPanel& ownPanel, Document& ownDocument, EngineBridge& ownBridge)
        : panel(ownPanel), document(ownDocument), bridge(ownBridge) {}

    HistogramPanel& panel;
    Document& document;
    EngineBridge& bridge;
    HistogramModel model;
    QStackedLayout* pages = nullptr;
    QLabel* emptyLabel = nullptr;
    HistogramView* view = nullptr;
    SteadyLabel* caption = nullptr;
    ColorToggle* channels[4] = {};
    ColorToggle* source = nullptr;
    ColorToggle* logarithmic = nullptr;
    ColorToggle* cumulative = nullptr;
    QToolButton* menuButton = nullptr;
    QPoint pixel{-1, -1};
    QString failure;
    std::optional<std::pair<double, double>> selected;  // samples of the result
    std::optional<ValueHighlight> highlight;            // as it was sent
    PixelFormat resultFormat = PixelFormat::Gray8;
    MappingWatcher* mapping = nullptr;
    RangeCounter* ranges = nullptr;
    DisplaySettings* display = nullptr;
    std::optional<AxisWindow> window;  // what of the axis is wanted; nothing: as it comes
    bool outdated = false;             // for longer than a moment
    QTimer outdatedTimer;
    QTimer later;
    QElapsedTimer sinceUpdate;
    bool dirty = true;  // hidden since the last histogram

    void build();
    QMenu* buildMenu();
    void applyTheme();
    void applyOptions();
    void updateHighlight();
    void watchMapping();
    void watchAge();  // after anything that makes the histogram old, or new
    void updateSoon();
    void update();
    HistogramZoom zoomOf(const HistogramsReady& histograms);
    void setWindow(const std::optional<AxisWindow>& wanted);
    // As they are shown: real samples may have been counted anew.
    const HistogramSet* shownSet(HistogramSide side) const;
    void updateCaption();
    void updateMarks();
    Image leveled() const;  // the image whose black and white are shown
    void updateLevels();
    void saveAs(const QString& filter, const QString& suffix);
    QString csv() const;
    void report(const Result<void>& result);
};

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
                  tr("Show the source as a dashed outline over the result"), true);
    logarithmic = chip("histogramLog", tr("Log"), tr("Logarithmic counts"),
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

    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 4, 4, 4);
    bar->setSpacing(2);
    for (ColorToggle* button : channels) bar->addWidget(button);
    bar->addSpacing(8);
    bar->addWidget(source);
    bar->addWidget(logarithmic);
    bar->addWidget(cumulative);
    bar->addStretch(1);
    bar->addWidget(menuButton);

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
    connect(mapping, &MappingWatcher::changed, &panel,
            [this] { view->setMapping(mapping->curves()); });
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
    connect(&bridge, &EngineBridge::histogramsReady, &panel, [this] { watchAge(); });
    connect(&document, &Document::pipelineChanged, &panel, [this] { watchAge(); });
    connect(&document, &Document::sourceChanged, &panel, [this] { updateSoon(); });
    connect(&document, &Document::regionChanged, &panel, [this] { watchAge(); });
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
            histogramImage(model, view->options(), QSize(960, 540), 2.0));
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
    connect(menu, &QMenu::aboutToShow, &panel, [this, menu] {
        for (QAction* action : menu->actions()) action->setEnabled(!model.isEmpty());
    });
    return menu;
}

void HistogramPanel::State::applyTheme() {
    const Theme& theme = Theme::instance();
    for (const HistogramChannel channel : kAllHistogramChannels)
        channels[int(channel)]->setColor(theme.channelColor(channel));
    QPalette weak = panel.palette();
    weak.setColor(QPalette::WindowText, theme.colors().weakText);
    emptyLabel->setPalette(weak);
    caption->setFont(theme.figureFont());
    menuButton->setIcon(theme.icon(QStringLiteral("more")));
    updateCaption();
}

void HistogramPanel::State::applyOptions() {
    HistogramOptions options;
    options.channels = {channels[0]->isChecked(), channels[1]->isChecked(),
                        channels[2]->isChecked(), channels[3]->isChecked()};
    options.source = source->isChecked();
    options.cumulative = cumulative->isChecked();
    options.scale = logarithmic->isChecked() ? CountScale::Logarithmic : CountScale::Linear;
    view->setOptions(options);
    updateHighlight();
}

void HistogramPanel::State::updateHighlight() {
    std::optional<ValueHighlight> now;
    if (selected) {
        now = ValueHighlight{selected->first, selected->second, view->options().channels};
        if (now->channels.luma) now->channels = ChannelSet::only(HistogramChannel::Luma);
        const ChannelSet& c = now->channels;
        if (!c.luma && !c.red && !c.green && !c.blue) now.reset();  // nothing is shown
    }
    if (now == highlight) return;
    highlight = now;
    emit panel.rangeSelected(now);
}

// Of results that are complete: while a slider is dragged, or the panel is hidden, nobody counts.
void HistogramPanel::State::watchMapping() {
    if (!panel.isVisible()) {
        dirty = true;
        return;
    }
    if (document.source() && !bridge.resultIsCurrent()) return;
    mapping->watch(document.source(), document.pipeline(), document.currentStep());
}

void HistogramPanel::State::watchAge() {
    if (bridge.histogramsAreCurrent() || !bridge.histograms()) {
        outdatedTimer.stop();
        outdated = false;
    } else if (!outdated && !outdatedTimer.isActive()) {
        outdatedTimer.start();
    }
    updateCaption();
}

// The first of a burst is shown at once, the rest together a little later.
void HistogramPanel::State::updateSoon() {
    if (!panel.isVisible()) {
        dirty = true;
        return;
    }
    if (later.isActive()) return;
    const qint64 wait = std::max(kMinUpdateMs, qint64(kPaintShare * view->paintMs()));
    const qint64 since = sinceUpdate.isValid() ? sinceUpdate.elapsed() : wait;
    if (since >= wait)
        update();
    else
        later.start(int(wait - since));
}

void HistogramPanel::State::update() {
    dirty = false;
    sinceUpdate.start();
    const auto& histograms = bridge.histograms();
    const Image image = document.image();
    if (!histograms || image.isNull()) {
        model.clear();
        emptyLabel->setText(image.isNull() ? tr("Open an image, or drop one on the window, to see "
                                                "its histogram")
                                           : tr("Counting…"));
        view->refresh();
        pages->setCurrentIndex(0);
        return;
    }
    const PyramidPtr result = bridge.result();
    const auto whiteOf = [](const HistogramSet& set, const Image& of) {
        return !of.isNull() && of.format() == set.format ? of.info().whiteLevel
                                                         : fullScale(set.format);
    };
    // Values of another sample type are other values.
    const PixelFormat format =
        (histograms->result.channels.empty() ? histograms->source : histograms->result).format;
    if (bytesPerSample(format) != bytesPerSample(resultFormat) ||
        isFloat(format) != isFloat(resultFormat)) {
        view->clearSelection();
        ranges->forget();
        window.reset();
    }
    resultFormat = format;
    const HistogramZoom zoom = zoomOf(*histograms);
    const HistogramSet* resultSet = shownSet(HistogramSide::Result);
    model.setData(shownSet(HistogramSide::Source), whiteOf(histograms->source, image), resultSet,
                  whiteOf(histograms->result, exactImage(result)), zoom);
    for (const HistogramChannel channel : kAllHistogramChannels) {
        const bool there =
            model.has(HistogramSide::Source, channel) || model.has(HistogramSide::Result, channel);
        ColorToggle* button = channels[int(channel)];
        if (button->isEnabled() != there) button->setEnabled(there);
    }
    pages->setCurrentIndex(1);
    view->refresh();
    updateMarks();
    updateLevels();
    updateCaption();
}

Image HistogramPanel::State::leveled() const {
    const Image result = exactImage(bridge.result());
    return result.isNull() ? document.image() : result;
}

void HistogramPanel::State::updateLevels() {
    const Image image = leveled();
    // Of the other depth, while a result is on its way: they have no place on this axis.
    if (!display || image.isNull() ||
        bytesPerSample(image.format()) != bytesPerSample(resultFormat))
        return view->setLevels(std::nullopt);
    const DisplayRange range = display->rangeFor(image).value_or(knownNaturalRange(image));
    view->setLevels(AxisWindow{range.low, range.high});
}

HistogramZoom HistogramPanel::State::zoomOf(const HistogramsReady& histograms) {
    const bool hasResult = !histograms.result.channels.empty();
    const std::optional<Rect> region = document.region();
    const auto before = RangeCounter::sideOf(document.image(), region, histograms.source);
    RangeCounter::Side after;
    if (hasResult)
        after = RangeCounter::sideOf(
            exactImage(bridge.result()),
            region ? std::optional(mapped(inverse(bridge.sourceFromResult()), *region))
                   : std::nullopt,
            histograms.result);
    ranges->plain(before, after, window);
    return ranges->zoom(histograms.source, hasResult ? &histograms.result : nullptr, window);
}

const HistogramSet* HistogramPanel::State::shownSet(HistogramSide side) const {
    const auto& histograms = bridge.histograms();
    if (!histograms) return nullptr;
    const std::size_t index = std::size_t(side);
    const HistogramSet& counted =
        side == HistogramSide::Source ? histograms->source : histograms->result;
    if (counted.channels.empty()) return nullptr;
    const RangeCounter::Counted* last = ranges->last();
    return last && last->sides[index] ? &last->sides[index]->set : &counted;
}

void HistogramPanel::State::setWindow(const std::optional<AxisWindow>& wanted) {
    const AxisWindow whole = model.wholeAxis();
    const bool all = wanted && wanted->low <= whole.low && wanted->high >= whole.high;
    // Of integers that is what comes by itself; of float what comes may leave far values out.
    window = all && model.axis().integers ? std::nullopt : wanted;
    update();
}

void HistogramPanel::State::updateCaption() {
    const ThemeColors& colors = Theme::instance().colors();
    const bool old = !model.isEmpty() && !bridge.histogramsAreCurrent() &&
                     (outdated || bridge.stale() || !bridge.histogramProblem().isEmpty());
    QPalette palette = panel.palette();
    palette.setColor(QPalette::WindowText, !failure.isEmpty() ? colors.error
                                           : old              ? colors.disabledText
                                                              : colors.weakText);
    caption->setPalette(palette);
    view->setOutdated(old);
    if (!failure.isEmpty()) {
        caption->setText(failure, {}, false);
        return;
    }
    QString text = model.caption();
    const auto& histograms = bridge.histograms();
    if (histograms && !model.isEmpty()) text += countedText(*histograms);
    const std::optional<Rect> region = document.region();
    if (region && histograms && region->size() == histograms->source.size)
        text += tr(", only the source's region at %1, %2 of %3 × %4")
                    .arg(region->x)
                    .arg(region->y)
                    .arg(region->width)
                    .arg(region->height);
    if (histograms && histograms->noResult) text += tr("; of the source alone, the chain failed");
    if (histograms && histograms->regionOutside) text += tr("; the region lies outside the result");
    const bool paused = bridge.paused() && !bridge.resultIsCurrent();
    if (!bridge.histogramProblem().isEmpty() && !bridge.histogramsAreCurrent())
        text += tr(" (of an earlier result: the present one failed)");
    else if (paused)
        text += tr(" (paused: not up to date)");
    else if (old && bridge.stale())
        text += tr(" (stale)");
    caption->setText(text, tr(" (updating)"),
                     old && !paused && !bridge.stale() && bridge.histogramProblem().isEmpty());
    caption->setToolTip(
        tr("Bins, pixels, weights of luminance, and where the pixels were counted"));
    view->setAccessibleDescription(caption->text());
}

void HistogramPanel::State::updateMarks() {
    const PyramidPtr result = bridge.result();
    const Image image = exactImage(result);
    view->setMarks(pixelValues(image, pixel), HistogramSide::Result);
}

QString HistogramPanel::State::csv() const {
    if (!bridge.histograms()) return {};
    return histogramCsv(shownSet(HistogramSide::Source), shownSet(HistogramSide::Result));
}

void HistogramPanel::State::saveAs(const QString& filter, const QString& suffix) {
    QFileDialog dialog(panel.window(), tr("Save histogram"), QString(), filter);
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix(suffix);
    dialog.selectFile(QStringLiteral("histogram.") + suffix);
    if (dialog.exec() == QDialog::Accepted) panel.exportTo(dialog.selectedFiles().value(0));
}

void HistogramPanel::State::report(const Result<void>& result) {
    failure = result ? QString() : QString::fromStdString(result.error().message);
    updateCaption();
    if (!result) emit panel.messageRaised(failure);
}

HistogramPanel::HistogramPanel(Document& document, EngineBridge& bridge, QWidget* parent)
    : QWidget(parent), m_state(std::make_unique<State>(*this, document, bridge)) {
    m_state->build();
}

HistogramPanel::~HistogramPanel() = default;

bool HistogramPanel::exportTo(const QString& path) {
    State& s = *m_state;
    WriteOptions write;
    if (const QString open = s.document.filePath(); !open.isEmpty())
        write.protectedFiles.emplace_back(open.toStdU16String());
    const Result<void> result =
        s.model.isEmpty() ? fail(ErrorCode::NotFound, tr("there is no histogram yet").toStdString())
        : path.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive)
            ? saveText(path, s.csv(), write)
            : saveHistogramPicture(path, s.model, s.view->options(), write);
    s.report(result);
    return result.has_value();
}

void HistogramPanel::setDisplay(DisplaySettings& display) {
    State* s = m_state.get();
    s->display = &display;
    connect(&display, &DisplaySettings::changed, this, [s] { s->updateLevels(); });
    connect(s->view, &HistogramView::levelsDragged, this, [s](const AxisWindow& levels) {
        s->display->setManual(s->leveled(), {levels.low, levels.high});
    });
    s->updateLevels();
}

void HistogramPanel::setPixel(const QPoint& pixel) {
    if (pixel == m_state->pixel) return;
    m_state->pixel = pixel;
    if (isVisible()) m_state->updateMarks();
}

void HistogramPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (!m_state->dirty) return;
    m_state->update();
    m_state->watchMapping();
}

}  // namespace warpscope::gui
