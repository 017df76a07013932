// Bilinear rotation. Of pixels of up to four bytes a block first copies what its tile needs into
// shared memory, because the neighbours of a warp's pixels lie in several lines of the image, and
// the first cache takes a turn for each line. Else a thread makes one pixel straight from the
// image.
#pragma once

#include "cuda_kernels/geometry/rotate_pixels.cuh"
#include "cuda_kernels/runtime/dot_products.cuh"
#include "cuda_kernels/runtime/early_launch.cuh"

namespace warpscope::cuda {

// Of the pixel at the left above, its right neighbour and the two below them, at so many 256ths.
template <class T, int C>
__device__ __forceinline__ RotatePixel<T, C> between(const RotatePixel<T, C> (&pixels)[4],
                                                     std::uint32_t right, std::uint32_t below) {
    RotatePixel<T, C> made;
    if constexpr (std::is_same_v<T, float>) {
        const std::uint32_t weights[4] = {(256 - right) * (256 - below), right * (256 - below),
                                          (256 - right) * below, right * below};
#pragma unroll
        for (int c = 0; c < C; ++c) {
            float sum = 0;
#pragma unroll
            for (int k = 0; k < 4; ++k)
                sum = __fadd_rn(sum, __fmul_rn(float(weights[k]), pixels[k].samples[c]));
            made.samples[c] = __fmul_rn(sum, 1.0f / 65536.0f);
        }
    } else {
        // The same integers as with the four weights: below 2^32, whatever wraps on the way.
#pragma unroll
        for (int c = 0; c < C; ++c) {
            const std::uint32_t a = pixels[0].samples[c], b = pixels[2].samples[c];
            const std::uint32_t above = (a << 8) + right * (pixels[1].samples[c] - a);
            const std::uint32_t under = (b << 8) + right * (pixels[3].samples[c] - b);
            made.samples[c] = T(((above << 8) + below * (under - above) + 32768) >> 16);
        }
    }
    return made;
}

// Of the colour of 8 bits: the same integers. Whole weights of 16 bits, the largest one short,
// which rounding makes up for.
__device__ __forceinline__ std::uint32_t betweenColours(const std::uint32_t (&pixels)[4],
                                                        std::uint32_t right, std::uint32_t below) {
    const std::uint32_t across = 256 + right * 65535;
    const std::uint32_t under = below * across;
    std::uint32_t above = 256 * across - under;
    if (above == 65536) above = 65535;
    std::uint32_t sums[4];
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        const unsigned select = half ? 0x7362 : 0x5140;
        const std::uint32_t first = __byte_perm(pixels[0], pixels[1], select);
        const std::uint32_t second = __byte_perm(pixels[2], pixels[3], select);
        sums[2 * half] = dotLowUnsigned(above, first, dotLowUnsigned(under, second, 32768));
        sums[2 * half + 1] = dotHighUnsigned(above, first, dotHighUnsigned(under, second, 32768));
    }
    return __byte_perm(__byte_perm(sums[0], sums[1], 0x0062), __byte_perm(sums[2], sums[3], 0x0062),
                       0x5410);
}

// Of a single sample of 16 bits or float.
template <class T, class Word>
__device__ __forceinline__ Word betweenSamples(const Word (&words)[4], std::uint32_t right,
                                               std::uint32_t below) {
    RotatePixel<T, 1> pixels[4];
    if constexpr (std::is_same_v<T, float>) {
#pragma unroll
        for (int k = 0; k < 4; ++k) pixels[k].samples[0] = __uint_as_float(words[k]);
        return __float_as_uint(between(pixels, right, below).samples[0]);
    } else {
#pragma unroll
        for (int k = 0; k < 4; ++k) pixels[k].samples[0] = words[k];
        return between(pixels, right, below).samples[0];
    }
}

constexpr int kPixelWidth = 32, kPixelHeight = 8;
constexpr unsigned kPixelThreads = kPixelWidth * kPixelHeight;

