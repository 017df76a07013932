// The ways to run NL-means, and what their kernels share: mirrored borders, weights, and what they
// need to know of a pixel by its format. All ways agree with the double-precision definition within
// 1 level of 8 bits, 4 levels of 16 bits; nl_means.cu picks one.
#pragma once

#include "cuda_kernels/runtime/kernel_support.cuh"
#include "engine/operations/smoothing/nl_means.h"

namespace warpscope::cuda {

// Nothing but input and output in device memory: 8-bit gray, patch radius 1 to 3.
bool canRunNlMeansFused(const DeviceTraits& traits, const NlMeansPlan& plan);
void runNlMeansFused(KernelContext& context, const NlMeansPlan& plan, const DeviceImage& in,
                     const DeviceImage& out);
// By its own model, instructions a scheduler starts. Of 8-bit gray with patch radius 1 to 3;
// infinite where no tile fits the device.
double nlMeansFusedTime(const DeviceTraits& traits, const NlMeansPlan& plan);

// The same for half of the window, since a weight serves both pixels: what fitsNlMeansPairs()
// takes, where tiles are large enough to be faster.
bool canRunNlMeansPairs(const DeviceTraits& traits, const NlMeansPlan& plan);
void runNlMeansPairs(KernelContext& context, const NlMeansPlan& plan, const DeviceImage& in,
                     const DeviceImage& out);
void loadNlMeansPairs();

// All on the multiprocessor for colour, with products of patches on the tensor units: what
// fitsNlMeansProducts() takes, as long as a tile and what its windows need around it fit shared
// memory.
bool canRunNlMeansProducts(const DeviceTraits& traits, const NlMeansPlan& plan);
void runNlMeansProducts(KernelContext& context, const NlMeansPlan& plan, const DeviceImage& in,
                        const DeviceImage& out);
void loadNlMeansProducts();

// What fitsNlMeansSmall() takes: in registers.
void runNlMeansSmall(KernelContext& context, const NlMeansPlan& plan, const DeviceImage& in,
                     const DeviceImage& out);

// The same for every plan of 8 and of 16 bits, with sliding sums that are made once an offset.
void runNlMeansSliding(KernelContext& context, const NlMeansPlan& plan, const DeviceImage& in,
                       const DeviceImage& out);

// As published, for 8 and 16 bits, see nl_means_published.cu.
void runNlMeansDirect(KernelContext& context, const NlMeansPlan& plan, const DeviceImage& in,
                      const DeviceImage& out);
void runNlMeansIntegralPerOffset(KernelContext& context, const NlMeansPlan& plan,
                                 const DeviceImage& in, const DeviceImage& out);
void runNlMeansIntegralRows(KernelContext& context, const NlMeansPlan& plan, const DeviceImage& in,
                            const DeviceImage& out);

// Float images, `automatic` and `direct`. Within 10^-4 of the largest magnitude in the window.
void runNlMeansFloat(KernelContext& context, const NlMeansPlan& plan, const DeviceImage& in,
                     const DeviceImage& out);

// The pixel that stands at `i` when a line of n pixels is mirrored again and again, edge pixels
// repeated: cba|abc|cba|abc.
__device__ __forceinline__ int mirrored(int i, int n) {
    if (unsigned(i) < unsigned(n)) return i;
    const int period = 2 * n;  // at most 2^21
    const int place = i % period;
    const int from = place < 0 ? place + period : place;
    return from < n ? from : period - 1 - from;
}

__device__ __forceinline__ float exp2Approx(float x) {
    float result;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
    return result;
}

// Rounded to the nearest level, halves up. `mean` is between 0 and kMost but for rounding errors.
template <int kMost>
__device__ __forceinline__ std::uint32_t levelOf(float mean) {
    return std::uint32_t(min(max(__float2int_rd(mean + 0.5f), 0), kMost));
}
template <int kMost>
__device__ __forceinline__ std::uint32_t levelOf(double mean) {
    return std::uint32_t(min(max(__double2int_rd(mean + 0.5), 0), kMost));
}

// Launches are cut into tiles; so many together do about this many multiplications.
inline int tilesPerLaunch(const KernelContext& context, std::int64_t multiplicationsPerTile) {
    return context.rowsPerLaunch(0, multiplicationsPerTile);
}

// How a pixel is read, how far two are apart, and how a mean becomes one.

// 8 bits: a pixel is a word, squared differences of a patch fit 32 bits, sums of weights are
// floats.
struct Gray8Pixels {
    using Pixel = std::uint32_t;
    using Squares = std::uint32_t;
    using Total = float;
    static constexpr int kChannels = 1;

    __device__ __forceinline__ static Pixel load(const std::byte* row, int x) {
        return std::uint32_t(row[x]);
    }
    __device__ __forceinline__ static Squares apart(Pixel a, Pixel b) {
        const int difference = int(a) - int(b);
        return std::uint32_t(difference * difference);
    }
    __device__ __forceinline__ static std::uint32_t channel(Pixel pixel, int) { return pixel; }
    __device__ static void store(const std::byte*, std::byte* to, int x, const Total (&mean)[1]) {
        to[x] = std::byte(levelOf<255>(mean[0]));
    }
};

struct Rgba8Pixels {
    using Pixel = std::uint32_t;
    using Squares = std::uint32_t;
    using Total = float;
    static constexpr int kChannels = 3;

