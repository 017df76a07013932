// A thread makes some pixels beside each other in some rows, from words in registers. Quads are
// four neighbours of one channel, which dp4a multiplies with four weights; each row of the input
// is loaded and cut into quads once for all rows of the output that need it.
#include "cuda_kernels/edges/small_kernel.cuh"

#include "cuda_kernels/runtime/blocks_by_device.cuh"
#include "cuda_kernels/runtime/dot_products.cuh"
#include "cuda_kernels/runtime/row_words.cuh"

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = 128;

template <int C, int kPlanes>
inline constexpr int kRowsEach = C == 4 && kPlanes == 2 ? 2 : 4;

template <int kRadius>
struct GrayRow : GrayWords {
    // From `part` * 4 pixels after the first that pixel i of the middle needs.
    __device__ __forceinline__ std::uint32_t quad(int, int i, int part) const {
        const int at = 4 + i - kRadius + 4 * part;
        const std::uint32_t next = words[at / 4 + 1 < 4 ? at / 4 + 1 : 3];
        return at % 4 ? __funnelshift_r(words[at / 4], next, 8 * (at % 4)) : words[at / 4];
    }
    __device__ __forceinline__ std::uint32_t alphaOf(int) const { return 0; }
};

template <int kRadius>
struct ColourRow : ColourPixels<kRadius> {
    using ColourPixels<kRadius>::kWide;
    using ColourPixels<kRadius>::pixels;

    // What lies beyond the row in the last quads weighs nothing.
    __device__ __forceinline__ std::uint32_t quad(int channel, int i, int part) const {
        const int at = i + 4 * part, next = at + 2 < kWide ? at + 2 : kWide - 1;
        return __byte_perm(pairs(channel, at), pairs(channel, next),
                           channel == 1 ? 0x7632 : 0x5410);
    }
    __device__ __forceinline__ std::uint32_t alphaOf(int i) const {
        return pixels[i + kRadius] & 0xff000000u;
    }

  private:
    // Of two neighbours: red and green, or blue and alpha.
    __device__ __forceinline__ std::uint32_t pairs(int channel, int i) const {
        return __byte_perm(pixels[i], pixels[i + 1 < kWide ? i + 1 : i],
                           channel == 2 ? 0x7362 : 0x5140);
    }
};

template <int kPlanes, bool kDivided>
__device__ __forceinline__ std::uint32_t sampleFrom(const int (&sums)[kPlanes],
                                                    const SmallKernel& kernel) {
    int sum = kPlanes == 2 ? 256 * sums[0] + sums[kPlanes - 1] : sums[0];
    if constexpr (kDivided) {
        // Cut to what is not white or black anyway, so that twice as much fits.
        sum = min(max(sum, -300 * kernel.divisor), 600 * kernel.divisor);
        const int twice = 2 * kernel.divisor, given = 2 * sum + kernel.divisor;
        int made = __float2int_rd(__fmul_rn(__int2float_rn(given), kernel.inverse));
        const int rest = given - made * twice;
        if (rest < 0) --made;
        if (rest >= twice) ++made;
        sum = made;
    }
    return std::uint32_t(min(max(sum + kernel.offset, sum * kernel.negative), 255));
}

template <int C, int kRadius, int kPlanes>
constexpr int blocksFor() {
    return C == 4 && kRadius == 3 && kPlanes == 1 ? blocksByDevice({3, 4, 3}) : 4;
}

