#include "engine/measure/conditions.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <set>

#include "engine/pipeline/strict_json.h"

namespace warpscope {
namespace {

using Path = std::filesystem::path;

std::string timeNow() {
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    char text[32] = {};
    if (!gmtime_r(&now, &utc) || !std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc))
        return {};
    return text;
}

std::string kernelName(const SystemFolders& folders) {
    if (const auto text = systemText(folders.proc / "sys/kernel/osrelease"))
        return printable(*text);
    return {};
}

// What stands behind "name:" in a file of such lines; the first of them.
std::optional<std::string> lineNamed(const std::string& text, std::string_view name) {
    for (const std::string_view line : linesOf(text)) {
        const std::size_t colon = line.find(':');
        if (colon == line.npos || words(line.substr(0, colon)) != words(name)) continue;
        const std::size_t begin = line.find_first_not_of(" \t", colon + 1);
        return std::string(begin == line.npos ? "" : line.substr(begin));
    }
    return std::nullopt;
}

std::vector<Path> entriesOf(const Path& folder) {
    std::vector<Path> found;
    std::error_code ignored;
    for (std::filesystem::directory_iterator at(folder, ignored), end; !ignored && at != end;
         at.increment(ignored))
        found.push_back(at->path());
    std::sort(found.begin(), found.end());
    return found;
}

void readClocks(CpuConditions& cpu, const std::vector<int>& allowed, const std::string& cpuInfo,
                const SystemFolders& folders) {
    std::vector<double> clocks;
    std::set<std::string> governors;
    for (const int number : allowed) {
        const Path folder =
            folders.sys / "devices/system/cpu" / fmt::format("cpu{}", number) / "cpufreq";
        if (const auto kilohertz = systemNumber(folder / "scaling_cur_freq"))
            if (*kilohertz > 0) clocks.push_back(double(*kilohertz) / 1000);
        if (const auto governor = systemText(folder / "scaling_governor"))
            if (!governor->empty()) governors.insert(printable(*governor));
    }
    cpu.governor = fmt::format("{}", fmt::join(governors, ", "));
    if (clocks.empty()) {
        std::optional<std::uint64_t> number;
        for (const std::string_view line : linesOf(cpuInfo)) {
            const auto fields = words(line);
            if (fields.size() == 3 && fields[0] == "processor") number = wholeFromText(fields[2]);
            if (fields.size() != 4 || fields[0] != "cpu" || fields[1] != "MHz") continue;
            const auto clock = realFromText(fields[3]);
            const bool ours = number && *number < 8192 &&
                              std::binary_search(allowed.begin(), allowed.end(), int(*number));
            if (ours && clock && *clock > 0) clocks.push_back(*clock);
        }
    }
    if (clocks.empty()) return;
    std::sort(clocks.begin(), clocks.end());
    const std::size_t half = clocks.size() / 2;
    cpu.clockLowMhz = clocks.front();
    cpu.clockHighMhz = clocks.back();
    cpu.clockMedianMhz = clocks.size() % 2 ? clocks[half] : (clocks[half - 1] + clocks[half]) / 2;
}

void readLoad(CpuConditions& cpu, const SystemFolders& folders) {
    if (const auto text = systemText(folders.proc / "loadavg")) {
        const auto fields = words(*text);
        const auto load = [&](std::size_t i) {
            const auto value = i < fields.size() ? realFromText(fields[i]) : std::nullopt;
            return value && *value >= 0 && *value < 1e6 ? value : std::nullopt;
        };
        cpu.load1 = load(0);
        cpu.load5 = load(1);
        cpu.load15 = load(2);
        // "2/345": of all threads two.
        if (fields.size() > 3 && fields[3].find('/') != fields[3].npos) {
            const auto running = wholeFromText(fields[3].substr(0, fields[3].find('/')));
            if (running && *running < 1'000'000) cpu.running = int(*running);
        }
    }
    const auto ticks = cpuTicks(folders);
    if (const auto all = ticks.find(kAllCpus); all != ticks.end()) cpu.ticks = all->second;
    if (const auto text = systemText(folders.proc / "self/stat")) {
        // The name in parentheses may hold anything, also parentheses.
        const std::size_t end = text->rfind(')');
        const auto fields = end == text->npos ? std::vector<std::string_view>()
                                              : words(std::string_view(*text).substr(end + 1));
        if (fields.size() > 12) {
            const auto user = wholeFromText(fields[11]);
            const auto system = wholeFromText(fields[12]);
            if (user && system) cpu.ownTicks = *user + *system;
        }
    }
}

void readMemory(CpuConditions& cpu, const SystemFolders& folders) {
    const std::string text = systemText(folders.proc / "meminfo").value_or("");
    const auto bytes = [&](std::string_view name) -> std::optional<std::uint64_t> {
        const auto line = lineNamed(text, name);
        const auto fields = line ? words(*line) : std::vector<std::string_view>();
        if (fields.size() != 2 || fields[1] != "kB") return std::nullopt;
        const auto kibibytes = wholeFromText(fields[0]);
        if (!kibibytes || *kibibytes >> 50) return std::nullopt;
        return *kibibytes * 1024;
    };
    cpu.memoryTotal = bytes("MemTotal");
    cpu.memoryAvailable = bytes("MemAvailable");
    // "always [madvise] never".
    const auto pages = systemText(folders.sys / "kernel/mm/transparent_hugepage/enabled");
    if (!pages) return;
    const std::size_t begin = pages->find('['), end = pages->find(']');
    if (begin != pages->npos && end != pages->npos && begin < end)
        cpu.hugePages = printable(pages->substr(begin + 1, end - begin - 1));
}

// One level of the tree of control groups, of version 1 or 2.
struct GroupLimits {
    std::optional<double> quotaCpus;
    std::optional<std::uint64_t> count;
    std::optional<double> seconds;
};

GroupLimits limitsOf(const Path& folder) {
    GroupLimits limits;
    std::optional<double> quota, period;
    if (const auto text = systemText(folder / "cpu.max")) {
        const auto fields = words(*text);
        if (fields.size() == 2) {
            quota = realFromText(fields[0]);
            period = realFromText(fields[1]);
        }
    } else {
        // -1 is no limit, and no such number either.
        if (const auto us = systemNumber(folder / "cpu.cfs_quota_us")) quota = double(*us);
        if (const auto us = systemNumber(folder / "cpu.cfs_period_us")) period = double(*us);
    }
    if (quota && period && *quota > 0 && *period > 0) limits.quotaCpus = *quota / *period;
    const auto text = systemText(folder / "cpu.stat");
    if (!text) return limits;
    for (const std::string_view line : linesOf(*text)) {
        const auto fields = words(line);
        if (fields.size() != 2) continue;
        const auto value = wholeFromText(fields[1]);
        if (!value) continue;
        if (fields[0] == "nr_throttled") limits.count = *value;
        if (fields[0] == "throttled_usec") limits.seconds = double(*value) / 1e6;
        if (fields[0] == "throttled_time") limits.seconds = double(*value) / 1e9;
    }
    return limits;
}

void readGroup(CpuConditions& cpu, const SystemFolders& folders) {
    // Where version 1 and 2 are both there, either may hold the CPU's controller.
    std::vector<std::pair<Path, std::string>> groups;
    const std::string own = systemText(folders.proc / "self/cgroup").value_or("");
    const Path root = folders.sys / "fs/cgroup";
    for (const std::string_view line : linesOf(own)) {
        const std::size_t first = line.find(':'), second = line.find(':', first + 1);
        if (first == line.npos || second == line.npos) continue;
        const std::string names = fmt::format(",{},", line.substr(first + 1, second - first - 1));
        const std::string group(line.substr(second + 1));
        if (names == ",,") {
            groups.emplace_back(root, group);
            groups.emplace_back(root / "unified", group);
        } else if (names.find(",cpu,") != names.npos) {
            groups.emplace_back(root / "cpu", group);
            groups.emplace_back(root / "cpu,cpuacct", group);
        }
    }
    for (const auto& [mount, group] : groups) {
        // A group outside what is mounted here is a path that leads upwards: its root then.
        Path at = Path(group).relative_path();
        if (std::find(at.begin(), at.end(), "..") != at.end()) at.clear();
        bool counted = false;
        while (true) {
            const GroupLimits limits = limitsOf(mount / at);
            // The tightest of all levels holds; the counts are its, or the process's own.
            const bool tighter =
                limits.quotaCpus && (!cpu.quotaCpus || *limits.quotaCpus < *cpu.quotaCpus);
            if (tighter) cpu.quotaCpus = limits.quotaCpus;
            if (limits.count && (tighter || (!counted && !cpu.throttledCount))) {
                cpu.throttledCount = limits.count;
                cpu.throttledSeconds = limits.seconds;
                counted = true;
            }
            if (at.empty()) break;
            at = at.parent_path();
        }
    }
}

void readHeatAndBoost(CpuConditions& cpu, const SystemFolders& folders) {
    const Path cpus = folders.sys / "devices/system/cpu";
    const auto off = systemNumber(cpus / "intel_pstate/no_turbo");
    const auto on = systemNumber(cpus / "cpufreq/boost");
    if (off && *off <= 1)
        cpu.boost = *off == 0;
    else if (on && *on <= 1)
        cpu.boost = *on == 1;
    const auto warmer = [&](const Path& file) {
        const auto thousandths = systemNumber(file);
        // Sensors that are not there say 0 or nonsense.
        if (!thousandths || *thousandths == 0 || *thousandths > 150'000) return;
        cpu.celsius = std::max(cpu.celsius.value_or(0), double(*thousandths) / 1000);
    };
    for (const Path& zone : entriesOf(folders.sys / "class/thermal"))
        if (systemText(zone / "type") == "x86_pkg_temp") warmer(zone / "temp");
    if (cpu.celsius) return;
    for (const Path& sensor : entriesOf(folders.sys / "class/hwmon")) {
        const auto name = systemText(sensor / "name");
        if (name == "coretemp" || name == "k10temp" || name == "zenpower" || name == "cpu_thermal")
            warmer(sensor / "temp1_input");
    }
}

}  // namespace

Conditions readConditions(const std::string& gpu, const SystemFolders& folders,
                          const NvmlPtr& nvml) {
    Conditions now;
    now.time = timeNow();
    CpuConditions& cpu = now.cpu;
    cpu.kernel = kernelName(folders);
    if (const auto online = systemText(folders.sys / "devices/system/cpu/online"))
        if (const auto cpus = cpusFromList(*online); cpus && !cpus->empty())
            cpu.onlineCpus = int(cpus->size());
    std::vector<int> allowed;
    if (const auto status = systemText(folders.proc / "self/status"))
        if (const auto list = lineNamed(*status, "Cpus_allowed_list"))
            allowed = cpusFromList(*list).value_or(std::vector<int>());
    cpu.allowedCpus = cpuListText(allowed);
    const std::string cpuInfo = systemText(folders.proc / "cpuinfo").value_or("");
    if (const auto flags = lineNamed(cpuInfo, "flags")) {
        const auto all = words(*flags);
        cpu.virtualMachine = std::find(all.begin(), all.end(), "hypervisor") != all.end();
    }
    readClocks(cpu, allowed, cpuInfo, folders);
    readLoad(cpu, folders);
    readMemory(cpu, folders);
    readGroup(cpu, folders);
    readHeatAndBoost(cpu, folders);
    if (const auto device = NvmlDevice::find(nvml, gpu)) now.gpu = device->conditions();
    return now;
}

}  // namespace warpscope
