// What the demo panel says, as values: published figures beside ours, each with the speedup of its
// own machine. No ratio between the two is made: they come from other hardware and other programs.
#pragma once

#include <QString>
#include <QStringList>
#include <array>
#include <optional>
#include <vector>

#include "engine/backend/backend_set.h"
#include "engine/measure/published.h"
#include "engine/measure/timing.h"

namespace warpscope::gui {

struct DemoCell {
    QString text;
    bool weak = false;   // nothing to show, or why
    bool error = false;  // results differ, or the backend failed
    QString toolTip;
};

struct DemoColumn {
    QString title;
    std::optional<BackendKind> backend;  // gives the colour of ours; none for published ones
    QString sides = {};                  // of a speedup: what against what
    QString toolTip = {};
};

inline constexpr std::size_t kPublishedColumns = 3;
inline constexpr std::size_t kOurColumns = 5;

struct DemoLine {
    QString label;
    bool running = false;
    std::array<DemoCell, kPublishedColumns> published;
    std::array<DemoCell, kOurColumns> ours;
};

struct DemoTable {
    QString publishedTitle;  // "Published elsewhere, on ..."
    QString oursTitle;       // "Measured here, on ..."
    std::array<DemoColumn, kPublishedColumns> publishedColumns;
    std::array<DemoColumn, kOurColumns> ourColumns;
    std::vector<DemoLine> lines;
    QStringList notes;
};

// `ours` has an entry a row of the experiment, empty where it was not run.
DemoTable buildDemoTable(const PublishedExperiment& experiment,
                         const std::vector<std::vector<StepTiming>>& ours, int runningRow,
                         const std::optional<BackendSet>& backends);

// "0.093", "≈ 1600", "—" where none was printed; decimals as they were printed.
QString publishedText(const PublishedFigure& figure);

}  // namespace warpscope::gui
