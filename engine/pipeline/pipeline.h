// A chain of filters as a value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/operations/registry.h"

namespace warpscope {

struct Step {
    std::string operation;
    std::string variant{kAutomaticVariant};
    bool enabled = true;
    ParamSet parameters;  // resolved
    // By which later steps refer to what this one gives ("step:NAME"); empty: nobody does. Keeps
    // its meaning when steps are moved. See isStepName().
    std::string name;

    friend bool operator==(const Step&, const Step&) = default;
};

struct Pipeline {
    std::vector<Step> steps;

    friend bool operator==(const Pipeline&, const Pipeline&) = default;
};

inline constexpr std::size_t kMaxSteps = 256;
inline constexpr std::size_t kMaxPipelineBytes = 4u << 20;  // of a pipeline file

// A step with defaults. Errors: NotFound; Unsupported for an analysis, which cannot be a step.
Result<Step> makeStep(std::string_view operationId);

// A step with a known operation and variant, its parameters resolved. Errors: NotFound,
// InvalidArgument, Unsupported for an analysis.
Result<Step> checkStep(const Step& step);

// The same for all steps, and that no two have the same name. Errors name the step ("step 2,
// gaussian_blur: ..."); LimitExceeded beyond kMaxSteps. What a step refers to is looked for when
// the chain runs.
Result<Pipeline> checkPipeline(const Pipeline& pipeline);

// What the step's Image parameter names; nothing where it has none.
std::optional<ImageReference> secondInputOf(const Step& step);
// The name of that step; one is made up ("blur", "blur2") and given to it where it has none.
std::string nameOfStep(Pipeline& pipeline, std::size_t index);

// "gaussian_blur:sigma=2,variant=direct2d": the syntax of --step. Errors: InvalidArgument,
// NotFound.
Result<Step> parseStep(std::string_view text);
std::string toText(const Step& step);  // the same syntax, defaults left out

// Equal for equal steps; covers operation, variant and parameters, not the name.
std::uint64_t hashStep(const Step& step);

// warpscope-pipeline/1, indented, ends with a line feed.
std::string toJson(const Pipeline& pipeline);
// Strict: unknown keys, wrong types, values out of range, nesting deeper than 16, more than
// kMaxSteps steps or kMaxPipelineBytes are errors (InvalidArgument) that name the place
// ("steps[1].parameters.sigma: ..."). A newer schema is Unsupported.
Result<Pipeline> pipelineFromJson(std::string_view text);

}  // namespace warpscope
