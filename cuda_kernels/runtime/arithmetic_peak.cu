#include "cuda_kernels/runtime/arithmetic_peak.h"

#include <algorithm>

#include "cuda_kernels/runtime/kernel_support.cuh"

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kBlocksPerMultiprocessor = 8;
// Chains side by side in a thread: with all its warps far more than a multiply-add takes cycles.
constexpr int kChains = 8;
constexpr int kRounds = 8192;

// From 1 towards 2, as on the CPU. `never` is false; the sums are needed for what the compiler
// knows.
__global__ void __launch_bounds__(kThreads)
    multiplyAddsKernel(float factor, float term, bool never, float* kept) {
    float sums[kChains];
#pragma unroll
    for (int i = 0; i < kChains; ++i) sums[i] = 1.0f + 0.001f * float(threadIdx.x + unsigned(i));
#pragma unroll 8
    for (int round = 0; round < kRounds; ++round) {
#pragma unroll
        for (int i = 0; i < kChains; ++i) sums[i] = __fmaf_rn(sums[i], factor, term);
    }
    float all = 0;
#pragma unroll
    for (int i = 0; i < kChains; ++i) all += sums[i];
    if (never) kept[threadIdx.x] = all;
}

}  // namespace

ArithmeticPeak measureArithmeticPeak(DeviceContext& device, const RunContext& run) {
    KernelContext context(device, run);
    const DeviceMemory kept = context.allocate(kThreads * sizeof(float));
    const unsigned blocks = unsigned(context.traits().multiprocessors) * kBlocksPerMultiprocessor;
    Event start = Event::create(Event::Timing::On);
    Event end = Event::create(Event::Timing::On);
    double best = 0;
    // The first launches also bring the clock of the device up.
    for (int i = 0; i < 10; ++i) {
        context.checkStop();
        start.record(context.stream());
        launch(context, "multiply-adds", blocks, kThreads, 0, multiplyAddsKernel, 0.5f, 1.0f, false,
               kept.as<float>());
        end.record(context.stream());
        end.wait();
        float ms = 0;
        WARPSCOPE_CUDA(cudaEventElapsedTime(&ms, start.get(), end.get()));
        const double operations = 2.0 * kRounds * kChains * double(kThreads) * double(blocks);
        if (ms > 0) best = std::max(best, operations / (double(ms) * 1e6));
    }
    return {best, 0};
}

}  // namespace warpscope::cuda
