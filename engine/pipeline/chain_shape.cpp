#include "engine/pipeline/chain_shape.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpscope {
namespace {

Rect united(const Rect& a, const Rect& b) {
    if (a.empty()) return b;
    if (b.empty()) return a;
    const int left = std::min(a.x, b.x);
    const int top = std::min(a.y, b.y);
    return {left, top, std::max(a.x + a.width, b.x + b.width) - left,
            std::max(a.y + a.height, b.y + b.height) - top};
}

}  // namespace

Result<std::optional<SecondInput>> resolveSecondInput(const Pipeline& pipeline, std::size_t index) {
    const auto reference = secondInputOf(pipeline.steps[index]);
    if (!reference) return std::nullopt;
    using Kind = ImageReference::Kind;
    if (reference->kind == Kind::Source) return SecondInput{};
    if (reference->kind == Kind::Second) return SecondInput{SecondInput::From::SecondImage, 0};
    std::size_t depth = 0;
    for (std::size_t i = 0; i < pipeline.steps.size(); ++i) {
        const Step& step = pipeline.steps[i];
        if (step.enabled) ++depth;
        if (step.name != reference->step) continue;
        if (i < index) return SecondInput{SecondInput::From::Chain, depth};
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("its second input is the step '{}', which {}; a step can take what "
                                "comes before it",
                                step.name, i == index ? "is itself" : "comes later"));
    }
    return fail(ErrorCode::NotFound,
                fmt::format("its second input is the step '{}', but there is none of that name",
                            reference->step));
}

ChainShape shapeOf(const Pipeline& pipeline, PixelFormat format, const Placement& source) {
    ChainShape shape;
    shape.format = format;
    shape.place = source;
    for (std::size_t i = 0; i < pipeline.steps.size(); ++i) {
        const Step& step = pipeline.steps[i];
        const Operation* operation = step.enabled ? findOperation(step.operation) : nullptr;
        if (!operation) continue;
        const OperationDescription& description = operation->description();
        const auto second = resolveSecondInput(pipeline, i);
        if (!second) {
            shape.steps.push_back({i, nullptr, std::nullopt, shape.sourceFromResult});
            continue;
        }
        PlanRequest request;
        request.parameters = scaledParameters(description, step.parameters, source.scale);
        request.variant = step.variant;
        request.format = shape.format;
        request.size = shape.place.part.size();
        request.place = shape.place;
        auto plan = operation->plan(request);
        if (!plan) {
            shape.failure = {i, plan.error()};
            return shape;
        }
        shape.format = (*plan)->output;
        shape.place = (*plan)->outputPlace;
        const PixelMap before = shape.sourceFromResult;
        shape.sourceFromResult = after((*plan)->inputFromOutput(), before);
        shape.steps.push_back({i, std::move(*plan), *second, before});
    }
    return shape;
}

ComputablePart computablePart(Pipeline pipeline, PixelFormat format, const Placement& source) {
    ComputablePart part;
    part.shape = shapeOf(pipeline, format, source);
    while (part.shape.failure) {
        part.passedOver.push_back(std::move(*part.shape.failure));
        pipeline.steps[part.passedOver.back().step].enabled = false;
        part.shape = shapeOf(pipeline, format, source);
    }
    part.pipeline = std::move(pipeline);
    return part;
}

NeededParts neededFor(const ChainShape& shape, const Rect& result) {
    NeededParts needed;
    // Of what i steps give.
    std::vector<Rect> wanted(shape.steps.size() + 1);
    wanted.back() = result;
    for (std::size_t i = shape.steps.size(); i-- > 0;) {
        const ShapedStep& step = shape.steps[i];
        if (!step.plan) {
            wanted[i] = united(wanted[i], wanted[i + 1]);
            continue;
        }
        const Rect input = step.plan->neededInput(wanted[i + 1]);
        wanted[i] = united(wanted[i], input);
        if (!step.second) continue;
        if (step.second->from == SecondInput::From::SecondImage)
            needed.second = united(needed.second, input);
        else
            wanted[step.second->depth] = united(wanted[step.second->depth], input);
    }
    needed.source = wanted.front();
    return needed;
}

int totalHalo(const ChainShape& shape) {
    std::int64_t halo = 0;
    for (const ShapedStep& step : shape.steps)
        if (step.plan) halo += step.plan->halo;
    return int(std::min<std::int64_t>(halo, kMaxSide));
}

}  // namespace warpscope
