// Results as series of a chart: time, and speedup, against the number of pixels.
#pragma once

#include "gui/benchmark/benchmark_reports.h"
#include "gui/benchmark/chart_content.h"

namespace warpscope::gui {

// A series an operation, variant, parameters, format, temperature, place and machine; a GPU gives
// two, kernels alone and end to end. Only entries that are shown.
ChartContent timeContent(const std::vector<BenchmarkEntry>& entries);

enum class SpeedupBaseline { OneThread, AllCores };
// Both sides come from one machine and one run; none where results do not agree.
ChartContent speedupContent(const std::vector<BenchmarkEntry>& entries, SpeedupBaseline baseline);

// "Gaussian blur"; the id where this program does not know the operation.
QString operationText(const std::string& id);
QString sizeWords(const StepTiming& row);  // "1,024 × 1,024"
QString placeWords(
    const StepTiming& row);  // "1 thread", "16 threads", "GPU", "OpenCV 4.6.0, 1 thread"

// Rows of one report that belong to the same step on the same input, in the order of the report.
std::vector<std::vector<const StepTiming*>> rowsByStep(const TimingReport& report);

}  // namespace warpscope::gui
