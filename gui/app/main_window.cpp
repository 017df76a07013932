#include "gui/app/main_window.h"

#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QScreen>
#include <QToolBar>

#include "engine/base/log.h"
#include "gui/app/actions.h"
#include "gui/app/benchmark_controller.h"
#include "gui/app/command_palette.h"
#include "gui/app/docks.h"
#include "gui/app/drop_corner.h"
#include "gui/app/file_controller.h"
#include "gui/app/help_windows.h"
#include "gui/app/latency_meter.h"
#include "gui/app/log_panel.h"
#include "gui/app/status_bar.h"
#include "gui/benchmark/benchmark_window.h"
#include "gui/canvas/canvas.h"
#include "gui/canvas/canvas_area.h"
#include "gui/demos/demo_menu.h"
#include "gui/demos/demo_panel.h"
#include "gui/display/display_settings.h"
#include "gui/document/memory_budget.h"
#include "gui/document/settings.h"
#include "gui/histogram/histogram_panel.h"
#include "gui/inspector/inspector_panel.h"
#include "gui/showcase/showcase.h"
#include "gui/steps/steps_panel.h"
#include "gui/timings/timings_panel.h"
#include "gui/widgets/letter_keys.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

constexpr int kStateVersion = 1;
constexpr QSize kFirstSize{1440, 900};

}  // namespace

MainWindow::MainWindow(RenderWorker::BackendFactory factory, Settings& settings, QWidget* parent)
    : QMainWindow(parent),
      m_settings(settings),
      m_display(std::make_unique<DisplaySettings>()),
      m_document(std::make_unique<Document>()),
      m_bridge(std::make_unique<EngineBridge>(*m_document, factory)) {
    setObjectName(QStringLiteral("mainWindow"));
    setWindowIcon(QIcon(QStringLiteral(":/icons/warpscope.svg")));
    setAcceptDrops(true);
    Theme::instance().setChoice(settings.theme());
    m_bridge->setBackend(settings.backend());
    applyMemoryBudget(settings, *m_bridge);

    buildPanels();
    m_files =
        std::make_unique<FileController>(*this, *m_document, *m_bridge, settings, *m_messages);
    buildBars();
    m_benchmark = std::make_unique<BenchmarkController>(*this, settings, factory);
    m_showcase = std::make_unique<Showcase>(*this, *m_document, *m_bridge, std::move(factory));
    m_latency = new LatencyMeter(this);
    m_palette = new CommandPalette(*m_actions, *m_document, *m_files, settings, this);
    connectFileActions();
    connectEditActions();
    connectViewActions();
    connectDisplay();
    connectComputeActions();
    connectDemos();
    connectHelpActions();
    connectPictures();
    connectWork();
    updateTitle();
    updateStepActions();
    restore();
    m_canvas->setFocus();
    if (!settings.setAsidePath().isEmpty())
        m_messages->show({MessageBar::Level::Warning,
                          tr("The settings file could not be read. It was kept as %1, and the "
                             "defaults are used.")
                              .arg(settings.setAsidePath())});
}

MainWindow::~MainWindow() {
    // Threads first, then what they report to, then what the panels refer to.
    m_benchmark.reset();
    m_bridge->shutDown();
    m_files.reset();
    disconnect(m_demos.get(), nullptr, nullptr, nullptr);
    for (QDockWidget* dock : findChildren<QDockWidget*>()) delete dock;
    delete takeCentralWidget();
}

