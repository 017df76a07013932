#include "engine/report/operation_pictures.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/backend/cpu_backend.h"
#include "engine/image/convert.h"
#include "engine/image/synthetic.h"
#include "engine/measure/single_run.h"
#include "engine/operations/registry.h"
#include "engine/pipeline/operation_choice.h"
#include "engine/pipeline/pipeline.h"
#include "engine/report/analysis_pictures.h"

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

// How an analysis is drawn, and of what.
struct Drawing {
    std::string_view step;
    std::string_view legend;
    // Through what the scene goes before it is analysed.
    std::string_view before;
};
constexpr Drawing kDrawings[] = {
    {"histogram:channel=all", "bars are luma, lines red, green and blue", {}},
    {"statistics",
     "of luma: the histogram, a box from percentile 25 to 75 with the median, whiskers to minimum "
     "and maximum, a cross at the mean",
     {}},
    {"components:min_area=3",
     "boxes and centres of what the step Threshold (Otsu) leaves of the picture",
     "threshold:method=otsu"},
};

const Drawing* drawingOf(const OperationDescription& d) {
    for (const Drawing& drawing : kDrawings)
        if (drawing.step.substr(0, drawing.step.find(':')) == d.id) return &drawing;
    return nullptr;
}

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
    if (d.kind == OperationKind::Analysis) {
        const Drawing* drawing = drawingOf(d);
        if (!drawing) return std::nullopt;
        OperationPictures drawn;
        drawn.before = kScene;
        drawn.after = d.id;
        drawn.step = drawing->step;
        drawn.legend = drawing->legend;
        return drawn;
    }
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
        if (name != pictures->after) continue;
        return pictures->legend.empty() ? output(*operation, context)
                                        : drawing(*operation, context);
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

Result<Image> OperationPictureMaker::drawing(const Operation& operation,
                                             const RunContext& context) {
    const Drawing& drawing = *drawingOf(operation.description());
    const auto scene = part(0, context);
    if (!scene) return scene;
    auto analysed = scene;
    if (!drawing.before.empty())
        analysed = runSteps(*m_backend, *scene, {std::string(drawing.before)}, context);
    if (!analysed) return analysed;
    const auto found = [&](std::string_view text, const Image& image) -> Result<Measured> {
        const auto choice = parseChoice(text);
        if (!choice) return fail(choice.error());
        PlanRequest request;
        request.parameters = choice->parameters;
        request.format = image.format();
        request.size = image.size();
        const auto plan = findOperation(choice->operation)->plan(request);
        if (!plan) return fail(plan.error());
        return runOnce(*m_backend, **plan, {image, {}}, context);
    };
    const auto figures = found(drawing.step, *analysed);
    if (!figures) return fail(figures.error());
    const auto* table = std::get_if<AnalysisTable>(&*figures->counts);
    if (!table) return drawHistogram(std::get<HistogramSet>(*figures->counts));
    if (!drawing.before.empty()) return drawComponents(*scene, *table);
    const auto counts = found(kDrawings[0].step, *scene);
    if (!counts) return fail(counts.error());
    return drawStatistics(std::get<HistogramSet>(*counts->counts), *table);
}

}  // namespace warpscope
