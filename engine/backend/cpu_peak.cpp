// The most arithmetic that the processor does: multiply-adds on registers, in as many chains as
// keep its units busy. Each chain multiplies what it has, so that no compiler takes the product out
// of the loop.
#include "engine/backend/cpu_backend.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/backend/cpu_peak.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <atomic>

#include "engine/base/clock.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Latency times units, and some more; what is left of 16 registers holds the factors.
constexpr int kChains = 12;

// Operations that a call did; what came out goes to `kept`.
HWY_ATTR double floatRounds(int rounds, float& kept) {
    const hn::ScalableTag<float> d;
    // From 1 towards 2: no infinities, no denormals.
    const auto factor = hn::Set(d, 0.5f), term = hn::Set(d, 1.0f);
    hn::Vec<decltype(d)> sums[kChains];
    for (int i = 0; i < kChains; ++i) sums[i] = hn::Set(d, 1.0f + 0.01f * float(i));
    for (int round = 0; round < rounds; ++round) {
#pragma GCC unroll 12
        for (int i = 0; i < kChains; ++i) sums[i] = hn::MulAdd(sums[i], factor, term);
    }
    auto all = sums[0];
    for (int i = 1; i < kChains; ++i) all = hn::Add(all, sums[i]);
    kept = hn::GetLane(all);
    return 2.0 * double(rounds) * kChains * double(hn::Lanes(d));
}

HWY_ATTR double integerRounds(int rounds, std::int32_t& kept) {
#if HWY_TARGET == HWY_SCALAR
    std::uint32_t sums[kChains];
    for (int i = 0; i < kChains; ++i) sums[i] = std::uint32_t(i + 1);
    for (int round = 0; round < rounds; ++round)
        for (std::uint32_t& sum : sums) sum += (sum & 0xFFFFu) * 3u;
    std::uint32_t all = 0;
    for (const std::uint32_t sum : sums) all += sum;
    kept = std::int32_t(all);
    return 2.0 * double(rounds) * kChains;
#else
    const hn::ScalableTag<std::int16_t> d16;
    const hn::ScalableTag<std::int32_t> d32;
    const auto factor = hn::Set(d16, std::int16_t{3});
    hn::Vec<decltype(d32)> sums[kChains], rest = hn::Zero(d32);
    for (int i = 0; i < kChains; ++i) sums[i] = hn::Set(d32, i + 1);
    for (int round = 0; round < rounds; ++round) {
#pragma GCC unroll 12
        for (int i = 0; i < kChains; ++i)
            sums[i] = hn::ReorderWidenMulAccumulate(d32, hn::BitCast(d16, sums[i]), factor, sums[i],
                                                    rest);
    }
    auto all = rest;
    for (int i = 0; i < kChains; ++i) all = hn::Add(all, sums[i]);
    kept = hn::GetLane(all);
    return 2.0 * double(rounds) * kChains * double(hn::Lanes(d16));
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace warpscope {

HWY_EXPORT(floatRounds);
HWY_EXPORT(integerRounds);

namespace {

// About 0.1 ms each.
constexpr int kRounds = 1 << 16;
constexpr int kPiecesPerThread = 64;
constexpr int kRepetitions = 5;

// The best of some repetitions: what else runs on the machine only takes away.
template <class Piece>
Result<double> bestGops(const CpuContext& context, Piece&& piece) {
    const CpuContext quiet{context.threading, context.stop, {}};
    double best = 0;
    for (int i = 0; i < kRepetitions; ++i) {
        std::atomic<double> operations{0};
        const Stopwatch watch;
        auto done = forEachRowBand(quiet, kPiecesPerThread * quiet.threadCount(), 1,
                                   [&](int first, int last) {
                                       double own = 0;
                                       for (int k = first; k < last; ++k) own += piece();
                                       operations.fetch_add(own);
                                   });
        if (!done) return fail(done.error());
        const double ms = watch.elapsedMs();
        if (ms > 0) best = std::max(best, operations.load() / (ms * 1e6));
    }
    return best;
}

}  // namespace

Result<ArithmeticPeak> cpuArithmeticPeak(const CpuContext& context) {
    std::atomic<float> keptFloat{0};
    std::atomic<std::int32_t> keptInteger{0};
    auto floats = bestGops(context, [&] {
        float kept = 0;
        const double operations = HWY_DYNAMIC_DISPATCH(floatRounds)(kRounds, kept);
        keptFloat.store(kept, std::memory_order_relaxed);
        return operations;
    });
    if (!floats) return fail(floats.error());
    auto integers = bestGops(context, [&] {
        std::int32_t kept = 0;
        const double operations = HWY_DYNAMIC_DISPATCH(integerRounds)(kRounds, kept);
        keptInteger.store(kept, std::memory_order_relaxed);
        return operations;
    });
    if (!integers) return fail(integers.error());
    return ArithmeticPeak{*floats, *integers};
}

}  // namespace warpscope
#endif  // HWY_ONCE
