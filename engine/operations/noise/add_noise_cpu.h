// The CPU body of add_noise, and its generator for tests.
#pragma once

#include "engine/operations/noise/add_noise.h"

namespace warpscope {

// `in` and `out` have plan.input and plan.size. Errors: Cancelled.
Result<void> runAddNoiseCpu(const AddNoisePlan& plan, const Image& in, const MutableImage& out,
                            const CpuContext& context);

// Words 0, 1 and 2 of philox(index + i, seed) for i from 0 to count - 1; each array has room for
// 64 words more.
void philoxWords(std::uint64_t index, std::uint32_t seed, int count, std::uint32_t* word0,
                 std::uint32_t* word1, std::uint32_t* word2);

}  // namespace warpscope
