// Energy that CPU packages and a GPU have used, by their own counters.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "engine/base/system_files.h"
#include "engine/measure/nvml.h"

namespace warpscope {

// Where a meter reads: the machine's own counters, unless a test says otherwise.
struct EnergyCounters {
    SystemFolders folders = {};
    std::function<NvmlPtr()> nvml = loadNvml;
};

// Joules since it was made or begun again, of whatever ran. Nothing where the counters cannot be
// read (those of CPUs often by the administrator alone). The CPUs' counters wrap around, at full
// load after some minutes to hours: once between two readings is allowed for.
class EnergyMeter {
  public:
    // `gpu`: as for NvmlDevice::find.
    explicit EnergyMeter(const std::string& gpu = "", const SystemFolders& folders = {},
                         const NvmlPtr& nvml = loadNvml());

    void begin();
    std::optional<double> cpuJoules() const;
    std::optional<double> gpuJoules() const;

  private:
    using Packages = std::map<std::string, std::uint64_t>;
    // Microjoules by folder; nothing unless all can be read.
    std::optional<Packages> packages() const;

    SystemFolders m_folders;
    std::optional<NvmlDevice> m_gpu;
    std::optional<Packages> m_packagesBefore;
    std::optional<double> m_gpuBefore;
};

}  // namespace warpscope
