#include "engine/measure/peers.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <deque>
#include <filesystem>
#include <utility>
#include <vector>

#include "engine/backend/cpu_backend.h"
#include "engine/measure/peer_module.h"

namespace warpscope {
namespace {

class PeerBuffer final : public Buffer {
  public:
    PeerBuffer(Image image, PixelFormat format, std::uint64_t serial)
        : m_image(std::move(image)), m_format(format), m_serial(serial) {}
    PixelFormat format() const override { return m_format; }
    Size size() const override { return m_image.size(); }
    std::uint64_t byteCount() const override { return m_image.byteCount(); }
    const ImageInfo& info() const override { return m_image.info(); }
    // An input, or the input that a result was made from.
    const Image& image() const { return m_image; }
    // Of the run that made it; 0 for an input.
    std::uint64_t serial() const { return m_serial; }

  private:
    Image m_image;
    PixelFormat m_format;
    std::uint64_t m_serial;
};

WarpscopePeerImage shapeOf(PixelFormat format, Size size) {
    return {nullptr, 0, size.width, size.height, channelCount(format), bytesPerSample(format)};
}

// The module keeps one result, so a result can be downloaded until the next run: all that timing
// needs, and no copy is part of what is timed.
class ModuleBackend final : public PeerBackend {
  public:
    ModuleBackend(const WarpscopePeer& peer, bool single) : m_peer(peer), m_single(single) {
        m_info.kind = single ? BackendKind::CpuSingle : BackendKind::Cpu;
        m_info.threads =
            CpuContext{single ? Threading::Single : Threading::AllCores, {}, {}}.threadCount();
        m_info.label = peer.label;
        m_info.device = cpuModelName();
        m_info.detail = peer.label;
    }

    void setParameters(const ParamSet& parameters) override { m_parameters = parameters; }
    const BackendInfo& info() const override { return m_info; }
    std::uint64_t cacheBytes() const override { return cpuCacheBytes(); }

    Result<void> supports(const Plan& plan) const override {
        const int can = asked(
            plan, Image(), [&](const WarpscopePeerTask& task) { return m_peer.supports(&task); });
        if (can == 1 && !isFloat(plan.input)) return {};
        return fail(ErrorCode::Unsupported, fmt::format("{} has nothing alike", m_peer.label));
    }

    Result<BufferPtr> upload(const Image& image, const RunContext&) override {
        return BufferPtr(std::make_shared<const PeerBuffer>(image, image.format(), 0));
    }

    Result<BufferPtr> run(const Plan& plan, const StepBuffers& input, const RunContext&) override {
        const auto* own = dynamic_cast<const PeerBuffer*>(input.first.get());
        if (!own || own->serial() != 0) return foreignBuffer();
        if (auto done = work(plan, own->image()); !done) return fail(done.error());
        return BufferPtr(std::make_shared<const PeerBuffer>(own->image(), plan.output, m_serial));
    }

    Result<AnalysisResult> analyze(const Plan& plan, const StepBuffers& input,
                                   const RunContext&) override {
        const auto* own = dynamic_cast<const PeerBuffer*>(input.first.get());
        if (!own) return foreignBuffer();
        if (auto done = work(plan, own->image()); !done) return fail(done.error());
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

  private:
    static tl::unexpected<Error> foreignBuffer() {
        return fail(ErrorCode::Internal,
                    "a buffer of another backend, or one that was overwritten");
    }

    template <class Ask>
    int asked(const Plan& plan, const Image& input, Ask&& ask) const {
        std::vector<WarpscopePeerParameter> list;
        std::deque<std::string> texts;
        for (const auto& [id, value] : m_parameters.values()) {
            WarpscopePeerParameter one{id.c_str(), 0, nullptr};
            if (const auto* whole = std::get_if<std::int64_t>(&value)) one.number = double(*whole);
            if (const auto* real = std::get_if<double>(&value)) one.number = *real;
            if (const auto* text = std::get_if<std::string>(&value)) one.text = text->c_str();
            if (std::holds_alternative<IntMatrix>(value))
                one.text = texts.emplace_back(toText(value)).c_str();
            list.push_back(one);
        }
        WarpscopePeerTask task{plan.operation->description().id.c_str(), list.data(),
                               int(list.size()), shapeOf(plan.input, plan.size)};
        if (!input.isNull()) {
            // The module only reads it.
            task.input.data = const_cast<std::byte*>(input.bytes());
            task.input.pitch = (long long)(input.pitch());
        }
        return ask(task);
    }

    Result<void> work(const Plan& plan, const Image& input) {
        ++m_serial;
        const int code = asked(plan, input, [&](const WarpscopePeerTask& task) {
            return m_peer.run(&task, m_single ? 1 : 0);
        });
        if (code == 0) return {};
        return fail(ErrorCode::Unsupported, fmt::format("{} failed", m_peer.label));
    }

    const WarpscopePeer& m_peer;
    const bool m_single;
    BackendInfo m_info;
    ParamSet m_parameters;
    std::uint64_t m_serial = 0;
};

}  // namespace

PeerSet loadPeers() {
    namespace fs = std::filesystem;
    constexpr const char* kFile = "warpscope-peer-opencv.so";
    PeerSet set;
    std::error_code ignored;
    const fs::path folder = fs::read_symlink("/proc/self/exe", ignored).parent_path();
    for (const fs::path& place : {folder, folder.parent_path() / "lib"}) {
        const fs::path file = place / kFile;
        if (!fs::exists(file, ignored)) continue;
        // Kept until the program ends: the library has threads of its own.
        void* module = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!module) {
            set.unavailable = fmt::format("{} cannot be loaded: {}", kFile, dlerror());
            return set;
        }
        const auto entry = reinterpret_cast<WarpscopePeerEntry>(dlsym(module, "warpscope_peer"));
        const WarpscopePeer* peer = entry ? entry() : nullptr;
        if (!peer || peer->version != WARPSCOPE_PEER_VERSION) {
            set.unavailable = fmt::format("{} is of another version", kFile);
            return set;
        }
        set.id = peer->id;
        set.label = peer->label;
        set.single = std::make_shared<ModuleBackend>(*peer, true);
        set.cores = std::make_shared<ModuleBackend>(*peer, false);
        return set;
    }
    set.unavailable = "this build has no peer: OpenCV was not found when it was configured";
    return set;
}

}  // namespace warpscope
