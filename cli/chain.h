// --step, --pipeline and --second: the chain of steps that apply and analyze run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/common.h"
#include "engine/pipeline/executor.h"

namespace warpscope::cli {

struct ChainOptions {
    std::vector<std::string> steps;
    std::string pipelineFile;
    // File of the image that steps can name as their second input; may be empty.
    std::string second;
};

void addChainTo(CLI::App& command, ChainOptions& options);

// Checked, with the second image that it needs. Nothing where that failed: it is said on standard
// error then, and `exitCode` set.
std::optional<Pipeline> chainOf(const ChainOptions& options, int& exitCode);

// A step of the command line that says what this image cannot have, a crop beyond it. Of several
// images each is judged for itself. Errors: InvalidArgument.
Result<void> checkShape(const ChainOptions& options, const Pipeline& pipeline, const Image& image);

// The image of --second; null where it was not given.
Result<Image> readSecond(const ChainOptions& options, const MemoryOption& memory);

// Runs the steps. Says on standard error what a person should know, behind `prefix`. Errors: those
// of Executor::run; Unsupported where a backend is required that did not run every step.
Result<ExecuteResult> runSteps(Executor& executor, ExecuteRequest request,
                               const BackendOption& backend, const RunContext& context,
                               const std::string& prefix);

}  // namespace warpscope::cli
