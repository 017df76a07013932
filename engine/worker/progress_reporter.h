// Turns fractions into ProgressChanged events that a person can use: none for short work, not too
// many for long work.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "engine/base/clock.h"
#include "engine/worker/render_request.h"

namespace warpscope {

// Made on the worker's thread; lives as long as one request.
class ProgressReporter {
  public:
    ProgressReporter(std::uint64_t revision, const RenderEventSink& sink,
                     const Clock& clock = steadyClock());

    // What the fractions that follow belong to: one name, or one for each equal part.
    void begin(std::vector<std::string> parts);
    void update(double fraction);
    // Refers to this object.
    RunContext context(std::stop_token stop);

  private:
    static constexpr double kSilentMs = 300;
    static constexpr double kIntervalMs = 50;

    const std::uint64_t m_revision;
    const RenderEventSink& m_sink;
    const std::thread::id m_thread = std::this_thread::get_id();
    Stopwatch m_started;
    Stopwatch m_sinceLast;
    bool m_anySent = false;
    std::vector<std::string> m_parts;
};

}  // namespace warpscope
