// CUDA as a backend. This header needs no CUDA toolkit, and the library behind it exists in a build
// without one: it then says so.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/backend/backend.h"

namespace warpscope {

struct CudaDevice {
    int index = 0;
    std::string name;
    std::string uuid;  // "GPU-..." as nvidia-smi prints it
    int major = 0;     // compute capability
    int minor = 0;
    int multiprocessors = 0;
    std::uint64_t memoryBytes = 0;
    std::uint64_t l2Bytes = 0;
    bool usable = true;
    std::string whyNot;  // "compute capability 6.1 is below 7.5"

    // False where the driver tells nothing of it but that it is there: all above is empty then, but
    // index, name and whyNot.
    bool readable() const { return !uuid.empty(); }
};

struct CudaReport {
    bool built = false;          // this program was built with CUDA
    std::string toolkitVersion;  // "13.0", of the runtime that is linked
    // Highest CUDA version that the driver supports; empty without a driver.
    std::string driverVersion;
    std::string driverRelease;  // "580.159.04"; empty where the system does not tell
    std::vector<CudaDevice> devices;
    std::string unavailable;  // why there is no GPU to use; empty if there is one

    // "580.159.04 (CUDA 13.0)", as reports name it; empty without a driver.
    std::string driverName() const {
        if (driverVersion.empty()) return {};
        return driverRelease.empty() ? "CUDA " + driverVersion
                                     : driverRelease + " (CUDA " + driverVersion + ")";
    }
};

// Looks for driver and devices without creating a context. Never fails; says why there is nothing
// instead: built without CUDA / no driver / driver too old / no device / device too old.
CudaReport queryCuda();

struct CudaOptions {
    // The device; empty for the first usable one. For makeBackends() the beginning of a UUID will
    // do, as gpuNameFrom() gives it (engine/backend/gpu_choice.h).
    std::string uuid;
    // Launch each kernel once. Without it the first run of each step loads its kernels: for tools
    // that follow every access, to which the warm-up is hours of work nobody asked for.
    bool warmUp = true;
};

// Creates context, stream and pool, and warms up, so that none of that reaches a user's timing:
// several 100 ms. Errors: NotFound or Unsupported with one of the reasons of
// queryCuda, OutOfMemory, DeviceFault. After a DeviceFault, of any of these calls or of a backend
// that they made, there are no more backends in this run of the program: DeviceFault, "the GPU
// failed earlier (...): restart to use the GPU again".
Result<std::unique_ptr<Backend>> makeCudaBackend(const CudaOptions& options = {});

// What the program calls at start: both CPU backends and the GPU if there is one. One that was
// chosen and is not there is replaced by the first usable one, with BackendSet::gpuNotice.
struct BackendSet;
BackendSet makeBackends(const CudaOptions& options = {});

}  // namespace warpscope
