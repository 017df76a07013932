// Three windows beside each other at a time: what they share is made once, of extremes over three
// and over nine samples that go on from group to group.
#pragma once

#include "cuda_kernels/morphology/square_extremes.cuh"

namespace warpscope::cuda {

// Goes along samples, in batches of kGroups groups. The windows of 2 kRadius + 1 samples of a group
// share all but two at each end: the sample that the first one ends with, before it whole threes,
// and before these up to two more.
template <class E, int kRadius, int kGroups>
class WindowGroups {
  public:
    static constexpr int kThrees = (2 * kRadius - 2) / 3, kRest = (2 * kRadius - 2) % 3;
    static_assert(kThrees >= 3 && kThrees <= 9);
    // Where the threes begin in a group's first window. What is before that is looked at again.
    static constexpr int kBegin = 2 + kRest;

    // Three i of those before the first group.
    __device__ __forceinline__ void begin(int i, const E& a, const E& b, const E& c) {
        goOn(i - 2, E::of(a, b, c));
    }
    // Group g of a batch. `last`: what its first window ends with and the two after that; `old`:
    // the first kBegin of that window.
    __device__ __forceinline__ void make(int g, const E (&last)[3], const E* old, E* made) {
        const E &first = m_nines[g], &nine = m_nines[g + kApart];
        E shared = E::of(first, nine, kMany ? m_nines[g + 3] : last[0]);
        if constexpr (kMany) shared = E::of(shared, last[0], kRest > 0 ? old[2] : last[0]);
        constexpr int kNext = kMany ? 3 : 2;
        if constexpr (kBegin > kNext) shared = E::of(shared, old[kNext], old[kBegin - 1]);
        made[0] = E::of(shared, old[0], old[1]);
        made[1] = E::of(shared, old[1], last[1]);
        made[2] = E::of(shared, last[1], last[2]);
        goOn(g + kApart + 1, E::of(last[0], last[1], last[2]));
    }
    __device__ __forceinline__ void nextBatch() {
#pragma unroll
        for (int i = 0; i <= kApart; ++i) m_nines[i] = m_nines[i + kGroups];
    }

  private:
    // Threes from where the first nine begins to where the last does. Two nines are six.
    static constexpr int kApart = kThrees - 3;
    static constexpr bool kMany = kThrees > 6;

    __device__ __forceinline__ void goOn(int nine, const E& three) {
        if (nine >= 0) m_nines[nine] = E::of(m_threes[0], m_threes[1], three);
        m_threes[0] = m_threes[1];
        m_threes[1] = three;
    }

    E m_threes[2], m_nines[kApart + kGroups + 1];
};

}  // namespace warpscope::cuda
