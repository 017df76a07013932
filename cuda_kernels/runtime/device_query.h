// What queryCuda() says, apart from where it asks.
#pragma once

#include <cuda_runtime_api.h>

#include <string>
#include <string_view>
#include <vector>

#include "cuda_kernels/runtime/cuda_backend.h"

namespace warpscope::cuda {

inline constexpr int kMinMajor = 7;
inline constexpr int kMinMinor = 5;

std::string versionText(int version);  // 12020 -> "12.2"

// The devices 0 to count - 1. One whose properties cannot be read is there by its number, not
// usable and with the reason; the others stay.
std::vector<CudaDevice> describeDevices(int count);

// Empty if the device will do.
std::string whyNotUsable(const CudaDevice& device);

// The release in what the kernel module says of itself in /proc/driver/nvidia/version; empty if
// there is none.
std::string driverReleaseIn(std::string_view moduleText);

// Why there is no GPU to use; empty if there is one. `driverVersion` is 0 without a driver,
// `counted` what counting the devices answered.
std::string whyUnavailable(int driverVersion, int runtimeVersion, cudaError_t counted,
                           const std::vector<CudaDevice>& devices);

// The device with this UUID, or the first usable one for an empty UUID. NotFound or Unsupported
// with the reason.
Result<CudaDevice> chooseDevice(const CudaReport& report, const std::string& uuid);

}  // namespace warpscope::cuda
