#include "gui/app/actions.h"

#include <QRegularExpression>

#include "gui/app/languages.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {

QString plainText(const QAction* action) {
    QString text = action->text();
    // Where letters are no part of the words, the key stands behind them.
    static const QRegularExpression kKeyBehind(QStringLiteral("\\(&.\\)"));
    text.remove(kKeyBehind);
    text.replace(QLatin1String("&&"), QString(QChar(1)));
    text.remove(QLatin1Char('&'));
    text.replace(QChar(1), QLatin1Char('&'));
    if (text.endsWith(QChar(0x2026))) text.chop(1);
    return text;
}

QAction* Actions::make(const char* name, const QString& text, const char* icon,
                       const QList<QKeySequence>& keys, const QString& help) {
    auto* action = new QAction(text, this);
    action->setObjectName(QLatin1String(name));
    if (icon) action->setIcon(Theme::instance().icon(QLatin1String(icon)));
    action->setShortcuts(keys);
    action->setStatusTip(help);
    showKeys(action);
    m_entries.push_back({action, QString(), false});
    return action;
}

void Actions::showKeys(QAction* action) {
    QString tip = plainText(action);
    if (!action->statusTip().isEmpty()) tip += QStringLiteral(": ") + action->statusTip();
    if (!action->shortcut().isEmpty())
        tip += QStringLiteral(" (%1)").arg(action->shortcut().toString(QKeySequence::NativeText));
    action->setToolTip(tip);
}

QAction* Actions::makeOnCanvas(const char* name, const QString& text, const char* icon,
                               const QList<QKeySequence>& keys, const QString& help) {
    QAction* action = make(name, text, icon, keys, help);
    action->setShortcutContext(Qt::WidgetShortcut);
    m_entries.back().canvasOnly = true;
    return action;
}

QActionGroup* Actions::group(const QList<QAction*>& actions) {
    auto* group = new QActionGroup(this);
    for (QAction* action : actions) {
        action->setCheckable(true);
        group->addAction(action);
    }
    return group;
}

