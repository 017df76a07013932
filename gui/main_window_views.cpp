// What the picture shows beside the picture itself: black and white, region, highlighted values,
// two given images, the name of one that is being opened; and who else is told of it.
#include "gui/app/actions.h"
#include "gui/app/docks.h"
#include "gui/app/file_controller.h"
#include "gui/canvas/canvas.h"
#include "gui/canvas/display_settings.h"
#include "gui/histogram/histogram_panel.h"
#include "gui/inspector/inspector_panel.h"
#include "gui/main_window.h"

namespace warpscope::gui {

void MainWindow::connectDisplay() {
    EngineBridge* bridge = m_bridge.get();
    const Actions& a = *m_actions;
    m_canvas->setDisplay(*m_display);
    m_inspector->setDisplay(*m_display);
    m_files->setDisplay(*m_display);
    const auto showImages = [this] {
        const PyramidPtr result = m_bridge->result();
        m_display->setImages(m_document->image(), result ? result->levels.front() : Image());
    };
    connect(m_document.get(), &Document::sourceChanged, m_display.get(), showImages);
    connect(bridge, &EngineBridge::fullReady, m_display.get(), showImages);
    for (const RangeChoice choice :
         {RangeChoice::Natural, RangeChoice::MinMax, RangeChoice::Percentiles})
        connect(a.ofRange(choice), &QAction::triggered, m_display.get(),
                [this, choice] { m_display->setChoice(choice); });
    connect(a.rangeManual, &QAction::triggered, this, [this] {
        m_docks->showPane(m_inspector);
        m_inspector->editLevels();
        m_actions->ofRange(m_display->choice())->setChecked(true);  // until a value is typed
    });
    connect(a.rangeLogarithmic, &QAction::toggled, m_display.get(),
            &DisplaySettings::setLogarithmic);
    connect(m_display.get(), &DisplaySettings::changed, this, [this] {
        m_actions->ofRange(m_display->choice())->setChecked(true);
        m_actions->rangeLogarithmic->setChecked(m_display->logarithmic());
    });

    connect(a.differenceSigned, &QAction::triggered, m_canvas, [this] {
        m_canvas->toggleDifferenceSign();
        m_canvas->setViewMode(ViewMode::Difference);
    });
    connect(m_canvas, &Canvas::differenceStyleChanged, this, [this] {
        m_actions->differenceSigned->setChecked(m_canvas->differenceStyle().kind ==
                                                DifferenceKind::Signed);
    });
    connect(m_canvas, &Canvas::comparisonChanged, m_inspector,
            [this] { m_inspector->setComparison(m_canvas->comparison()); });
    const auto showSide = [this] {
        m_inspector->setShowingSource(m_canvas->showingHeldSource() ||
                                      m_canvas->viewMode() == ViewMode::Source);
    };
    connect(m_canvas, &Canvas::viewModeChanged, m_inspector, showSide);
    connect(m_canvas, &Canvas::showingSourceChanged, m_inspector, showSide);
    showSide();

    connect(a.selectRegion, &QAction::triggered, m_canvas, &Canvas::selectRegion);
    connect(a.dropRegion, &QAction::triggered, m_canvas, &Canvas::dropRegion);
    connect(a.profileLine, &QAction::triggered, m_canvas, &Canvas::toggleProfileLine);
    connect(m_canvas, &Canvas::regionEdited, m_document.get(), &Document::setRegion);
    connect(m_document.get(), &Document::regionChanged, m_canvas,
            [this] { m_canvas->setRegion(m_document->region()); });
    connect(m_histogram, &HistogramPanel::rangeSelected, m_canvas, &Canvas::setHighlight);

    const auto showOpening = [this] {
        m_canvas->setOpening(m_bridge->opening() ? m_bridge->openingTitle() : QString());
    };
    connect(bridge, &EngineBridge::openingChanged, m_canvas, showOpening);
    connect(bridge, &EngineBridge::openingTitleChanged, m_canvas, showOpening);
}

void MainWindow::showDifference(const Image& a, const Image& b, const QString& labelA,
                                const QString& labelB) {
    m_canvas->showDifference(a, b, labelA, labelB);
}

}  // namespace warpscope::gui
