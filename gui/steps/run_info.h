// What the card of a step says about its last run, in words and figures.
#pragma once

#include <QString>
#include <QStringList>
#include <QVector>
#include <optional>
#include <vector>

#include "engine/measure/timing.h"
#include "engine/pipeline/executor.h"
#include "gui/widgets/wrap_label.h"

namespace warpscope::gui {

struct RunInfo {
    QVector<TextPiece> status;  // "Direct 2D · ● GPU · kernels 0.21 ms"
    // One a line, each with both its sides: "end to end against 16 threads: 6.1×". Empty lines keep
    // the place while nothing is measured yet, so that the cards below do not move.
    QVector<TextPiece> speedups;
    QString toolTip;       // the same in sentences, every speedup with both its sides
    QStringList warnings;  // fall-back, notices, disagreement
    QString error;         // why the step could not run
};

QString backendShortName(BackendKind backend);  // "1 thread", "All cores", "GPU"

// `report` may be null (not run yet); `rows` are the timings of this step, in any number.
RunInfo describeRun(const Step& step, const StepReport* report, const std::vector<StepTiming>& rows,
                    const std::optional<BackendSet>& backends);

// Before what it says of the run: the level that a threshold cuts at.
void addThresholdLevel(RunInfo& info, const QString& level);
// In the same place: that the step gives back what comes in, and for levels why.
void addNothingDone(RunInfo& info, const Step& step);
// In the same place: what else a step found.
void addFound(RunInfo& info, const QString& words);

}  // namespace warpscope::gui
