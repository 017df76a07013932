// Rows of timings, and whole runs, as the commands that measure them again.
#pragma once

#include <string>
#include <vector>

#include "engine/measure/benchmark.h"

namespace warpscope {

// The words of a warpscope-cli command that measures this row: --step with its parameters and
// variant, its size and pixels or its image, its place and temperature; --published for a row of
// the source texts, --peers for one of another library. How often was sampled is left at its
// default. Rows of a chain need the file of that chain: theirs is the command that made the whole
// report, and empty where the report does not say it.
std::vector<std::string> benchCommand(const StepTiming& row,
                                      const std::vector<std::string>& ofReport = {});

// The same of everything that a plan times, sampled as it says. Empty where words alone cannot say
// it: a chain, or an image that is no file.
std::vector<std::string> benchCommand(const BenchmarkPlan& plan);

// One line for a POSIX shell: words of other characters than letters, digits and a few signs stand
// in single quotes.
std::string shellQuoted(const std::vector<std::string>& words);

}  // namespace warpscope
