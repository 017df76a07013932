// Where the actions stand: menus and tool bar.
#include <QMenu>
#include <QMenuBar>
#include <QToolBar>
#include <QToolButton>

#include "gui/app/actions.h"

namespace warpscope::gui {

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
             {open,        openSample,   paste,        nullptr,       openSecond, closeSecond,
              nullptr,     saveResult,   saveAsSeen,   copyResult,    saveRegion, copyRegion,
              nullptr,     openPipeline, savePipeline, keepSteps,     nullptr,    openSession,
              saveSession, nullptr,      nextImage,    previousImage, nextPage,   previousPage,
              keepOpen,    nextOpen,     previousOpen, nullptr,       quit});
    file->insertMenu(openSample, recentMenu);
    file->insertMenu(nextImage, imagesMenu);
    menu(bar, tr("&Edit"),
         {undo, redo, nullptr, addStep, removeStep, duplicateStep, nameStep, testStrip, nullptr,
          cropToRegion, nullptr, copyCommand});
    QMenu* view =
        menu(bar, tr("&View"),
             {fit, actualSize, zoomIn, zoomOut, zoomToRegion, navigator, nullptr, viewSource,
              viewResult, viewSideBySide, viewWipe, viewDifference, viewBlink, differenceSigned,
              compareLast, compareWith, nullptr, pictureAlone, wrongVariants});
    // In menus of their own: all in one would be higher than a small screen.
    const auto inside = [this, view](QAction* before, QMenu* inner,
                                     const QList<QAction*>& actions) {
        inner->addActions(actions);
        view->insertMenu(before, inner);
        for (Entry& entry : m_entries)
            if (actions.contains(entry.action)) entry.menu = plainText(inner->menuAction());
    };
    inside(pictureAlone, rangeMenu(view), {});
    inside(pictureAlone, lookMenu(view), {});
    QMenu* region = regionShapeMenu(view);
    region->setTitle(tr("Re&gion"));
    region->addSeparator();
    inside(pictureAlone, region, {selectRegion, dropRegion, profileLine, pixelCursor});
    inside(compareLast, new QMenu(tr("While co&mparing"), view),
           {turnWipe, stepUp, stepDown, nextDifference});
    view->insertSeparator(pictureAlone);
    auto* panels = new QMenu(tr("&Panels"), view);
    panels->addActions(dockToggles);
    panels->addSeparator();
    inside(pictureAlone, panels, {hideDocks, nextPane, previousPane, resetLayout, diskThumbnails});
    inside(wrongVariants, new QMenu(tr("&Theme"), view), {themeDark, themeLight});
    inside(wrongVariants, new QMenu(tr("St&eps"), view),
           {stepHandles, allSteps, stepHistograms, probeSteps});
    auto* language = new QMenu(tr("Lang&uage"), view);
    language->addActions(languageGroup->actions());
    view->insertMenu(wrongVariants, language);
    for (Entry& entry : m_entries)
        if (entry.action->actionGroup() == languageGroup)
            entry.menu = plainText(language->menuAction());
    for (QAction* action : dockToggles)
        m_entries.push_back({action, plainText(panels->menuAction()), false});
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
    menu(bar, tr("&Help"), {palette, shortcuts, editShortcuts, operationsHelp, nullptr, about});
}

void Actions::fillToolBar(QToolBar* bar) {
    QAction* const gap = nullptr;
    for (QAction* action :
         {open,     saveResult,     copyResult, gap,        undo,       redo,
          gap,      addStep,        gap,        viewSource, viewResult, viewSideBySide,
          viewWipe, viewDifference, viewBlink,  gap,        fit,        actualSize,
          zoomOut,  zoomIn,         gap,        pause,      cancel}) {
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

QMenu* Actions::rangeMenu(QWidget* parent) {
    auto* ranges = new QMenu(tr("Black and w&hite"), parent);
    ranges->addActions(rangeGroup->actions());
    ranges->addSeparator();
    ranges->addAction(rangeLogarithmic);
    ranges->addAction(rangeByItself);
    for (Entry& entry : m_entries)
        if (ranges->actions().contains(entry.action)) entry.menu = plainText(ranges->menuAction());
    return ranges;
}

QMenu* Actions::lookMenu(QWidget* parent) {
    auto* look = new QMenu(tr("&Look"), parent);
    look->addActions(channelGroup->actions());
    look->addAction(nextChannel);
    look->addSeparator();
    look->addActions({exposureUp, exposureDown, gammaUp, gammaDown});
    look->addSeparator();
    look->addActions(mapGroup->actions());
    look->addAction(nextMap);
    look->addSeparator();
    look->addActions({zebra, profileShown, resetLook});
    for (Entry& entry : m_entries)
        if (look->actions().contains(entry.action)) entry.menu = plainText(look->menuAction());
    return look;
}

QMenu* Actions::canvasMenu(QWidget* parent) {
    auto* menu = new QMenu(parent);
    menu->setObjectName(QStringLiteral("canvasMenu"));
    menu->addActions({fit, actualSize, zoomToRegion, navigator});
    menu->addSeparator();
    menu->addActions(viewGroup->actions());
    menu->addSeparator();
    menu->addMenu(rangeMenu(menu));
    menu->addMenu(lookMenu(menu));
    menu->addAction(resetLook);
    menu->addSeparator();
    menu->addAction(selectRegion);
    menu->addMenu(regionShapeMenu(menu));
    menu->addActions({dropRegion, cropToRegion, profileLine, stepHandles});
    menu->addSeparator();
    menu->addActions({copyResult, saveResult});
    return menu;
}
}  // namespace warpscope::gui
