#include "gui/app/actions.h"

#include <QMenu>
#include <QMenuBar>
#include <QToolBar>
#include <QToolButton>

#include "gui/app/action_spec.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {

QString plainText(const QAction* action) {
    QString text = action->text();
    text.replace(QLatin1String("&&"), QString(QChar(1)));
    text.remove(QLatin1Char('&'));
    text.replace(QChar(1), QLatin1Char('&'));
    if (text.endsWith(QChar(0x2026))) text.chop(1);
    return text;
}

QAction* Actions::make(const Spec& spec) {
    auto* action = new QAction(spec.text, this);
    action->setObjectName(QLatin1String(spec.name));
    if (spec.icon) action->setIcon(Theme::instance().icon(QLatin1String(spec.icon)));
    action->setShortcuts(spec.keys);
    QString tip = plainText(action);
    if (!spec.help.isEmpty()) tip += QStringLiteral(": ") + spec.help;
    if (!spec.keys.isEmpty())
        tip += QStringLiteral(" (%1)").arg(spec.keys.front().toString(QKeySequence::NativeText));
    action->setToolTip(tip);
    action->setStatusTip(spec.help);
    if (spec.canvasOnly) {
        action->setShortcutContext(Qt::WidgetShortcut);
        m_canvas->addAction(action);
    } else {
        m_window->addAction(action);
    }
    m_entries.push_back({action, QString(), spec.canvasOnly});
    return action;
}

