#include "engine/report/operation_pictures.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/backend/cpu_backend.h"
#include "engine/image/convert.h"
#include "engine/image/synthetic.h"
#include "engine/measure/single_run.h"
#include "engine/operations/registry.h"
#include "engine/pipeline/pipeline.h"

namespace warpscope {
namespace {

constexpr std::string_view kScene = "scene";
constexpr std::string_view kSecondScene = "second";
constexpr std::string_view kBefore = "-before";

// Pixel for pixel out of a larger scene: reduced, most operations would show nothing. A star of
// lines, deep shadow, grass and a ball; mountains below the sun.
constexpr Size kSceneSize{648, 432};
constexpr Size kPart{192, 128};
constexpr int kLeft[] = {142, 376};
constexpr int kTop[] = {302, 96};

// What a photograph, or gray levels of the result, would not show.
struct Staging {
    std::string_view operation;
    std::string_view before;
    std::string_view after;
};
constexpr Staging kStagings[] = {
    // Hardly a pixel of a photograph is 0.
    {"connected_components", "threshold:method=otsu", "false_colour:map=labels"},
    {"distance_transform", "threshold:method=otsu", {}},
};

Staging stagingOf(const OperationDescription& d) {
    for (const Staging& staging : kStagings)
        if (staging.operation == d.id) return staging;
    return {d.id, d.acceptsFormat(PixelFormat::Rgba8) ? std::string_view() : "grayscale", {}};
}

Result<PlanPtr> planOf(const Operation& operation, PixelFormat format, Size size) {
    PlanRequest request;
    request.parameters = operation.description().exampleParameters();
    request.format = format;
    request.size = size;
    return operation.plan(request);
}

}  // namespace

std::optional<OperationPictures> picturesOf(const Operation& operation) {
    const OperationDescription& d = operation.description();
    if (d.kind != OperationKind::Filter) return std::nullopt;
    const Staging staging = stagingOf(d);
    OperationPictures pictures;
    pictures.prepared = staging.before;
    pictures.before = staging.before.empty() ? std::string(kScene) : d.id + std::string(kBefore);
    pictures.after = d.id;
    Step step;
    step.operation = d.id;
    step.parameters = d.exampleParameters();
    pictures.step = toText(step);
    const auto plan =
        planOf(operation, staging.before.empty() ? PixelFormat::Rgba8 : PixelFormat::Gray8, kPart);
    if (!plan) return std::nullopt;
    if ((*plan)->takesSecond) pictures.second = kSecondScene;
    pictures.falseColours = bytesPerSample((*plan)->output) > 2;
    return pictures;
}

std::vector<std::string> operationPictureNames() {
    std::vector<std::string> names;
    const auto add = [&names](const std::string& name) {
        if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    };
    for (const Operation* operation : allOperations()) {
        const auto pictures = picturesOf(*operation);
        if (!pictures) continue;
        add(pictures->before);
        if (pictures->second) add(*pictures->second);
        add(pictures->after);
    }
    return names;
}

OperationPictureMaker::OperationPictureMaker() : m_backend(makeCpuBackend(Threading::Single)) {}

Result<Image> OperationPictureMaker::make(std::string_view name, const RunContext& context) {
    if (name == kScene) return part(0, context);
    if (name == kSecondScene) return part(1, context);
    for (const Operation* operation : allOperations()) {
        const auto pictures = picturesOf(*operation);
        if (!pictures) continue;
        if (name == pictures->before) return input(*operation, context);
        if (name == pictures->after) return output(*operation, context);
    }
    return fail(ErrorCode::NotFound, fmt::format("there is no picture '{}'", name));
}

Result<Image> OperationPictureMaker::part(int number, const RunContext& context) {
    if (m_scene.isNull()) {
        auto made =
            makeScene(kSceneSize, true, 1, CpuContext{Threading::AllCores, context.stop, {}});
        if (!made) return made;
        m_scene = std::move(*made);
    }
    return runSteps(*m_backend, m_scene,
                    {fmt::format("crop:x={},y={},width={},height={}", kLeft[number], kTop[number],
                                 kPart.width, kPart.height)},
                    context);
}

Result<Image> OperationPictureMaker::input(const Operation& operation, const RunContext& context) {
    auto image = part(0, context);
    const std::string before(stagingOf(operation.description()).before);
    if (!image || before.empty()) return image;
    return runSteps(*m_backend, std::move(*image), {before}, context);
}

Result<Image> OperationPictureMaker::output(const Operation& operation, const RunContext& context) {
    const auto first = input(operation, context);
    if (!first) return first;
    const auto plan = planOf(operation, first->format(), first->size());
    if (!plan) return fail(plan.error());
    Result<Image> second;
    if ((*plan)->takesSecond) second = part(1, context);
    if (!second) return second;
    auto done = runOnce(*m_backend, **plan, {*first, *second}, context);
    if (!done) return fail(done.error());
    if (const std::string after(stagingOf(operation.description()).after); !after.empty())
        return runSteps(*m_backend, std::move(done->output), {after}, context);
    auto shown = toEightBit(done->output, CpuContext{Threading::Single, context.stop, {}});
    if (!shown || bytesPerSample(done->output.format()) <= 2) return shown;
    return runSteps(*m_backend, std::move(*shown), {"false_colour"}, context);
}

}  // namespace warpscope
