// Extremes of the samples of words. Two samples are compared at a time, in the upper bytes of the
// halves of a word. What the lower ones hold decides only between equal ones.
#pragma once

#include "cuda_kernels/morphology/square.cuh"

namespace warpscope::cuda {

template <bool kMost>
__device__ __forceinline__ std::uint32_t best(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    return kMost ? __vimax3_u16x2(a, b, c) : __vimin3_u16x2(a, b, c);
#else
    return kMost ? __vmaxu2(__vmaxu2(a, b), c) : __vminu2(__vminu2(a, b), c);
#endif
}

// The bytes of a word, each in the upper one of a half.
struct Halves {
    std::uint32_t even = 0, odd = 0;

    Halves() = default;
    __device__ __forceinline__ Halves(std::uint32_t evens, std::uint32_t odds)
        : even(evens), odd(odds) {}
    __device__ __forceinline__ explicit Halves(std::uint32_t word) : even(word << 8), odd(word) {}
    __device__ __forceinline__ std::uint32_t word() const { return __byte_perm(even, odd, 0x7351); }
};

template <bool kMost>
__device__ __forceinline__ Halves best(const Halves& a, const Halves& b, const Halves& c) {
    return {best<kMost>(a.even, b.even, c.even), best<kMost>(a.odd, b.odd, c.odd)};
}

// Of the halves of two words those in the middle.
__device__ __forceinline__ std::uint32_t across(std::uint32_t a, std::uint32_t b) {
    return __byte_perm(a, b, 0x5432);
}

// Over the three pixels from each of a gray word on.
template <bool kMost>
__device__ __forceinline__ Halves threeAlong(const Halves& here, const Halves& next) {
    const std::uint32_t even = across(here.even, next.even);
    return {best<kMost>(here.even, here.odd, even),
            best<kMost>(here.odd, even, across(here.odd, next.odd))};
}
// Over nine, from those over three of three words.
template <bool kMost>
__device__ __forceinline__ Halves nineAlong(const Halves& a, const Halves& b, const Halves& c) {
    return {best<kMost>(a.even, across(a.odd, b.odd), across(b.even, c.even)),
            best<kMost>(a.odd, b.even, across(b.odd, c.odd))};
}

// Extremes of one kind for each sample of a word.
template <SquareOf kWhat>
struct Extremes {
    static constexpr bool kMost = kWhat == SquareOf::Most;
    Halves one;

    __device__ __forceinline__ static Extremes ofWord(std::uint32_t word) { return {Halves(word)}; }
    __device__ __forceinline__ static Extremes ofCell(std::uint32_t cell) { return {Halves(cell)}; }
    __device__ __forceinline__ std::uint32_t cell() const { return one.word(); }
    __device__ __forceinline__ std::uint32_t result() const { return one.word(); }

    __device__ __forceinline__ static Extremes of(const Extremes& a, const Extremes& b,
                                                  const Extremes& c) {
        return {best<kMost>(a.one, b.one, c.one)};
    }
    __device__ __forceinline__ static Extremes three(const Extremes& a, const Extremes& b) {
        return {threeAlong<kMost>(a.one, b.one)};
    }
    __device__ __forceinline__ static Extremes nine(const Extremes& a, const Extremes& b,
                                                    const Extremes& c) {
        return {nineAlong<kMost>(a.one, b.one, c.one)};
    }
    // The four gray pixels from `pixel` of the cells on.
    __device__ __forceinline__ static Extremes from(const std::uint32_t* cells, int pixel) {
        const std::uint32_t* const two = cells + pixel / 4;
        return ofCell(__funnelshift_r(two[0], two[1], unsigned(pixel % 4) * 8));
    }
};

// Of both kinds: the halves of a cell have the largest in their upper bytes, the smallest below.
template <>
struct Extremes<SquareOf::Difference> {
    Halves most, least;

    __device__ __forceinline__ static Extremes ofWord(std::uint32_t word) {
        return {Halves(word), Halves(word)};
    }
    __device__ __forceinline__ static Extremes ofCell(uint2 cell) {
        return {Halves(cell.x, cell.y), Halves(cell.x << 8, cell.y << 8)};
    }
    __device__ __forceinline__ uint2 cell() const {
        return {__byte_perm(most.even, least.even, 0x3715),
                __byte_perm(most.odd, least.odd, 0x3715)};
    }
    // No byte is below the one that is taken from it.
    __device__ __forceinline__ std::uint32_t result() const { return most.word() - least.word(); }

    __device__ __forceinline__ static Extremes of(const Extremes& a, const Extremes& b,
                                                  const Extremes& c) {
        return {best<true>(a.most, b.most, c.most), best<false>(a.least, b.least, c.least)};
    }
    __device__ __forceinline__ static Extremes three(const Extremes& a, const Extremes& b) {
        return {threeAlong<true>(a.most, b.most), threeAlong<false>(a.least, b.least)};
    }
    __device__ __forceinline__ static Extremes nine(const Extremes& a, const Extremes& b,
                                                    const Extremes& c) {
        return {nineAlong<true>(a.most, b.most, c.most),
                nineAlong<false>(a.least, b.least, c.least)};
    }
    // A word of cells is two pixels next but one to each other.
    __device__ __forceinline__ static Extremes from(const uint2* cells, int pixel) {
        const auto* const words = reinterpret_cast<const std::uint32_t*>(cells + pixel / 4);
        const auto two = [&](int first) {
            const std::uint32_t* const from = words + first % 2 + first / 4 * 2;
            return __funnelshift_r(from[0], from[2], unsigned(first & 2) * 8);
        };
        return ofCell({two(pixel % 4), two(pixel % 4 + 1)});
    }
};

// Extremes over the last words of a column: over three, or of three such pieces that begin kStep
// words below each other.
template <SquareOf kWhat, int kStep>
class Running {
    using E = Extremes<kWhat>;

  public:
    __device__ __forceinline__ E next(std::uint32_t word) {
        const E sample = E::ofWord(word), three = E::of(m_samples[0], m_samples[1], sample);
        m_samples[0] = m_samples[1];
        m_samples[1] = sample;
        if constexpr (kStep == 0) return three;
        const E made = E::of(m_threes[0], m_threes[kStep], three);
#pragma unroll
        for (int i = 0; i + 1 < 2 * kStep; ++i) m_threes[i] = m_threes[i + 1];
        m_threes[2 * kStep - 1] = three;
        return made;
    }

  private:
    E m_samples[2], m_threes[kStep == 0 ? 1 : 2 * kStep];
};

}  // namespace warpscope::cuda
