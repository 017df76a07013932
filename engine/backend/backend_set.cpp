#include "engine/backend/backend_set.h"

#include <utility>

#include "engine/backend/cpu_backend.h"

namespace warpscope {

std::string_view backendId(BackendKind kind) {
    switch (kind) {
        case BackendKind::CpuSingle:
            return "cpu-single";
        case BackendKind::Cpu:
            return "cpu";
        case BackendKind::Cuda:
            return "cuda";
    }
    return "";
}

std::optional<BackendKind> backendFromId(std::string_view id) {
    for (const BackendKind kind : {BackendKind::CpuSingle, BackendKind::Cpu, BackendKind::Cuda})
        if (backendId(kind) == id) return kind;
    return std::nullopt;
}

Result<std::vector<double>> Backend::copyMs(std::uint64_t, int, const RunContext&) {
    return fail(ErrorCode::Unsupported, info().label + " cannot time copies");
}

Result<ArithmeticPeak> Backend::arithmeticPeak(const RunContext&) {
    return fail(ErrorCode::Unsupported, info().label + " cannot time arithmetic alone");
}

Result<RepeatedRuns> Backend::timeRepeated(const Plan&, const std::vector<StepBuffers>&,
                                           std::size_t, int, const RunContext&) {
    return fail(ErrorCode::Unsupported, info().label + " cannot time repeated runs");
}

std::string_view choiceId(BackendChoice choice) {
    switch (choice) {
        case BackendChoice::Auto:
            return "auto";
        case BackendChoice::Cpu:
            return "cpu";
        case BackendChoice::CpuSingle:
            return "cpu-single";
        case BackendChoice::Cuda:
            return "cuda";
    }
    return "";
}

std::optional<BackendChoice> choiceFromId(std::string_view id) {
    for (const BackendChoice choice :
         {BackendChoice::Auto, BackendChoice::Cpu, BackendChoice::CpuSingle, BackendChoice::Cuda}) {
        if (choiceId(choice) == id) return choice;
    }
    return std::nullopt;
}

BackendSet BackendSet::cpuOnly(std::string whyNoGpu) {
    BackendSet set;
    set.cpuSingle = makeCpuBackend(Threading::Single);
    set.cpu = makeCpuBackend(Threading::AllCores);
    set.cudaUnavailable = std::move(whyNoGpu);
    return set;
}

BackendSet::Pick BackendSet::pick(BackendChoice choice) const {
    switch (choice) {
        case BackendChoice::CpuSingle:
            return {cpuSingle, {}};
        case BackendChoice::Cpu:
            return {cpu, {}};
        case BackendChoice::Auto:
            return {cuda ? cuda : cpu, {}};
        case BackendChoice::Cuda:
            if (cuda) return {cuda, {}};
            return {cpu, cudaUnavailable.empty() ? "there is no GPU" : cudaUnavailable};
    }
    return {cpu, {}};
}

std::vector<BackendPtr> BackendSet::available() const {
    std::vector<BackendPtr> list;
    for (const BackendPtr& backend : {cpuSingle, cpu, cuda})
        if (backend) list.push_back(backend);
    return list;
}

}  // namespace warpscope
