// Equalization of gray images of 8 bits, and of float samples.
#pragma once

#include "cuda_kernels/analysis/histogram.cuh"
#include "engine/operations/tone/equalize.h"

namespace warpscope::cuda {

// Gray8. `full`: EqualizeMapping::Full.
void equalizeGray(KernelContext& context, bool full, const DeviceImage& in, const DeviceImage& out);
// Loads what no tiny image reaches. Throws CudaFailure.
void loadEqualizeGray();

// Bits of the smallest and the largest finite value of a channel, in the order of the values.
struct RangeKeys {
    std::uint32_t low[kMostTables];   // all bits set: none
    std::uint32_t high[kMostTables];  // 0: none

    __device__ static std::uint32_t keyOf(float v) {
        const std::uint32_t bits = __float_as_uint(v);
        return bits ^ (bits >> 31 ? 0xffffffffu : 0x80000000u);
    }
    __device__ static float valueOf(std::uint32_t key) {
        return __uint_as_float(key ^ (key >> 31 ? 0x80000000u : 0xffffffffu));
    }
    __device__ EqualizeRange range(int channel) const {
        if (high[channel] == 0) return {};
        return {valueOf(low[channel]), valueOf(high[channel])};
    }
};

// In scratch memory that is lost at its next use.
struct FloatCountsOnDevice {
    const RangeKeys* keys;
    const unsigned long long* bins;  // kBins16 over that range
};
// Queues counting of the finite values of luma, or of gray.
FloatCountsOnDevice countFloatLuma(KernelContext& context, const DeviceImage& in);

void equalizeFloats(KernelContext& context, const EqualizePlan& plan, const DeviceImage& in,
                    const DeviceImage& out, CountingResult result);

}  // namespace warpscope::cuda
