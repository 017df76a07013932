// What somebody asks bench for, and the plan that follows from it.
#pragma once

#include <string>
#include <vector>

#include "cli/common.h"
#include "engine/measure/benchmark.h"
#include "engine/report/report_tables.h"

namespace warpscope::cli {

struct BenchOptions {
    std::string operations = "all";
    std::vector<std::string> steps;  // operations with their parameters and variants
    std::string pipelineFile;
    std::string sizes = "256,512,1024,1280x1024,4k,8k";
    std::string backends = "cpu-single,cpu,cuda";
    std::string gpu;
    std::string pixels = "auto";
    std::string cache = "warm";
    std::string format;  // empty: by the name of the output
    std::string image;
    std::string second;
    std::string from;
    std::string output;
    std::string chart;
    std::string speedupChart;
    std::string html;
    std::string slides;  // a folder
    std::string against = "best";
    MemoryOption memory;
    std::vector<std::string> compare;
    std::string pair;    // "cpu=cuda": what --compare sets against what
    std::string check;   // results whose command is run again
    std::string slower;  // results that this run may not be slower than
    std::string by;      // empty: as it is usual for either
    std::string sweep;   // OPERATION.PARAMETER=FROM:TO[:COUNT][:log]
    int rounds = BenchmarkPlan().sampling.minRounds;
    int mostRounds = BenchmarkPlan().sampling.maxRounds;
    bool noPin = false;
    bool noEnergy = false;
    bool all = false;
    double budgetMs = 200;
    double longestRow = BenchmarkPlan().longestRowSeconds;
    double longestCall = BenchmarkPlan().longestPeerCallSeconds;
    int repetitions = 5;
    bool variants = false;
    bool peers = false;
    bool published = false;
    bool operationsGiven = false;
    bool sizesGiven = false;
    bool backendsGiven = false;
    bool cacheGiven = false;
};

// The options of a sub-command of its own, as bench has them; the choice lives as long as the
// command.
void addBenchOptions(CLI::App& command, BenchOptions& options);

// Errors are those of a wrong command line and name the option; image and pipeline file are read
// later.
Result<double> shareOf(const std::string& text);  // --by
// --pair; both open where it is empty.
Result<std::pair<RowChoice, RowChoice>> pairOf(const std::string& text);
Result<BenchmarkPlan> planOf(const BenchOptions& options);

}  // namespace warpscope::cli
