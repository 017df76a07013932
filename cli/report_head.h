// The head of a timing report: program, machine, date.
#pragma once

#include "engine/backend/backend_set.h"
#include "engine/measure/timing_report.h"

namespace warpscope::cli {

TimingReport reportHead(const BackendSet& backends);

}  // namespace warpscope::cli
