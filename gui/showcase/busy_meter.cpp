#include "gui/showcase/busy_meter.h"

namespace warpscope::gui {

void BusyMeter::look() {
    const double now = double(m_clock.nowNs()) * 1e-6;
    if (!m_readings.empty() && now - m_readings.back().ms < kEveryMs) return;
    m_readings.push_back({now, readConditions("", m_folders, nullptr).cpu});
    while (m_readings.size() > 2 && now - m_readings.front().ms > kOverMs) m_readings.pop_front();
}

std::optional<double> BusyMeter::otherWork() const {
    if (m_readings.size() < 2) return std::nullopt;
    return otherWorkPart(m_readings.front().cpu, m_readings.back().cpu);
}

}  // namespace warpscope::gui
