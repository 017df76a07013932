#include "engine/measure/energy.h"

namespace warpscope {

EnergyMeter::EnergyMeter(const std::string& gpu, const SystemFolders& folders, const NvmlPtr& nvml)
    : m_folders(folders), m_gpu(NvmlDevice::find(nvml, gpu)) {
    begin();
}

void EnergyMeter::begin() {
    m_packagesBefore = packages();
    m_gpuBefore = m_gpu ? m_gpu->joules() : std::nullopt;
}

std::optional<EnergyMeter::Packages> EnergyMeter::packages() const {
    Packages found;
    std::error_code ignored;
    const auto root = m_folders.sys / "class/powercap";
    for (std::filesystem::directory_iterator at(root, ignored), end; !ignored && at != end;
         at.increment(ignored)) {
        // Cores and memory are within packages: intel-rapl:0:1.
        const std::string name = at->path().filename().string();
        constexpr std::string_view kPrefix = "intel-rapl:";
        if (!name.starts_with(kPrefix) || name.find(':', kPrefix.size()) != name.npos) continue;
        const auto kind = systemText(at->path() / "name");
        if (!kind || !kind->starts_with("package")) continue;
        const auto energy = systemNumber(at->path() / "energy_uj");
        if (!energy) return std::nullopt;
        found[at->path().string()] = *energy;
    }
    if (ignored || found.empty()) return std::nullopt;
    return found;
}

std::optional<double> EnergyMeter::cpuJoules() const {
    const auto now = packages();
    if (!m_packagesBefore || !now || now->size() != m_packagesBefore->size()) return std::nullopt;
    double microjoules = 0;
    for (const auto& [folder, before] : *m_packagesBefore) {
        const auto after = now->find(folder);
        if (after == now->end()) return std::nullopt;
        if (after->second >= before) {
            microjoules += double(after->second - before);
            continue;
        }
        const auto range = systemNumber(std::filesystem::path(folder) / "max_energy_range_uj");
        if (!range || *range < before) return std::nullopt;
        microjoules += double(*range - before + after->second);
    }
    return microjoules / 1e6;
}

std::optional<double> EnergyMeter::gpuJoules() const {
    const auto now = m_gpu ? m_gpu->joules() : std::nullopt;
    // The driver was loaded again.
    if (!now || !m_gpuBefore || *now < *m_gpuBefore) return std::nullopt;
    return *now - *m_gpuBefore;
}

}  // namespace warpscope
