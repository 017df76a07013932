// warpscope-cli devices: the CPU and the GPUs, or why there is none.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/common.h"
#include "cuda_kernels/runtime/cuda_backend.h"
#include "engine/backend/cpu_backend.h"
#include "engine/io/isolated_reader.h"

namespace warpscope::cli {
namespace {

std::string asTable(const BackendInfo& cpu, const CudaReport& cuda) {
    std::string text = fmt::format("CPU   {}\n      {} threads, {}\n", cpu.device, cpu.threads,
                                   cpuInstructionSet());
    for (const CudaDevice& device : cuda.devices) {
        text += fmt::format(
            "GPU {} {}\n      compute capability {}.{}, {} multiprocessors, {:.1f} GiB, L2 {:.1f} "
            "MiB, {}\n",
            device.index, device.name, device.major, device.minor, device.multiprocessors,
            double(device.memoryBytes) / double(1 << 30), double(device.l2Bytes) / double(1 << 20),
            device.uuid);
        if (!device.usable) text += fmt::format("      not used: {}\n", device.whyNot);
    }
    if (!cuda.unavailable.empty()) text += fmt::format("GPU   none: {}\n", cuda.unavailable);
    if (cuda.built)
        text += fmt::format("CUDA  runtime {}{}\n", cuda.toolkitVersion,
                            cuda.driverVersion.empty() ? "" : ", driver " + cuda.driverName());
    text += fmt::format("Files are decoded {}\n", decodingProtection());
    return text;
}

std::string asJson(const BackendInfo& cpu, const CudaReport& cuda) {
    nlohmann::ordered_json json;
    json["cpu"] = {{"name", cpu.device}, {"threads", cpu.threads}, {"simd", cpuInstructionSet()}};
    json["cuda"] = {{"built", cuda.built},
                    {"runtime", cuda.toolkitVersion},
                    {"driver", cuda.driverVersion},
                    {"driver_release", cuda.driverRelease},
                    {"unavailable", cuda.unavailable}};
    json["gpus"] = nlohmann::ordered_json::array();
    for (const CudaDevice& d : cuda.devices)
        json["gpus"].push_back({{"index", d.index},
                                {"name", d.name},
                                {"uuid", d.uuid},
                                {"compute_capability", fmt::format("{}.{}", d.major, d.minor)},
                                {"multiprocessors", d.multiprocessors},
                                {"memory_bytes", d.memoryBytes},
                                {"l2_bytes", d.l2Bytes},
                                {"usable", d.usable},
                                {"why_not", d.whyNot}});
    json["decoding"] = decodingProtection();
    return json.dump(2) + "\n";
}

}  // namespace

void addDevices(CLI::App& app, int& exitCode) {
    auto format = std::make_shared<std::string>("table");
    CLI::App* command = app.add_subcommand("devices", "The CPU and the GPUs, or why there is none");
    command->add_option("--format", *format, "Form of the output")
        ->check(CLI::IsMember({"table", "json"}))
        ->capture_default_str();
    command->callback([format, &exitCode] {
        const auto cpu = makeCpuBackend(Threading::AllCores);
        const CudaReport cuda = queryCuda();
        const std::string text =
            *format == "json" ? asJson(cpu->info(), cuda) : asTable(cpu->info(), cuda);
        if (auto written = writeOutput(text, ""); !written) exitCode = failWith(written.error());
    });
}

}  // namespace warpscope::cli
