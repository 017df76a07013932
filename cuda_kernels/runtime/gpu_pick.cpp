#include "cuda_kernels/runtime/gpu_pick.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpscope {

GpuPick pickGpu(const CudaReport& report, const std::string& wanted) {
    if (wanted.empty() || !report.unavailable.empty()) return {};
    std::vector<const CudaDevice*> named;
    for (const CudaDevice& device : report.devices)
        if (device.readable() && device.uuid.starts_with(wanted)) named.push_back(&device);
    if (named.size() == 1 && named.front()->usable) return {named.front()->uuid, {}};

    const auto first = std::ranges::find_if(report.devices, &CudaDevice::usable);
    const std::string taken = first == report.devices.end() ? std::string() : first->name;
    if (named.empty()) return {{}, fmt::format("there is no {}: taking {}", wanted, taken)};
    if (named.size() > 1)
        return {{}, fmt::format("{} stands for {} GPUs: taking {}", wanted, named.size(), taken)};
    return {{},
            fmt::format("{} cannot be used, {}: taking {}", named.front()->name,
                        named.front()->whyNot, taken)};
}

std::vector<GpuDevice> gpusOf(const CudaReport& report) {
    std::vector<GpuDevice> gpus;
    for (const CudaDevice& device : report.devices)
        gpus.push_back({device.uuid, device.name, device.whyNot});
    return gpus;
}

}  // namespace warpscope
