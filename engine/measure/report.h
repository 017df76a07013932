// Timing results as files: warpscope-timings/1.
#pragma once

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
    double copyGbpsCpu = 0;  // 0: not measured
    double copyGbpsGpu = 0;
};

struct TimingReport {
    std::string programVersion;
    std::string compiler;
    std::string date;  // ISO 8601, UTC
    MachineInfo machine;
    std::vector<StepTiming> results;
};

std::string toJson(const TimingReport& report);  // indented, ends with a line feed
std::string toCsv(const TimingReport& report);   // a header line, a line a result
std::string toMarkdown(const TimingReport& report);
std::string toTable(const TimingReport& report);  // aligned columns for a terminal

}  // namespace warpscope
