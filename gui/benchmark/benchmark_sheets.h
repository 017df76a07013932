// The tables of the benchmark window.
#pragma once

#include "gui/benchmark/benchmark_reports.h"
#include "gui/benchmark/sheet_model.h"

namespace warpscope::gui {

// A row a result with every field, of all entries that are shown.
Sheet resultSheet(const std::vector<BenchmarkEntry>& entries);
// What stands in a row of resultSheet; nulls where there is no such row.
struct SheetOrigin {
    const BenchmarkEntry* entry = nullptr;
    const StepTiming* row = nullptr;
};
SheetOrigin resultRowOrigin(const std::vector<BenchmarkEntry>& entries, int sheetRow);
// From which size on one side wins, in words.
Sheet breakEvenSheet(const std::vector<BenchmarkEntry>& entries);
// Ratios of rows that both have.
Sheet ratioSheet(const TimingReport& a, const TimingReport& b);
// "Above 1, A is faster. Geometric mean of 27 rows: 3.1×. ..."
QString ratioSummary(const TimingReport& a, const TimingReport& b);
// The tables of the source texts beside the results of the report.
Sheet publishedSheet(const TimingReport* report);

}  // namespace warpscope::gui
