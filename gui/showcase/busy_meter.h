// How much of this machine other programs take while the demo runs.
#pragma once

#include <deque>
#include <optional>

#include "engine/base/clock.h"
#include "engine/measure/conditions.h"

namespace warpscope::gui {

class BusyMeter {
  public:
    static constexpr double kEveryMs = 1000;
    static constexpr double kOverMs = 4000;

    explicit BusyMeter(SystemFolders folders = {}, const Clock& clock = steadyClock())
        : m_folders(std::move(folders)), m_clock(clock) {}

    // Reads the counters, unless that was less than kEveryMs ago. To be called between turns.
    void look();
    // Share of all CPUs over the last kOverMs or so, 0 to 1; nothing where it is not known (yet).
    std::optional<double> otherWork() const;

  private:
    struct Reading {
        double ms = 0;
        CpuConditions cpu;
    };
    const SystemFolders m_folders;
    const Clock& m_clock;
    std::deque<Reading> m_readings;
};

}  // namespace warpscope::gui