// A pixel a thread.
template <class T, int In, int C>
__global__ void __launch_bounds__(kPixelThreads)
    bilinearKernel(DeviceImage in, DeviceImage out, int firstRow, int lastRow,
                   FastDivide tilesAcross, Rotation turn) {
    letNextLaunchBegin();
    waitForLaunchBefore();
    const std::uint32_t tileRow = tilesAcross(blockIdx.x);
    const int x = int(blockIdx.x - tileRow * tilesAcross.divisor) * kPixelWidth +
                  int(threadIdx.x % kPixelWidth);
    const int y = firstRow + int(tileRow) * kPixelHeight + int(threadIdx.x / kPixelWidth);
    if (x >= out.size.width || y >= lastRow) return;
    const std::int64_t atX = turn.x + x * turn.cosine + y * turn.sine;
    const std::int64_t atY = turn.y + y * turn.cosine - x * turn.sine;
    const int column = int((atX + kHalfStep) >> 24), row = int((atY + kHalfStep) >> 24);
    RotatePixel<T, C> pixels[4];
#pragma unroll
    for (int k = 0; k < 4; ++k)
        pixels[k] = loadPixel<T, In, C>(in, turn, (column >> 8) + (k & 1), (row >> 8) + (k >> 1));
    reinterpret_cast<RotatePixel<T, C>*>(out.data + std::int64_t(y) * out.pitch)[x] =
        between(pixels, std::uint32_t(column & 255), std::uint32_t(row & 255));
}

// Gray that becomes colour: pixel by pixel.
template <int kPitch, class T, int C, class Tile>
__device__ __forceinline__ void stageGrayAsColour(const DeviceImage& in, const Rotation& turn,
                                                  const Tile& tile, PixelWord<T, C>* box) {
    constexpr int kWarps = int(kTileThreads) / 32, kAtOnce = 4;
    const int warp = int(threadIdx.x / 32), lane = int(threadIdx.x % 32);
    for (int column = lane; column < tile.width; column += 32)
        for (int row = warp; row < tile.height; row += kAtOnce * kWarps) {
            RotatePixel<T, C> pixels[kAtOnce];
            // The last row again rather than a branch, which the loads would be moved behind.
            const auto rowOf = [&](int k) { return min(row + k * kWarps, tile.height - 1); };
#pragma unroll
            for (int k = 0; k < kAtOnce; ++k)
                pixels[k] = loadPixel<T, 1, C>(in, turn, tile.left + column, tile.top + rowOf(k));
#pragma unroll
            for (int k = 0; k < kAtOnce; ++k)
                std::memcpy(box + rowOf(k) * kPitch + column, &pixels[k], sizeof pixels[k]);
        }
}