void MainWindow::buildPanels() {
    auto* middle = new CanvasArea(this);
    m_messages = new MessageBar(middle);
    m_canvas = new Canvas(middle);
    m_canvas->setMinimumSize(240, 160);
    middle->setParts(m_canvas, m_messages);
    m_dropCorner = new DropCorner(middle);
    setCentralWidget(middle);

    m_steps = new StepsPanel(*m_document, *m_bridge);
    m_steps->setSettings(m_settings);
    m_histogram = new HistogramPanel(*m_document, *m_bridge);
    m_inspector = new InspectorPanel(*m_document, *m_bridge);
    m_timings = new TimingsPanel(*m_document, *m_bridge);
    m_log = new LogPanel;
    m_demos = std::make_unique<DemoRunner>(*m_document, *m_bridge);
    m_demoPanel = new DemoPanel(*m_demos, *m_bridge);
    m_docks = new Docks(*this, *m_canvas);
    m_docks->add("stepsDock", tr("Steps"), m_steps, Qt::LeftDockWidgetArea);
    m_docks->add("histogramDock", tr("Histogram"), m_histogram, Qt::RightDockWidgetArea);
    m_docks->add("inspectorDock", tr("Inspector"), m_inspector, Qt::RightDockWidgetArea);
    m_docks->add("timingsDock", tr("Timings"), m_timings, Qt::BottomDockWidgetArea);
    m_docks->add("logDock", tr("Log"), m_log, Qt::BottomDockWidgetArea);
    m_docks->add("demoDock", tr("Demo"), m_demoPanel, Qt::BottomDockWidgetArea, false);
}

void MainWindow::buildBars() {
    m_actions = new Actions(this, m_canvas);
    letMarksReachTheWindow(*m_canvas, *this);
    m_demoMenu = new DemoMenu(publishedExperiments(), this);
    m_actions->fillMenuBar(menuBar(), m_files->recent().menu(), m_files->imagesMenu(),
                           m_docks->toggles(), m_demoMenu);
    auto* bar = new QToolBar(tr("Tools"), this);
    bar->setObjectName(QStringLiteral("toolBar"));
    bar->setIconSize(QSize(20, 20));
    bar->setMovable(false);
    m_actions->fillToolBar(bar);
    addToolBar(bar);
    m_status = new StatusBar(this);
    setStatusBar(m_status);
    auto* devices = new QMenu(tr("Compute on"), this);
    devices->addActions(m_actions->backendGroup->actions());
    m_status->setDeviceMenu(devices);
    m_actions->showTheme(Theme::instance().choice() == ThemeChoice::Dark);
    m_actions->ofBackend(m_bridge->backend())->setChecked(true);
}

// --- what belongs to what: actions to their receivers, the bridge's news to canvas and bars ---

void MainWindow::connectFileActions() {
    m_files->connectActions(*m_actions);
    connect(m_actions->openSample, &QAction::triggered, m_bridge.get(),
            &EngineBridge::openSampleScene);
    connect(m_actions->quit, &QAction::triggered, this, &QWidget::close);
    connect(m_canvas, &Canvas::openRequested, m_files.get(), &FileController::openDialog);
    connect(m_canvas, &Canvas::sampleRequested, m_bridge.get(), &EngineBridge::openSampleScene);
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
    connect(a.cropToRegion, &QAction::triggered, m_document.get(), &Document::cropToRegion);
    connect(m_document.get(), &Document::regionChanged, this,
            [this] { m_actions->cropToRegion->setEnabled(m_document->region().has_value()); });
    connect(m_document.get(), &Document::refused, m_messages, [this](const QString& why) {
        m_messages->show({MessageBar::Level::Warning, why});
    });
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
    connect(m_canvas, &Canvas::cursorPixelChanged, m_histogram,
            [this](const QPoint&, const QPoint& result) { m_histogram->setPixel(result); });

    connect(a.hideDocks, &QAction::toggled, m_docks, &Docks::setAllHidden);
    connect(m_docks, &Docks::allHiddenChanged, a.hideDocks, &QAction::setChecked);
    connect(a.nextPane, &QAction::triggered, m_docks, [this] { m_docks->focusNeighbour(1); });
    connect(a.previousPane, &QAction::triggered, m_docks, [this] { m_docks->focusNeighbour(-1); });
    connect(a.resetLayout, &QAction::triggered, m_docks, &Docks::arrange);
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
        if (!why.empty()) logMessage(LogLevel::Info, "no GPU: " + why);
    });
    connect(a.pause, &QAction::toggled, bridge, &EngineBridge::setPaused);
    connect(a.cancel, &QAction::triggered, bridge, &EngineBridge::cancel);
    connect(m_status, &StatusBar::cancelRequested, bridge, &EngineBridge::cancel);
    const auto showMemory = [this] { m_status->showMemory(m_bridge->memoryBudget()); };
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
}

