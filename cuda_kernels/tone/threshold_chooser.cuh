// The threshold that a block finds in counts, with the functions of the CPU.
#pragma once

#include "cuda_kernels/runtime/kernel_support.cuh"
#include "engine/operations/tone/threshold_choice.h"

namespace warpscope::cuda {

// Counts of levels, of which each of `Threads` threads looks at `Each` neighbours. All threads of
// the block that have not ended call all of it together.
template <unsigned Threads, unsigned Each>
class ThresholdChooser {
    static constexpr unsigned kWarps = Threads / 32;

  public:
    // What the threads of a warp have found together, and what Li's method leads to from a level.
    struct Shared {
        LevelsBelow sums[kWarps];
        unsigned long long peakCount[kWarps];
        long long score[kWarps];
        unsigned lowest[kWarps], highest[kWarps], peak[kWarps], order[kWarps];
        double steps[Each == 1 ? Threads : 1];
    };

    // `bins` in any memory, complete for all threads.
    __device__ ThresholdChooser(const unsigned long long* bins, Shared& shared)
        : m_bins(bins), m_shared(shared) {
        LevelsBelow own;
        for (unsigned k = first(); k < first() + Each; ++k) {
            const unsigned long long count = m_bins[k];
            if (count == 0) continue;
            own.add(k, count);
            m_lowest = min(m_lowest, k);
            m_highest = k;
            addPeak(count, k);
        }
        // Up to and with this thread's.
        LevelsBelow sums = own;
#pragma unroll
        for (unsigned distance = 1; distance < 32; distance *= 2) {
            const std::uint64_t count = __shfl_up_sync(kAll, sums.count, distance);
            const std::uint64_t sum = __shfl_up_sync(kAll, sums.sum, distance);
            if (lane() < distance) continue;
            sums.count += count;
            sums.sum += sum;
        }
#pragma unroll
        for (int distance = 16; distance > 0; distance /= 2) {
            m_lowest = min(m_lowest, __shfl_xor_sync(kAll, m_lowest, distance));
            m_highest = max(m_highest, __shfl_xor_sync(kAll, m_highest, distance));
            const unsigned long long count = __shfl_xor_sync(kAll, m_peakCount, distance);
            addPeak(count, __shfl_xor_sync(kAll, m_peak, distance));
        }
        if (lane() == 31) {
            m_shared.sums[warp()] = sums;
            m_shared.lowest[warp()] = m_lowest;
            m_shared.highest[warp()] = m_highest;
            m_shared.peakCount[warp()] = m_peakCount;
            m_shared.peak[warp()] = m_peak;
        }
        __syncthreads();
        m_before = {sums.count - own.count, sums.sum - own.sum};
#pragma unroll
        for (unsigned w = 0; w < kWarps; ++w) {
            const LevelsBelow& of = m_shared.sums[w];
            m_all.count += of.count;
            m_all.sum += of.sum;
            if (w < warp()) {
                m_before.count += of.count;
                m_before.sum += of.sum;
            }
            m_lowest = min(m_lowest, m_shared.lowest[w]);
            m_highest = max(m_highest, m_shared.highest[w]);
            addPeak(m_shared.peakCount[w], m_shared.peak[w]);
        }
    }

