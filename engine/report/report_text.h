// Timing results as text: tables and CSV.
#pragma once

#include "engine/measure/timing_report.h"
#include "engine/report/plot.h"
#include "engine/report/report_tables.h"

namespace warpscope {

// The row's GB/s in per cent of what its backend reaches in copying: one thread against one thread.
// Above 100 is possible where the data stay in a cache. 0 where either is not known.
double copyPercent(const StepTiming& row, const MachineInfo& machine);

std::string toCsv(const TimingReport& report);  // a header line, a line a result
std::string toMarkdown(const TimingReport& report);
std::string toTable(const TimingReport& report);  // aligned columns for a terminal

// What is printed and saved: "json" and "csv" are the rows alone; "markdown" and "table" have the
// break-even sizes in words, too, ours beside other libraries where any was timed, and where
// `published` or a row repeats an experiment, the tables of the source texts.
std::string resultText(const TimingReport& report, std::string_view format, bool published = false);
// The ratio table of the report against each of the others, in "markdown" or aligned.
std::string comparisonText(const PlotSource& report, const std::vector<PlotSource>& others,
                           std::string_view format, const RowChoice& left = {},
                           const RowChoice& right = {});

}  // namespace warpscope
