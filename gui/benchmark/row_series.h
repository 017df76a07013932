// Charts whose points stand for single rows: time against a parameter, and the roofline.
#pragma once

#include "gui/benchmark/benchmark_series.h"

namespace warpscope::gui {

// Time against each number of an operation that differs where all else is the same. What is 0 has
// no place on a logarithmic axis.
ChartContent parameterContent(const std::vector<BenchmarkEntry>& entries);
// Whether there is anything in it.
bool hasSweep(const std::vector<BenchmarkEntry>& entries);

// A line a step and place through its image sizes, under the roofs of its machine.
ChartContent rooflineContent(const std::vector<BenchmarkEntry>& entries);

}  // namespace warpscope::gui
