#include "engine/base/cpu_affinity.h"

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <thread>
#include <tuple>

#include "engine/base/row_bands.h"

namespace warpscope {
namespace {

constexpr int kBitsAWord = 8 * sizeof(unsigned long);

struct CpuSpot {
    int cpu = 0;
    // Any number that the hardware threads of one core share.
    int core = 0;
    int package = 0;
    int node = 0;
    double busy = 0;
};

struct BusySum {
    double busy = 0;
    int cpus = 0;
    int tenths() const { return int(10 * busy / std::max(cpus, 1) + 1e-6); }
};

std::map<int, int> nodesOfCpus(const SystemFolders& folders) {
    std::map<int, int> nodes;
    const auto root = folders.sys / "devices/system/node";
    const auto online = systemText(root / "online");
    const auto numbers = online ? cpusFromList(*online) : std::nullopt;
    if (!numbers) return nodes;
    for (const int node : *numbers) {
        const auto list = systemText(root / fmt::format("node{}", node) / "cpulist");
        const auto cpus = list ? cpusFromList(*list) : std::nullopt;
        if (!cpus) continue;
        for (const int cpu : *cpus) nodes[cpu] = node;
    }
    return nodes;
}

std::vector<CpuSpot> spotsOf(const std::vector<int>& allowed, const std::map<int, double>& busy,
                             const SystemFolders& folders) {
    const std::map<int, int> nodes = nodesOfCpus(folders);
    std::map<std::pair<std::uint64_t, std::uint64_t>, int> coresByNumber;
    std::vector<CpuSpot> spots;
    for (const int cpu : allowed) {
        CpuSpot spot{cpu, cpu, 0, 0, 0};
        const auto folder =
            folders.sys / "devices/system/cpu" / fmt::format("cpu{}", cpu) / "topology";
        const auto package = systemNumber(folder / "physical_package_id");
        if (package && *package < 65536) spot.package = int(*package);
        const auto list = systemText(folder / "thread_siblings_list");
        const auto siblings = list ? cpusFromList(*list) : std::nullopt;
        const auto number = systemNumber(folder / "core_id");
        if (siblings && std::find(siblings->begin(), siblings->end(), cpu) != siblings->end())
            spot.core = siblings->front();
        else if (number && package)
            spot.core = coresByNumber.try_emplace({*package, *number}, cpu).first->second;
        if (const auto node = nodes.find(cpu); node != nodes.end()) spot.node = node->second;
        if (const auto known = busy.find(cpu); known != busy.end()) spot.busy = known->second;
        spots.push_back(spot);
    }
    return spots;
}

}  // namespace

std::optional<CpuMask> CpuMask::ofThread(pid_t thread) {
    CpuMask mask;
    const std::size_t bytes = sizeof(mask.m_bits);
    if (sched_getaffinity(thread, bytes, reinterpret_cast<cpu_set_t*>(mask.m_bits.data())) != 0)
        return std::nullopt;
    return mask;
}

CpuMask CpuMask::only(int cpu) {
    CpuMask mask;
    const auto word = std::size_t(cpu / kBitsAWord);
    if (cpu >= 0 && word < mask.m_bits.size()) mask.m_bits[word] = 1ul << (cpu % kBitsAWord);
    return mask;
}

bool CpuMask::apply(pid_t thread) const {
    return sched_setaffinity(thread, sizeof(m_bits),
                             reinterpret_cast<const cpu_set_t*>(m_bits.data())) == 0;
}

std::vector<int> CpuMask::cpus() const {
    std::vector<int> cpus;
    for (int cpu = 0; cpu < int(m_bits.size()) * kBitsAWord; ++cpu)
        if (m_bits[std::size_t(cpu / kBitsAWord)] >> (cpu % kBitsAWord) & 1) cpus.push_back(cpu);
    return cpus;
}

std::vector<int> allowedCpus() {
    const auto mask = CpuMask::ofThread();
    return mask ? mask->cpus() : std::vector<int>();
}

std::map<int, double> cpuBusyParts(std::chrono::milliseconds duration,
                                   const SystemFolders& folders) {
    const auto before = cpuTicks(folders);
    std::this_thread::sleep_for(duration);
    std::map<int, double> parts;
    for (const auto& [cpu, after] : cpuTicks(folders)) {
        const auto old = before.find(cpu);
        if (cpu == kAllCpus || old == before.end()) continue;
        // The kernel's counters may step back a tick.
        const auto gone = [](std::uint64_t from, std::uint64_t to) {
            return double(to > from ? to - from : 0);
        };
        const double busy =
            gone(old->second.busy, after.busy) + gone(old->second.steal, after.steal);
        const double all = busy + gone(old->second.idle, after.idle);
        parts[cpu] = all > 0 ? busy / all : 0;
    }
    return parts;
}

std::vector<int> cpuWorkOrder(const std::vector<int>& allowed, const std::map<int, double>& busy,
                              const SystemFolders& folders) {
    std::vector<CpuSpot> spots = spotsOf(allowed, busy, folders);
    std::map<int, BusySum> packages, cores;
    std::map<std::pair<int, int>, BusySum> nodes;
    for (const CpuSpot& spot : spots)
        for (BusySum* sum :
             {&packages[spot.package], &nodes[{spot.package, spot.node}], &cores[spot.core]}) {
            sum->busy += spot.busy;
            ++sum->cpus;
        }
    const auto own = [](const CpuSpot& spot) { return BusySum{spot.busy, 1}.tenths(); };
    std::sort(spots.begin(), spots.end(), [&](const CpuSpot& a, const CpuSpot& b) {
        return std::tuple(own(a), a.cpu) < std::tuple(own(b), b.cpu);
    });
    // The how manieth hardware thread of its core each is.
    std::map<int, int> taken, rank;
    for (const CpuSpot& spot : spots) rank[spot.cpu] = taken[spot.core]++;
    const auto key = [&](const CpuSpot& spot) {
        return std::tuple(rank[spot.cpu], packages[spot.package].tenths(), spot.package,
                          nodes[{spot.package, spot.node}].tenths(), spot.node,
                          cores[spot.core].tenths(), own(spot), spot.cpu);
    };
    std::sort(spots.begin(), spots.end(),
              [&](const CpuSpot& a, const CpuSpot& b) { return key(a) < key(b); });
    std::vector<int> order;
    for (const CpuSpot& spot : spots) order.push_back(spot.cpu);
    return order;
}

std::vector<int> quietCpuOrder() {
    return cpuWorkOrder(allowedCpus(), cpuBusyParts());
}

ThisThreadPinned::ThisThreadPinned(int cpu) : m_thread(gettid()) {
    // The pool counts its threads once, by the CPUs that it may use then.
    (void)CpuContext{}.threadCount();
    m_before = CpuMask::ofThread(m_thread);
    m_ok = m_before && CpuMask::only(cpu).apply(m_thread);
}

ThisThreadPinned::~ThisThreadPinned() {
    if (m_ok) m_before->apply(m_thread);
}

}  // namespace warpscope
