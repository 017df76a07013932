#include "gui/showcase/frame_times.h"

#include <algorithm>
#include <vector>

namespace warpscope::gui {

void FrameStatistics::add(const FrameTimes& times, bool newRound, int worked) {
    m_round += newRound;
    m_recent.push_back({times, m_round, worked});
    m_recentMs += times.totalMs;
    ++m_counted;
    while (m_recent.size() > kLeast &&
           (m_recentMs - m_recent.front().times.totalMs >= kWindowMs || m_recent.size() > kMost)) {
        m_recentMs -= m_recent.front().times.totalMs;
        m_recent.pop_front();
    }
}

void FrameStatistics::clear() {
    *this = {};
}

FrameStatistics::Summary FrameStatistics::summary() const {
    Summary summary;
    summary.frames = m_recent.size();
    summary.spanMs = m_recentMs;
    if (m_recent.empty()) return summary;
    const auto median = [&](double FrameTimes::*part) {
        std::vector<double> values;
        values.reserve(m_recent.size());
        for (const Frame& frame : m_recent) values.push_back(frame.times.*part);
        return summarizeSamples(std::move(values)).medianMs;
    };
    summary.median = {median(&FrameTimes::totalMs), median(&FrameTimes::uploadMs),
                      median(&FrameTimes::kernelMs), median(&FrameTimes::downloadMs)};
    if (m_recent.back().round > m_recent.front().round) {
        summary.total = inRounds(&FrameTimes::totalMs);
        // The figure lies within its interval.
        summary.median.totalMs = summary.total.medianMs;
        if (summary.median.kernelMs > 0) {
            summary.kernels = inRounds(&FrameTimes::kernelMs);
            summary.median.kernelMs = summary.kernels.medianMs;
        }
    }
    std::vector<int> worked;
    for (const Frame& frame : m_recent)
        if (frame.worked > 0) worked.push_back(frame.worked);
    if (!worked.empty()) {
        const auto middle = worked.begin() + std::ptrdiff_t(worked.size() / 2);
        std::nth_element(worked.begin(), middle, worked.end());
        summary.threadsWorked = *middle;
    }
    return summary;
}

SampleSummary FrameStatistics::inRounds(double FrameTimes::*part) const {
    Samples samples;
    for (std::size_t i = 0; i < m_recent.size();) {
        std::vector<double> round;
        const std::uint64_t number = m_recent[i].round;
        for (; i < m_recent.size() && m_recent[i].round == number; ++i)
            round.push_back(m_recent[i].times.*part);
        samples.addRound(round);
    }
    return summarizeRounds(samples);
}

}  // namespace warpscope::gui
