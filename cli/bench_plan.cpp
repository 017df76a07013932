#include "cli/bench_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <sstream>

#include "cli/sizes.h"
#include "engine/io/text_file.h"
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

// The steps of --sweep, one a value, in the form of --step.
Result<std::vector<std::string>> sweptSteps(const std::string& text) {
    const auto wrong = [&](std::string_view why) {
        return fail(
            ErrorCode::InvalidArgument,
            fmt::format("{}: {}; write OPERATION.PARAMETER=FROM:TO[:COUNT][:log]", text, why));
    };
    const std::size_t dot = text.find('.');
    const std::size_t equals = text.find('=');
    if (dot == std::string::npos || equals == std::string::npos || dot > equals)
        return wrong("no operation and parameter");
    const std::string id = text.substr(0, dot);
    const std::string name = text.substr(dot + 1, equals - dot - 1);
    const auto operation = requireOperation(id);
    if (!operation) return fail(operation.error());
    const ParamSpec* spec = (*operation)->description().findParameter(name);
    const bool number = spec && (spec->kind == ParamKind::Integer || spec->kind == ParamKind::Real);
    if (!number) return wrong(fmt::format("{} has no number '{}'", id, name));
    std::vector<std::string> parts;
    std::string rest = text.substr(equals + 1);
    for (std::size_t colon = rest.find(':'); colon != std::string::npos; colon = rest.find(':')) {
        parts.push_back(rest.substr(0, colon));
        rest.erase(0, colon + 1);
    }
    parts.push_back(rest);
    const bool log = parts.back() == "log";
    if (log) parts.pop_back();
    std::vector<double> numbers;
    for (const std::string& part : parts) {
        double value = 0;
        const auto read = std::from_chars(part.data(), part.data() + part.size(), value);
        if (read.ec != std::errc() || read.ptr != part.data() + part.size())
            return wrong(fmt::format("'{}' is no number", part));
        numbers.push_back(value);
    }
    if (numbers.size() < 2 || numbers.size() > 3 || !(numbers[0] < numbers[1]))
        return wrong("no range from a smaller to a larger value");
    if (log && !(numbers[0] > 0)) return wrong("a logarithmic range begins above 0");
    const double count = numbers.size() == 3 ? numbers[2] : 12;
    if (!(count >= 2 && count <= 200) || count != std::floor(count))
        return wrong("no whole number of values from 2 to 200");
    std::vector<std::string> steps;
    for (int i = 0; i < int(count); ++i) {
        const double t = double(i) / double(int(count) - 1);
        const double value = log ? numbers[0] * std::pow(numbers[1] / numbers[0], t)
                                 : std::lerp(numbers[0], numbers[1], t);
        // Three digits are what a reader types again.
        const std::string step = spec->kind == ParamKind::Integer
                                     ? fmt::format("{}:{}={}", id, name, std::llround(value))
                                     : fmt::format("{}:{}={:.3g}", id, name, value);
        if (steps.empty() || steps.back() != step) steps.push_back(step);
    }
    return steps;
}

// Where one is @FILE, the steps that it lists, a line each, in its place; empty lines and what
// follows a # are left out.
Result<std::vector<std::string>> listedSteps(const std::vector<std::string>& given) {
    constexpr std::uint64_t kMostBytes = 1 << 20;
    std::vector<std::string> steps;
    for (const std::string& one : given) {
        if (!one.starts_with('@')) {
            steps.push_back(one);
            continue;
        }
        const auto text = readTextFile(one.substr(1), kMostBytes);
        if (!text) return fail(text.error());
        std::istringstream lines(*text);
        for (std::string line; std::getline(lines, line);) {
            line.erase(std::min(line.find('#'), line.size()));
            while (!line.empty() && std::isspace((unsigned char)(line.back()))) line.pop_back();
            line.erase(0, line.find_first_not_of(" \t"));
            if (!line.empty()) steps.push_back(line);
        }
    }
    return steps;
}

// Adds to the operations of --ops, or to none. An empty list is all of them, with every step among
// them. What differs in its variants alone is one step.
Result<void> addSteps(const BenchOptions& options, const std::vector<std::string>& steps,
                      BenchmarkPlan& plan) {
    const bool all = options.operationsGiven && plan.operations.empty();
    for (const std::string& text : steps) {
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

// "5%", "0.05".
Result<double> shareOf(const std::string& text) {
    double value = 0;
    std::string_view digits = text;
    const bool percent = digits.ends_with('%');
    if (percent) digits.remove_suffix(1);
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (percent) value /= 100;
    if (read.ec != std::errc() || read.ptr != digits.data() + digits.size() || !(value > 0) ||
        value > 10)
        return fail(
            ErrorCode::InvalidArgument,
            fmt::format("--by {}: must be a share such as 5% or 0.05, above 0 and up to 10", text));
    return value;
}

Result<std::pair<RowChoice, RowChoice>> pairOf(const std::string& text) {
    if (text.empty()) return std::pair<RowChoice, RowChoice>();
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos)
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("--pair {}: must be LEFT=RIGHT, for example cpu=cuda", text));
    auto left = parseRowChoice(std::string_view(text).substr(0, equals));
    if (!left) return fail(left.error().code, "--pair " + left.error().message);
    auto right = parseRowChoice(std::string_view(text).substr(equals + 1));
    if (!right) return fail(right.error().code, "--pair " + right.error().message);
    return std::pair(std::move(*left), std::move(*right));
}

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
    const auto steps = listedSteps(options.steps);
    if (!steps) return named("--step", steps.error());
    if (const auto added = addSteps(options, *steps, plan); !added)
        return named("--step", added.error());
    if (!options.sweep.empty()) {
        const auto swept = sweptSteps(options.sweep);
        if (!swept) return named("--sweep", swept.error());
        if (const auto added = addSteps(options, *swept, plan); !added)
            return named("--sweep", added.error());
    }
    // An image at hand is timed alone unless sizes were asked for, too.
    const bool scene = options.image.empty() &&
                       (!options.published || !options.steps.empty() || !options.sweep.empty());
    if (options.sizesGiven || scene) {
        const bool swept = !options.sweep.empty() && !options.sizesGiven;
        auto sizes = parseSizes(swept ? "1024" : options.sizes);
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
    plan.sampling.minRounds = options.rounds;
    plan.sampling.maxRounds = std::max(options.rounds, options.mostRounds);
    plan.pinThreads = !options.noPin;
    plan.energy = !options.noEnergy;
    plan.sampling.budgetMs = options.budgetMs;
    plan.sampling.minSamples = options.repetitions;
    plan.sampling.maxSamples = std::max(plan.sampling.maxSamples, options.repetitions);
    plan.longestRowSeconds = options.longestRow;
    plan.longestPeerCallSeconds = options.longestCall;
    return plan;
}

}  // namespace warpscope::cli