    __device__ __forceinline__ static Pixel load(const std::byte* row, int x) {
        return reinterpret_cast<const std::uint32_t*>(row)[x] & 0xffffffu;
    }
    __device__ __forceinline__ static Squares apart(Pixel a, Pixel b) {
        const std::uint32_t difference = __vabsdiffu4(a, b);
        return __dp4a(difference, difference, 0u);
    }
    __device__ __forceinline__ static std::uint32_t channel(Pixel pixel, int c) {
        return byteOf(pixel, c);
    }
    __device__ static void store(const std::byte* from, std::byte* to, int x,
                                 const Total (&mean)[3]) {
        std::uint32_t pixel = reinterpret_cast<const std::uint32_t*>(from)[x] & 0xff000000u;
#pragma unroll
        for (int c = 0; c < 3; ++c) pixel |= levelOf<255>(mean[c]) << (8 * c);
        reinterpret_cast<std::uint32_t*>(to)[x] = pixel;
    }
};

// 16 bits: a square takes 32 bits and a patch of them 42; a float that adds up 1,681 weighted
// samples one by one may be wrong by more than the levels that are allowed, a double is not.
struct Gray16Pixels {
    using Pixel = std::uint16_t;
    using Squares = unsigned long long;
    using Total = double;
    static constexpr int kChannels = 1;

    __device__ __forceinline__ static Pixel load(const std::byte* row, int x) {
        return reinterpret_cast<const std::uint16_t*>(row)[x];
    }
    __device__ __forceinline__ static Squares apart(Pixel a, Pixel b) {
        const int difference = int(a) - int(b);
        return std::uint32_t(difference) * std::uint32_t(difference);
    }
    __device__ __forceinline__ static std::uint32_t channel(Pixel pixel, int) { return pixel; }
    template <class Mean>
    __device__ static void store(const std::byte*, std::byte* to, int x, const Mean (&mean)[1]) {
        reinterpret_cast<std::uint16_t*>(to)[x] = std::uint16_t(levelOf<65535>(mean[0]));
    }
};

struct Rgba16Pixels {
    using Pixel = uint2;  // as in memory: red and green, blue and alpha
    using Squares = unsigned long long;
    using Total = double;
    static constexpr int kChannels = 3;

    __device__ __forceinline__ static Pixel load(const std::byte* row, int x) {
        return reinterpret_cast<const uint2*>(row)[x];
    }
    __device__ __forceinline__ static Squares apart(const Pixel& a, const Pixel& b) {
        Squares sum = 0;
#pragma unroll
        for (int c = 0; c < kChannels; ++c) {
            const int difference = int(channel(a, c)) - int(channel(b, c));
            sum += std::uint32_t(difference) * std::uint32_t(difference);
        }
        return sum;
    }
    __device__ __forceinline__ static std::uint32_t channel(const Pixel& pixel, int c) {
        return c == 0 ? pixel.x & 0xffffu : c == 1 ? pixel.x >> 16 : pixel.y & 0xffffu;
    }
    template <class Mean>
    __device__ static void store(const std::byte* from, std::byte* to, int x,
                                 const Mean (&mean)[3]) {
        const std::uint32_t alpha = reinterpret_cast<const uint2*>(from)[x].y & 0xffff0000u;
        reinterpret_cast<uint2*>(to)[x] = {levelOf<65535>(mean[0]) | levelOf<65535>(mean[1]) << 16,
                                           levelOf<65535>(mean[2]) | alpha};
    }
};

// Weighted pixels and their weights.
template <class P, class Total>
struct Mean {
    Total sums[P::kChannels] = {};
    Total weights = 0;

    __device__ __forceinline__ void add(float weight, const typename P::Pixel& pixel) {
        weights += weight;
#pragma unroll
        for (int c = 0; c < P::kChannels; ++c)
            sums[c] = fma(Total(weight), Total(P::channel(pixel, c)), sums[c]);
    }
    __device__ __forceinline__ void add(const Mean& other) {
        weights += other.weights;
#pragma unroll
        for (int c = 0; c < P::kChannels; ++c) sums[c] += other.sums[c];
    }
};

// Calls f with the pixels of a format that nl_means takes.
template <class F>
void withPixelsOf(PixelFormat format, F&& f) {
    switch (format) {
        case PixelFormat::Gray8:
            return f(Gray8Pixels{});
        case PixelFormat::Rgba8:
            return f(Rgba8Pixels{});
        case PixelFormat::Gray16:
            return f(Gray16Pixels{});
        case PixelFormat::Rgba16:
            return f(Rgba16Pixels{});
        default:
            return;  // no plan has another
    }
}

}  // namespace warpscope::cuda
