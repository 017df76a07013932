// Commands of the View menu that concern the picture: what is shown, over which range, and marks.
#include <QMenu>

#include "gui/app/action_spec.h"

namespace warpscope::gui {

void Actions::makeViewActions() {
    const auto key = [](auto k) { return QList<QKeySequence>{QKeySequence(k)}; };
    viewSource = make({"viewSource", tr("&Source"), "view-source", key(Qt::Key_1), true,
                       tr("the image as it was opened")});
    viewResult = make({"viewResult", tr("&Result"), "view-result", key(Qt::Key_2), true,
                       tr("what the steps give")});
    viewSideBySide = make(
        {"viewSideBySide", tr("Side &by side"), "view-side-by-side", key(Qt::Key_3), true, {}});
    viewWipe = make({"viewWipe", tr("&Wipe"), "view-wipe", key(Qt::Key_4), true,
                     tr("source and result on either side of a line to drag")});
    viewDifference = make({"viewDifference", tr("Di&fference"), "view-difference", key(Qt::Key_5),
                           true, tr("result minus source, amplified by [ and ]")});
    viewBlink = make({"viewBlink", tr("Blin&k"), "view-blink", key(Qt::Key_6), true,
                      tr("source and result alternately")});
    viewGroup = new QActionGroup(this);
    for (QAction* a :
         {viewSource, viewResult, viewSideBySide, viewWipe, viewDifference, viewBlink}) {
        a->setCheckable(true);
        viewGroup->addAction(a);
    }
    viewResult->setChecked(true);
    differenceSigned = make({"differenceSigned", tr("Difference with si&gn"), nullptr,
                             key(Qt::Key_S), true, tr("grey is equal, brighter is more")});
    differenceSigned->setCheckable(true);

    selectRegion = make({"selectRegion", tr("Select r&egion"), nullptr, key(Qt::Key_R), true,
                         tr("histogram, statistics and timings of a part; also Shift and drag")});
    dropRegion = make({"dropRegion", tr("&Drop region"), nullptr, {}, false, {}});
    profileLine = make({"profileLine", tr("Pr&ofile along a line"), nullptr, key(Qt::Key_L), true,
                        tr("source and result over each other; drag to draw the line")});

    rangeNatural = make({"rangeNatural",
                         tr("&Full range"),
                         nullptr,
                         {},
                         false,
                         tr("0 to the white level; 0 to 1 for float")});
    rangeMinMax = make({"rangeMinMax",
                        tr("&Minimum to maximum"),
                        nullptr,
                        {},
                        false,
                        tr("black and white are the smallest and the largest sample")});
    rangePercentiles = make({"rangePercentiles",
                             tr("&Percentiles 0.1 to 99.9"),
                             nullptr,
                             {},
                             false,
                             tr("of at most a million pixels, evenly spread")});
    rangeManual = make({"rangeManual",
                        tr("Set by &hand…"),
                        nullptr,
                        {},
                        false,
                        tr("type black and white in the inspector")});
    rangeGroup = new QActionGroup(this);
    for (QAction* a : {rangeNatural, rangeMinMax, rangePercentiles, rangeManual}) {
        a->setCheckable(true);
        rangeGroup->addAction(a);
    }
    rangeNatural->setChecked(true);
    rangeLogarithmic = make({"rangeLogarithmic",
                             tr("&Logarithmic"),
                             nullptr,
                             {},
                             false,
                             tr("more greys for dark values")});
    rangeLogarithmic->setCheckable(true);
}

QMenu* Actions::rangeMenu(QWidget* parent) {
    auto* ranges = new QMenu(tr("Black and w&hite"), parent);
    ranges->addActions(rangeGroup->actions());
    ranges->addSeparator();
    ranges->addAction(rangeLogarithmic);
    for (Entry& entry : m_entries)
        if (ranges->actions().contains(entry.action)) entry.menu = plainText(ranges->menuAction());
    return ranges;
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
