#include "gui/app/main_window.h"

#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QScreen>
#include <QTimer>
#include <QToolBar>

#include "engine/base/log.h"
#include "engine/io/isolated_reader.h"
#include "gui/app/actions.h"
#include "gui/app/benchmark_controller.h"
#include "gui/app/command_palette.h"
#include "gui/app/compare_controller.h"
#include "gui/app/docks.h"
#include "gui/app/drop_corner.h"
#include "gui/app/file_controller.h"
#include "gui/app/first_hints.h"
#include "gui/app/gpu_menu.h"
#include "gui/app/grown_layout.h"
#include "gui/app/handles_controller.h"
#include "gui/app/help_windows.h"
#include "gui/app/kept_steps.h"
#include "gui/app/latency_meter.h"
#include "gui/app/log_panel.h"
#include "gui/app/objects_dock.h"
#include "gui/app/open_images.h"
#include "gui/app/picture_alone.h"
#include "gui/app/session_actions.h"
#include "gui/app/status_bar.h"
#include "gui/base/dragged_file.h"
#include "gui/benchmark/benchmark_window.h"
#include "gui/canvas/canvas.h"
#include "gui/canvas/canvas_area.h"
#include "gui/canvas/keys_over_image.h"
#include "gui/demos/demo_menu.h"
#include "gui/demos/demo_panel.h"
#include "gui/display/display_settings.h"
#include "gui/document/file_watcher.h"
#include "gui/document/memory_budget.h"
#include "gui/document/settings.h"
#include "gui/folder/folder_strip.h"
#include "gui/histogram/histogram_panel.h"
#include "gui/inspector/inspector_panel.h"
#include "gui/scopes/scopes_panel.h"
#include "gui/showcase/showcase.h"
#include "gui/steps/shipped_menu.h"
#include "gui/steps/steps_panel.h"
#include "gui/teststrip/test_strip.h"
#include "gui/timings/timings_panel.h"
#include "gui/widgets/letter_keys.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

// Layouts of the first could hold windows of several panels.
constexpr int kStateVersion = 2;
constexpr QSize kFirstSize{1440, 900};
const QString kTabs = QStringLiteral("tabsForRoom");
const QString kImageTab = QStringLiteral("imageTabForRoom");
constexpr int kStripHeight = 300;

// Of those in one place the one whose tab is chosen.
QDockWidget* inFront(const QMainWindow& window, QDockWidget* dock) {
    for (QDockWidget* other : window.tabifiedDockWidgets(dock))
        if (!other->visibleRegion().isEmpty()) return other;
    return dock;
}

}  // namespace

