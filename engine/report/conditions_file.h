// What a file says of the conditions of a run, once for both ways: with Reader::part and
// Writer::part of an optional Conditions. What is not known is left out, and read back as such from
// null too.
#pragma once

#include <concepts>
#include <optional>
#include <type_traits>

#include "engine/measure/conditions.h"
#include "engine/report/json_members.h"

namespace warpscope {

// Thing or const Thing.
template <class Given, class Thing>
concept IsA = std::same_as<std::remove_const_t<Given>, Thing>;

template <class Io, IsA<CpuTicks> Ticks>
void members(Io& io, Ticks& ticks) {
    io.whole("busy", ticks.busy, 0, kAnyWhole);
    io.whole("idle", ticks.idle, 0, kAnyWhole);
    io.whole("steal", ticks.steal, 0, kAnyWhole);
}

template <class Io, IsA<CpuConditions> Cpu>
void members(Io& io, Cpu& cpu) {
    io.known("kernel", cpu.kernel);
    io.known("online_cpus", cpu.onlineCpus);
    io.known("allowed_cpus", cpu.allowedCpus);
    io.known("governor", cpu.governor);
    io.known("clock_low_mhz", cpu.clockLowMhz);
    io.known("clock_median_mhz", cpu.clockMedianMhz);
    io.known("clock_high_mhz", cpu.clockHighMhz);
    io.known("load_1", cpu.load1);
    io.known("load_5", cpu.load5);
    io.known("load_15", cpu.load15);
    io.known("running", cpu.running);
    io.part("ticks", cpu.ticks);
    io.known("own_ticks", cpu.ownTicks);
    io.known("memory_total", cpu.memoryTotal);
    io.known("memory_available", cpu.memoryAvailable);
    io.known("virtual_machine", cpu.virtualMachine);
    io.known("quota_cpus", cpu.quotaCpus);
    io.known("throttled_count", cpu.throttledCount);
    io.known("throttled_s", cpu.throttledSeconds);
    io.known("boost", cpu.boost);
    io.known("celsius", cpu.celsius);
    io.known("huge_pages", cpu.hugePages);
}

template <class Io, IsA<GpuConditions> Gpu>
void members(Io& io, Gpu& gpu) {
    io.known("name", gpu.name);
    io.known("uuid", gpu.uuid);
    io.known("driver", gpu.driver);
    io.known("sm_mhz", gpu.smMhz);
    io.known("sm_max_mhz", gpu.smMaxMhz);
    io.known("memory_mhz", gpu.memoryMhz);
    io.known("memory_max_mhz", gpu.memoryMaxMhz);
    io.known("applications_mhz", gpu.applicationsMhz);
    io.known("power_w", gpu.powerW);
    io.known("power_limit_w", gpu.powerLimitW);
    io.known("celsius", gpu.celsius);
    io.known("slowed_by", gpu.slowedBy);
    io.known("utilization_percent", gpu.utilizationPercent);
    io.known("persistence", gpu.persistence);
    io.known("performance_state", gpu.performanceState);
    io.known("other_processes", gpu.otherProcesses);
    io.known("memory_used", gpu.memoryUsed);
    io.known("memory_total", gpu.memoryTotal);
    io.known("ecc", gpu.ecc);
}

template <class Io, IsA<Conditions> Whole>
void members(Io& io, Whole& conditions) {
    io.known("time", conditions.time);
    // Always there: its members are unknown one by one.
    std::optional<CpuConditions> cpu(conditions.cpu);
    io.part("cpu", cpu);
    if constexpr (!std::is_const_v<Whole>) conditions.cpu = *cpu;
    io.part("gpu", conditions.gpu);
}

}  // namespace warpscope
