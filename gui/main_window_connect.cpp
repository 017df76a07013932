// What belongs to what: actions to their receivers, the bridge's news to canvas and bars.
#include <QApplication>
#include <QFileInfo>
#include <QMenu>

#include "engine/base/log.h"
#include "gui/app/actions.h"
#include "gui/app/command_palette.h"
#include "gui/app/docks.h"
#include "gui/app/file_controller.h"
#include "gui/app/help_windows.h"
#include "gui/app/latency_meter.h"
#include "gui/app/memory_budget.h"
#include "gui/app/status_bar.h"
#include "gui/canvas/canvas.h"
#include "gui/demos/demo_menu.h"
#include "gui/demos/demo_panel.h"
#include "gui/histogram/histogram_panel.h"
#include "gui/inspector/inspector_panel.h"
#include "gui/main_window.h"
#include "gui/showcase/showcase.h"
#include "gui/steps/steps_panel.h"
#include "gui/timings/timings_panel.h"

namespace warpscope::gui {

void MainWindow::connectFileActions() {
    FileController* files = m_files.get();
    const Actions& a = *m_actions;
    connect(a.open, &QAction::triggered, files, &FileController::openDialog);
    connect(a.openSample, &QAction::triggered, m_bridge.get(), &EngineBridge::openSampleScene);
    connect(a.paste, &QAction::triggered, files, &FileController::paste);
    connect(a.saveResult, &QAction::triggered, files, &FileController::saveDialog);
    connect(a.copyResult, &QAction::triggered, files, &FileController::copyResult);
    connect(a.openPipeline, &QAction::triggered, files, &FileController::openPipelineDialog);
    connect(a.savePipeline, &QAction::triggered, files, &FileController::savePipelineDialog);
    connect(a.nextImage, &QAction::triggered, files, [files] { files->openNeighbour(1); });
    connect(a.previousImage, &QAction::triggered, files, [files] { files->openNeighbour(-1); });
    connect(a.quit, &QAction::triggered, this, &QWidget::close);
    connect(m_canvas, &Canvas::openRequested, files, &FileController::openDialog);
    connect(m_canvas, &Canvas::sampleRequested, m_bridge.get(), &EngineBridge::openSampleScene);

    const auto showImages = [this, files] {
        m_imagesMenu->clear();
        const QStringList& images = files->images();
        for (int i = 0; i < images.size(); ++i) {
            QString name = QFileInfo(images[i]).fileName();
            name.replace(QLatin1Char('&'), QLatin1String("&&"));
            QAction* action = m_imagesMenu->addAction(name);
            action->setCheckable(true);
            action->setChecked(i == files->imageIndex());
            connect(action, &QAction::triggered, files,
                    [files, path = images[i]] { files->openPath(path); });
        }
        m_imagesMenu->setEnabled(images.size() > 1);
        m_actions->nextImage->setEnabled(files->imageIndex() + 1 < images.size());
        m_actions->previousImage->setEnabled(files->imageIndex() > 0);
    };
    connect(files, &FileController::imagesChanged, this, showImages);
    showImages();
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
    connect(m_document.get(), &Document::refused, m_messages, [this](const QString& why) {
        m_messages->show({MessageBar::Level::Warning, why, {}, {}, {}});
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
    connect(m_canvas, &Canvas::cursorPixelChanged, m_inspector, &InspectorPanel::setPixel);
    connect(m_canvas, &Canvas::pixelClicked, m_inspector, &InspectorPanel::togglePin);
    connect(m_canvas, &Canvas::cursorPixelChanged, m_histogram, &HistogramPanel::setPixel);

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
        m_messages->show({MessageBar::Level::Error, why, {}, {}, {}});
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
            [this] { m_canvas->setResult(m_bridge->result()); });
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
    connect(m_histogram, &HistogramPanel::messageRaised, m_messages, [this](const QString& text) {
        m_messages->show({MessageBar::Level::Error, text, {}, {}, {}});
    });
    connect(m_files.get(), &FileController::taskBusyChanged, this, &MainWindow::updateWork);
    connect(m_document.get(), &Document::interactionChanged, this, &MainWindow::updateWork);
    connect(bridge, &EngineBridge::progressChanged, m_status, &StatusBar::setProgress);
    connect(bridge, &EngineBridge::differenceReady, this, [this](const DifferenceReady& ready) {
        const bool gpu = ready.backend == BackendKind::Cuda;
        showDifference(ready.other, ready.reference, gpu ? tr("GPU") : tr("all cores"),
                       tr("1 thread"));
    });
    // The two images are not of the chain that is there now.
    connect(m_document.get(), &Document::pipelineChanged, m_canvas, &Canvas::endComparison);
    connect(bridge, &EngineBridge::failed, this, [this](const QString& message) {
        m_messages->show({MessageBar::Level::Error, message, {}, {}, {}});
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

void MainWindow::showSource() {
    m_canvas->setSource(m_document->source());
    m_actions->enableForImage(m_document->source() != nullptr);
    m_status->showImage(m_document->image(), m_document->title());
    m_status->showZoom(m_document->source() ? m_canvas->zoom() : 0.0);
    updateTitle();
}

void MainWindow::updateWork() {
    const bool work = m_bridge->busy() || m_bridge->opening();
    m_actions->cancel->setEnabled(work);
    // While a slider is held the picture itself shows that something happens.
    if (m_bridge->opening())
        m_status->beginWork(tr("Opening"));
    else if (m_bridge->busy() && !m_document->interacting())
        m_status->beginWork(tr("Computing"));
    else if (m_files->busy())
        m_status->beginWork(tr("Saving or copying"));
    else
        m_status->endWork();
}

}  // namespace warpscope::gui
