#include "gui/inspector/inspector_panel.h"

#include <QBoxLayout>
#include <QEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <algorithm>

#include "gui/display/comparison.h"
#include "gui/display/display_levels.h"
#include "gui/display/display_settings.h"
#include "gui/display/region_words.h"
#include "gui/inspector/analysis_view.h"
#include "gui/inspector/levels_controls.h"
#include "gui/inspector/likeness_view.h"
#include "gui/inspector/loupe.h"
#include "gui/inspector/pinned_list.h"
#include "gui/inspector/pixel_readout.h"
#include "gui/inspector/statistics_table.h"
#include "gui/inspector/step_values.h"
#include "gui/widgets/steady_label.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

constexpr int kGap = 8;
// What is out of date for a moment only is not worth a mark that flickers.
constexpr int kOutdatedMs = 250;

SideStatistics statisticsOf(const Image& image, const std::vector<ChannelStatistics>& channels,
                            const HistogramSet& set, const std::optional<AnalysisTable>& figures,
                            bool figuresOutdated) {
    return {set.format, image.info().hasAlpha, channels, figures, figuresOutdated};
}

}  // namespace

InspectorPanel::InspectorPanel(Document& document, EngineBridge& bridge, QWidget* parent)
    : QWidget(parent), m_document(document), m_bridge(bridge) {
    build();
    connect(&document, &Document::sourceChanged, this, [this] {
        // Which pixel is looked at is the canvas's affair; the mouse may rest on one.
        updateImages();
        updateStatistics();
    });
    connect(&bridge, &EngineBridge::fullReady, this, &InspectorPanel::updateImages);
    connect(&bridge, &EngineBridge::draftReady, this, &InspectorPanel::letGoOfResult);
    connect(&bridge, &EngineBridge::staleChanged, this, &InspectorPanel::watchAge);
    connect(&bridge, &EngineBridge::busyChanged, this, &InspectorPanel::watchAge);
    connect(&bridge, &EngineBridge::histogramsReady, this, &InspectorPanel::updateAge);
    connect(&document, &Document::pipelineChanged, this, &InspectorPanel::watchAge);
    connect(&document, &Document::regionChanged, this, &InspectorPanel::updateAge);
    m_outdatedTimer.setSingleShot(true);
    m_outdatedTimer.setInterval(kOutdatedMs);
    connect(&m_outdatedTimer, &QTimer::timeout, this, [this] {
        m_outdated = true;
        updateTitles();
        updateStatistics();
    });
    retranslate();
    updateImages();
    updateStatistics();
}

void InspectorPanel::Side::setPyramid(const PyramidPtr& now) {
    if (now == pyramid) return;
    pyramid = now;
    loupe->setPyramid(now);
}

void InspectorPanel::Side::showPixel(const QPoint& pixel) {
    loupe->setPixel(pixel);
    readout->setPixel(exactImage(pyramid), pixel, loupe->colorAt(pixel));
}

std::vector<QPoint> InspectorPanel::pins() const {
    return m_pins->pixels();
}

void InspectorPanel::setPins(const std::vector<QPoint>& pixels) {
    m_pins->setPins(pixels);
}

QSize InspectorPanel::sizeHint() const {
    return {300, 300};
}

void InspectorPanel::setDisplay(DisplaySettings& display) {
    m_display = &display;
    m_levels->setDisplay(display);
    connect(&display, &DisplaySettings::changed, this, [this] {
        updateLooks();
        updatePixel();
    });
    updateLooks();
}

void InspectorPanel::setShowingSource(bool source) {
    if (source == m_showsSource) return;
    m_showsSource = source;
    updateLevels();
}

void InspectorPanel::setProbing(bool on) {
    m_steps->setOn(on);
}

void InspectorPanel::editLevels() {
    m_scroll->ensureWidgetVisible(m_levels);
    m_levels->focusBlack();
}

void InspectorPanel::setComparison(const Comparison* comparison) {
    m_comparison = comparison;
    m_likeness->setComparison(comparison);
    updateImages();
}

void InspectorPanel::setPixels(const QPoint& source, const QPoint& result) {
    PixelPair pixel{source, result};
    if (source != kNoPixel && (m_comparison || !m_bridge.resultIsCurrent()))
        pixel = pairOfSource(source, m_place, sourceImage().size());
    if (pixel == m_pixel) return;
    m_pixel = pixel;
    updatePixel();
}

