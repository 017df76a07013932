#include "engine/report/html_picture.h"

#include <algorithm>

#include "engine/backend/cpu_backend.h"
#include "engine/image/synthetic.h"
#include "engine/io/image_writer.h"
#include "engine/measure/single_run.h"
#include "engine/operations/registry.h"
#include "engine/report/sample_text.h"

namespace warpscope {
namespace {

constexpr int kLongestSide = 512;

// The first that will do, at the largest of its sizes that needs no scaling.
const StepTiming* rowOf(const TimingReport& report) {
    const StepTiming* found = nullptr;
    for (const StepTiming& row : report.results) {
        const Operation* operation = findOperation(row.operation);
        if (!operation || operation->description().kind != OperationKind::Filter ||
            !row.measured() || !row.imageName.empty() || !row.experiment.empty() ||
            row.stepIndex > 0)
            continue;
        const bool alike =
            found && row.operation == found->operation && row.parameters == found->parameters;
        if (!found ||
            (alike && row.width > found->width && std::max(row.width, row.height) <= kLongestSide))
            found = &row;
    }
    return found;
}

Size within(Size size) {
    const double scale = std::min(1.0, double(kLongestSide) / std::max(size.width, size.height));
    return {std::max(1, int(size.width * scale)), std::max(1, int(size.height * scale))};
}

std::string pngOf(const Image& image) {
    const auto encoded = encodeImage(image, "picture.png");
    return encoded ? toBase64(encoded->bytes) : std::string();
}

}  // namespace

HtmlPicture pictureOf(const TimingReport& report, const RunContext& context) {
    const StepTiming* row = rowOf(report);
    if (!row) return {};
    const Size size = within({row->width, row->height});
    const auto scene =
        makeScene(size, isColor(row->format), 1, CpuContext{Threading::AllCores, context.stop, {}});
    if (!scene) return {};
    // A file may say any parameters; those of this program alone make a plan.
    const Operation* operation = findOperation(row->operation);
    auto parameters = resolveParameters(operation->description().parameters, row->parameters);
    if (!parameters) return {};
    PlanRequest request;
    request.parameters = std::move(*parameters);
    request.format = scene->format();
    request.size = size;
    const auto plan = operation->plan(request);
    if (!plan) return {};
    const auto backend = makeCpuBackend(Threading::AllCores);
    const auto done =
        runOnce(*backend, **plan, {*scene, (*plan)->takesSecond ? *scene : Image()}, context);
    if (!done || done->output.isNull()) return {};
    HtmlPicture picture{row->operation, parameterText(row->parameters), size, pngOf(*scene),
                        pngOf(done->output)};
    if (picture.before.empty()) picture.after.clear();
    return picture;
}

}  // namespace warpscope
