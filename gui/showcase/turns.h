// Two sides take turns on one machine, so that neither slows the other down, and the screen is
// drawn in between. Also the only clock of their frames: what a frame waits, does not count.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <stop_token>

#include "engine/base/clock.h"

namespace warpscope::gui {

class Turns {
  public:
    // A frame that has not ended this long after its turn began is suspended within, see breathe().
    static constexpr double kLongTurnMs = 300;

    // Called after each turn, on a thread of the side that had it, while both sides rest; may wait
    // for the screen, but not once the token says stop.
    using Between = std::function<void(std::stop_token)>;

    // `threads`: how many a frame of each side runs on. `stop` ends every waiting.
    Turns(const Clock& clock, std::array<int, 2> threads, std::stop_token stop, Between between);

    // Blocks until it is this side's turn. False: stopped.
    bool wait(int side);
    // Ends this side's turn; the other side's begins, or its own again if the other has left.
    void pass(int side);
    // No more turns for this side: it failed, or its thread ends.
    void leave(int side);
    double turnMs() const;  // since the present turn began

    // Nobody's turn until it is false again.
    void setPaused(bool paused);
    bool paused() const { return m_paused.load(std::memory_order_relaxed); }

    // Around each frame of the side whose turn it is. endFrame gives the time that it had.
    void beginFrame(int side);
    double endFrame(int side);
    double frameMs(int side) const;  // so far; 0 between frames

    // To be called within a frame, often, from any of its threads: between row bands. Returns at
    // once during a turn; once the turn is too long or everything pauses, blocks until the side has
    // its next one. The turn ends when all threads of the frame have come here (or some have not
    // for so long that they seem to have nothing left to do); what those that come later did
    // meanwhile is charged to the frame, as a part of all its threads.
    void breathe(int side);

    double seconds() const;  // since construction, pauses left out

  private:
    static constexpr int kNobody = -1;
    void suspend(int side, std::unique_lock<std::mutex>& lock);
    void handOn(int side, std::unique_lock<std::mutex>& lock);
    void grant(int side);

    const Clock& m_clock;
    const std::array<int, 2> m_threads;
    const std::stop_token m_stop;
    const Between m_between;
    const std::int64_t m_startNs;

    std::atomic<int> m_holder{0};  // written under m_mutex
    std::atomic<std::int64_t> m_deadlineNs{0};
    std::atomic<bool> m_paused{false};

    mutable std::mutex m_mutex;  // guards what follows
    std::condition_variable_any m_changed;
    int m_next = kNobody;  // who goes on after a pause
    std::int64_t m_turnNs = 0;
    std::int64_t m_pauseNs = 0;
    std::int64_t m_pausedSumNs = 0;
    // While a side's frame is being suspended: who has come, when it began, what was done since.
    int m_suspending = kNobody;
    int m_arrived = 0;
    std::int64_t m_suspendNs = 0;
    double m_lateMs = 0;           // sum over threads
    double m_latestMs = 0;         // of one thread
    double m_longestWaitMs = 500;  // for threads to come; learned from those that came
    std::array<bool, 2> m_there{true, true};
    std::array<bool, 2> m_inFrame{};
    std::array<double, 2> m_frameMs{};  // of the frame at hand, up to the last time it was left
    std::array<std::int64_t, 2> m_sinceNs{};
};

}  // namespace warpscope::gui
