#include "support/operation_run.h"

#include <stdexcept>

#include "engine/operations/vector_targets.h"
#include "support/images.h"
#include "support/test_case.h"

namespace warpscope::test {
namespace {

template <class T>
T require(Result<T> result) {
    if (!result) throw std::runtime_error(result.error().message);
    return std::move(*result);
}

struct BestTargetAgain {
    ~BestTargetAgain() { forceVectorTarget({}); }
};

}  // namespace

PlanRequest requestFor(const Operation& operation, const TextParameters& parameters,
                       PixelFormat format, Size size, const std::string& variant) {
    const OperationDescription& description = operation.description();
    ParamSet given;
    for (const auto& [id, text] : parameters) {
        const ParamSpec* spec = description.findParameter(id);
        if (!spec) throw std::runtime_error("no parameter " + id);
        given.set(id, require(parseParameter(*spec, text)));
    }
    return {require(resolveParameters(description.parameters, given)), variant, format, size};
}

PlanPtr planFor(const Operation& operation, const TextParameters& parameters, PixelFormat format,
                Size size, const std::string& variant) {
    return require(operation.plan(requestFor(operation, parameters, format, size, variant)));
}

PlanPtr planForPart(const Operation& operation, const TextParameters& parameters,
                    PixelFormat format, const Rect& part, Size whole) {
    PlanRequest request = requestFor(operation, parameters, format, part.size());
    request.place = Placement::partOf(whole, part);
    return require(operation.plan(request));
}

StepImages imagesFor(const Plan& plan, const Image& image) {
    return {image, plan.takesSecond ? makeNoise(image.format(), image.size(), 99) : Image()};
}

Image runPlan(const Plan& plan, const Image& image, Threading threading, const Image& second) {
    MutableImage out = require(MutableImage::create(plan.output, plan.outputSize));
    CpuContext context;
    context.threading = threading;
    StepImages images = imagesFor(plan, image);
    if (!second.isNull()) images.second = second;
    const auto done = plan.operation->runCpu(plan, images, out, context);
    if (!done) throw std::runtime_error(done.error().message);
    return std::move(out).freezeLike(image);
}

void comparePart(const Operation& operation, const TextParameters& parameters, const Image& image,
                 const Rect& window) {
    const PlanPtr whole = planFor(operation, parameters, image.format(), image.size());
    const Rect needed = whole->neededInput(window);
    const PlanPtr part = planForPart(operation, parameters, image.format(), needed, image.size());
    const Rect made = part->outputPlace.part;
    const std::string& name = operation.description().id;
    QVERIFY2(contains(made, window), name.c_str());
    const StepImages inputs = imagesFor(*whole, image);
    const Image fromPart =
        runPlan(*part, inputs.first.crop(needed), Threading::Single,
                inputs.second.isNull() ? Image() : inputs.second.crop(needed))
            .crop({window.x - made.x, window.y - made.y, window.width, window.height});
    compareSamples(runPlan(*whole, image).crop(window), fromPart, name);
}

Image runOn(const Operation& operation, const TextParameters& parameters, const Image& image,
            Threading threading) {
    return runPlan(*planFor(operation, parameters, image.format(), image.size()), image, threading);
}

Image runVariant(const Operation& operation, const std::string& variant,
                 const TextParameters& parameters, const Image& image, Threading threading) {
    return runPlan(*planFor(operation, parameters, image.format(), image.size(), variant), image,
                   threading);
}

void forEachVectorTarget(const std::function<void(const std::string&)>& body) {
    const BestTargetAgain restore;
    for (const std::string& name : vectorTargets()) {
        if (!forceVectorTarget(name)) throw std::runtime_error("cannot force " + name);
        body(name);
    }
}

}  // namespace warpscope::test
