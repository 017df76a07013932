// Pixels of a rotated image, wherever they lie, and what a thread does with them.
#pragma once

#include <cstring>

#include "cuda_kernels/geometry/rotate_box.cuh"

namespace warpscope::cuda {

template <class T, int C>
struct alignas(sizeof(T) * C) RotatePixel {
    T samples[C];
};

template <class T>
__device__ __forceinline__ T whiteOf() {
    if constexpr (std::is_same_v<T, float>)
        return 1.0f;
    else
        return T(~T(0));
}

template <class T, int In, int C>
__device__ __forceinline__ RotatePixel<T, C> withChannels(const RotatePixel<T, In>& from) {
    if constexpr (In == C) {
        return from;
    } else {
        RotatePixel<T, C> pixel;
#pragma unroll
        for (int c = 0; c < C; ++c) pixel.samples[c] = from.samples[0];
        pixel.samples[C - 1] = whiteOf<T>();
        return pixel;
    }
}

template <class To, class From>
__device__ __forceinline__ To sameBytes(const From& from) {
    static_assert(sizeof(To) == sizeof(From));
    To to;
    std::memcpy(&to, &from, sizeof to);
    return to;
}

// Of a place beyond the image, unless its edge is repeated.
template <class T, int C>
__device__ __forceinline__ RotatePixel<T, C> missingPixel(RotateOutside outside) {
    RotatePixel<T, C> pixel;
#pragma unroll
    for (int c = 0; c < C; ++c) pixel.samples[c] = T(0);
    if (C == 4 && outside == RotateOutside::Black) pixel.samples[C - 1] = whiteOf<T>();
    return pixel;
}

// Where the pixel of any place lies, and whether there is none.
template <class Pixel>
__device__ __forceinline__ const Pixel* pixelAt(const DeviceImage& in, const Rotation& turn, int x,
                                                int y, bool& missed) {
    const int nearX = clampedTo(x, turn.whole.width - 1);
    const int nearY = clampedTo(y, turn.whole.height - 1);
    missed = turn.outside != RotateOutside::Edge && (nearX != x || nearY != y);
    const int column = clampedTo(nearX - turn.part.x, in.size.width - 1);
    const int row = clampedTo(nearY - turn.part.y, in.size.height - 1);
    return reinterpret_cast<const Pixel*>(in.data + std::int64_t(row) * in.pitch) + column;
}

template <class T, int In, int C>
__device__ __forceinline__ RotatePixel<T, C> loadPixel(const DeviceImage& in, const Rotation& turn,
                                                       int x, int y) {
    bool missed;
    const auto from = *pixelAt<RotatePixel<T, In>>(in, turn, x, y, missed);
    return missed ? missingPixel<T, C>(turn.outside) : withChannels<T, In, C>(from);
}

// Byte k of the word of a lane becomes byte `lane % 4` of lane k, of four lanes each.
__device__ __forceinline__ std::uint32_t acrossLanes(std::uint32_t word, int lane) {
    std::uint32_t other = __shfl_xor_sync(0xffffffffu, word, 1);
    word = __byte_perm(word, other, lane & 1 ? 0x3715 : 0x6240);
    other = __shfl_xor_sync(0xffffffffu, word, 2);
    return __byte_perm(word, other, lane & 2 ? 0x3276 : 0x5410);
}

// Where a warp makes gray of 8 bits: bands of 32 x 4 pixels, four subtiles beside each other. A
// lane makes a pixel of each and, after an exchange, stores four beside each other of one of them.
template <int kWidth, int kHeight>
struct GrayBands {
    static constexpr int kAcross = kWidth / 32, kWarps = int(kTileThreads) / 32;
    static constexpr int kRows = kSubtileHeight * kWarps / kAcross;  // from a band to the next
    static constexpr int kCount = kHeight / kRows;                   // of a warp
    static_assert(kWarps % kAcross == 0 && kHeight % kRows == 0);

    int dx, dy;  // of the lane's first pixel in the tile
    int column;  // of what it stores

    __device__ __forceinline__ GrayBands() {
        const int warp = int(threadIdx.x / 32), lane = int(threadIdx.x % 32);
        const int first = warp % kAcross * 32;
        dx = first + lane % kSubtileWidth;
        dy = warp / kAcross * kSubtileHeight + lane / kSubtileWidth;
        column = first + lane % 4 * kSubtileWidth + lane % kSubtileWidth / 4 * 4;
    }
    // The third byte of each.
    static __device__ __forceinline__ std::uint32_t exchanged(const std::uint32_t (&made)[4]) {
        return acrossLanes(__byte_perm(__byte_perm(made[0], made[1], 0x0062),
                                       __byte_perm(made[2], made[3], 0x0062), 0x5410),
                           int(threadIdx.x % 32));
    }
};

}  // namespace warpscope::cuda
