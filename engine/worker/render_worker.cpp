#include "engine/worker/render_worker.h"

#include <exception>
#include <new>
#include <optional>
#include <utility>

#include "engine/worker/render_session.h"

namespace warpscope {

BackendSet RenderWorker::makeBackends() const {
    try {
        return m_factory();
    } catch (const std::exception& error) {
        return BackendSet::cpuOnly(error.what());
    }
}

void RenderWorker::process(RenderSession& session, const RenderRequest& request) {
    try {
        session.process(request);
    } catch (const std::bad_alloc&) {
        session.forgetAll();
        m_sink(RenderFailed{
            request.revision, {ErrorCode::OutOfMemory, "not enough memory for this chain"}, {}});
    } catch (const std::exception& error) {
        session.forgetAll();
        m_sink(RenderFailed{request.revision, {ErrorCode::Internal, error.what()}, {}});
    }
}

// Nothing is said where there is no memory for it: the figures stay away.
void RenderWorker::probe(RenderSession& session, const ProbeRequest& request) {
    const auto stop = m_slot.begin(WorkPhase::Probe);
    if (!stop) return;
    try {
        session.probe(request, *stop);
    } catch (const std::exception&) {
        session.forgetAll();
    }
}

void RenderWorker::work(std::uint64_t memoryBudgetBytes) {
    std::optional<RenderSession> session;
    const auto begin = [&] {
        // What the old ones hold on a device goes first.
        session.reset();
        BackendSet backends = makeBackends();
        m_sink(BackendsReady{backends});
        session.emplace(std::move(backends), memoryBudgetBytes, m_slot, m_sink);
    };
    begin();
    while (true) {
        const RequestSlot::Turn turn = m_slot.wait();
        if (turn.closing) return;
        if (turn.memoryBudget) {
            memoryBudgetBytes = *turn.memoryBudget;
            session->setMemoryBudget(memoryBudgetBytes);
        }
        if (turn.remakeBackends) begin();
        if (turn.droppedRevision) m_sink(Idle{*turn.droppedRevision});
        if (turn.probe) probe(*session, *turn.probe);
        if (!turn.request) continue;
        process(*session, *turn.request);
        if (!m_slot.superseded()) m_sink(Idle{turn.request->revision});
    }
}

RenderWorker::RenderWorker(BackendFactory factory, RenderEventSink sink,
                           std::uint64_t memoryBudgetBytes)
    : m_factory(std::move(factory)),
      m_sink(std::move(sink)),
      m_thread([this, memoryBudgetBytes] { work(memoryBudgetBytes); }) {}

}  // namespace warpscope
