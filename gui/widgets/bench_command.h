// The command line that measures one row of results again.
#pragma once

#include <QString>

#include "engine/report/bench_command.h"

namespace warpscope::gui {

// One line for a shell; empty where no words can say it (see warpscope::benchCommand).
inline QString commandLineOf(const StepTiming& row, const std::vector<std::string>& ofReport = {}) {
    return QString::fromStdString(shellQuoted(warpscope::benchCommand(row, ofReport)));
}

}  // namespace warpscope::gui
