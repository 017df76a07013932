#include "engine/measure/peer_backends.h"

#include <fmt/format.h>

#include <cmath>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "engine/backend/cpu_backend.h"

namespace warpscope {
namespace {

class PeerBuffer final : public Buffer {
  public:
    PeerBuffer(Image image, PixelFormat format, Size size, std::uint64_t serial,
               std::shared_ptr<void> onDevice = nullptr)
        : m_image(std::move(image)),
          m_format(format),
          m_size(size),
          m_serial(serial),
          m_onDevice(std::move(onDevice)) {}
    PixelFormat format() const override { return m_format; }
    Size size() const override { return m_size; }
    std::uint64_t byteCount() const override { return m_image.byteCount(); }
    const ImageInfo& info() const override { return m_image.info(); }
    // An input, or the input that a result was made from.
    const Image& image() const { return m_image; }
    // Of the run that made it; 0 for an input.
    std::uint64_t serial() const { return m_serial; }
    // An input's copy on a GPU; else null.
    void* onDevice() const { return m_onDevice.get(); }

  private:
    Image m_image;
    PixelFormat m_format;
    Size m_size;
    std::uint64_t m_serial;
    std::shared_ptr<void> m_onDevice;
};

WarpscopePeerImage shapeOf(PixelFormat format, Size size) {
    return {nullptr,
            0,
            size.width,
            size.height,
            channelCount(format),
            bytesPerSample(format),
            isFloat(format) ? 1 : 0};
}

// The module only reads it.
WarpscopePeerImage samplesOf(const Image& image) {
    WarpscopePeerImage samples = shapeOf(image.format(), image.size());
    samples.data = const_cast<std::byte*>(image.bytes());
    samples.pitch = (long long)(image.pitch());
    return samples;
}

// The module keeps one result, so a result can be downloaded until the next run: all that timing
// needs, and no copy is part of what is timed.
class ModuleBackend : public PeerBackend {
  public:
    explicit ModuleBackend(const WarpscopePeer& peer) : m_peer(peer) {
        m_info.label = peer.label;
        m_info.detail = peer.label;
    }

    void setParameters(const ParamSet& parameters) override {
        m_parameters = parameters;
        m_levelsOf = nullptr;
    }
    const BackendInfo& info() const override { return m_info; }

    Result<void> supports(const Plan& plan) const override {
        const int can =
            asked(plan, [&](const WarpscopePeerTask& task) { return m_peer.supports(&task); });
        if (can == 1 && !isFloat(plan.input)) return {};
        return fail(ErrorCode::Unsupported, fmt::format("{} has nothing alike", m_peer.label));
    }

    Result<BufferPtr> run(const Plan& plan, const StepBuffers& input, const RunContext&) override {
        const auto* own = dynamic_cast<const PeerBuffer*>(input.first.get());
        const auto* second = dynamic_cast<const PeerBuffer*>(input.second.get());
        if (!own || own->serial() != 0 || (plan.takesSecond && !second)) return foreignBuffer();
        if (auto done = work(plan, *own, second); !done) return fail(done.error());
        return BufferPtr(std::make_shared<const PeerBuffer>(own->image(), plan.output,
                                                            plan.outputSize, m_serial));
    }

    Result<AnalysisResult> analyze(const Plan& plan, const StepBuffers& input,
                                   const RunContext&) override {
        const auto* own = dynamic_cast<const PeerBuffer*>(input.first.get());
        if (!own) return foreignBuffer();
        if (auto done = work(plan, *own, nullptr); !done) return fail(done.error());
        // 256 numbers: nothing beside the counting.
        unsigned long long bins[256] = {};
        if (plan.resultWords != 256 || m_peer.fetch_counts(bins) != 0)
            return fail(ErrorCode::Internal, fmt::format("{} gave no counts", m_peer.label));
        return plan.operation->resultFrom(
            plan, std::vector<std::uint64_t>(bins, bins + plan.resultWords));
    }