MainWindow::MainWindow(RenderWorker::BackendFactory factory, Settings& settings,
                       std::shared_ptr<GpuChoice> gpu, QWidget* parent)
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

    buildPanels(factory);
    m_files =
        std::make_unique<FileController>(*this, *m_document, *m_bridge, settings, *m_messages);
    m_open = std::make_unique<OpenImages>(*m_document, *m_bridge, *m_canvas, *m_files);
    m_compare = std::make_unique<CompareController>(*m_document, *m_bridge, *m_canvas, factory);
    m_watcher = std::make_unique<FileWatcher>();
    buildBars(gpu ? std::move(gpu) : std::make_shared<GpuChoice>());
    m_steps->setHandlesAction(m_actions->stepHandles);
    m_handles = std::make_unique<HandlesController>(*m_document, *m_bridge, *m_canvas,
                                                    *m_actions->stepHandles, factory);
    // It shows results, whose place a crop's input would take.
    connect(m_testStrip, &TestStrip::opening, m_handles.get(),
            [this] { m_actions->stepHandles->setChecked(false); });
    m_benchmark = std::make_unique<BenchmarkController>(*this, settings, factory);
    m_showcase =
        std::make_unique<Showcase>(*this, *m_document, *m_bridge, *m_display, std::move(factory));
    m_pictureAlone = std::make_unique<PictureAlone>(*this, *m_canvas, *m_docks, *m_actions);
    m_hints = std::make_unique<FirstHints>(
        FirstHints::Parts{*m_document, *m_canvas, *m_actions, settings, *m_status});
    m_latency = new LatencyMeter(this);
    m_keptSteps = new KeptSteps(*m_document, settings, *m_messages, *m_actions->keepSteps, this);
    m_palette = new CommandPalette(*m_actions, *m_document, *m_files, settings, this);
    m_session = std::make_unique<SessionActions>(
        SessionParts{*m_document, *m_bridge, *m_canvas, *m_files, *m_open, *m_compare, *m_display,
                     *m_inspector, *m_histogram, *m_scopes, *m_testStrip, *m_actions->profileShown},
        *m_actions, settings, *m_messages);
    connectFileActions();
    connectFolder();
    connectOpenImages();
    connectWatching();
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
    m_session.reset();
    m_benchmark.reset();
    delete m_testStrip;
    m_pictureAlone.reset();
    m_hints.reset();
    m_handles.reset();
    m_compare.reset();
    m_watcher.reset();
    m_bridge->shutDown();
    // A slider that is held lets go in the end, and a field that is written takes what it has,
    // which nobody is to hear any more.
    disconnect(m_document.get(), nullptr, this, nullptr);
    disconnect(m_document.get(), nullptr, m_canvas, nullptr);
    m_open.reset();
    m_files.reset();
    disconnect(m_demos.get(), nullptr, nullptr, nullptr);
    m_docks->takeDown();
    delete takeCentralWidget();
}

void MainWindow::buildPanels(const RenderWorker::BackendFactory& factory) {
    m_log = new LogPanel;
    // Ready for the first image by the time that the window is; the log hears of what goes wrong.
    prepareDecoding();
    auto* middle = new CanvasArea(this);
    m_messages = new MessageBar(middle);
    m_canvas = new Canvas(middle);
    m_canvas->setMinimumSize(200, 120);
    middle->setParts(m_canvas, m_messages);
    m_dropCorner = new DropCorner(middle);
    setCentralWidget(middle);

    m_steps = new StepsPanel(*m_document, *m_bridge);
    m_steps->setSettings(m_settings);
    m_steps->setWrongVariantsShown(m_settings.wrongVariants());
    m_histogram = new HistogramPanel(*m_document, *m_bridge);
    m_inspector = new InspectorPanel(*m_document, *m_bridge);
    m_timings = new TimingsPanel(*m_document, *m_bridge);
    m_demos = std::make_unique<DemoRunner>(*m_document, *m_bridge);
    m_demoPanel = new DemoPanel(*m_demos, *m_bridge);
    m_docks = new Docks(*this, *m_canvas);
    m_docks->add("stepsDock", tr("Steps"), m_steps, Qt::LeftDockWidgetArea);
    m_docks->add("histogramDock", tr("Histogram"), m_histogram, Qt::RightDockWidgetArea);
    buildScopes();
    m_docks->add("inspectorDock", tr("Inspector"), m_inspector, Qt::RightDockWidgetArea);
    m_docks->add("timingsDock", tr("Timings"), m_timings, Qt::BottomDockWidgetArea);
    m_docks->add("logDock", tr("Log"), m_log, Qt::BottomDockWidgetArea);
    m_docks->add("demoDock", tr("Demo"), m_demoPanel, Qt::BottomDockWidgetArea, false);
    buildTestStrip();
    addObjectsDock(
        {*this, *m_docks, *m_canvas, *m_document, m_settings, *m_bridge, *m_steps, *m_messages},
        factory);
    m_strip = new FolderStrip;
    m_docks->add("imagesDock", tr("Images"), m_strip, Qt::TopDockWidgetArea, false);
}

