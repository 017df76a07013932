#include "gui/showcase/match.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include "engine/base/band_threads.h"

namespace warpscope::gui {
namespace {

FrameTimes timesOf(double totalMs, const std::vector<Span>& spans) {
    const auto sum = [&](SpanKind kind) {
        double ms = 0;
        for (const Span& span : spans)
            if (span.kind == kind) ms += span.ms;
        return ms;
    };
    return {totalMs, sum(SpanKind::Upload), sum(SpanKind::Kernel), sum(SpanKind::Download)};
}

}  // namespace

MatchSpeedup speedupOf(const MatchState& state) {
    const auto& [left, right] = state.sides;
    MatchSpeedup speedup;
    if (!state.agreement || !state.agreement->agreement.allowsSpeedup()) return speedup;
    if (!left.failure.empty() || !right.failure.empty()) return speedup;
    if (!left.times.believable() || !right.times.believable()) return speedup;
    const FrameTimes& l = left.times.median;
    const FrameTimes& r = right.times.median;
    if (right.backend.kind != BackendKind::Cuda && right.backend.threads > 1 &&
        right.times.threadsWorked == 1 && right.recorded.empty()) {
        speedup.oneThread = true;
        return speedup;
    }
    const TimedSide slow{left.times.total, l.totalMs};
    const TimedSide fast{right.times.total, r.totalMs};
    const auto endToEnd = factorOf(fast, slow);
    speedup.unsure = !endToEnd;
    speedup.endToEnd = endToEnd.value_or(Factor());
    speedup.draw = endToEnd && isDraw(fast, slow);
    if (right.backend.kind == BackendKind::Cuda)
        speedup.kernelsOnly = factorOf({right.times.kernels, r.kernelMs}, slow).value_or(Factor());
    return speedup;
}

Match::Match(std::shared_ptr<Backend> left, std::shared_ptr<Backend> right, FrameSource source,
             Chain chain, Size pictureSize, const Clock& clock, Turns::Between between,
             std::optional<RecordedOpponent> recorded, DisplayLook look)
    : m_source(std::move(source)),
      m_chain(std::move(chain)),
      m_look{std::move(look), m_source.format()},
      m_recorded(std::move(recorded)),
      m_turns(clock, {left->info().threads, right->info().threads}, m_stop.get_token(),
              std::move(between)),
      m_pictureSize(pictureSize) {
    m_sides[0].backend = std::move(left);
    m_sides[1].backend = std::move(right);
    if (m_recorded && m_recorded->problem.empty()) m_agreement = m_recorded->agreement;
    m_sides[0].picture = m_sides[1].picture = toScreen(m_source.frame(m_source.at(0)));
    for (int i : {0, 1}) m_threads[std::size_t(i)] = std::jthread([this, i] { run(i); });
}

Match::~Match() {
    m_stop.request_stop();
    for (std::jthread& thread : m_threads) thread.join();
}

void Match::setPictureSize(Size size) {
    const std::lock_guard lock(m_mutex);
    m_pictureSize = size;
}

MatchState Match::state() const {
    MatchState state;
    const std::lock_guard lock(m_mutex);
    state.agreement = m_agreement;
    for (int i : {0, 1}) {
        const Side& side = m_sides[std::size_t(i)];
        SideState& shown = state.sides[std::size_t(i)];
        shown.backend = side.backend->info();
        shown.failure = side.failure;
        shown.times = side.statistics.summary();
        shown.frames = side.statistics.counted();
        shown.frameMs = m_turns.frameMs(i);
        shown.frameProgress = side.progress;
        shown.picture = side.picture;
        shown.pictureIsSource = side.pictureIsSource;
    }
    if (m_recorded) {
        SideState& shown = state.sides[1];
        shown.backend = m_recorded->info;
        shown.recorded = m_recorded->origin;
        shown.frameMs = 0;
        shown.note = m_recorded->note;
        if (m_recorded->problem.empty())
            shown.times = {FrameStatistics::kMost, m_recorded->times, m_recorded->total,
                           m_recorded->kernels, m_recorded->threadsWorked};
    }
    return state;
}

void Match::run(int index) {
    Side& side = m_sides[std::size_t(index)];
    const bool played = index == 1 && m_recorded;
    const bool device = !played && side.backend->info().kind == BackendKind::Cuda;
    if (device) side.backend->setRecording(Recording::Operations);
    Result<void> done;
    if (played && !m_recorded->problem.empty())
        done = fail(ErrorCode::NotFound, m_recorded->problem);
    try {
        while (done && m_turns.wait(index)) {
            done = turn(index);
            if (done) m_turns.pass(index);
        }
    } catch (const std::bad_alloc&) {
        done = fail(ErrorCode::OutOfMemory, "not enough memory for the picture on the screen");
    }
    if (device) side.backend->setRecording(Recording::Off);
    if (!done && done.error().code != ErrorCode::Cancelled) {
        const std::lock_guard lock(m_mutex);
        side.failure = done.error().message;
        side.probes.reset();
    }
    side.result = {};
    m_turns.leave(index);
}

Result<void> Match::turn(int index) {
    Side& side = m_sides[std::size_t(index)];
    if (index == 1 && m_recorded) return playRecorded();
    side.full = false;
    if (index == 1)
        if (const auto compared = compare(); !compared) return compared;
    for (int frames = 0, counted = 0;; ++frames) {
        const auto done = frame(index, frames == 0, counted == 0);
        if (!done) return fail(done.error());
        counted += *done;
        if (counted == kMostOfTurn) side.full = true;
        const bool enough = m_turns.turnMs() >= kTurnMs &&
                            (counted >= 2 || side.lastMs >= kShortFrameMs || frames >= 3);
        if (enough || m_turns.paused() || m_stop.stop_requested()) break;
    }
    publish(side);
    return {};
}

// At most one frame a turn, and none before the one at hand is over there.
Result<void> Match::playRecorded() {
    Side& side = m_sides[1];
    const double now = m_turns.seconds() * 1000;
    if (side.warm && now < m_nextRecordedMs) {
        // Where the other side has ended, this one would only spin.
        std::this_thread::sleep_for(
            std::chrono::duration<double, std::milli>(std::min(m_nextRecordedMs - now, 5.0)));
        return {};
    }
    m_nextRecordedMs = now + m_recorded->times.totalMs;
    if (const auto done = frame(1, true); !done) return fail(done.error());
    publish(side);
    return {};
}

Result<bool> Match::frame(int index, bool firstOfTurn, bool newRound) {
    Side& side = m_sides[std::size_t(index)];
    const bool first = !side.warm;
    const double seconds = m_turns.seconds();
    // The first frame is the one that both sides are compared on.
    const Rect rect = first ? m_source.at(0) : m_source.next(seconds, side.lastRect);
    const bool seen = first || rect == m_source.at(seconds);
    const Image image = m_source.frame(rect);
    side.lastRect = rect;
    side.progress = 0;
    const RunContext context{m_stop.get_token(), [this, index, &side](double fraction) {
                                 side.progress.store(fraction, std::memory_order_relaxed);
                                 m_turns.breathe(index);
                             }};
    std::vector<StepProbe> probes;
    const bool played = index == 1 && m_recorded;
    // One count at a time: of one thread there is nothing to count.
    std::optional<WorkedThreads> worked;
    const BackendInfo& info = side.backend->info();
    if (!played && info.kind == BackendKind::Cpu && info.threads > 1) worked.emplace();
    m_turns.beginFrame(index);
    auto result =
        runChain(*side.backend, m_chain, image, context, first && !m_recorded ? &probes : nullptr);
    const double ms = m_turns.endFrame(index);
    // While a frame is suspended the other side's thread works.
    const int threads = worked && ms < Turns::kLongTurnMs / 2 ? worked->count() : 0;
    worked.reset();
    if (!result) return fail(result.error());
    // A stop in the last moment may have cut the frame short.
    if (m_stop.stop_requested()) return cancelled();
    const auto spans = side.backend->takeSpans();
    if (!spans) return fail(spans.error());
    side.progress = 0;
    side.warm = true;
    side.lastMs = ms;
    if (seen || side.result.isNull()) side.result = std::move(*result);
    const bool counts = first ? ms >= kLongFrameMs : !(firstOfTurn && ms < kShortFrameMs);
    const std::lock_guard lock(m_mutex);
    if (first && !m_recorded) side.probes = std::move(probes);
    if (counts && !played && !side.full)
        side.statistics.add(timesOf(ms, *spans), newRound, threads);
    return counts;
}

// On the right side's thread, in its turn, outside any timing.
Result<void> Match::compare() {
    std::vector<StepProbe> reference;
    std::vector<StepProbe> probes;
    {
        const std::lock_guard lock(m_mutex);
        if (!m_sides[0].probes || !m_sides[1].probes) return {};
        reference = *std::exchange(m_sides[0].probes, std::nullopt);
        probes = *std::exchange(m_sides[1].probes, std::nullopt);
    }
    auto agreement = compareProbes(*m_sides[1].backend, m_chain, reference, probes,
                                   {m_stop.get_token(), [this](double) { m_turns.breathe(1); }});
    if (!agreement) return fail(agreement.error());
    const auto spans = m_sides[1].backend->takeSpans();  // not of a frame
    if (!spans) return fail(spans.error());
    const std::lock_guard lock(m_mutex);
    m_agreement = std::move(*agreement);
    return {};
}

Image Match::toScreen(const Image& image) const {
    Size size;
    {
        const std::lock_guard lock(m_mutex);
        size = m_pictureSize;
    }
    if (image.isNull() || size.width < 1 || size.height < 1) return {};
    // Without memory for it the figures go on; a picture comes when there is some again.
    return screenPicture(image, size, m_look).value_or(Image());
}

void Match::publish(Side& side) {
    Image picture = toScreen(side.result);
    if (picture.isNull()) return;
    const std::lock_guard lock(m_mutex);
    side.picture = std::move(picture);
    side.pictureIsSource = false;
}

}  // namespace warpscope::gui
