#include "engine/pipeline/pipeline.h"

#include <fmt/format.h>

#include <bit>

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
    return Step{step.operation, step.variant, step.enabled, std::move(*parameters)};
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
    for (const Step& step : pipeline.steps) {
        auto good = checkStep(step);
        if (!good) {
            return fail(good.error().code, fmt::format("step {}, {}: {}", checked.steps.size() + 1,
                                                       step.operation, good.error().message));
        }
        checked.steps.push_back(std::move(*good));
    }
    return checked;
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
            fnv.mix(std::get<std::string>(value));
        }
    }
    return fnv.value();
}

}  // namespace warpscope
