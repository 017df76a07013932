// How long the frames of one side took, lately.
#pragma once

#include <cstdint>
#include <deque>

#include "engine/measure/timing.h"

namespace warpscope::gui {

// Of one frame. `totalMs`: from the image on the host to the result on the host; the rest is a part
// of it, between device events, and 0 on the CPU.
struct FrameTimes {
    double totalMs = 0;
    double uploadMs = 0;
    double kernelMs = 0;
    double downloadMs = 0;
};

// Medians over the frames of the last second of the side's own time, at least three where there are
// three, at most 4,096.
class FrameStatistics {
  public:
    static constexpr double kWindowMs = 1000;
    static constexpr std::size_t kLeast = 3;
    static constexpr std::size_t kMost = 4096;

    // `newRound`: the first of a turn, see SampleSummary::rounds. `worked`: how many threads of the
    // CPU did any of it; 0: not known.
    void add(const FrameTimes& times, bool newRound = false, int worked = 0);
    void clear();

    struct Summary {
        std::size_t frames = 0;  // that the medians are of; 0: nothing is known yet
        FrameTimes median;
        // With 95% intervals where there were several turns; else with n = 0.
        SampleSummary total = {}, kernels = {};
        int threadsWorked = 0;  // median; 0: not known
        double spanMs = 0;      // sum of the frames
        double framesPerSecond() const {
            return frames > 0 && median.totalMs > 0 ? 1000.0 / median.totalMs : 0;
        }
        // Enough for a ratio: a handful of short frames may all have met the same disturbance.
        bool believable() const { return frames >= 20 || double(frames) * median.totalMs >= 250; }
    };
    Summary summary() const;
    std::uint64_t counted() const { return m_counted; }  // since clear()

  private:
    SampleSummary inRounds(double FrameTimes::*part) const;

    struct Frame {
        FrameTimes times;
        std::uint64_t round = 0;
        int worked = 0;
    };
    std::deque<Frame> m_recent;
    double m_recentMs = 0;
    std::uint64_t m_round = 0;
    std::uint64_t m_counted = 0;
};

}  // namespace warpscope::gui
