// How long the frames of one side took, lately.
#pragma once

#include <cstdint>
#include <deque>

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

    void add(const FrameTimes& times);
    void clear();

    struct Summary {
        std::size_t frames = 0;  // that the medians are of; 0: nothing is known yet
        FrameTimes median;
        double framesPerSecond() const {
            return frames > 0 && median.totalMs > 0 ? 1000.0 / median.totalMs : 0;
        }
        // Enough for a ratio: a handful of short frames may all have met the same disturbance.
        bool believable() const { return frames >= 20 || double(frames) * median.totalMs >= 250; }
    };
    Summary summary() const;
    std::uint64_t counted() const { return m_counted; }  // since clear()

  private:
    std::deque<FrameTimes> m_recent;
    double m_recentMs = 0;
    std::uint64_t m_counted = 0;
};

}  // namespace warpscope::gui