// `kMany`: whether more blocks are to be on a multiprocessor rather than that each is quick.
template <int kSide, bool kMany, class T, int In, int C>
__global__ void __launch_bounds__(kTileThreads, blocksFor(kMany))
    bilinearTileKernel(DeviceImage in, DeviceImage out, int firstRow, int lastRow,
                       FastDivide tilesAcross, Rotation turn) {
    letNextLaunchBegin();
    waitForLaunchBefore();
    using Word = PixelWord<T, C>;
    static_assert(sizeof(T) * C <= 4);
    constexpr bool kColours = sizeof(T) == 1 && C == 4;
    constexpr int kBox = boxSide(kSide, kSide), kPitch = boxPitch<Word>(kBox);
    __shared__ __align__(16) Word box[kBox * kPitch];

    const RotatedTile<kSide, kSide> tile(firstRow, tilesAcross, turn);
    int origin = tile.left;
    if constexpr (In == C)
        stageBox<kMany ? 1 : 2, kBox, kPitch, Word>(
            in, turn, tile,
            kColours && turn.outside == RotateOutside::Black ? Word(0xff000000u) : Word(0), origin,
            box);
    else
        stageGrayAsColour<kPitch, T, C>(in, turn, tile, box);

    // Warps beside each other make a row of subtiles.
    constexpr int kAcross = kSide / kSubtileWidth, kWarps = int(kTileThreads) / 32;
    constexpr int kRows = kSubtileHeight * kWarps / kAcross;
    static_assert(kWarps % kAcross == 0);
    const int warp = int(threadIdx.x / 32), lane = int(threadIdx.x % 32);
    const int dx = warp % kAcross * kSubtileWidth + lane % kSubtileWidth;
    const int dy = warp / kAcross * kSubtileHeight + lane / kSubtileWidth;
    std::int64_t atX, atY;
    tile.place(turn, origin, dx, dy, atX, atY);
    const std::int64_t downX = kRows * turn.sine, downY = kRows * turn.cosine;
    const int x = tile.x + dx, y = tile.y + dy;
    std::byte* const to =
        out.data + std::int64_t(y) * out.pitch + std::int64_t(x) * int(sizeof(Word));
    __syncthreads();
    if (x >= out.size.width) return;
#pragma unroll
    for (int down = 0; down < kSide; down += kRows) {
        if (y + down >= lastRow) return;
        const Word* const first = box + int(atY >> 32) * kPitch + int(atX >> 32);
        const Word words[4] = {first[0], first[1], first[kPitch], first[kPitch + 1]};
        const auto right = std::uint32_t(atX) >> 24, below = std::uint32_t(atY) >> 24;
        Word made;
        if constexpr (kColours)
            made = betweenColours(words, right, below);
        else
            made = betweenSamples<T>(words, right, below);
        *reinterpret_cast<Word*>(to + down * out.pitch) = made;
        step(atX, downX);
        step(atY, downY);
    }
}

// Gray of 8 bits.
template <int kWidth, int kHeight>
__global__ void __launch_bounds__(kTileThreads, blocksFor(kHeight == 32))
    bilinearGrayKernel(DeviceImage in, DeviceImage out, int firstRow, int lastRow,
                       FastDivide tilesAcross, Rotation turn) {
    letNextLaunchBegin();
    waitForLaunchBefore();
    constexpr int kBox = boxSide(kWidth, kHeight), kPitch = boxPitch<std::uint8_t>(kBox);
    __shared__ __align__(16) std::uint8_t box[kBox * kPitch];
    using Bands = GrayBands<kWidth, kHeight>;

    const RotatedTile<kWidth, kHeight> tile(firstRow, tilesAcross, turn);
    int origin;
    stageBox<1, kBox, kPitch>(in, turn, tile, std::uint8_t(0), origin, box);
    const Bands bands;
    std::int64_t fromX, fromY;
    tile.place(turn, origin, bands.dx, bands.dy, fromX, fromY);
    const std::int64_t rightX = kSubtileWidth * turn.cosine, rightY = -kSubtileWidth * turn.sine;
    const std::int64_t downX = Bands::kRows * turn.sine, downY = Bands::kRows * turn.cosine;
    const int x = tile.x + bands.column, y = tile.y + bands.dy;
    std::byte* const to = out.data + std::int64_t(y) * out.pitch + x;
    __syncthreads();
#pragma unroll
    for (int n = 0; n < Bands::kCount; ++n) {
        std::uint32_t made[4];
        std::int64_t atX = fromX, atY = fromY;
        step(fromX, downX);
        step(fromY, downY);
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const std::uint8_t* const first = box + int(atY >> 32) * kPitch + int(atX >> 32);
            const std::uint32_t right = std::uint32_t(atX) >> 24, left = 256 - right;
            // Half a level in both: 32768 in their mean.
            const std::uint32_t above = first[0] * left + first[1] * right + 128;
            const std::uint32_t under = first[kPitch] * left + first[kPitch + 1] * right + 128;
            made[i] = above * 256 + (std::uint32_t(atY) >> 24) * (under - above);
            step(atX, rightX);
            step(atY, rightY);
        }
        const std::uint32_t word = Bands::exchanged(made);
        // What lies beyond the row goes into its padding.
        if (x < out.size.width && y + n * Bands::kRows < lastRow)
            *reinterpret_cast<std::uint32_t*>(to + std::int64_t(n) * Bands::kRows * out.pitch) =
                word;
    }
}

}  // namespace warpscope::cuda