    Result<Image> download(const BufferPtr& buffer, const RunContext&) override {
        const auto* own = dynamic_cast<const PeerBuffer*>(buffer.get());
        if (!own || (own->serial() != 0 && own->serial() != m_serial)) return foreignBuffer();
        if (own->serial() == 0) return own->image();
        auto image = MutableImage::create(own->format(), own->size());
        if (!image) return fail(image.error());
        WarpscopePeerImage to = shapeOf(own->format(), own->size());
        to.data = image->rowBytes(0);
        to.pitch = (long long)(image->pitch());
        if (m_peer.fetch(&to) != 0)
            return fail(ErrorCode::Internal, fmt::format("{} gave no result", m_peer.label));
        return std::move(*image).freezeLike(own->image());
    }

    Result<void> synchronize() override { return {}; }
    void setRecording(Recording) override {}
    Result<std::vector<Span>> takeSpans() override { return std::vector<Span>(); }
    std::uint64_t memoryAvailable() const override { return 0; }

  protected:
    // 0: done. `second` may be null.
    virtual int computed(const WarpscopePeerTask& task, const PeerBuffer& input,
                         const PeerBuffer* second) = 0;

    static tl::unexpected<Error> foreignBuffer() {
        return fail(ErrorCode::Internal,
                    "a buffer of another backend, or one that was overwritten");
    }

    tl::unexpected<Error> failed() const {
        return fail(ErrorCode::Unsupported, fmt::format("{} failed", m_peer.label));
    }

    // `input` and `second` may have no samples, where only shapes are asked about.
    template <class Ask>
    int asked(const Plan& plan, Ask&& ask, const WarpscopePeerImage& input = {},
              const WarpscopePeerImage& second = {}) const {
        std::vector<WarpscopePeerParameter> list;
        std::deque<std::string> texts;
        for (const auto& [id, value] : m_parameters.values()) {
            WarpscopePeerParameter one{id.c_str(), 0, nullptr};
            if (const auto* whole = std::get_if<std::int64_t>(&value)) one.number = double(*whole);
            if (const auto* real = std::get_if<double>(&value)) one.number = *real;
            if (const auto* text = std::get_if<std::string>(&value)) one.text = text->c_str();
            if (std::holds_alternative<IntMatrix>(value) ||
                std::holds_alternative<PointList>(value))
                one.text = texts.emplace_back(toText(value)).c_str();
            list.push_back(one);
        }
        const bool counts = plan.operation->description().kind == OperationKind::Analysis;
        const WarpscopePeerImage shape = shapeOf(plan.input, plan.size);
        WarpscopePeerTask task{
            plan.operation->description().id.c_str(),
            list.data(),
            int(list.size()),
            input.data ? input : shape,
            counts ? WarpscopePeerImage{} : shapeOf(plan.output, plan.outputSize),
            !plan.takesSecond ? WarpscopePeerImage{}
            : second.data     ? second
                              : shape,
            levelsOf(plan)};
        return ask(task);
    }

    Result<void> work(const Plan& plan, const PeerBuffer& input, const PeerBuffer* second) {
        ++m_serial;
        const int code = asked(
            plan, [&](const WarpscopePeerTask& task) { return computed(task, input, second); },
            samplesOf(input.image()), second ? samplesOf(second->image()) : WarpscopePeerImage{});
        if (code == 0) return {};
        return failed();
    }

    const WarpscopePeer& m_peer;
    BackendInfo m_info;

  private:
    // Null where it is no table. Made once for a plan: it is no part of what is timed.
    const unsigned char* levelsOf(const Plan& plan) const {
        if (m_levelsOf != &plan) {
            m_levelsOf = &plan;
            m_levels.clear();
            const std::vector<ToneCurve> curves = plan.operation->toneCurves(plan);
            if (bytesPerSample(plan.input) == 1 && curves.size() == 1 &&
                curves.front().channel == HistogramChannel::Luma)
                for (const double output : curves.front().outputs)
                    m_levels.push_back((unsigned char)(std::lround(output * 255)));
        }
        return m_levels.size() == 256 ? m_levels.data() : nullptr;
    }

