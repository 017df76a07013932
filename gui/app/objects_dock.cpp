#include "gui/app/objects_dock.h"

#include <QAction>
#include <QCloseEvent>
#include <QDir>
#include <QDockWidget>
#include <QMainWindow>

#include "gui/app/docks.h"
#include "gui/canvas/canvas.h"
#include "gui/document/document.h"
#include "gui/document/settings.h"
#include "gui/objects/objects_panel.h"
#include "gui/steps/steps_panel.h"
#include "gui/widgets/message_bar.h"
#include "gui/widgets/translate.h"

namespace warpscope::gui {
namespace {

const QString kShown = QStringLiteral("objects");

// Hears that somebody closes the dock.
class CloseWatch final : public QObject {
  public:
    CloseWatch(QDockWidget* dock, Settings& settings) : QObject(dock), m_settings(settings) {
        dock->installEventFilter(this);
    }
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::Close) m_settings.setSwitched(kShown, false);
        return false;
    }

  private:
    Settings& m_settings;
};

}  // namespace

void addObjectsDock(const ObjectsParts& p, RenderWorker::BackendFactory factory) {
    auto* panel = new ObjectsPanel(p.document, p.bridge, std::move(factory));
    panel->setSettings(p.settings);
    QDockWidget* dock =
        p.docks.add("objectsDock", tr("Objects"), panel, Qt::BottomDockWidgetArea, false);
    QObject::connect(dock, &QDockWidget::visibilityChanged, panel, &ObjectsPanel::setInSight);
    QAction* toggle = dock->toggleViewAction();
    toggle->setShortcut(Qt::CTRL | Qt::Key_J);
    // Opens as a tab beside the timings, unless one of them stands elsewhere.
    const auto open = [window = &p.window, docks = &p.docks, settings = &p.settings, dock, panel] {
        settings->setSwitched(kShown, true);
        auto* timings = window->findChild<QDockWidget*>(QStringLiteral("timingsDock"));
        if (!dock->isFloating() && !timings->isFloating() && !timings->isHidden() &&
            window->dockWidgetArea(dock) == window->dockWidgetArea(timings) &&
            window->tabifiedDockWidgets(dock).isEmpty())
            window->tabifyDockWidget(timings, dock);
        docks->showPane(panel);
    };
    QObject::connect(toggle, &QAction::triggered, dock, [open, settings = &p.settings](bool on) {
        if (on)
            open();
        else
            settings->setSwitched(kShown, false);
    });
    QObject::connect(&p.steps, &StepsPanel::objectsRequested, dock, open);
    new CloseWatch(dock, p.settings);
    // Whoever has objects numbered wants to see them, but not who has put them away.
    QObject::connect(
        &p.document, &Document::stepAdded, dock,
        [open, docks = &p.docks, settings = &p.settings, document = &p.document](int step) {
            const auto& steps = document->pipeline().steps;
            if (steps[std::size_t(step)].operation == "connected_components" &&
                settings->switched(kShown).value_or(true) && !docks->allHidden())
                open();
        });

    Canvas* canvas = &p.canvas;
    MessageBar* messages = &p.messages;
    QObject::connect(canvas, &Canvas::pixelPointedAt, panel, &ObjectsPanel::selectAt);
    QObject::connect(panel, &ObjectsPanel::outlinesChanged, canvas, &Canvas::setOutlines);
    QObject::connect(panel, &ObjectsPanel::zoomRequested, canvas, &Canvas::zoomTo);
    QObject::connect(panel, &ObjectsPanel::saved, messages, [messages](const QString& path) {
        messages->show(
            {MessageBar::Level::Info, tr("Saved %1").arg(QDir::toNativeSeparators(path))});
    });
    QObject::connect(panel, &ObjectsPanel::saveFailed, messages, [messages](const QString& why) {
        messages->show({MessageBar::Level::Error, why});
    });
}

}  // namespace warpscope::gui
