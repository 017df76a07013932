// The tables of the source texts, row by row, with our figures of the same experiment beside them.
#pragma once

#include <string>
#include <vector>

#include "engine/measure/published.h"
#include "engine/measure/timing_report.h"

namespace warpscope {

struct PublishedComparison {
    const PublishedExperiment* experiment = nullptr;  // lives as long as the program
    const PublishedRow* row = nullptr;
    // Ours, warm where there is; unmeasured rows (n = 0) where there is no figure.
    StepTiming single;
    StepTiming cores;
    StepTiming gpu;
};

// Every published row in the order of the texts; ours from rows with that experiment.
std::vector<PublishedComparison> publishedComparison(const TimingReport& report);

std::string toPublishedTable(const TimingReport& report);  // aligned columns
std::string toPublishedMarkdown(const TimingReport& report);

}  // namespace warpscope
