// What belongs to what in the main window: actions to their receivers, the bridge's news to canvas
// and bars.
#include <QDir>
#include <QFileInfo>
#include <QMenu>
#include <utility>

#include "engine/base/log.h"
#include "gui/app/actions.h"
#include "gui/app/command_palette.h"
#include "gui/app/compare_controller.h"
#include "gui/app/docks.h"
#include "gui/app/fallback_message.h"
#include "gui/app/file_controller.h"
#include "gui/app/help_windows.h"
#include "gui/app/languages.h"
#include "gui/app/latency_meter.h"
#include "gui/app/look_actions.h"
#include "gui/app/main_window.h"
#include "gui/app/open_images.h"
#include "gui/app/operation_pages.h"
#include "gui/app/region_actions.h"
#include "gui/app/second_offer.h"
#include "gui/app/shortcut_editor.h"
#include "gui/app/status_bar.h"
#include "gui/app/step_view_actions.h"
#include "gui/canvas/canvas.h"
#include "gui/demos/demo_menu.h"
#include "gui/demos/demo_panel.h"
#include "gui/display/display_settings.h"
#include "gui/document/file_watcher.h"
#include "gui/document/label_result.h"
#include "gui/document/memory_budget.h"
#include "gui/document/settings.h"
#include "gui/folder/folder_strip.h"
#include "gui/histogram/histogram_panel.h"
#include "gui/inspector/inspector_panel.h"
#include "gui/showcase/showcase.h"
#include "gui/steps/steps_panel.h"
#include "gui/teststrip/test_strip.h"
#include "gui/timings/timings_panel.h"
#include "gui/widgets/engine_text.h"

