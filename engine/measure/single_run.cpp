#include "engine/measure/single_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

#include "engine/base/row_bands.h"
#include "engine/operations/registry.h"
#include "engine/pipeline/pipeline.h"

namespace warpscope {

Result<Measured> runOnce(Backend& backend, const Plan& plan, const StepImages& input,
                         const RunContext& context) {
    Measured measured;
    StepBuffers buffers;
    for (const auto& [image, buffer] :
         {std::pair(&input.first, &buffers.first), std::pair(&input.second, &buffers.second)}) {
        if (image->isNull()) continue;
        auto uploaded = backend.upload(*image, context);
        if (!uploaded) return fail(uploaded.error());
        *buffer = std::move(*uploaded);
    }
    if (plan.operation->description().kind == OperationKind::Analysis) {
        auto counts = backend.analyze(plan, buffers, context);
        if (!counts) return fail(counts.error());
        measured.counts = std::move(*counts);
    } else {
        const auto output = backend.run(plan, buffers, context);
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

Result<int> coldCopyCount(std::uint64_t inputBytes, std::uint64_t cacheBytes) {
    constexpr std::uint64_t kAssumedCache = 64u << 20;
    constexpr std::uint64_t kMostCopies = 32768;
    const std::uint64_t cache = cacheBytes > 0 ? cacheBytes : kAssumedCache;
    const std::uint64_t copies = std::max<std::uint64_t>(
        2, (cache + cache / 2) / std::max<std::uint64_t>(inputBytes, 1) + 1);
    if (copies > kMostCopies)
        return fail(ErrorCode::Unsupported,
                    fmt::format("the image is too small for a cold run: {} copies of it would be "
                                "needed to fill a cache of {} MiB",
                                copies, cache >> 20));
    return int(copies);
}

Result<std::vector<Image>> copiesOf(const Image& image, int count, std::stop_token stop) {
    std::vector<Image> copies(std::size_t(std::max(count, 0)));
    const std::size_t rowBytes =
        std::size_t(image.width()) * std::size_t(bytesPerPixel(image.format()));
    std::atomic<bool> outOfMemory{false};
    const auto copied = forEachRowBand(
        CpuContext{Threading::AllCores, std::move(stop), {}}, count, 1, [&](int begin, int end) {
            for (int i = begin; i < end; ++i) {
                auto copy = MutableImage::create(image.format(), image.size());
                if (!copy) {
                    outOfMemory = true;
                    return;
                }
                for (int y = 0; y < image.height(); ++y)
                    std::memcpy(copy->rowBytes(y), image.rowBytes(y), rowBytes);
                copies[std::size_t(i)] = std::move(*copy).freeze(image.info());
            }
        });
    if (!copied) return fail(copied.error());
    if (outOfMemory)
        return fail(ErrorCode::OutOfMemory, fmt::format("not enough memory for {} copies", count));
    return copies;
}

}  // namespace warpscope