Actions::Actions(QWidget* window, QWidget* canvas)
    : QObject(window), m_window(window), m_canvas(canvas) {
    const auto key = [](auto k) { return QList<QKeySequence>{QKeySequence(k)}; };
    open = make({"open", tr("&Open…"), "open", key(Qt::CTRL | Qt::Key_O), false, {}});
    openSample = make({"openSample",
                       tr("Open &sample scene"),
                       "image",
                       {},
                       false,
                       tr("a picture made by the program itself")});
    paste = make({"paste", tr("&Paste image"), "paste", key(Qt::CTRL | Qt::Key_V), false, {}});
    saveResult =
        make({"saveResult", tr("Save &result as…"), "save", key(Qt::CTRL | Qt::Key_S), false, {}});
    copyResult = make({"copyResult",
                       tr("&Copy result"),
                       "copy",
                       key(Qt::CTRL | Qt::SHIFT | Qt::Key_C),
                       false,
                       {}});
    openPipeline = make({"openPipeline",
                         tr("Open p&ipeline…"),
                         nullptr,
                         key(Qt::CTRL | Qt::SHIFT | Qt::Key_O),
                         false,
                         {}});
    savePipeline = make({"savePipeline",
                         tr("Save pipe&line as…"),
                         nullptr,
                         key(Qt::CTRL | Qt::SHIFT | Qt::Key_S),
                         false,
                         {}});
    nextImage =
        make({"nextImage", tr("&Next image"), "chevron-right", key(Qt::Key_PageDown), true, {}});
    previousImage = make(
        {"previousImage", tr("Pre&vious image"), "chevron-left", key(Qt::Key_PageUp), true, {}});
    quit = make({"quit", tr("&Quit"), nullptr, key(Qt::CTRL | Qt::Key_Q), false, {}});

    undo = make({"undo", tr("&Undo"), "undo", key(Qt::CTRL | Qt::Key_Z), false, {}});
    redo =
        make({"redo",
              tr("&Redo"),
              "redo",
              {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)},
              false,
              {}});
    addStep = make({"addStep", tr("&Add step…"), "add", key(Qt::Key_A), true, {}});
    removeStep = make({"removeStep", tr("&Delete step"), "delete", key(Qt::Key_Delete), true, {}});
    duplicateStep = make({"duplicateStep",
                          tr("D&uplicate step"),
                          "duplicate",
                          key(Qt::CTRL | Qt::Key_D),
                          false,
                          {}});

    fit = make({"fit", tr("&Fit to window"), "fit", key(Qt::CTRL | Qt::Key_0), false, {}});
    actualSize = make({"actualSize", tr("&100%"), "actual-size", key(Qt::CTRL | Qt::Key_1), false,
                       tr("one image pixel is one screen pixel")});
    zoomIn = make({"zoomIn",
                   tr("Zoom &in"),
                   "zoom-in",
                   {QKeySequence(Qt::CTRL | Qt::Key_Plus), QKeySequence(Qt::CTRL | Qt::Key_Equal)},
                   false,
                   {}});
    zoomOut =
        make({"zoomOut", tr("Zoom &out"), "zoom-out", key(Qt::CTRL | Qt::Key_Minus), false, {}});
    makeViewActions();
    hideDocks = make({"hideDocks", tr("&Hide all panels"), nullptr, key(Qt::Key_Tab), true, {}});
    hideDocks->setCheckable(true);
    nextPane = make({"nextPane", tr("Next pane"), nullptr, key(Qt::Key_F6), false, {}});
    previousPane = make(
        {"previousPane", tr("Previous pane"), nullptr, key(Qt::SHIFT | Qt::Key_F6), false, {}});
    themeDark = make({"themeDark", tr("&Dark"), nullptr, {}, false, {}});
    themeLight = make({"themeLight", tr("&Light"), nullptr, {}, false, {}});
    themeGroup = new QActionGroup(this);
    for (QAction* a : {themeDark, themeLight}) {
        a->setCheckable(true);
        themeGroup->addAction(a);
    }
    resetLayout = make({"resetLayout", tr("Reset &layout"), nullptr, {}, false, {}});

    backendAuto = make({"backendAuto",
                        tr("&Automatic"),
                        nullptr,
                        {},
                        false,
                        tr("the GPU if there is one, else all cores")});
    backendCuda = make({"backendCuda", tr("&GPU"), nullptr, {}, false, {}});
    backendCpu = make({"backendCpu", tr("CPU, all &cores"), nullptr, {}, false, {}});
    backendCpuSingle = make({"backendCpuSingle", tr("CPU, &one thread"), nullptr, {}, false, {}});
    backendGroup = new QActionGroup(this);
    for (QAction* a : {backendAuto, backendCuda, backendCpu, backendCpuSingle}) {
        a->setCheckable(true);
        backendGroup->addAction(a);
    }
    pause = make({"pause", tr("&Pause live update"), "pause", key(Qt::Key_P), true, {}});
    pause->setCheckable(true);
    cancel = make(
        {"cancel", tr("&Cancel computation"), "stop", key(Qt::CTRL | Qt::Key_Period), false, {}});
    cancel->setEnabled(false);
    memoryBudget = make({"memoryBudget",
                         tr("Memory b&udget…"),
                         nullptr,
                         {},
                         false,
                         tr("the largest image that is opened, and what results may keep")});
    measureTimings = make(
        {"measureTimings", tr("&Measure timings again"), "timings", key(Qt::Key_F5), false, {}});
    benchmark = make({"benchmark", tr("&Benchmark…"), "chart", key(Qt::CTRL | Qt::Key_B), false,
                      tr("times operations over sizes and places, beside other machines")});
    sideBySideDemo =
        make({"sideBySideDemo", tr("&Side by side, running…"), "play", key(Qt::Key_F11), false,
              tr("CPU against GPU on the whole screen, frames a second and speedup")});

    palette = make({"palette",
                    tr("&Find a command…"),
                    "search",
                    key(Qt::CTRL | Qt::SHIFT | Qt::Key_P),
                    false,
                    {}});
    shortcuts = make({"shortcuts", tr("&Keys and mouse"), nullptr, key(Qt::Key_F1), false, {}});
    operationsHelp = make({"operationsHelp",
                           tr("&Operations"),
                           "help",
                           {},
                           false,
                           tr("what every operation computes, its parameters and variants")});
    about = make({"about", tr("&About Warpscope"), nullptr, {}, false, {}});

    // Second keys that only the canvas takes: single ones, and those that lists and text fields use
    // themselves.
    const auto onCanvas = [&](const QKeySequence& sequence, QAction* action) {
        auto* extra = new QAction(this);
        extra->setShortcut(sequence);
        extra->setShortcutContext(Qt::WidgetShortcut);
        connect(extra, &QAction::triggered, action, &QAction::trigger);
        canvas->addAction(extra);
    };
    onCanvas(QKeySequence(Qt::Key_F), fit);
    onCanvas(QKeySequence(Qt::Key_Plus), zoomIn);
    onCanvas(QKeySequence(Qt::Key_Minus), zoomOut);
    onCanvas(QKeySequence(QKeySequence::Copy), copyResult);
    enableForImage(false);
}

QMenu* Actions::menu(QMenuBar* bar, const QString& title, const QList<QAction*>& actions) {
    QMenu* m = bar->addMenu(title);
    m->setToolTipsVisible(false);
    for (QAction* action : actions) {
        if (!action) {
            m->addSeparator();
            continue;
        }
        m->addAction(action);
        for (Entry& entry : m_entries)
            if (entry.action == action) entry.menu = plainText(m->menuAction());
    }
    return m;
}