Actions::Actions(QWidget* window, QWidget* canvas) : QObject(window) {
    open = make("open", tr("&Open…"), "open", {Qt::CTRL | Qt::Key_O});
    openSample = make("openSample", tr("Open &sample scene"), "image", {},
                      tr("a picture made by the program itself"));
    openSecond =
        make("openSecond", tr("Open as second ima&ge…"), nullptr, {Qt::CTRL | Qt::ALT | Qt::Key_O},
             tr("for steps that take a second input, such as a blend"));
    closeSecond = make("closeSecond", tr("Close second image"));
    closeSecond->setEnabled(false);
    paste = make("paste", tr("&Paste image"), "paste", {Qt::CTRL | Qt::Key_V});
    saveResult = make("saveResult", tr("Save resul&t as…"), "save", {Qt::CTRL | Qt::Key_S});
    copyResult = make("copyResult", tr("&Copy result"), "copy", {Qt::CTRL | Qt::SHIFT | Qt::Key_C});
    saveAsSeen = make("saveAsSeen", tr("Save as seen…"), nullptr, {},
                      tr("the result in 8 bits with the black and white of the screen"));
    saveRegion = make("saveRegion", tr("Save region…"), nullptr, {},
                      tr("the box around the region, of the result"));
    copyRegion = make("copyRegion", tr("Copy region"), nullptr, {},
                      tr("the box around the region, of the result"));
    saveRegion->setEnabled(false);
    copyRegion->setEnabled(false);
    openPipeline =
        make("openPipeline", tr("Open p&ipeline…"), nullptr, {Qt::CTRL | Qt::SHIFT | Qt::Key_O});
    savePipeline =
        make("savePipeline", tr("Save pipe&line as…"), nullptr, {Qt::CTRL | Qt::SHIFT | Qt::Key_S});
    keepSteps = make("keepSteps", tr("Keep unsaved steps for the next start"), nullptr, {},
                     tr("else closing asks once before they are lost"));
    keepSteps->setCheckable(true);
    openSession = make("openSession", tr("Open session…"), nullptr);
    saveSession =
        make("saveSession", tr("Save s&ession…"), nullptr, {Qt::CTRL | Qt::ALT | Qt::Key_S},
             tr("images, steps, view, region and pins in one file"));
    nextImage = makeOnCanvas("nextImage", tr("&Next image"), "chevron-right", {Qt::Key_PageDown});
    previousImage =
        makeOnCanvas("previousImage", tr("Pre&vious image"), "chevron-left", {Qt::Key_PageUp});
    nextPage = make("nextPage", tr("Ne&xt page"), nullptr, {Qt::CTRL | Qt::Key_PageDown},
                    tr("of a file that holds several images"));
    previousPage = make("previousPage", tr("Previous page"), nullptr, {Qt::CTRL | Qt::Key_PageUp});
    keepOpen = make("keepOpen", tr("&Keep open"), nullptr, {Qt::CTRL | Qt::Key_K},
                    tr("with its view and region, while others are looked at"));
    keepOpen->setCheckable(true);
    nextOpen = make("nextOpen", tr("Next open image"), nullptr, {Qt::CTRL | Qt::Key_Tab});
    previousOpen = make("previousOpen", tr("Previo&us open image"), nullptr,
                        {Qt::CTRL | Qt::SHIFT | Qt::Key_Tab});
    quit = make("quit", tr("&Quit"), nullptr, {Qt::CTRL | Qt::Key_Q});

    undo = make("undo", tr("&Undo"), "undo", {Qt::CTRL | Qt::Key_Z});
    redo =
        make("redo", tr("&Redo"), "redo", {Qt::CTRL | Qt::SHIFT | Qt::Key_Z, Qt::CTRL | Qt::Key_Y});
    addStep = makeOnCanvas("addStep", tr("&Add step…"), "add", {Qt::Key_A});
    removeStep = makeOnCanvas("removeStep", tr("&Delete step"), "delete", {Qt::Key_Delete});
    duplicateStep =
        make("duplicateStep", tr("Dupl&icate step"), "duplicate", {Qt::CTRL | Qt::Key_D});

    copyCommand = make("copyCommand", tr("Copy as command &line"), nullptr,
                       {Qt::CTRL | Qt::ALT | Qt::SHIFT | Qt::Key_C},
                       tr("a warpscope-cli command that gives the same result"));
    testStrip = make("testStrip", tr("&Test strip…"), nullptr, {Qt::CTRL | Qt::Key_T},
                     tr("one or two values of the selected step on a grid of pictures"));
    nameStep = make("nameStep", tr("&Name step…"), nullptr, {Qt::Key_F2},
                    tr("later steps can take what it gives"));

    cropToRegion =
        make("cropToRegion", tr("Crop to r&egion"), nullptr, {Qt::CTRL | Qt::SHIFT | Qt::Key_X},
             tr("adds a step that keeps the box around the region"));
    cropToRegion->setEnabled(false);

    fit = make("fit", tr("&Fit to window"), "fit", {Qt::CTRL | Qt::Key_0});
    actualSize = make("actualSize", tr("&100%"), "actual-size", {Qt::CTRL | Qt::Key_1},
                      tr("one image pixel is one screen pixel"));
    zoomIn = make("zoomIn", tr("Zoom &in"), "zoom-in",
                  {Qt::CTRL | Qt::Key_Plus, Qt::CTRL | Qt::Key_Equal});
    zoomOut = make("zoomOut", tr("Zoom &out"), "zoom-out", {Qt::CTRL | Qt::Key_Minus});

    // What is shown of the picture, over which range, and marks.
    viewSource = makeOnCanvas("viewSource", tr("&Source"), "view-source", {Qt::Key_1},
                              tr("the image as it was opened"));
    viewResult = makeOnCanvas("viewResult", tr("&Result"), "view-result", {Qt::Key_2},
                              tr("what the steps give"));
    viewSideBySide =
        makeOnCanvas("viewSideBySide", tr("Side &by side"), "view-side-by-side", {Qt::Key_3});
    viewWipe = makeOnCanvas("viewWipe", tr("&Wipe"), "view-wipe", {Qt::Key_4},
                            tr("source and result on either side of a line to drag"));
    viewDifference = makeOnCanvas("viewDifference", tr("Differe&nce"), "view-difference",
                                  {Qt::Key_5}, tr("result minus source, amplified by [ and ]"));
    viewBlink = makeOnCanvas("viewBlink", tr("Blin&k"), "view-blink", {Qt::Key_6},
                             tr("source and result alternately"));
    viewGroup =
        group({viewSource, viewResult, viewSideBySide, viewWipe, viewDifference, viewBlink});
    viewResult->setChecked(true);
    compareLast = makeOnCanvas("compareLast", tr("&Compare with the image before"), nullptr,
                               {Qt::Key_K}, tr("both after the same steps; again: no longer"));
    compareLast->setEnabled(false);
    compareWith =
        make("compareWith", tr("Comp&are with…"), nullptr, {Qt::CTRL | Qt::ALT | Qt::Key_C},
             tr("another image in all views, both after the same steps"));
    differenceSigned = makeOnCanvas("differenceSigned", tr("&Difference with sign"), nullptr,
                                    {Qt::Key_S}, tr("grey is equal, brighter is more"));
    differenceSigned->setCheckable(true);

    selectRegion =
        makeOnCanvas("selectRegion", tr("Select re&gion"), nullptr, {Qt::Key_R},
                     tr("histogram, statistics and timings of a part; also Shift and drag"));
    dropRegion = make("dropRegion", tr("&Drop region"));
    makeRegionShapes();
    profileLine = makeOnCanvas("profileLine", tr("Pr&ofile along a line"), nullptr, {Qt::Key_L},
                               tr("source and result over each other; drag to draw the line"));

    pixelCursor = makeOnCanvas("pixelCursor", tr("Cursor from pi&xel to pixel"), nullptr,
                               {Qt::Key_X}, tr("moved by the arrow keys; Return pins the pixel"));
    turnWipe = makeOnCanvas("turnWipe", tr("&Turn the wipe"), nullptr, {Qt::Key_T});
    stepUp = makeOnCanvas("stepUp", tr("A&mplify the difference, wipe onward"), nullptr,
                          {Qt::Key_BracketRight});
    stepDown =
        makeOnCanvas("stepDown", tr("Amplify less, wipe &back"), nullptr, {Qt::Key_BracketLeft});
    nextDifference = makeOnCanvas("nextDifference", tr("&Next differing pixel"), nullptr,
                                  {Qt::Key_N}, tr("of two images that are compared"));
    for (QAction* action : {turnWipe, stepUp, stepDown, nextDifference}) action->setEnabled(false);

    rangeNatural = make("rangeNatural", tr("&Full range"), nullptr, {},
                        tr("0 to the white level; float: 0 to 1, or all its values beyond that"));
    rangeMinMax = make("rangeMinMax", tr("&Minimum to maximum"), nullptr, {},
                       tr("black and white are the smallest and the largest sample"));
    rangePercentiles = make("rangePercentiles", tr("&Percentiles 0.1 to 99.9"), nullptr, {},
                            tr("of at most a million pixels, evenly spread"));
    rangeManual = make("rangeManual", tr("Set by &hand…"), nullptr, {},
                       tr("type black and white in the inspector"));
    rangeGroup = group({rangeNatural, rangeMinMax, rangePercentiles, rangeManual});
    rangeNatural->setChecked(true);
    rangeLogarithmic =
        make("rangeLogarithmic", tr("&Logarithmic"), nullptr, {}, tr("more greys for dark values"));
    rangeLogarithmic->setCheckable(true);

    makeLook();

    hideDocks = makeOnCanvas("hideDocks", tr("&Hide all panels"), nullptr, {Qt::Key_Tab});
    hideDocks->setCheckable(true);
    pictureAlone = make("pictureAlone", tr("Picture on the whole screen"), nullptr, {Qt::Key_F10},
                        tr("without menus, bars and panels; Esc or the key goes back"));
    pictureAlone->setCheckable(true);
    nextPane = make("nextPane", tr("Next pane"), nullptr, {Qt::Key_F6});
    previousPane = make("previousPane", tr("Previous pane"), nullptr, {Qt::SHIFT | Qt::Key_F6});
    themeDark = make("themeDark", tr("&Dark"));
    themeLight = make("themeLight", tr("&Light"));
    themeGroup = group({themeDark, themeLight});
    wrongVariants = make("wrongVariants", tr("Show variants that are wrong on purpose"), nullptr,
                         {}, tr("for teaching: traps of parallel code, as variants of steps"));
    wrongVariants->setCheckable(true);
    resetLayout = make("resetLayout", tr("Reset &layout"));
    makeStepViews();

    QList<QAction*> choices{make("languageSystem", tr("Language of the system"))};
    choices.back()->setData(kSystemLanguage);
    for (const Language& language : languages()) {
        choices << make("language", language.name);
        choices.back()->setObjectName(QStringLiteral("language.") + language.id);
        choices.back()->setData(language.id);
    }
    languageGroup = group(choices);

    backendAuto = make("backendAuto", tr("&Automatic"), nullptr, {},
                       tr("the GPU if there is one, else all cores"));
    backendCuda = make("backendCuda", tr("&GPU"));
    backendCpu = make("backendCpu", tr("CPU, a&ll cores"));
    backendCpuSingle = make("backendCpuSingle", tr("CPU, &one thread"));
    backendGroup = group({backendAuto, backendCuda, backendCpu, backendCpuSingle});
    pause = makeOnCanvas("pause", tr("&Pause live update"), "pause", {Qt::Key_P});
    pause->setCheckable(true);
    cancel = make("cancel", tr("&Cancel computation"), "stop", {Qt::CTRL | Qt::Key_Period});
    cancel->setEnabled(false);
    memoryBudget = make("memoryBudget", tr("Memory b&udget…"), nullptr, {},
                        tr("the largest image that is opened, and what results may keep"));
    measureTimings = make("measureTimings", tr("&Measure timings again"), "timings", {Qt::Key_F5});
    benchmark = make("benchmark", tr("&Benchmark…"), "chart", {Qt::CTRL | Qt::Key_B},
                     tr("times operations over sizes and places, beside other machines"));
    sideBySideDemo = make("sideBySideDemo", tr("&Side by side, running…"), "play", {Qt::Key_F11},
                          tr("CPU against GPU on the whole screen, frames a second and speedup"));

    palette = make("palette", tr("&Find a command…"), "search", {Qt::CTRL | Qt::SHIFT | Qt::Key_P});
    shortcuts = make("shortcuts", tr("&Keys and mouse"), nullptr, {Qt::Key_F1});
    editShortcuts = make("editShortcuts", tr("Edit s&hortcuts…"), nullptr, {},
                         tr("other keys for the commands"));
    operationsHelp = make("operationsHelp", tr("&Operations"), "help", {},
                          tr("what every operation computes, its parameters and variants"));
    about = make("about", tr("&About Warpscope"));

    for (const Entry& entry : m_entries)
        (entry.canvasOnly ? canvas : window)->addAction(entry.action);

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
    backendCuda->setEnabled(backends.cuda != nullptr);
    if (backends.cuda) {
        backendCuda->setText(tr("&GPU: %1").arg(engineText(backends.cuda->info().label)));
    } else {
        backendCuda->setText(
            tr("&GPU: not available, %1").arg(engineText(backends.cudaUnavailable)));
    }
}

