// How long a row of a benchmark will take, judged from what was measured before.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "engine/measure/step_key.h"

namespace warpscope {

// What is alike but for its size.
struct CostSeries {
    StepKind kind;
    Place place;
    auto operator<=>(const CostSeries&) const = default;
};

class CostModel {
  public:
    // One run on so many pixels. A figure from more pixels replaces one from fewer, because fixed
    // costs weigh less in it.
    void record(const CostSeries& series, std::int64_t pixels, double msPerRun);

    // In proportion to the pixels, which is what operations cost for a given set of parameters.
    std::optional<double> msPerRun(const CostSeries& series, std::int64_t pixels) const;

    // The fewest pixels from which an estimate is worth more than a guess.
    bool knows(const CostSeries& series) const { return m_runs.contains(series); }

    // A whole row: first call, warm-ups and samples; on a device transfers and a second round end
    // to end.
    static double rowMs(double msPerRun, const SamplingOptions& sampling, bool device);

  private:
    struct Known {
        std::int64_t pixels = 0;
        double ms = 0;
    };
    std::map<CostSeries, Known> m_runs;
};

}  // namespace warpscope
