// warpscope-cli analyze: any analysis of the list, as a table.
#include <fmt/ranges.h>

#include "cli/common.h"
#include "cli/region.h"
#include "engine/base/near_words.h"
#include "engine/operations/registry.h"
#include "engine/pipeline/executor.h"
#include "engine/pipeline/operation_choice.h"
#include "engine/report/analysis_text.h"

namespace warpscope::cli {
namespace {

struct AnalyzeOptions {
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

Result<AnalyzeResult> analyze(const AnalyzeOptions& options, const Step& choice,
                              const Image& image) {
    PlanRequest request;
    request.parameters = choice.parameters;
    request.variant = choice.variant;
    request.format = image.format();
    request.size = image.size();
    auto plan = findOperation(choice.operation)->plan(request);
    if (!plan) return fail(plan.error());
    const auto backends = options.backend.makeBackends();
    if (!backends) return fail(backends.error());
    Executor executor(*backends, options.memory.bytes());
    ProgressBar bar("computing");
    auto result = executor.analyze(image, *plan, options.backend.choice(),
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

int run(const AnalyzeOptions& options) {
    const std::string id = options.choice.substr(0, options.choice.find(':'));
    if (const Operation* operation = findOperation(id); !operation || !isAnalysis(*operation))
        return usageError(fmt::format("--op {}: {}; there are {}", options.choice,
                                      operation ? id + " gives an image, not figures; apply runs it"
                                                : fmt::format("there is no analysis '{}'{}", id,
                                                              didYouMean(id, knownAnalyses())),
                                      fmt::join(knownAnalyses(), ", ")));
    const auto choice = parseChoice(options.choice);
    if (!choice) return usageError("--op " + options.choice + ": " + choice.error().message);
    if (!options.region.isValid()) return usageError(options.region.complaint());
    const auto image = readInput(options.input, options.memory, options.page);
    if (!image) return failWith(image.error());
    const auto part = options.region.of(*image);
    if (!part) return failWith({part.error().code, options.input + ": " + part.error().message});
    const auto found = analyze(options, *choice, *part);
    if (!found) return failWith(found.error());
    WriteOptions write;
    write.protectedFiles = {options.input};
    const std::string text = analysisText(found->found, options.format);
    if (auto written = writeOutput(text, options.output, write); !written)
        return failWith(written.error());
    return kDone;
}

}  // namespace

void addAnalyze(CLI::App& app, int& exitCode) {
    auto options = std::make_shared<AnalyzeOptions>();
    CLI::App* command = app.add_subcommand("analyze", "Figures of an image, or of a part of it");
    command->add_option("INPUT", options->input, "Image to read")->required();
    command
        ->add_option("--op", options->choice,
                     fmt::format("ID[:name=value[,name=value...]]; there are {}",
                                 fmt::join(knownAnalyses(), ", ")))
        ->type_name("ANALYSIS")
        ->capture_default_str();
    options->region.addTo(*command);
    command->add_option("--format", options->format, "Form of the output")
        ->check(CLI::IsMember({"table", "csv", "json"}))
        ->capture_default_str();
    command->add_option("-o,--output", options->output, "File to write; otherwise standard output");
    options->backend.addTo(*command);
    options->memory.addTo(*command);
    options->page.addTo(*command);
    command->callback([options, &exitCode] { exitCode = run(*options); });
}

}  // namespace warpscope::cli
