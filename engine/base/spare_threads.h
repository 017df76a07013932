// Threads for a second piece of work while a first one is suspended with threads of the pool in its
// hands.
#pragma once

#include <memory>

namespace warpscope {

// While one lives, the pool may have twice as many threads: work that is suspended within its row
// bands (a progress sink that blocks) keeps those it has, and another thread's work still gets as
// many as it would have alone. No single piece of work gets more threads than without it.
class SpareThreads {
  public:
    SpareThreads();
    ~SpareThreads();
    SpareThreads(const SpareThreads&) = delete;
    SpareThreads& operator=(const SpareThreads&) = delete;

  private:
    struct Limit;
    std::unique_ptr<Limit> m_limit;
};

}  // namespace warpscope
