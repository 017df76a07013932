// The running of benchmarks behind the options of bench.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "cli/bench_files.h"
#include "cli/bench_plan.h"

namespace warpscope::cli {

// Nothing where the run failed and has said why. `command`: what the results say made them.
// `gpu`: which of several, as --gpu says. `stream`: lines of results while the run goes on; null:
// none.
std::optional<TimingReport> measure(const BenchmarkPlan& plan, std::vector<std::string> command,
                                    const std::string& gpu, std::ostream* stream = nullptr);
// Image, second image and pipeline that the options name. Errors: those of reading.
Result<void> readInto(BenchmarkPlan& plan, const BenchOptions& options);
// Says that a run was stopped; the exit code.
int stopped(const TimingReport& report);

// Says where a machine was busy while these results were measured; `during`: "this run".
void sayBusy(const TimingReport& report, const std::string& during);

// --check: runs the command of a result file again and says which of its figures moved; the exit
// code.
int checkAgain(const BenchOptions& options);
// --fail-if-slower, after what is slower was said.
int slowerThan(const BenchOptions& options, const TimingReport& before, const TimingReport& now);

}  // namespace warpscope::cli
