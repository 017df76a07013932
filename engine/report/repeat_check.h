// The same benchmark run twice: which of its figures came out again.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/measure/timing_report.h"

namespace warpscope {

struct RepeatedFigure {
    StepTiming before;
    StepTiming now;
    bool endToEnd = false;  // of a GPU row, which has two figures
    double beforeMs = 0;
    double nowMs = 0;
    double change = 0;   // of the time: 0.05 is a twentieth slower
    bool noisy = false;  // marked as such in either run: it promises nothing
    bool moved = false;  // changed by more than the tolerance, and surely: see checkRepeat

    bool slower() const { return moved && change > 0; }
};

struct RepeatCheck {
    std::vector<RepeatedFigure> figures;  // in the order of the first run
    std::size_t missing = 0;              // rows of the first run that the second has no figure of
    std::size_t wrong = 0;                // rows that agreed with the reference then and differ now
    double tolerance = 0;

    std::size_t moved() const;
    std::size_t slower() const;
    std::size_t noisy() const;
    // Of the figures that are not noisy; 0 without any.
    double medianChange() const;  // of |change|
    double largestChange() const;
    double medianChangeOfAll() const;  // noisy ones too
};

// `tolerance`: a share of the time, 0.05 a twentieth. A figure counts as moved where it changed by
// more than that and is not noisy; where `beyondIntervals`, noisy or not, if the 95% intervals do
// not meet either.
RepeatCheck checkRepeat(const TimingReport& before, const TimingReport& now, double tolerance,
                        bool beyondIntervals = false);

// A line a figure that moved or is noisy (`all`: each), a summary at the end, place by place.
std::string describe(const RepeatCheck& check, bool all = false);

}  // namespace warpscope
