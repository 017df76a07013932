// The tables of the benchmark window.
#pragma once

#include "engine/report/repeat_check.h"
#include "gui/benchmark/benchmark_reports.h"
#include "gui/benchmark/pairing.h"
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
// A row a pair: both times, their ratio, the same end to end where a GPU is among them.
Sheet pairSheet(const Pairing& pairing);
// "1 thread", "GPU, end to end": what a figure was taken on.
QString figurePlace(const RepeatedFigure& figure);
// What moved, then what is noisy, then (`all`) what came out again.
Sheet repeatSheet(const RepeatCheck& check, bool all);
// What stands in a row of repeatSheet; null where there is no such row.
const RepeatedFigure* repeatRowOrigin(const RepeatCheck& check, bool all, int sheetRow);
// The tables of the source texts beside the results of the report, and under each row those of
// `recorded` that did the same to another image of that size.
Sheet publishedSheet(const TimingReport* report, const std::vector<BenchmarkEntry>& recorded = {});
// The command line that measures a row of publishedSheet again, everywhere where it was measured,
// or for the first time. Empty where there is no such row.
QString publishedRowCommand(const TimingReport* report, const std::vector<BenchmarkEntry>& recorded,
                            int sheetRow);
// Of which rows of the texts the entry has none, and why; empty: it has all.
QString notRecordedText(const BenchmarkEntry& entry);

}  // namespace warpscope::gui
