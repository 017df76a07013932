#include "gui/showcase/match_runner.h"

#include <chrono>
#include <utility>

#include "engine/base/spare_threads.h"
#include "engine/image/storage_pool.h"

namespace warpscope::gui {
namespace {

constexpr std::chrono::milliseconds kLongestDrawing{100};

const BackendPtr& leftOf(const BackendSet& backends, const MatchWork& work) {
    const bool single = (!backends.cuda && !work.recorded) || work.left == BackendKind::CpuSingle;
    return single ? backends.cpuSingle : backends.cpu;
}

// Never the one of the left side: a frame of that may be suspended.
const BackendPtr& rightOf(const BackendSet& backends, const MatchWork& work) {
    if (backends.cuda) return backends.cuda;
    return leftOf(backends, work) == backends.cpu ? backends.cpuSingle : backends.cpu;
}

}  // namespace

MatchRunner::MatchRunner(BackendFactory factory, std::function<void()> onNews, const Clock& clock)
    : m_factory(std::move(factory)), m_onNews(std::move(onNews)), m_clock(clock) {
    m_thread = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

MatchRunner::~MatchRunner() {
    m_preparing.request_stop();
    m_orders.clear();
    stopMatch();
}

std::uint64_t MatchRunner::show(MatchWork work) {
    m_preparing.request_stop();
    m_preparing = std::stop_source();
    stopMatch();  // before the thread can have the next one
    m_orders.post({std::move(work), ++m_lastWork, m_preparing.get_token()});
    return m_lastWork;
}

void MatchRunner::stopMatch() {
    const std::lock_guard lock(m_mutex);
    if (m_match) m_match->requestStop();
}

std::unique_ptr<Match> MatchRunner::takeMatch() {
    const std::lock_guard lock(m_mutex);
    return std::move(m_match);
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
    m_drawnMore.notify_all();
}

void MatchRunner::tell() const {
    if (m_onNews) m_onNews();
}

void MatchRunner::betweenTurns(std::stop_token stop) {
    if (!m_onNews) return;
    m_busy.look();
    std::uint64_t drawing = 0;
    {
        const std::lock_guard lock(m_mutex);
        m_state.otherWork = m_busy.otherWork();
        drawing = ++m_state.drawing;
    }
    tell();
    std::unique_lock lock(m_mutex);
    m_drawnMore.wait_for(lock, std::move(stop), kLongestDrawing,
                         [&] { return m_drawn >= drawing; });
}

void MatchRunner::giveUp(const std::string& problem) {
    {
        const std::lock_guard lock(m_mutex);
        m_state.phase = RunnerState::Phase::Failed;
        m_state.problem = problem;
    }
    tell();
}

void MatchRunner::run(const std::stop_token& stop) {
    BackendSet backends = m_factory();
    const SpareThreads spare;
    {
        const std::lock_guard lock(m_mutex);
        m_state.hasGpu = backends.cuda != nullptr;
        m_state.noGpu = backends.cudaUnavailable;
        m_state.phase = RunnerState::Phase::Preparing;
    }
    tell();
    while (const auto order = m_orders.wait(stop)) {
        takeMatch().reset();  // joins it, outside the lock
        {
            const std::lock_guard lock(m_mutex);
            m_state.work = order->number;
            m_state.phase = RunnerState::Phase::Preparing;
            m_state.problem.clear();
            m_state.left = leftOf(backends, order->work)->info();
            m_state.right = order->work.recorded ? order->work.recorded->info
                                                 : rightOf(backends, order->work)->info();
        }
        tell();
        play(backends, order->work, order->stop);
    }
    takeMatch().reset();
    m_source = {};
    if (backends.cuda) backends.cuda->trim();
    backends = {};
    trimStorage();
}

void MatchRunner::play(const BackendSet& backends, const MatchWork& work, std::stop_token stop) {
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
        m_state.result = chain->back().plan->output;
        m_state.size = source->frameSize();
        pictureSize = m_pictureSize;
    }
    auto match = std::make_unique<Match>(
        leftOf(backends, work), rightOf(backends, work), std::move(*source), std::move(*chain),
        pictureSize, m_clock, [this](std::stop_token token) { betweenTurns(std::move(token)); },
        work.recorded, work.look);
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
    const bool sameKind =
        image != 0 || m_source.isNull() || isColor(m_source.format()) == !work.gray;
    if (!m_source.isNull() && m_sourceImage == image && m_source.frameSize() == size && sameKind)
        return m_source;
    m_source = {};
    m_prepared = 0;
    const auto progress = [this](double part) { m_prepared = part; };
    auto source = work.image.isNull()
                      ? FrameSource::ofScene(size, std::move(stop), progress, !work.gray)
                      : FrameSource::ofImage(work.image, std::move(stop));
    if (source) {
        m_source = *source;
        m_sourceImage = image;
    }
    return source;
}

}  // namespace warpscope::gui
