#include "cli/report_head.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>

#include "cuda_kernels/runtime/cuda_backend.h"
#include "engine/backend/cpu_backend.h"

namespace warpscope::cli {

TimingReport reportHead(const BackendSet& backends) {
    TimingReport report;
    report.programVersion = WARPSCOPE_VERSION;
#ifdef __clang__
    report.compiler =
        fmt::format("Clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
    report.compiler = fmt::format("GCC {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
    const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    report.date = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                              fmt::gmtime(std::chrono::system_clock::to_time_t(now)));
    report.machine.cpu = cpuModelName();
    report.machine.threads = backends.cpu->info().threads;
    report.machine.simd = cpuInstructionSet();
    if (backends.cuda) {
        const CudaReport cuda = queryCuda();
        report.machine.gpu = backends.cuda->info().device;
        report.machine.driver = cuda.driverName();
        report.machine.cuda = cuda.toolkitVersion;
    }
    return report;
}

}  // namespace warpscope::cli
