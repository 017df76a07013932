// The command line that measures one row of results again.
#pragma once

#include <QString>

#include "engine/measure/timing.h"

namespace warpscope::gui {

// For a POSIX shell, quoted where that is needed: "warpscope-cli bench --step
// gaussian_blur:sigma=2,variant=direct_2d --sizes 1024x768 --pixels gray --backends cuda --cache
// warm". A row of an image names its file (`imageName`), a row of an experiment of the source texts
// asks for these, a row of another library for those.
QString benchCommand(const StepTiming& row);

// As one word of a POSIX shell.
QString shellQuoted(const QString& word);

}  // namespace warpscope::gui
