// The CPUs that threads may run on, the order in which work should take them, and threads that stay
// on one. Linux.
#pragma once

#include <sys/types.h>

#include <array>
#include <chrono>
#include <map>
#include <optional>
#include <vector>

#include "engine/base/system_files.h"

namespace warpscope {

// Which of at most 8192 CPUs a thread may run on.
class CpuMask {
  public:
    // `thread`: as the kernel numbers them; 0 is the calling one. Nothing where there is none.
    static std::optional<CpuMask> ofThread(pid_t thread = 0);
    static CpuMask only(int cpu);

    // False where the system refuses or has none of these CPUs.
    bool apply(pid_t thread = 0) const;
    std::vector<int> cpus() const;  // ascending

    friend bool operator==(const CpuMask&, const CpuMask&) = default;

  private:
    std::array<unsigned long, 8192 / (8 * sizeof(unsigned long))> m_bits{};
};

// Of the calling thread, ascending; empty where the system does not say.
std::vector<int> allowedCpus();

// Busy part of each CPU, 0 to 1, over so long a time, in which this thread sleeps.
std::map<int, double> cpuBusyParts(
    std::chrono::milliseconds duration = std::chrono::milliseconds(100),
    const SystemFolders& folders = {});

// `allowed` in the order in which work should take them: one hardware thread of each core before
// the others; of these one package and NUMA node after the other; quiet packages, nodes and cores
// first (to a tenth, so that idle CPUs keep their order). Where the topology cannot be read, every
// CPU is a core of the same package.
std::vector<int> cpuWorkOrder(const std::vector<int>& allowed, const std::map<int, double>& busy,
                              const SystemFolders& folders = {});
// The same of the CPUs that this thread may use, as busy as they are now: takes 0.1 s.
std::vector<int> quietCpuOrder();

// While it lives, the thread that made it stays on one CPU; then it may run where it could before.
class ThisThreadPinned {
  public:
    explicit ThisThreadPinned(int cpu);
    ~ThisThreadPinned();
    ThisThreadPinned(const ThisThreadPinned&) = delete;
    ThisThreadPinned& operator=(const ThisThreadPinned&) = delete;

    bool ok() const { return m_ok; }

  private:
    pid_t m_thread;
    std::optional<CpuMask> m_before;
    bool m_ok = false;
};

}  // namespace warpscope