void Actions::showTheme(bool dark) {
    (dark ? themeDark : themeLight)->setChecked(true);
}

void Actions::enableForImage(bool hasImage) {
    pixelCursor->setEnabled(hasImage);
    for (QAction* a : {saveResult,     saveAsSeen,
                       copyResult,     fit,
                       actualSize,     zoomIn,
                       zoomOut,        viewSource,
                       viewResult,     viewSideBySide,
                       viewWipe,       viewDifference,
                       viewBlink,      differenceSigned,
                       selectRegion,   dropRegion,
                       profileLine,    rangeNatural,
                       rangeMinMax,    rangePercentiles,
                       rangeManual,    rangeLogarithmic,
                       measureTimings, nextChannel,
                       nextMap,        exposureUp,
                       exposureDown,   gammaUp,
                       gammaDown,      zebra,
                       resetLook,      zoomToRegion,
                       keepOpen,       compareWith,
                       copyCommand})
        a->setEnabled(hasImage);
    regionShapeGroup->setEnabled(hasImage);
    nextRegionShape->setEnabled(hasImage);
    channelGroup->setEnabled(hasImage);
    mapGroup->setEnabled(hasImage);
}

void Actions::makeLook() {
    rangeByItself = make("rangeByItself", tr("Dark 16-bit and float images &by percentiles"),
                         nullptr, {}, tr("at once when one is opened; off: a message offers it"));
    rangeByItself->setCheckable(true);
    QList<QAction*> channels, maps;
    for (const ViewChannel channel : kAllViewChannels)
        channels << make(QByteArray("channel" + QByteArray::number(int(channel))).constData(),
                         nameOf(channel));
    for (const ColorMap map : kAllColorMaps)
        maps << make(QByteArray("map" + QByteArray::number(int(map))).constData(), nameOf(map),
                     nullptr, {}, tr("colours of the view; samples never change"));
    channelGroup = group(channels);
    mapGroup = group(maps);
    channels.front()->setChecked(true);
    maps.front()->setChecked(true);
    nextChannel = makeOnCanvas("nextChannel", tr("Next c&hannel"), nullptr, {Qt::Key_C},
                               tr("red, green, blue, alpha, all"));
    nextMap = makeOnCanvas("nextMap", tr("Next false colo&urs"), nullptr, {Qt::Key_M});
    exposureUp = makeOnCanvas("exposureUp", tr("More &exposure"), nullptr, {Qt::Key_E},
                              tr("half a stop, of the view"));
    exposureDown = makeOnCanvas("exposureDown", tr("&Less exposure"), nullptr, {Qt::Key_D});
    gammaUp = makeOnCanvas("gammaUp", tr("More &gamma"), nullptr, {Qt::Key_G},
                           tr("brightens the middle of the view"));
    gammaDown = makeOnCanvas("gammaDown", tr("Less ga&mma"), nullptr, {Qt::Key_B});
    zebra = makeOnCanvas("zebra", tr("Mark cli&pping"), nullptr, {Qt::Key_U},
                         tr("red stripes at white, blue stripes at black"));
    zebra->setCheckable(true);
    profileShown = makeOnCanvas("profileShown", tr("Colours &as the image's profile means them"),
                                nullptr, {Qt::Key_Y}, tr("on the screen alone; off: as stored"));
    profileShown->setCheckable(true);
    resetLook = makeOnCanvas("resetLook", tr("Reset look"), nullptr, {Qt::Key_0},
                             tr("full range, linear, natural colours"));
    zoomToRegion = makeOnCanvas("zoomToRegion", tr("&Zoom to region"), nullptr, {Qt::Key_Z});
    navigator = makeOnCanvas("navigator", tr("O&verview when zoomed in"), nullptr, {Qt::Key_V});
    navigator->setCheckable(true);
}

QAction* Actions::ofViewMode(ViewMode mode) const {
    switch (mode) {
        case ViewMode::Source:
            return viewSource;
        case ViewMode::SideBySide:
            return viewSideBySide;
        case ViewMode::Wipe:
            return viewWipe;
        case ViewMode::Difference:
            return viewDifference;
        case ViewMode::Blink:
            return viewBlink;
        case ViewMode::Result:
            break;
    }
    return viewResult;
}

QAction* Actions::ofRange(RangeChoice choice) const {
    switch (choice) {
        case RangeChoice::MinMax:
            return rangeMinMax;
        case RangeChoice::Percentiles:
            return rangePercentiles;
        case RangeChoice::Manual:
            return rangeManual;
        case RangeChoice::Natural:
            break;
    }
    return rangeNatural;
}

}  // namespace warpscope::gui
