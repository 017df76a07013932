// Why a step is as fast as it is: its operations a byte against what the machine copies and
// computes (the roofline model of Williams, Waterman and Patterson, 2009).
#pragma once

#include <optional>
#include <string>

#include "engine/backend/backend_set.h"
#include "engine/measure/timing_report.h"

namespace warpscope {

// 0: not measured.
struct MachinePeaks {
    ArithmeticPeak cpuSingle;
    ArithmeticPeak cpu;
    ArithmeticPeak gpu;

    // Of the place where a row was measured, for samples of its format.
    double gopsFor(const StepTiming& row) const;
};

// On the spot, under a second. A backend that is missing or cannot stays 0. Errors: Cancelled.
Result<MachinePeaks> measurePeaks(const BackendSet& backends, const RunContext& context);

// Those that a report's machine was measured at, and the other way.
MachinePeaks peaksOf(const MachineInfo& machine);
void setPeaks(MachineInfo& machine, const MachinePeaks& peaks);

// Plan::work of a row, whatever the variant; 0 where it moves pixels alone or this program does not
// know its operation.
double workOf(const StepTiming& row);

// What the place of a row copies in a second, 1e9 bytes; 0: not known.
double copyGbPerSFor(const StepTiming& row, const MachineInfo& machine);

// Above this share of copying, data came from a cache, or the copying was measured at a bad moment:
// nothing is bound by the memory then.
inline constexpr double kBeyondCopying = 1.1;

struct RooflinePoint {
    // Of what the definition needs, over the fewest bytes that must move.
    double opsPerByte = 0;
    // 1e9 operations and bytes in a second, at the median time.
    double gops = 0;
    double gbPerS = 0;
    // Of copying and of the arithmetic peak. Above 1 where a cache is faster than the memory, and
    // where an algorithm needs fewer operations than the definition or has better instructions. 0:
    // not known.
    double copyShare = 0;
    double arithmeticShare = 0;
    // Copying is the lower roof at so many operations a byte.
    bool memoryBound = false;
    // Not measured cold, and all that moves is smaller than the cache.
    bool fitsCache = false;

    // Of the lower roof.
    double share() const { return memoryBound ? copyShare : arithmeticShare; }
};

// Nothing where a row has no figures, or neither roof is known.
std::optional<RooflinePoint> rooflinePoint(const StepTiming& row, const MachineInfo& machine,
                                           const MachinePeaks& peaks);

// One sentence without a full stop: "87% of copying: bound by memory", "in the cache", without a
// per cent of copying, where all that moves fits there; "41% of the arithmetic peak: bound by
// arithmetic", "12% of copying and 3% of the arithmetic peak: bound by neither (latency, launches
// or synchronization)".
std::string whyThatFast(const RooflinePoint& point);

}  // namespace warpscope
