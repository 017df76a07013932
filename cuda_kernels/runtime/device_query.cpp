#include "cuda_kernels/runtime/device_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "cuda_kernels/runtime/cuda_api.h"

namespace warpscope {
namespace cuda {
namespace {

std::string uuidText(const cudaUUID_t& uuid) {
    std::string text = "GPU";
    for (int i = 0; i < 16; ++i) {
        if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10) text += '-';
        text += fmt::format("{:02x}", static_cast<unsigned char>(uuid.bytes[i]));
    }
    return text;
}

CudaDevice describeDevice(int index) {
    cudaDeviceProp properties{};
    WARPSCOPE_CUDA(cudaGetDeviceProperties(&properties, index));
    CudaDevice device;
    device.index = index;
    device.name = properties.name;
    device.uuid = uuidText(properties.uuid);
    device.major = properties.major;
    device.minor = properties.minor;
    device.multiprocessors = properties.multiProcessorCount;
    device.memoryBytes = properties.totalGlobalMem;
    device.l2Bytes = std::uint64_t(properties.l2CacheSize);
    device.whyNot = whyNotUsable(device);
    device.usable = device.whyNot.empty();
    return device;
}

// Of a device that is not usable.
std::string whyRefused(const CudaDevice& device) {
    return fmt::format("{}: {}, {}",
                       device.readable() ? "the GPU is too old" : "the GPU cannot be used",
                       device.name, device.whyNot);
}

std::string driverReports(cudaError_t code) {
    return fmt::format("the NVIDIA driver reports: {}", cudaGetErrorString(code));
}

// Asks one thing of the runtime; the answer's code is part of the report, not a failure of ours.
template <class Call>
cudaError_t ask(const char* name, Call&& call) {
    try {
        check({name, __FILE__, __LINE__, false}, call);
        return cudaSuccess;
    } catch (const CudaFailure& failure) {
        return failure.code();
    }
}

}  // namespace

std::string versionText(int version) {
    return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

std::string driverReleaseIn(std::string_view moduleText) {
    // "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159.04  Thu ...": the first word of
    // digits and points.
    const std::string_view line = moduleText.substr(0, moduleText.find('\n'));
    for (std::size_t at = 0; at < line.size();) {
        const std::size_t end = std::min(line.find(' ', at), line.size());
        const std::string_view word = line.substr(at, end - at);
        if (word.find('.') != word.npos && word.find_first_not_of("0123456789.") == word.npos)
            return std::string(word);
        at = end + 1;
    }
    return {};
}

std::string whyNotUsable(const CudaDevice& device) {
    if (device.major > kMinMajor || (device.major == kMinMajor && device.minor >= kMinMinor))
        return {};
    return fmt::format("compute capability {}.{} is below {}.{}", device.major, device.minor,
                       kMinMajor, kMinMinor);
}

std::string whyUnavailable(int driverVersion, int runtimeVersion, cudaError_t counted,
                           const std::vector<CudaDevice>& devices) {
    // Without a driver the runtime says "insufficient driver", as it does with an old one.
    if (driverVersion == 0) return "no NVIDIA driver is installed";
    if (counted == cudaErrorInsufficientDriver) {
        return fmt::format(
            "the NVIDIA driver is too old: it supports CUDA {}, this program needs {}",
            versionText(driverVersion), versionText(runtimeVersion));
    }
    if (counted == cudaErrorNoDevice || (counted == cudaSuccess && devices.empty()))
        return "no NVIDIA GPU was found";
    if (counted != cudaSuccess) return driverReports(counted);
    for (const CudaDevice& device : devices)
        if (device.usable) return {};
    return whyRefused(devices.front());
}

std::vector<CudaDevice> describeDevices(int count) {
    std::vector<CudaDevice> devices;
    for (int index = 0; index < count; ++index) {
        try {
            devices.push_back(describeDevice(index));
        } catch (const CudaFailure& failure) {
            CudaDevice& device = devices.emplace_back();
            device.index = index;
            device.name = fmt::format("GPU {}", index);
            device.usable = false;
            device.whyNot = fmt::format("its properties cannot be read: {}",
                                        cudaGetErrorString(failure.code()));
        }
    }
    return devices;
}

Result<CudaDevice> chooseDevice(const CudaReport& report, const std::string& uuid) {
    if (report.devices.empty() || !report.unavailable.empty()) {
        const bool tooOld = !report.devices.empty();
        return fail(tooOld ? ErrorCode::Unsupported : ErrorCode::NotFound, report.unavailable);
    }
    for (const CudaDevice& device : report.devices) {
        if (uuid.empty() ? !device.usable : device.uuid != uuid) continue;
        if (device.usable) return device;
        return fail(ErrorCode::Unsupported, whyRefused(device));
    }
    return fail(ErrorCode::NotFound, fmt::format("there is no GPU {}", uuid));
}

}  // namespace cuda

CudaReport queryCuda() {
    using namespace cuda;
    CudaReport report;
    report.built = true;
    int runtime = CUDART_VERSION;
    int driver = 0;
    ask("cudaRuntimeGetVersion", [&] { return cudaRuntimeGetVersion(&runtime); });
    // 0 and success where no driver is.
    const cudaError_t asked =
        ask("cudaDriverGetVersion", [&] { return cudaDriverGetVersion(&driver); });
    report.toolkitVersion = versionText(runtime);
    if (driver != 0) {
        report.driverVersion = versionText(driver);
        std::string line;
        std::getline(std::ifstream("/proc/driver/nvidia/version"), line);
        report.driverRelease = driverReleaseIn(line);
    }
    int count = 0;
    const cudaError_t counted =
        ask("cudaGetDeviceCount", [&] { return cudaGetDeviceCount(&count); });
    if (counted == cudaSuccess) report.devices = describeDevices(count);
    report.unavailable = asked == cudaSuccess
                             ? whyUnavailable(driver, runtime, counted, report.devices)
                             : driverReports(asked);
    return report;
}

}  // namespace warpscope
