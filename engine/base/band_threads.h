// The threads that run row bands: each kept on a CPU of its own, and counted.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/cpu_affinity.h"

namespace warpscope {

// While it lives, the thread that made it and the threads of the pool that run its row bands stay
// on one CPU each, in the order given: this thread on the first. Threads of the pool are pinned
// when they first take part and keep their CPU until this is destroyed, also where they work for
// another thread in between or sleep; then all of them, and threads that were begun by one of them
// meanwhile and took over its CPU, may run where this thread could before. To be destroyed by the
// thread that made it, outside row bands; one at a time on a thread, and not within a
// ThisThreadPinned.
class PinnedPool {
  public:
    explicit PinnedPool(std::vector<int> cpus = quietCpuOrder());
    ~PinnedPool();
    PinnedPool(const PinnedPool&) = delete;
    PinnedPool& operator=(const PinnedPool&) = delete;

    // False once the system has refused to pin a thread, which then runs where it likes.
    bool ok() const;
    const std::vector<int>& cpus() const;
    std::string describe() const;  // "16 threads on CPUs 0-15"

    // For row bands: the pool that the calling thread made, and pinning it as the pool's thread of
    // this number (the maker is 0).
    static const PinnedPool* ofThisThread();
    void pinThisThread(int number) const;

  private:
    struct Pins;
    std::unique_ptr<Pins> m_pins;
};

// How many distinct threads have run at least one row band since it was made, in the whole process.
// One at a time: one more, made while another lives, counts nothing.
class WorkedThreads {
  public:
    WorkedThreads();
    ~WorkedThreads();
    WorkedThreads(const WorkedThreads&) = delete;
    WorkedThreads& operator=(const WorkedThreads&) = delete;

    // Exact for work that has returned.
    int count() const;

    // Whether anybody counts at the moment.
    static bool counting() { return s_worked.load(std::memory_order_relaxed) != 0; }

    // For row bands, before each.
    static void note() {
        if (const std::uint64_t now = s_worked.load(std::memory_order_relaxed)) noteFirst(now);
    }

  private:
    static void noteFirst(std::uint64_t now);

    // Number of the count in the upper half, threads in the lower; 0 while nobody counts.
    static std::atomic<std::uint64_t> s_worked;
    std::uint64_t m_number = 0;
};

}  // namespace warpscope
