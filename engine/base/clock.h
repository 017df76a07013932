// The one clock. Tests put their own in.
#pragma once

#include <cstdint>

namespace warpscope {

class Clock {
  public:
    virtual ~Clock() = default;
    virtual std::int64_t nowNs() const = 0;  // monotonic
};

const Clock& steadyClock();

// Wall time since construction or restart.
class Stopwatch {
  public:
    explicit Stopwatch(const Clock& clock = steadyClock())
        : m_clock(&clock), m_start(clock.nowNs()) {}
    double elapsedMs() const { return double(m_clock->nowNs() - m_start) * 1e-6; }
    void restart() { m_start = m_clock->nowNs(); }

  private:
    const Clock* m_clock;
    std::int64_t m_start;
};

}  // namespace warpscope
