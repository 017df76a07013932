#include "engine/measure/nvml.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <utility>

#include "engine/base/system_files.h"
#include "engine/pipeline/strict_json.h"

namespace warpscope {
namespace {

constexpr int kGraphics = 0;
constexpr int kSm = 1;
constexpr int kMemory = 2;
constexpr int kInsufficientSize = 7;

constexpr std::pair<unsigned long long, const char*> kReasons[] = {
    {0x1, GpuConditions::kIdle}, {0x2, "applications clock"}, {0x4, "power cap"},
    {0x8, "hardware slowdown"},  {0x10, "sync boost"},        {0x20, "heat (software)"},
    {0x40, "heat (hardware)"},   {0x80, "power brake"},       {0x100, "display clock"},
};

// The first of these names that the library has.
template <class Function>
void bind(void* library, Function& to, std::initializer_list<const char*> names) {
    for (const char* name : names)
        if (!to) to = reinterpret_cast<Function>(dlsym(library, name));
}

std::optional<int> asInt(std::optional<unsigned> value) {
    if (!value || *value > unsigned(std::numeric_limits<int>::max())) return std::nullopt;
    return int(*value);
}

template <class Value, class Function, class... Before>
std::optional<Value> asked(Function function, Before... before) {
    Value value{};
    if (!function || function(before..., &value) != 0) return std::nullopt;
    return value;
}

template <class Function, class... Before>
std::string askedText(Function function, Before... before) {
    char text[128] = {};
    if (!function || function(before..., text, unsigned(sizeof text - 1)) != 0) return {};
    return printable(text, sizeof text);
}

std::vector<std::string> reasonWords(unsigned long long bits) {
    std::vector<std::string> reasons;
    for (const auto& [bit, word] : kReasons) {
        if (bits & bit) reasons.push_back(word);
        bits &= ~bit;
    }
    if (bits) reasons.push_back(fmt::format("reason {:#x}", bits));
    return reasons;
}

}  // namespace

NvmlPtr loadNvml() {
    void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return nullptr;
    int (*begin)() = nullptr;
    int (*end)() = nullptr;
    bind(library, begin, {"nvmlInit_v2"});
    bind(library, end, {"nvmlShutdown"});
    if (!begin || begin() != 0) {
        dlclose(library);
        return nullptr;
    }
    auto* table = new NvmlFunctions;
    const NvmlPtr loaded(table, [library, end](const NvmlFunctions* functions) {
        delete functions;
        if (end) end();
        dlclose(library);
    });
    bind(library, table->getHandleByIndex, {"nvmlDeviceGetHandleByIndex_v2"});
    bind(library, table->getHandleByUuid, {"nvmlDeviceGetHandleByUUID"});
    bind(library, table->getHandleByPciBusId, {"nvmlDeviceGetHandleByPciBusId_v2"});
    bind(library, table->getDriverVersion, {"nvmlSystemGetDriverVersion"});
    bind(library, table->getName, {"nvmlDeviceGetName"});
    bind(library, table->getUuid, {"nvmlDeviceGetUUID"});
    bind(library, table->getClock, {"nvmlDeviceGetClockInfo"});
    bind(library, table->getMaxClock, {"nvmlDeviceGetMaxClockInfo"});
    bind(library, table->getApplicationsClock, {"nvmlDeviceGetApplicationsClock"});
    bind(library, table->getPower, {"nvmlDeviceGetPowerUsage"});
    bind(library, table->getPowerLimit,
         {"nvmlDeviceGetEnforcedPowerLimit", "nvmlDeviceGetPowerManagementLimit"});
    bind(library, table->getTemperature, {"nvmlDeviceGetTemperature"});
    bind(library, table->getEventReasons,
         {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"});
    bind(library, table->getUtilization, {"nvmlDeviceGetUtilizationRates"});
    bind(library, table->getPersistence, {"nvmlDeviceGetPersistenceMode"});
    bind(library, table->getPerformanceState, {"nvmlDeviceGetPerformanceState"});
    // Older ones fill a smaller struct.
    bind(library, table->getProcesses,
         {"nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2"});
    bind(library, table->getMemory, {"nvmlDeviceGetMemoryInfo"});
    bind(library, table->getEcc, {"nvmlDeviceGetEccMode"});
    bind(library, table->getEnergy, {"nvmlDeviceGetTotalEnergyConsumption"});
    return loaded;
}

NvmlDevice::NvmlDevice(NvmlPtr library, NvmlFunctions::Device device)
    : m_library(std::move(library)), m_device(device) {}

std::optional<NvmlDevice> NvmlDevice::find(const NvmlPtr& library, const std::string& which) {
    if (!library) return std::nullopt;
    using Device = NvmlFunctions::Device;
    std::optional<Device> device;
    if (const auto index = wholeFromText(which.empty() ? "0" : which)) {
        if (*index <= 65535) device = asked<Device>(library->getHandleByIndex, unsigned(*index));
    } else if (which.find(':') != which.npos) {
        device = asked<Device>(library->getHandleByPciBusId, which.c_str());
    } else {
        device = asked<Device>(library->getHandleByUuid, which.c_str());
    }
    if (!device) return std::nullopt;
    return NvmlDevice(library, *device);
}

GpuConditions NvmlDevice::conditions() const {
    const NvmlFunctions& nvml = *m_library;
    GpuConditions now;
    now.name = askedText(nvml.getName, m_device);
    now.uuid = askedText(nvml.getUuid, m_device);
    now.driver = askedText(nvml.getDriverVersion);
    now.smMhz = asInt(asked<unsigned>(nvml.getClock, m_device, kSm));
    now.smMaxMhz = asInt(asked<unsigned>(nvml.getMaxClock, m_device, kSm));
    now.memoryMhz = asInt(asked<unsigned>(nvml.getClock, m_device, kMemory));
    now.memoryMaxMhz = asInt(asked<unsigned>(nvml.getMaxClock, m_device, kMemory));
    now.applicationsMhz = asInt(asked<unsigned>(nvml.getApplicationsClock, m_device, kGraphics));
    if (const auto power = asked<unsigned>(nvml.getPower, m_device)) now.powerW = *power / 1000.0;
    if (const auto limit = asked<unsigned>(nvml.getPowerLimit, m_device))
        now.powerLimitW = *limit / 1000.0;
    now.celsius = asInt(asked<unsigned>(nvml.getTemperature, m_device, 0));
    if (const auto bits = asked<unsigned long long>(nvml.getEventReasons, m_device))
        now.slowedBy = reasonWords(*bits);
    if (const auto used = asked<NvmlUtilization>(nvml.getUtilization, m_device))
        now.utilizationPercent = asInt(used->gpu);
    if (const auto on = asked<int>(nvml.getPersistence, m_device)) now.persistence = *on != 0;
    // 32: the library does not know.
    const auto state = asked<int>(nvml.getPerformanceState, m_device);
    if (state && *state >= 0 && *state < 32) now.performanceState = *state;
    now.otherProcesses = otherProcesses();
    if (const auto memory = asked<NvmlMemory>(nvml.getMemory, m_device)) {
        now.memoryUsed = memory->used;
        now.memoryTotal = memory->total;
    }
    int ecc = 0, pending = 0;
    if (nvml.getEcc && nvml.getEcc(m_device, &ecc, &pending) == 0) now.ecc = ecc != 0;
    return now;
}

std::optional<double> NvmlDevice::joules() const {
    const auto energy = asked<unsigned long long>(m_library->getEnergy, m_device);
    return energy ? std::optional(double(*energy) / 1000) : std::nullopt;
}

std::optional<int> NvmlDevice::otherProcesses() const {
    if (!m_library->getProcesses) return std::nullopt;
    std::vector<NvmlProcess> processes(16);
    unsigned count = 0;
    // More may have begun since it said how many there are.
    for (int tries = 0; tries < 4; ++tries) {
        count = unsigned(processes.size());
        const int answer = m_library->getProcesses(m_device, &count, processes.data());
        if (answer == 0) break;
        if (answer != kInsufficientSize || count > 100'000 || tries == 3) return std::nullopt;
        processes.resize(count + 16);
    }
    processes.resize(std::min<std::size_t>(count, processes.size()));
    bool ours = false;
    int others = 0, strangers = 0;
    for (const NvmlProcess& process : processes) {
        std::error_code ignored;
        if (process.pid == unsigned(getpid()))
            ours = true;
        else if (std::filesystem::exists(fmt::format("/proc/{}", process.pid), ignored))
            ++others;
        else
            ++strangers;
    }
    // Within a container the driver may number processes as the host does: one that is not known
    // here may be this one.
    if (!ours && strangers > 0) {
        if (others + strangers == 1) return std::nullopt;
        --strangers;
    }
    return others + strangers;
}

}  // namespace warpscope
