// A warp slides down a strip of the image, each lane with the sums of some columns in registers:
// values and squares in one word. Along rows it takes those of the lanes beside it; the first and
// the last ones are there for that alone.
#include "cuda_kernels/morphology/small_statistics.cuh"

#include "cuda_kernels/runtime/lane_pixels.cuh"

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = 128;
// Of a strip. The rows that a strip adds up first are those of its neighbours, too.
constexpr int rowsOf(int radius) {
    return radius <= 3 ? 8 : 16;
}
constexpr unsigned kAll = 0xffffffffu;

// Of up to 15 rows: the sum of squares in the low 20 bits, that of values above.
constexpr int kValueBits = 20;

__device__ __forceinline__ std::uint32_t columnOf(std::uint32_t sample) {
    return sample * (sample + (1u << kValueBits));
}

// The floor of the square root of what is below 2^20: half of it more keeps the approximation away
// from whole numbers.
__device__ __forceinline__ std::uint32_t rootOf(std::uint32_t value) {
    constexpr float kWhole = 8388608.0f;  // 2^23: its last bit is worth 1
    const float more = __uint_as_float(0x4b000000u | value) - (kWhole - 0.5f);
#ifdef WARPSCOPE_EMULATED_DOT_PRODUCTS
    const float root = emuSqrtApprox(more);
#else
    float root;
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(more));
#endif
    return __float_as_uint(__fadd_rd(root, kWhole)) & 0xffffu;
}

// Output rows [first, last); warps are numbered along the rows.
template <int C, int kRadius>
__global__ void __launch_bounds__(kThreads)
    smallStatisticsKernel(DeviceImage in, DeviceImage out, int first, int last,
                          FastDivide stripsAcross, std::uint32_t count, bool root) {
    using Lane = LanePixels<C>;
    constexpr int kPixels = Lane::kPixels, kColours = Lane::kColours, kWords = Lane::kWords;
    constexpr int kSide = 2 * kRadius + 1, kRows = rowsOf(kRadius);
    // Lanes at each end of a warp that make nothing.
    constexpr int kSpare = (kRadius + kPixels - 1) / kPixels;
    // n squares and the square of a sum stay below 2^32 up to n = 225.
    constexpr std::uint32_t n = kSide * kSide;
    const std::uint32_t index = (blockIdx.x * kThreads + threadIdx.x) / 32;
    if (index >= count) return;
    const int lane = int(threadIdx.x % 32);
    const std::uint32_t down = stripsAcross(index);
    const int strip = int(index - down * stripsAcross.divisor);
    const int x = (strip * (32 - 2 * kSpare) + lane - kSpare) * kPixels;
    const int top = first + int(down) * kRows, bottom = min(top + kRows, last);
    const int lastX = in.size.width - 1, lastY = in.size.height - 1;
    const Lane pixels(x, lastX);
    const bool makes = lane >= kSpare && lane < 32 - kSpare && x <= lastX;
    std::uint32_t columns[kColours][kPixels] = {};
    const auto rowAt = [&](int y) {
        return in.data + std::int64_t(min(max(y, 0), lastY)) * in.pitch;
    };
    // Rows are fetched kTurns before they are used: memory takes longer than a row does.
    constexpr int kTurns = C == 1 ? 3 : 2;
    std::uint32_t come[kTurns][kWords], gone[kTurns][kWords], centre[kTurns][kWords];
    const auto fetchFor = [&](int y, int turn) {
        pixels.fetch(rowAt(y + kRadius), come[turn]);
        pixels.fetch(rowAt(y - kRadius), gone[turn]);
        if constexpr (C == 4) pixels.fetch(rowAt(y), centre[turn]);
    };
#pragma unroll
    for (int turn = 0; turn < kTurns; ++turn) fetchFor(top + turn, turn);
#pragma unroll
    for (int j = -kRadius; j < kRadius; ++j) {
        std::uint32_t words[kWords];
        pixels.load(rowAt(top + j), words);
#pragma unroll
        for (int c = 0; c < kColours; ++c)
#pragma unroll
            for (int i = 0; i < kPixels; ++i) columns[c][i] += columnOf(Lane::sample(words, i, c));
    }
    const auto make = [&](int y, int turn) {
        std::uint32_t made[kWords] = {};
        pixels.mend(come[turn]);
        pixels.mend(gone[turn]);
        if constexpr (C == 4) {
#pragma unroll
            for (int i = 0; i < kWords; ++i) made[i] = centre[turn][i] & 0xff000000u;
        }
#pragma unroll
        for (int c = 0; c < kColours; ++c) {
            // With kRadius columns of the lanes at both sides.
            std::uint32_t around[kPixels + 2 * kRadius];
#pragma unroll
            for (int i = 0; i < kPixels; ++i) {
                columns[c][i] += columnOf(Lane::sample(come[turn], i, c));
                around[kRadius + i] = columns[c][i];
            }
#pragma unroll
            for (int i = 1; i <= kRadius; ++i) {
                const int lanes = (i + kPixels - 1) / kPixels;
                around[kRadius - i] =
                    __shfl_up_sync(kAll, columns[c][lanes * kPixels - i], unsigned(lanes));
                around[kRadius + kPixels - 1 + i] = __shfl_down_sync(
                    kAll, columns[c][i - 1 - (lanes - 1) * kPixels], unsigned(lanes));
            }
            std::uint32_t sum = 0, squares = 0;
#pragma unroll
            for (int i = 0; i < kPixels + 2 * kRadius; ++i) {
                sum += around[i] >> kValueBits;
                squares += around[i] & ((1u << kValueBits) - 1);
                if (i < kSide - 1) continue;
                const std::uint32_t level = (n * squares - sum * sum) / (n * n);
                const std::uint32_t result = root ? rootOf(level) : min(level, 255u);
                const int pixel = i - (kSide - 1);
                made[pixel * C / 4] |= result << (C == 1 ? pixel % 4 * 8 : c * 8);
                sum -= around[pixel] >> kValueBits;
                squares -= around[pixel] & ((1u << kValueBits) - 1);
            }
#pragma unroll
            for (int i = 0; i < kPixels; ++i)
                columns[c][i] -= columnOf(Lane::sample(gone[turn], i, c));
        }
        // What lies beyond the row goes into its padding.
        if (!makes) return;
        std::byte* const to = out.data + std::int64_t(y) * out.pitch + std::int64_t(x) * C;
        if constexpr (C == 1)
            *reinterpret_cast<uint2*>(to) = {made[0], made[1]};
        else
            *reinterpret_cast<uint4*>(to) = {made[0], made[1], made[2], made[3]};
    };
    for (int y = top; y < bottom; y += kTurns) {
#pragma unroll
        for (int turn = 0; turn < kTurns; ++turn) {
            if (y + turn >= bottom) return;
            make(y + turn, turn);
            fetchFor(y + turn + kTurns, turn);
        }
    }
}

