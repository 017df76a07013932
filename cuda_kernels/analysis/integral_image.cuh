// Sums over all samples above and to the left, which the integral image and the box mean share.
#pragma once

#include "cuda_kernels/runtime/kernel_support.cuh"
#include "cuda_kernels/runtime/sample_loads.cuh"

namespace warpscope::cuda {

// What of a pixel is summed.
enum class SumOf {
    Sample,  // of a gray image
    Luma,    // weighted601 of a colour image, rounded per pixel
    Planes   // red, green and blue of a colour image, each in a plane of its own
};

// Where sums go: `pitch` and `planePitch` in bytes, multiples of 16.
struct SumPlanes {
    std::byte* data = nullptr;
    std::int64_t pitch = 0;
    std::int64_t planePitch = 0;  // Planes only
    int sampleBytes = 4;          // 4: modulo 2^32; 8: modulo 2^64
};

// Inclusive sums of the rows of `in` (8 or 16 bits), at most as many as one launch may move.
// `above`: sums of the row before, planes as far apart as those of `out`, which continue into
// these; null for none. Three launches (two for images of few tiles, one for the smallest): sums of
// tiles, scan of these, sums of pixels.
void sumRows(KernelContext& context, SumOf what, const DeviceImage& in, const SumPlanes& out,
             const std::byte* above);

// Rows that one call of sumRows may take. `sumBytesPerPixel`: over all planes.
int rowsPerSumLaunch(const KernelContext& context, const DeviceImage& in, int sumBytesPerPixel);

// Loads kernels that no tiny image reaches. Throws CudaFailure.
void loadSumKernels();

// The published ways, all to the same bits.
// Sums along the rows, then down the columns, one thread per line. Lines are cut into segments that
// carry on from what the one before them wrote.
void integralRowsThenColumns(KernelContext& context, const DeviceImage& in, const DeviceImage& out);

// Blocks of four by four pixels in six steps. The image counts as padded with zeros up to whole
// blocks; nothing is stored there. Each band of rows continues below the one before it.
void integralBlocked4x4(KernelContext& context, const DeviceImage& in, const DeviceImage& out);

// What is summed of `Pixels` neighbouring pixels, packed as samples of T again.
template <class T, SumOf What, int Pixels>
struct PackedPixels {
    static constexpr int kChannels = What == SumOf::Sample ? 1 : 4;
    static constexpr int kPixelBytes = kChannels * int(sizeof(T));
    static constexpr int kBits = 8 * int(sizeof(T));
    static constexpr int kWords = (Pixels * int(sizeof(T)) + 3) / 4;

    // `column` is a multiple of Pixels; those from `valid` on count as 0.
    __device__ static void load(const std::byte* row, int column, int valid, int plane,
                                std::uint32_t (&packed)[kWords]) {
#pragma unroll
        for (int i = 0; i < kWords; ++i) packed[i] = 0;
        if (valid <= 0) return;
        std::uint32_t raw[(Pixels * kPixelBytes + 3) / 4];
        loadWords<Pixels * kPixelBytes>(row + std::int64_t(column) * kPixelBytes, raw);
        if constexpr (What == SumOf::Sample) {
#pragma unroll
            for (int i = 0; i < kWords; ++i) packed[i] = raw[i];
        } else {
#pragma unroll
            for (int i = 0; i < Pixels; ++i) {
                const std::uint32_t r = sampleOf<T>(raw, 4 * i), g = sampleOf<T>(raw, 4 * i + 1),
                                    b = sampleOf<T>(raw, 4 * i + 2);
                const std::uint32_t value = What == SumOf::Luma ? luma(r, g, b)
                                            : plane == 0        ? r
                                            : plane == 1        ? g
                                                                : b;
                packed[i * kBits / 32] |= value << (i * kBits % 32);
            }
        }
        if (valid < Pixels) {
#pragma unroll
            for (int i = 0; i < kWords; ++i) {
                const int bits = min(max(valid * kBits - 32 * i, 0), 32);
                if (bits < 32) packed[i] &= (1u << bits) - 1u;
            }
        }
    }
};

}  // namespace warpscope::cuda
