// Every command of the window as a QAction: text, icon, key, help. Menus, toolbar, command palette
// and the list of shortcuts are all made from these.
#pragma once

#include <QAction>
#include <QActionGroup>
#include <QKeySequence>
#include <QList>
#include <QString>

#include "engine/backend/backend_set.h"
#include "gui/canvas/canvas.h"
#include "gui/display/display_settings.h"

class QMenuBar;
class QToolBar;
class QMenu;

namespace warpscope::gui {

class Actions : public QObject {
    Q_OBJECT
  public:
    // Commands with a single key are bound to `canvas` and act only while it has the focus.
    Actions(QWidget* window, QWidget* canvas);

    QAction *open, *openSecond, *closeSecond, *openSample, *paste, *saveResult, *copyResult,
        *saveAsSeen, *saveRegion, *copyRegion, *openPipeline, *savePipeline, *keepSteps;
    QAction *openSession, *saveSession, *copyCommand;
    QAction *nextImage, *previousImage, *nextPage, *previousPage, *quit;
    QAction *keepOpen, *nextOpen, *previousOpen;
    QAction *compareWith, *compareLast;
    QAction *undo, *redo, *addStep, *removeStep, *duplicateStep, *cropToRegion;
    QAction *testStrip, *nameStep, *pictureAlone;
    QAction *fit, *actualSize, *zoomIn, *zoomOut;
    QAction *viewSource, *viewResult, *viewSideBySide, *viewWipe, *viewDifference, *viewBlink;
    QAction *differenceSigned, *selectRegion, *dropRegion, *profileLine, *nextRegionShape;
    QAction *pixelCursor, *turnWipe, *stepUp, *stepDown, *nextDifference;
    QAction *rangeNatural, *rangeMinMax, *rangePercentiles, *rangeManual, *rangeLogarithmic;
    QAction *hideDocks, *nextPane, *previousPane, *themeDark, *themeLight, *resetLayout;
    QAction* wrongVariants;
    QAction *stepHistograms, *probeSteps, *allSteps, *stepHandles, *diskThumbnails, *editShortcuts;
    QActionGroup* languageGroup;  // the action's data is the language's id, or "system"
    // --- look at the picture (black and white, channel, tone, map) ---
    QAction *rangeByItself, *nextChannel, *exposureUp, *exposureDown, *gammaUp, *gammaDown,
        *nextMap;
    QAction *zebra, *profileShown, *resetLook, *zoomToRegion, *navigator;
    // In the order of kAllViewChannels and kAllColorMaps.
    QActionGroup *channelGroup, *mapGroup;
    QAction *backendAuto, *backendCuda, *backendCpu, *backendCpuSingle;
    QAction *pause, *cancel, *memoryBudget, *measureTimings, *benchmark, *sideBySideDemo;
    QAction *palette, *shortcuts, *operationsHelp, *about;
    QActionGroup *viewGroup, *rangeGroup, *backendGroup, *themeGroup;
    // In the order of RegionShape::Kind.
    QActionGroup* regionShapeGroup;

    // Docks put their own toggles into View; recent files and next images have menus of their own.
    void fillMenuBar(QMenuBar* bar, QMenu* recentMenu, QMenu* imagesMenu,
                     const QList<QAction*>& dockToggles, QMenu* demoMenu);
    void fillToolBar(QToolBar* bar);
    QMenu* canvasMenu(QWidget* parent);  // what a right click on the picture offers

    QAction* ofBackend(BackendChoice choice) const;
    QAction* ofViewMode(ViewMode mode) const;
    QAction* ofRange(RangeChoice choice) const;
    // What is there to compute on; a missing GPU is shown as such, with the reason.
    void showBackends(const BackendSet& backends);
    void showTheme(bool dark);
    void enableForImage(bool hasImage);
    static void showKeys(QAction* action);  // its tool tip says which key it has now

    // Everything that can be triggered, with the menu it stands in ("File").
    struct Entry {
        QAction* action = nullptr;
        QString menu;
        bool canvasOnly = false;
    };
    const QList<Entry>& entries() const { return m_entries; }

  private:
    // `name` is for tests; the first key is shown.
    QAction* make(const char* name, const QString& text, const char* icon = nullptr,
                  const QList<QKeySequence>& keys = {}, const QString& help = {});
    QAction* makeOnCanvas(const char* name, const QString& text, const char* icon,
                          const QList<QKeySequence>& keys, const QString& help = {});
    QActionGroup* group(const QList<QAction*>& actions);  // one of them at a time
    QMenu* menu(QMenuBar* bar, const QString& title, const QList<QAction*>& actions);
    QMenu* rangeMenu(QWidget* parent);
    QMenu* lookMenu(QWidget* parent);
    QMenu* regionShapeMenu(QWidget* parent);
    void makeLook();
    void makeRegionShapes();
    void makeStepViews();

    QList<Entry> m_entries;
};

// Text of a menu entry without its mnemonic.
QString plainText(const QAction* action);

}  // namespace warpscope::gui
