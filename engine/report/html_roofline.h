// The roofline of a report for its HTML page.
#pragma once

#include <string>

#include "engine/measure/timing_report.h"

namespace warpscope {

// A figure of one size, the largest that most operations were measured at, with one point an
// operation and place (automatic variants; cold where the report has cold rows), and what the shape
// of it says. Empty where nothing computes or no roof is known.
std::string rooflineHtml(const TimingReport& report);

}  // namespace warpscope