void InspectorPanel::setPixel(const QPoint& source) {
    const PixelPair pixel = pairOfSource(source, m_place, sourceImage().size());
    setPixels(pixel.source, pixel.result);
}

void InspectorPanel::togglePin(const QPoint& pixel) {
    if (isInside(exactImage(m_source.pyramid), pixel)) m_pins->toggle(pixel);
}

void InspectorPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrangeSides();
}

void InspectorPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QWidget::changeEvent(event);
}

void InspectorPanel::build() {
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(kGap, kGap, kGap, kGap);
    column->setSpacing(kGap);

    m_position = new QLabel(content);
    m_position->setFont(Theme::instance().figureFont());
    m_position->setWordWrap(true);
    column->addWidget(m_position);
    column->addWidget(makeSides(content));
    m_steps = new StepValues(m_document, m_bridge, content);
    column->addWidget(m_steps);

    m_levels = new LevelsControls(content);
    connect(m_levels, &LevelsControls::refused, this, &InspectorPanel::refused);

    m_pinHint = new QLabel(content);
    m_pinHint->setWordWrap(true);
    m_pinHint->setForegroundRole(QPalette::PlaceholderText);
    m_pins = new PinnedList(content);
    m_clearPins = new QPushButton(content);
    connect(m_clearPins, &QPushButton::clicked, m_pins, &PinnedList::clearPins);
    connect(m_pins, &PinnedList::pinChosen, this, &InspectorPanel::pinChosen);
    connect(m_pins, &PinnedList::pinsChanged, this, [this] { updatePins(); });
    column->addWidget(m_pinHint);
    column->addWidget(m_pins);
    column->addWidget(m_clearPins, 0, Qt::AlignLeft);

    // What is typed most, above tables that grow with the image's channels.
    column->addWidget(m_levels);
    m_statisticsTitle = new SteadyLabel(content);
    m_statisticsTitle->setForegroundRole(QPalette::PlaceholderText);
    m_statistics = new StatisticsTable(content);
    column->addWidget(m_statisticsTitle);
    column->addWidget(m_statistics);
    m_likeness = new LikenessView(m_document, m_bridge, content);
    connect(m_likeness, &LikenessView::changed, this, &InspectorPanel::updateStatistics);
    column->addWidget(m_likeness);
    m_analysis = new AnalysisView(m_bridge, content);
    column->addWidget(m_analysis);
    column->addStretch();

    m_scroll = new QScrollArea(this);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFocusPolicy(Qt::StrongFocus);  // arrow keys scroll
    m_scroll->setWidget(content);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_scroll);
    updatePins();
}

QWidget* InspectorPanel::makeSides(QWidget* parent) {
    auto* both = new QWidget(parent);
    both->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    m_sides = new QBoxLayout(QBoxLayout::LeftToRight, both);
    m_sides->setContentsMargins(0, 0, 0, 0);
    m_sides->setSpacing(2 * kGap);
    for (Side* side : {&m_source, &m_result}) {
        auto* column = new QVBoxLayout;
        column->setSpacing(kGap);
        side->readout = new PixelReadout(both);
        side->loupe = new Loupe(both);
        column->addWidget(side->readout);
        column->addStretch();
        column->addWidget(side->loupe);
        m_sides->addLayout(column);
    }
    m_sides->addStretch();
    return both;
}

void InspectorPanel::retranslate() {
    setAccessibleName(tr("Pixel values and statistics"));
    m_scroll->setAccessibleName(tr("Pixel values and statistics"));
    m_source.loupe->setAccessibleName(tr("Loupe of the source"));
    m_result.loupe->setAccessibleName(tr("Loupe of the result"));
    m_pinHint->setText(tr("Click the image to pin a pixel here."));
    m_clearPins->setText(tr("Clear pins"));
    updateTitles();
    updateStatistics();
    updatePixel();
}

