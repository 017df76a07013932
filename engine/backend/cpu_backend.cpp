#include "engine/backend/cpu_backend.h"

#include <fmt/format.h>

#include <exception>
#include <fstream>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "engine/base/clock.h"
#include "engine/operations/vector_targets.h"

namespace warpscope {
namespace {

class CpuBuffer final : public Buffer {
  public:
    explicit CpuBuffer(Image image) : m_image(std::move(image)) {}
    PixelFormat format() const override { return m_image.format(); }
    Size size() const override { return m_image.size(); }
    std::uint64_t byteCount() const override {
        return storageBytes(m_image.format(), m_image.size()).value_or(m_image.byteCount());
    }
    const ImageInfo& info() const override { return m_image.info(); }
    const Image& image() const { return m_image; }

  private:
    Image m_image;
};

// Exceptions of operations and of the standard library end here.
template <class F>
auto guarded(F&& work) -> decltype(work()) {
    try {
        return work();
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::OutOfMemory, "not enough memory for this step");
    } catch (const std::exception& error) {
        return fail(ErrorCode::Internal, fmt::format("unexpected error: {}", error.what()));
    }
}

class CpuBackend final : public Backend {
  public:
    explicit CpuBackend(Threading threading) : m_threading(threading) {
        const int threads = cpuContext({}).threadCount();
        m_info.kind = threading == Threading::Single ? BackendKind::CpuSingle : BackendKind::Cpu;
        m_info.threads = threads;
        m_info.label = threads == 1 ? "CPU, 1 thread" : fmt::format("CPU, {} threads", threads);
        m_info.device = cpuModelName();
        m_info.detail = cpuInstructionSet();
    }

    const BackendInfo& info() const override { return m_info; }

    Result<void> supports(const Plan& plan) const override {
        if (plan.operation) return {};
        return fail(ErrorCode::Internal, "a plan without its operation");
    }

    Result<BufferPtr> upload(const Image& image, const RunContext&) override {
        if (image.isNull()) return fail(ErrorCode::InvalidArgument, "there is no image to work on");
        return guarded([&]() -> Result<BufferPtr> { return wrap(image); });
    }

    Result<BufferPtr> run(const Plan& plan, const StepBuffers& input,
                          const RunContext& context) override {
        return guarded([&]() -> Result<BufferPtr> {
            auto images = imagesOf(input, plan);
            if (!images) return fail(images.error());
            auto out = MutableImage::create(plan.output, plan.outputSize);
            if (!out) return fail(out.error());
            const Stopwatch watch;
            const std::int64_t start = steadyClock().nowNs();
            auto done = plan.operation->runCpu(plan, *images, *out, cpuContext(context));
            if (!done) return fail(done.error());
            record(plan, start, watch.elapsedMs());
            return wrap(std::move(*out).freeze(outputInfo(plan, images->first.info())));
        });
    }

    Result<AnalysisResult> analyze(const Plan& plan, const StepBuffers& input,
                                   const RunContext& context) override {
        return guarded([&]() -> Result<AnalysisResult> {
            auto images = imagesOf(input, plan);
            if (!images) return fail(images.error());
            const Stopwatch watch;
            const std::int64_t start = steadyClock().nowNs();
            auto result = plan.operation->analyzeCpu(plan, *images, cpuContext(context));
            if (result) record(plan, start, watch.elapsedMs());
            return result;
        });
    }

    Result<Image> download(const BufferPtr& buffer, const RunContext&) override {
        const auto* own = dynamic_cast<const CpuBuffer*>(buffer.get());
        if (!own) return foreignBuffer();
        return own->image();
    }

    Result<void> synchronize() override { return {}; }

    void setRecording(Recording recording) override {
        m_recording = recording != Recording::Off;
        if (!m_recording) forgetSpans();
    }

    Result<std::vector<Span>> takeSpans() override {
        auto spans = std::exchange(m_spans, {});
        forgetSpans();
        return spans;
    }

    std::uint64_t memoryAvailable() const override {
        std::ifstream file("/proc/meminfo");
        std::string key;
        std::uint64_t kibibytes = 0;
        while (file >> key >> kibibytes) {
            if (key == "MemAvailable:") return kibibytes * 1024;
            std::getline(file, key);
        }
        return 0;
    }

    std::uint64_t cacheBytes() const override { return cpuCacheBytes(); }

    Result<ArithmeticPeak> arithmeticPeak(const RunContext& context) override {
        return guarded([&] { return cpuArithmeticPeak(cpuContext(context)); });
    }

  private:
    static Result<BufferPtr> wrap(Image image) {
        return BufferPtr(std::make_shared<const CpuBuffer>(std::move(image)));
    }

    static tl::unexpected<Error> foreignBuffer() {
        return fail(ErrorCode::Internal, "a buffer of another backend");
    }

    static Result<StepImages> imagesOf(const StepBuffers& input, const Plan& plan) {
        auto first = imageOf(input.first, plan);
        if (!first) return fail(first.error());
        if (!plan.takesSecond) return StepImages(std::move(*first));
        auto second = imageOf(input.second, plan);
        if (!second) return fail(second.error());
        return StepImages(std::move(*first), std::move(*second));
    }

    static Result<Image> imageOf(const BufferPtr& input, const Plan& plan) {
        const auto* own = dynamic_cast<const CpuBuffer*>(input.get());
        if (!own) return foreignBuffer();
        if (own->format() != plan.input || own->size() != plan.size)
            return fail(ErrorCode::Internal, "a plan made for an image of another shape");
        return own->image();
    }

    CpuContext cpuContext(const RunContext& context) const {
        return {m_threading, context.stop, context.progress};
    }

    void record(const Plan& plan, std::int64_t startNs, double ms) {
        if (!m_recording) return;
        if (!m_firstNs) m_firstNs = startNs;
        m_spans.push_back({SpanKind::Kernel, plan.operation->description().id,
                           double(startNs - *m_firstNs) * 1e-6, ms, 0});
    }

    void forgetSpans() {
        m_spans.clear();
        m_firstNs.reset();
    }

    const Threading m_threading;
    BackendInfo m_info;
    bool m_recording = false;
    std::vector<Span> m_spans;
    std::optional<std::int64_t> m_firstNs;  // start of the first span since takeSpans()
};

}  // namespace

std::unique_ptr<Backend> makeCpuBackend(Threading threading) {
    return std::make_unique<CpuBackend>(threading);
}

std::string cpuInstructionSet() {
    return vectorTargets().front();
}

std::string cpuModelName() {
    std::ifstream file("/proc/cpuinfo");
    std::string line;
    while (std::getline(file, line)) {
        if (!line.starts_with("model name")) continue;
        const auto colon = line.find(':');
        const auto name = line.find_first_not_of(" \t", colon + 1);
        if (colon != std::string::npos && name != std::string::npos) return line.substr(name);
    }
    return "unknown processor";
}

}  // namespace warpscope
