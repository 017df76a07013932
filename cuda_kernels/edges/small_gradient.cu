// A thread makes some pixels beside each other in some rows, from luma in registers, two pixels in
// the halves of a word. Halves are kept positive by a bias that any difference needs, so that one
// instruction adds both.
#include "cuda_kernels/edges/small_gradient.cuh"

#include "cuda_kernels/edges/luma_words.cuh"
#include "cuda_kernels/runtime/sample_loads.cuh"

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = 128, kFewThreads = 64;

struct PackedWeights {
    std::uint32_t side, centre;
    std::uint32_t bias;  // in both halves: 256 (2 side + centre), above any difference
    // What a difference of -256, which is black, comes to when it is halved with its bias.
    std::uint32_t black;

    explicit PackedWeights(GradientWeights weights)
        : side(std::uint32_t(weights.side)), centre(std::uint32_t(weights.centre)) {
        const std::uint32_t half = 256 * (2 * side + centre);
        bias = half * 0x00010001u;
        black = (half / 2 - 128) * 0x00010001u;
    }
};

// One row in halves: `even` has pixels 0 and 2 of each word, `odd` 1 and 3.
template <int kWide>
struct Halves {
    std::uint32_t even[kWide], odd[kWide];

    // Neighbours of the even and of the odd pixels of word i.
    __device__ __forceinline__ std::uint32_t leftOfEven(int i) const {
        return __byte_perm(odd[i - 1], odd[i], 0x5432);
    }
    __device__ __forceinline__ std::uint32_t rightOfOdd(int i) const {
        return __byte_perm(even[i], even[i + 1], 0x5432);
    }
};

// The middle of the levels plus half a difference, cut to what a byte holds.
__device__ __forceinline__ std::uint32_t aroundGray(std::uint32_t biased,
                                                    const PackedWeights& weights) {
    const std::uint32_t halved = biased >> 1 & 0x7fff7fffu;
    return __vminu2(__vmaxu2(halved, weights.black) - weights.black, 0x00ff00ffu);
}

// In the lowest byte. A half becomes a float as the lower bits of 2^23 and more. Whole numbers
// below 2^16 are exact in float; half of one more leaves every approximate root on its side of the
// whole numbers.
__device__ __forceinline__ std::uint32_t magnitudeOf(std::uint32_t x, std::uint32_t y, int half,
                                                     float bias) {
    const unsigned select = half ? 0x7632u : 0x7610u;
    const float gx = __uint_as_float(__byte_perm(x, 0x4b000000u, select)) - bias;
    const float gy = __uint_as_float(__byte_perm(y, 0x4b000000u, select)) - bias;
    const float squares = fminf(__fmaf_rn(gx, gx, __fmaf_rn(gy, gy, 0.5f)), 65535.5f);
#ifdef WARPSCOPE_EMULATED_DOT_PRODUCTS
    const float root = emuSqrtApprox(squares);
#else
    float root;
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(squares));
#endif
    return __float_as_uint(__fadd_rd(root, 8388608.0f));
}

// Output rows [first, last); threads are numbered along the rows.
template <int C, int kRows, GradientOutput kShown>
__global__ void __launch_bounds__(kThreads)
    smallGradientKernel(DeviceImage in, DeviceImage out, int first, int last,
                        FastDivide piecesAcross, std::uint32_t count, PackedWeights weights) {
    using Row = LumaWords<C>;
    constexpr int kOwn = Row::kOwn, kWide = Row::kWide;
    constexpr bool kAcross = kShown != GradientOutput::Vertical;
    constexpr bool kDown = kShown != GradientOutput::Horizontal;
    const std::uint32_t index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= count) return;
    const std::uint32_t down = piecesAcross(index);
    const int x = int(index - down * piecesAcross.divisor) * Row::kPixels;
    const int top = first + int(down) * kRows;
    const int lastX = in.size.width - 1, lastY = in.size.height - 1;
    const bool cut = x == 0 || x + Row::kPixels > lastX;
    const float bias = 8388608.0f + float(weights.bias & 0xffffu);
    Row loaded[kRows + 2];
#pragma unroll
    for (int j = 0; j < kRows + 2; ++j)
        loaded[j].load(in.data + std::int64_t(min(max(top + j - 1, 0), lastY)) * in.pitch, x,
                       lastX);
    if (cut) {
#pragma unroll
        for (int j = 0; j < kRows + 2; ++j) loaded[j].mend(x, lastX);
    }
    Halves<kWide> rows[3];
