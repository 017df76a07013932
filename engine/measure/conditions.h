// Under what conditions something was measured: clocks, load, limits, heat. Linux.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/system_files.h"
#include "engine/measure/nvml.h"

namespace warpscope {

// Empty texts and members without a value are not known. CPUs that this program may not use do not
// count, but for online, load and ticks.
struct CpuConditions {
    std::string kernel;
    std::optional<int> onlineCpus;
    // "0-15,32".
    std::string allowedCpus;
    // "performance"; several, where CPUs differ, by commas.
    std::string governor;
    std::optional<double> clockLowMhz, clockMedianMhz, clockHighMhz;
    // Processes that ran or waited for a CPU or disk, over 1, 5 and 15 minutes.
    std::optional<double> load1, load5, load15;
    // At this moment, this one among them.
    std::optional<int> running;
    // Since boot, of all CPUs; and those of them that this process was busy.
    std::optional<CpuTicks> ticks;
    std::optional<std::uint64_t> ownTicks;
    // Bytes.
    std::optional<std::uint64_t> memoryTotal, memoryAvailable;
    std::optional<bool> virtualMachine;
    // CPUs' worth of time that the control group may use; also unknown where it has no limit.
    std::optional<double> quotaCpus;
    // How often and how long it was held back by that limit.
    std::optional<std::uint64_t> throttledCount;
    std::optional<double> throttledSeconds;
    std::optional<bool> boost;
    std::optional<double> celsius;
    // "always", "madvise" or "never".
    std::string hugePages;

    friend bool operator==(const CpuConditions&, const CpuConditions&) = default;
};

struct Conditions {
    std::string time;  // ISO 8601, UTC
    CpuConditions cpu;
    std::optional<GpuConditions> gpu;

    friend bool operator==(const Conditions&, const Conditions&) = default;
};

// `gpu`: as for NvmlDevice::find. To be read while the main thread is not pinned: what it may use
// counts as what the program may use.
Conditions readConditions(const std::string& gpu = "", const SystemFolders& folders = {},
                          const NvmlPtr& nvml = loadNvml());

// Of all ticks between two readings, 0 to 1; nothing where they are unknown or none went by.
std::optional<double> stealPart(const CpuConditions& before, const CpuConditions& after);
// Busy with other processes.
std::optional<double> otherWorkPart(const CpuConditions& before, const CpuConditions& after);

// Above this share of other work the figures of a run are doubtful.
inline constexpr double kBusyAbove = 0.1;
// "the machine was busy during the run (other work 57.8%): figures are doubtful; run it again on a
// quiet machine"; `during` stands for "the run". Empty where it was quiet or nobody knows.
std::string busyText(const std::optional<Conditions>& before,
                     const std::optional<Conditions>& after, const std::string& during = "the run");

// For people, a line each.
std::vector<std::string> describeConditions(const Conditions& before, const Conditions& after);
// Only what makes figures measured between the two doubtful; empty: nothing known.
std::vector<std::string> warnings(const Conditions& before, const Conditions& after);

}  // namespace warpscope
