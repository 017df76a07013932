#include "gui/inspector/inspector_panel.h"

#include <QBoxLayout>
#include <QEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>
#include <algorithm>

#include "gui/canvas/canvas.h"
#include "gui/canvas/display_settings.h"
#include "gui/inspector/levels_controls.h"
#include "gui/inspector/loupe.h"
#include "gui/inspector/pinned_list.h"
#include "gui/inspector/pixel_readout.h"
#include "gui/inspector/statistics_table.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

constexpr int kGap = 8;
// What is out of date for a moment only is not worth a mark that flickers.
constexpr int kOutdatedMs = 250;

Image exactImage(const PyramidPtr& pyramid) {
    return pyramid && !pyramid->levels.empty() ? pyramid->levels.front() : Image();
}

SideStatistics statisticsOf(const Image& image, const std::vector<ChannelStatistics>& channels,
                            const HistogramSet& set) {
    const bool hasAlpha = !image.isNull() && image.info().hasAlpha;
    return {set.format, hasAlpha, channels};
}

}  // namespace

// One of the two sides.
struct SideView {
    PixelReadout* readout = nullptr;
    Loupe* loupe = nullptr;
    PyramidPtr pyramid;

    void setPyramid(const PyramidPtr& now) {
        if (now == pyramid) return;
        pyramid = now;
        loupe->setPyramid(now);
    }
    void showPixel(const QPoint& pixel) {
        loupe->setPixel(pixel);
        readout->setPixel(exactImage(pyramid), pixel, loupe->colorAt(pixel));
    }
};

struct InspectorPanel::State {
    State(InspectorPanel& panel, Document& doc, EngineBridge& engine)
        : q(panel), document(doc), bridge(engine) {}

    InspectorPanel& q;
    Document& document;
    EngineBridge& bridge;

    QScrollArea* scroll = nullptr;
    QLabel* position = nullptr;
    QBoxLayout* sides = nullptr;
    SideView source;
    SideView result;
    LevelsControls* levels = nullptr;
    DisplaySettings* display = nullptr;
    const Comparison* comparison = nullptr;
    QTimer outdatedTimer;
    QLabel* pinHint = nullptr;
    PinnedList* pins = nullptr;
    QPushButton* clearPins = nullptr;
    QLabel* statisticsTitle = nullptr;
    StatisticsTable* statistics = nullptr;
    QPoint pixel{-1, -1};
    bool showsSource = false;

    void build();
    QWidget* makeSides(QWidget* parent);
    void retranslate();
    void updateImages();
    void updatePixel();
    void updateTitles();
    void updateLooks();
    void updateLevels();
    void watchAge();        // after anything that makes what is shown old, or new
    bool outdated = false;  // for longer than a moment
    void updatePins();
    void updateStatistics();
    void arrangeSides();
};

InspectorPanel::InspectorPanel(Document& document, EngineBridge& bridge, QWidget* parent)
    : QWidget(parent), m_state(std::make_unique<State>(*this, document, bridge)) {
    State& s = *m_state;
    s.build();
    connect(&document, &Document::sourceChanged, this, [&s] {
        // Which pixel is looked at is the canvas's affair; the mouse may rest on one.
        s.updateImages();
        s.updateStatistics();
    });
    connect(&bridge, &EngineBridge::fullReady, this, [&s] { s.updateImages(); });
    connect(&bridge, &EngineBridge::staleChanged, this, [&s] { s.watchAge(); });
    connect(&bridge, &EngineBridge::busyChanged, this, [&s] { s.watchAge(); });
    connect(&bridge, &EngineBridge::histogramsReady, this, [&s] { s.watchAge(); });
    connect(&document, &Document::pipelineChanged, this, [&s] { s.watchAge(); });
    connect(&document, &Document::regionChanged, this, [&s] { s.watchAge(); });
    s.outdatedTimer.setSingleShot(true);
    s.outdatedTimer.setInterval(kOutdatedMs);
    connect(&s.outdatedTimer, &QTimer::timeout, this, [&s] {
        s.outdated = true;
        s.updateTitles();
        s.updateStatistics();
    });
    s.retranslate();
    s.updateImages();
    s.updateStatistics();
}

InspectorPanel::~InspectorPanel() = default;

QSize InspectorPanel::sizeHint() const {
    return {300, 300};
}

