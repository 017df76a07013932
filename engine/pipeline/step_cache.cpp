#include "engine/pipeline/step_cache.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

namespace warpscope {
namespace {

// A dragged slider makes a new output of the same step with every tick. More than these are worth
// nothing to a person, and fresh memory for each is slower than memory that was just given back.
constexpr int kOutputsPerPosition = 4;
constexpr std::size_t kMaxEntries = 4 * kMaxSteps;
constexpr std::size_t kMostPlans = 64;

}  // namespace

PlanPtr FrozenPlans::find(const Key& key) const {
    for (const auto& [known, plan] : m_plans)
        if (known == key) return plan;
    return nullptr;
}

void FrozenPlans::insert(const Key& key, PlanPtr plan) {
    if (m_plans.size() >= kMostPlans) m_plans.erase(m_plans.begin());
    m_plans.emplace_back(key, std::move(plan));
}

std::size_t CacheKeyHash::operator()(const CacheKey& key) const {
    std::uint64_t hash = key.steps;
    const auto mix = [&](std::uint64_t word) {
        hash = (hash ^ word) * 0x9E3779B97F4A7C15ull;
        hash ^= hash >> 29;
    };
    mix(key.image);
    mix(key.depth);
    mix(std::uint64_t(key.backend));
    mix(std::bit_cast<std::uint64_t>(key.spatialScale));
    mix(key.whole);
    mix(std::bit_cast<std::uint64_t>(key.wholeScale));
    return std::size_t(hash);
}

std::uint64_t StepCache::limit(int pool) const {
    return std::min({m_budget, m_pools[pool].ceiling, m_pools[pool].limit});
}

void StepCache::setBudget(std::uint64_t bytes) {
    m_budget = bytes;
    for (int pool = 0; pool < 2; ++pool) evictDown(pool, limit(pool));
}

void StepCache::setHostLimit(std::uint64_t bytes) {
    m_pools[0].limit = bytes;
    evictDown(0, limit(0));
}

void StepCache::setAvailable(BackendKind kind, std::uint64_t bytes) {
    Pool& pool = m_pools[poolOf(kind)];
    const bool unknown = bytes == 0 || bytes > UINT64_MAX - pool.used;
    pool.ceiling = unknown ? UINT64_MAX : pool.used + bytes;
}

const CachedStep* StepCache::find(const CacheKey& key) {
    const auto found = m_index.find(key);
    if (found == m_index.end()) return nullptr;
    m_entries.splice(m_entries.begin(), m_entries, found->second);
    return &found->second->step;
}

void StepCache::insert(const CacheKey& key, CachedStep step) {
    if (const auto old = m_index.find(key); old != m_index.end()) erase(old->second);
    const std::uint64_t bytes = step.buffer->byteCount();
    const int pool = poolOf(step.owner->info().kind);
    if (bytes > limit(pool)) return;
    dropOldSiblings(key);
    const std::uint64_t room = limit(pool) - bytes;
    evictDown(pool, room, false);
    if (m_pools[pool].used > room && key.depth != m_preferred) return;
    evictDown(pool, room);
    while (m_entries.size() >= kMaxEntries) erase(std::prev(m_entries.end()));
    m_pools[pool].used += bytes;
    m_entries.push_front({key, std::move(step), bytes, pool});
    m_index[key] = m_entries.begin();
}

StepCache::Entries::iterator StepCache::erase(Entries::iterator entry) {
    m_pools[entry->pool].used -= entry->bytes;
    m_index.erase(entry->key);
    return m_entries.erase(entry);
}

template <class Predicate>
void StepCache::eraseIf(Predicate predicate) {
    for (auto entry = m_entries.begin(); entry != m_entries.end();)
        entry = predicate(*entry) ? erase(entry) : std::next(entry);
}

// The preferred ones last, or not at all.
void StepCache::evictDown(int pool, std::uint64_t target, bool preferredToo) {
    for (const bool preferred : {false, true}) {
        if (preferred && !preferredToo) return;
        for (auto entry = m_entries.end();
             m_pools[pool].used > target && entry != m_entries.begin();) {
            --entry;
            if (entry->pool == pool && (entry->key.depth == m_preferred) == preferred)
                entry = erase(entry);
        }
    }
}

void StepCache::dropOldSiblings(const CacheKey& key) {
    int kept = 1;
    eraseIf([&](const Entry& entry) {
        CacheKey sibling = entry.key;
        sibling.steps = key.steps;
        return sibling == key && ++kept > kOutputsPerPosition;
    });
}

void StepCache::clear() {
    eraseIf([](const Entry&) { return true; });
}

void StepCache::clearDevice() {
    eraseIf([](const Entry& entry) { return entry.pool == 1; });
}

void StepCache::forgetImage(std::uint64_t imageId) {
    eraseIf([&](const Entry& entry) {
        return entry.key.image == imageId || entry.key.whole == imageId;
    });
}

}  // namespace warpscope
