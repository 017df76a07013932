// Charts as SVG files, without a window: what the benchmark window draws, for the command line.
#pragma once

#include <string>

#include "engine/report/plot.h"

namespace warpscope {

// A panel an operation, all with the same logarithmic axes; decades as ticks; the name of a line at
// its end; one thread grey, all cores blue, GPU green, end to end lighter. A tool tip a point,
// where the viewer shows such. As large as its labels need: nothing is cut off. A plot without
// panels gives an SVG that says so.
std::string toSvg(const Plot& plot);

}  // namespace warpscope
