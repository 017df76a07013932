// Extremes of two rows at a time, along them.
#pragma once

#include "cuda_kernels/morphology/square_extremes.cuh"

namespace warpscope::cuda {

// One sample of two rows, in the halves of a word. Of both kinds of extremes: the largest in the
// upper bytes, the smallest below.
template <SquareOf kWhat>
struct RowPair {
    std::uint32_t one;

    __device__ __forceinline__ static RowPair ofCell(std::uint32_t cell) { return {cell}; }
    __device__ __forceinline__ static RowPair of(const RowPair& a, const RowPair& b,
                                                 const RowPair& c) {
        return {best<kWhat == SquareOf::Most>(a.one, b.one, c.one)};
    }
    // Of two samples beside each other: the upper row in the low bytes.
    __device__ __forceinline__ static std::uint32_t results(const RowPair& a, const RowPair& b) {
        return __byte_perm(a.one, b.one, 0x7351);
    }
};
template <>
struct RowPair<SquareOf::Difference> {
    std::uint32_t most, least;

    __device__ __forceinline__ static RowPair ofCell(std::uint32_t cell) {
        return {cell, cell << 8};
    }
    __device__ __forceinline__ static RowPair of(const RowPair& a, const RowPair& b,
                                                 const RowPair& c) {
        return {best<true>(a.most, b.most, c.most), best<false>(a.least, b.least, c.least)};
    }
    // No byte is below the one that is taken from it.
    __device__ __forceinline__ static std::uint32_t results(const RowPair& a, const RowPair& b) {
        return __byte_perm(a.most, b.most, 0x7351) - __byte_perm(a.least, b.least, 0x7351);
    }
};

// Even and odd samples of a word as halves that are cells of RowPair.
__device__ __forceinline__ uint2 halvesOf(const Extremes<SquareOf::Difference>& both) {
    return both.cell();
}
template <SquareOf kWhat>
__device__ __forceinline__ uint2 halvesOf(const Extremes<kWhat>& extremes) {
    return {extremes.one.even, extremes.one.odd};
}

// Four pixels of colour from words of one channel each, alpha from where they are made.
__device__ __forceinline__ uint4 colours(std::uint32_t red, std::uint32_t green, std::uint32_t blue,
                                         const uint4& centre) {
    const std::uint32_t first = __byte_perm(red, green, 0x5140);
    const std::uint32_t second = __byte_perm(red, green, 0x7362);
    return {__byte_perm(first, __byte_perm(blue, centre.x, 0x7070), 0x5410),
            __byte_perm(first, __byte_perm(blue, centre.y, 0x7171), 0x5432),
            __byte_perm(second, __byte_perm(blue, centre.z, 0x7272), 0x5410),
            __byte_perm(second, __byte_perm(blue, centre.w, 0x7373), 0x5432)};
}

}  // namespace warpscope::cuda
