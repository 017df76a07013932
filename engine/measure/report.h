// Timing results as files: warpscope-timings/1.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/measure/timing.h"

namespace warpscope {

struct MachineInfo {
    std::string cpu;
    int threads = 0;
    std::string simd;
    std::string gpu;
    std::string driver;
    std::string cuda;
    double copyGbpsCpu = 0;  // all cores; 0: not measured. See copy_bandwidth.h
    double copyGbpsGpu = 0;
    double copyGbpsCpuSingle = 0;     // one thread
    std::uint64_t cacheBytesCpu = 0;  // last-level cache; 0: not known
    std::uint64_t cacheBytesGpu = 0;  // L2
};

struct TimingReport {
    std::string programVersion;
    std::string compiler;
    std::string date;  // ISO 8601, UTC
    MachineInfo machine;
    std::vector<StepTiming> results;
};

// The row's GB/s in per cent of what its backend reaches in copying: one thread against one thread.
// Above 100 is possible where the data stay in a cache. 0 where either is not known.
double copyPercent(const StepTiming& row, const MachineInfo& machine);

std::string toJson(const TimingReport& report);  // indented, ends with a line feed
std::string toCsv(const TimingReport& report);   // a header line, a line a result
std::string toMarkdown(const TimingReport& report);
std::string toTable(const TimingReport& report);  // aligned columns for a terminal

}  // namespace warpscope
