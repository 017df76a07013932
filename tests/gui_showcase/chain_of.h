// Chains for tests, as the command line writes their steps, and how long to wait.
#pragma once

#include <QTest>
#include <initializer_list>

#include "engine/pipeline/pipeline.h"
#include "support/test_case.h"

namespace warpscope::test {

// For a condition, where other suites have the cores: never how long something should take.
inline constexpr int kPatienceMs = 120'000;

// Until nothing is counted any more for a while.
template <class Count>
bool comesToRest(const Count& count) {
    return waitedFor(
        [&] {
            const auto before = count();
            QTest::qWait(100);
            return count() == before;
        },
        kPatienceMs);
}

inline Pipeline chainOf(std::initializer_list<const char*> steps) {
    Pipeline pipeline;
    for (const char* step : steps) pipeline.steps.push_back(parseStep(step).value());
    return pipeline;
}

}  // namespace warpscope::test
