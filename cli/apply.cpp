// warpscope-cli apply: runs a chain of steps on images and saves the results.
#include "cli/apply.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/backend/cpu_backend.h"
#include "engine/io/image_reader.h"
#include "engine/io/image_writer.h"
#include "engine/measure/timing_report.h"
#include "engine/pipeline/executor.h"
#include "engine/pipeline/preset_fit.h"
#include "engine/report/report_file.h"
#include "engine/report/report_text.h"

namespace warpscope::cli {
namespace {

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

int runOne(const ApplyOptions& options, const Pipeline& pipeline) {
    const std::string& input = options.inputs.front();
    // The format is known from the name before anything is computed.
    if (auto good = checkOutput(options.output); !good) return failWith(good.error());
    auto image = readInput(input, options.memory, options.page);
    if (!image) return failWith(image.error());
    if (auto good = checkShape(options, pipeline, *image); !good)
        return usageError(good.error().message);
    auto second = readSecond(options, options.memory);
    if (!second) return failWith(second.error());

    ExecuteRequest request;
    request.pipeline = isPreset(options.pipelineFile) ? fittedTo(pipeline, *image) : pipeline;
    request.source = std::move(*image);
    request.second = std::move(*second);
    request.backend = options.backend.choice();
    // Timings compare all backends, whichever computes the result.
    const bool timed = options.timings != "none";
    BackendOption wanted = options.backend;
    if (timed && request.backend != BackendChoice::Cuda) wanted.id = "auto";
    // Without timings no image is asked for twice: what a step has used goes.
    request.useCache = timed;
    const auto backends = wanted.makeBackends();
    if (!backends) return failWith(backends.error());
    Executor executor(*backends, options.memory.bytes());

    Image outcome;
    {
        ProgressBar bar("computing");
        const RunContext context{interruptToken(), bar.sink()};
        auto result = timed ? runSteps(executor, request, options.backend, context, "")
                            : runSteps(executor, std::move(request), options.backend, context, "");
        if (!result) return failWith(result.error());
        outcome = result->image;
    }
    WriteOptions write;
    write.protectedFiles = {input, options.second};
    write.overwriteProtected = options.overwriteInput;
    if (auto saved = saveOutput(outcome, options.output, options.to, write); !saved)
        return failWith(withOverwriteOption(saved.error()));

    if (timed) {
        ProgressBar bar("measuring");
        auto text =
            timingsText(options, executor, request, RunContext{interruptToken(), bar.sink()});
        if (!text) return failWith(text.error());
        if (auto written = writeOutput(*text, ""); !written) return failWith(written.error());
    }
    return kDone;
}

// What options say against each other; empty if nothing.
std::string contradiction(const ApplyOptions& options) {
    const bool stream = options.output == kStream;
    if (options.second == kStream &&
        std::ranges::any_of(options.inputs, [](const std::string& input) {
            return input == kStream || input == std::string("@") + std::string(kStream);
        }))
        return "--second - and INPUT both read standard input";
    if (isBatch(options)) {
        if (stream) return "-o -: standard output takes one image; several need a folder";
        if (options.timings != "none") return "--timings is of one image";
        if (options.page.number != 1) return "--page is of one image";
        return {};
    }
    if (stream && options.timings != "none")
        return "--timings and -o - both write to standard output";
    if (!stream && !options.to.empty())
        return "--to " + options.to +
               ": the name after -o chooses the format; --to does it for - "
               "and for folders";
    return {};
}

void addBatchOptions(CLI::App& command, ApplyOptions& options) {
    const char* group = "Many images";
    command
        .add_option("--jobs", options.jobs,
                    "Images at once, N + 1 of them in memory, one more where a step takes an "
                    "earlier image; otherwise as many as keep four there")
        ->type_name("N")
        ->check(CLI::Range(1, 256))
        ->group(group);
    const auto flag = [&](const char* name, bool& value, const char* help) {
        command.add_flag(name, value, help)->group(group);
    };
    const auto text = [&](const char* name, std::string& value, const char* type,
                          const char* help) {
        command.add_option(name, value, help)->type_name(type)->group(group);
    };
    flag("--keep-going", options.keepGoing, "Do the others where one fails");
    flag("--resume", options.resume,
         "Skip what an earlier run with the same steps has done and nobody has changed");
    flag("--recursive", options.recursive, "Folders with what is below them");
    text("--shard", options.shard, "I/N",
         "I/N: every N-th input from the I-th on, for N machines or jobs");
    text("--report", options.report, "FILE",
         "Write a line of JSON for every input into this file; - is standard output");
}

}  // namespace

void addApply(CLI::App& app, int& exitCode) {
    auto options = std::make_shared<ApplyOptions>();
    CLI::App* command =
        app.add_subcommand("apply", "Run a chain of steps on images and save the results");
    command
        ->add_option("INPUT", options->inputs,
                     "Images, folders of images, @FILE with one path a line, or -")
        ->type_name("FILE")
        ->required();
    command
        ->add_option("-o,--output", options->output,
                     "File to write; its name chooses the format. Of many images a folder, or a "
                     "name with {stem}, {n} or {ext}. - is standard output")
        ->type_name("FILE")
        ->required();
    addFormatTo(*command, options->to);
    addChainTo(*command, *options);
    options->backend.addTo(*command);
    options->memory.addTo(*command);
    options->page.addTo(*command);
    command
        ->add_option("--timings", options->timings,
                     "Time every step on all backends: table or json on standard output")
        ->check(CLI::IsMember({"table", "json", "none"}))
        ->capture_default_str();
    command->add_flag("--overwrite-input", options->overwriteInput,
                      "Allow OUTPUT to be the input file");
    addBatchOptions(*command, *options);
    command->footer(
        "Without a step files are converted, with exact samples where the format can hold them.");
    command->callback([options, &exitCode] {
        if (const std::string wrong = contradiction(*options); !wrong.empty()) {
            exitCode = usageError(wrong);
            return;
        }
        if (const auto pipeline = chainOf(*options, exitCode))
            exitCode =
                isBatch(*options) ? runBatch(*options, *pipeline) : runOne(*options, *pipeline);
    });
}

}  // namespace warpscope::cli
