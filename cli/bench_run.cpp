#include "cli/bench_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <ostream>

#include "cuda_kernels/runtime/cuda_backend.h"
#include "engine/measure/benchmark.h"
#include "engine/report/report_file.h"

namespace warpscope::cli {
namespace {

// "3 min 20 s left, gaussian_blur 512 x 512, cpu".
std::string detailOf(const BenchmarkProgress& progress) {
    const std::string row = fmt::format("{} rows, round {}", progress.rows, progress.round);
    if (progress.onlyNoisy)
        return fmt::format("{} for noisy rows, until they are steady  {}", row, progress.what);
    if (progress.secondsLeft < 0) return fmt::format("{}  {}", row, progress.what);
    const auto seconds = std::int64_t(progress.secondsLeft + 0.5);
    const std::string left = seconds < 60 ? fmt::format("{} s", seconds)
                                          : fmt::format("{} min {} s", seconds / 60, seconds % 60);
    return fmt::format("{}  {} left  {}", row, left, progress.what);
}

// Nothing falls back: rows of a GPU that is not there say so.
BackendSet backendsFor(bool onGpu, const std::string& gpu) {
    if (!onGpu) return *BackendOption{"cpu", gpu}.makeBackends();
    BackendSet backends = makeBackends(cudaOptions(gpu));
    if (!backends.gpuNotice.empty()) notice("--gpu: " + backends.gpuNotice);
    return backends;
}

}  // namespace

std::optional<TimingReport> measure(const BenchmarkPlan& plan, std::vector<std::string> command,
                                    const std::string& gpu, std::ostream* stream) {
    const bool onGpu = std::find(plan.backends.begin(), plan.backends.end(), BackendKind::Cuda) !=
                       plan.backends.end();
    const BackendSet backends = backendsFor(onGpu, gpu);
    PeerSet peers;
    if (plan.peers) {
        peers = loadPeers();
        if (!peers.unavailable.empty()) notice("--peers: " + peers.unavailable);
    }
    TimingReport head = reportHead(backends);
    head.command = std::move(command);
    BenchmarkRunner runner(backends, std::move(head), peers);
    ProgressBar bar("benchmark", ProgressBar::InPipe::Lines);
    BenchmarkCallbacks callbacks;
    callbacks.onProgress = [&](const BenchmarkProgress& progress) {
        if (progress.total == 0) return;
        bar.update(double(progress.done) / double(progress.total), detailOf(progress));
    };
    if (stream) {
        callbacks.onHead = [&](const TimingReport& begun) {
            *stream << toJsonLinesHead(begun) << std::flush;
        };
        callbacks.onRow = [&](std::size_t index, const StepTiming& row) {
            *stream << toJsonLine(index, row) << std::flush;
        };
    }
    auto result = runner.run(plan, interruptToken(), callbacks);
    if (!result) {
        failWith(result.error());
        return std::nullopt;
    }
    if (stream) *stream << toJsonLinesEnd(result->report) << std::flush;
    return std::move(result->report);
}

Result<void> readInto(BenchmarkPlan& plan, const BenchOptions& options) {
    if (!options.image.empty()) {
        auto image = readInput(options.image, options.memory);
        if (!image) return fail(image.error());
        plan.image = std::move(*image);
        plan.imageName = std::filesystem::path(options.image).filename().string();
    }
    if (!options.second.empty()) {
        auto second = readInput(options.second, options.memory);
        if (!second) return fail(second.error());
        plan.second = std::move(*second);
    }
    if (!options.pipelineFile.empty()) {
        auto chain = readPipeline(options.pipelineFile);
        if (!chain) return fail(chain.error());
        plan.chain = std::move(*chain);
    }
    return {};
}

int stopped(const TimingReport& report) {
    return failWith({ErrorCode::Cancelled,
                     fmt::format("stopped: {} of {} rows were begun, not all with all rounds",
                                 report.results.size(), report.rowsPlanned)});
}

void sayBusy(const TimingReport& report, const std::string& during) {
    const std::string text = busyText(report.before, report.after, during);
    if (!text.empty()) complain(text);
}

}  // namespace warpscope::cli