    // `below`: room for as many as there are levels; Li with several levels a thread only.
    __device__ ThresholdCut cut(ThresholdMethod method, LevelsBelow* below) const {
        if (m_all.count == 0) return {};
        const unsigned lo = m_lowest, hi = m_highest, p = m_peak;
        if (lo == hi) return whole(lo);
        switch (method) {
            case ThresholdMethod::Fixed:
            case ThresholdMethod::Mean:
                return {double(m_all.sum) / double(m_all.count),
                        std::uint32_t(m_all.sum / m_all.count), 0};
            case ThresholdMethod::Otsu:
                // Numbers that are not negative are in the order of their bits.
                return whole(best([&](unsigned k, const LevelsBelow& upTo, unsigned& order) {
                    order = k;
                    const double spread = otsuSpread(upTo, m_all);
                    return spread < 0 ? -1ll : __double_as_longlong(spread);
                }));
            case ThresholdMethod::Triangle: {
                const bool fromTop = p - lo < hi - p;
                const unsigned distance = fromTop ? hi - p : p - lo;
                const unsigned steps = best([&](unsigned k, const LevelsBelow&, unsigned& order) {
                    if (fromTop ? k < p || k > hi : k < lo || k > p) return kNone;
                    order = fromTop ? hi - k : k - lo;
                    return (long long)(triangleHeight(m_peakCount, distance, order, m_bins[k]));
                });
                return whole(fromTop ? hi - steps : lo + steps);
            }
            case ThresholdMethod::Li: {
                const double t = li(below);
                return {t, std::uint32_t(t), 0};
            }
            case ThresholdMethod::Isodata:
                return whole(best([&](unsigned k, const LevelsBelow& upTo, unsigned& order) {
                    order = k;
                    return isIsodata(k, upTo, m_all) ? 1ll : 0ll;
                }));
        }
        return {};
    }

  private:
    static constexpr unsigned kAll = 0xffffffffu;
    static constexpr long long kNone = -0x7fffffffffffffffll - 1;

    __device__ static unsigned first() {
        return threadIdx.x * Each;
    }
    __device__ static unsigned lane() {
        return threadIdx.x % 32;
    }
    __device__ static unsigned warp() {
        return threadIdx.x / 32;
    }
    __device__ static ThresholdCut whole(unsigned t) {
        return {double(t), t, 0};
    }

    // The lowest of the fullest levels.
    __device__ void addPeak(unsigned long long count, unsigned level) {
        if (count < m_peakCount || (count == m_peakCount && level >= m_peak)) return;
        m_peakCount = count;
        m_peak = level;
    }

    // Every thread walks the same steps.
    __device__ double li(LevelsBelow* below) const {
        const unsigned lo = m_lowest;
        LevelsBelow upTo = m_before;
        if constexpr (Each == 1) {
            // A step takes long, and each level has but one: all at once.
            const unsigned k = first();
            upTo.add(k, m_bins[k]);
            m_shared.steps[k] = k < lo || k > m_highest ? kLiEnds : liStep(lo, upTo, m_all);
            __syncthreads();
            return liThreshold(lo, m_all,
                               [&](std::uint32_t level) { return m_shared.steps[level]; });
        } else {
            for (unsigned k = first(); k < first() + Each; ++k) {
                upTo.add(k, m_bins[k]);
                below[k] = upTo;
            }
            __syncthreads();
            return liThreshold(
                lo, m_all, [&](std::uint32_t level) { return liStep(lo, below[level], m_all); });
        }
    }

    // The smallest order among the largest scores.
    template <class Score>
    __device__ unsigned best(const Score& scoreOf) const {
        long long most = kNone;
        unsigned mostOrder = 0xffffffffu;
        const auto add = [&](long long score, unsigned order) {
            if (score < most || (score == most && order >= mostOrder)) return;
            most = score;
            mostOrder = order;
        };
        LevelsBelow upTo = m_before;
        for (unsigned k = first(); k < first() + Each; ++k) {
            upTo.add(k, m_bins[k]);
            unsigned order = 0xffffffffu;
            const long long score = scoreOf(k, upTo, order);
            add(score, order);
        }
#pragma unroll
        for (int distance = 16; distance > 0; distance /= 2) {
            const long long score = __shfl_xor_sync(kAll, most, distance);
            add(score, __shfl_xor_sync(kAll, mostOrder, distance));
        }
        if (lane() == 0) {
            m_shared.score[warp()] = most;
            m_shared.order[warp()] = mostOrder;
        }
        __syncthreads();
#pragma unroll
        for (unsigned w = 0; w < kWarps; ++w) add(m_shared.score[w], m_shared.order[w]);
        return mostOrder;
    }

    const unsigned long long* m_bins;
    Shared& m_shared;
    LevelsBelow m_all, m_before;
    unsigned m_lowest = Threads * Each, m_highest = 0, m_peak = Threads * Each;
    unsigned long long m_peakCount = 0;
};

}  // namespace warpscope::cuda
