// A walk on a device that has too little memory for it: one step at a time is there, in bands where
// it must be, and all that lies between steps is on the host.
#include <fmt/format.h>

#include "engine/pipeline/banded_run.h"
#include "engine/pipeline/chain_run.h"

namespace warpscope {

std::string noGpuMemory(const Error& error) {
    return fmt::format("not enough GPU memory ({})", error.message);
}

PartPlanner ChainRun::partPlanner(std::size_t position) {
    const EnabledStep& step = m_steps[position];
    const bool freezes = step.operation->description().dependsOnWholeImage;
    // The same for all bands.
    auto whole = std::make_shared<Image>();
    const PlanRequest request{step.parameters, step.variant, m_value.format(), {}, {}};
    return [this, position, freezes, whole, request](const Placement& part) -> Result<PlanPtr> {
        PlanRequest own = request;
        own.size = part.part.size();
        own.place = part;
        const Operation& operation = *m_steps[position].operation;
        if (!freezes) return operation.plan(own);
        if (whole->isNull()) {
            auto seen =
                m_request.whole.isNull() ? Result<Image>(m_value.host) : wholeInputOf(position);
            if (!seen) return fail(seen.error());
            *whole = std::move(*seen);
        }
        return operation.freeze(own, *whole, cpuContext());
    };
}

Result<void> ChainRun::executeApart(std::size_t position, Prepared& step) {
    if (const auto there = bringToHost(m_value); !there) return there;
    if (const auto there = bringToHost(step.second); !there) return there;
    const StepImages in{m_value.host, step.second.host};
    const RunContext context = stepContext(position);
    noteDevice(m_backend);

    int runs = 0;
    const auto note = [&](bool shown) {
        const RunRecord record{step.plan->operation->description().id,
                               shown ? int(m_reports.size()) : -1};
        m_runs.insert(m_runs.end(), std::size_t(runs), record);
    };
    auto made = runAndFetch(m_backend, *step.plan, in, context, runs);
    if (!made) {
        const Error noRoom = made.error();
        if (noRoom.code != ErrorCode::OutOfMemory || !worksInBands(*step.plan)) {
            note(false);
            return fail(noRoom);
        }
        auto banded = runInBands(m_backend, *step.plan, partPlanner(position), in, context, runs);
        if (!banded) {
            note(false);
            const ErrorCode code = banded.error().code;
            const bool final = code == ErrorCode::Cancelled || code == ErrorCode::DeviceFault;
            return fail(final ? banded.error() : noRoom);
        }
        step.report.notices.push_back(
            fmt::format("in {} bands: GPU memory was too small", banded->bands));
        made = std::move(banded->image);
    }
    note(true);
    step.report.backend = m_backend.info().kind;
    // For the cache, which keeps buffers.
    auto kept = m_cpu.upload(*made, {});
    if (!kept) return fail(kept.error());
    m_value = {std::move(*made), std::move(*kept), &m_cpu, step.plan->outputPlace};
    return {};
}

}  // namespace warpscope