namespace warpscope::gui {
namespace {

constexpr int kTilePixels = 192;

}  // namespace

void MainWindow::connectFileActions() {
    m_files->connectActions(*m_actions);
    connect(m_actions->openSample, &QAction::triggered, m_bridge.get(),
            &EngineBridge::openSampleScene);
    connect(m_actions->quit, &QAction::triggered, this, &QWidget::close);
    connect(m_canvas, &Canvas::openRequested, m_files.get(), &FileController::openDialog);
    connect(m_canvas, &Canvas::sampleRequested, m_bridge.get(), &EngineBridge::openSampleScene);
}

void MainWindow::connectFolder() {
    FileController* files = m_files.get();
    connect(files, &FileController::imagesChanged, this, [this, files] {
        const QStringList& images = files->images();
        const QString open = images.value(files->imageIndex());
        if (!files->isBesideImages()) {
            m_strip->setImages(images, open);
            return m_status->showPlace(files->imageIndex(), int(images.size()));
        }
        // The smallest copy that still fills a tile.
        const auto& levels = m_document->source()->levels;
        const auto small = std::ranges::find_if(levels, [](const Image& level) {
            return std::max(level.width(), level.height()) < kTilePixels;
        });
        m_strip->setImages(images, open, m_document->title(),
                           small == levels.begin() ? levels.front() : *std::prev(small));
        m_status->showPlace(-1, int(images.size()));
    });
    connect(files, &FileController::pageChanged, this,
            [this, files] { m_status->showPage(files->page(), files->pageCount()); });
    // Nobody who has put it away gets it back by opening a folder.
    const QString shown = QStringLiteral("imageStrip");
    connect(files, &FileController::listOpened, this, [this, shown] {
        if (m_settings.switched(shown).value_or(true) && !m_docks->allHidden())
            m_docks->showPane(m_strip);
    });
    connect(m_docks->toggleOf(m_strip), &QAction::triggered, this,
            [this, shown](bool on) { m_settings.setSwitched(shown, on); });
    connect(m_strip, &FolderStrip::openRequested, files, &FileController::openPath);
    connect(m_strip, &FolderStrip::neighbourRequested, files, &FileController::openNeighbour);
    connect(m_strip, &FolderStrip::secondRequested, files, &FileController::openSecond);
    connect(m_steps, &StepsPanel::secondDropped, files, &FileController::openSecond);
    const QString onDisk = QStringLiteral("thumbnailsOnDisk");
    QAction* keep = m_actions->diskThumbnails;
    connect(keep, &QAction::toggled, this, [this, onDisk](bool on) {
        m_settings.setSwitched(onDisk, on);
        m_strip->thumbnails().setOnDisk(on);
    });
    // Whoever keeps no settings wants no traces.
    keep->setChecked(m_settings.switched(onDisk).value_or(m_settings.isKept()));
}

void MainWindow::connectOpenImages() {
    const Actions& a = *m_actions;
    OpenImages* open = m_open.get();
    CompareController* compare = m_compare.get();
    connect(a.keepOpen, &QAction::triggered, open, &OpenImages::keepCurrent);
    connect(a.nextOpen, &QAction::triggered, open, [open] { open->openNext(1); });
    connect(a.previousOpen, &QAction::triggered, open, [open] { open->openNext(-1); });
    connect(m_strip, &FolderStrip::keepRequested, open, &OpenImages::keep);
    const auto showOpen = [this, open] {
        m_actions->keepOpen->setChecked(open->currentIsKept());
        m_actions->nextOpen->setEnabled(open->count() > 0);
        m_actions->previousOpen->setEnabled(open->count() > 0);
        m_actions->compareLast->setEnabled(m_compare->active() || !open->lastPath().isEmpty());
        m_strip->setKept(open->keptPaths());
    };
    connect(open, &OpenImages::changed, this, showOpen);
    showOpen();

    connect(m_strip, &FolderStrip::compareRequested, compare, &CompareController::compareWith);
    connect(a.compareLast, &QAction::triggered, compare, [this, compare] {
        if (compare->active()) return compare->stop();
        compare->compareWith(m_open->lastPath());
    });
    connect(a.compareWith, &QAction::triggered, compare, [this, compare] {
        m_files->askForImage(tr("Compare with"),
                             [compare](const QString& path) { compare->compareWith(path); });
    });
    // What could not be compared is of no interest once another comparison begins, or the image is
    // another one.
    const QString compared = QStringLiteral("compare");
    const auto forget = [this, compared] { m_messages->withdrawCause(compared); };
    connect(m_document.get(), &Document::sourceChanged, m_messages, forget);
    connect(m_document.get(), &Document::pipelineChanged, m_messages, forget);
    connect(compare, &CompareController::changed, this, [this, compare, showOpen, forget] {
        m_strip->setCompared(compare->path());
        forget();
        if (compare->active()) m_canvas->setFocus();  // Escape must reach it
        showOpen();
    });
    connect(compare, &CompareController::failed, m_messages, [this, compared](const QString& why) {
        m_messages->show({.level = MessageBar::Level::Error, .text = why, .cause = compared});
    });
}

void MainWindow::connectWatching() {
    const auto watch = [this] {
        QHash<QString, std::optional<FileStamp>> files;
        const std::pair<QString, PyramidPtr> read[] = {
            {m_document->filePath(), m_document->source()},
            {m_document->secondPath(), m_document->second()},
            {m_compare->path(), m_compare->source()}};
        for (const auto& [path, pixels] : read)
            if (!path.isEmpty() && !files.value(path))
                files.insert(path, m_bridge->images().stampRead(pixels));
        const QString shown = m_files->images().value(m_files->imageIndex());
        const bool folder = m_files->walksFolder() && !shown.isEmpty();
        m_watcher->watch(files, folder ? QFileInfo(shown).absolutePath() : QString());
    };
    connect(m_document.get(), &Document::sourceChanged, m_watcher.get(), watch);
    connect(m_document.get(), &Document::secondChanged, m_watcher.get(), watch);
    connect(m_compare.get(), &CompareController::changed, m_watcher.get(), watch);
    connect(m_compare.get(), &CompareController::read, m_watcher.get(), watch);
    connect(m_files.get(), &FileController::imagesChanged, m_watcher.get(), watch);
    connect(m_watcher.get(), &FileWatcher::folderChanged, m_files.get(),
            &FileController::refreshFolder);
    connect(m_watcher.get(), &FileWatcher::changed, this, [this](const QString& path) {
        m_strip->fileChanged(path);
        if (path == m_document->filePath()) m_files->reload();
        if (path == m_document->secondPath()) m_files->openSecond(path);
        if (path == m_compare->path()) m_compare->compareWith(path);
    });
}

void MainWindow::connectEditActions() {
    QUndoStack& stack = m_document->undoStack();
    const Actions& a = *m_actions;
    connect(a.undo, &QAction::triggered, &stack, &QUndoStack::undo);
    connect(a.redo, &QAction::triggered, &stack, &QUndoStack::redo);
    const auto name = [](QAction* action, const QString& verb, const QString& text) {
        action->setText(text.isEmpty() ? verb : verb + QStringLiteral(": ") + text);
    };
    const auto update = [this, &stack, name] {
        m_actions->undo->setEnabled(stack.canUndo());
        m_actions->redo->setEnabled(stack.canRedo());
        name(m_actions->undo, tr("&Undo"), stack.undoText());
        name(m_actions->redo, tr("&Redo"), stack.redoText());
    };
    connect(&stack, &QUndoStack::indexChanged, this, update);
    update();
    connect(a.addStep, &QAction::triggered, this, [this] {
        m_docks->showPane(m_steps);
        m_steps->showAddStep();
    });
    connect(a.removeStep, &QAction::triggered, m_steps, &StepsPanel::removeCurrentStep);
    connect(a.duplicateStep, &QAction::triggered, m_steps, &StepsPanel::duplicateCurrentStep);
    connect(a.nameStep, &QAction::triggered, m_steps, &StepsPanel::nameCurrentStep);
    connect(a.testStrip, &QAction::triggered, m_testStrip, &TestStrip::popUp);
    connect(m_steps, &StepsPanel::testStripRequested, a.testStrip, &QAction::trigger);
    connect(a.cropToRegion, &QAction::triggered, m_document.get(), &Document::cropToRegion);
    connect(m_document.get(), &Document::regionChanged, this,
            [this] { m_actions->cropToRegion->setEnabled(m_document->region().has_value()); });
    connect(m_document.get(), &Document::refused, m_messages, [this](const QString& why) {
        m_messages->show({MessageBar::Level::Warning, why});
    });
    connectSecondOffer(*m_document, *m_files, *m_messages);
    connect(m_document.get(), &Document::pipelineChanged, this, &MainWindow::updateStepActions);
    connect(m_document.get(), &Document::currentStepChanged, this, &MainWindow::updateStepActions);
}

void MainWindow::connectViewActions() {
    const Actions& a = *m_actions;
    connect(a.fit, &QAction::triggered, m_canvas, &Canvas::fit);
    connect(a.actualSize, &QAction::triggered, m_canvas, &Canvas::zoomToActual);
    connect(a.zoomIn, &QAction::triggered, m_canvas, &Canvas::zoomIn);
    connect(a.zoomOut, &QAction::triggered, m_canvas, &Canvas::zoomOut);
    for (const ViewMode mode : {ViewMode::Source, ViewMode::Result, ViewMode::SideBySide,
                                ViewMode::Wipe, ViewMode::Difference, ViewMode::Blink})
        connect(a.ofViewMode(mode), &QAction::triggered, m_canvas,
                [this, mode] { m_canvas->setViewMode(mode); });
    const auto showMode = [this](ViewMode mode) { m_actions->ofViewMode(mode)->setChecked(true); };
    connect(m_canvas, &Canvas::viewModeChanged, this, showMode);
    showMode(m_canvas->viewMode());
    connect(m_canvas, &Canvas::zoomChanged, this,
            [this](double zoom) { m_status->showZoom(m_document->source() ? zoom : 0.0); });
    connect(m_canvas, &Canvas::viewportChanged, m_bridge.get(), &EngineBridge::setViewport);
    connect(m_canvas, &Canvas::cursorPixelChanged, m_inspector, &InspectorPanel::setPixels);
    connect(m_canvas, &Canvas::pixelClicked, m_inspector, &InspectorPanel::togglePin);
    connect(m_inspector, &InspectorPanel::pinsChanged, m_canvas, &Canvas::setPins);
    connect(m_inspector, &InspectorPanel::pinChosen, m_canvas, &Canvas::goToPin);
    connect(m_inspector, &InspectorPanel::refused, m_messages, [this](const QString& why) {
        m_messages->show(
            {.level = MessageBar::Level::Warning, .text = why, .cause = QStringLiteral("levels")});
    });
    connect(m_display.get(), &DisplaySettings::changed, m_messages,
            [this] { m_messages->withdrawCause(QStringLiteral("levels")); });
    connect(m_canvas, &Canvas::cursorPixelChanged, m_histogram,
            [this](const QPoint&, const QPoint& result) { m_histogram->setPixel(result); });

    connect(a.hideDocks, &QAction::toggled, m_docks, &Docks::setAllHidden);
    connect(m_docks, &Docks::allHiddenChanged, a.hideDocks, &QAction::setChecked);
    connect(a.nextPane, &QAction::triggered, m_docks, [this] { m_docks->focusNeighbour(1); });
    connect(a.previousPane, &QAction::triggered, m_docks, [this] { m_docks->focusNeighbour(-1); });
    connect(a.resetLayout, &QAction::triggered, m_docks, &Docks::arrange);
    a.wrongVariants->setChecked(m_settings.wrongVariants());
    connect(a.wrongVariants, &QAction::toggled, this, [this](bool shown) {
        m_settings.setWrongVariants(shown);
        m_steps->setWrongVariantsShown(shown);
    });
    connectLanguages(a, m_settings, *m_messages);
    connect(a.themeDark, &QAction::triggered, this, [this] { chooseTheme(true); });
    connect(a.themeLight, &QAction::triggered, this, [this] { chooseTheme(false); });
}

void MainWindow::connectComputeActions() {
    EngineBridge* bridge = m_bridge.get();
    const Actions& a = *m_actions;
    for (const BackendChoice choice :
         {BackendChoice::Auto, BackendChoice::Cuda, BackendChoice::Cpu, BackendChoice::CpuSingle})
        connect(a.ofBackend(choice), &QAction::triggered, this,
                [this, choice] { chooseBackend(choice); });
    connect(bridge, &EngineBridge::backendsReady, this, [this] {
        m_actions->showBackends(*m_bridge->backends());
        m_status->showDevice(*m_bridge->backends(), m_bridge->backend());
        const std::string& why = m_bridge->backends()->cudaUnavailable;
        if (!why.empty())
            logMessage(LogLevel::Info, tr("No GPU: %1").arg(engineText(why)).toStdString());
    });
    connect(a.pause, &QAction::toggled, bridge, &EngineBridge::setPaused);
    connect(a.cancel, &QAction::triggered, this, &MainWindow::cancelWork);
    connect(m_status, &StatusBar::cancelRequested, this, &MainWindow::cancelWork);
    const auto showMemory = [this] {
        m_status->showMemory(m_bridge->memoryBudget());
        m_strip->thumbnails().setMemoryBudget(m_bridge->memoryBudget());
    };
    connect(a.memoryBudget, &QAction::triggered, this,
            [this, showMemory] { askMemoryBudget(*this, m_settings, *m_bridge, showMemory); });
    showMemory();
    connect(a.measureTimings, &QAction::triggered, this, [this] {
        m_docks->showPane(m_timings);
        m_bridge->requestTimings();
    });
}

void MainWindow::connectDemos() {
    connect(m_demoMenu, &DemoMenu::chosen, m_demos.get(), &DemoRunner::start);
    connect(m_actions->sideBySideDemo, &QAction::triggered, this, [this] { m_showcase->open(); });
    connect(m_showcase.get(), &Showcase::refused, this, [this](const QString& why) {
        m_messages->show({MessageBar::Level::Error, why});
    });
    connect(m_demos.get(), &DemoRunner::started, this, [this] {
        m_actions->pause->setChecked(false);  // whoever asks for a demo wants it to run
        m_docks->showPane(m_demoPanel);
    });
    connect(m_demos.get(), &DemoRunner::changed, this, [this, ran = false]() mutable {
        // The last figures may be the longest.
        const bool runs = m_demos->state() != DemoRunner::State::Idle;
        if (!std::exchange(ran, runs) && !runs) return;
        // Once its table is made anew and laid out.
        QTimer::singleShot(0, m_demoPanel, [this] {
            m_docks->giveHeight(m_demoPanel, m_demoPanel->heightForFigures());
        });
    });
}

void MainWindow::connectHelpActions() {
    connect(m_actions->palette, &QAction::triggered, m_palette, &CommandPalette::popUp);
    connect(m_actions->shortcuts, &QAction::triggered, this,
            [this] { showHelpWindow(this, tr("Keys and mouse"), shortcutsHtml(*m_actions)); });
    connectShortcuts({*this, *m_actions, *m_canvas, *m_steps, m_settings});
    connect(m_actions->operationsHelp, &QAction::triggered, this, [this] {
        const int current = m_document->currentStep();
        const auto& steps = m_document->pipeline().steps;
        OperationPages::open(this,
                             current < 0 ? std::string() : steps[std::size_t(current)].operation);
    });
    connect(m_steps, &StepsPanel::helpPageRequested, this, [this](const QString& operation) {
        OperationPages::open(this, operation.toStdString());
    });
    connect(m_actions->about, &QAction::triggered, this, [this] {
        showHelpWindow(this, tr("About Warpscope"), aboutHtml(m_bridge->backends()));
    });
}

void MainWindow::connectPictures() {
    EngineBridge* bridge = m_bridge.get();
    connect(m_document.get(), &Document::sourceChanged, this, &MainWindow::showSource);
    connect(bridge, &EngineBridge::draftReady, m_canvas, [this](const DraftReady& draft) {
        const PyramidPtr result = m_bridge->result();
        if (result && result->levels.front().isNull()) {
            m_canvas->letGoOfResult(result);
            m_display->letGoOfResult();
        }
        m_canvas->setDraft(draft);
    });
    connect(bridge, &EngineBridge::fullReady, m_canvas, [this] {
        m_canvas->setResult(m_bridge->result(), m_bridge->sourceFromResult(),
                            m_bridge->shownRevision());
    });
    const auto showResultSize = [this] {
        const PyramidPtr result = m_bridge->result();
        m_status->showResultSize(result ? result->levels.front().size() : Size{});
    };
    connect(bridge, &EngineBridge::stepReportsChanged, m_status, showResultSize);
    connect(bridge, &EngineBridge::staleChanged, m_canvas, &Canvas::setStale);
    connect(m_document.get(), &Document::pipelineChanged, m_latency, [this] {
        const bool rendered = !m_bridge->paused() && m_bridge->held().isEmpty();
        if (m_document->source() && rendered) m_latency->edited(m_bridge->editRevision());
    });
    connect(m_canvas, &Canvas::framePainted, m_latency, &LatencyMeter::painted);
    connect(m_canvas, &Canvas::frameMissed, m_latency, &LatencyMeter::missed);
    // An edit whose picture failed or was cancelled: the next one is painted for another reason.
    connect(bridge, &EngineBridge::staleChanged, m_latency, [this](bool stale) {
        if (stale) m_latency->missed(m_bridge->revision());
    });
    connect(m_canvas, &Canvas::framePainted, m_timings, &TimingsPanel::resultPainted);
    connect(m_latency, &LatencyMeter::measured, m_status, &StatusBar::showLatency);
}

void MainWindow::connectWork() {
    EngineBridge* bridge = m_bridge.get();
    connect(bridge, &EngineBridge::busyChanged, this, &MainWindow::updateWork);
    connect(bridge, &EngineBridge::openingChanged, this, &MainWindow::updateWork);
    connect(bridge, &EngineBridge::openingSecondChanged, this, &MainWindow::updateWork);
    connect(m_document.get(), &Document::secondChanged, this, &MainWindow::updateTitle);
    connect(m_histogram, &HistogramPanel::messageRaised, m_messages, [this](const QString& text) {
        m_messages->show({MessageBar::Level::Error, text});
    });
    connect(m_histogram, &HistogramPanel::exported, m_messages, [this](const QString& path) {
        m_messages->show(
            {MessageBar::Level::Info, tr("Saved %1").arg(QDir::toNativeSeparators(path))});
    });
    connect(m_files.get(), &FileController::taskBusyChanged, this, &MainWindow::updateWork);
    connect(m_document.get(), &Document::interactionChanged, this, &MainWindow::updateWork);
    connect(bridge, &EngineBridge::progressChanged, m_status, &StatusBar::setProgress);
    connect(bridge, &EngineBridge::differenceReady, this, [this](const DifferenceReady& ready) {
        const bool gpu = ready.backend == BackendKind::Cuda;
        m_canvas->showDifference(ready.other, ready.reference, gpu ? tr("GPU") : tr("all cores"),
                                 tr("1 thread"));
    });
    // The two images are not of the chain that is there now.
    connect(m_document.get(), &Document::pipelineChanged, m_canvas, [this] {
        if (!m_compare->active()) m_canvas->endComparison();
    });
    // The newest failure of the chain alone, and only until it computes again.
    const QString chain = QStringLiteral("chain");
    connect(bridge, &EngineBridge::failed, this, [this, chain](const QString& message) {
        m_messages->show({.level = MessageBar::Level::Error,
                          .text = engineText(message.toStdString()),
                          .cause = chain});
    });
    const auto withdraw = [this, chain] { m_messages->withdrawCause(chain); };
    connect(bridge, &EngineBridge::draftReady, m_messages, withdraw);
    connect(bridge, &EngineBridge::stepReportsChanged, m_messages, withdraw);
    sayFallbacks(*m_bridge, *m_messages);
}

void MainWindow::connectDisplay() {
    EngineBridge* bridge = m_bridge.get();
    const Actions& a = *m_actions;
    m_canvas->setDisplay(*m_display);
    m_inspector->setDisplay(*m_display);
    m_files->setDisplay(*m_display);
    m_steps->setView(*m_display, [this] { return m_canvas->viewport().visible; });
    const auto showImages = [this] {
        const PyramidPtr result = m_bridge->result();
        m_display->setResultLabels(givesLabels(m_bridge->renderedPipeline()));
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

    connectRegionShapes(a, *m_canvas, m_settings);
    connectLook({a, *m_display, *m_canvas, *m_document, *m_messages, m_settings});
    connectStepViews(
        {a, *m_canvas, *m_document, *m_bridge, *m_steps, *m_inspector, *m_messages, m_settings});
    m_histogram->setDisplay(*m_display);
    m_histogram->setSettings(m_settings);
    connect(m_histogram, &HistogramPanel::exporting, m_files.get(), &FileController::leaveOut);
    m_canvas->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_canvas, &QWidget::customContextMenuRequested, this, [this](const QPoint& at) {
        if (m_canvas->isEmpty()) return;
        std::unique_ptr<QMenu> menu(m_actions->canvasMenu(this));
        menu->exec(m_canvas->mapToGlobal(at));
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
    connect(a.pixelCursor, &QAction::triggered, m_canvas, &Canvas::togglePixelCursor);
    connect(a.turnWipe, &QAction::triggered, m_canvas, &Canvas::turnWipe);
    connect(a.stepUp, &QAction::triggered, m_canvas, [this] { m_canvas->stepComparison(true); });
    connect(a.stepDown, &QAction::triggered, m_canvas, [this] { m_canvas->stepComparison(false); });
    connect(a.nextDifference, &QAction::triggered, m_canvas, &Canvas::showNextDifference);
    const auto enableComparing = [this] {
        const ViewMode mode = m_canvas->viewMode();
        const bool image = !m_canvas->isEmpty();
        m_actions->turnWipe->setEnabled(image && mode == ViewMode::Wipe);
        for (QAction* action : {m_actions->stepUp, m_actions->stepDown})
            action->setEnabled(image && (mode == ViewMode::Wipe || mode == ViewMode::Difference));
        m_actions->nextDifference->setEnabled(image && m_canvas->comparison() != nullptr);
    };
    connect(m_canvas, &Canvas::viewModeChanged, m_actions, enableComparing);
    connect(m_canvas, &Canvas::comparisonChanged, m_actions, enableComparing);
    connect(m_document.get(), &Document::sourceChanged, m_actions, enableComparing);
    const auto showSide = [this] {
        m_display->setResultAlone(m_canvas->viewMode() == ViewMode::Result &&
                                  !m_canvas->comparison());
        m_inspector->setShowingSource(m_canvas->showingHeldSource() ||
                                      m_canvas->viewMode() == ViewMode::Source);
    };
    connect(m_canvas, &Canvas::viewModeChanged, m_inspector, showSide);
    connect(m_canvas, &Canvas::comparisonChanged, m_inspector, showSide);
    connect(m_canvas, &Canvas::showingSourceChanged, m_inspector, showSide);
    showSide();

    connect(a.selectRegion, &QAction::triggered, m_canvas, &Canvas::selectRegion);
    connect(a.dropRegion, &QAction::triggered, m_canvas, &Canvas::dropRegion);
    connect(a.profileLine, &QAction::triggered, m_canvas, &Canvas::toggleProfileLine);
    connect(m_canvas, &Canvas::profileSaveFailed, m_messages, [this](const QString& why) {
        m_messages->show({MessageBar::Level::Error, why});
    });
    connect(m_canvas, &Canvas::regionEdited, m_document.get(), &Document::setRegion);
    connect(m_document.get(), &Document::regionChanged, m_canvas,
            [this] { m_canvas->setRegion(m_document->regionShape()); });
    connect(m_histogram, &HistogramPanel::rangeSelected, m_canvas, &Canvas::setHighlight);
    connect(m_canvas, &Canvas::highlightLeft, m_histogram, &HistogramPanel::clearSelection);

    const auto showOpening = [this] {
        m_canvas->setOpening(m_bridge->opening() ? m_bridge->openingTitle() : QString());
    };
    connect(bridge, &EngineBridge::openingChanged, m_canvas, showOpening);
    connect(bridge, &EngineBridge::openingTitleChanged, m_canvas, showOpening);
}

}  // namespace warpscope::gui
