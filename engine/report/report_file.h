// Timing results as files, warpscope-timings/2: written, and those of this or another machine read
// back.
#pragma once

#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/measure/timing_report.h"

namespace warpscope {

std::string toJson(const TimingReport& report);  // indented, ends with a line feed

// The same as JSON Lines, each a text with a line feed, for runs that are read while they go on or
// that may be cut off: a head, each row whenever it is known better (the last line of an index
// counts), an end.
std::string toJsonLinesHead(const TimingReport& report);
std::string toJsonLine(std::size_t index, const StepTiming& row);
std::string toJsonLinesEnd(const TimingReport& report);
std::string toJsonLines(const TimingReport& report);  // all of them

// Reads what toJson or the lines wrote (lines without an end are a run that is not complete), also
// that of older versions, which have fewer keys (those
// are then 0, -1 or empty). A row without figures has n = 0 and its reason in `error`. Unknown keys
// are ignored, so that a later /1 can have more. Errors: InvalidArgument with the place for text
// that is no JSON, a missing key or a wrong type ("results[3].median_ms must be a number"); a
// negative figure, a size outside 1 to kMaxSide; Unsupported for another schema or a later version
// of it; LimitExceeded beyond 64 MiB. At most 100,000 rows.
Result<TimingReport> parseTimings(std::string_view json);

// The same from a file. Errors name the file; Io where it cannot be read.
Result<TimingReport> loadTimings(const std::string& file);

}  // namespace warpscope
