#include "engine/worker/progress_reporter.h"

#include <algorithm>
#include <utility>

namespace warpscope {

ProgressReporter::ProgressReporter(std::uint64_t revision, const RenderEventSink& sink,
                                   const Clock& clock)
    : m_revision(revision), m_sink(sink), m_started(clock), m_sinceLast(clock) {}

void ProgressReporter::begin(std::vector<std::string> parts) {
    m_parts = std::move(parts);
}

void ProgressReporter::update(double fraction) {
    // Row bands report from every thread of the pool. The worker's own thread works on bands too,
    // so its reports are enough, and events stay on one thread.
    if (std::this_thread::get_id() != m_thread || m_parts.empty()) return;
    if (m_started.elapsedMs() < kSilentMs) return;
    if (m_anySent && m_sinceLast.elapsedMs() < kIntervalMs) return;
    m_anySent = true;
    m_sinceLast.restart();
    const double known = std::clamp(fraction, 0.0, 1.0);
    const auto part = std::min(std::size_t(known * double(m_parts.size())), m_parts.size() - 1);
    m_sink(ProgressChanged{m_revision, known, m_parts[part]});
}

RunContext ProgressReporter::context(std::stop_token stop) {
    return {std::move(stop), [this](double fraction) { update(fraction); }};
}

}  // namespace warpscope
