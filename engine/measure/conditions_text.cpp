#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/measure/conditions.h"

namespace warpscope {
namespace {

// The kernel's unit of time in /proc on every processor that we run on.
constexpr double kTicksPerSecond = 100;
constexpr double kGibibyte = 1 << 30;

// "a, b, c" of those that are not empty.
std::string listed(std::initializer_list<std::string> parts) {
    std::string text;
    for (const std::string& part : parts)
        if (!part.empty()) text += (text.empty() ? "" : ", ") + part;
    return text;
}

template <class Value>
std::string given(fmt::format_string<const Value&> format, const std::optional<Value>& value) {
    return value ? fmt::format(format, *value) : std::string();
}

std::string onOff(const char* name, const std::optional<bool>& on) {
    return on ? fmt::format("{} {}", name, *on ? "on" : "off") : std::string();
}

// By how much a counter grew; nothing where it is unknown or was set back.
template <class Number>
std::optional<Number> grown(const std::optional<Number>& before,
                            const std::optional<Number>& after) {
    if (!before || !after || *after < *before) return std::nullopt;
    return *after - *before;
}

std::optional<double> allTicks(const CpuConditions& before, const CpuConditions& after) {
    if (!before.ticks || !after.ticks) return std::nullopt;
    const auto sum = [](const CpuTicks& ticks) {
        return double(ticks.busy) + double(ticks.idle) + double(ticks.steal);
    };
    const double all = sum(*after.ticks) - sum(*before.ticks);
    return all > 0 ? std::optional(all) : std::nullopt;
}

std::vector<std::string> slowdowns(const std::optional<GpuConditions>& gpu) {
    std::vector<std::string> reasons;
    if (!gpu || !gpu->slowedBy) return reasons;
    for (const std::string& reason : *gpu->slowedBy)
        if (reason != GpuConditions::kIdle) reasons.push_back(reason);
    return reasons;
}

bool working(const std::optional<GpuConditions>& gpu) {
    return gpu && gpu->slowedBy &&
           std::find(gpu->slowedBy->begin(), gpu->slowedBy->end(), GpuConditions::kIdle) ==
               gpu->slowedBy->end();
}

std::string clockText(const CpuConditions& cpu) {
    if (!cpu.clockLowMhz || !cpu.clockMedianMhz || !cpu.clockHighMhz) return "CPU clock not known";
    if (std::lround(*cpu.clockLowMhz / 10) == std::lround(*cpu.clockHighMhz / 10))
        return fmt::format("CPU clock {:.2f} GHz", *cpu.clockMedianMhz / 1000);
    return fmt::format("CPU clock {:.2f} to {:.2f} GHz (median {:.2f})", *cpu.clockLowMhz / 1000,
                       *cpu.clockHighMhz / 1000, *cpu.clockMedianMhz / 1000);
}

std::string cpusText(const CpuConditions& cpu) {
    const auto allowed = cpusFromList(cpu.allowedCpus);
    if (!allowed || allowed->empty()) return given("{} CPUs", cpu.onlineCpus);
    if (!cpu.onlineCpus || *cpu.onlineCpus == int(allowed->size()))
        return fmt::format("{} CPUs ({})", allowed->size(), cpu.allowedCpus);
    return fmt::format("{} of {} CPUs ({})", allowed->size(), *cpu.onlineCpus, cpu.allowedCpus);
}

std::string percent(double part) {
    return fmt::format("{:.1f}%", 100 * part);
}

// Nothing where the group has no limit and was not held back.
std::string quotaText(const CpuConditions& before, const CpuConditions& after) {
    const auto count = grown(before.throttledCount, after.throttledCount);
    const auto seconds = grown(before.throttledSeconds, after.throttledSeconds);
    std::string held;
    if (count && *count > 0)
        held = fmt::format("held back {} times{} during the run", *count,
                           seconds ? fmt::format(" ({:.2f} s)", *seconds) : "");
    const std::string quota =
        given("the control group may use the time of {:.3g} CPUs", after.quotaCpus);
    return quota.empty() && !held.empty() ? "the control group was " + held : listed({quota, held});
}

std::string gpuText(const GpuConditions& gpu) {
    std::string clock = "GPU clock not known";
    if (gpu.smMhz)
        clock = fmt::format("GPU {}{} MHz", *gpu.smMhz,
                            gpu.smMaxMhz ? fmt::format(" of {}", *gpu.smMaxMhz) : "");
    std::string power = given("{:.0f} W", gpu.powerW);
    if (gpu.powerW && gpu.powerLimitW)
        power = fmt::format("{:.0f} W of {:.0f}", *gpu.powerW, *gpu.powerLimitW);
    return listed(
        {clock, given("memory {} MHz", gpu.memoryMhz), power, given("{} °C", gpu.celsius)});
}

void describeGpu(std::vector<std::string>& lines, const Conditions& before,
                 const Conditions& after) {
    const auto& gpu = after.gpu ? after.gpu : before.gpu;
    if (!gpu) return;
    const auto reasons = slowdowns(gpu);
    std::string text = gpuText(*gpu);
    if (!reasons.empty()) text += fmt::format("; slowed down by: {}", fmt::join(reasons, ", "));
    lines.push_back(text);
    std::string memory;
    if (gpu->memoryUsed && gpu->memoryTotal)
        memory = fmt::format("{:.1f} of {:.1f} GiB used", double(*gpu->memoryUsed) / kGibibyte,
                             double(*gpu->memoryTotal) / kGibibyte);
    const std::string driver = gpu->driver.empty() ? "" : "driver " + gpu->driver;
    const std::string setting =
        listed({gpu->name, driver, given("state P{}", gpu->performanceState),
                given("{}% busy", gpu->utilizationPercent), memory,
                onOff("persistence", gpu->persistence), onOff("ECC", gpu->ecc)});
    if (!setting.empty()) lines.push_back("GPU: " + setting);
    lines.push_back(gpu->otherProcesses
                        ? fmt::format("other processes on the GPU: {}", *gpu->otherProcesses)
                        : std::string("other processes on the GPU: not known"));
}

// "2.10 to 3.30 GHz" is a change, within a tenth is none.
bool changed(const std::optional<double>& before, const std::optional<double>& after) {
    return before && after && std::abs(*after - *before) > 0.1 * *before;
}

}  // namespace

std::optional<double> stealPart(const CpuConditions& before, const CpuConditions& after) {
    const auto all = allTicks(before, after);
    if (!all || after.ticks->steal < before.ticks->steal) return std::nullopt;
    return std::min(1.0, double(after.ticks->steal - before.ticks->steal) / *all);
}

std::optional<double> otherWorkPart(const CpuConditions& before, const CpuConditions& after) {
    const auto all = allTicks(before, after);
    const auto own = grown(before.ownTicks, after.ownTicks);
    if (!all || !own || after.ticks->busy < before.ticks->busy) return std::nullopt;
    // Both counters are rounded in their own way.
    const double others = double(after.ticks->busy - before.ticks->busy) - double(*own);
    return std::clamp(others / *all, 0.0, 1.0);
}

std::string busyText(const std::optional<Conditions>& before,
                     const std::optional<Conditions>& after, const std::string& during) {
    if (!before || !after) return {};
    const auto others = otherWorkPart(before->cpu, after->cpu);
    if (!others || !(*others > kBusyAbove)) return {};
    return fmt::format(
        "the machine was busy during {} (other work {}): figures are doubtful; run it again on a "
        "quiet machine",
        during, percent(*others));
}

std::vector<std::string> describeConditions(const Conditions& before, const Conditions& after) {
    std::vector<std::string> lines;
    const auto add = [&](std::string line) {
        if (!line.empty()) lines.push_back(std::move(line));
    };
    const CpuConditions& cpu = after.cpu;
    add(listed({cpu.kernel.empty() ? "" : "Linux " + cpu.kernel, cpusText(cpu),
                cpu.virtualMachine.value_or(false) ? "virtual machine" : ""}));
    add(listed({clockText(cpu), cpu.governor.empty() ? "" : "governor " + cpu.governor,
                onOff("boost", cpu.boost), given("{:.0f} °C", cpu.celsius)}));
    if (before.cpu.load1 && after.cpu.load1)
        add(fmt::format("load {:.2f} before and {:.2f} after", *before.cpu.load1,
                        *after.cpu.load1));
    const auto steal = stealPart(before.cpu, after.cpu);
    const auto others = otherWorkPart(before.cpu, after.cpu);
    const std::string taken = listed(
        {steal ? "steal " + percent(*steal) : "", others ? "other work " + percent(*others) : ""});
    add(taken.empty() ? "steal and other work not known" : taken + " during the run");
    std::string memory;
    if (cpu.memoryTotal && cpu.memoryAvailable)
        memory = fmt::format("{:.1f} of {:.1f} GiB of memory free",
                             double(*cpu.memoryAvailable) / kGibibyte,
                             double(*cpu.memoryTotal) / kGibibyte);
    add(listed({memory, cpu.hugePages.empty() ? "" : "huge pages " + cpu.hugePages}));
    add(quotaText(before.cpu, after.cpu));
    describeGpu(lines, before, after);
    return lines;
}

std::vector<std::string> warnings(const Conditions& before, const Conditions& after) {
    std::vector<std::string> lines;
    // The load is a mean over a minute: what this process has worked is a part of it.
    const double ours =
        std::min(double(before.cpu.ownTicks.value_or(0)) / kTicksPerSecond / 60, 1.0);
    if (before.cpu.load1 && *before.cpu.load1 - ours > 0.5)
        lines.push_back(
            fmt::format("the machine was busy before the start (load {:.2f})", *before.cpu.load1));
    if (std::string busy = busyText(before, after); !busy.empty()) lines.push_back(std::move(busy));
    for (const Conditions* one : {&before, &after})
        if (one->cpu.governor.find("powersave") != std::string::npos) {
            lines.push_back(fmt::format("CPU governor {}: the clock may lag behind the work",
                                        one->cpu.governor));
            break;
        }
    if (const auto steal = stealPart(before.cpu, after.cpu); steal && *steal > 0.01)
        lines.push_back(fmt::format("the hypervisor took {} of the CPU time", percent(*steal)));
    if (const auto held = grown(before.cpu.throttledCount, after.cpu.throttledCount);
        held && *held > 0)
        lines.push_back(
            fmt::format("the control group's limit held the CPUs back {} times", *held));
    if (changed(before.cpu.clockMedianMhz, after.cpu.clockMedianMhz))
        lines.push_back(fmt::format("the CPU clock went from {:.2f} to {:.2f} GHz",
                                    *before.cpu.clockMedianMhz / 1000,
                                    *after.cpu.clockMedianMhz / 1000));
    std::vector<std::string> reasons = slowdowns(before.gpu);
    for (const std::string& reason : slowdowns(after.gpu))
        if (std::find(reasons.begin(), reasons.end(), reason) == reasons.end())
            reasons.push_back(reason);
    if (!reasons.empty())
        lines.push_back(fmt::format("the GPU was slowed down by: {}", fmt::join(reasons, ", ")));
    int others = 0;
    for (const Conditions* one : {&before, &after})
        if (one->gpu) others = std::max(others, one->gpu->otherProcesses.value_or(0));
    if (others > 0) lines.push_back(fmt::format("other processes on the GPU: {}", others));
    // An idle GPU clocks down, which says nothing of the run.
    if (working(before.gpu) && working(after.gpu) && changed(before.gpu->smMhz, after.gpu->smMhz))
        lines.push_back(fmt::format("the GPU clock went from {} to {} MHz", *before.gpu->smMhz,
                                    *after.gpu->smMhz));
    return lines;
}

}  // namespace warpscope
