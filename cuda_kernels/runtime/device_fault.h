// A fault of the device ends the use of CUDA for this run of the program: the runtime reports it
// for ever, whoever asks. Thread-safe.
#pragma once

#include <optional>

#include "engine/base/result.h"

namespace warpscope::cuda {

// Remembers an error that is a DeviceFault; others, and all but the first, change nothing.
void noteDeviceFault(const Error& error);

// What to answer instead of trying again, once there was one: DeviceFault, "the GPU failed earlier
// (...): restart to use the GPU again".
std::optional<Error> earlierDeviceFault();

// For tests, whose faults are pretended.
void forgetDeviceFault();

}  // namespace warpscope::cuda
