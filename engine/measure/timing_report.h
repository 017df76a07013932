// The timings of one run with the machine that they were taken on.
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

}  // namespace warpscope
