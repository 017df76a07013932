#include "gui/app/latency_meter.h"

namespace warpscope::gui {
namespace {

// Edits that never reach the screen (live update off) must not pile up.
constexpr std::size_t kMaxStamps = 1024;

}  // namespace

LatencyMeter::LatencyMeter(QObject* parent, const Clock& clock) : QObject(parent), m_clock(clock) {}

void LatencyMeter::edited(std::uint64_t revision) {
    if (!m_stamps.empty() && m_stamps.back().revision >= revision) return;
    m_stamps.push_back({revision, m_clock.nowNs()});
    if (m_stamps.size() > kMaxStamps) m_stamps.pop_front();
}

void LatencyMeter::painted(std::uint64_t revision) {
    std::int64_t stamp = -1;
    while (!m_stamps.empty() && m_stamps.front().revision <= revision) {
        stamp = m_stamps.front().ns;  // the newest edit that this picture contains
        m_stamps.pop_front();
    }
    if (stamp < 0) return;
    m_lastMs = double(m_clock.nowNs() - stamp) * 1e-6;
    emit measured(m_lastMs);
}

void LatencyMeter::missed(std::uint64_t revision) {
    while (!m_stamps.empty() && m_stamps.front().revision <= revision) m_stamps.pop_front();
}

}  // namespace warpscope::gui
