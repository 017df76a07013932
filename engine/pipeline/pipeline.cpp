#include "engine/pipeline/pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

#include "engine/pipeline/operation_choice.h"

namespace warpscope {
namespace {

class Fnv {
  public:
    void mix(std::uint64_t word) {
        for (int shift = 0; shift < 64; shift += 8) mixByte(std::uint8_t(word >> shift));
    }
    // The length goes in too, so that "ab" + "c" and "a" + "bc" differ.
    void mix(std::string_view text) {
        mix(std::uint64_t(text.size()));
        for (const char c : text) mixByte(std::uint8_t(c));
    }
    std::uint64_t value() const { return m_hash; }

  private:
    void mixByte(std::uint8_t byte) { m_hash = (m_hash ^ byte) * 1099511628211ull; }
    std::uint64_t m_hash = 14695981039346656037ull;
};

}  // namespace

Result<Step> checkStep(const Step& step) {
    const auto operation = requireOperation(step.operation);
    if (!operation) return fail(operation.error());
    const OperationDescription& description = (*operation)->description();
    if (description.kind != OperationKind::Filter) {
        return fail(
            ErrorCode::Unsupported,
            fmt::format("{} gives numbers, not an image, and cannot be a step", description.id));
    }
    return checkChoice(step);
}

Result<Step> checkChoice(const Step& step) {
    const auto operation = requireOperation(step.operation);
    if (!operation) return fail(operation.error());
    const OperationDescription& description = (*operation)->description();
    if (!description.findVariant(step.variant)) {
        std::string known;
        for (const VariantSpec& variant : description.variants)
            known += (known.empty() ? "" : ", ") + variant.id;
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("there is no variant '{}'; there are {}", step.variant, known));
    }
    auto parameters = resolveParameters(description.parameters, step.parameters);
    if (!parameters) return fail(parameters.error());
    if (!step.name.empty() && !isStepName(step.name))
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("'{}' is no name of a step: letters, digits, _ and -, at most 64",
                                step.name));
    return Step{step.operation, step.variant, step.enabled, std::move(*parameters), step.name};
}

Result<Step> makeStep(std::string_view operationId) {
    Step step;
    step.operation = std::string(operationId);
    return checkStep(step);
}

Result<Pipeline> checkPipeline(const Pipeline& pipeline) {
    if (pipeline.steps.size() > kMaxSteps) {
        return fail(ErrorCode::LimitExceeded,
                    fmt::format("{} steps are too many: a pipeline has at most {}",
                                pipeline.steps.size(), kMaxSteps));
    }
    Pipeline checked;
    checked.steps.reserve(pipeline.steps.size());
    std::map<std::string, std::size_t, std::less<>> names;
    for (const Step& step : pipeline.steps) {
        auto good = checkStep(step);
        if (!good) {
            return fail(good.error().code, fmt::format("step {}, {}: {}", checked.steps.size() + 1,
                                                       step.operation, good.error().message));
        }
        const std::size_t number = checked.steps.size() + 1;
        if (!good->name.empty()) {
            if (const auto [known, isNew] = names.emplace(good->name, number); !isNew)
                return fail(ErrorCode::InvalidArgument,
                            fmt::format("step {}, {}: step {} is named '{}' already", number,
                                        step.operation, known->second, good->name));
        }
        checked.steps.push_back(std::move(*good));
    }
    return checked;
}

std::optional<ImageReference> secondInputOf(const Step& step) {
    const Operation* operation = findOperation(step.operation);
    if (!operation) return std::nullopt;
    for (const ParamSpec& spec : operation->description().parameters)
        if (spec.kind == ParamKind::Image && step.parameters.contains(spec.id))
            return imageReference(step.parameters.choice(spec.id));
    return std::nullopt;
}

std::string nameOfStep(Pipeline& pipeline, std::size_t index) {
    Step& step = pipeline.steps[index];
    const auto taken = [&](const std::string& name) {
        return std::any_of(pipeline.steps.begin(), pipeline.steps.end(),
                           [&](const Step& other) { return other.name == name; });
    };
    for (int number = 1; step.name.empty(); ++number) {
        const std::string name =
            number == 1 ? step.operation : fmt::format("{}{}", step.operation, number);
        if (!taken(name)) step.name = name;
    }
    return step.name;
}

std::uint64_t hashStep(const Step& step) {
    Fnv fnv;
    fnv.mix(step.operation);
    fnv.mix(step.variant);
    for (const auto& [id, value] : step.parameters.values()) {
        fnv.mix(id);
        fnv.mix(std::uint64_t(value.index()));
        if (const auto* integer = std::get_if<std::int64_t>(&value)) {
            fnv.mix(std::uint64_t(*integer));
        } else if (const auto* real = std::get_if<double>(&value)) {
            // Equal steps must hash alike, and -0.0 equals 0.0.
            fnv.mix(std::bit_cast<std::uint64_t>(*real == 0.0 ? 0.0 : *real));
        } else {
            fnv.mix(toText(value));
        }
    }
    return fnv.value();
}

}  // namespace warpscope
