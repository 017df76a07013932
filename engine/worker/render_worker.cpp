#include "engine/worker/render_worker.h"

#include <exception>
#include <new>
#include <thread>
#include <utility>

#include "engine/worker/render_session.h"
#include "engine/worker/request_slot.h"

namespace warpscope {

class RenderWorker::Impl {
  public:
    Impl(BackendFactory factory, EventSink sink, std::uint64_t memoryBudgetBytes)
        : m_factory(std::move(factory)),
          m_sink(std::move(sink)),
          m_memoryBudget(memoryBudgetBytes),
          m_thread([this] { work(); }) {}

    ~Impl() { m_slot.close(); }

    RequestSlot& slot() { return m_slot; }

  private:
    void work();
    BackendSet makeBackends() const;
    void process(RenderSession& session, const RenderRequest& request);

    const BackendFactory m_factory;  // used by the worker's thread alone, as is m_sink
    const EventSink m_sink;
    const std::uint64_t m_memoryBudget;
    RequestSlot m_slot;
    std::jthread m_thread;  // last: it uses everything above
};

BackendSet RenderWorker::Impl::makeBackends() const {
    try {
        return m_factory();
    } catch (const std::exception& error) {
        return BackendSet::cpuOnly(error.what());
    }
}

void RenderWorker::Impl::process(RenderSession& session, const RenderRequest& request) {
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

void RenderWorker::Impl::work() {
    BackendSet backends = makeBackends();
    m_sink(BackendsReady{backends});
    RenderSession session(std::move(backends), m_memoryBudget, m_slot, m_sink);
    while (true) {
        const RequestSlot::Turn turn = m_slot.wait();
        if (turn.closing) return;
        if (turn.memoryBudget) session.setMemoryBudget(*turn.memoryBudget);
        if (turn.droppedRevision) m_sink(Idle{*turn.droppedRevision});
        if (!turn.request) continue;
        process(session, *turn.request);
        if (!m_slot.superseded()) m_sink(Idle{turn.request->revision});
    }
}

RenderWorker::RenderWorker(BackendFactory factory, EventSink sink, std::uint64_t memoryBudgetBytes)
    : m_impl(std::make_unique<Impl>(std::move(factory), std::move(sink), memoryBudgetBytes)) {}
RenderWorker::~RenderWorker() = default;

void RenderWorker::submit(RenderRequest request) {
    m_impl->slot().submit(std::move(request));
}

void RenderWorker::cancel() {
    m_impl->slot().cancel();
}

void RenderWorker::setMemoryBudget(std::uint64_t bytes) {
    m_impl->slot().setMemoryBudget(bytes);
}

}  // namespace warpscope
