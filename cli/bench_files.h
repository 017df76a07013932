// The files that bench writes: their form, what they may not replace, charts, report and slides.
#pragma once

#include <string>
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
// Errors: Io; NotFound where there is nothing to draw, and then no file is written.
Result<void> writeCharts(const BenchOptions& options, const TimingReport& report,
                         const std::vector<TimingReport>& others);

}  // namespace warpscope::cli
