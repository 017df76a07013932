// Standard deviation, variance and range over a square.
#pragma once

#include <cstdint>

#include "engine/operations/operation.h"

namespace warpscope {

inline constexpr int kMaxStatisticsRadius = 100;

// In the order of the choices.
enum class LocalStatistic { StandardDeviation, Variance, Range };

struct LocalStatisticsPlan final : Plan {
    LocalStatistic what = LocalStatistic::StandardDeviation;
    int radius = 3;
    // Pixels of the square. With 16 bits and the largest radius n S2 and S^2 stay below 2^63.
    std::uint32_t count = 49;
    // Of morphology, which computes the range.
    PlanPtr range;
};

const Operation& local_statistics_operation();
CpuBody<LocalStatisticsPlan> runLocalStatisticsCpu;
// Float samples.
CpuBody<LocalStatisticsPlan> runLocalStatisticsFloat;

}  // namespace warpscope