void MainWindow::connectHelpActions() {
    connect(m_actions->palette, &QAction::triggered, m_palette, &CommandPalette::popUp);
    connect(m_actions->shortcuts, &QAction::triggered, this,
            [this] { showHelpWindow(this, tr("Keys and mouse"), shortcutsHtml(*m_actions)); });
    connect(m_actions->operationsHelp, &QAction::triggered, this,
            [this] { showHelpWindow(this, tr("Operations"), operationsHtml()); });
    connect(m_actions->about, &QAction::triggered, this, [this] {
        showHelpWindow(this, tr("About Warpscope"), aboutHtml(m_bridge->backends()));
    });
}

void MainWindow::connectPictures() {
    EngineBridge* bridge = m_bridge.get();
    connect(m_document.get(), &Document::sourceChanged, this, &MainWindow::showSource);
    connect(bridge, &EngineBridge::draftReady, m_canvas, &Canvas::setDraft);
    connect(bridge, &EngineBridge::fullReady, m_canvas,
            [this] { m_canvas->setResult(m_bridge->result(), m_bridge->sourceFromResult()); });
    connect(bridge, &EngineBridge::staleChanged, m_canvas, &Canvas::setStale);
    connect(m_document.get(), &Document::pipelineChanged, m_latency, [this] {
        if (m_document->source() && !m_bridge->paused()) m_latency->edited(m_bridge->revision());
    });
    connect(m_canvas, &Canvas::framePainted, m_latency,
            [this] { m_latency->painted(m_bridge->shownRevision()); });
    connect(m_canvas, &Canvas::frameMissed, m_latency,
            [this] { m_latency->missed(m_bridge->shownRevision()); });
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
    connect(m_files.get(), &FileController::taskBusyChanged, this, &MainWindow::updateWork);
    connect(m_document.get(), &Document::interactionChanged, this, &MainWindow::updateWork);
    connect(bridge, &EngineBridge::progressChanged, m_status, &StatusBar::setProgress);
    connect(bridge, &EngineBridge::differenceReady, this, [this](const DifferenceReady& ready) {
        const bool gpu = ready.backend == BackendKind::Cuda;
        m_canvas->showDifference(ready.other, ready.reference, gpu ? tr("GPU") : tr("all cores"),
                                 tr("1 thread"));
    });
    // The two images are not of the chain that is there now.
    connect(m_document.get(), &Document::pipelineChanged, m_canvas, &Canvas::endComparison);
    connect(bridge, &EngineBridge::failed, this, [this](const QString& message) {
        m_messages->show({MessageBar::Level::Error, message});
    });
    connect(bridge, &EngineBridge::stepReportsChanged, this, [this] {
        QString reason;
        for (const StepReport& step : m_bridge->stepReports())
            if (!step.fallbackReason.empty()) reason = QString::fromStdString(step.fallbackReason);
        if (reason == m_fallbackSaid) return;
        m_fallbackSaid = reason;
        if (!reason.isEmpty())
            logMessage(LogLevel::Warning, "computed on the CPU: " + reason.toStdString());
    });
}

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

// --- what is shown ---

void MainWindow::showSource() {
    m_canvas->setSource(m_document->source());
    m_actions->enableForImage(m_document->source() != nullptr);
    m_status->showImage(m_document->image(), m_document->title());
    m_status->showZoom(m_document->source() ? m_canvas->zoom() : 0.0);
    updateTitle();
}

void MainWindow::updateWork() {
    const bool opening = m_bridge->opening() || m_bridge->openingSecond();
    const bool work = m_bridge->busy() || opening;
    m_actions->cancel->setEnabled(work);
    // While a slider is held the picture itself shows that something happens.
    if (opening)
        m_status->beginWork(tr("Opening"));
    else if (m_bridge->busy() && !m_document->interacting())
        m_status->beginWork(tr("Computing"));
    else if (m_files->busy())
        m_status->beginWork(tr("Saving or copying"));
    else
        m_status->endWork();
}