#pragma unroll
    for (int j = 0; j < kRows + 2; ++j) {
        rows[0] = rows[1];
        rows[1] = rows[2];
#pragma unroll
        for (int i = 0; i < kWide; ++i) {
            rows[2].even[i] = evenPixels(loaded[j].words[i]);
            rows[2].odd[i] = oddPixels(loaded[j].words[i]);
        }
        const int k = j - 2;
        if (k < 0 || top + k >= last) continue;
        // Three rows weighed, and the difference of the outer two.
        Halves<kWide> sums, differences;
#pragma unroll
        for (int i = 0; i < kWide; ++i) {
            if constexpr (kAcross) {
                sums.even[i] = weights.side * (rows[0].even[i] + rows[2].even[i]) +
                               weights.centre * rows[1].even[i];
                sums.odd[i] = weights.side * (rows[0].odd[i] + rows[2].odd[i]) +
                              weights.centre * rows[1].odd[i];
            }
            if constexpr (kDown) {
                differences.even[i] = rows[2].even[i] + 0x01000100u - rows[0].even[i];
                differences.odd[i] = rows[2].odd[i] + 0x01000100u - rows[0].odd[i];
            }
        }
        std::uint32_t words[kOwn];
#pragma unroll
        for (int i = 1; i <= kOwn; ++i) {
            std::uint32_t across[2], along[2];
            if constexpr (kAcross) {
                across[0] = sums.odd[i] + weights.bias - sums.leftOfEven(i);
                across[1] = sums.rightOfOdd(i) + weights.bias - sums.even[i];
            }
            if constexpr (kDown) {
                along[0] = weights.side * (differences.leftOfEven(i) + differences.odd[i]) +
                           weights.centre * differences.even[i];
                along[1] = weights.side * (differences.even[i] + differences.rightOfOdd(i)) +
                           weights.centre * differences.odd[i];
            }
            if constexpr (kShown == GradientOutput::Magnitude) {
                std::uint32_t roots[4];
#pragma unroll
                for (int p = 0; p < 4; ++p)
                    roots[p] = magnitudeOf(across[p % 2], along[p % 2], p / 2, bias);
                words[i - 1] = __byte_perm(__byte_perm(roots[0], roots[1], 0x0040),
                                           __byte_perm(roots[2], roots[3], 0x0040), 0x5410);
            } else {
                const auto& shown = kAcross ? across : along;
                words[i - 1] = __byte_perm(aroundGray(shown[0], weights),
                                           aroundGray(shown[1], weights), 0x6240);
            }
        }
        storeWords<4 * kOwn>(out.data + std::int64_t(top + k) * out.pitch + x, words);
    }
}

template <int C, int kRows, GradientOutput kShown>
void runFor(KernelContext& context, const GradientPlan& plan, const DeviceImage& in,
            const DeviceImage& out, unsigned threads) {
    constexpr int kPixels = LumaWords<C>::kPixels;
    const FastDivide across(divideUp(unsigned(in.size.width), kPixels));
    const std::int64_t work = std::int64_t(across.divisor) * kPixels * 16;
    const int bandRows =
        std::max(1, context.rowsPerLaunch(in.pitch * 2 + out.pitch, work) / kRows) * kRows;
    context.forEachBand(in.size.height, bandRows, [&](int first, int last) {
        const std::uint32_t count = across.divisor * divideUp(unsigned(last - first), kRows);
        launch(context, "gradient", divideUp(count, threads), threads, 0,
               smallGradientKernel<C, kRows, kShown>, in, out, first, last, across, count,
               PackedWeights(weightsOf(plan.kernel)));
    });
}

template <int C, GradientOutput kShown>
void runFor(KernelContext& context, const GradientPlan& plan, const DeviceImage& in,
            const DeviceImage& out) {
    // Of a small image lower pieces and smaller blocks, so that every multiprocessor has some.
    const std::int64_t pieces =
        std::int64_t(divideUp(unsigned(in.size.width), LumaWords<C>::kPixels)) *
        divideUp(unsigned(in.size.height), 4);
    if (pieces < std::int64_t(context.traits().multiprocessors) * 2 * kThreads)
        runFor<C, 2, kShown>(context, plan, in, out, kFewThreads);
    else
        runFor<C, 4, kShown>(context, plan, in, out, kThreads);
}

template <int C>
void runFor(KernelContext& context, const GradientPlan& plan, const DeviceImage& in,
            const DeviceImage& out) {
    if (plan.shown == GradientOutput::Horizontal)
        runFor<C, GradientOutput::Horizontal>(context, plan, in, out);
    else if (plan.shown == GradientOutput::Vertical)
        runFor<C, GradientOutput::Vertical>(context, plan, in, out);
    else
        runFor<C, GradientOutput::Magnitude>(context, plan, in, out);
}

}  // namespace

void runSmallGradient(KernelContext& context, const GradientPlan& plan, const DeviceImage& in,
                      const DeviceImage& out) {
    isColor(in.format) ? runFor<4>(context, plan, in, out) : runFor<1>(context, plan, in, out);
}

}  // namespace warpscope::cuda
