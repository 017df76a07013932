// Mean over a square, made from integral images.
#pragma once

#include <functional>

#include "engine/operations/operation.h"

namespace warpscope {

inline constexpr int kMaxBoxRadius = 500;

struct BoxMeanPlan final : Plan {
    int radius = 0;
    std::uint32_t count = 1;  // (2 radius + 1)^2, at most 1,002,001
};

const Operation& box_mean_operation();
CpuBody<BoxMeanPlan> runBoxMeanCpu;
// Float samples.
CpuBody<BoxMeanPlan> runBoxMeanFloat;

// Row y of exact sums over squares of 2 radius + 1 pixels, the edge repeated: that of sample i is
// until[i] - before[i], modulo 2^32 or 2^64.
template <class Sum>
using BoxSumsRow = std::function<void(int y, const Sum* before, const Sum* until)>;
// The largest radius with which sums of 16 bits stay below 2^32.
inline constexpr int kNarrowRadius16 = 127;
// Every row, on several threads; cost does not depend on the radius, at most kMaxBoxRadius (the
// narrow ones: kNarrowRadius16). Of 8 and of 16 bits. Errors: Cancelled, OutOfMemory.
Result<void> forBoxSums8(const Image& in, int radius, const CpuContext& context,
                         const BoxSumsRow<std::uint32_t>& row);
Result<void> forNarrowBoxSums16(const Image& in, int radius, const CpuContext& context,
                                const BoxSumsRow<std::uint32_t>& row);
Result<void> forBoxSums16(const Image& in, int radius, const CpuContext& context,
                          const BoxSumsRow<std::uint64_t>& row);

}  // namespace warpscope
