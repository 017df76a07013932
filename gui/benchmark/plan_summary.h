// What a plan will give and how long that may take, in words.
#pragma once

#include <QString>

#include "engine/measure/benchmark.h"

namespace warpscope::gui {

struct PlanSummary {
    QString text;
    QString problem;  // why it cannot run; empty if it can
    std::size_t rows = 0;
};

PlanSummary summarize(const BenchmarkPlan& plan);

// "less than a minute", "3 min 20 s", "1 h 5 min".
QString spanText(double seconds);

}  // namespace warpscope::gui
