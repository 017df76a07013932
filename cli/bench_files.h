// The files that bench writes: their form, what they may not replace, charts, report and slides.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/bench_plan.h"
#include "engine/measure/timing_report.h"

namespace warpscope::cli {

// "table", "csv", "json" or "markdown": as asked for, else by the name of the output.
std::string formatOf(const BenchOptions& options);

// Names of charts that are none, and names given twice: errors of a wrong command line.
Result<void> checkNames(const BenchOptions& options);

// Before minutes are spent: whether a file that is read would be replaced, and whether the folders
// are there.
Result<void> checkTargets(const BenchOptions& options);

// The image, the pipeline and the results that are read.
WriteOptions protecting(const BenchOptions& options);

// Charts, report and slides that were asked for; the results that ours are compared with lie beside
// them, dashed.
// `pair`: what the report sets against what, as --pair says.
// Errors: Io; NotFound where there is nothing to draw, after all others were written.
Result<void> writeCharts(const BenchOptions& options, const TimingReport& report,
                         const std::vector<TimingReport>& others,
                         const std::pair<RowChoice, RowChoice>& pair);

}  // namespace warpscope::cli
