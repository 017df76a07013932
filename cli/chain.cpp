#include "cli/chain.h"

#include <fmt/format.h>

#include "engine/pipeline/chain_shape.h"

namespace warpscope::cli {
namespace {

// Errors: `wrongUsage` says whether the command line is to blame.
Result<Pipeline> pipelineOf(const ChainOptions& options, bool& wrongUsage) {
    wrongUsage = options.pipelineFile.empty();
    if (!wrongUsage) return readPipeline(options.pipelineFile);
    Pipeline pipeline;
    for (const std::string& text : options.steps) {
        auto step = parseStep(text);
        if (!step) return fail(step.error().code, "--step " + text + ": " + step.error().message);
        pipeline.steps.push_back(std::move(*step));
    }
    if (auto checked = checkPipeline(pipeline); !checked)
        return fail(checked.error().code, "--step: " + checked.error().message);
    for (std::size_t i = 0; i < pipeline.steps.size(); ++i)
        if (auto second = resolveSecondInput(pipeline, i); !second)
            return fail(second.error().code,
                        "--step " + options.steps[i] + ": " + second.error().message);
    return pipeline;
}

}  // namespace

void addChainTo(CLI::App& command, ChainOptions& options) {
    auto* steps = command.add_option(
        "--step", options.steps,
        "ID[:name=value[,name=value...]]; may be given again and again (see ops)");
    steps->type_name("STEP")->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    command
        .add_option("--pipeline", options.pipelineFile,
                    "Pipeline file instead of --step, or preset:NAME for one that is shipped")
        ->type_name("FILE")
        ->excludes(steps);
    command
        .add_option("--second", options.second,
                    "The second image of steps that take two: blend:with=second. Of another depth "
                    "than the first it is converted: full white becomes full white, whatever "
                    "white level its file names")
        ->type_name("FILE");
}

std::optional<Pipeline> chainOf(const ChainOptions& options, int& exitCode) {
    bool wrongUsage = false;
    auto pipeline = pipelineOf(options, wrongUsage);
    if (!pipeline) {
        exitCode = wrongUsage ? usageError(pipeline.error().message) : failWith(pipeline.error());
        return std::nullopt;
    }
    if (const auto good = checkSecond(*pipeline, options.second); !good) {
        exitCode = usageError(good.error().message);
        return std::nullopt;
    }
    return std::move(*pipeline);
}

Result<void> checkShape(const ChainOptions& options, const Pipeline& pipeline, const Image& image) {
    if (options.steps.empty()) return {};
    const ChainShape shape = shapeOf(pipeline, image.format(), Placement::all(image.size()));
    if (!shape.failure || shape.failure->error.code != ErrorCode::InvalidArgument) return {};
    return fail(shape.failure->error.code,
                fmt::format("--step {}: {}", options.steps[shape.failure->step],
                            shape.failure->error.message));
}

Result<Image> readSecond(const ChainOptions& options, const MemoryOption& memory) {
    if (options.second.empty()) return Image();
    return readInput(options.second, memory);
}

Result<ExecuteResult> runSteps(Executor& executor, ExecuteRequest request,
                               const BackendOption& backend, const RunContext& context,
                               const std::string& prefix) {
    auto result = executor.run(std::move(request), context);
    if (!result) return result;
    const bool gpuThere = executor.backends().cuda != nullptr;
    for (const StepReport& step : result->steps) {
        const std::string what = fmt::format("{}step {} ", prefix, step.stepIndex + 1);
        if (auto good = backend.judge(what, *step.backend, step.fallbackReason, gpuThere); !good)
            return fail(good.error());
        for (const std::string& text : step.notices)
            notice(fmt::format("{}step {}: {}", prefix, step.stepIndex + 1, text));
    }
    return result;
}

}  // namespace warpscope::cli
