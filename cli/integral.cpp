// warpscope-cli integral: the integral image as exact numbers.
#include <fmt/format.h>

#include "cli/common.h"
#include "engine/io/image_reader.h"
#include "engine/operations/analysis/integral_image.h"
#include "engine/pipeline/executor.h"

namespace warpscope::cli {
namespace {

struct IntegralOptions {
    std::string input;
    std::string output;
    std::string variant{kAutomaticVariant};
    BackendOption backend;
    MemoryOption memory;
    PageOption page;
    bool overwriteInput = false;
};

int runIntegral(const IntegralOptions& options) {
    if (options.output != kStream && lowerExtension(options.output) != "npy")
        return failWith({ErrorCode::Unsupported, options.output + ": the name must end in .npy"});
    if (auto good = checkOutput(options.output); !good) return failWith(good.error());
    auto image = readInput(options.input, options.memory, options.page);
    if (!image) return failWith(image.error());
    auto step = makeStep(integral_image_operation().description().id);
    if (!step) return failWith(step.error());
    step->variant = options.variant;

    ExecuteRequest request;
    request.source = *image;
    request.pipeline.steps = {*step};
    request.backend = options.backend.choice();
    const auto backends = options.backend.makeBackends();
    if (!backends) return failWith(backends.error());
    Executor executor(*backends, options.memory.bytes());
    Image sums;
    {
        ProgressBar bar("computing");
        auto result = executor.run(request, RunContext{interruptToken(), bar.sink()});
        if (!result) return failWith(result.error());
        for (const StepReport& report : result->steps) {
            if (auto good = options.backend.judge("", *report.backend, report.fallbackReason,
                                                  backends->cuda != nullptr);
                !good)
                return failWith(good.error());
            for (const std::string& text : report.notices) notice(text);
        }
        sums = result->image;
    }
    WriteOptions write;
    write.protectedFiles = {options.input};
    write.overwriteProtected = options.overwriteInput;
    if (auto saved = saveOutput(sums, options.output, "npy", write); !saved)
        return failWith(withOverwriteOption(saved.error()));
    return kDone;
}

}  // namespace

void addIntegral(CLI::App& app, int& exitCode) {
    auto options = std::make_shared<IntegralOptions>();
    CLI::App* command = app.add_subcommand(
        "integral", "Write the integral image (summed-area table) as exact numbers");
    command->add_option("INPUT", options->input, "Image to read")->required();
    command
        ->add_option("-o,--output", options->output,
                     "NumPy file (.npy): uint32, or uint64 where sums need it")
        ->required();
    std::vector<std::string> variants;
    for (const VariantSpec& variant : integral_image_operation().description().variants)
        variants.push_back(variant.id);
    command->add_option("--variant", options->variant, "Algorithm (see ops)")
        ->check(CLI::IsMember(variants))
        ->capture_default_str();
    options->backend.addTo(*command);
    options->memory.addTo(*command);
    options->page.addTo(*command);
    command->add_flag("--overwrite-input", options->overwriteInput,
                      "Allow OUTPUT to be the input file");
    command->callback([options, &exitCode] { exitCode = runIntegral(*options); });
}

}  // namespace warpscope::cli
