// A backend whose work takes exactly as long as a test says, on a clock that the test owns. It
// computes with the real CPU code, so that results are right. On request it is asynchronous as a
// GPU is: calls return at once, and the time passes where somebody waits.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/backend/backend_set.h"
#include "pipeline/fake_backend.h"

namespace warpscope::test {

class SleepingBackend final : public InnerBackend {
  public:
    SleepingBackend(BackendKind kind, FakeClock& clock) : InnerBackend(kind), m_clock(clock) {}

    // What a test sets.
    std::function<double(int)> kernelMs;  // by number of the run, from 0
    double coldFactor = 1;                // times that, where the input is in no cache any more
    std::uint64_t cache = 1000;           // bytes
    double uploadMs = 0;
    double downloadMs = 0;
    double eventMs = 0;         // that a pair of events adds to what it measures
    double launchMs = 0;        // of the host, before a run returns
    bool asynchronous = false;  // time passes in synchronize(), download() and takeSpans()
    bool canRepeat = false;
    bool wrongPixel = false;  // one sample of each result
    bool blank = false;       // results are black: for what would take long to compute
    std::function<void(int)> duringRun;
    int failingRun = -1;  // the number of one that fails

    int runs = 0;
    int repeatedRuns = 0;
    std::uint64_t copiedBytes = 0;  // of a copy, the last time

    std::uint64_t cacheBytes() const override { return cache; }

    Result<BufferPtr> upload(const Image& image, const RunContext& context) override {
        pass(SpanKind::Upload, uploadMs);
        auto buffer = m_inner->upload(image, context);
        // Memory of a buffer that is gone may come again; and an upload is a use.
        std::erase_if(m_uses, [&](const auto& use) { return use.first == buffer->get(); });
        m_uses.emplace_back(buffer->get(), (*buffer)->byteCount());
        return buffer;
    }

    Result<BufferPtr> run(const Plan& plan, const StepBuffers& input,
                          const RunContext& context) override {
        if (auto done = work(input.first, context); !done) return fail(done.error());
        auto output = blank ? black(plan) : m_inner->run(plan, input, {});
        return output && wrongPixel ? spoiled(*output, std::byte{64}, 5, 7) : output;
    }

    Result<AnalysisResult> analyze(const Plan& plan, const StepBuffers& input,
                                   const RunContext& context) override {
        if (auto done = work(input.first, context); !done) return fail(done.error());
        wait();
        auto found = m_inner->analyze(plan, input, {});
        if (found && wrongPixel) ++std::get<HistogramSet>(*found).channels.front().bins[7];
        return found;
    }

    Result<Image> download(const BufferPtr& buffer, const RunContext& context) override {
        pass(SpanKind::Download, downloadMs);
        wait();
        return m_inner->download(buffer, context);
    }

    Result<void> synchronize() override {
        wait();
        return {};
    }

    void setRecording(Recording recording) override {
        m_recording = recording != Recording::Off;
        m_spans.clear();
    }
    Result<std::vector<Span>> takeSpans() override {
        wait();
        return std::exchange(m_spans, {});
    }

    Result<std::vector<double>> copyMs(std::uint64_t bytes, int repetitions,
                                       const RunContext&) override {
        if (m_info.kind != BackendKind::Cuda) return fail(ErrorCode::Unsupported, "no copies");
        copiedBytes = bytes;
        // 100 GB/s read and as much written.
        return std::vector<double>(std::size_t(repetitions), double(bytes) / 100e6);
    }

    Result<RepeatedRuns> timeRepeated(const Plan& plan, const std::vector<StepBuffers>& inputs,
                                      std::size_t first, int count,
                                      const RunContext& context) override {
        if (!canRepeat) return Backend::timeRepeated(plan, inputs, first, count, context);
        double sum = eventMs;
        for (int i = 0; i < count; ++i) {
            sum +=
                kernelMs(runs) * factorFor(inputs[(first + std::size_t(i)) % inputs.size()].first);
            ++repeatedRuns;
        }
        m_clock.advanceMs(sum);
        return RepeatedRuns{sum / count, true};
    }

  private:
    Result<void> work(const BufferPtr& input, const RunContext& context) {
        workOnSeveralThreads();
        const int number = runs++;
        if (duringRun) duringRun(number);
        if (number == failingRun) return fail(ErrorCode::Unsupported, "the run failed");
        if (context.stop.stop_requested()) return cancelled();
        m_clock.advanceMs(launchMs);
        pass(SpanKind::Kernel, kernelMs(number) * factorFor(input));
        return {};
    }

    // As a cache would: an input is still there if less than the cache was used since.
    double factorFor(const BufferPtr& input) {
        std::uint64_t since = 0;
        bool found = false;
        for (auto use = m_uses.rbegin(); use != m_uses.rend() && !found; ++use) {
            found = use->first == input.get();
            if (!found) since += use->second;
        }
        m_uses.emplace_back(input.get(), input->byteCount());
        if (m_uses.size() > 4000) m_uses.pop_front();
        return found && since < cache ? 1.0 : coldFactor;
    }

    void pass(SpanKind kind, double ms) {
        if (m_recording) m_spans.push_back({kind, "work", 0, ms + eventMs, 0});
        if (asynchronous)
            m_pendingMs += ms;
        else
            m_clock.advanceMs(ms);
    }

    void wait() { m_clock.advanceMs(std::exchange(m_pendingMs, 0.0)); }

    Result<BufferPtr> black(const Plan& plan) {
        auto image = *MutableImage::create(plan.output, plan.outputSize);
        for (int y = 0; y < plan.outputSize.height; ++y)
            std::fill_n(image.rowBytes(y), image.pitch(), std::byte{0});
        return m_inner->upload(std::move(image).freeze({}), {});
    }

    FakeClock& m_clock;
    bool m_recording = false;
    std::vector<Span> m_spans;
    double m_pendingMs = 0;
    std::deque<std::pair<const Buffer*, std::uint64_t>> m_uses;
};

// One thread 40 ms, all cores 4 ms, a GPU 0.5 ms with 3 ms up and 2 ms down, for whatever is run.
struct SleepingSet {
    FakeClock clock;
    std::shared_ptr<SleepingBackend> single =
        std::make_shared<SleepingBackend>(BackendKind::CpuSingle, clock);
    std::shared_ptr<SleepingBackend> cores =
        std::make_shared<SleepingBackend>(BackendKind::Cpu, clock);
    std::shared_ptr<SleepingBackend> gpu =
        std::make_shared<SleepingBackend>(BackendKind::Cuda, clock);

    SleepingSet() {
        single->kernelMs = [](int) { return 40.0; };
        cores->kernelMs = [](int) { return 4.0; };
        gpu->kernelMs = [](int) { return 0.5; };
        gpu->uploadMs = 3;
        gpu->downloadMs = 2;
        gpu->asynchronous = true;
    }
    BackendSet set() const { return {single, cores, gpu, {}}; }
};

}  // namespace warpscope::test
