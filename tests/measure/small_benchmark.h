// A small benchmark on backends with known durations, and what comes of it.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "engine/measure/benchmark.h"
#include "engine/measure/benchmark_run.h"
#include "measure/sleeping_backend.h"

namespace warpscope::test {

inline BenchmarkPlan smallPlan() {
    BenchmarkPlan plan;
    plan.operations = {"median", "histogram"};
    plan.sizes = {{64, 48}, {32, 32}};
    plan.sampling = {1, 5, 5, 0};
    plan.copyBandwidth = plan.energy = false;
    return plan;
}

// What a run tells while it lasts.
struct Seen {
    std::vector<StepTiming> rows;
    std::vector<BenchmarkProgress> progress;
    int heads = 0;
    BenchmarkCallbacks callbacks() {
        return {[this](const TimingReport&) { ++heads; },
                [this](std::size_t index, const StepTiming& row) {
                    rows.resize(std::max(rows.size(), index + 1));
                    rows[index] = row;
                },
                [this](const BenchmarkProgress& one) { progress.push_back(one); }};
    }
};

inline BenchmarkResult resultOf(const SleepingSet& fakes, const BenchmarkPlan& plan) {
    BenchmarkRunner runner(fakes.set(), {}, {}, fakes.clock);
    return *runner.run(plan, {});
}

inline const StepTiming& rowOf(const BenchmarkResult& result, const std::string& operation,
                               Place backend, int width, bool cold = false) {
    static const StepTiming none;
    for (const StepTiming& row : result.report.results)
        if (row.operation == operation && row.backendRequested == backend && row.width == width &&
            row.cold == cold)
            return row;
    return none;
}

}  // namespace warpscope::test
