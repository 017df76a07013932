#include "engine/measure/row_images.h"

#include <fmt/format.h>

#include <utility>

#include "engine/image/synthetic.h"
#include "engine/measure/published.h"
#include "engine/measure/single_run.h"
#include "engine/operations/registry.h"

namespace warpscope {
namespace {

const PublishedExperiment* experimentOf(const StepTiming& row) {
    for (const PublishedExperiment& experiment : publishedExperiments())
        if (experiment.id == row.experiment) return &experiment;
    return nullptr;
}

Result<Image> inputOf(Backend& cpu, const StepTiming& row, const Image& atHand,
                      const RunContext& context) {
    const CpuContext threads{Threading::AllCores, context.stop, {}};
    Image image = atHand;
    if (row.imageName.empty()) {
        const PublishedExperiment* experiment = experimentOf(row);
        const bool color = experiment ? experiment->color : isColor(row.format);
        auto made = makeScene({row.width, row.height}, color, 1, threads);
        if (made && experiment) made = runSteps(cpu, std::move(*made), experiment->before, context);
        if (!made) return made;
        image = std::move(*made);
    }
    if (image.isNull() || contentHash(image) != row.imageHash)
        return fail(ErrorCode::NotFound,
                    fmt::format("{} is not at hand as it was when it was timed; open it again",
                                row.imageName.empty() ? "the image" : row.imageName));
    return image;
}

BackendPtr backendOf(const BackendSet& backends, const PeerSet& peers, const StepTiming& row) {
    if (!row.peer.empty()) {
        const auto peer = peers.find(row.backendRequested, row.peer);
        if (peer) peer->setParameters(row.parameters);
        return peer;
    }
    for (const auto& [kind, backend] :
         {std::pair(BackendKind::CpuSingle, backends.cpuSingle),
          std::pair(BackendKind::Cpu, backends.cpu), std::pair(BackendKind::Cuda, backends.cuda)})
        if (row.backendRequested == kind) return backend;
    return nullptr;
}

Result<Image> outputOf(Backend& backend, const Operation& operation, const StepTiming& row,
                       std::string_view variant, const Image& input, const RunContext& context) {
    PlanRequest request;
    request.parameters = row.parameters;
    request.variant = variant;
    request.format = input.format();
    request.size = input.size();
    const auto plan = operation.plan(request);
    if (!plan) return fail(plan.error());
    auto done = runOnce(backend, **plan, {input, (*plan)->takesSecond ? input : Image()}, context);
    if (!done) return fail(done.error());
    return std::move(done->output);
}

}  // namespace

Result<RowImages> imagesOfRow(const BackendSet& backends, const PeerSet& peers,
                              const StepTiming& row, const Image& imageAtHand,
                              const RunContext& context) {
    const auto operation = requireOperation(row.operation);
    if (!operation) return fail(operation.error());
    if ((*operation)->description().kind == OperationKind::Analysis)
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("{} counts; it gives no image to look at", row.operation));
    const BackendPtr backend = backendOf(backends, peers, row);
    if (!backend || !backends.cpuSingle || !backends.cpu)
        return fail(ErrorCode::NotFound,
                    fmt::format("there is no {} here",
                                row.peer.empty() ? row.backendRequested.id() : row.peer));
    const auto input = inputOf(*backends.cpu, row, imageAtHand, context);
    if (!input) return fail(input.error());
    RowImages images;
    auto other = outputOf(*backend, **operation, row, row.variant, *input, context);
    if (!other) return fail(other.error());
    images.other = std::move(*other);
    auto reference =
        outputOf(*backends.cpuSingle, **operation, row, kAutomaticVariant, *input, context);
    if (!reference) return fail(reference.error());
    images.reference = std::move(*reference);
    return images;
}

}  // namespace warpscope
