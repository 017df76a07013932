// Tables of an HTML report: rows of timings with their intervals and samples drawn.
#pragma once

#include <string>
#include <vector>

#include "engine/measure/timing_report.h"
#include "engine/report/text_table.h"

namespace warpscope {

// Rows of one operation, all on the same machine; each with the command that measures it again.
// `command`: of the whole report. `open`: else the table is folded.
std::string rowsHtml(const std::vector<StepTiming>& rows, const MachineInfo& machine,
                     const std::vector<std::string>& command, bool open);
std::string tableHtml(const TextTable& table, std::string_view caption);

// A few bars of the samples, most of them within; nothing where the row has none.
std::string histogramSvg(const StepTiming& row);
// The 95% interval on a scale of ten percent below to ten percent above the median; nothing where
// it is not known.
std::string intervalSvg(const StepTiming& row);

// A command in a box, with a button that copies it where scripts run.
std::string commandHtml(const std::vector<std::string>& words);

}  // namespace warpscope