void MainWindow::buildScopes() {
    auto* panel = m_scopes = new ScopesPanel(*m_document, *m_bridge);
    QDockWidget* dock =
        m_docks->add("scopesDock", tr("Scopes"), panel, Qt::RightDockWidgetArea, false);
    connect(dock, &QDockWidget::visibilityChanged, panel, &ScopesPanel::setInSight);
    QAction* toggle = dock->toggleViewAction();
    toggle->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_W);
    // Opens as a tab of the histogram's, unless it stands elsewhere.
    connect(toggle, &QAction::triggered, dock, [this, dock](bool on) {
        if (!on) return;
        auto* histogram = findChild<QDockWidget*>(QStringLiteral("histogramDock"));
        if (!dock->isFloating() && !histogram->isFloating() && !histogram->isHidden() &&
            dockWidgetArea(dock) == dockWidgetArea(histogram) &&
            tabifiedDockWidgets(dock).isEmpty())
            tabifyDockWidget(histogram, dock);
        dock->raise();
    });
}

// With the panels at the foot, which get room for it as long as it is open.
void MainWindow::buildTestStrip() {
    m_testStrip = new TestStrip(*m_document, *m_bridge, *m_display, *m_canvas);
    QDockWidget* dock =
        m_docks->add("stripDock", tr("Test strip"), m_testStrip, Qt::BottomDockWidgetArea, false);
    connect(m_testStrip, &QWidget::windowTitleChanged, dock, &QWidget::setWindowTitle);
    connect(m_testStrip, &TestStrip::opening, dock, [this, dock] {
        auto* timings = findChild<QDockWidget*>(QStringLiteral("timingsDock"));
        if (!dock->isVisible() && !dock->isFloating() && !timings->isFloating() &&
            !timings->isHidden() && dockWidgetArea(dock) == dockWidgetArea(timings)) {
            if (tabifiedDockWidgets(dock).isEmpty()) tabifyDockWidget(timings, dock);
            m_beforeStrip = inFront(*this, timings);
            m_heightBeforeStrip = m_beforeStrip->height();
        }
        m_docks->showPane(m_testStrip);
        // Once it is laid out there.
        QTimer::singleShot(0, m_testStrip,
                           [this] { m_docks->giveHeight(m_testStrip, kStripHeight); });
    });
    connect(dock->toggleViewAction(), &QAction::toggled, dock, [this, dock](bool shown) {
        if (shown || dock->isFloating() || m_heightBeforeStrip == 0) return;
        const int height = std::exchange(m_heightBeforeStrip, 0);
        QTimer::singleShot(0, dock, [this, dock, height] {
            if (!dock->isHidden()) return;
            m_beforeStrip->raise();
            resizeDocks({m_beforeStrip}, {height}, Qt::Vertical);
        });
    });
}

void MainWindow::buildBars(std::shared_ptr<GpuChoice> gpu) {
    m_actions = new Actions(this, m_canvas);
    letMarksReachTheWindow(*m_canvas, *this);
    new KeysOverImage(*m_canvas, *this);
    m_demoMenu = new DemoMenu(publishedExperiments(), this);
    m_actions->fillMenuBar(menuBar(), m_files->recent().menu(), m_files->imagesMenu(),
                           m_docks->toggles(), m_demoMenu);
    for (QObject* place : m_actions->addStep->associatedObjects())
        if (auto* edit = qobject_cast<QMenu*>(place))
            edit->insertMenu(m_actions->removeStep, new ShippedMenu(*m_document, edit));
    auto* bar = new QToolBar(tr("Tools"), this);
    bar->setObjectName(QStringLiteral("toolBar"));
    bar->setIconSize(QSize(20, 20));
    bar->setMovable(false);
    m_actions->fillToolBar(bar);
    addToolBar(bar);
    m_status = new StatusBar(this);
    setStatusBar(m_status);
    m_messages->setHintLine([this](const QString& hint) { return m_status->showNote(hint); });
    connect(m_status, &StatusBar::noteClicked, m_messages, &MessageBar::dismiss);
    auto* gpus = new GpuMenu(*m_bridge, m_settings, *m_messages, std::move(gpu), this);
    for (QObject* place : m_actions->backendCpuSingle->associatedObjects())
        if (auto* compute = qobject_cast<QMenu*>(place)) {
            const QList<QAction*> all = compute->actions();
            compute->insertMenu(all.value(all.indexOf(m_actions->backendCpuSingle) + 1), gpus);
        }
    auto* devices = new QMenu(tr("Compute on"), this);
    devices->addActions(m_actions->backendGroup->actions());
    devices->addMenu(gpus);
    m_status->setDeviceMenu(devices);
    m_actions->showTheme(Theme::instance().choice() == ThemeChoice::Dark);
    m_actions->ofBackend(m_bridge->backend())->setChecked(true);
}