// The samples are those of the last exact result, also while a newer one is on its way.
void InspectorPanel::updateTitles() {
    if (m_comparison) {
        m_source.readout->setTitle(m_comparison->firstLabel);
        m_result.readout->setTitle(m_comparison->secondLabel);
        m_result.readout->setOutdated(false);
        return;
    }
    m_source.readout->setTitle(tr("Source"));
    const bool there = exactImage(m_result.pyramid).id() != 0;
    const bool stale = there && m_bridge.stale();
    const bool updating = there && !stale && !m_bridge.resultIsCurrent() && m_outdated;
    m_result.readout->setTitle(stale ? tr("Result (stale)") : tr("Result"));
    // Grey says it; a longer title for a moment would move what is around it.
    if (updating) m_result.readout->setAccessibleName(tr("Result (updating)"));
    m_result.readout->setToolTip(updating ? tr("Result (updating)") : QString());
    m_result.readout->setOutdated(stale || updating);
}

void InspectorPanel::watchAge() {
    const bool current = m_bridge.resultIsCurrent() && m_bridge.histogramsAreCurrent();
    if (current) {
        m_outdatedTimer.stop();
        m_outdated = false;
    } else if (!m_outdated && !m_outdatedTimer.isActive()) {
        m_outdatedTimer.start();
    }
    // Each tick of a slider comes here, several times, and mostly nothing is older than before.
    const Age now{current,
                  m_bridge.resultIsCurrent(),
                  m_bridge.analysisIsCurrent(),
                  m_likeness->isCurrent(),
                  m_bridge.stale(),
                  m_outdated};
    if (now == m_age) return;
    m_age = now;
    updateTitles();
    updateStatistics();
}

void InspectorPanel::updateAge() {
    m_age.reset();
    watchAge();
}

void InspectorPanel::updateLooks() {
    if (!m_display) return;
    for (Side* side : {&m_source, &m_result})
        side->loupe->setLook(m_display->lookFor(exactImage(side->pyramid)));
}

void InspectorPanel::updateImages() {
    if (m_comparison) {
        m_source.setPyramid(m_comparison->first);
        m_result.setPyramid(m_comparison->second);
        m_place = placeOfSource(exactImage(m_result.pyramid).size());
    } else {
        m_source.setPyramid(m_document.source());
        m_result.setPyramid(m_source.pyramid ? m_bridge.result() : nullptr);
        const Image made = exactImage(m_result.pyramid);
        m_place = made.id() == 0 ? placeOfSource(sourceImage().size())
                                 : ResultPlace{made.size(), m_bridge.sourceFromResult()};
    }
    const Image second = exactImage(m_result.pyramid);
    m_pins->setImages(sourceImage(), second, m_place.sourceFromResult, m_comparison != nullptr);
    if (m_pixel.source != kNoPixel)
        m_pixel = pairOfSource(m_pixel.source, m_place, sourceImage().size());
    updateLevels();
    updateLooks();
    updateAge();
    updatePixel();
    arrangeSides();
}

// Where the samples of the last exact result have been let go. What was read of them stays, as
// outdated as before; a pixel that was not read has no value until the new result is there.
void InspectorPanel::letGoOfResult() {
    const PyramidPtr result = m_bridge.result();
    if (m_comparison || !result || !exactImage(result).isNull()) return;
    m_result.setPyramid(result);
    m_pins->letGoOfResult();
    if (!m_showsSource) m_levels->letGoOfSamples();
}

// The range of what the canvas shows; of two images at once, that of the second.
void InspectorPanel::updateLevels() {
    const Image second = exactImage(m_result.pyramid);
    m_levels->setImage(m_showsSource || second.id() == 0 ? exactImage(m_source.pyramid) : second);
}

void InspectorPanel::updatePixel() {
    m_position->setText(positionText());
    m_source.showPixel(m_pixel.source);
    m_result.showPixel(m_pixel.result);
    if (m_comparison)
        m_steps->setPoint(std::nullopt);  // the pixel may be another image's
    else if (m_pixel.result != kNoPixel && exactImage(m_result.pyramid).id() != 0)
        m_steps->setPoint(
            mapPoint(m_place.sourceFromResult, QPointF(m_pixel.result) + QPointF(0.5, 0.5)));
    else if (m_pixel.source != kNoPixel)
        m_steps->setPoint(QPointF(m_pixel.source) + QPointF(0.5, 0.5));
    else
        m_steps->setPoint(std::nullopt);
}

Image InspectorPanel::sourceImage() const {
    return exactImage(m_source.pyramid);
}

