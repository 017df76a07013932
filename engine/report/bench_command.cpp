#include "engine/report/bench_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/operations/registry.h"

namespace warpscope {
namespace {

// Needs what came before it, or another image.
bool ofChain(const StepTiming& row) {
    if (row.stepIndex > 0) return true;
    const ParamValue* with = row.parameters.find("with");
    const auto* named = with ? std::get_if<std::string>(with) : nullptr;
    return named && *named != "source";
}

std::string stepText(const std::string& operation, const ParamSet& parameters,
                     const std::string& variant) {
    std::string text = operation;
    char before = ':';
    const auto add = [&](std::string_view name, std::string_view value) {
        text += fmt::format("{}{}={}", before, name, value);
        before = ',';
    };
    for (const auto& [name, value] : parameters.values()) add(name, toText(value));
    if (!variant.empty()) add("variant", variant);
    return text;
}

// A name that looks like an option is none behind a folder.
std::string fileWord(const std::string& file) {
    return file.starts_with('-') ? "./" + file : file;
}

struct Words : std::vector<std::string> {
    Words() : vector{"warpscope-cli", "bench"} {}
    void add(const char* option, std::string value) {
        emplace_back(option);
        push_back(std::move(value));
    }
    // Only where it is not what bench does by itself.
    template <class Value>
    void addOther(const char* option, Value value, Value usual) {
        if (value != usual) add(option, fmt::format("{}", value));
    }
};

// Operations with nothing of their own in one option, the others as steps.
void addOperations(const BenchmarkPlan& plan, Words& words) {
    std::vector<std::string> all = plan.operations;
    if (all.empty())
        for (const Operation* operation : allOperations())
            all.push_back(operation->description().id);
    std::vector<std::string> plain, steps;
    for (const std::string& id : all) {
        const auto addStep = [&](const ParamSet& parameters,
                                 const std::vector<std::string>& variants) {
            for (const std::string& variant : variants)
                steps.push_back(stepText(id, parameters, variant));
        };
        bool stepped = false;
        for (const BenchmarkStep& step : plan.steps) {
            if (step.operation != id) continue;
            addStep(step.parameters, step.variants);
            stepped = true;
        }
        const Operation* operation = findOperation(id);
        if (stepped || !operation) continue;
        const OperationDescription& description = operation->description();
        const auto given = plan.parameters.find(id);
        const auto listed = plan.variants.find(id);
        std::vector<std::string> variants;
        for (const VariantSpec& variant : description.variants)
            if (plan.allVariants || variant.id == kAutomaticVariant) variants.push_back(variant.id);
        if (listed != plan.variants.end()) variants = listed->second;
        const bool ownParameters = given != plan.parameters.end();
        if (!ownParameters && variants == std::vector{std::string(kAutomaticVariant)})
            plain.push_back(id);
        else
            addStep(ownParameters ? given->second : description.exampleParameters(), variants);
    }
    if (!plain.empty()) words.add("--ops", fmt::format("{}", fmt::join(plain, ",")));
    for (std::string& step : steps) words.add("--step", std::move(step));
}

}  // namespace

std::vector<std::string> benchCommand(const StepTiming& row,
                                      const std::vector<std::string>& ofReport) {
    if (ofChain(row)) return ofReport;
    Words words;
    if (!row.experiment.empty()) {
        words.emplace_back("--published");
    } else {
        words.add("--step", stepText(row.operation, row.parameters, row.variant));
        if (row.imageName.empty()) {
            words.add("--sizes", fmt::format("{}x{}", row.width, row.height));
            words.add("--pixels", isColor(row.format) ? "color" : "gray");
        } else {
            words.add("--image", fileWord(row.imageName));
        }
    }
    words.add("--backends", std::string(backendId(row.backendRequested.kind())));
    if (row.backendRequested.isPeer()) words.emplace_back("--peers");
    words.add("--cache", row.cold ? "cold" : "warm");
    return words;
}

std::vector<std::string> benchCommand(const BenchmarkPlan& plan) {
    const bool ofImage = !plan.image.isNull();
    if (!plan.chain.steps.empty() || (ofImage && plan.imageFile.empty())) return {};
    Words words;
    if (ofImage || !plan.sizes.empty()) addOperations(plan, words);
    std::vector<std::string> sizes, backends;
    for (const Size& size : plan.sizes)
        sizes.push_back(fmt::format("{}x{}", size.width, size.height));
    if (!sizes.empty()) words.add("--sizes", fmt::format("{}", fmt::join(sizes, ",")));
    if (ofImage) words.add("--image", fileWord(plan.imageFile));
    if (plan.published) words.emplace_back("--published");
    constexpr const char* kPixels[] = {"auto", "gray", "color", "both"};
    words.addOther<std::string>("--pixels", kPixels[std::size_t(plan.pixels)], kPixels[0]);
    for (const BackendKind kind : plan.backends) backends.emplace_back(backendId(kind));
    words.add("--backends", fmt::format("{}", fmt::join(backends, ",")));
    if (plan.peers) words.emplace_back("--peers");
    words.add("--cache", !plan.cold ? "warm" : plan.warm ? "both" : "cold");
    const BenchmarkPlan usual;
    words.addOther("--rounds", plan.sampling.minRounds, usual.sampling.minRounds);
    words.addOther("--most-rounds", plan.sampling.maxRounds, usual.sampling.maxRounds);
    words.addOther("--repetitions", plan.sampling.minSamples, usual.sampling.minSamples);
    words.addOther("--budget-ms", plan.sampling.budgetMs, usual.sampling.budgetMs);
    words.addOther("--longest-row", plan.longestRowSeconds, usual.longestRowSeconds);
    words.addOther("--longest-call", plan.longestPeerCallSeconds, usual.longestPeerCallSeconds);
    if (!plan.pinThreads) words.emplace_back("--no-pin");
    if (!plan.energy) words.emplace_back("--no-energy");
    return words;
}

std::string shellQuoted(const std::vector<std::string>& words) {
    constexpr std::string_view kPlain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";
    std::string line;
    for (const std::string& word : words) {
        if (!line.empty()) line += ' ';
        if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) {
            line += word;
            continue;
        }
        line += '\'';
        for (const char c : word) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
        line += '\'';
    }
    return line;
}

}  // namespace warpscope
