// What the GPU's driver tells about a device, through the management library that comes with it:
// loaded at run time, so that a machine without it loses these figures and nothing else.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warpscope {

struct NvmlDeviceHandle;

struct NvmlUtilization {
    unsigned gpu = 0;
    unsigned memory = 0;
};
struct NvmlMemory {
    unsigned long long total = 0;
    unsigned long long free = 0;
    unsigned long long used = 0;
};
struct NvmlProcess {
    unsigned pid = 0;
    unsigned long long memory = 0;
    unsigned gpuInstance = 0;
    unsigned computeInstance = 0;
};

// The library's functions by its names; null where it has none. All return 0 for success.
struct NvmlFunctions {
    using Device = NvmlDeviceHandle*;
    using DeviceWhole = int (*)(Device, unsigned*);

    int (*getHandleByIndex)(unsigned, Device*) = nullptr;
    int (*getHandleByUuid)(const char*, Device*) = nullptr;
    int (*getHandleByPciBusId)(const char*, Device*) = nullptr;
    int (*getDriverVersion)(char*, unsigned) = nullptr;
    int (*getName)(Device, char*, unsigned) = nullptr;
    int (*getUuid)(Device, char*, unsigned) = nullptr;
    // Of graphics (0), SM (1) or memory (2), in MHz.
    int (*getClock)(Device, int, unsigned*) = nullptr;
    int (*getMaxClock)(Device, int, unsigned*) = nullptr;
    int (*getApplicationsClock)(Device, int, unsigned*) = nullptr;
    // Milliwatts.
    DeviceWhole getPower = nullptr;
    DeviceWhole getPowerLimit = nullptr;
    int (*getTemperature)(Device, int, unsigned*) = nullptr;
    int (*getEventReasons)(Device, unsigned long long*) = nullptr;
    int (*getUtilization)(Device, NvmlUtilization*) = nullptr;
    int (*getPersistence)(Device, int*) = nullptr;
    int (*getPerformanceState)(Device, int*) = nullptr;
    int (*getProcesses)(Device, unsigned*, NvmlProcess*) = nullptr;
    int (*getMemory)(Device, NvmlMemory*) = nullptr;
    int (*getEcc)(Device, int*, int*) = nullptr;
    // Millijoules since the driver was loaded.
    int (*getEnergy)(Device, unsigned long long*) = nullptr;
};
using NvmlPtr = std::shared_ptr<const NvmlFunctions>;

// Null where there is no library or it does not begin. Released with its last user.
NvmlPtr loadNvml();

struct GpuConditions {
    std::string name, uuid, driver;
    std::optional<int> smMhz, smMaxMhz, memoryMhz, memoryMaxMhz, applicationsMhz;
    std::optional<double> powerW, powerLimitW;
    std::optional<int> celsius;
    // Why the clock is not higher, in words; idle is kIdle.
    std::optional<std::vector<std::string>> slowedBy;
    std::optional<int> utilizationPercent;
    std::optional<bool> persistence;
    // 0 is the fastest.
    std::optional<int> performanceState;
    // That compute, other than this one.
    std::optional<int> otherProcesses;
    std::optional<std::uint64_t> memoryUsed, memoryTotal;
    std::optional<bool> ecc;

    static constexpr const char* kIdle = "idle";
    friend bool operator==(const GpuConditions&, const GpuConditions&) = default;
};

// One device. What the library lacks or answers with an error stays unknown.
class NvmlDevice {
  public:
    // `which`: "GPU-..." (a UUID), "0000:1b:00.0" (a PCI bus id) or an index in the driver's order,
    // which is not always CUDA's; empty is the first. Nothing without such a device.
    static std::optional<NvmlDevice> find(const NvmlPtr& library, const std::string& which);

    GpuConditions conditions() const;
    std::optional<double> joules() const;

  private:
    NvmlDevice(NvmlPtr library, NvmlFunctions::Device device);
    std::optional<int> otherProcesses() const;

    NvmlPtr m_library;
    NvmlFunctions::Device m_device;
};

}  // namespace warpscope
