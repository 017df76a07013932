// What apply is asked for, and the part of it that one image and a batch of them share.
#pragma once

#include <string>
#include <vector>

#include "cli/common.h"
#include "engine/pipeline/executor.h"

namespace warpscope::cli {

struct ApplyOptions {
    std::vector<std::string> inputs;  // as they were given
    std::string output;
    std::string to;
    std::vector<std::string> steps;
    std::string pipelineFile;
    // File of the image that steps can name as their second input; may be empty.
    std::string second;
    BackendOption backend;
    MemoryOption memory;
    PageOption page;
    std::string timings = "none";
    bool overwriteInput = false;
    // Of a batch.
    int jobs = 0;  // 0: as many as four images in memory allow
    bool keepGoing = false;
    bool resume = false;
    bool recursive = false;
    std::string shard;
    std::string report;
};

// Runs the steps. Says on standard error what a person should know, behind `prefix`. Errors: those
// of Executor::run; Unsupported where a backend is required that did not run every step.
Result<ExecuteResult> runSteps(Executor& executor, ExecuteRequest request,
                               const BackendOption& backend, const RunContext& context,
                               const std::string& prefix);

// The image of --second; null where it was not given.
Result<Image> readSecond(const ApplyOptions& options);

// Whether the options ask for more than one image into one file.
bool isBatch(const ApplyOptions& options);
int runBatch(const ApplyOptions& options, const Pipeline& pipeline);

}  // namespace warpscope::cli
