#include "engine/pipeline/source_beneath.h"

#include "engine/pipeline/chain_shape.h"

namespace warpscope {

Pipeline movingSteps(const Pipeline& pipeline, PixelFormat format, Size size) {
    const ComputablePart part = computablePart(pipeline, format, Placement::all(size));
    Pipeline moving;
    for (const ShapedStep& step : part.shape.steps)
        if (step.plan && step.plan->movesPixels())
            moving.steps.push_back(pipeline.steps[step.index]);
    return moving;
}

Result<Image> sourceBeneath(Executor& executor, ExecuteRequest request, Size result,
                            const RunContext& context) {
    Image beneath = request.source;
    request.pipeline = movingSteps(request.pipeline, beneath.format(), beneath.size());
    if (!request.pipeline.steps.empty()) {
        auto moved = executor.run(std::move(request), context);
        if (!moved) {
            const ErrorCode code = moved.error().code;
            if (code == ErrorCode::Cancelled || code == ErrorCode::OutOfMemory)
                return fail(moved.error());
            return Image();
        }
        beneath = std::move(moved->image);
    }
    return beneath.size() == result ? std::move(beneath) : Image();
}

}  // namespace warpscope
