// warpscope-cli compare: how like two images are.
#include "cli/common.h"
#include "cli/region.h"
#include "engine/measure/likeness.h"
#include "engine/report/analysis_text.h"

namespace warpscope::cli {
namespace {

struct CompareOptions {
    std::string first;
    std::string second;
    RegionOption region;
    std::string format = "table";
    std::string output;
    MemoryOption memory;
    PageOption page;
};

Result<std::string> compare(const CompareOptions& options) {
    const auto first = readInput(options.first, options.memory, options.page);
    if (!first) return fail(first.error());
    const auto second = readInput(options.second, options.memory, options.page);
    if (!second) return fail(second.error());
    const auto refused = [&](const Error& error) {
        return fail(error.code, options.first + ", " + options.second + ": " + error.message);
    };
    // Of the whole images, whatever part of them is compared.
    if (first->size() != second->size()) return refused(likenessOf(*first, *second, {}).error());
    const auto a = options.region.of(*first), b = options.region.of(*second);
    if (!a) return refused(a.error());
    if (!b) return refused(b.error());
    ProgressBar bar("comparing");
    const auto found = likenessOf(*a, *b, {Threading::AllCores, interruptToken(), {}});
    if (!found) return refused(found.error());
    return analysisText(likenessTable(*found), options.format);
}

int run(const CompareOptions& options) {
    if (!options.region.isValid()) return usageError(options.region.complaint());
    const auto text = compare(options);
    if (!text) return failWith(text.error());
    WriteOptions write;
    write.protectedFiles = {options.first, options.second};
    if (auto written = writeOutput(*text, options.output, write); !written)
        return failWith(written.error());
    return kDone;
}

}  // namespace

void addCompare(CLI::App& app, int& exitCode) {
    auto options = std::make_shared<CompareOptions>();
    CLI::App* command =
        app.add_subcommand("compare", "RMSE, PSNR and SSIM of two images of one size and format");
    command->add_option("INPUT", options->first, "Image to read")->required();
    command->add_option("SECOND", options->second, "Image to compare it with")->required();
    options->region.addTo(*command);
    command->add_option("--format", options->format, "Form of the output")
        ->check(CLI::IsMember({"table", "csv", "json"}))
        ->capture_default_str();
    command->add_option("-o,--output", options->output, "File to write; otherwise standard output");
    options->memory.addTo(*command);
    options->page.addTo(*command);
    command->callback([options, &exitCode] { exitCode = run(*options); });
}

}  // namespace warpscope::cli
