// What bench prints: the results and, for people, what follows from them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/measure/timing_report.h"

namespace warpscope::cli {

// "json" and "csv": the rows alone. "markdown" and "table": also the break-even sizes in words and,
// if wanted, the published tables.
std::string benchText(const TimingReport& report, std::string_view format, bool published);

// The ratio table of the report against each of the others, in Markdown or aligned.
std::string ratioText(const TimingReport& report, const std::vector<TimingReport>& others,
                      std::string_view format);

}  // namespace warpscope::cli