void InspectorPanel::setDisplay(DisplaySettings& display) {
    State& s = *m_state;
    s.display = &display;
    s.levels->setDisplay(display);
    connect(&display, &DisplaySettings::changed, this, [&s] {
        s.updateLooks();
        s.updatePixel();
    });
    s.updateLooks();
}

void InspectorPanel::setShowingSource(bool source) {
    if (source == m_state->showsSource) return;
    m_state->showsSource = source;
    m_state->updateLevels();
}

void InspectorPanel::editLevels() {
    m_state->scroll->ensureWidgetVisible(m_state->levels);
    m_state->levels->focusBlack();
}

void InspectorPanel::setComparison(const Comparison* comparison) {
    m_state->comparison = comparison;
    m_state->updateImages();
}

void InspectorPanel::setPixel(const QPoint& pixel) {
    if (pixel == m_state->pixel) return;
    m_state->pixel = pixel;
    m_state->updatePixel();
}

void InspectorPanel::togglePin(const QPoint& pixel) {
    if (isInside(exactImage(m_state->source.pyramid), pixel)) m_state->pins->toggle(pixel);
}

void InspectorPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_state->arrangeSides();
}

void InspectorPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) m_state->retranslate();
    QWidget::changeEvent(event);
}

void InspectorPanel::State::build() {
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(kGap, kGap, kGap, kGap);
    column->setSpacing(kGap);

    position = new QLabel(content);
    position->setFont(Theme::instance().figureFont());
    position->setWordWrap(true);
    column->addWidget(position);
    column->addWidget(makeSides(content));

    levels = new LevelsControls(content);

    pinHint = new QLabel(content);
    pinHint->setWordWrap(true);
    pinHint->setForegroundRole(QPalette::PlaceholderText);
    pins = new PinnedList(content);
    clearPins = new QPushButton(content);
    connect(clearPins, &QPushButton::clicked, pins, &PinnedList::clearPins);
    connect(pins, &PinnedList::pinsChanged, &q, [this] { updatePins(); });
    column->addWidget(pinHint);
    column->addWidget(pins);
    column->addWidget(clearPins, 0, Qt::AlignLeft);

    statisticsTitle = new QLabel(content);
    statisticsTitle->setForegroundRole(QPalette::PlaceholderText);
    statisticsTitle->setWordWrap(true);
    statistics = new StatisticsTable(content);
    column->addWidget(statisticsTitle);
    column->addWidget(statistics);
    column->addWidget(levels);
    column->addStretch();

    scroll = new QScrollArea(&q);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::StrongFocus);  // arrow keys scroll
    scroll->setWidget(content);
    auto* outer = new QVBoxLayout(&q);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(scroll);
    updatePins();
}

QWidget* InspectorPanel::State::makeSides(QWidget* parent) {
    auto* both = new QWidget(parent);
    both->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    sides = new QBoxLayout(QBoxLayout::LeftToRight, both);
    sides->setContentsMargins(0, 0, 0, 0);
    sides->setSpacing(2 * kGap);
    for (SideView* side : {&source, &result}) {
        auto* column = new QVBoxLayout;
        column->setSpacing(kGap);
        side->readout = new PixelReadout(both);
        side->loupe = new Loupe(both);
        column->addWidget(side->readout);
        column->addStretch();
        column->addWidget(side->loupe);
        sides->addLayout(column);
    }
    sides->addStretch();
    return both;
}

void InspectorPanel::State::retranslate() {
    q.setAccessibleName(InspectorPanel::tr("Pixel values and statistics"));
    scroll->setAccessibleName(InspectorPanel::tr("Pixel values and statistics"));
    source.loupe->setAccessibleName(InspectorPanel::tr("Loupe of the source"));
    result.loupe->setAccessibleName(InspectorPanel::tr("Loupe of the result"));
    pinHint->setText(InspectorPanel::tr("Click the image to pin a pixel here."));
    clearPins->setText(InspectorPanel::tr("Clear pins"));
    updateTitles();
    updateStatistics();
    updatePixel();
}

// The samples are those of the last exact result, also while a newer one is on its way.
void InspectorPanel::State::updateTitles() {
    if (comparison) {
        source.readout->setTitle(comparison->firstLabel);
        result.readout->setTitle(comparison->secondLabel);
        result.readout->setOutdated(false);
        return;
    }
    source.readout->setTitle(InspectorPanel::tr("Source"));
    const bool there = !exactImage(result.pyramid).isNull();
    const bool stale = there && bridge.stale();
    const bool updating = there && !stale && !bridge.resultIsCurrent() && outdated;
    result.readout->setTitle(stale      ? InspectorPanel::tr("Result (stale)")
                             : updating ? InspectorPanel::tr("Result (updating)")
                                        : InspectorPanel::tr("Result"));
    result.readout->setOutdated(stale || updating);
}