// Output rows [first, last); threads are numbered along the rows.
template <int C, int kRadius, int kPlanes, bool kDivided>
__global__ void __launch_bounds__(kThreads, (blocksFor<C, kRadius, kPlanes>()))
    smallKernel(DeviceImage in, DeviceImage out, int first, int last, FastDivide piecesAcross,
                std::uint32_t count, const __grid_constant__ SmallKernel kernel) {
    using Row = std::conditional_t<C == 1, GrayRow<kRadius>, ColourRow<kRadius>>;
    constexpr int kPixels = Row::kPixels, kRows = kRowsEach<C, kPlanes>;
    constexpr int kColours = C == 1 ? 1 : 3, kParts = kRadius == 1 ? 1 : 2;
    const std::uint32_t index = blockIdx.x * kThreads + threadIdx.x;
    if (index >= count) return;
    const std::uint32_t down = piecesAcross(index);
    const int x = int(index - down * piecesAcross.divisor) * kPixels;
    const int top = first + int(down) * kRows;
    const int lastX = in.size.width - 1, lastY = in.size.height - 1;
    int sums[kRows][kPixels][kColours][kPlanes] = {};
    std::uint32_t alpha[kRows][kPixels];
#pragma unroll
    for (int j = 0; j < kRows + 2 * kRadius; ++j) {
        Row row;
        row.load(in.data + std::int64_t(min(max(top + j - kRadius, 0), lastY)) * in.pitch, x,
                 lastX);
#pragma unroll
        for (int k = 0; k < kRows; ++k) {
            if (j - k < 0 || j - k > 2 * kRadius) continue;
#pragma unroll
            for (int i = 0; i < kPixels; ++i) {
                if (j - k == kRadius) alpha[k][i] = row.alphaOf(i);
#pragma unroll
                for (int c = 0; c < kColours; ++c)
#pragma unroll
                    for (int part = 0; part < kParts; ++part) {
                        const std::uint32_t quad = row.quad(c, i, part);
                        int(&sum)[kPlanes] = sums[k][i][c];
                        sum[0] = dotBytes(kernel.words[0][j - k][part], quad, sum[0]);
                        if constexpr (kPlanes == 2)
                            sum[1] = dotUnsigned(kernel.words[1][j - k][part], quad, sum[1]);
                    }
            }
        }
        // The last row that row `k` of the output needs.
        const int k = j - 2 * kRadius;
        if (k < 0 || top + k >= last) continue;
        std::uint32_t words[kPixels * C / 4] = {};
#pragma unroll
        for (int i = 0; i < kPixels; ++i) {
            if (C == 4) words[i * C / 4] = alpha[k][i];
#pragma unroll
            for (int c = 0; c < kColours; ++c)
                words[i * C / 4] |= sampleFrom<kPlanes, kDivided>(sums[k][i][c], kernel)
                                    << ((i * C + c) % 4 * 8);
        }
        storeRow(out.data + std::int64_t(top + k) * out.pitch + std::int64_t(x) * C, words);
    }
}

template <int C, int kRadius, int kPlanes, bool kDivided>
void runFor(KernelContext& context, const char* name, const SmallKernel& kernel,
            const DeviceImage& in, const DeviceImage& out) {
    constexpr int kRows = kRowsEach<C, kPlanes>;
    constexpr int kPixels = C == 1 ? GrayWords::kPixels : ColourPixels<kRadius>::kPixels;
    const FastDivide across(divideUp(unsigned(in.size.width), kPixels));
    const std::int64_t work =
        std::int64_t(across.divisor) * kPixels * C * ((2 * kRadius + 1) * 2 * kPlanes + 8);
    const int bandRows =
        std::max(1, context.rowsPerLaunch(in.pitch * 2 + out.pitch, work) / kRows) * kRows;
    context.forEachBand(in.size.height, bandRows, [&](int first, int last) {
        const std::uint32_t count = across.divisor * divideUp(unsigned(last - first), kRows);
        launch(context, name, divideUp(count, kThreads), kThreads, 0,
               smallKernel<C, kRadius, kPlanes, kDivided>, in, out, first, last, across, count,
               kernel);
    });
}

template <int C, int kRadius>
void runFor(KernelContext& context, const char* name, const SmallKernel& kernel,
            const DeviceImage& in, const DeviceImage& out) {
    const bool divided = kernel.divisor != 1;
    if (kernel.planes == 1)
        divided ? runFor<C, kRadius, 1, true>(context, name, kernel, in, out)
                : runFor<C, kRadius, 1, false>(context, name, kernel, in, out);
    else
        divided ? runFor<C, kRadius, 2, true>(context, name, kernel, in, out)
                : runFor<C, kRadius, 2, false>(context, name, kernel, in, out);
}

template <int C>
void runFor(KernelContext& context, const char* name, const SmallKernel& kernel,
            const DeviceImage& in, const DeviceImage& out) {
    if (kernel.radius == 1)
        runFor<C, 1>(context, name, kernel, in, out);
    else if (kernel.radius == 2)
        runFor<C, 2>(context, name, kernel, in, out);
    else
        runFor<C, 3>(context, name, kernel, in, out);
}

}  // namespace

void runSmallKernel(KernelContext& context, const char* name, const SmallKernel& kernel,
                    const DeviceImage& in, const DeviceImage& out) {
    isColor(in.format) ? runFor<4>(context, name, kernel, in, out)
                       : runFor<1>(context, name, kernel, in, out);
}

}  // namespace warpscope::cuda
