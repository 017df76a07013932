// The life of a backend, with an executor on it and one fault in it.
#pragma once

#include <mutex>

#include "engine/base/log.h"
#include "engine/measure/agreement.h"
#include "engine/operations/analysis/statistics.h"
#include "engine/operations/registry.h"
#include "fake_cuda/fake_backend_set.h"
#include "fake_cuda/fault_kinds.h"
#include "pipeline/chains.h"
#include "support/images.h"
#include "support/operation_run.h"

namespace warpscope::test {

inline constexpr std::uint64_t kFaultsBudget = 64u << 20;

// What was logged while it lives.
class Log {
  public:
    Log() {
        setLogSink([this](LogLevel, std::string_view text) {
            const std::lock_guard lock(m_mutex);
            m_text.append(text).push_back('\n');
        });
    }
    ~Log() { setLogSink({}); }
    Log(const Log&) = delete;
    Log& operator=(const Log&) = delete;
    bool tells(const char* part) const {
        const std::lock_guard lock(m_mutex);
        return contains(m_text, part);
    }

  private:
    mutable std::mutex m_mutex;
    std::string m_text;  // guarded by m_mutex
};

// The work, and what it gives without a GPU.
class Job {
  public:
    explicit Job(PixelFormat format)
        : m_photo(makePhotograph(format, {53, 37})),
          m_chain(chain({"gaussian_blur:sigma=2", "equalize", "blend:with=source", "median"})),
          m_changed(
              chain({"gaussian_blur:sigma=2", "equalize", "blend:with=source", "median:radius=2"})),
          m_statistics(planFor(statistics_operation(), {}, format, m_photo.size())),
          m_repeated(planFor(*findOperation("median"), {}, format, m_photo.size())) {
        Executor cpu(BackendSet::cpuOnly("none"), kFaultsBudget);
        m_expected = cpu.run(request(m_chain), {}).value().image;
        m_expectedChanged = cpu.run(request(m_changed), {}).value().image;
        m_expectedFigures = cpu.analyze(m_expected, m_statistics, BackendChoice::Cpu, {}).value();
    }

    // One life of a backend in which call `n` fails; what was not as it ought to be, or nothing.
    // `fellBack` counts runs that the CPU took over.
    std::string live(FaultHook& hook, int n, const FaultKind& kind, int& fellBack) const {
        std::string wrong;
        {
            const Log log;
            hook.arm(n, kind.code, kind.lasting);
            wrong = work(hook, kind, fellBack);
            const auto hit = hook.hit();
            hook.disarm();
            // It is nobody's failure, but it is not hidden either.
            if (wrong.empty() && hit && hit->quiet && !log.tells(cudaGetErrorName(kind.code)))
                wrong = "nothing was logged";
            if (wrong.empty()) wrong = whatIsLeft();
            if (!wrong.empty() && hit) wrong = hit->text() + ": " + wrong;
        }
        return wrong;
    }

    const Image& expected() const { return m_expected; }
    ExecuteRequest request(const Pipeline& pipeline) const {
        ExecuteRequest request;
        request.source = m_photo;
        request.pipeline = pipeline;
        request.backend = BackendChoice::Cuda;
        request.recording = Recording::Kernels;
        return request;
    }
    const Pipeline& pipeline() const { return m_chain; }

    // A run while a fault may come.
    std::string checkRun(Executor& executor, FaultHook& hook, const FaultKind& kind,
                         const Pipeline& pipeline, const Image& expected, int& fellBack) const {
        const bool before = hook.hit().has_value();
        const auto done = executor.run(request(pipeline), {});
        if (!done) return "the run failed: " + done.error().message;
        if (const auto difference = firstDifference(expected, done->image); !difference.empty())
            return "wrong pixels: " + difference;
        bool fell = false;
        for (const StepReport& step : done->steps) {
            if (!step.backend) return "a step that says not where it ran";
            const bool onGpu = *step.backend == BackendKind::Cuda;
            if (onGpu && !step.fallbackReason.empty())
                return "on the GPU, and a reason why not: " + step.fallbackReason;
            fell = fell || !onGpu;
            if (onGpu) continue;
            const auto hit = hook.hit();
            if (!hit) return "not on the GPU without a fault: " + step.fallbackReason;
            const bool missing = !executor.backends().cuda;
            if (missing ? !explainsMissing(step.fallbackReason, kind)
                        : !explains(step.fallbackReason, kind))
                return "a reason that does not explain: " + step.fallbackReason;
        }
        fellBack += fell;
        const auto hit = hook.hit();
        if (before || !hit) return {};
        // Logged and survived, or tried again; and what only clears up after the result is there.
        const bool mayStay = hit->quiet || kind.isMemory() || contains(hit->file, "cuda_backend");
        return fell || mayStay ? "" : "a fault that changed nothing";
    }

