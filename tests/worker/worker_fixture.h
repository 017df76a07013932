// A render worker whose events are collected, with waiting that ends in a failure instead of
// hanging.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

#include "engine/worker/render_worker.h"
#include "pipeline/chains.h"
#include "pipeline/fake_backend.h"
#include "support/images.h"

namespace warpscope::test {

// Copies the events that matter to it; the sink runs on the worker's thread.
class EventLog {
  public:
    RenderEventSink sink() {
        return [this](RenderEvent event) {
            const std::lock_guard lock(m_mutex);
            m_events.push_back(std::move(event));
            m_threads.push_back(std::this_thread::get_id());
            m_changed.notify_all();
        };
    }

    template <class Predicate>
    bool waitFor(Predicate predicate, int timeoutMs = 60'000 * kSlowdown) {
        std::unique_lock lock(m_mutex);
        return m_changed.wait_for(lock, std::chrono::milliseconds(timeoutMs), [&] {
            for (const RenderEvent& event : m_events)
                if (predicate(event)) return true;
            return false;
        });
    }
    template <class Event>
    bool waitFor(std::uint64_t revision) {
        return waitFor([=](const RenderEvent& event) {
            const auto* found = std::get_if<Event>(&event);
            return found && found->revision == revision;
        });
    }
    bool waitForIdle(std::uint64_t revision) { return waitFor<Idle>(revision); }

    std::deque<RenderEvent> events() const {
        const std::lock_guard lock(m_mutex);
        return m_events;
    }
    template <class Event>
    std::vector<Event> all() const {
        std::vector<Event> found;
        for (const RenderEvent& event : events())
            if (const auto* one = std::get_if<Event>(&event)) found.push_back(*one);
        return found;
    }
    template <class Event>
    bool has(std::uint64_t revision) const {
        for (const Event& event : all<Event>())
            if (event.revision == revision) return true;
        return false;
    }
    bool oneThread() const {
        const std::lock_guard lock(m_mutex);
        for (const auto& id : m_threads)
            if (id != m_threads.front() || id == std::this_thread::get_id()) return false;
        return true;
    }

  private:
    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<RenderEvent> m_events;
    std::deque<std::thread::id> m_threads;
};

inline constexpr std::uint64_t kWorkerBudget = 512u << 20;

inline BackendSet realBackends() {
    return BackendSet::cpuOnly("no GPU in this test");
}

// Without the worker.
inline Image exactResult(const Image& image, const Pipeline& pipeline) {
    Executor executor(BackendSet::cpuOnly(""), kWorkerBudget);
    ExecuteRequest wanted;
    wanted.source = image;
    wanted.pipeline = pipeline;
    wanted.backend = BackendChoice::Cpu;
    return executor.run(wanted, {}).value().image;
}

inline PyramidPtr pyramidOf(const Image& image) {
    return std::make_shared<const Pyramid>(*buildPyramid(image, {}));
}

inline RenderRequest request(std::uint64_t revision, PyramidPtr source, Pipeline pipeline) {
    RenderRequest request;
    request.revision = revision;
    request.source = std::move(source);
    request.pipeline = std::move(pipeline);
    request.backend = BackendChoice::Cpu;
    if (request.source) {
        const Image& image = request.source->levels.front();
        request.viewport = {{0, 0, image.width(), image.height()}, 1.0};
    }
    request.compare = false;
    return request;
}

// Submits it and waits until the worker is done with it; false if that takes too long.
inline bool finishes(RenderWorker& worker, EventLog& log, const RenderRequest& request) {
    worker.submit(request);
    return log.waitForIdle(request.revision);
}

// A gate that a backend's run() waits at, so that a test knows what is under way.
class Gate {
  public:
    // Passes at once when open. False if nobody opened it for a long time.
    bool pass() {
        std::unique_lock lock(m_mutex);
        ++m_waiting;
        m_changed.notify_all();
        const bool opened = m_changed.wait_for(lock, std::chrono::seconds(60 * kSlowdown),
                                               [this] { return m_open; });
        --m_waiting;
        return opened;
    }
    bool waitUntilReached() {
        std::unique_lock lock(m_mutex);
        return m_changed.wait_for(lock, std::chrono::seconds(60 * kSlowdown),
                                  [this] { return m_waiting > 0; });
    }
    void open() {
        const std::lock_guard lock(m_mutex);
        m_open = true;
        m_changed.notify_all();
    }

  private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    bool m_open = false;
    int m_waiting = 0;
};

}  // namespace warpscope::test