void InspectorPanel::State::watchAge() {
    const bool current = bridge.resultIsCurrent() && bridge.histogramsAreCurrent();
    if (current) {
        outdatedTimer.stop();
        outdated = false;
    } else if (!outdated && !outdatedTimer.isActive()) {
        outdatedTimer.start();
    }
    updateTitles();
    updateStatistics();
}

void InspectorPanel::State::updateLooks() {
    if (!display) return;
    for (SideView* side : {&source, &result})
        side->loupe->setLook(display->lookFor(exactImage(side->pyramid)));
}

void InspectorPanel::State::updateImages() {
    if (comparison) {
        source.setPyramid(comparison->first);
        result.setPyramid(comparison->second);
    } else {
        source.setPyramid(document.source());
        // A result of another source is none.
        const PyramidPtr made = bridge.result();
        const bool fits =
            made && source.pyramid && exactImage(made).size() == exactImage(source.pyramid).size();
        result.setPyramid(fits ? made : nullptr);
    }
    const Image second = exactImage(result.pyramid);
    pins->setImages(exactImage(source.pyramid), second);
    updateLevels();
    updateLooks();
    watchAge();
    updatePixel();
    arrangeSides();
}

// The range of what the canvas shows; of two images at once, that of the second.
void InspectorPanel::State::updateLevels() {
    const Image second = exactImage(result.pyramid);
    levels->setImage(showsSource || second.isNull() ? exactImage(source.pyramid) : second);
}

void InspectorPanel::State::updatePixel() {
    const Image image = exactImage(source.pyramid);
    if (isInside(image, pixel))
        position->setText(QStringLiteral("x %1   y %2").arg(pixel.x()).arg(pixel.y()));
    else if (image.isNull())
        position->setText(InspectorPanel::tr("No image"));
    else
        position->setText(InspectorPanel::tr("Move over the image to read its pixels."));
    source.showPixel(pixel);
    result.showPixel(pixel);
}

void InspectorPanel::State::updatePins() {
    const bool any = !pins->pixels().empty();
    pins->setVisible(any);
    clearPins->setVisible(any);
    pinHint->setVisible(!any);
}

void InspectorPanel::State::updateStatistics() {
    const auto& ready = bridge.histograms();
    statistics->setVisible(ready.has_value());
    if (!ready) {
        statisticsTitle->setText(exactImage(document.source()).isNull()
                                     ? QString()
                                     : InspectorPanel::tr("Statistics are being counted."));
        return;
    }
    const auto size = [&](const QString& text) {
        return text.arg(ready->source.size.width).arg(ready->source.size.height);
    };
    const std::optional<Rect> region = document.region();
    // Until the region's own are there, the table still says what it said before.
    const bool current = bridge.histogramsAreCurrent();
    const bool limited = region && region->size() == ready->source.size;
    QString title =
        limited && current
            ? size(InspectorPanel::tr("Statistics of the region, %1 × %2 pixels at %3, %4"))
                  .arg(region->x)
                  .arg(region->y)
            : size(InspectorPanel::tr("Statistics of all samples, %1 × %2 pixels"));
    if (!current && bridge.stale())
        title += InspectorPanel::tr(" (stale)");
    else if (!current && outdated)
        title += InspectorPanel::tr(" (updating)");
    statisticsTitle->setText(title);
    statistics->setOutdated(!current && (bridge.stale() || outdated));
    statistics->setStatistics(
        statisticsOf(exactImage(document.source()), ready->sourceStatistics, ready->source),
        statisticsOf(exactImage(bridge.result()), ready->resultStatistics, ready->result));
}

void InspectorPanel::State::arrangeSides() {
    // Beside each other where both fit, else the result below.
    const int width = scroll->width() - scroll->verticalScrollBar()->sizeHint().width() - 2 * kGap;
    const auto widthOf = [](const SideView& side) {
        return std::max(side.readout->widthFor(exactImage(side.pyramid)),
                        side.loupe->sizeHint().width());
    };
    const bool fits = widthOf(source) + widthOf(result) + sides->spacing() <= width;
    sides->setDirection(fits ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

}  // namespace warpscope::gui
