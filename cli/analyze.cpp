// warpscope-cli analyze: any analysis of the list, of an image or of what steps make of it, as a
// table.
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/chain.h"
#include "cli/region.h"
#include "engine/base/near_words.h"
#include "engine/operations/morphology/components.h"
#include "engine/operations/registry.h"
#include "engine/pipeline/operation_choice.h"
#include "engine/pipeline/preset_fit.h"
#include "engine/pipeline/source_beneath.h"
#include "engine/report/analysis_text.h"

namespace warpscope::cli {
namespace {

struct AnalyzeOptions : ChainOptions {
    std::string input;
    std::string choice = "statistics";
    RegionOption region;
    std::string format = "table";
    std::string output;
    BackendOption backend;
    MemoryOption memory;
    PageOption page;
};

bool isAnalysis(const Operation& operation) {
    return operation.description().kind == OperationKind::Analysis;
}

bool endsWithNumbering(const Pipeline& pipeline) {
    const auto& steps = pipeline.steps;
    const auto last = std::ranges::find_if(steps.rbegin(), steps.rend(), &Step::enabled);
    return last != steps.rend() &&
           last->operation == connected_components_operation().description().id;
}

// `components` without parameters behind a step that numbers lists what that step numbers, as the
// window does: found in its input, by its parameters.
void listWhatIsNumbered(const AnalyzeOptions& options, Step& choice, Pipeline& pipeline) {
    if (options.choice != components_operation().description().id || !endsWithNumbering(pipeline))
        return;
    while (!pipeline.steps.back().enabled) pipeline.steps.pop_back();
    choice.parameters = std::move(pipeline.steps.back().parameters);
    pipeline.steps.pop_back();
}

// What is analysed, and of a chain the source beneath it, which may be null.
struct Subject {
    Image image;
    Image source;
};

Result<Subject> made(const AnalyzeOptions& options, Executor& executor, bool withSource,
                     ExecuteRequest request) {
    ProgressBar bar("computing");
    const RunContext context{interruptToken(), bar.sink()};
    auto result = runSteps(executor, request, options.backend, context, "");
    if (!result) return fail(result.error());
    Subject subject{std::move(result->image), {}};
    if (!withSource) return subject;
    auto source = sourceBeneath(executor, std::move(request), subject.image.size(), context);
    if (!source) return fail(source.error());
    subject.source = std::move(*source);
    return subject;
}

// Errors: as RegionOption::of, with the name of the input.
Result<void> cut(const AnalyzeOptions& options, Image& image) {
    auto part = options.region.of(image);
    if (!part) return fail(part.error().code, options.input + ": " + part.error().message);
    image = std::move(*part);
    return {};
}

Result<PlanPtr> planOf(const Step& choice, const Subject& subject) {
    PlanRequest request;
    request.parameters = choice.parameters;
    request.variant = choice.variant;
    request.format = subject.image.format();
    request.size = subject.image.size();
    const Operation* operation = findOperation(choice.operation);
    if (operation != &components_operation()) return operation->plan(request);
    return planComponents(request, subject.source);
}

Result<AnalyzeResult> analyze(const AnalyzeOptions& options, const Step& choice,
                              const Pipeline& pipeline, Image image, Image second) {
    const auto backends = options.backend.makeBackends();
    if (!backends) return fail(backends.error());
    Executor executor(*backends, options.memory.bytes());
    Subject subject{std::move(image), {}};
    if (!pipeline.steps.empty()) {
        ExecuteRequest request;
        request.pipeline =
            isPreset(options.pipelineFile) ? fittedTo(pipeline, subject.image) : pipeline;
        request.source = std::move(subject.image);
        request.second = std::move(second);
        request.backend = options.backend.choice();
        request.useCache = false;
        const bool withSource = findOperation(choice.operation) == &components_operation();
        auto done = made(options, executor, withSource, std::move(request));
        if (!done) return fail(done.error());
        subject = std::move(*done);
    }
    if (auto part = cut(options, subject.image); !part) return fail(part.error());
    if (!subject.source.isNull())
        if (auto part = cut(options, subject.source); !part) return fail(part.error());
    const auto plan = planOf(choice, subject);
    if (!plan) return fail(plan.error());
    ProgressBar bar("computing");
    auto result = executor.analyze(subject.image, *plan, options.backend.choice(),
                                   RunContext{interruptToken(), bar.sink()});
    if (!result) return result;
    const auto judged = options.backend.judge(choice.operation + " ", result->backend,
                                              result->fallbackReason, backends->cuda != nullptr);
    if (!judged) return fail(judged.error());
    return result;
}

std::vector<std::string> knownAnalyses() {
    std::vector<std::string> known;
    for (const Operation* operation : allOperations())
        if (isAnalysis(*operation)) known.push_back(operation->description().id);
    return known;
}

int run(const AnalyzeOptions& options, Pipeline pipeline) {
    const std::string id = options.choice.substr(0, options.choice.find(':'));
    if (const Operation* operation = findOperation(id); !operation || !isAnalysis(*operation))
        return usageError(fmt::format("--op {}: {}; there are {}", options.choice,
                                      operation ? id + " gives an image, not figures; apply runs it"
                                                : fmt::format("there is no analysis '{}'{}", id,
                                                              didYouMean(id, knownAnalyses())),
                                      fmt::join(knownAnalyses(), ", ")));
    auto choice = parseChoice(options.choice);
    if (!choice) return usageError("--op " + options.choice + ": " + choice.error().message);
    if (!options.region.isValid()) return usageError(options.region.complaint());
    listWhatIsNumbered(options, *choice, pipeline);
    auto image = readInput(options.input, options.memory, options.page);
    if (!image) return failWith(image.error());
    if (auto good = checkShape(options, pipeline, *image); !good)
        return usageError(good.error().message);
    auto second = readSecond(options, options.memory);
    if (!second) return failWith(second.error());
    const auto found = analyze(options, *choice, pipeline, std::move(*image), std::move(*second));
    if (!found) return failWith(found.error());
    WriteOptions write;
    write.protectedFiles = {options.input, options.second};
    const std::string text = analysisText(found->found, options.format);
    if (auto written = writeOutput(text, options.output, write); !written)
        return failWith(written.error());
    return kDone;
}

}  // namespace

void addAnalyze(CLI::App& app, int& exitCode) {
    auto options = std::make_shared<AnalyzeOptions>();
    CLI::App* command = app.add_subcommand(
        "analyze", "Figures of an image, of what steps make of it, or of a part");
    command->add_option("INPUT", options->input, "Image to read")->required();
    command
        ->add_option("--op", options->choice,
                     fmt::format("ID[:name=value[,name=value...]]; there are {}",
                                 fmt::join(knownAnalyses(), ", ")))
        ->type_name("ANALYSIS")
        ->capture_default_str();
    addChainTo(*command, *options);
    options->region.addTo(*command);
    command->add_option("--format", options->format, "Form of the output")
        ->check(CLI::IsMember({"table", "csv", "json"}))
        ->capture_default_str();
    command->add_option("-o,--output", options->output, "File to write; otherwise standard output");
    options->backend.addTo(*command);
    options->memory.addTo(*command);
    options->page.addTo(*command);
    command->footer(
        "Behind steps the region is one of their result, and components have the values of the "
        "source. Without parameters, components lists what a connected_components at the end "
        "numbers, by that step's parameters.");
    command->callback([options, &exitCode] {
        if (options->second == kStream && options->input == kStream)
            exitCode = usageError("--second - and INPUT both read standard input");
        else if (auto pipeline = chainOf(*options, exitCode))
            exitCode = run(*options, std::move(*pipeline));
    });
}

}  // namespace warpscope::cli
