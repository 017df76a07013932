#include <fmt/ranges.h>

#include "engine/base/near_words.h"
#include "engine/pipeline/operation_choice.h"
#include "engine/pipeline/pipeline.h"

namespace warpscope {
namespace {

constexpr std::string_view kVariantKey = "variant";
constexpr std::string_view kNameKey = "name";

// Cuts the text before `separator` off `rest`; all of it where there is none.
std::string_view takeUntil(std::string_view& rest, char separator) {
    const std::size_t at = rest.find(separator);
    const std::string_view head = rest.substr(0, at);
    rest = at == std::string_view::npos ? std::string_view{} : rest.substr(at + 1);
    return head;
}

Result<void> applyAssignment(const OperationDescription& description, std::string_view assignment,
                             Step& step, bool& variantGiven, bool& nameGiven) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string_view::npos || equals == 0) {
        return fail(
            ErrorCode::InvalidArgument,
            fmt::format("{}: '{}' is not of the form name=value", description.id, assignment));
    }
    const std::string_view name = assignment.substr(0, equals);
    const std::string_view value = assignment.substr(equals + 1);
    const ParamSpec* spec = description.findParameter(name);
    if (!spec && (name == kVariantKey || name == kNameKey)) {
        bool& given = name == kVariantKey ? variantGiven : nameGiven;
        if (given)
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("{}: {} is given twice", description.id, name));
        given = true;
        (name == kVariantKey ? step.variant : step.name) = std::string(value);
        return {};
    }
    if (!spec) {
        std::vector<std::string> known;
        for (const ParamSpec& parameter : description.parameters) known.push_back(parameter.id);
        known.emplace_back(kVariantKey);
        return fail(ErrorCode::NotFound,
                    fmt::format("{} has no parameter '{}'{}; there are {}", description.id, name,
                                didYouMean(name, known), fmt::join(known, ", ")));
    }
    if (step.parameters.contains(name)) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("{}: {} is given twice", description.id, name));
    }
    auto parsed = parseParameter(*spec, value);
    if (!parsed) {
        return fail(parsed.error().code,
                    fmt::format("{}: {}", description.id, parsed.error().message));
    }
    step.parameters.set(spec->id, std::move(*parsed));
    return {};
}

Result<Step> parse(std::string_view text, Result<Step> (*check)(const Step&)) {
    std::string_view rest = text;
    const bool hasAssignments = text.find(':') != std::string_view::npos;
    Step step;
    step.operation = std::string(takeUntil(rest, ':'));
    // An operation that will not do is said before what was said of it.
    if (const auto defaults = check(step); !defaults) return fail(defaults.error());
    const OperationDescription& description = findOperation(step.operation)->description();
    bool variantGiven = false;
    bool nameGiven = false;
    if (hasAssignments) {
        // At least one: "id:" and "id:a=1," have an empty assignment, which is refused.
        bool more = true;
        while (more) {
            more = rest.find(',') != std::string_view::npos;
            const auto applied =
                applyAssignment(description, takeUntil(rest, ','), step, variantGiven, nameGiven);
            if (!applied) return fail(applied.error());
        }
    }
    auto checked = check(step);
    if (!checked) {
        return fail(checked.error().code,
                    fmt::format("{}: {}", step.operation, checked.error().message));
    }
    return checked;
}

}  // namespace

Result<Step> parseStep(std::string_view text) {
    return parse(text, checkStep);
}

Result<Step> parseChoice(std::string_view text) {
    return parse(text, checkChoice);
}

std::string toText(const Step& step) {
    std::string text = step.operation;
    char separator = ':';
    const auto append = [&](std::string_view name, std::string_view value) {
        text += fmt::format("{}{}={}", separator, name, value);
        separator = ',';
    };
    const Operation* operation = findOperation(step.operation);
    for (const auto& [id, value] : step.parameters.values()) {
        const ParamSpec* spec = operation ? operation->description().findParameter(id) : nullptr;
        if (!spec || value != spec->defaultValue) append(id, toText(value));
    }
    if (step.variant != kAutomaticVariant) append(kVariantKey, step.variant);
    if (!step.name.empty()) append(kNameKey, step.name);
    return text;
}

}  // namespace warpscope