void MainWindow::updateTitle() {
    QString name = m_document->title();
    if (m_document->second()) name = tr("%1 with %2").arg(name, m_document->secondTitle());
    setWindowTitle(name.isEmpty() ? tr("Warpscope") : tr("%1 – Warpscope").arg(name));
    setWindowFilePath(m_document->filePath());
}

void MainWindow::updateStepActions() {
    const bool current = m_document->currentStep() >= 0;
    m_actions->removeStep->setEnabled(current);
    m_actions->duplicateStep->setEnabled(current);
    m_actions->savePipeline->setEnabled(!m_document->pipeline().steps.empty());
}

void MainWindow::chooseTheme(bool dark) {
    const ThemeChoice choice = dark ? ThemeChoice::Dark : ThemeChoice::Light;
    if (Theme::instance().choice() == choice) return;
    Theme::instance().setChoice(choice);
    m_settings.setTheme(choice);
    m_actions->showTheme(dark);
}

void MainWindow::chooseBackend(BackendChoice choice) {
    m_bridge->setBackend(choice);
    m_settings.setBackend(choice);
    if (m_bridge->backends()) m_status->showDevice(*m_bridge->backends(), choice);
}

// --- the window itself ---

void MainWindow::restore() {
    // Not larger than the screen at hand, frame and panels of the desktop left free.
    const QScreen* place = screen();
    resize(place ? kFirstSize.boundedTo(place->availableSize() - QSize(16, 40)) : kFirstSize);
    restoreGeometry(m_settings.geometry());
    m_restored = restoreState(m_settings.layout(), kStateVersion);
}

void MainWindow::showEvent(QShowEvent* event) {
    QMainWindow::showEvent(event);
    // Sizes of docks mean something only once the window has its own.
    if (!std::exchange(m_restored, true)) m_docks->arrange();
}

QSize MainWindow::sizeHint() const {
    return kFirstSize;
}

void MainWindow::closeEvent(QCloseEvent* event) {
    // Once: somebody who closes again means it, and a save that has begun is finished in any case.
    if (m_files->savesUnfinished() && !m_closeAsked) {
        m_closeAsked = true;
        m_messages->show({MessageBar::Level::Warning,
                          tr("A save is not finished. Close again to close all the same.")});
        event->ignore();
        return;
    }
    const BenchmarkWindow* benchmark = m_benchmark ? m_benchmark->window() : nullptr;
    if (benchmark && benchmark->thread().running() && !m_benchmarkCloseAsked) {
        m_benchmarkCloseAsked = true;
        m_messages->show({MessageBar::Level::Warning,
                          tr("A benchmark is running. Close again to end it and close.")});
        event->ignore();
        return;
    }
    m_docks->setAllHidden(false);
    m_settings.setGeometry(saveGeometry());
    m_settings.setLayout(saveState(kStateVersion));
    m_settings.save();
    m_bridge->cancel();
    if (m_benchmark) m_benchmark->close();
    event->accept();
}

// Always a copy: whoever gives a file must not think that it was moved here.
void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (!FileController::canTake(event->mimeData())) return;
    event->setDropAction(Qt::CopyAction);
    event->accept();
    m_dropCorner->appear();
}

void MainWindow::dragMoveEvent(QDragMoveEvent* event) {
    m_dropCorner->setUnder(mapToGlobal(event->position().toPoint()));
    event->setDropAction(Qt::CopyAction);
    event->accept();
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent*) {
    m_dropCorner->hide();
}

void MainWindow::dropEvent(QDropEvent* event) {
    const bool second = m_dropCorner->holds(mapToGlobal(event->position().toPoint()));
    m_dropCorner->hide();
    using As = FileController::TakeAs;
    if (!m_files->take(event->mimeData(), second ? As::Second : As::Images)) return;
    event->setDropAction(Qt::CopyAction);
    event->accept();
    m_canvas->setFocus();
}

}  // namespace warpscope::gui
