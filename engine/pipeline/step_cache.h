// Outputs of steps that were computed before, least recently used first to go.
#pragma once

#include <cstdint>
#include <list>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/pipeline/execution.h"

namespace warpscope {

// What an output depends on. `steps` covers all enabled steps up to this one, in order; `depth` is
// their number (0: the uploaded source).
struct CacheKey {
    std::uint64_t image = 0;
    std::uint64_t steps = 0;
    std::uint32_t depth = 0;
    BackendKind backend = BackendKind::Cpu;  // that the chain was asked to run on
    double spatialScale = 1.0;
    std::uint64_t whole = 0;  // 0: statistics come from the image itself
    double wholeScale = 1.0;

    friend bool operator==(const CacheKey&, const CacheKey&) = default;
};

struct CacheKeyHash {
    std::size_t operator()(const CacheKey& key) const;
};

// Plans that were frozen with the statistics of a whole image; few and small.
class FrozenPlans {
  public:
    struct Key {
        CacheKey step;  // of the whole image, this step included
        PixelFormat format = PixelFormat::Gray8;
        Size size;
        Placement place;
        friend bool operator==(const Key&, const Key&) = default;
    };
    PlanPtr find(const Key& key) const;
    void insert(const Key& key, PlanPtr plan);
    void clear() { m_plans.clear(); }

  private:
    std::vector<std::pair<Key, PlanPtr>> m_plans;  // oldest first
};

struct CachedStep {
    BufferPtr buffer;
    Backend* owner = nullptr;         // that the buffer belongs to
    std::vector<StepReport> reports;  // of the steps up to this one
    Placement place;
};

// Host and device memory are counted apart, each against the budget. Used by one thread.
class StepCache {
  public:
    explicit StepCache(std::uint64_t budgetBytes) : m_budget(budgetBytes) {}

    void setBudget(std::uint64_t bytes);
    // What a backend can hold may be less than the budget. 0: unknown.
    void setAvailable(BackendKind kind, std::uint64_t bytes);

    // On the host, below the budget.
    void setHostLimit(std::uint64_t bytes);
    // Outputs of this depth make room for no others.
    void setPreferred(std::uint32_t depth) { m_preferred = depth; }

    const CachedStep* find(const CacheKey& key);
    // An entry for which there is no room is not kept.
    void insert(const CacheKey& key, CachedStep step);

    void clear();
    void clearDevice();
    void forgetImage(std::uint64_t imageId);
    std::uint64_t bytes() const { return m_pools[0].used + m_pools[1].used; }

  private:
    struct Entry {
        CacheKey key;
        CachedStep step;
        std::uint64_t bytes = 0;
        int pool = 0;
    };
    struct Pool {
        std::uint64_t used = 0;
        std::uint64_t ceiling = UINT64_MAX;
        std::uint64_t limit = UINT64_MAX;
    };
    using Entries = std::list<Entry>;

    static int poolOf(BackendKind kind) { return kind == BackendKind::Cuda ? 1 : 0; }
    std::uint64_t limit(int pool) const;
    Entries::iterator erase(Entries::iterator entry);
    template <class Predicate>
    void eraseIf(Predicate predicate);
    void evictDown(int pool, std::uint64_t target, bool preferredToo = true);
    void dropOldSiblings(const CacheKey& key);

    std::uint64_t m_budget;
    std::uint32_t m_preferred = 0;
    Pool m_pools[2];    // host, device
    Entries m_entries;  // most recently used first
    std::unordered_map<CacheKey, Entries::iterator, CacheKeyHash> m_index;
};

}  // namespace warpscope
