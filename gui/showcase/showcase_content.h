// Everything that the demo's screen says, as values made from the runner's state.
#pragma once

#include <QString>
#include <array>
#include <optional>
#include <string>

#include "gui/showcase/match_runner.h"
#include "gui/showcase/showcase_items.h"

namespace warpscope::gui {

struct SideContent {
    std::optional<BackendKind> backend;  // gives its colour; none: not known yet
    QString name;  // "CPU, 16 threads"; where fewer worked, "CPU, 1 of 16 threads"
    QString device;
    QString rate;  // "1,240"; empty while nothing is known
    QString unit;
    QString time;      // "0.807 ms a frame"
    QString interval;  // "95% interval 0.79 to 0.83 ms, noisy"; empty: not known
    QString parts;     // GPU: "kernels 0.12 ms · upload 0.31 ms · download 0.35 ms"
    QString problem;   // why it does nothing
    QString
        recorded;  // where and when its figures were taken (in `method`, too); empty: here and now
    QString working;      // "34 % of a frame after 4.2 s"; empty for short frames
    double progress = 0;  // of that frame
    Image picture;
    bool pictureIsSource = true;
};

struct ShowcaseContent {
    QString operation, details;
    QString size, format;
    std::array<SideContent, 2> sides;
    QString factor;        // "47×", "draw"; empty: none is shown
    QString factorRange;   // "41 to 52×", of noisy sides; of a draw why it is one
    QString factorSides;   // "GPU end to end against 16 threads"
    QString factorMore;    // "kernels alone 212×"
    QString agreement;     // "Results identical"
    bool differs = false;  // the agreement is why no factor is shown
    QString notice;        // in the middle: preparing, paused, failed
    QString noGpu;
    QString doubt;         // what makes the figures doubtful
    QString method;        // how this is measured
    bool settled = false;  // figures on all sides that can have some
};

// A state of other work than `work` is not looked at beyond its backends.
ShowcaseContent contentOf(const RunnerState& state, std::uint64_t work,
                          const ShowcaseOperation& operation, const ShowcaseSize& size,
                          bool paused);

// "0.0123", "1.23", "12.3", "123", "12,345".
QString rateText(double framesPerSecond);

}  // namespace warpscope::gui
