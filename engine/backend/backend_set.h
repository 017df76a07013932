// The backends that a program has, and why one is missing.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/backend/backend.h"

namespace warpscope {

enum class BackendChoice { Auto, Cpu, CpuSingle, Cuda };

std::string_view choiceId(BackendChoice choice);  // "auto", "cpu", "cpu-single", "cuda"
std::optional<BackendChoice> choiceFromId(std::string_view id);

// One of the GPUs that a machine has.
struct GpuDevice {
    std::string uuid;    // "GPU-..."; empty where the driver does not tell
    std::string name;    // "NVIDIA H100 80GB HBM3"
    std::string whyNot;  // "compute capability 6.1 is below 7.5"; empty: it can be used

    friend bool operator==(const GpuDevice&, const GpuDevice&) = default;
};

struct BackendSet {
    BackendPtr cpuSingle;  // never null
    BackendPtr cpu;        // never null
    BackendPtr cuda;       // null where there is no usable GPU
    std::string
        cudaUnavailable;  // why: "no NVIDIA driver is installed", ...; empty if cuda is there
    std::vector<GpuDevice> gpus = {};  // all that the driver knows, that of `cuda` among them
    // Why `cuda` is not the GPU that was chosen; empty if it is, or none was.
    std::string gpuNotice = {};

    // Both CPU backends, and no GPU for the given reason.
    static BackendSet cpuOnly(std::string whyNoGpu);

    struct Pick {
        BackendPtr backend;
        std::string fallbackReason;  // set when CUDA was asked for by name and is not there
    };
    // Auto takes CUDA if it is there, else all cores.
    Pick pick(BackendChoice choice) const;
    // Those that exist, in the order one thread, all cores, GPU.
    std::vector<BackendPtr> available() const;
};

}  // namespace warpscope
