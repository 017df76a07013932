#include "engine/worker/request_slot.h"

#include <utility>

namespace warpscope {
namespace {

std::uint64_t idOf(const PyramidPtr& image) {
    return image && !image->levels.empty() ? image->levels.front().id() : 0;
}

}  // namespace

RequestStructure::RequestStructure(const RenderRequest& request)
    : m_image(idOf(request.source)), m_backend(request.backend) {
    for (const Step& step : request.pipeline.steps)
        m_steps.push_back({step.operation, step.variant, step.enabled});
}

RequestContent RequestContent::of(const RenderRequest& request) {
    return {idOf(request.source), idOf(request.second), request.backend,
            request.pipeline,     request.region,       request.interactive};
}

RequestFigures RequestFigures::of(const RenderRequest& request) {
    return {request.analysis, request.stepHistograms, request.difference.has_value()};
}

bool RequestFigures::isMoreThan(const RequestFigures& other) const {
    return difference || (stepHistograms && !other.stepHistograms) ||
           (analysis && analysis != other.analysis);
}

void RequestSlot::submit(RenderRequest request) {
    RequestStructure structure(request);
    const RequestContent content = RequestContent::of(request);
    const RequestFigures figures = RequestFigures::of(request);
    std::optional<RenderRequest> overwritten;  // its image is let go outside the lock
    {
        const std::lock_guard lock(m_mutex);
        // A slow result must come to its end while somebody looks around: panning does not stop it.
        const bool timing = m_phase == WorkPhase::Timings;
        const bool otherResult = (timing || m_phase == WorkPhase::Rest) && content != m_content;
        const bool moreFigures = timing && figures.isMoreThan(m_figures);
        if (m_running &&
            (m_phase == WorkPhase::Probe || otherResult || moreFigures || structure != m_structure))
            m_stop.request_stop();
        overwritten = std::exchange(m_pending, std::move(request));
    }
    m_wake.notify_one();
}

void RequestSlot::probe(ProbeRequest request) {
    std::optional<ProbeRequest> overwritten;
    {
        const std::lock_guard lock(m_mutex);
        if (m_running && m_phase == WorkPhase::Probe) m_stop.request_stop();
        overwritten = std::exchange(m_probe, std::move(request));
    }
    m_wake.notify_one();
}

std::optional<ProbeRequest> RequestSlot::takeProbe() {
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_probe, std::nullopt);
}

void RequestSlot::cancel() {
    std::optional<RenderRequest> dropped;
    {
        const std::lock_guard lock(m_mutex);
        dropped = std::exchange(m_pending, std::nullopt);
        if (dropped) m_droppedRevision = dropped->revision;
        if (m_running) {
            m_cancelled = true;
            m_stop.request_stop();
        }
    }
    m_wake.notify_one();
}

void RequestSlot::setMemoryBudget(std::uint64_t bytes) {
    {
        const std::lock_guard lock(m_mutex);
        m_memoryBudget = bytes;
    }
    m_wake.notify_one();
}

void RequestSlot::remakeBackends() {
    {
        const std::lock_guard lock(m_mutex);
        m_remakeBackends = true;
    }
    m_wake.notify_one();
}

void RequestSlot::close() {
    {
        const std::lock_guard lock(m_mutex);
        m_closing = true;
        m_stop.request_stop();
    }
    m_wake.notify_one();
}

RequestSlot::Turn RequestSlot::wait() {
    std::unique_lock lock(m_mutex);
    m_running = false;
    m_cancelled = false;
    m_phase = WorkPhase::Between;
    m_wake.wait(lock, [this] {
        return m_closing || m_pending || m_probe || m_memoryBudget || m_droppedRevision ||
               m_remakeBackends;
    });
    Turn turn;
    turn.closing = m_closing;
    turn.remakeBackends = std::exchange(m_remakeBackends, false);
    turn.memoryBudget = std::exchange(m_memoryBudget, std::nullopt);
    turn.droppedRevision = std::exchange(m_droppedRevision, std::nullopt);
    turn.request = std::exchange(m_pending, std::nullopt);
    if (turn.request) {
        m_running = true;
        m_structure = RequestStructure(*turn.request);
        m_content = RequestContent::of(*turn.request);
        m_figures = RequestFigures::of(*turn.request);
    } else if (m_probe) {
        turn.probe = std::exchange(m_probe, std::nullopt);
        m_running = true;
    }
    return turn;
}

std::optional<std::stop_token> RequestSlot::begin(WorkPhase phase) {
    const std::lock_guard lock(m_mutex);
    if (m_closing || m_cancelled || m_pending) return std::nullopt;
    m_phase = phase;
    m_stop = std::stop_source();
    return m_stop.get_token();
}

bool RequestSlot::superseded() const {
    const std::lock_guard lock(m_mutex);
    return m_closing || m_pending.has_value();
}

}  // namespace warpscope
