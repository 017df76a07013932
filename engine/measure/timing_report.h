// The timings of one run with the machine that they were taken on, what tells their rows apart, and
// how fast that machine copies its own memory, which GB/s of operations are set against.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/backend/backend_set.h"
#include "engine/base/clock.h"
#include "engine/measure/conditions.h"
#include "engine/measure/timing.h"

namespace warpscope {

// 95% interval of a copy rate from several rounds, GB/s; both 0: not known.
struct CopyInterval {
    double low = 0;
    double high = 0;

    bool known() const { return high > 0; }
};

struct MachineInfo {
    std::string cpu;
    int threads = 0;
    std::string simd;
    std::string gpu;
    std::string gpuUuid;  // tells two of one name apart
    std::string driver;
    std::string cuda;
    // All cores, the GPU's memory, one thread; 0: not measured.
    double copyGbpsCpu = 0;
    double copyGbpsGpu = 0;
    double copyGbpsCpuSingle = 0;
    // The most multiply-adds of floats that either does, 10^9 operations a second, two of them a
    // multiply-add; 0: not measured.
    double peakGopsCpu = 0;
    double peakGopsGpu = 0;
    double peakGopsCpuSingle = 0;
    // The same of 16-bit integers, which vector units of CPUs do more of.
    double peakIntegerGopsCpu = 0;
    double peakIntegerGopsCpuSingle = 0;
    // Last-level cache, L2; 0: not known.
    std::uint64_t cacheBytesCpu = 0;
    std::uint64_t cacheBytesGpu = 0;
    // Of the rates of copying.
    CopyInterval copyIntervalCpu{};
    CopyInterval copyIntervalGpu{};
    CopyInterval copyIntervalCpuSingle{};
};

struct TimingReport {
    std::string programVersion;
    std::string compiler;
    std::string build;   // build type and options of the compiler
    std::string commit;  // of the source; empty where it is not known
    std::string date;    // ISO 8601, UTC
    // What made it, one word of a command line each, the program's name first; empty: not known.
    std::vector<std::string> command;
    std::optional<Conditions> before, after;  // around all rows
    std::string pinned;  // "16 threads on CPUs 0-15"; empty: the system moved them as it liked
    MachineInfo machine;
    std::vector<StepTiming> results;
    // False: the run was stopped, and `rowsPlanned` (0: not known) is how many there would be.
    bool complete = true;
    std::size_t rowsPlanned = 0;
};

// Program, compiler, date and machine; no results, copy bandwidths and cache sizes.
TimingReport reportHead(const BackendSet& backends);

std::string parameterText(const ParamSet& parameters);  // "sigma=2 size=0"

// What was computed on which samples, whatever the size, the temperature and the place.
struct StepKind {
    std::string operation;
    std::string variant;
    std::string parameters;  // as text: 2 and 2.0 are the same
    PixelFormat format = PixelFormat::Gray8;

    auto operator<=>(const StepKind&) const = default;
};

// One step on one input: its rows differ in their places alone.
struct StepKey {
    StepKind kind;
    int width = 0;
    int height = 0;
    bool cold = false;
    std::string experiment;
    std::string imageName;
    std::size_t stepIndex = 0;

    auto operator<=>(const StepKey&) const = default;
};

StepKind kindOf(const StepTiming& row);
StepKey keyOf(const StepTiming& row);
// The same for all variants: rows that a speedup may set against each other.
StepKey inputKeyOf(const StepTiming& row);
// For each row its speedups, among the rows of the same input.
std::vector<std::vector<Speedup>> speedupsOfRows(const std::vector<StepTiming>& rows);

// GB/s (10^9 bytes) of copying a block far larger than every cache to another, on one thread, all
// cores or inside the GPU's memory; the median of several copies. Bytes count as for operations:
// each byte read once and written once, two bytes moved a byte copied; what the memory moves beyond
// that (reading a line before it is written) is not counted. 0 where it cannot be measured or was
// stopped.
double copyGbpsCpu(Threading threading, std::stop_token stop, const Clock& clock = steadyClock());
double copyGbpsDevice(Backend& device, const RunContext& context);
// Wider than what makes a row noisy, by three times: rates of copying waver more.
bool copyNoisy(double gbps, const CopyInterval& interval);
// Cache sizes and, which takes about a second, all of these: copies in rounds that take turns, each
// rate the median of its rounds.
void measureMachine(MachineInfo& machine, const BackendSet& backends, bool copies,
                    const RunContext& context, const Clock& clock = steadyClock());

}  // namespace warpscope
