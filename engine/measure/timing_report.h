// The timings of one run with the machine that they were taken on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/backend/backend_set.h"
#include "engine/measure/timing.h"

namespace warpscope {

struct MachineInfo {
    std::string cpu;
    int threads = 0;
    std::string simd;
    std::string gpu;
    std::string driver;
    std::string cuda;
    // All cores, the GPU's memory, one thread; 0: not measured. See copy_bandwidth.h
    double copyGbpsCpu = 0;
    double copyGbpsGpu = 0;
    double copyGbpsCpuSingle = 0;
    // Last-level cache, L2; 0: not known.
    std::uint64_t cacheBytesCpu = 0;
    std::uint64_t cacheBytesGpu = 0;
};

struct TimingReport {
    std::string programVersion;
    std::string compiler;
    std::string date;  // ISO 8601, UTC
    MachineInfo machine;
    std::vector<StepTiming> results;
};

// Program, compiler, date and machine; no results, copy bandwidths and cache sizes.
TimingReport reportHead(const BackendSet& backends);

}  // namespace warpscope