  private:
    std::string work(FaultHook& hook, const FaultKind& kind, int& fellBack) const {
        Executor executor(fakeBackends(), kFaultsBudget);
        const BackendPtr gpu = executor.backends().cuda;
        if (!gpu && !hook.hit()) return "there is no GPU: " + executor.backends().cudaUnavailable;
        if (auto wrong = checkRun(executor, hook, kind, m_chain, m_expected, fellBack);
            !wrong.empty())
            return wrong;
        if (auto wrong = checkFigures(executor, hook, kind); !wrong.empty()) return wrong;
        if (gpu)
            if (auto wrong = checkRepeated(*gpu, hook, kind); !wrong.empty()) return wrong;
        if (!hook.hit()) return {};
        // The fault is over, but for those that never are.
        hook.disarm();
        return goesOn(executor, kind);
    }

    std::string checkFigures(Executor& executor, const FaultHook& hook,
                             const FaultKind& kind) const {
        const auto found = executor.analyze(m_expected, m_statistics, BackendChoice::Cuda, {});
        if (!found) return "the figures failed: " + found.error().message;
        if (compareAnalyses(m_expectedFigures.found, found->found).verdict != Verdict::Identical)
            return "wrong figures";
        if (found->backend == BackendKind::Cuda)
            return found->fallbackReason.empty() ? "" : "figures of the GPU with a reason";
        const auto hit = hook.hit();
        if (!hit) return "figures of the CPU without a fault: " + found->fallbackReason;
        const bool missing = !executor.backends().cuda;
        return (missing ? explainsMissing(found->fallbackReason, kind)
                        : explains(found->fallbackReason, kind))
                   ? ""
                   : "figures with a reason that does not explain: " + found->fallbackReason;
    }

    // What timings ask of a backend: a graph where one can be captured.
    std::string checkRepeated(Backend& gpu, const FaultHook& hook, const FaultKind& kind) const {
        const bool before = hook.hit().has_value();
        const auto uploaded = gpu.upload(m_photo, {});
        const auto repeated =
            uploaded ? gpu.timeRepeated(*m_repeated, {StepBuffers(*uploaded)}, 0, 3, {})
                     : Result<RepeatedRuns>(fail(uploaded.error()));
        const auto hit = hook.hit();
        if (repeated) {
            if (!(repeated->msPerRun > 0)) return "a figure that is none";
            if (!repeated->graph && !hit) return "no graph, and no fault";
            if (!hit || before || hit->quiet) return {};
            if (kind.isForEver()) return "a fault for ever that changed nothing";
            const bool ofGraph = hit->call.find("Capture(") != std::string::npos ||
                                 hit->call.find("cudaGraphInstantiate") == 0 ||
                                 hit->call.find("cudaGraphLaunch") == 0;
            return ofGraph && repeated->graph ? "a graph that could not be made" : "";
        }
        if (!hit) return "no figure, and no fault: " + repeated.error().message;
        const ErrorCode code = repeated.error().code;
        if (code != cuda::errorCodeFor(kind.code))
            return "another error: " + repeated.error().message;
        return kind.isMemory() || contains(repeated.error().message, cudaGetErrorName(kind.code))
                   ? ""
                   : "an error that does not explain: " + repeated.error().message;
    }

    // The same executor afterwards: what it kept is right, what it computes is, and where.
    std::string goesOn(Executor& executor, const FaultKind& kind) const {
        const BackendPtr gpu = executor.backends().cuda;
        for (const bool changed : {false, true}) {
            const auto done = executor.run(request(changed ? m_changed : m_chain), {});
            if (!done) return "afterwards: " + done.error().message;
            const auto difference =
                firstDifference(changed ? m_expectedChanged : m_expected, done->image);
            if (!difference.empty()) return "wrong pixels afterwards: " + difference;
            const StepReport& last = done->steps.back();
            if (gpu && !kind.isForEver() && changed &&
                (last.backend != BackendKind::Cuda || !last.fallbackReason.empty()))
                return "not on the GPU any more: " + last.fallbackReason;
            if (last.backend != BackendKind::Cuda && last.fallbackReason.empty())
                return "on the CPU without a reason afterwards";
        }
        if (gpu && kind.isForEver() && cuda::earlierDeviceFault()) {
            const BackendSet anew = fakeBackends();
            if (anew.cuda || !contains(anew.cudaUnavailable, "restart to use the GPU again"))
                return "a new backend after a fault: " + anew.cudaUnavailable;
        }
        if (!gpu || kind.isForEver()) return {};
        const auto uploaded = gpu->upload(m_photo, {});
        if (!uploaded) return "no upload afterwards: " + uploaded.error().message;
        const auto repeated = gpu->timeRepeated(*m_repeated, {StepBuffers(*uploaded)}, 0, 3, {});
        if (!repeated) return "no figure afterwards: " + repeated.error().message;
        return repeated->graph ? "" : "no graph any more";
    }

    Image m_photo;
    Pipeline m_chain;
    Pipeline m_changed;  // the last step alone
    PlanPtr m_statistics;
    PlanPtr m_repeated;
    Image m_expected;
    Image m_expectedChanged;
    AnalyzeResult m_expectedFigures;
};

}  // namespace warpscope::test
