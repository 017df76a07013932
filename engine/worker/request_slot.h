// What the window's thread and the worker's share: the one-place slot and what may be stopped.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/worker/render_request.h"

namespace warpscope {

// What a draft does not survive a change of: image, backend, and which steps there are.
class RequestStructure {
  public:
    RequestStructure() = default;
    explicit RequestStructure(const RenderRequest& request);
    friend bool operator==(const RequestStructure&, const RequestStructure&) = default;

  private:
    struct StepShape {
        std::string operation;
        std::string variant;
        bool enabled = true;
        friend bool operator==(const StepShape&, const StepShape&) = default;
    };
    std::uint64_t m_image = 0;
    BackendChoice m_backend = BackendChoice::Auto;
    std::vector<StepShape> m_steps;
};

// What a result depends on: everything in the request but the part that is on the screen. Panning
// changes none of it.
struct RequestContent {
    std::uint64_t image = 0;
    std::uint64_t second = 0;
    BackendChoice backend = BackendChoice::Auto;
    Pipeline pipeline;
    std::optional<RegionShape> region;
    bool interactive = false;
    friend bool operator==(const RequestContent&, const RequestContent&) = default;

    static RequestContent of(const RenderRequest& request);
};

// What a request has read off its result, timings apart.
struct RequestFigures {
    std::optional<Step> analysis;
    bool stepHistograms = false;
    bool difference = false;

    static RequestFigures of(const RenderRequest& request);
    // Whether there is something among them that the other request did not ask for. A difference is
    // asked for once by each.
    bool isMoreThan(const RequestFigures& other) const;
};

enum class WorkPhase {
    Between,  // nothing runs that could be stopped
    Draft,    // ends by itself unless the structure changes
    Probe,    // gives way to any request
    Rest,     // gives way to anything newer that asks for another result
    Timings   // and to what asks for more figures of this one
};

// Thread-safe. submit, cancel, setMemoryBudget, remakeBackends and close never wait for work.
class RequestSlot {
  public:
    void submit(RenderRequest request);
    void probe(ProbeRequest request);  // the latest wins; a request goes first
    void cancel();
    void setMemoryBudget(std::uint64_t bytes);
    void remakeBackends();  // once what runs has ended
    void close();

    // What wait() found, in the order in which it is to be handled.
    struct Turn {
        bool closing = false;
        bool remakeBackends = false;
        std::optional<std::uint64_t> memoryBudget;
        std::optional<std::uint64_t> droppedRevision;  // cancelled while it waited
        std::optional<RenderRequest> request;
        std::optional<ProbeRequest> probe;  // only without a request
    };

    // For the worker thread. wait() ends the work before it and blocks until there is something to
    // do.
    Turn wait();
    // The token for a phase of the request that wait() gave; nothing if it is already out of date
    // or cancelled.
    std::optional<std::stop_token> begin(WorkPhase phase);
    // One that came meanwhile, for work that takes long.
    std::optional<ProbeRequest> takeProbe();
    // A newer request waits, or the worker is to end.
    bool superseded() const;

  private:
    mutable std::mutex m_mutex;
    std::condition_variable m_wake;
    // All guarded by m_mutex.
    std::optional<RenderRequest> m_pending;
    std::optional<ProbeRequest> m_probe;
    std::optional<std::uint64_t> m_memoryBudget;
    bool m_remakeBackends = false;
    std::optional<std::uint64_t> m_droppedRevision;
    bool m_closing = false;
    bool m_running = false;
    bool m_cancelled = false;      // the running one
    RequestStructure m_structure;  // of the running one
    RequestContent m_content;      // of the running one
    RequestFigures m_figures;      // of the running one
    WorkPhase m_phase = WorkPhase::Between;
    std::stop_source m_stop{std::nostopstate};
};

}  // namespace warpscope
