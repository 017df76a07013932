// A thread makes what lies under 16 bytes of two rows: eight gray pixels or two of colour. Samples
// are added as halves of words.
#include "cuda_kernels/geometry/resize_half.cuh"

#include "cuda_kernels/runtime/sample_loads.cuh"

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = 256;
constexpr int kInFlight = 2;  // pieces that a thread loads before it looks at one

__device__ __forceinline__ std::uint32_t evenOf(std::uint32_t word) {
    return word & 0x00ff00ffu;
}
__device__ __forceinline__ std::uint32_t oddOf(std::uint32_t word) {
    return word >> 8 & 0x00ff00ffu;
}
// Of sums of four samples.
__device__ __forceinline__ std::uint32_t meanOf(std::uint32_t sums) {
    return (sums + 0x00020002u) >> 2 & 0x00ff00ffu;
}

// Of 16 gray pixels above and below: eight.
__device__ __forceinline__ void halve(const std::uint32_t (&above)[4],
                                      const std::uint32_t (&below)[4], std::uint32_t (&made)[2],
                                      std::integral_constant<int, 1>) {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
        std::uint32_t means[2];
#pragma unroll
        for (int k = 0; k < 2; ++k) {
            const std::uint32_t a = above[2 * i + k], b = below[2 * i + k];
            means[k] = meanOf(evenOf(a) + oddOf(a) + evenOf(b) + oddOf(b));
        }
        made[i] = __byte_perm(means[0], means[1], 0x6420);
    }
}
// Of four pixels of colour above and below: two.
__device__ __forceinline__ void halve(const std::uint32_t (&above)[4],
                                      const std::uint32_t (&below)[4], std::uint32_t (&made)[2],
                                      std::integral_constant<int, 4>) {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
        const std::uint32_t a = above[2 * i], b = above[2 * i + 1];
        const std::uint32_t c = below[2 * i], d = below[2 * i + 1];
        made[i] = meanOf(evenOf(a) + evenOf(b) + evenOf(c) + evenOf(d)) |
                  meanOf(oddOf(a) + oddOf(b) + oddOf(c) + oddOf(d)) << 8;
    }
}

template <int C>
__global__ void __launch_bounds__(kThreads)
    resizeHalfKernel(DeviceImage in, DeviceImage out, int firstRow, Pieces pieces) {
    const std::uint32_t first = blockIdx.x * (kThreads * kInFlight) + threadIdx.x;
    std::uint32_t above[kInFlight][4], below[kInFlight][4];
    std::byte* target[kInFlight] = {};
#pragma unroll
    for (int k = 0; k < kInFlight; ++k) {
        const std::uint32_t i = first + unsigned(k) * kThreads;
        if (i >= pieces.count) continue;
        const std::uint32_t line = pieces.perRow(i);
        const std::int64_t piece = i - line * pieces.perRow.divisor;
        const std::int64_t y = firstRow + std::int64_t(line);
        const std::byte* from = in.data + 2 * y * in.pitch + piece * 16;
        loadWords<16>(from, above[k]);
        loadWords<16>(from + in.pitch, below[k]);
        target[k] = out.data + y * out.pitch + piece * 8;
    }
#pragma unroll
    for (int k = 0; k < kInFlight; ++k) {
        if (!target[k]) continue;
        // What stands in the padding of rows is worked on too; nobody looks at it.
        std::uint32_t made[2];
        halve(above[k], below[k], made, std::integral_constant<int, C>());
        storeWords<8>(target[k], made);
    }
}

}  // namespace

void runResizeHalf(KernelContext& context, const DeviceImage& in, const DeviceImage& out) {
    const bool colour = isColor(in.format);
    const int pixels = colour ? 2 : 8;  // of a piece
    const int bandRows =
        context.rowsPerLaunch(2 * in.pitch + out.pitch, std::int64_t(out.size.width) * 8);
    context.forEachBand(out.size.height, bandRows, [&](int first, int last) {
        const Pieces pieces = Pieces::of(out.size.width, last - first, pixels, false);
        launch(context, "resize half", divideUp(pieces.count, kThreads * kInFlight), kThreads, 0,
               colour ? resizeHalfKernel<4> : resizeHalfKernel<1>, in, out, first, pieces);
    });
}

}  // namespace warpscope::cuda
