#include "cuda_kernels/runtime/warm_up.h"

#include <algorithm>

#include "cuda_kernels/runtime/runner.h"
#include "engine/operations/registry.h"

namespace warpscope::cuda {

Result<void> warmUp(Backend& backend) {
    constexpr Size kTiny{3, 3};
    const auto warmOne = [&](const CudaRunner& runner, const PlanRequest& request,
                             const BufferPtr& input) -> Result<void> {
        auto plan = findOperation(runner.operation)->plan(request);
        // Not every combination of parameters, format and variant makes a plan; those that do not
        // have no kernels either.
        if (!plan || !canRun(runner, **plan)) return {};
        if (runner.givesImage()) {
            if (auto done = backend.run(**plan, {input, input}, {}); !done)
                return fail(done.error());
        } else if (auto done = backend.analyze(**plan, input, {}); !done) {
            return fail(done.error());
        }
        return {};
    };
    for (const PixelFormat format : kAllPixelFormats) {
        auto samples = MutableImage::create(format, kTiny);
        if (!samples) return fail(samples.error());
        for (int y = 0; y < kTiny.height; ++y)
            std::fill_n(samples->rowBytes(y), samples->pitch(), std::byte{0});
        auto input = backend.upload(std::move(*samples).freeze({}), {});
        if (!input) return fail(input.error());
        for (const CudaRunner* runner : allRunners()) {
            const OperationDescription& description =
                findOperation(runner->operation)->description();
            if (!description.acceptsFormat(format)) continue;
            const std::vector<ParamSet> sets = warmUpsOf(*runner, description);
            for (const ParamSet& given : sets) {
                auto parameters = resolveParameters(description.parameters, given);
                if (!parameters) return fail(parameters.error());
                for (const VariantSpec& variant : description.variants) {
                    if (runner->variantsNeedOneWarmUp && &given != &sets.front() &&
                        variant.id != kAutomaticVariant)
                        continue;
                    const PlanRequest request{*parameters, variant.id, format, kTiny};
                    if (auto done = warmOne(*runner, request, *input); !done) return done;
                }
            }
        }
        if (auto back = backend.download(*input, {}); !back) return fail(back.error());
    }
    for (const CudaRunner* runner : allRunners())
        if (runner->loadKernels) runner->loadKernels();
    return backend.synchronize();
}

}  // namespace warpscope::cuda
