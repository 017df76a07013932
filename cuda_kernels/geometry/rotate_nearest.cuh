// Rotation by nearest pixels, straight from the image: the pixels of a warp's turn lie in few
// lines, and all loads of a thread are under way together.
#pragma once

#include "cuda_kernels/geometry/rotate_pixels.cuh"
#include "cuda_kernels/runtime/early_launch.cuh"

namespace warpscope::cuda {

// A warp goes down a tile of pixels of more than a byte, eight columns wide.
constexpr int kNearestWidth = int(kTileThreads) / 32 * kSubtileWidth;

// A pixel as words: samples that a thread keeps by themselves take a register each.
template <int kBytes>
using PixelWords = std::conditional_t<
    kBytes == 16, uint4,
    std::conditional_t<
        kBytes == 8, uint2,
        std::conditional_t<kBytes == 4, std::uint32_t,
                           std::conditional_t<kBytes == 2, std::uint16_t, std::uint8_t>>>>;

// What is fetched into the second cache is the whole line of 128 bytes.
template <class Words>
__device__ __forceinline__ Words loadOfLine(const std::byte* from) {
#if defined(WARPSCOPE_EMULATED_DOT_PRODUCTS)
    return *reinterpret_cast<const Words*>(from);
#else
    if constexpr (sizeof(Words) == 1) {
        std::uint32_t word;
        asm volatile("ld.global.L2::128B.u8 %0, [%1];" : "=r"(word) : "l"(from));
        return Words(word);
    } else if constexpr (sizeof(Words) == 2) {
        std::uint16_t half;
        asm volatile("ld.global.L2::128B.u16 %0, [%1];" : "=h"(half) : "l"(from));
        return half;
    } else if constexpr (sizeof(Words) == 4) {
        std::uint32_t word;
        asm volatile("ld.global.L2::128B.u32 %0, [%1];" : "=r"(word) : "l"(from));
        return word;
    } else if constexpr (sizeof(Words) == 8) {
        uint2 words;
        asm volatile("ld.global.L2::128B.v2.u32 {%0, %1}, [%2];"
                     : "=r"(words.x), "=r"(words.y)
                     : "l"(from));
        return words;
    } else {
        uint4 words;
        asm volatile("ld.global.L2::128B.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(words.x), "=r"(words.y), "=r"(words.z), "=r"(words.w)
                     : "l"(from));
        return words;
    }
#endif
}

template <class T, int In, int C, class Words>
__device__ __forceinline__ Words wordsOf(const PixelWords<int(sizeof(T)) * In>& from) {
    if constexpr (In == C)
        return from;
    else
        return sameBytes<Words>(withChannels<T, In, C>(sameBytes<RotatePixel<T, In>>(from)));
}

// The first pixel of a box that lies inside the image.
template <class Pixel, class Tile>
__device__ __forceinline__ const std::byte* firstOfBox(const DeviceImage& in, const Rotation& turn,
                                                       const Tile& tile) {
    return in.data + std::int64_t(tile.top - turn.part.y) * in.pitch +
           std::int64_t(tile.left - turn.part.x) * int(sizeof(Pixel));
}

template <int kHeight, class T, int In, int C>
__global__ void __launch_bounds__(kTileThreads)
    nearestKernel(DeviceImage in, DeviceImage out, int firstRow, int lastRow,
                  FastDivide tilesAcross, Rotation turn) {
    letNextLaunchBegin();
    waitForLaunchBefore();
    using From = PixelWords<int(sizeof(T)) * In>;
    using Words = PixelWords<int(sizeof(T)) * C>;
    constexpr int kCount = kHeight / kSubtileHeight;
    const RotatedTile<kNearestWidth, kHeight> tile(firstRow, tilesAcross, turn);
    const int warp = int(threadIdx.x / 32), lane = int(threadIdx.x % 32);
    const int dx = warp * kSubtileWidth + lane % kSubtileWidth, dy = lane / kSubtileWidth;
    std::int64_t atX, atY;
    tile.place(turn, tile.left, dx, dy, atX, atY);
    const std::int64_t downX = kSubtileHeight * turn.sine, downY = kSubtileHeight * turn.cosine;

    Words pixels[kCount];
    if (tile.isInside(in, turn.part)) {
        const std::byte* const box = firstOfBox<From>(in, turn, tile);
        const auto pitch = std::uint32_t(in.pitch);
#pragma unroll
        for (int i = 0; i < kCount; ++i) {
            const std::uint32_t offset = std::uint32_t(atY >> 32) * pitch +
                                         std::uint32_t(atX >> 32) * unsigned(sizeof(From));
            pixels[i] = wordsOf<T, In, C, Words>(loadOfLine<From>(box + offset));
            step(atX, downX);
            step(atY, downY);
        }
    } else {
        const auto missing = sameBytes<Words>(missingPixel<T, C>(turn.outside));
#pragma unroll
        for (int i = 0; i < kCount; ++i) {
            bool missed;
            const From from = *pixelAt<From>(in, turn, tile.left + int(atX >> 32),
                                             tile.top + int(atY >> 32), missed);
            pixels[i] = missed ? missing : wordsOf<T, In, C, Words>(from);
            step(atX, downX);
            step(atY, downY);
        }
    }
    const int x = tile.x + dx, y = tile.y + dy;
    std::byte* const to =
        out.data + std::int64_t(y) * out.pitch + std::int64_t(x) * int(sizeof(Words));
    if (x >= out.size.width) return;
#pragma unroll
    for (int i = 0; i < kCount; ++i)
        if (y + i * kSubtileHeight < lastRow)
            *reinterpret_cast<Words*>(to + i * kSubtileHeight * out.pitch) = pixels[i];
}

// Gray of 8 bits.
template <int kWidth, int kHeight>
__global__ void __launch_bounds__(kTileThreads)
    nearestGrayKernel(DeviceImage in, DeviceImage out, int firstRow, int lastRow,
                      FastDivide tilesAcross, Rotation turn) {
    letNextLaunchBegin();
    waitForLaunchBefore();
    using Bands = GrayBands<kWidth, kHeight>;
    const RotatedTile<kWidth, kHeight> tile(firstRow, tilesAcross, turn);
    const Bands bands;
    std::int64_t fromX, fromY;
    tile.place(turn, tile.left, bands.dx, bands.dy, fromX, fromY);
    const std::int64_t rightX = kSubtileWidth * turn.cosine, rightY = -kSubtileWidth * turn.sine;
    const std::int64_t downX = Bands::kRows * turn.sine, downY = Bands::kRows * turn.cosine;
    const std::byte* const box = firstOfBox<std::uint8_t>(in, turn, tile);
    const auto pitch = std::uint32_t(in.pitch);
    const bool inside = tile.isInside(in, turn.part);
    const int x = tile.x + bands.column, y = tile.y + bands.dy;
    std::byte* const to = out.data + std::int64_t(y) * out.pitch + x;
#pragma unroll
    for (int n = 0; n < Bands::kCount; ++n) {
        std::uint32_t made[4];
        std::int64_t atX = fromX, atY = fromY;
        const auto make = [&](const auto& load) {
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                made[i] = std::uint32_t(load(int(atX >> 32), int(atY >> 32))) << 16;
                step(atX, rightX);
                step(atY, rightY);
            }
        };
        if (inside)
            make([&](int column, int row) {
                return loadOfLine<std::uint8_t>(
                    box + (std::uint32_t(row) * pitch + std::uint32_t(column)));
            });
        else
            make([&](int column, int row) {
                return loadPixel<std::uint8_t, 1, 1>(in, turn, tile.left + column, tile.top + row)
                    .samples[0];
            });
        step(fromX, downX);
        step(fromY, downY);
        const std::uint32_t word = Bands::exchanged(made);
        // What lies beyond the row goes into its padding.
        if (x < out.size.width && y + n * Bands::kRows < lastRow)
            *reinterpret_cast<std::uint32_t*>(to + std::int64_t(n) * Bands::kRows * out.pitch) =
                word;
    }
}

}  // namespace warpscope::cuda
