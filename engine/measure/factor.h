// How many times as fast one figure is as another, with what noise leaves of it.
#pragma once

#include <optional>

#include "engine/measure/timing.h"

namespace warpscope {

// A median with its interval.
struct TimedSide {
    const SampleSummary& summary;
    double ms = 0;  // end to end is a figure of its own
};

struct Factor {
    double value = 0;
    // Where either side is noisy: what it may be; both 0 where it is steady or not known.
    double low = 0;
    double high = 0;
};

// Nothing where either is no figure, is beyond all numbers, or is so unsure that it may be nothing
// at all.
std::optional<Factor> factorOf(const TimedSide& fast, const TimedSide& slow);

// Two runs of the same code may differ by a twentieth.
inline constexpr double kDrawBelow = 1.05;
// Nobody's win: less than a twentieth apart, or no further than the 95% intervals (of one round,
// 10th and 90th percentile).
bool isDraw(const TimedSide& a, const TimedSide& b);

// One side of a speedup: measured, ours, and with a result that agrees.
bool comparable(const StepTiming& row);

// The fastest that the CPU was measured to do this with, among rows of one input, whatever the
// variant and the number of threads; null: none.
const StepTiming* bestOfCpu(const std::vector<const StepTiming*>& rowsOfOneInput);

}  // namespace warpscope
