#include "engine/pipeline/chain_run.h"

namespace warpscope {
namespace {
constexpr std::size_t kMostPlans = 64;
}

PlanPtr FrozenPlans::find(const Key& key) const {
    for (const auto& [known, plan] : m_plans)
        if (known == key) return plan;
    return nullptr;
}

void FrozenPlans::insert(const Key& key, PlanPtr plan) {
    if (m_plans.size() >= kMostPlans) m_plans.erase(m_plans.begin());
    m_plans.emplace_back(key, std::move(plan));
}

}  // namespace warpscope
