// warpscope-cli apply: runs a chain of steps on an image and saves the result.
#include <fmt/format.h>

#include "cli/common.h"
#include "engine/backend/cpu_backend.h"
#include "engine/io/image_reader.h"
#include "engine/io/image_writer.h"
#include "engine/io/text_file.h"
#include "engine/measure/timing_report.h"
#include "engine/pipeline/executor.h"
#include "engine/report/report_file.h"
#include "engine/report/report_text.h"

namespace warpscope::cli {
namespace {

struct ApplyOptions {
    std::string input;
    std::string output;
    std::vector<std::string> steps;
    std::string pipelineFile;
    BackendOption backend;
    MemoryOption memory;
    std::string timings = "none";
    bool overwriteInput = false;
};

Result<std::string> timingsText(const ApplyOptions& options, Executor& executor,
                                const ExecuteRequest& request, const RunContext& context) {
    auto inputs = executor.stepInputs(request, context);
    if (!inputs) return fail(inputs.error());
    TimingReport report = reportHead(executor.backends());
    // What GB/s are set against. Only a run that is to be timed spends this time.
    measureMachine(report.machine, executor.backends(), true, {context.stop, {}});
    for (const StepInput& input : *inputs) {
        SamplingOptions sampling;
        auto rows = compareBackends(executor.backends(), input.plan, input.parameters,
                                    {input.image, input.second}, sampling, context);
        if (!rows) return fail(rows.error());
        for (StepTiming& row : *rows) row.stepIndex = input.stepIndex;
        report.results.insert(report.results.end(), rows->begin(), rows->end());
    }
    return options.timings == "json" ? toJson(report) : toTable(report);
}

// A GPU that is not there at all has been said once already; here come the steps that it could not
// do.
void printReports(const ExecuteResult& result, bool gpuThere) {
    for (const StepReport& step : result.steps) {
        if (gpuThere && !step.fallbackReason.empty())
            notice(fmt::format("step {} ran on {}: {}", step.stepIndex + 1,
                               backendId(*step.backend), step.fallbackReason));
        for (const std::string& text : step.notices)
            notice(fmt::format("step {}: {}", step.stepIndex + 1, text));
    }
}

int run(const ApplyOptions& options, const Pipeline& pipeline) {
    // The format is known from the name before anything is computed.
    if (auto known = formatForSaving(options.output); !known) return failWith(known.error());
    auto image = readInput(options.input, options.memory);
    if (!image) return failWith(image.error());

    ExecuteRequest request;
    request.source = *image;
    request.pipeline = pipeline;
    request.backend = options.backend.choice();
    // Timings compare all backends, whichever computes the result.
    const bool timed = options.timings != "none";
    BackendSet backends = backendsFor(timed ? BackendChoice::Auto : request.backend);
    if (timed && request.backend == BackendChoice::Cuda && !backends.cuda)
        notice(
            fmt::format("running on {}: {}", backends.cpu->info().label, backends.cudaUnavailable));
    Executor executor(backends, options.memory.bytes());

    Image outcome;
    {
        ProgressBar bar("computing");
        const RunContext context{interruptToken(), bar.sink()};
        auto result = executor.run(request, context);
        if (!result) return failWith(result.error());
        printReports(*result, backends.cuda != nullptr);
        outcome = result->image;
    }
    WriteOptions write;
    write.protectedFiles = {options.input};
    write.overwriteProtected = options.overwriteInput;
    auto saved = saveImage(outcome, options.output, write);
    if (!saved) return failWith(withOverwriteOption(saved.error()));
    for (const std::string& text : saved->notices)
        notice(fmt::format("{}: {}", options.output, text));

    if (timed) {
        ProgressBar bar("measuring");
        auto text =
            timingsText(options, executor, request, RunContext{interruptToken(), bar.sink()});
        if (!text) return failWith(text.error());
        if (auto written = writeOutput(*text, ""); !written) return failWith(written.error());
    }
    return kDone;
}

}  // namespace

void addApply(CLI::App& app, int& exitCode) {
    auto options = std::make_shared<ApplyOptions>();
    CLI::App* command =
        app.add_subcommand("apply", "Run a chain of steps on an image and save the result");
    command->add_option("INPUT", options->input, "Image to read")->required();
    command
        ->add_option("-o,--output", options->output, "File to write; its name chooses the format")
        ->required();
    auto* steps = command->add_option(
        "--step", options->steps,
        "ID[:name=value[,name=value...]]; may be given again and again (see ops)");
    steps->type_name("STEP")->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    command->add_option("--pipeline", options->pipelineFile, "Pipeline file instead of --step")
        ->excludes(steps);
    options->backend.addTo(*command);
    options->memory.addTo(*command);
    command
        ->add_option("--timings", options->timings,
                     "Time every step on all backends: table or json on standard output")
        ->check(CLI::IsMember({"table", "json", "none"}))
        ->capture_default_str();
    command->add_flag("--overwrite-input", options->overwriteInput,
                      "Allow OUTPUT to be the input file");
    command->footer(
        "Without a step the file is converted, with exact samples where the format can hold them.");
    command->callback([options, &exitCode] {
        Pipeline pipeline;
        for (const std::string& text : options->steps) {
            auto step = parseStep(text);
            if (!step) {
                exitCode = usageError("--step " + text + ": " + step.error().message);
                return;
            }
            pipeline.steps.push_back(std::move(*step));
        }
        if (auto checked = checkPipeline(pipeline); !checked) {
            exitCode = usageError("--step: " + checked.error().message);
            return;
        }
        if (!options->pipelineFile.empty()) {
            auto text = readTextFile(options->pipelineFile, kMaxPipelineBytes);
            if (!text) {
                exitCode = failWith(text.error());
                return;
            }
            auto read = pipelineFromJson(*text);
            if (!read) {
                exitCode = failWith(
                    {read.error().code, options->pipelineFile + ": " + read.error().message});
                return;
            }
            pipeline = std::move(*read);
        }
        exitCode = run(*options, pipeline);
    });
}

}  // namespace warpscope::cli