    ParamSet m_parameters;
    std::uint64_t m_serial = 0;
    mutable const Plan* m_levelsOf = nullptr;
    mutable std::vector<unsigned char> m_levels;
};

class CpuPeer final : public ModuleBackend {
  public:
    CpuPeer(const WarpscopePeer& peer, bool single) : ModuleBackend(peer), m_single(single) {
        m_info.kind = single ? BackendKind::CpuSingle : BackendKind::Cpu;
        m_info.threads =
            CpuContext{single ? Threading::Single : Threading::AllCores, {}, {}}.threadCount();
        m_info.device = cpuModelName();
    }
    std::uint64_t cacheBytes() const override { return cpuCacheBytes(); }
    Result<BufferPtr> upload(const Image& image, const RunContext&) override {
        return BufferPtr(
            std::make_shared<const PeerBuffer>(image, image.format(), image.size(), 0));
    }

  private:
    int computed(const WarpscopePeerTask& task, const PeerBuffer&, const PeerBuffer*) override {
        return m_peer.run(&task, m_single ? 1 : 0);
    }

    const bool m_single;
};

class GpuPeer final : public ModuleBackend {
  public:
    explicit GpuPeer(const WarpscopePeer& peer) : ModuleBackend(peer), m_gpu(*peer.gpu) {
        m_info.kind = BackendKind::Cuda;
        m_info.device = m_gpu.device;
    }
    std::uint64_t cacheBytes() const override { return std::uint64_t(m_gpu.cache_bytes); }

    Result<BufferPtr> upload(const Image& image, const RunContext&) override {
        const WarpscopePeerImage samples = samplesOf(image);
        void* memory = m_gpu.upload(&samples);
        if (!memory)
            return fail(ErrorCode::OutOfMemory,
                        fmt::format("{}: not enough memory on the GPU", m_peer.label));
        return BufferPtr(std::make_shared<const PeerBuffer>(
            image, image.format(), image.size(), 0,
            std::shared_ptr<void>(memory, [this](void* image_) { m_gpu.release(image_); })));
    }

    void setRecording(Recording) override { m_spans.clear(); }
    Result<std::vector<Span>> takeSpans() override { return std::exchange(m_spans, {}); }

    Result<RepeatedRuns> timeRepeated(const Plan& plan, const std::vector<StepBuffers>& inputs,
                                      std::size_t first, int runs, const RunContext&) override {
        std::vector<void*> memory, seconds;
        for (const StepBuffers& input : inputs) {
            const auto* own = dynamic_cast<const PeerBuffer*>(input.first.get());
            if (!own || !own->onDevice()) return foreignBuffer();
            memory.push_back(own->onDevice());
            if (!plan.takesSecond) continue;
            const auto* second = dynamic_cast<const PeerBuffer*>(input.second.get());
            if (!second || !second->onDevice()) return foreignBuffer();
            seconds.push_back(second->onDevice());
        }
        RepeatedRuns times;
        const int code = asked(plan, [&](const WarpscopePeerTask& task) {
            int graph = 0;
            const int done =
                m_gpu.time(&task, memory.data(), seconds.empty() ? nullptr : seconds.data(),
                           int(memory.size()), (long long)(first), runs, &times.msPerRun, &graph);
            times.graph = graph == 1;
            return done;
        });
        if (code != 0) return failed();
        return times;
    }

  private:
    int computed(const WarpscopePeerTask& task, const PeerBuffer& input,
                 const PeerBuffer* second) override {
        void* memory = input.onDevice();
        void* other = second ? second->onDevice() : nullptr;
        Span span;
        span.kind = SpanKind::Kernel;
        span.label = task.operation;
        int graph = 0;
        const int done =
            m_gpu.time(&task, &memory, other ? &other : nullptr, 1, 0, 1, &span.ms, &graph);
        if (done == 0) m_spans.push_back(std::move(span));
        return done;
    }

    const WarpscopePeerGpu& m_gpu;
    std::vector<Span> m_spans;
};

}  // namespace

std::shared_ptr<PeerBackend> makeCpuPeer(const WarpscopePeer& peer, bool single) {
    return std::make_shared<CpuPeer>(peer, single);
}

std::shared_ptr<PeerBackend> makeGpuPeer(const WarpscopePeer& peer) {
    return std::make_shared<GpuPeer>(peer);
}

}  // namespace warpscope
