// How samples come to the tiles of median_tiles.cuh, and medians to the image.
#pragma once

#include "cuda_kernels/runtime/sample_loads.cuh"
#include "cuda_kernels/smoothing/median_tile_networks.cuh"

namespace warpscope::cuda {
namespace median_tiles {

// How pixels become pairs, in one or more passes over a block, and how pairs become pixels. Two
// rows: kPairRows apart.
template <class T, int C>
struct Pixels {
    static constexpr int kPasses = C == 4 ? 3 : 1;
    static constexpr int kEach = C == 4 ? 1 : 4;  // pixels that are staged together
    static constexpr int kBytes = C * kEach * int(sizeof(T));
    static constexpr int kWords = kBytes / 4;
    static constexpr int kItems = (kWidth + 2 * kBefore) / kEach;

    // Pixels x on of a row, those beyond its ends repeated.
    __device__ static void loadClamped(const DeviceImage& in, int x, int y,
                                       std::uint32_t (&words)[kWords]) {
        const int lastX = in.size.width - 1;
        const std::byte* const row =
            in.data + std::int64_t(min(max(y, 0), in.size.height - 1)) * in.pitch;
        if (C == 4) {
            loadWords<kBytes>(row + std::int64_t(min(max(x, 0), lastX)) * kBytes, words);
        } else if (x >= 0 && x + kEach - 1 <= lastX) {
            loadWords<kBytes>(row + std::int64_t(x) * int(sizeof(T)), words);
        } else {
            constexpr int kPerWord = 4 / int(sizeof(T));
#pragma unroll
            for (int i = 0; i < kWords; ++i) words[i] = 0;
#pragma unroll
            for (int i = 0; i < kEach; ++i)
                words[i / kPerWord] |=
                    std::uint32_t(reinterpret_cast<const T*>(row)[min(max(x + i, 0), lastX)])
                    << (8 * int(sizeof(T)) * (i % kPerWord));
        }
    }
    // Colour: R and B of one row, then of the other, G of both. load(rows, words): of the row that
    // lies so many below.
    template <class Load>
    __device__ __forceinline__ static void stage(int pass, const Load& load, Pair (&pairs)[kEach]) {
        std::uint32_t a[kWords], b[kWords];
        load(pass == 1 ? kPairRows : 0, a);
        if (C == 1 || pass == 2) load(kPairRows, b);
        if constexpr (C == 4 && sizeof(T) == 1) {
            pairs[0] = (pass == 2 ? __byte_perm(a[0], b[0], 0x5511) : a[0]) & 0x00ff00ffu;
        } else if constexpr (C == 4) {
            pairs[0] =
                pass == 2 ? __byte_perm(a[0], b[0], 0x7632) : __byte_perm(a[0], a[1], 0x5410);
        } else if constexpr (sizeof(T) == 1) {
#pragma unroll
            for (int i = 0; i < 4; i += 2) {
                const Pair two = __byte_perm(a[0], b[0], i ? 0x7632u : 0x5410u);
                pairs[i] = __byte_perm(two, 0, 0x4240);
                pairs[i + 1] = __byte_perm(two, 0, 0x4341);
            }
        } else {
#pragma unroll
            for (int i = 0; i < 4; ++i)
                pairs[i] = __byte_perm(a[i / 2], b[i / 2], i % 2 ? 0x7632u : 0x5410u);
        }
    }
    // Four pixels of both rows from their pairs, results[pass * 16 + pixel]; alpha is in `out`.
    static constexpr int kOutWords = C * int(sizeof(T));
    __device__ static void unite(const Pair (&pairs)[kPasses][4], int which,
                                 std::uint32_t (&out)[kOutWords]) {
        if constexpr (C == 4 && sizeof(T) == 1) {
#pragma unroll
            for (int i = 0; i < 4; ++i)
                out[i] = __byte_perm(which ? pairs[1][i] : pairs[0][i],
                                     which ? pairs[2][i] >> 16 : pairs[2][i], 0x0240) &
                             0x00ffffffu |
                         (out[i] & 0xff000000u);
        } else if constexpr (C == 4) {
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const Pair ends = which ? pairs[1][i] : pairs[0][i];
                out[2 * i] = __byte_perm(ends, pairs[2][i], which ? 0x7610u : 0x5410u);
                out[2 * i + 1] = __byte_perm(ends, out[2 * i + 1], 0x7632);
            }
        } else if constexpr (sizeof(T) == 1) {
            const Pair a = __byte_perm(pairs[0][0], pairs[0][1], 0x6240);
            const Pair b = __byte_perm(pairs[0][2], pairs[0][3], 0x6240);
            out[0] = __byte_perm(a, b, which ? 0x7632u : 0x5410u);
        } else {
            out[0] = __byte_perm(pairs[0][0], pairs[0][1], which ? 0x7632u : 0x5410u);
            out[1] = __byte_perm(pairs[0][2], pairs[0][3], which ? 0x7632u : 0x5410u);
        }
    }
};

// The tiles of a thread to `out`; rows from `last` on are somebody else's.
template <class T, int C>
__device__ __forceinline__ void writeTile(const DeviceImage& in, const DeviceImage& out, int left,
                                          int top, int last, const Pair* results) {
    using P = Pixels<T, C>;
    const int tx = int(threadIdx.x) % kAcross, ty = int(threadIdx.x) / kAcross;
    const int x = left + tx * kTile;
    if (x >= in.size.width) return;
#pragma unroll
    for (int i = 0; i < kTile; ++i) {
        Pair pairs[P::kPasses][4];
#pragma unroll
        for (int k = 0; k < P::kPasses * 4; ++k)
            pairs[k / 4][k % 4] = results[(k / 4 * 16 + i * kTile + k % 4) * kThreads];
#pragma unroll
        for (int which = 0; which < 2; ++which) {
            const int y = top + ty * kTile + i + which * kPairRows;
            if (y >= last) continue;
            constexpr int kOutBytes = 4 * P::kOutWords;
            const std::int64_t column = std::int64_t(x) * C * int(sizeof(T));
            std::uint32_t words[P::kOutWords];
            if constexpr (C == 4)
                loadWords<kOutBytes>(in.data + std::int64_t(y) * in.pitch + column, words);
            P::unite(pairs, which, words);
            // What lies beyond the row goes into its padding.
            storeWords<kOutBytes>(out.data + std::int64_t(y) * out.pitch + column, words);
        }
    }
}

// All rows of pairs that a block looks at, beginning with row `top` and column `left` of the image.
// kInside: all of them are, so that 32 bits tell where a pixel lies from the first one on.
template <class T, int C, int kRows, bool kInside>
__device__ __forceinline__ void stageRows(const DeviceImage& in, int pass, int left, int top,
                                          Pair* samples) {
    using P = Pixels<T, C>;
    const std::byte* const corner =
        in.data + std::int64_t(top) * in.pitch + std::int64_t(left) * C * int(sizeof(T));
    const auto pitch = unsigned(in.pitch);
    unsigned begin = threadIdx.x;
#ifdef __CUDA_ARCH__
    // Else places are found before the passes and kept in registers that lists need.
    asm volatile("" : "+r"(begin));
#endif
#pragma unroll 4
    for (unsigned item = begin; item < unsigned(kRows * P::kItems); item += kThreads) {
        const unsigned row = item / unsigned(P::kItems), place = item % unsigned(P::kItems);
        Pair pairs[P::kEach];
        P::stage(
            pass,
            [&](int below, std::uint32_t(&words)[P::kWords]) {
                if constexpr (kInside)
                    loadWords<P::kBytes>(
                        corner + ((row + unsigned(below)) * pitch + place * P::kBytes), words);
                else
                    P::loadClamped(in, left + int(place) * P::kEach, top + int(row) + below, words);
            },
            pairs);
        Pair* const to = samples + row * kRowWords;
        static_assert(P::kEach == 4 || P::kEach == 1);
#pragma unroll
        for (int i = 0; i < P::kEach; ++i)
            to[P::kEach == 4 ? unsigned(i) * kQuarter + place : place % 4 * kQuarter + place / 4] =
                pairs[i];
    }
}

template <class T, int C, int kRows>
__device__ __forceinline__ void stageBlock(const DeviceImage& in, int pass, int left, int top,
                                           Pair* samples) {
    const bool inside = left >= 0 && left + kWidth + 2 * kBefore <= in.size.width && top >= 0 &&
                        top + kRows + kPairRows <= in.size.height;
    if (inside)
        stageRows<T, C, kRows, true>(in, pass, left, top, samples);
    else
        stageRows<T, C, kRows, false>(in, pass, left, top, samples);
}

}  // namespace median_tiles

}  // namespace warpscope::cuda
