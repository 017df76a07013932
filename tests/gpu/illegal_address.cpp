// A real fault of the device under a running chain, in a process of its own because none has a GPU
// after it: the chain's result comes from the CPU, the reports say why and what to do, later work
// does not touch CUDA any more, and the process ends as usual. Ends with 0, or with 1 and a line
// that says what was wrong.
#include <fmt/format.h>

#include <atomic>
#include <cstdlib>
#include <cstring>

#include "cuda_kernels/runtime/cuda_api.h"
#include "cuda_kernels/runtime/cuda_backend.h"
#include "engine/backend/backend_set.h"
#include "engine/image/synthetic.h"
#include "engine/pipeline/executor.h"
#include "illegal_address_kernel.h"

using namespace warpscope;

namespace {

constexpr std::uint64_t kBudget = std::uint64_t(256) << 20;
constexpr std::string_view kRestart = "restart to use the GPU again";

void require(bool good, const std::string& otherwise) {
    if (good) return;
    fmt::print("wrong: {}\n", otherwise);
    std::fflush(stdout);
    std::_Exit(1);
}

Pipeline chain(const char* sigma) {
    Pipeline pipeline;
    for (const std::string& text : {std::string("gaussian_blur:sigma=") + sigma,
                                    std::string("equalize"), std::string("median:radius=2")})
        pipeline.steps.push_back(parseStep(text).value());
    return pipeline;
}

ExecuteRequest requestFor(const Image& image, const char* sigma, BackendChoice backend) {
    ExecuteRequest request;
    request.source = image;
    request.pipeline = chain(sigma);
    request.backend = backend;
    return request;
}

void requireFallBack(const ExecuteResult& result, const Image& expected, const char* when) {
    require(sameSamples(result.image, expected), fmt::format("{}: other pixels", when));
    for (const StepReport& step : result.steps) {
        require(step.backend == BackendKind::Cpu, fmt::format("{}: not on the CPU", when));
        require(step.fallbackReason.find("cudaErrorIllegalAddress") != std::string::npos &&
                    step.fallbackReason.find(kRestart) != std::string::npos,
                fmt::format("{}: the reason is \"{}\"", when, step.fallbackReason));
    }
    fmt::print("{}: on the CPU, {}\n", when, result.steps.front().fallbackReason);
}

}  // namespace

int main() {
    BackendSet backends = makeBackends();
    require(bool(backends.cuda), "no GPU: " + backends.cudaUnavailable);
    const Image image = makeScene({1200, 800}, true, 7, {}).value();
    const Image expected[] = {Executor(BackendSet::cpuOnly("none"), kBudget)
                                  .run(requestFor(image, "2", BackendChoice::Cpu), {})
                                  .value()
                                  .image,
                              Executor(BackendSet::cpuOnly("none"), kBudget)
                                  .run(requestFor(image, "3", BackendChoice::Cpu), {})
                                  .value()
                                  .image};
    {
        Executor executor(std::move(backends), kBudget);
        const auto before = executor.run(requestFor(image, "2", BackendChoice::Cuda), {});
        require(before && sameSamples(before->image, expected[0]), "the first run");
        for (const StepReport& step : before->steps)
            require(step.backend == BackendKind::Cuda, "the first run: " + step.fallbackReason);

        // Under the second kernel of the next run.
        std::atomic<int> kernels{0};
        cuda::setCallHook([&](const cuda::CallSite& site) {
            const bool kernel = std::strncmp(site.call, "cuda", 4) != 0;
            return kernel && ++kernels == 2 ? launchIllegalWrite() : cudaSuccess;
        });
        const auto during = executor.run(requestFor(image, "3", BackendChoice::Cuda), {});
        require(kernels >= 2, "the fault had no chance");
        require(during.has_value(), "the run under which the fault came failed");
        requireFallBack(*during, expected[1], "under the fault");

        std::atomic<int> calls{0};
        cuda::setCallHook([&](const cuda::CallSite& site) {
            calls += !site.quiet;
            return cudaSuccess;
        });
        const auto after = executor.run(requestFor(image, "2", BackendChoice::Cuda), {});
        require(after.has_value(), "the next run failed");
        requireFallBack(*after, expected[0], "after the fault");
        const BackendSet anew = makeBackends();
        require(!anew.cuda, "a new backend, though the context is lost");
        require(anew.cudaUnavailable.find(kRestart) != std::string::npos,
                "a new backend: " + anew.cudaUnavailable);
        require(calls == 0, fmt::format("{} calls of CUDA after the fault", calls.load()));
        cuda::setCallHook({});
    }
    fmt::print("the backends are gone\n");
    return 0;
}
