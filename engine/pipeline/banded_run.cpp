#include "engine/pipeline/banded_run.h"

#include <algorithm>
#include <cstring>

namespace warpscope {
namespace {

constexpr int kLeastRows = 8;

// Lower ones would be halo more than anything else: a CPU is as quick then.
int leastRows(const Plan& plan) {
    return std::max(kLeastRows, plan.halo / 4);
}

Rect within(const Rect& part, const Rect& frame) {
    return {part.x - frame.x, part.y - frame.y, part.width, part.height};
}

// The rectangle `band` of the (reduced) output.
Result<Image> runBand(Backend& backend, const Plan& plan, const Rect& band,
                      const PartPlanner& planFor, const StepImages& in, const RunContext& context,
                      int& runs) {
    if (context.stop.stop_requested()) return cancelled();
    Placement place = plan.place;
    place.part = intersect(plan.neededInput(band), plan.place.part);
    if (place.part.empty())
        return fail(ErrorCode::Unsupported, "a band that nothing of the image belongs to");
    const auto own = planFor(place);
    if (!own)
        return fail(
            own.error().code == ErrorCode::Cancelled ? own.error().code : ErrorCode::Unsupported,
            own.error().message);
    const Rect made = (*own)->outputPlace.part;
    if ((*own)->output != plan.output || (*own)->size != place.part.size() || !contains(made, band))
        return fail(ErrorCode::Unsupported, "a part has another result than the whole");
    const Rect taken = within(place.part, plan.place.part);
    const StepImages cut{in.first.crop(taken),
                         in.second.isNull() ? Image() : in.second.crop(taken)};
    const auto image = runAndFetch(backend, **own, cut, context, runs);
    if (!image) return fail(image.error());
    return image->crop(within(band, made));
}

RunContext contextOfRows(const RunContext& context, int first, int count, int all) {
    if (!context.progress) return context;
    return {context.stop, [&sink = context.progress, first, count, all](double fraction) {
                sink((first + fraction * count) / all);
            }};
}

}  // namespace

bool worksInBands(const Plan& plan) {
    const OperationDescription& description = plan.operation->description();
    return (!description.dependsOnWholeImage || description.mapsLevels) &&
           !description.isWrongOnPurpose(plan.variant) && plan.place.scale == 1.0;
}

Result<Image> runAndFetch(Backend& backend, const Plan& plan, const StepImages& in,
                          const RunContext& context, int& runs) {
    const RunContext quiet{context.stop, {}};
    BufferPtr output;
    {
        auto first = backend.upload(in.first, quiet);
        if (!first) return fail(first.error());
        StepBuffers buffers(std::move(*first));
        if (plan.takesSecond) {
            auto second = backend.upload(in.second, quiet);
            if (!second) return fail(second.error());
            buffers.second = std::move(*second);
        }
        auto made = backend.run(plan, buffers, context);
        if (!made) return fail(made.error());
        ++runs;
        output = std::move(*made);
    }
    return backend.download(output, quiet);
}

Result<BandedOutput> runInBands(Backend& backend, const Plan& plan, const PartPlanner& planFor,
                                const StepImages& in, const RunContext& context, int& runs) {
    auto whole = MutableImage::create(plan.output, plan.outputSize);
    if (!whole) return fail(whole.error());
    const Rect& all = plan.outputPlace.part;
    const auto rowBytes = std::size_t(all.width) * std::size_t(bytesPerPixel(plan.output));
    const int least = leastRows(plan);
    int rows = (all.height + 1) / 2;
    if (rows < least) return fail(ErrorCode::OutOfMemory, "too low an image for bands");
    int bands = 0;
    for (int done = 0; done < all.height;) {
        const int height = std::min(rows, all.height - done);
        const Rect band{all.x, all.y + done, all.width, height};
        const auto made = runBand(backend, plan, band, planFor, in,
                                  contextOfRows(context, done, height, all.height), runs);
        if (made) {
            for (int y = 0; y < height; ++y)
                std::memcpy(whole->rowBytes(done + y), made->rowBytes(y), rowBytes);
            done += height;
            ++bands;
            continue;
        }
        if (made.error().code != ErrorCode::OutOfMemory) return fail(made.error());
        rows = (height + 1) / 2;
        if (rows < least || rows == height) return fail(made.error());
    }
    return BandedOutput{std::move(*whole).freeze(outputInfo(plan, in.first.info())), bands};
}

}  // namespace warpscope
