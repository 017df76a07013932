#include "gui/showcase/turns.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace warpscope::gui {
namespace {

double msBetween(std::int64_t fromNs, std::int64_t toNs) {
    return double(toNs - fromNs) * 1e-6;
}

}  // namespace

Turns::Turns(const Clock& clock, std::array<int, 2> threads, std::stop_token stop, Between between)
    : m_clock(clock),
      m_threads(threads),
      m_stop(std::move(stop)),
      m_between(std::move(between)),
      m_startNs(clock.nowNs()) {
    const std::lock_guard lock(m_mutex);
    grant(1);  // the faster side first: something is seen at once
}

bool Turns::wait(int side) {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, m_stop, [&] { return m_holder == side; });
    return !m_stop.stop_requested();
}

void Turns::pass(int side) {
    std::unique_lock lock(m_mutex);
    if (m_holder == side) handOn(side, lock);
}

void Turns::leave(int side) {
    std::unique_lock lock(m_mutex);
    m_there[std::size_t(side)] = false;
    m_inFrame[std::size_t(side)] = false;
    if (m_holder == side) handOn(side, lock);
}

// By the first thread of the frame to notice. The time of threads that are in a row band then is
// not lost and not the other side's: they are waited for, and charged by their share.
void Turns::suspend(int side, std::unique_lock<std::mutex>& lock) {
    const auto s = std::size_t(side);
    m_suspendNs = m_clock.nowNs();
    if (m_inFrame[s]) m_frameMs[s] += msBetween(m_sinceNs[s], m_suspendNs);
    m_holder = kNobody;
    m_suspending = side;
    m_arrived = 1;
    m_lateMs = m_latestMs = 0;
    const auto longest = std::chrono::duration<double, std::milli>(m_longestWaitMs);
    const bool all =
        m_changed.wait_for(lock, m_stop, longest, [&] { return m_arrived >= m_threads[s]; });
    if (all && m_threads[s] > 1) m_longestWaitMs = std::clamp(3 * m_latestMs, 50.0, 1000.0);
    if (m_inFrame[s]) m_frameMs[s] += m_lateMs / std::max(m_threads[s], 1);
    m_suspending = kNobody;
    handOn(side, lock);
}

// Leaves `lock` locked; nobody has the turn while the screen is drawn.
void Turns::handOn(int side, std::unique_lock<std::mutex>& lock) {
    const auto s = std::size_t(side);
    // A frame that was suspended has its time already.
    if (m_inFrame[s] && m_holder == side) m_frameMs[s] += msBetween(m_sinceNs[s], m_clock.nowNs());
    m_holder = kNobody;
    lock.unlock();
    if (m_between) m_between(m_stop);
    lock.lock();
    const int other = 1 - side;
    m_next = m_there[std::size_t(other)] ? other : side;
    if (!m_there[std::size_t(m_next)]) return;
    if (!m_paused) grant(m_next);
}

void Turns::grant(int side) {
    m_next = kNobody;
    m_turnNs = m_clock.nowNs();
    m_sinceNs[std::size_t(side)] = m_turnNs;
    m_deadlineNs = m_turnNs + std::int64_t(kLongTurnMs * 1e6);
    m_holder = side;
    m_changed.notify_all();
}

double Turns::turnMs() const {
    const std::lock_guard lock(m_mutex);
    return msBetween(m_turnNs, m_clock.nowNs());
}

void Turns::setPaused(bool paused) {
    const std::lock_guard lock(m_mutex);
    if (paused == m_paused) return;
    m_paused = paused;
    if (paused) {
        m_pauseNs = m_clock.nowNs();
        return;
    }
    m_pausedSumNs += m_clock.nowNs() - m_pauseNs;
    // With a turn still going on, its end finds no pause and goes on by itself.
    if (m_next != kNobody && m_there[std::size_t(m_next)]) grant(m_next);
}

void Turns::beginFrame(int side) {
    const std::lock_guard lock(m_mutex);
    const auto s = std::size_t(side);
    m_inFrame[s] = true;
    m_frameMs[s] = 0;
    m_sinceNs[s] = m_clock.nowNs();
}

double Turns::endFrame(int side) {
    const std::int64_t now = m_clock.nowNs();
    const std::lock_guard lock(m_mutex);
    const auto s = std::size_t(side);
    const double ms = m_frameMs[s] + (m_holder == side ? msBetween(m_sinceNs[s], now) : 0);
    m_inFrame[s] = false;
    m_frameMs[s] = 0;
    return ms;
}

double Turns::frameMs(int side) const {
    const std::lock_guard lock(m_mutex);
    const auto s = std::size_t(side);
    if (!m_inFrame[s]) return 0;
    return m_frameMs[s] + (m_holder == side ? msBetween(m_sinceNs[s], m_clock.nowNs()) : 0);
}

void Turns::breathe(int side) {
    if (m_holder.load(std::memory_order_relaxed) == side && !paused() &&
        m_clock.nowNs() < m_deadlineNs.load(std::memory_order_relaxed))
        return;
    std::unique_lock lock(m_mutex);
    if (m_holder == side && (m_paused || m_clock.nowNs() >= m_deadlineNs)) {
        suspend(side, lock);
    } else if (m_suspending == side) {
        const double late = msBetween(m_suspendNs, m_clock.nowNs());
        m_lateMs += late;
        m_latestMs = std::max(m_latestMs, late);
        ++m_arrived;
        m_changed.notify_all();
    }
    m_changed.wait(lock, m_stop, [&] { return m_holder == side; });
}

double Turns::seconds() const {
    const std::lock_guard lock(m_mutex);
    const std::int64_t now = m_paused ? m_pauseNs : m_clock.nowNs();
    return msBetween(m_startNs + m_pausedSumNs, now) * 1e-3;
}

}  // namespace warpscope::gui
