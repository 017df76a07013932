// The thread that computes for the window. Requests go into a one-place slot (the latest wins);
// results come back through a callback on this thread, which the window's bridge turns into a
// queued call.
#pragma once

#include <thread>

#include "engine/worker/request_slot.h"

namespace warpscope {

class RenderSession;

class RenderWorker {
  public:
    using BackendFactory = std::function<BackendSet()>;  // called on the worker thread

    // `sink` is called on the worker thread.
    RenderWorker(BackendFactory factory, RenderEventSink sink, std::uint64_t memoryBudgetBytes);
    ~RenderWorker() { m_slot.close(); }  // cancels and joins, within one row band or launch
    RenderWorker(const RenderWorker&) = delete;
    RenderWorker& operator=(const RenderWorker&) = delete;

    // Any thread; never waits. A draft that has begun is finished unless the image, the list of
    // steps or the backend changed; other work gives way at once. Timings also give way to a
    // request for more figures of the same result, which takes them anew if it asks for them.
    void submit(RenderRequest request) { m_slot.submit(std::move(request)); }

    // Any thread; never waits. Of requests that wait only the latest is answered, with ProbeReady.
    void probe(ProbeRequest request) { m_slot.probe(std::move(request)); }

    // Stops what is running and drops what waits; the worker stays ready. Twice does no harm.
    void cancel() { m_slot.cancel(); }

    void setMemoryBudget(std::uint64_t bytes) { m_slot.setMemoryBudget(bytes); }

    // Any thread; never waits. Asks the factory anew once what runs has ended, in BackendsReady; a
    // request that waits, or comes, is answered by the new ones.
    void remakeBackends() { m_slot.remakeBackends(); }

  private:
    void work(std::uint64_t memoryBudgetBytes);
    BackendSet makeBackends() const;
    void process(RenderSession& session, const RenderRequest& request);
    void probe(RenderSession& session, const ProbeRequest& request);

    // Constant, and used by the worker's thread alone.
    const BackendFactory m_factory;
    const RenderEventSink m_sink;
    RequestSlot m_slot;
    std::jthread m_thread;  // last: it uses everything above
};

}  // namespace warpscope
