// How the banded Gaussians (gaussian_blur_banded.cu, gaussian_blur_warp.cu) read pixels, and their
// product.
#pragma once

#include "cuda_kernels/runtime/kernel_support.cuh"

namespace warpscope::cuda {

inline constexpr int kStrip = 32;  // columns of a warp

#ifndef WARPSCOPE_EMULATED_DOT_PRODUCTS
// sums + a (16 x 32 bytes) times b (32 x 8), in the order in which the lanes of a warp hold them.
__device__ __forceinline__ void multiply(std::int32_t (&sums)[4], const uint4& a, std::uint32_t b0,
                                         std::uint32_t b1) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%0,%1,%2,%3};"
        : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
        : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "r"(b0), "r"(b1));
#endif
}

// Not a branch: in one the compiler puts what the pixels are made of, loads as well, which are then
// waited for.
__device__ __forceinline__ void storeIf(bool condition, std::byte* to, const uint4& pixels) {
    asm volatile(
        "{ .reg .pred inside; setp.ne.b32 inside, %5, 0;"
        "@inside st.global.v4.b32 [%0], {%1, %2, %3, %4}; }" ::"l"(to),
        "r"(pixels.x), "r"(pixels.y), "r"(pixels.z), "r"(pixels.w), "r"(int(condition))
        : "memory");
}
#endif

// 8 neighbours of one row as they are loaded. What lies outside the image is not looked at when
// loading, only moved to the nearest group of pixels inside: that group has the edge pixel, and
// nothing waits.
template <int Channels>
struct Raw;

template <>
struct Raw<1> {
    uint2 pixels;
    __device__ __forceinline__ void load(const std::byte* row, int x, int width) {
        pixels = *reinterpret_cast<const uint2*>(row + min(max(x, 0), (width - 1) & ~7));
    }
    // Repeats the edge. A group wholly outside was moved to the one with the edge pixel.
    __device__ __forceinline__ void mend(int x, int width) {
        const int inside = width - x;  // pixels of this group that the image has
        std::uint32_t from = 0;        // left of the image: byte 0 eight times
        if (x >= 0 && inside >= 8) return;
        if (inside <= 0) {
            from = unsigned((width - 1) & 7) * 0x11111111u;
        } else if (x >= 0) {
            const std::uint32_t kept = (1u << (4 * inside)) - 1;
            from = (0x76543210u & kept) | (unsigned(inside - 1) * 0x11111111u & ~kept);
        }
        pixels = {__byte_perm(pixels.x, pixels.y, from),
                  __byte_perm(pixels.x, pixels.y, from >> 16)};
    }
};

template <>
struct Raw<3> {
    uint4 pixels[2];
    __device__ __forceinline__ void load(const std::byte* row, int x, int width) {
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            const int group = min(max(x + 4 * i, 0), (width - 1) & ~3);
            pixels[i] = *reinterpret_cast<const uint4*>(row + std::int64_t(group) * 4);
        }
    }
    __device__ __forceinline__ void mend(int x, int width) {
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            const int inside = width - (x + 4 * i);
            uint4& four = pixels[i];
            if (x < 0) {  // x is a multiple of 8: both groups are outside
                four = {four.x, four.x, four.x, four.x};
            } else if (inside < 4) {
                const int edge = (width - 1) & 3;
                const std::uint32_t last = edge == 0   ? four.x
                                           : edge == 1 ? four.y
                                           : edge == 2 ? four.z
                                                       : four.w;
                four = {inside > 0 ? four.x : last, inside > 1 ? four.y : last,
                        inside > 2 ? four.z : last, last};
            }
        }
    }
};

// The same by channel, as a lane gives them to the row pass.
template <int Channels>
struct Pixels {
    std::uint32_t words[Channels][2];

    __device__ __forceinline__ explicit Pixels(const Raw<Channels>& raw) {
        if constexpr (Channels == 1) {
            words[0][0] = raw.pixels.x;
            words[0][1] = raw.pixels.y;
        } else {
#pragma unroll
            for (int i = 0; i < 2; ++i) {
                const uint4& four = raw.pixels[i];
                const std::uint32_t rg01 = __byte_perm(four.x, four.y, 0x5140);
                const std::uint32_t rg23 = __byte_perm(four.z, four.w, 0x5140);
                const std::uint32_t b01 = __byte_perm(four.x, four.y, 0x0062);
                const std::uint32_t b23 = __byte_perm(four.z, four.w, 0x0062);
                words[0][i] = __byte_perm(rg01, rg23, 0x5410);
                words[1][i] = __byte_perm(rg01, rg23, 0x7632);
                words[2][i] = __byte_perm(b01, b23, 0x5410);
            }
        }
    }
};

// What a lane reads of 32 rows: 8 pixels of each block and of each of its four rows. All of it is
// loaded ahead where registers suffice; elsewhere one block of two rows, and the rest is called
// into the second-level cache.
template <int Channels, int Blocks>
struct Chunk {
    static constexpr bool kStaged = Channels == 1 && Blocks > 0;
    Raw<Channels> ahead[kStaged ? 4 * Blocks : 2];

    const std::byte* rows[4];
    int start;
    int width;
    bool interior;

    __device__ Chunk(const DeviceImage& in, int x, int blocks, bool insideImage)
        : start(x - (blocks - 1) * 16 + 8 * int(threadIdx.x % 4)),
          width(in.size.width),
          interior(insideImage) {}

    __device__ __forceinline__ void begin(const DeviceImage& in, int y, int blocks) {
        const int group = int(threadIdx.x % 32 / 4);
#pragma unroll
        for (int v = 0; v < 4; ++v) {
            rows[v] = in.data + in.pitch * min(max(y + 8 * v + group, 0), in.size.height - 1);
            if constexpr (kStaged) {
#pragma unroll
                for (int block = 0; block < Blocks; ++block)
                    ahead[v * Blocks + block].load(rows[v], start + kStrip * block, width);
            } else {
                if (v < 2) ahead[v].load(rows[v], start, width);
                constexpr int kPixelBytes = Channels == 1 ? 1 : 4;
                const int quarter = int(threadIdx.x % 4);
                const int reach = kStrip * blocks * kPixelBytes / 4;
                const int at = (start - 8 * quarter) * kPixelBytes + quarter * reach;
                const int inside = min(max(at, 0), (width - 1) * kPixelBytes);
                asm volatile("prefetch.global.L2 [%0];" ::"l"(rows[v] + inside));
            }
        }
    }

    // The pixels of a block for rows 2 i and 2 i + 1, asked for in order.
    __device__ __forceinline__ void take(int i, int block, int blocks, Raw<Channels> (&taken)[2]) {
#pragma unroll
        for (int v = 0; v < 2; ++v) {
            if constexpr (kStaged) {
                taken[v] = ahead[(2 * i + v) * Blocks + block];
            } else {
                taken[v] = ahead[v];
                if (block + 1 < blocks)
                    ahead[v].load(rows[2 * i + v], start + kStrip * (block + 1), width);
                else if (i == 0)
                    ahead[v].load(rows[2 + v], start, width);
            }
            if (!interior) taken[v].mend(start + kStrip * block, width);
        }
    }
};

}  // namespace warpscope::cuda
