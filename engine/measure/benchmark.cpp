#include "engine/measure/benchmark.h"

#include <utility>

#include "engine/measure/benchmark_run.h"

namespace warpscope {

BenchmarkRunner::BenchmarkRunner(BackendSet backends, TimingReport head, PeerSet peers,
                                 const Clock& clock)
    : m_backends(std::move(backends)),
      m_head(std::move(head)),
      m_peers(std::move(peers)),
      m_clock(&clock) {}

BenchmarkRunner::~BenchmarkRunner() = default;

Result<BenchmarkResult> BenchmarkRunner::run(const BenchmarkPlan& plan, std::stop_token stop,
                                             const BenchmarkCallbacks& callbacks) {
    auto cases = casesOf(plan);
    if (!cases) return fail(cases.error());
    return Run(*this, plan, std::move(*cases), std::move(stop), callbacks).go();
}

void BenchmarkRunner::pause() {
    const std::lock_guard lock(m_mutex);
    m_paused = true;
}

void BenchmarkRunner::resume() {
    {
        const std::lock_guard lock(m_mutex);
        m_paused = false;
    }
    m_resumed.notify_all();
}

bool BenchmarkRunner::isPaused() const {
    const std::lock_guard lock(m_mutex);
    return m_paused;
}

}  // namespace warpscope
