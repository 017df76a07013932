#include "gui/showcase/frame_times.h"

#include <vector>

#include "engine/measure/timing.h"

namespace warpscope::gui {

void FrameStatistics::add(const FrameTimes& times) {
    m_recent.push_back(times);
    m_recentMs += times.totalMs;
    ++m_counted;
    while (m_recent.size() > kLeast &&
           (m_recentMs - m_recent.front().totalMs >= kWindowMs || m_recent.size() > kMost)) {
        m_recentMs -= m_recent.front().totalMs;
        m_recent.pop_front();
    }
}

void FrameStatistics::clear() {
    *this = {};
}

FrameStatistics::Summary FrameStatistics::summary() const {
    Summary summary;
    summary.frames = m_recent.size();
    if (m_recent.empty()) return summary;
    const auto median = [&](double FrameTimes::*part) {
        std::vector<double> values;
        values.reserve(m_recent.size());
        for (const FrameTimes& times : m_recent) values.push_back(times.*part);
        return summarizeSamples(std::move(values)).medianMs;
    };
    summary.median = {median(&FrameTimes::totalMs), median(&FrameTimes::uploadMs),
                      median(&FrameTimes::kernelMs), median(&FrameTimes::downloadMs)};
    return summary;
}

}  // namespace warpscope::gui
