// One operation at many values of one of its parameters.
#pragma once

#include <string>
#include <vector>

#include "engine/report/plot.h"

namespace warpscope {

struct Sweep {
    std::string operation;
    std::string parameter;
    bool logarithmic = false;
    std::vector<double> values;  // rising
};

// Operations whose measured rows differ in one parameter alone, a number with at least four values.
// Logarithmic as the command that made the report says; else as its steps are more even.
std::vector<Sweep> sweepsOf(const TimingReport& report);

// Median time against the parameter, a panel a size and a line a place. Of reports after the first
// what has the same operation; without a figure no line.
Plot sweepPlot(const std::vector<PlotSource>& sources, const Sweep& sweep);

// What --chart draws: the sweep of a report that has nothing else, else time against image size.
Plot chartPlot(const std::vector<PlotSource>& sources);

}  // namespace warpscope