template <int C, int kRadius>
void runFor(KernelContext& context, bool root, const DeviceImage& in, const DeviceImage& out) {
    constexpr int kPixels = LanePixels<C>::kPixels, kRows = rowsOf(kRadius);
    constexpr unsigned kStrip = unsigned(32 - 2 * ((kRadius + kPixels - 1) / kPixels)) * kPixels;
    const FastDivide across(divideUp(unsigned(in.size.width), kStrip));
    const std::int64_t work = std::int64_t(across.divisor) * kStrip * C * 24;
    const int bandRows =
        std::max(1, context.rowsPerLaunch(in.pitch * 3 + out.pitch, work) / kRows) * kRows;
    context.forEachBand(in.size.height, bandRows, [&](int first, int last) {
        const std::uint32_t count = across.divisor * divideUp(unsigned(last - first), kRows);
        launch(context, "local statistics", divideUp(std::uint64_t(count) * 32, kThreads), kThreads,
               0, smallStatisticsKernel<C, kRadius>, in, out, first, last, across, count, root);
    });
}

template <int kRadius = 1>
void runFor(KernelContext& context, int radius, bool root, const DeviceImage& in,
            const DeviceImage& out) {
    if constexpr (kRadius <= kMostSmallStatistics) {
        if (radius != kRadius) return runFor<kRadius + 1>(context, radius, root, in, out);
        isColor(in.format) ? runFor<4, kRadius>(context, root, in, out)
                           : runFor<1, kRadius>(context, root, in, out);
    }
}

}  // namespace

void runSmallStatistics(KernelContext& context, int radius, bool root, const DeviceImage& in,
                        const DeviceImage& out) {
    runFor(context, radius, root, in, out);
}

}  // namespace warpscope::cuda
