#include "cli/bench_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/sizes.h"
#include "engine/operations/registry.h"
#include "engine/pipeline/operation_choice.h"

namespace warpscope::cli {
namespace {

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

Result<std::vector<std::string>> chosenOperations(const std::string& text) {
    if (text == "all") return std::vector<std::string>();
    std::vector<std::string> chosen = splitCommas(text);
    for (const std::string& id : chosen)
        if (const auto known = requireOperation(id); !known) return fail(known.error());
    return chosen;
}

Result<std::vector<BackendKind>> chosenBackends(const std::string& text) {
    std::vector<BackendKind> chosen;
    for (const std::string& id : splitCommas(text)) {
        if (const auto kind = backendFromId(id))
            chosen.push_back(*kind);
        else
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("'{}' is no backend: cpu-single, cpu, cuda", id));
    }
    return chosen;
}

BenchmarkPixels chosenPixels(const std::string& id) {
    return id == "gray"    ? BenchmarkPixels::Gray
           : id == "color" ? BenchmarkPixels::Color
           : id == "both"  ? BenchmarkPixels::Both
                           : BenchmarkPixels::Automatic;
}

// Adds to the operations of --ops, or to none. An empty list is all of them, with every step among
// them. What differs in its variants alone is one step.
Result<void> addSteps(const BenchOptions& options, BenchmarkPlan& plan) {
    const bool all = options.operationsGiven && plan.operations.empty();
    for (const std::string& text : options.steps) {
        auto step = parseChoice(text);
        if (!step)
            return fail(step.error().code, fmt::format("{}: {}", text, step.error().message));
        const std::string& id = step->operation;
        // Timed alone, a step has nobody before it and no other image beside it.
        const auto second = secondInputOf(*step);
        if (second && second->kind != ImageReference::Kind::Source)
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("{}: a step that is timed alone has a copy of its input as the "
                                    "second one; --pipeline times it with earlier steps and "
                                    "--second",
                                    text));
        const bool there =
            std::find(plan.operations.begin(), plan.operations.end(), id) != plan.operations.end();
        const auto ofId = [&](const BenchmarkStep& one) { return one.operation == id; };
        const bool first = std::none_of(plan.steps.begin(), plan.steps.end(), ofId);
        auto known = std::find_if(plan.steps.begin(), plan.steps.end(), [&](const auto& one) {
            return ofId(one) && one.parameters == step->parameters;
        });
        if (known == plan.steps.end()) known = plan.steps.insert(known, {id, step->parameters, {}});
        if (options.variants && text.find("variant=") == std::string::npos)
            for (const VariantSpec& variant : findOperation(id)->description().variants)
                known->variants.push_back(variant.id);
        else
            known->variants.push_back(step->variant);
        // What --ops asked for is timed as well.
        if (first && (all || there)) known->variants.push_back(std::string(kAutomaticVariant));
        if (!all && !there) plan.operations.push_back(id);
    }
    return {};
}

}  // namespace

Result<BenchmarkPlan> planOf(const BenchOptions& options) {
    BenchmarkPlan plan;
    const auto named = [](const char* option, const Error& error) {
        return fail(error.code, fmt::format("{} {}", option, error.message));
    };
    auto operations = chosenOperations(options.operations);
    if (!operations) return named("--ops:", operations.error());
    plan.operations = std::move(*operations);
    // Beside a chain all has to be said.
    if (plan.operations.empty() && options.operationsGiven && !options.pipelineFile.empty())
        for (const Operation* operation : allOperations())
            plan.operations.push_back(operation->description().id);
    plan.allVariants = options.variants;
    if (const auto added = addSteps(options, plan); !added) return named("--step", added.error());
    // An image at hand is timed alone unless sizes were asked for, too.
    const bool scene = options.image.empty() && (!options.published || !options.steps.empty());
    if (options.sizesGiven || scene) {
        auto sizes = parseSizes(options.sizes);
        if (!sizes) return named("--sizes:", sizes.error());
        plan.sizes = std::move(*sizes);
    }
    auto backends = chosenBackends(options.backends);
    if (!backends) return named("--backends:", backends.error());
    plan.backends = std::move(*backends);
    plan.pixels = chosenPixels(options.pixels);
    plan.published = options.published;
    plan.warm = options.cache != "cold";
    plan.cold = options.cache != "warm";
    plan.peers = options.peers;
    plan.sampling.budgetMs = options.budgetMs;
    plan.sampling.minSamples = options.repetitions;
    plan.sampling.maxSamples = std::max(plan.sampling.maxSamples, options.repetitions);
    plan.longestRowSeconds = options.longestRow;
    plan.longestPeerCallSeconds = options.longestCall;
    return plan;
}

}  // namespace warpscope::cli
