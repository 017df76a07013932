// What a window has open and shows, as a value: what a session file holds.
#pragma once

#include <QLineF>
#include <QPoint>
#include <QString>
#include <QStringList>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/pipeline/pipeline.h"
#include "gui/canvas/canvas.h"
#include "gui/display/display_settings.h"
#include "gui/histogram/histogram_view.h"
#include "gui/scopes/scopes_panel.h"
#include "gui/teststrip/strip_state.h"

namespace warpscope::gui {

struct SessionImage {
    // Absolute; empty: none.
    QString path = {};
    // From the session's folder; empty where that is not known.
    QString relative = {};
    // -1 and empty: not known.
    std::int64_t bytes = -1;
    std::int64_t changedMs = -1;  // since 1970, UTC
    QString sha256 = {};
};

struct SessionKept {
    SessionImage image;
    std::optional<ViewSpot> view;
    std::optional<RegionShape> region;
};

// makeScene of that size.
struct SessionScene {
    Size size;
    bool color = true;
};

struct Session {
    SessionImage shown;
    int page = 0;
    std::optional<SessionScene> scene;  // in place of a file
    std::vector<SessionImage> list;     // `shown` is one of it; empty: its folder
    std::vector<SessionKept> kept;
    SessionImage second;
    SessionImage compared;
    QStringList left;  // titles of images that are no files, and so are not in it

    Pipeline pipeline;
    int step = -1;

    ViewMode mode = ViewMode::Result;
    ViewSpot view;
    DifferenceStyle difference;
    WipeLine wipe;
    DisplayState display;
    std::optional<RegionShape> region;
    std::vector<QPoint> pins;
    std::optional<QLineF> line;
    HistogramOptions histogram;
    ScopeSwitches scopes;
    std::optional<StripState> strip;  // open, of the selected step

    bool isEmpty() const {
        return shown.path.isEmpty() && !scene && second.path.isEmpty() && pipeline.steps.empty();
    }
};

}  // namespace warpscope::gui
