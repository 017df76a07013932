#include "gui/histogram/histogram_panel_state.h"

#include <QStackedLayout>
#include <algorithm>

#include "gui/display/display_levels.h"
#include "gui/display/display_settings.h"
#include "gui/display/region_words.h"
#include "gui/document/label_result.h"
#include "gui/histogram/counted_text.h"
#include "gui/histogram/range_counter.h"
#include "gui/histogram/value_handles.h"
#include "gui/widgets/color_toggle.h"
#include "gui/widgets/steady_label.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {

namespace {
// A burst of results is shown at most this often, and less often where painting is slow, so that
// the histogram never takes more than a fifth of the window's time from a slider.
constexpr qint64 kMinUpdateMs = 30;
constexpr double kPaintShare = 5;
}  // namespace

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
    emit panel.optionsChanged();
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

// A step whose levels stand in the histogram has its curve at once, also while it is dragged.
void HistogramPanel::State::showMapping() {
    view->setMapping(handles->mapping().value_or(mapping->curves()));
}

void HistogramPanel::State::watchAge() {
    if (bridge.histogramsAreCurrent() || !bridge.histograms()) {
        outdatedTimer.stop();
        outdated = false;
    } else if (!outdated && !outdatedTimer.isActive()) {
        outdatedTimer.start();
    }
    // Each tick of a slider comes here, several times, and mostly nothing is older than before.
    if (captionAge != age()) updateCaption();
}

HistogramPanel::State::Age HistogramPanel::State::age() const {
    return {bridge.histogramsAreCurrent(),
            bridge.resultIsCurrent(),
            outdated,
            bridge.stale(),
            bridge.paused(),
            bridge.histogramProblem()};
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
        return of.id() != 0 && of.format() == set.format ? of.info().whiteLevel
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
    // The range may have been found before the histogram that it belongs to was there.
    if (display) followChoice();
    updateCaption();
}

Image HistogramPanel::State::leveled() const {
    const Image result = exactImage(bridge.result());
    // Also of one whose samples were let go.
    return result.id() == 0 ? document.image() : result;
}

void HistogramPanel::State::updateLevels() {
    const Image image = leveled();
    // Of the other depth, while a result is on its way: they have no place on this axis.
    if (!display || image.id() == 0 ||
        bytesPerSample(image.format()) != bytesPerSample(resultFormat))
        return view->setLevels(std::nullopt);
    const DisplayRange range = display->rangeFor(image).value_or(knownNaturalRange(image));
    view->setLevels(AxisWindow{range.low, range.high});
}

void HistogramPanel::State::followChoice() {
    const RangeChoice choice = display->choice();
    if (choice != choiceSeen) {
        choiceSeen = choice;
        zoomWanted = choice == RangeChoice::Percentiles;
        // Unless the person has zoomed since.
        if (!zoomWanted && zoomedTo && zoomedTo == window) setWindow(std::nullopt);
        zoomedTo.reset();
        levelsZoomedTo.reset();
    }
    // Another image, or another side, has others.
    if (levelsZoomedTo && zoomedTo == window && view->levels() != levelsZoomedTo) zoomWanted = true;
    const Image image = leveled();
    // 8 bits are seen well over all of the axis.
    if (!zoomWanted || image.id() == 0 || model.isEmpty() || bytesPerSample(image.format()) == 1 ||
        !view->levels() || !display->rangeFor(image))
        return;
    zoomWanted = false;
    view->zoomToLevels();
    zoomedTo = window;
    levelsZoomedTo = view->levels();
}

HistogramZoom HistogramPanel::State::zoomOf(const HistogramsReady& histograms) {
    const bool hasResult = !histograms.result.channels.empty();
    const std::optional<RegionShape>& region = document.regionShape();
    const auto before = RangeCounter::sideOf(document.image(), region, histograms.source);
    RangeCounter::Side after;
    if (hasResult)
        after = RangeCounter::sideOf(
            exactImage(bridge.result()),
            region ? std::optional(mapped(inverse(bridge.sourceFromResult()), *region))
                   : std::nullopt,
            histograms.result);
    ranges->plain(before, after, window);
    HistogramZoom zoom =
        ranges->zoom(histograms.source, hasResult ? &histograms.result : nullptr, window);
    zoom.shaped = region && !region->isRectangle();
    zoom.labels = givesLabels(bridge.renderedPipeline());
    return zoom;
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

std::optional<AxisWindow> HistogramPanel::State::windowFor(
    const std::optional<AxisWindow>& wanted) const {
    const AxisWindow whole = model.wholeAxis();
    const bool all = wanted && wanted->low <= whole.low && wanted->high >= whole.high;
    // Of integers that is what comes by itself; of float what comes may leave far values out.
    return all && model.axis().integers ? std::nullopt : wanted;
}

void HistogramPanel::State::setWindow(const std::optional<AxisWindow>& wanted) {
    window = windowFor(wanted);
    update();
}

void HistogramPanel::State::updateCaption() {
    captionAge = age();
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
    if (!model.isEmpty() && !handles->words().isEmpty()) text += tr("; %1").arg(handles->words());
    const std::optional<RegionShape>& shape = document.regionShape();
    const std::optional<Rect> region = document.region();
    const bool limited = region && histograms && region->size() == histograms->source.size;
    if (limited && !shape->isRectangle())
        text += tr("; of the source %1").arg(regionInWords(*shape, std::nullopt));
    else if (limited)
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

HistogramPanel::HistogramPanel(Document& document, EngineBridge& bridge, QWidget* parent)
    : QWidget(parent), m_state(std::make_unique<State>(*this, document, bridge)) {
    m_state->build();
}

HistogramPanel::~HistogramPanel() = default;

void HistogramPanel::setDisplay(DisplaySettings& display) {
    State* s = m_state.get();
    s->display = &display;
    connect(&display, &DisplaySettings::changed, this, [s] {
        s->updateLevels();
        s->followChoice();
    });
    connect(s->view, &HistogramView::levelsDragged, this, [s](const AxisWindow& levels) {
        s->display->setManual(s->leveled(), {levels.low, levels.high});
    });
    s->updateLevels();
}

HistogramOptions HistogramPanel::options() const {
    return m_state->view->options();
}

void HistogramPanel::setOptions(const HistogramOptions& options) {
    State& s = *m_state;
    const ChannelSet& on = options.channels;
    const bool wanted[] = {on.luma, on.red, on.green, on.blue};
    for (int i = 0; i < 4; ++i) s.channels[i]->setChecked(wanted[i]);
    s.source->setChecked(options.source);
    s.cumulative->setChecked(options.cumulative);
    s.logarithmic->setChecked(options.scale == CountScale::Logarithmic);
}

void HistogramPanel::clearSelection() {
    m_state->view->clearSelection();
}

void HistogramPanel::setPixel(const QPoint& pixel) {
    if (pixel == m_state->pixel) return;
    m_state->pixel = pixel;
    if (isVisible()) m_state->updateMarks();
}

void HistogramPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_state->handles->sync();
    if (!m_state->dirty) return;
    m_state->update();
    m_state->watchMapping();
}

}  // namespace warpscope::gui
