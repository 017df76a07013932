// What somebody asks bench for, and the plan that follows from it.
#pragma once

#include <string>
#include <vector>

#include "cli/common.h"
#include "engine/measure/benchmark.h"

namespace warpscope::cli {

struct BenchOptions {
    std::string operations = "all";
    std::vector<std::string> steps;  // operations with their parameters and variants
    std::string pipelineFile;
    std::string sizes = "256,512,1024,1280x1024,4k,8k";
    std::string backends = "cpu-single,cpu,cuda";
    std::string pixels = "auto";
    std::string cache = "warm";
    std::string format;  // empty: by the name of the output
    std::string image;
    std::string second;
    std::string from;
    std::string output;
    std::string chart;
    std::string speedupChart;
    std::string against = "cpu-single";
    MemoryOption memory;
    std::vector<std::string> compare;
    double budgetMs = 200;
    double longestRow = BenchmarkPlan().longestRowSeconds;
    double longestCall = BenchmarkPlan().longestPeerCallSeconds;
    int repetitions = 5;
    bool variants = false;
    bool peers = false;
    bool published = false;
    bool operationsGiven = false;
    bool sizesGiven = false;
};

// Errors are those of a wrong command line and name the option; image and pipeline file are read
// later.
Result<BenchmarkPlan> planOf(const BenchOptions& options);

}  // namespace warpscope::cli
