// warpscope-cli bench: operations x sizes x backends on the synthetic scene.
#include <fmt/format.h>

#include <algorithm>

#include "cli/common.h"
#include "cli/report_head.h"
#include "cli/sizes.h"
#include "engine/image/synthetic.h"
#include "engine/operations/registry.h"

namespace warpscope::cli {
namespace {

struct Options {
    std::string operations = "all";
    std::string sizes = "256,512,1024,1280x1024,4k,8k";
    std::string backends = "cpu-single,cpu,cuda";
    std::string pixels = "auto";
    std::string format = "table";
    std::string output;
    double budgetMs = 200;
    bool variants = false;
};

struct Case {
    const Operation* operation;
    std::string variant;
    Size size;
    bool color;
};

std::vector<std::string> splitCommas(const std::string& text) {
    std::vector<std::string> parts;
    std::size_t at = 0;
    while (true) {
        const std::size_t comma = text.find(',', at);
        parts.push_back(text.substr(at, comma - at));
        if (comma == std::string::npos) return parts;
        at = comma + 1;
    }
}

Result<std::vector<const Operation*>> chosenOperations(const std::string& text) {
    if (text == "all") return allOperations();
    std::vector<const Operation*> chosen;
    for (const std::string& id : splitCommas(text)) {
        auto operation = requireOperation(id);
        if (!operation) return fail(operation.error());
        chosen.push_back(*operation);
    }
    return chosen;
}

Result<std::vector<std::string>> chosenBackends(const std::string& text) {
    std::vector<std::string> chosen = splitCommas(text);
    for (const std::string& id : chosen)
        if (id != "cpu" && id != "cpu-single" && id != "cuda")
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("'{}' is no backend: cpu-single, cpu, cuda", id));
    return chosen;
}

std::vector<Case> allCases(const Options& options, const std::vector<const Operation*>& operations,
                           const std::vector<Size>& sizes) {
    std::vector<Case> cases;
    for (const Size size : sizes) {
        for (const Operation* operation : operations) {
            const OperationDescription& d = operation->description();
            // Gray passes through grayscale unchanged: only colour says anything there.
            const bool onlyColor = d.id == "grayscale";
            for (const bool color : {false, true}) {
                const bool wanted = options.pixels == "both" ||
                                    (options.pixels == "color") == color ||
                                    (options.pixels == "auto" && onlyColor);
                if (!wanted || (onlyColor && !color) ||
                    (options.pixels == "auto" && color && !onlyColor))
                    continue;
                for (const VariantSpec& variant : d.variants)
                    if (options.variants || variant.id == kAutomaticVariant)
                        cases.push_back({operation, variant.id, size, color});
            }
        }
    }
    return cases;
}

StepTiming failedRow(const Case& test, const ParamSet& parameters, PixelFormat format,
                     const Error& error) {
    StepTiming row;
    row.operation = test.operation->description().id;
    row.variant = test.variant;
    row.parameters = parameters;
    row.width = test.size.width;
    row.height = test.size.height;
    row.format = format;
    row.error = "skipped: " + error.message;
    return row;
}

// Images are made once a size and kind, in the order in which the cases come.
class SceneCache {
  public:
    Result<Image> get(Size size, bool color) {
        if (m_image.isNull() || m_image.size() != size || isColor(m_image.format()) != color) {
            m_image = Image();
            auto made =
                makeScene(size, color, 1, CpuContext{Threading::AllCores, interruptToken(), {}});
            if (!made) return made;
            m_image = *made;
        }
        return m_image;
    }

  private:
    Image m_image;
};

Result<std::vector<StepTiming>> measureCase(const Case& test, const Image& image,
                                            const BackendSet& backends, double budgetMs) {
    PlanRequest request;
    auto parameters = resolveParameters(test.operation->description().parameters, {});
    if (!parameters) return fail(parameters.error());
    request.parameters = *parameters;
    request.variant = test.variant;
    request.format = image.format();
    request.size = image.size();
    auto plan = test.operation->plan(request);
    if (!plan) return std::vector{failedRow(test, *parameters, image.format(), plan.error())};
    SamplingOptions sampling;
    sampling.budgetMs = budgetMs;
    return compareBackends(backends, *plan, *parameters, image, sampling,
                           RunContext{interruptToken(), {}});
}

int run(const Options& options) {
    auto operations = chosenOperations(options.operations);
    if (!operations) return usageError("--ops " + operations.error().message);
    auto sizes = parseSizes(options.sizes);
    if (!sizes) return usageError("--sizes " + sizes.error().message);
    auto wanted = chosenBackends(options.backends);
    if (!wanted) return usageError("--backends " + wanted.error().message);
    const auto isWanted = [&](const std::string& id) {
        return std::find(wanted->begin(), wanted->end(), id) != wanted->end();
    };
    const BackendSet backends =
        backendsFor(isWanted("cuda") ? BackendChoice::Auto : BackendChoice::Cpu);

    TimingReport report = reportHead(backends);
    std::vector<Case> cases = allCases(options, *operations, *sizes);
    SceneCache scenes;
    {
        ProgressBar bar("benchmark");
        for (std::size_t i = 0; i < cases.size(); ++i) {
            const Case& test = cases[i];
            bar.update(double(i) / double(cases.size()),
                       fmt::format("{} {}x{}", test.operation->description().id, test.size.width,
                                   test.size.height));
            auto image = scenes.get(test.size, test.color);
            if (!image) return failWith(image.error());
            auto rows = measureCase(test, *image, backends, options.budgetMs);
            if (!rows) return failWith(rows.error());
            for (StepTiming& row : *rows)
                if (row.backendRequested.empty() || isWanted(row.backendRequested))
                    report.results.push_back(std::move(row));
        }
    }
    const std::string text = options.format == "json"       ? toJson(report)
                             : options.format == "csv"      ? toCsv(report)
                             : options.format == "markdown" ? toMarkdown(report)
                                                            : toTable(report);
    if (auto written = writeOutput(text, options.output); !written)
        return failWith(written.error());
    return kDone;
}

}  // namespace

void addBench(CLI::App& app, int& exitCode) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("bench", "Time operations, sizes and backends");
    command->add_option("--ops", options->operations, "all, or ids separated by commas")
        ->capture_default_str();
    command->add_option("--sizes", options->sizes, "N, WxH, 4k, 8k, separated by commas")
        ->capture_default_str();
    command
        ->add_option("--backends", options->backends, "cpu-single, cpu, cuda, separated by commas")
        ->capture_default_str();
    command
        ->add_option("--pixels", options->pixels,
                     "Kind of image; auto is gray, and colour for grayscale")
        ->check(CLI::IsMember({"auto", "gray", "color", "both"}))
        ->capture_default_str();
    command
        ->add_option("--budget-ms", options->budgetMs,
                     "Time to sample each backend, after at least 5 samples")
        ->check(CLI::Range(1.0, 60000.0))
        ->capture_default_str();
    command->add_flag("--variants", options->variants, "Every variant, not only automatic");
    command->add_option("--format", options->format, "Form of the output")
        ->check(CLI::IsMember({"table", "csv", "json", "markdown"}))
        ->capture_default_str();
    command->add_option("-o,--output", options->output, "File to write instead of standard output");
    command->callback([options, &exitCode] { exitCode = run(*options); });
}

}  // namespace warpscope::cli
