// A backend that computes what the CPU computes and misbehaves on demand, and a clock that moves
// only when told.
#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "engine/backend/backend_set.h"
#include "engine/backend/cpu_backend.h"
#include "engine/base/band_threads.h"
#include "engine/base/clock.h"

namespace warpscope::test {

class FakeClock final : public Clock {
  public:
    std::int64_t nowNs() const override { return m_now; }
    void advanceMs(double ms) { m_now += std::int64_t(ms * 1e6); }

  private:
    std::atomic<std::int64_t> m_now{1'000'000};
};

// Passes everything on to the CPU's own code, under the name of any kind of backend.
class InnerBackend : public Backend {
  public:
    const BackendInfo& info() const override { return m_info; }
    Result<void> supports(const Plan&) const override { return {}; }
    std::uint64_t memoryAvailable() const override { return 0; }

  protected:
    explicit InnerBackend(BackendKind kind)
        : m_inner(makeCpuBackend(kind == BackendKind::CpuSingle ? Threading::Single
                                                                : Threading::AllCores)) {
        m_info = m_inner->info();
        m_info.kind = kind;
        m_info.threads = kind == BackendKind::Cpu ? 16 : kind == BackendKind::Cuda ? 0 : 1;
    }

    // With some bits of one byte flipped, in the middle or where it is said.
    Result<BufferPtr> spoiled(const BufferPtr& output, std::byte bits, int line = -1,
                              std::size_t byte = 0) {
        const Image image = *m_inner->download(output, {});
        auto copy = *MutableImage::create(image.format(), image.size());
        const std::size_t row = std::size_t(image.width() * bytesPerPixel(image.format()));
        for (int y = 0; y < image.height(); ++y)
            std::copy_n(image.rowBytes(y), row, copy.rowBytes(y));
        if (line < 0) byte = row / 2;
        copy.rowBytes(line < 0 ? image.height() / 2 : line)[byte] ^= bits;
        return m_inner->upload(std::move(copy).freezeLike(image), {});
    }

    // What stands for all cores has all of its threads at work, however small the image.
    void workOnSeveralThreads() const {
        if (m_info.kind != BackendKind::Cpu || !WorkedThreads::counting()) return;
        // This one works, too.
        for (int i = 1; i < m_info.threads; ++i) std::thread(&WorkedThreads::note).join();
    }

    std::unique_ptr<Backend> m_inner;
    BackendInfo m_info;
};

class FakeBackend final : public InnerBackend {
  public:
    struct Failure {
        int atCall = 0;  // counted over upload, run, histogram, download, synchronize; from 0
        Error error;
        bool sticky = false;  // every later call fails too
    };

    explicit FakeBackend(BackendKind kind, FakeClock* clock = nullptr)
        : InnerBackend(kind), m_clock(clock) {
        m_info.label = "fake";
    }

    // What a test sets before the backend is used.
    std::optional<Failure> failure;
    std::string unsupported;  // operation that supports() refuses
    bool wrongPixel = false;  // one sample of each output of run() is off by one
    double uploadMs = 0;
    double downloadMs = 0;
    std::function<double(int)> kernelMs;      // by number of the run, from 0
    std::vector<KernelLaunches> kernels;      // of each run; starts since the run began
    std::function<void(const Plan&)> onPlan;  // sees what run() is given
    std::function<void(int)> duringRun;       // called in run(), by number of the run
    std::uint64_t memory = 0;                 // bytes of all buffers that are alive; 0: endless
    std::uint64_t available = 0;

    // What it was asked to do. The first two may be read while another thread works.
    std::atomic<int> runs{0};
    std::atomic<int> uploads{0};
    int downloads = 0;
    int trims = 0;
    int calls = 0;
    std::vector<std::string> operations;  // of the runs

    Result<void> supports(const Plan& plan) const override {
        if (plan.operation->description().id == unsupported)
            return fail(ErrorCode::Unsupported, unsupported + " has no fake kernel");
        return {};
    }

    Result<BufferPtr> upload(const Image& image, const RunContext& context) override {
        if (auto failed = count(); !failed) return fail(failed.error());
        if (auto room = roomFor(image.format(), image.size()); !room) return fail(room.error());
        ++uploads;
        pass(SpanKind::Upload, "upload", uploadMs);
        return alive(m_inner->upload(image, context));
    }

