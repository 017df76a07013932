#include "engine/measure/single_run.h"

#include <utility>

#include "engine/operations/registry.h"
#include "engine/pipeline/pipeline.h"

namespace warpscope {

Result<Measured> runOnce(Backend& backend, const Plan& plan, const Image& input,
                         const RunContext& context) {
    Measured measured;
    const auto buffer = backend.upload(input, context);
    if (!buffer) return fail(buffer.error());
    if (plan.operation->description().kind == OperationKind::Analysis) {
        auto counts = backend.analyze(plan, *buffer, context);
        if (!counts) return fail(counts.error());
        measured.counts = std::move(*counts);
    } else {
        const auto output = backend.run(plan, *buffer, context);
        if (!output) return fail(output.error());
        auto image = backend.download(*output, context);
        if (!image) return fail(image.error());
        measured.output = std::move(*image);
    }
    if (const auto done = backend.synchronize(); !done) return fail(done.error());
    return measured;
}

Result<Image> runSteps(Backend& backend, Image image, const std::vector<std::string>& steps,
                       const RunContext& context) {
    for (const std::string& text : steps) {
        const auto step = parseStep(text);
        if (!step) return fail(step.error());
        PlanRequest request;
        request.parameters = step->parameters;
        request.variant = step->variant;
        request.format = image.format();
        request.size = image.size();
        const auto plan = findOperation(step->operation)->plan(request);
        if (!plan) return fail(plan.error());
        auto done = runOnce(backend, **plan, image, context);
        if (!done) return fail(done.error());
        image = std::move(done->output);
    }
    return image;
}

}  // namespace warpscope
