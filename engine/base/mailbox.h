// One way from thread to thread: values under a mutex, and a wake-up that carries none of them.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>

namespace warpscope {

// Thread-safe. Without `replaces` nothing that is posted is lost; with it a newer value takes the
// place of the waiting one for which it says so, behind all others.
template <class T>
class Mailbox {
  public:
    using Replaces = bool (*)(const T& waiting, const T& newer);
    static bool always(const T&, const T&) { return true; }  // one place: the latest wins

    // `wake` is called by the thread that posts, once until the next take(). A receiver without it
    // calls wait().
    explicit Mailbox(std::function<void()> wake = {}, Replaces replaces = nullptr)
        : m_wake(std::move(wake)), m_replaces(replaces) {}

    void post(T value) {
        std::optional<T> replaced;  // let go outside the lock
        bool wake = false;
        {
            const std::lock_guard lock(m_mutex);
            const auto waiting =
                m_replaces
                    ? std::find_if(m_values.begin(), m_values.end(),
                                   [&](const T& candidate) { return m_replaces(candidate, value); })
                    : m_values.end();
            if (waiting != m_values.end()) {
                replaced.emplace(std::move(*waiting));
                m_values.erase(waiting);
            }
            m_values.push_back(std::move(value));
            wake = !std::exchange(m_woken, true);
        }
        m_posted.notify_one();
        if (wake && m_wake) m_wake();
    }

    // All that wait, oldest first; never blocks.
    std::deque<T> take() {
        const std::lock_guard lock(m_mutex);
        m_woken = false;
        return std::exchange(m_values, {});
    }
    void clear() { take(); }

    // The oldest; blocks until there is one. Nothing once `stop` is requested and none is left.
    std::optional<T> wait(const std::stop_token& stop) {
        std::unique_lock lock(m_mutex);
        if (!m_posted.wait(lock, stop, [this] { return !m_values.empty(); })) return std::nullopt;
        std::optional<T> value(std::move(m_values.front()));
        m_values.pop_front();
        return value;
    }

  private:
    const std::function<void()> m_wake;
    const Replaces m_replaces;
    std::mutex m_mutex;
    std::condition_variable_any m_posted;
    std::deque<T> m_values;  // guarded by m_mutex
    bool m_woken = false;    // guarded by m_mutex
};

}  // namespace warpscope
