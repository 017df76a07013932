// Timing results as files, warpscope-timings/1: written, and those of this or another machine read
// back.
#pragma once

#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/measure/timing_report.h"

namespace warpscope {

std::string toJson(const TimingReport& report);  // indented, ends with a line feed

// Reads what toJson wrote, also that of older versions, which have fewer keys (those
// are then 0, -1 or empty). A row without figures has n = 0 and its reason in `error`. Unknown keys
// are ignored, so that a later /1 can have more. Errors: InvalidArgument with the place for text
// that is no JSON, a missing key or a wrong type ("results[3].median_ms must be a number"); a
// negative figure, a size outside 1 to kMaxSide; Unsupported for another schema or a later version
// of it; LimitExceeded beyond 64 MiB. At most 100,000 rows.
Result<TimingReport> parseTimings(std::string_view json);

// The same from a file. Errors name the file; Io where it cannot be read.
Result<TimingReport> loadTimings(const std::string& file);

}  // namespace warpscope