void Actions::fillMenuBar(QMenuBar* bar, QMenu* recentMenu, QMenu* imagesMenu,
                          const QList<QAction*>& dockToggles, QMenu* demoMenu) {
    QMenu* file =
        menu(bar, tr("&File"),
             {open, openSample, paste, nullptr, saveResult, copyResult, nullptr, openPipeline,
              savePipeline, nullptr, nextImage, previousImage, nullptr, quit});
    file->insertMenu(openSample, recentMenu);
    file->insertMenu(nextImage, imagesMenu);
    menu(bar, tr("&Edit"), {undo, redo, nullptr, addStep, removeStep, duplicateStep});
    QMenu* view =
        menu(bar, tr("&View"),
             {fit,        actualSize,     zoomIn,      zoomOut,        nullptr,   viewSource,
              viewResult, viewSideBySide, viewWipe,    viewDifference, viewBlink, differenceSigned,
              nullptr,    selectRegion,   dropRegion,  profileLine,    nullptr,   hideDocks,
              nextPane,   previousPane,   resetLayout, nullptr,        themeDark, themeLight});
    view->insertMenu(selectRegion, rangeMenu(view));
    view->insertSeparator(selectRegion);
    auto* panels = new QMenu(tr("&Panels"), view);
    panels->addActions(dockToggles);
    view->insertMenu(hideDocks, panels);
    menu(bar, tr("&Compute"),
         {backendAuto, backendCuda, backendCpu, backendCpuSingle, nullptr, pause, cancel, nullptr,
          memoryBudget, nullptr, measureTimings, benchmark});
    bar->addMenu(demoMenu);
    for (QAction* action : demoMenu->actions())
        if (!action->isSeparator())
            m_entries.push_back({action, plainText(demoMenu->menuAction()), false});
    QAction* const firstDemo = demoMenu->actions().value(0);
    demoMenu->insertAction(firstDemo, sideBySideDemo);
    demoMenu->insertSeparator(firstDemo);
    for (Entry& entry : m_entries)
        if (entry.action == sideBySideDemo) entry.menu = plainText(demoMenu->menuAction());
    menu(bar, tr("&Help"), {palette, shortcuts, operationsHelp, nullptr, about});
}

void Actions::fillToolBar(QToolBar* bar) {
    for (QAction* action : {open,
                            saveResult,
                            copyResult,
                            static_cast<QAction*>(nullptr),
                            undo,
                            redo,
                            static_cast<QAction*>(nullptr),
                            addStep,
                            static_cast<QAction*>(nullptr),
                            viewSource,
                            viewResult,
                            viewSideBySide,
                            viewWipe,
                            viewDifference,
                            viewBlink,
                            static_cast<QAction*>(nullptr),
                            fit,
                            actualSize,
                            zoomOut,
                            zoomIn,
                            static_cast<QAction*>(nullptr),
                            pause,
                            cancel}) {
        if (!action) {
            bar->addSeparator();
            continue;
        }
        bar->addAction(action);
        if (auto* button = qobject_cast<QToolButton*>(bar->widgetForAction(action))) {
            button->setAccessibleName(plainText(action));
            button->setFocusPolicy(Qt::TabFocus);
        }
    }
}

QAction* Actions::ofBackend(BackendChoice choice) const {
    switch (choice) {
        case BackendChoice::Cuda:
            return backendCuda;
        case BackendChoice::Cpu:
            return backendCpu;
        case BackendChoice::CpuSingle:
            return backendCpuSingle;
        case BackendChoice::Auto:
            break;
    }
    return backendAuto;
}

void Actions::showBackends(const BackendSet& backends) {
    if (backends.cuda) {
        backendCuda->setText(
            tr("&GPU: %1").arg(QString::fromStdString(backends.cuda->info().label)));
    } else {
        backendCuda->setText(
            tr("&GPU: not available, %1").arg(QString::fromStdString(backends.cudaUnavailable)));
        backendCuda->setEnabled(false);
    }
}

void Actions::showTheme(bool dark) {
    (dark ? themeDark : themeLight)->setChecked(true);
}

void Actions::enableForImage(bool hasImage) {
    for (QAction* a : {saveResult,       copyResult,     fit,
                       actualSize,       zoomIn,         zoomOut,
                       viewSource,       viewResult,     viewSideBySide,
                       viewWipe,         viewDifference, viewBlink,
                       differenceSigned, selectRegion,   dropRegion,
                       profileLine,      rangeNatural,   rangeMinMax,
                       rangePercentiles, rangeManual,    rangeLogarithmic,
                       measureTimings})
        a->setEnabled(hasImage);
}

}  // namespace warpscope::gui