// --- what is shown ---

void MainWindow::showSource() {
    m_canvas->setSource(m_document->source());
    m_open->sourceShown();
    m_actions->enableForImage(m_document->source() != nullptr);
    m_status->showImage(m_document->image(), m_document->title());
    m_status->showZoom(m_document->source() ? m_canvas->zoom() : 0.0);
    updateTitle();
}

void MainWindow::updateWork() {
    const bool opening = m_bridge->opening() || m_bridge->openingSecond();
    const bool work = m_bridge->busy() || opening;
    // Not with every frame of a drag: the tool bar would be laid out anew each time.
    if (work || !m_document->interacting())
        m_actions->cancel->setEnabled(work || m_files->savesUnfinished());
    if (!m_files->savesUnfinished()) m_closeAsked = false;
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

// What the bar at the foot names.
void MainWindow::cancelWork() {
    if (!m_bridge->busy() && !m_bridge->opening() && !m_bridge->openingSecond())
        return m_files->cancelSaves();
    m_bridge->cancel();
    m_files->cancelWaitingSave();
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
    m_actions->testStrip->setEnabled(current);
    m_actions->nameStep->setEnabled(current);
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
    // Qt 6.4 lays a window that is not shown yet out while it makes a second row of tabs, and the
    // panels have the sizes that they wish for. Rows that are there already change nothing. Of a
    // maximized one it keeps what it restored until that has its size; a second time then crashes.
    const bool grows = windowState() & (Qt::WindowMaximized | Qt::WindowFullScreen);
    if (m_restored && grows) new GrownLayout(*this, m_settings.layout(), kStateVersion);
    if (m_restored && !grows) restoreState(m_settings.layout(), kStateVersion);
    m_docks->setTabbedForRoom(m_restored && m_settings.switched(kTabs).value_or(false));
    m_docks->setImagesForRoom(m_restored && m_settings.switched(kImageTab).value_or(false));
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
    // What is being typed is taken before the steps are kept.
    if (qobject_cast<QLineEdit*>(focusWidget())) m_canvas->setFocus(Qt::OtherFocusReason);
    // Once: somebody who closes again means it. A session is small and finished in any case.
    const bool saving = m_files->savesUnfinished();
    if ((saving || m_session->savesUnfinished()) && !m_closeAsked) {
        m_closeAsked = true;
        m_messages->show({MessageBar::Level::Warning,
                          saving
                              ? tr("A save is not finished. Close again to cancel it and close.")
                              : tr("A save is not finished. Close again to close all the same.")});
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
    if (!m_keptSteps->mayClose()) {
        event->ignore();
        return;
    }
    m_pictureAlone->set(false);
    m_docks->setAllHidden(false);
    m_testStrip->close();  // not part of the layout that is kept
    m_settings.setGeometry(saveGeometry());
    m_settings.setLayout(saveState(kStateVersion));
    m_settings.setSwitched(kTabs, m_docks->tabbedForRoom());
    m_settings.setSwitched(kImageTab, m_docks->imagesForRoom());
    m_settings.save();
    m_bridge->cancel();
    m_files->cancelSaves();
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
    // One of the list stays one of the list, as by a click.
    const QString own = ownDrag(event->mimeData());
    using As = FileController::TakeAs;
    if (own.isEmpty()) {
        if (!m_files->take(event->mimeData(), second ? As::Second : As::Images)) return;
    } else if (second) {
        m_files->openSecond(own);
    } else {
        m_files->openPath(own);
    }
    event->setDropAction(Qt::CopyAction);
    event->accept();
    m_canvas->setFocus();
}

}  // namespace warpscope::gui
