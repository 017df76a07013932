// One run of the chain laid out in time: upload, each kernel or CPU step, download, the reduced
// copies that the screen needs, drawing. As values.
#pragma once

#include <QString>
#include <optional>
#include <string>
#include <vector>

#include "engine/pipeline/executor.h"

namespace warpscope::gui {

struct WaterfallBar {
    double startMs = 0;  // since the run began
    double ms = 0;
};

// A piece of work, or the launches of one kernel within the operation above it, wherever in it they
// were.
struct WaterfallRow {
    QString name;    // "2  Gaussian blur", "upload", "draw"; "store tables", "rows × 64"
    QString detail;  // all of it in words
    std::optional<BackendKind> backend;  // none for drawing
    bool transfer = false;
    bool kernel = false;  // its time is part of the operation's above it
    double startMs = 0;   // of the first bar
    double ms = 0;        // of all bars
    int launches = 0;     // 0: not known, or no kernels
    // One, or those of a kernel or of a step in bands of rows, in the order of their start.
    std::vector<WaterfallBar> bars;
};

// From the arrival of the result on the window's thread to the end of the paint that showed it.
struct DrawTime {
    double startMs = 0;  // since the run began
    double ms = 0;
};

struct Waterfall {
    std::vector<WaterfallRow> rows;  // in the order of their start
    double endMs = 0;                // where the last one ends
    QString note;                    // what the picture leaves out
};

Waterfall buildWaterfall(const std::vector<RunEvent>& events, const std::optional<DrawTime>& draw,
                         const Pipeline& pipeline, const std::vector<StepReport>& reports);

}  // namespace warpscope::gui
