// Which kernel span belongs to which step.
#pragma once

#include <string>
#include <vector>

#include "engine/backend/backend.h"

namespace warpscope {

// One call of Backend::run, in the order of the calls.
struct RunRecord {
    std::string operation;
    int report = -1;  // index of the step's report; -1 for helper runs that no report shows
};

// Number of the record that each span's kernel belongs to; -1 for transfers and for kernels that no
// record explains. Assigned as in kernelMsOfRuns; of runs of one operation that follow each other
// the first takes what cannot be told apart.
std::vector<int> recordsOfSpans(const std::vector<Span>& spans, const std::vector<RunRecord>& runs);

// Milliseconds of kernels for each record. A backend records one span a run, or several with the
// operation's id as label; runs of one operation that follow each other share theirs evenly then.
std::vector<double> kernelMsOfRuns(const std::vector<Span>& spans,
                                   const std::vector<RunRecord>& runs);

}  // namespace warpscope
