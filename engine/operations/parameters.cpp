#include "engine/operations/parameters.h"

#include <fmt/ranges.h>

#include <cassert>
#include <cmath>
#include <optional>

#include "engine/base/near_words.h"
#include "engine/operations/parameter_lists.h"

namespace warpscope {
namespace {

std::string rangeText(const ParamSpec& spec) {
    return fmt::format("{} to {}", spec.hardMin, spec.hardMax);
}

std::string choiceIds(const ParamSpec& spec) {
    std::string ids;
    for (const ChoiceSpec& choice : spec.choices) ids += (ids.empty() ? "" : ", ") + choice.id;
    return ids;
}

tl::unexpected<Error> outOfRange(const ParamSpec& spec, std::string_view valueText) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{} is {}, allowed are {}", spec.id, valueText, rangeText(spec)));
}

tl::unexpected<Error> notANumber(const ParamSpec& spec, std::string_view text) {
    return fail(ErrorCode::InvalidArgument, fmt::format("{}: '{}' is not a number", spec.id, text));
}

Result<ParamValue> checkChoice(const ParamSpec& spec, const ParamValue& value) {
    const auto* id = std::get_if<std::string>(&value);
    if (id && spec.findChoice(*id)) return value;
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{} is '{}', allowed are {}", spec.id, toText(value), choiceIds(spec)));
}

// Range and rule, for a number that has the kind's type already.
Result<ParamValue> checkNumber(const ParamSpec& spec, ParamValue value, double number) {
    if (!(number >= spec.hardMin && number <= spec.hardMax)) return outOfRange(spec, toText(value));
    const char* wrong = spec.rule ? spec.rule(number) : "";
    if (*wrong) {
        return fail(ErrorCode::InvalidArgument, fmt::format("{} is {}, but it {} ({})", spec.id,
                                                            toText(value), wrong, rangeText(spec)));
    }
    return value;
}

}  // namespace

const ChoiceSpec* ParamSpec::findChoice(std::string_view choiceId) const {
    for (const ChoiceSpec& choice : choices)
        if (choice.id == choiceId) return &choice;
    return nullptr;
}

ParamSpec numberParameter(std::string id, std::string label, ParamValue defaultValue,
                          NumberSpec number, std::string help) {
    const bool whole = std::holds_alternative<std::int64_t>(defaultValue);
    return specOf(whole ? ParamKind::Integer : ParamKind::Real, std::move(number), std::move(id),
                  std::move(label), std::move(defaultValue), std::move(help));
}

ParamSpec choiceParameter(std::string id, std::string label, std::vector<ChoiceSpec> choices,
                          std::string help) {
    ParamSpec spec = specOf(ParamKind::Choice, {}, std::move(id), std::move(label),
                            choices.front().id, std::move(help));
    spec.choices = std::move(choices);
    return spec;
}

const ParamValue* ParamSet::find(std::string_view id) const {
    const auto found = m_values.find(id);
    return found == m_values.end() ? nullptr : &found->second;
}

std::int64_t ParamSet::integer(std::string_view id) const {
    const ParamValue* value = find(id);
    assert(value && std::holds_alternative<std::int64_t>(*value));
    return std::get<std::int64_t>(*value);
}

double ParamSet::real(std::string_view id) const {
    const ParamValue* value = find(id);
    assert(value && std::holds_alternative<double>(*value));
    return std::get<double>(*value);
}

const std::string& ParamSet::choice(std::string_view id) const {
    const ParamValue* value = find(id);
    assert(value && std::holds_alternative<std::string>(*value));
    return std::get<std::string>(*value);
}

const PointList& ParamSet::points(std::string_view id) const {
    const ParamValue* value = find(id);
    assert(value && std::holds_alternative<PointList>(*value));
    return std::get<PointList>(*value);
}

const IntMatrix& ParamSet::matrix(std::string_view id) const {
    const ParamValue* value = find(id);
    assert(value && std::holds_alternative<IntMatrix>(*value));
    return std::get<IntMatrix>(*value);
}

std::string toText(const ParamValue& value) {
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *whole);
    if (const auto* real = std::get_if<double>(&value)) return fmt::format("{}", *real);
    return listText(value);
}

Result<ParamValue> checkParameter(const ParamSpec& spec, const ParamValue& value) {
    if (spec.kind == ParamKind::Choice) return checkChoice(spec, value);
    if (isList(spec.kind)) return checkList(spec, value);
    if (const auto* text = std::get_if<std::string>(&value)) return notANumber(spec, *text);
    if (value.index() > 1) return notANumber(spec, toText(value));

    if (const auto* whole = std::get_if<std::int64_t>(&value)) {
        const auto number = double(*whole);
        if (spec.kind == ParamKind::Integer) return checkNumber(spec, value, number);
        return checkNumber(spec, number, number);
    }
    const double number = std::get<double>(value);
    if (std::isnan(number)) return notANumber(spec, toText(value));
    // Adding zero turns -0 into 0, which would otherwise be equal and yet another text.
    if (spec.kind == ParamKind::Real) return checkNumber(spec, number + 0.0, number);

    constexpr double kExact = 9007199254740992.0;  // 2^53
    if (!(std::abs(number) <= kExact)) return outOfRange(spec, toText(value));
    if (number != std::floor(number)) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("{} is {}, but it is a whole number from {}", spec.id,
                                toText(value), rangeText(spec)));
    }
    return checkNumber(spec, std::int64_t(number), number);
}

Result<ParamValue> parseParameter(const ParamSpec& spec, std::string_view text) {
    const std::string_view word = trimmed(text);
    if (spec.kind == ParamKind::Choice) return checkParameter(spec, std::string(word));
    if (isList(spec.kind)) return parseList(spec, word);

    if (spec.kind == ParamKind::Integer) {
        std::int64_t whole = 0;
        if (readNumber(word, whole) == std::errc{}) return checkParameter(spec, whole);
    }
    double number = 0;
    const std::errc error = readNumber(word, number);
    if (error == std::errc::result_out_of_range) return outOfRange(spec, word);
    if (error != std::errc{}) return notANumber(spec, word);
    return checkParameter(spec, number);
}

Result<ParamSet> resolveParameters(const std::vector<ParamSpec>& specs, const ParamSet& given) {
    ParamSet resolved;
    for (const ParamSpec& spec : specs) {
        const ParamValue* value = given.find(spec.id);
        auto checked = checkParameter(spec, value ? *value : spec.defaultValue);
        if (!checked) return fail(checked.error());
        resolved.set(spec.id, std::move(*checked));
    }
    for (const auto& [id, value] : given.values()) {
        if (resolved.contains(id)) continue;
        std::vector<std::string> known;
        for (const ParamSpec& spec : specs) known.push_back(spec.id);
        return fail(ErrorCode::NotFound,
                    specs.empty()
                        ? fmt::format("there is no parameter '{}': this operation has none", id)
                        : fmt::format("there is no parameter '{}'{}; there are {}", id,
                                      didYouMean(id, known), fmt::join(known, ", ")));
    }
    return resolved;
}

}  // namespace warpscope
