// What a pixel costs on one thread, as a table of Markdown: the steps of a file (operations with
// parameters, a line each, as `warpscope-cli bench --step @FILE` takes them) on gray and colour.
// Processor time of the thread, so that other programs disturb it little; not a test:
//   warpscope_operation_costs FILE [WIDTH HEIGHT]
// Beside it the time that copying takes for the bytes that must be read and written, measured in
// the same run in the same way, in per cent: 100 is as fast as copying.
#include <fmt/format.h>
#include <sched.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <sstream>

#include "engine/backend/cpu_backend.h"
#include "engine/image/synthetic.h"
#include "engine/operations/registry.h"
#include "support/operation_run.h"

using namespace warpscope;

namespace {

double processorMs() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1000.0 * double(now.tv_sec) + double(now.tv_nsec) / 1e6;
}

// The least of as many calls as last about 300 ms, at least five: what is beside the work only
// adds.
double leastMs(const std::function<void()>& work) {
    work();
    double least = 1e300;
    const double begin = processorMs();
    for (int calls = 0; calls < 5 || processorMs() - begin < 300; ++calls) {
        const double before = processorMs();
        work();
        least = std::min(least, processorMs() - before);
        if (calls == 0 && least > 3000) break;
    }
    return least;
}

struct Step {
    std::string text, operation;
    test::TextParameters parameters;
};

std::vector<Step> stepsOf(const char* file) {
    std::vector<Step> steps;
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);) {
        if (line.empty()) continue;
        Step step{line, line.substr(0, line.find(':')), {}};
        if (const auto colon = line.find(':'); colon != std::string::npos) {
            std::istringstream parts(line.substr(colon + 1));
            for (std::string part; std::getline(parts, part, ',');)
                step.parameters.emplace_back(part.substr(0, part.find('=')),
                                             part.substr(part.find('=') + 1));
        }
        steps.push_back(std::move(step));
    }
    return steps;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) return 2;
    const Size size{argc > 3 ? std::atoi(argv[2]) : 3840, argc > 3 ? std::atoi(argv[3]) : 2160};
    cpu_set_t own;
    CPU_ZERO(&own);
    CPU_SET(std::size_t(sched_getcpu()), &own);
    sched_setaffinity(0, sizeof own, &own);
    const auto scene = makeScene(size, true, 1, {});
    if (!scene) return 1;
    const Image color = *scene;
    const Image gray = test::runOn(*findOperation("grayscale"), {}, color);
    auto copied = *MutableImage::create(color.format(), size);
    const double copyMs = leastMs(
        [&] { std::memcpy(copied.bytes(), color.bytes(), std::size_t(color.byteCount())); });
    const double bytesPerMs = 2.0 * double(color.byteCount()) / copyMs;
    fmt::print("{} x {}, {}, {}; copying {:.1f} GB/s read and written\n\n", size.width, size.height,
               cpuModelName(), cpuInstructionSet(), bytesPerMs / 1e6);
    fmt::print("| step | gray ms | % of copying | RGBA ms | % of copying |\n");
    fmt::print("|---|---:|---:|---:|---:|\n");
    for (const Step& step : stepsOf(argv[1])) {
        const Operation* operation = findOperation(step.operation);
        if (!operation) return 1;
        fmt::print("| `{}` |", step.text);
        for (const Image& image : {gray, color}) {
            const PlanPtr plan =
                test::planFor(*operation, step.parameters, image.format(), image.size());
            auto out = *MutableImage::create(plan->output, plan->outputSize);
            const double ms = leastMs([&] {
                if (!plan->operation->runCpu(*plan, image, out, {Threading::Single, {}, {}}))
                    std::abort();
            });
            fmt::print(" {:.3g} | {:.3g} |", ms,
                       100 * double(plan->minimalBytes) / bytesPerMs / ms);
        }
        fmt::print("\n");
        std::fflush(stdout);
    }
}
