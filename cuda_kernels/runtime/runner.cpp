#include "cuda_kernels/runtime/runner.h"

#include <fmt/format.h>

#include <string_view>

#include "cuda_kernels/runtime/launch_model.h"

namespace warpscope::cuda {

void KernelContext::checkStop() const {
    if (m_run.stop.stop_requested()) throw Stopped{};
}

int KernelContext::rowsPerLaunch(std::int64_t bytesPerRow,
                                 std::int64_t multiplicationsPerRow) const {
    return rowsWithin(traits().bytesPerLaunch, traits().multiplicationsPerLaunch, bytesPerRow,
                      multiplicationsPerRow);
}

void KernelContext::pace() {
    // While a graph is made nothing runs, so that there is nothing to wait for.
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    WARPSCOPE_CUDA(cudaStreamIsCapturing(stream(), &status));
    if (status != cudaStreamCaptureStatusNone) return;
    Event& slot = m_pace[m_paced++ % 2];
    // What was queued two bands ago must be done before more is queued.
    if (slot)
        slot.wait();
    else
        slot = Event::create(Event::Timing::Off);
    slot.record(stream());
}

const CudaRunner* findRunner(std::string_view operation) {
    for (const CudaRunner* runner : allRunners())
        if (runner->operation == operation) return runner;
    return nullptr;
}

std::string nameOf(const Plan& plan) {
    return plan.operation ? plan.operation->description().id : "a plan without its operation";
}

Result<const CudaRunner*> runnerFor(const Plan& plan) {
    const CudaRunner* runner = plan.operation ? findRunner(nameOf(plan)) : nullptr;
    if (!runner) return fail(ErrorCode::Unsupported, "there is no GPU code for " + nameOf(plan));
    if (auto can = canRun(*runner, plan); !can) return fail(can.error());
    return runner;
}

Result<void> canRun(const CudaRunner& runner, const Plan& plan) {
    if (runner.supports) return runner.supports(plan);
    // What changes nothing is handed on, whatever its samples are.
    if (plan.identity || bytesPerSample(plan.input) <= 2) return {};
    const bool filter = plan.operation->description().kind == OperationKind::Filter;
    if (filter && isFloat(plan.input)) return {};
    return fail(ErrorCode::Unsupported,
                fmt::format("the GPU code of {} takes 8 and 16-bit{} images, not {}",
                            runner.operation, filter ? " and float" : "", formatName(plan.input)));
}

std::vector<ParamSet> warmUpsOf(const CudaRunner& runner, const OperationDescription& description) {
    if (runner.warmUps) return runner.warmUps();
    std::vector<ParamSet> sets(1);
    for (const ParamSpec& parameter : description.parameters)
        for (const ChoiceSpec& choice : parameter.choices)
            if (ParamValue(choice.id) != parameter.defaultValue)
                sets.emplace_back().set(parameter.id, choice.id);
    return sets;
}

}  // namespace warpscope::cuda
