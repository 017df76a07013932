// Timing results as text: tables and CSV.
#pragma once

#include "engine/measure/timing_report.h"

namespace warpscope {

// The row's GB/s in per cent of what its backend reaches in copying: one thread against one thread.
// Above 100 is possible where the data stay in a cache. 0 where either is not known.
double copyPercent(const StepTiming& row, const MachineInfo& machine);

std::string toCsv(const TimingReport& report);   // a header line, a line a result
std::string toMarkdown(const TimingReport& report);
std::string toTable(const TimingReport& report);  // aligned columns for a terminal

}  // namespace warpscope
