#include "cuda_kernels/runtime/device_fault.h"

#include <fmt/format.h>

#include <mutex>

namespace warpscope::cuda {
namespace {

struct Remembered {
    std::mutex mutex;
    std::optional<Error> fault;  // guarded by mutex
};

Remembered& remembered() {
    static Remembered only;
    return only;
}

}  // namespace

void noteDeviceFault(const Error& error) {
    if (error.code != ErrorCode::DeviceFault) return;
    Remembered& memory = remembered();
    const std::lock_guard lock(memory.mutex);
    if (memory.fault) return;
    memory.fault = Error{
        ErrorCode::DeviceFault,
        fmt::format("the GPU failed earlier ({}): restart to use the GPU again", error.message)};
}

std::optional<Error> earlierDeviceFault() {
    Remembered& memory = remembered();
    const std::lock_guard lock(memory.mutex);
    return memory.fault;
}

void forgetDeviceFault() {
    Remembered& memory = remembered();
    const std::lock_guard lock(memory.mutex);
    memory.fault.reset();
}

}  // namespace warpscope::cuda