QString InspectorPanel::positionText() const {
    if (sourceImage().isNull()) return tr("No image");
    if (m_pixel.isNone()) return tr("Move over the image to read its pixels.");
    const auto at = [](const QPoint& pixel) {
        return QStringLiteral("x %1   y %2").arg(pixel.x()).arg(pixel.y());
    };
    if (m_pixel.source == m_pixel.result || m_place == placeOfSource(sourceImage().size()))
        return at(m_pixel.source);
    // Each in its own pixels.
    const QString source = m_pixel.source == kNoPixel ? tr("outside the source")
                                                      : tr("source %1").arg(at(m_pixel.source));
    const QString result = exactImage(m_result.pyramid).id() == 0 ? QString()
                           : m_pixel.result == kNoPixel           ? tr("outside the result")
                                                        : tr("result %1").arg(at(m_pixel.result));
    return result.isEmpty() ? source : source + QLatin1Char('\n') + result;
}

void InspectorPanel::updatePins() {
    const bool any = !m_pins->pixels().empty();
    m_pins->setVisible(any);
    m_clearPins->setVisible(any);
    m_pinHint->setVisible(!any);
    emit pinsChanged(m_pins->pixels());
}

void InspectorPanel::updateStatistics() {
    const auto& ready = m_bridge.histograms();
    m_statistics->setVisible(ready.has_value());
    if (!ready) {
        m_statisticsTitle->setText(exactImage(m_document.source()).isNull()
                                       ? QString()
                                       : tr("Statistics are being counted."),
                                   {}, false);
        return;
    }
    const auto size = [&](const QString& text) {
        return text.arg(ready->source.size.width).arg(ready->source.size.height);
    };
    const std::optional<Rect> region = m_document.region();
    // Until the region's own are there, the table still says what it said before.
    const bool current = m_bridge.histogramsAreCurrent();
    const bool limited = region && region->size() == ready->source.size;
    const std::optional<RegionShape>& shape = m_document.regionShape();
    QString title = limited && current && !shape->isRectangle()
                        ? tr("Statistics %1").arg(regionInWords(*shape, pixelsIn(ready->source)))
                    : limited && current
                        ? size(tr("Statistics of the region, %1 × %2 pixels at %3, %4"))
                              .arg(region->x)
                              .arg(region->y)
                        : size(tr("Statistics of all samples, %1 × %2 pixels"));
    const Size counted = ready->result.size;
    const bool all = !region || m_document.regionShape()->isRectangle();
    if (!ready->result.channels.empty() && !all && current &&
        pixelsIn(ready->result) != pixelsIn(ready->source))
        title += tr("; of the result %1 pixels").arg(groupedCount(pixelsIn(ready->result)));
    else if (!ready->result.channels.empty() && all && counted != ready->source.size)
        title += tr("; of the result, %1 × %2").arg(counted.width).arg(counted.height);
    if (!current && m_bridge.stale()) title += tr(" (stale)");
    if (ready->noResult) title += tr(". There is no result: the chain failed");
    if (ready->regionOutside) title += tr(". The region lies outside the result");
    m_statisticsTitle->setText(title, tr(" (updating)"),
                               !current && m_outdated && !m_bridge.stale());
    m_analysis->setOutdated(!m_bridge.analysisIsCurrent() && (m_bridge.stale() || m_outdated));
    m_statistics->setOutdated(!current && (m_bridge.stale() || m_outdated));
    m_statistics->setStatistics(
        statisticsOf(exactImage(m_document.source()), ready->sourceStatistics, ready->source,
                     m_likeness->figures().source, !m_likeness->isCurrent()),
        statisticsOf(exactImage(m_bridge.result()), ready->resultStatistics, ready->result,
                     m_likeness->figures().result, !m_likeness->isCurrent()));
}

void InspectorPanel::arrangeSides() {
    // Beside each other where both fit, else the result below.
    const int width =
        m_scroll->width() - m_scroll->verticalScrollBar()->sizeHint().width() - 2 * kGap;
    const auto widthOf = [](const Side& side) {
        return std::max(side.readout->widthFor(exactImage(side.pyramid)),
                        side.loupe->sizeHint().width());
    };
    const bool fits = widthOf(m_source) + widthOf(m_result) + m_sides->spacing() <= width;
    m_sides->setDirection(fits ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

}  // namespace warpscope::gui
