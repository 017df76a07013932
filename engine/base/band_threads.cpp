#include "engine/base/band_threads.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "engine/base/row_bands.h"

#if !WARPSCOPE_ROW_BANDS_STD_THREAD
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_scheduler_observer.h>
#endif

namespace warpscope {
namespace {

thread_local const PinnedPool* tPool = nullptr;
// Which pool pinned this thread last, by its number, and where.
thread_local std::uint64_t tPinnedBy = 0;
thread_local int tPinnedTo = -1;
thread_local std::uint64_t tCountedBy = 0;

std::map<pid_t, CpuMask> masksOfThreads() {
    std::map<pid_t, CpuMask> masks;
    std::error_code ignored;
    for (std::filesystem::directory_iterator at("/proc/self/task", ignored), end;
         !ignored && at != end; at.increment(ignored)) {
        const auto thread = wholeFromText(at->path().filename().string());
        if (!thread) continue;
        if (const auto mask = CpuMask::ofThread(pid_t(*thread))) masks[pid_t(*thread)] = *mask;
    }
    return masks;
}

std::uint64_t nextPoolNumber() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

}  // namespace

struct PinnedPool::Pins
#if !WARPSCOPE_ROW_BANDS_STD_THREAD
    : oneapi::tbb::task_scheduler_observer
#endif
{
    std::vector<int> cpus;
    int threads = CpuContext{}.threadCount();
    std::uint64_t number = nextPoolNumber();
    CpuMask before;
    std::map<pid_t, CpuMask> others;
    std::atomic<bool> ok{false};

    void pin(int index) {
        const int cpu = cpus[std::size_t(index) % cpus.size()];
        if (tPinnedBy == number && tPinnedTo == cpu) return;
        if (!CpuMask::only(cpu).apply()) {
            ok = false;
            // Begun by a pinned thread, it has that one's CPU.
            before.apply();
            return;
        }
        tPinnedBy = number;
        tPinnedTo = cpu;
    }

#if !WARPSCOPE_ROW_BANDS_STD_THREAD
    // Workers of the arena of the thread that made the pool.
    void on_scheduler_entry(bool worker) override {
        if (worker) pin(oneapi::tbb::this_task_arena::current_thread_index());
    }
#endif

    // True where a thread was still pinned. A thread that is begun by one of those takes over its
    // CPU, also between two looks.
    bool release() {
        bool found = false;
        for (const auto& [thread, mask] : masksOfThreads()) {
            if (mask.cpus().size() != 1) continue;
            const auto old = others.find(thread);
            const CpuMask& wanted = old == others.end() ? before : old->second;
            if (!(mask == wanted) && wanted.apply(thread)) found = true;
        }
        return found;
    }
};

// The pool counts its threads (Pins::threads) before the first one is pinned.
PinnedPool::PinnedPool(std::vector<int> cpus) : m_pins(std::make_unique<Pins>()) {
    m_pins->cpus = std::move(cpus);
    const auto before = CpuMask::ofThread();
    if (!before || m_pins->cpus.empty() || tPool) return;
    m_pins->before = *before;
    m_pins->others = masksOfThreads();
    m_pins->ok = true;
    tPool = this;
    m_pins->pin(0);
#if !WARPSCOPE_ROW_BANDS_STD_THREAD
    m_pins->observe(true);
#endif
}

PinnedPool::~PinnedPool() {
    if (tPool != this) return;
#if !WARPSCOPE_ROW_BANDS_STD_THREAD
    // Waits for threads that are pinning themselves.
    m_pins->observe(false);
#endif
    tPool = nullptr;
    for (int looks = 0; looks < 100 && m_pins->release(); ++looks) {
    }
}

bool PinnedPool::ok() const {
    return m_pins->ok;
}

const std::vector<int>& PinnedPool::cpus() const {
    return m_pins->cpus;
}

std::string PinnedPool::describe() const {
    if (!ok()) return "threads are not pinned";
    std::vector<int> used = m_pins->cpus;
    used.resize(std::min(used.size(), std::size_t(m_pins->threads)));
    return fmt::format("{} thread{} on CPU{} {}", m_pins->threads, m_pins->threads == 1 ? "" : "s",
                       used.size() == 1 ? "" : "s", cpuListText(used));
}

const PinnedPool* PinnedPool::ofThisThread() {
    return tPool;
}

void PinnedPool::pinThisThread(int number) const {
    m_pins->pin(number);
}

std::atomic<std::uint64_t> WorkedThreads::s_worked{0};

WorkedThreads::WorkedThreads() {
    static std::atomic<std::uint32_t> last{0};
    std::uint64_t number = ++last;
    // 0 is nobody's, also after 2^32 counts.
    if (number == 0) number = ++last;
    std::uint64_t nobody = 0;
    if (s_worked.compare_exchange_strong(nobody, number << 32)) m_number = number;
}

WorkedThreads::~WorkedThreads() {
    if (m_number) s_worked = 0;
}

int WorkedThreads::count() const {
    return m_number ? int(s_worked.load(std::memory_order_relaxed) & 0xffffffff) : 0;
}

void WorkedThreads::noteFirst(std::uint64_t now) {
    const std::uint64_t number = now >> 32;
    if (tCountedBy == number) return;
    tCountedBy = number;
    // Not for a count that has ended since.
    while (now >> 32 == number &&
           !s_worked.compare_exchange_weak(now, now + 1, std::memory_order_relaxed)) {
    }
}

}  // namespace warpscope
