// From which image size on one side is faster.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/measure/timing.h"

namespace warpscope {

// Where one curve of milliseconds against pixels goes below another by a twentieth, and by more
// than the figures are sure (the 95% interval of the faster below that of the slower; of one round,
// its 90th percentile below the 10th of the slower): less is a draw, which nobody wins. Between two
// measured sizes the place is interpolated on the straight line in log-log; nothing is
// extrapolated.
struct Crossing {
    enum class Kind {
        NoData,      // fewer than two sizes with figures that agree
        Always,      // wins at every measured size
        Never,       // at none
        From,        // wins from `pixels` on, up to the largest measured size
        UpTo,        // wins up to `pixels`
        Changeable,  // changes sides more than once
    };
    Kind kind = Kind::NoData;
    double pixels = 0;  // From, UpTo
    Size size;          // the same as a size in words: sides rounded to two digits
    int wins = 0;       // at how many of the measured sizes
    int sizes = 0;
};

// One operation, variant, set of parameters, format and temperature.
struct BreakEven {
    StepTiming step;  // a row of it, for its names; figures mean nothing here
    SpeedupSubject subject = SpeedupSubject::GpuKernels;  // or AllCores
    int baselineThreads = 0;
    bool best = false;                 // against the fastest of the CPU, whatever its variant
    Crossing kernels;                  // all cores: the whole operation
    std::optional<Crossing> endToEnd;  // GPU only

    bool ofGpu() const { return subject != SpeedupSubject::AllCores; }
};

struct SizedTime {
    Size size;
    double ms = 0;
    double low = 0, high = 0;  // 0: the spread is not known
};
// Sizes that stand in both lists are compared; order and doubles do not matter.
Crossing findCrossing(const std::vector<SizedTime>& subject,
                      const std::vector<SizedTime>& baseline);

// For each series of the rows: the GPU against the best of the CPU, the GPU against one thread, all
// cores against one thread. Rows whose results are outside the rule and rows that are noisy take no
// part; peers neither, nor those of all cores where one thread did the work.
std::vector<BreakEven> breakEven(const std::vector<StepTiming>& rows);

// Why there is none of a report: "None is said: rows of the CPU are noisy.", that no operation has
// two sizes, that there is nothing to compare.
std::string noBreakEvenText(const std::vector<StepTiming>& rows);

// What counts as a win, in words for a reader.
std::string drawRule();
// "the GPU wins against the best of the CPU (16 threads) from 300 x 300, end to end from 900 x
// 700"; "at every measured size"; "at none"; "" without data.
std::string describe(const BreakEven& breakEven);
// "from 300 x 300", "up to 2000 x 1100", "at every measured size", "at no measured size", "at 3 of
// 5 measured sizes", "".
std::string describe(const Crossing& crossing);

}  // namespace warpscope
