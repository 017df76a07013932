// One step in parts of rows on a backend, between images that are page-locked.
#pragma once

#include <string>
#include <vector>

#include "cuda_faults/faulty_life.h"
#include "engine/measure/single_run.h"
#include "engine/pipeline/overlapped_run.h"

namespace warpscope::test {

class PartRuns {
  public:
    PartRuns() {
        const Operation& operation = *findOperation("median");
        for (const int i : {0, 1}) {
            m_images[i] = makeNoise(PixelFormat::Gray8, {4100, 700}, unsigned(i));
            m_plan = planFor(operation, {}, m_images[i].format(), m_images[i].size());
            m_expected[i] =
                runOnce(*BackendSet::cpuOnly("none").cpu, *m_plan, m_images[i], {}).value().output;
        }
        m_parts = overlappingParts(*m_plan, [&](const Placement& part) -> Result<PlanPtr> {
            return planForPart(operation, {}, m_plan->input, part.part, part.whole);
        });
    }

    int parts() const { return int(m_parts.size()); }

    // What is wrong with run `i`, and in how many parts it was; an error is wrong unless it may be.
    std::string check(Backend& backend, int i, int& runs, bool mayFail = false) const {
        runs = 0;
        const auto done = runOverlapped(backend, *m_plan, m_parts, m_images[i], {}, runs);
        if (!done) return mayFail ? "" : done.error().message;
        return firstDifference(m_expected[i], *done);
    }

  private:
    PlanPtr m_plan;
    std::vector<PartRun> m_parts;
    Image m_images[2];
    Image m_expected[2];
};

}  // namespace warpscope::test
