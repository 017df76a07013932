#include "gui/showcase/match_runner.h"

#include <chrono>
#include <utility>

#include "engine/base/spare_threads.h"
#include "engine/image/storage_pool.h"

namespace warpscope::gui {
namespace {

constexpr std::chrono::milliseconds kLongestDrawing{100};

}  // namespace

MatchRunner::MatchRunner(BackendFactory factory, std::function<void()> onNews, const Clock& clock)
    : m_factory(std::move(factory)), m_onNews(std::move(onNews)), m_clock(clock) {
    m_thread = std::jthread([this](std::stop_token stop) { run(std::move(stop)); });
}

MatchRunner::~MatchRunner() {
    {
        const std::lock_guard lock(m_mutex);
        m_preparing.request_stop();
        if (m_match) m_match->requestStop();
    }
    m_thread.request_stop();
    m_thread.join();
}

std::uint64_t MatchRunner::show(MatchWork work) {
    const std::lock_guard lock(m_mutex);
    m_pending = std::move(work);
    m_preparing.request_stop();
    if (m_match) m_match->requestStop();
    m_changed.notify_all();
    return ++m_lastWork;
}

void MatchRunner::setPaused(bool paused) {
    const std::lock_guard lock(m_mutex);
    m_paused = paused;
    if (m_match) m_match->setPaused(paused);
}

void MatchRunner::setPictureSize(Size size) {
    const std::lock_guard lock(m_mutex);
    m_pictureSize = size;
    if (m_match) m_match->setPictureSize(size);
}

RunnerState MatchRunner::state() const {
    const std::lock_guard lock(m_mutex);
    RunnerState state = m_state;
    state.prepared = m_prepared;
    if (m_match) state.match = m_match->state();
    return state;
}

void MatchRunner::drawn(std::uint64_t drawing) {
    const std::lock_guard lock(m_mutex);
    m_drawn = std::max(m_drawn, drawing);
    m_changed.notify_all();
}

void MatchRunner::tell() const {
    if (m_onNews) m_onNews();
}

void MatchRunner::betweenTurns(std::stop_token stop) {
    if (!m_onNews) return;
    std::uint64_t drawing = 0;
    {
        const std::lock_guard lock(m_mutex);
        drawing = ++m_state.drawing;
    }
    tell();
    std::unique_lock lock(m_mutex);
    m_changed.wait_for(lock, std::move(stop), kLongestDrawing, [&] { return m_drawn >= drawing; });
}

void MatchRunner::giveUp(const std::string& problem) {
    {
        const std::lock_guard lock(m_mutex);
        m_state.phase = RunnerState::Phase::Failed;
        m_state.problem = problem;
    }
    tell();
}

void MatchRunner::run(std::stop_token stop) {
    BackendSet backends = m_factory();
    const SpareThreads spare;
    {
        const std::lock_guard lock(m_mutex);
        m_state.hasGpu = backends.cuda != nullptr;
        m_state.noGpu = backends.cudaUnavailable;
        m_state.phase = RunnerState::Phase::Preparing;
    }
    tell();
    while (!stop.stop_requested()) {
        std::optional<MatchWork> work;
        std::stop_token preparing;
        {
            std::unique_lock lock(m_mutex);
            m_changed.wait(lock, stop, [&] { return m_pending.has_value(); });
            if (stop.stop_requested()) break;
            work = std::exchange(m_pending, std::nullopt);
            m_preparing = std::stop_source();
            preparing = m_preparing.get_token();
            m_state.work = m_lastWork;
            m_state.phase = RunnerState::Phase::Preparing;
            m_state.problem.clear();
            const Backend& right = backends.cuda ? *backends.cuda : *backends.cpu;
            const bool single = !backends.cuda || work->left == BackendKind::CpuSingle;
            m_state.left = (single ? backends.cpuSingle : backends.cpu)->info();
            m_state.right = right.info();
        }
        tell();
        play(backends, std::move(*work), preparing);
        std::unique_ptr<Match> ended;
        {
            std::unique_lock lock(m_mutex);
            m_changed.wait(lock, stop, [&] { return m_pending.has_value(); });
            ended = std::move(m_match);
        }
    }
    m_source = {};
    if (backends.cuda) backends.cuda->trim();
    backends = {};
    trimStorage();
}

void MatchRunner::play(const BackendSet& backends, MatchWork work, std::stop_token stop) {
    auto source = sourceFor(work, stop);
    if (!source) {
        if (source.error().code != ErrorCode::Cancelled) giveUp(source.error().message);
        return;
    }
    auto chain = planChain(work.pipeline, source->format(), source->frameSize());
    if (!chain) return giveUp(chain.error().message);
    Size pictureSize;
    {
        const std::lock_guard lock(m_mutex);
        m_state.format = source->format();
        m_state.size = source->frameSize();
        pictureSize = m_pictureSize;
    }
    const bool single = !backends.cuda || work.left == BackendKind::CpuSingle;
    auto match = std::make_unique<Match>(
        single ? backends.cpuSingle : backends.cpu, backends.cuda ? backends.cuda : backends.cpu,
        std::move(*source), std::move(*chain), pictureSize, m_clock,
        [this](std::stop_token token) { betweenTurns(std::move(token)); });
    {
        const std::lock_guard lock(m_mutex);
        match->setPaused(m_paused);
        match->setPictureSize(m_pictureSize);
        m_state.phase = RunnerState::Phase::Running;
        m_match = std::move(match);
    }
    tell();
}

// Kept from one work to the next: another operation does not need another picture.
Result<FrameSource> MatchRunner::sourceFor(const MatchWork& work, std::stop_token stop) {
    const std::uint64_t image = work.image.id();
    const Size size = work.image.isNull() ? work.size : work.image.size();
    if (!m_source.isNull() && m_sourceImage == image && m_source.frameSize() == size)
        return m_source;
    m_source = {};
    m_prepared = 0;
    const auto progress = [this](double part) { m_prepared = part; };
    auto source = work.image.isNull() ? FrameSource::ofScene(size, std::move(stop), progress)
                                      : FrameSource::ofImage(work.image, std::move(stop));
    if (source) {
        m_source = *source;
        m_sourceImage = image;
    }
    return source;
}

}  // namespace warpscope::gui