    Result<BufferPtr> run(const Plan& plan, const StepBuffers& input,
                          const RunContext& context) override {
        if (auto failed = count(); !failed) return fail(failed.error());
        if (auto room = roomFor(plan.output, plan.outputSize); !room) return fail(room.error());
        workOnSeveralThreads();
        const int number = runs++;
        operations.push_back(plan.operation->description().id);
        if (onPlan) onPlan(plan);
        if (duringRun) duringRun(number);
        if (context.stop.stop_requested()) return cancelled();
        pass(SpanKind::Kernel, operations.back(), kernelMs ? kernelMs(number) : 0);
        auto output = m_inner->run(plan, input, context);
        return alive(output && wrongPixel ? spoiled(*output, std::byte{1}) : output);
    }

    Result<AnalysisResult> analyze(const Plan& plan, const StepBuffers& input,
                                   const RunContext& context) override {
        if (auto failed = count(); !failed) return fail(failed.error());
        workOnSeveralThreads();
        const int number = runs++;
        operations.push_back("histogram");
        pass(SpanKind::Kernel, "histogram", kernelMs ? kernelMs(number) : 0);
        auto counts = m_inner->analyze(plan, input, context);
        if (counts && wrongPixel) ++std::get<HistogramSet>(*counts).channels.front().bins[7];
        return counts;
    }

    Result<Image> download(const BufferPtr& buffer, const RunContext& context) override {
        if (auto failed = count(); !failed) return fail(failed.error());
        ++downloads;
        pass(SpanKind::Download, "download", downloadMs);
        return m_inner->download(buffer, context);
    }

    Result<void> synchronize() override { return count(); }

    void setRecording(Recording recording) override {
        m_recording = recording;
        if (recording == Recording::Off) m_spans.clear();
    }
    bool recording() const { return m_recording != Recording::Off; }

    Result<std::vector<Span>> takeSpans() override { return std::exchange(m_spans, {}); }
    std::uint64_t memoryAvailable() const override { return available; }
    void trim() override { ++trims; }

  private:
    Result<void> count() {
        const int call = calls++;
        if (!failure) return {};
        const bool now = failure->sticky ? call >= failure->atCall : call == failure->atCall;
        if (now) return fail(failure->error);
        return {};
    }

    // Only where memory has an end: what is alive is counted.
    Result<void> roomFor(PixelFormat format, Size size) {
        if (memory == 0) return {};
        std::uint64_t bytes = storageBytes(format, size).value_or(memory);
        std::erase_if(m_alive, [](const auto& buffer) { return buffer.expired(); });
        for (const auto& one : m_alive)
            if (const auto buffer = one.lock()) bytes += buffer->byteCount();
        if (bytes <= memory) return {};
        return fail(ErrorCode::OutOfMemory, "not enough memory on fake");
    }

    Result<BufferPtr> alive(Result<BufferPtr> buffer) {
        if (buffer && memory > 0) m_alive.push_back(*buffer);
        return buffer;
    }

    void pass(SpanKind kind, std::string label, double ms) {
        if (m_clock) m_clock->advanceMs(ms);
        if (!recording()) return;
        const double start = m_spans.empty() ? 0 : m_spans.back().startMs + m_spans.back().ms;
        m_spans.push_back({kind, std::move(label), start, ms, 0});
        if (kind != SpanKind::Kernel || m_recording != Recording::Kernels) return;
        m_spans.back().kernels = kernels;
        for (KernelLaunches& one : m_spans.back().kernels) one.startMs += start;
    }

    FakeClock* m_clock;
    Recording m_recording = Recording::Off;
    std::vector<Span> m_spans;
    std::vector<std::weak_ptr<const Buffer>> m_alive;
};

// Three fakes as a set; `cuda` is left out with a reason when `withGpu` is false.
struct FakeSet {
    std::shared_ptr<FakeBackend> cpuSingle;
    std::shared_ptr<FakeBackend> cpu;
    std::shared_ptr<FakeBackend> cuda;

    explicit FakeSet(bool withGpu, FakeClock* clock = nullptr)
        : cpuSingle(std::make_shared<FakeBackend>(BackendKind::CpuSingle, clock)),
          cpu(std::make_shared<FakeBackend>(BackendKind::Cpu, clock)) {
        if (withGpu) cuda = std::make_shared<FakeBackend>(BackendKind::Cuda, clock);
    }
    BackendSet set() const {
        return {cpuSingle, cpu, cuda, cuda ? std::string() : "no NVIDIA driver is installed"};
    }
};

}  // namespace warpscope::test
