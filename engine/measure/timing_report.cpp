#include "engine/measure/timing_report.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>

#include "engine/backend/cpu_backend.h"

namespace warpscope {

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
    report.machine.simd = cpuInstructionSet();
    if (backends.cpu) report.machine.threads = backends.cpu->info().threads;
    if (backends.cuda) {
        report.machine.gpu = backends.cuda->info().device;
        report.machine.driver = backends.cuda->info().driver;
        report.machine.cuda = backends.cuda->info().toolkit;
    }
    return report;
}

}  // namespace warpscope
