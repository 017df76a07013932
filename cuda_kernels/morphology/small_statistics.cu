// A warp slides down a strip of the image, each lane with the sums of some columns in registers:
// values and squares in one word. Along rows it takes those of the lanes beside it; the first and
// the last ones are there for that alone.
#include "cuda_kernels/morphology/small_statistics.cuh"

#include <algorithm>
#include <bit>

#include "cuda_kernels/runtime/lane_pixels.cuh"
#include "cuda_kernels/runtime/sample_loads.cuh"
#include "cuda_kernels/runtime/tile_rows.h"

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = 128;
// Of up to 15 rows: the sum of squares in the low 20 bits, that of values above.
constexpr int kValueBits = 20;
constexpr unsigned kAll = 0xffffffffu;

// Division of what is below 2^31 by a constant: the upper word of a product, shifted.
template <std::uint32_t kDivisor>
struct Quotient {
    static constexpr int kShift = std::bit_width(kDivisor) - 1;
    static constexpr std::uint32_t kFactor =
        std::uint32_t(((std::uint64_t(1) << (32 + kShift)) + kDivisor - 1) / kDivisor);

    static __device__ __forceinline__ std::uint32_t of(std::uint32_t value) {
        return __umulhi(value, kFactor) >> kShift;
    }
    // As the last bits of a float whose last bit is worth 1.
    static __device__ __forceinline__ float floatOf(std::uint32_t value) {
        constexpr std::uint32_t kWholeBits = 0x4b000000u;  // of 2^23
        const std::uint32_t high = __umulhi(value, kFactor);
        // What is shifted in makes up the rest of the word.
        if constexpr (kShift >= 8)
            return __uint_as_float(__funnelshift_r(high, kWholeBits >> (32 - kShift), kShift));
        else
            return __uint_as_float(high >> kShift | kWholeBits);
    }
};

// The floor of the square root, in the low byte; `whole` is 2^23 more than what is below 2^20. Half
// of it more keeps the approximation away from whole numbers.
__device__ __forceinline__ std::uint32_t rootOf(float whole) {
    constexpr float kWhole = 8388608.0f;
    const float more = whole - (kWhole - 0.5f);
#ifdef WARPSCOPE_EMULATED_DOT_PRODUCTS
    const float root = emuSqrtApprox(more);
#else
    float root;
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(more));
#endif
    return __float_as_uint(__fadd_rd(root, kWhole));
}

// Of the columns of a lane's pixels.
template <int C, int kRadius>
class WindowSums {
    using Lane = LanePixels<C>;
    static constexpr int kPixels = Lane::kPixels, kColours = Lane::kColours, kWords = Lane::kWords;
    static constexpr int kSide = 2 * kRadius + 1;
    // n squares and the square of a sum stay below 2^31 up to n = 225: the spread is at most n n
    // times 127.5 squared.
    static constexpr std::uint32_t kCount = kSide * kSide;
    using Level = Quotient<kCount * kCount>;

  public:
    using Words = std::uint32_t[kWords];

    __device__ __forceinline__ void take(const Words& come) {
        forSamples([&](int c, int i) {
            const std::uint32_t sample = sampleOf(come, i, c);
            m_columns[c][i] += sample * (sample + kOne);
        });
    }
    // Both differences of squares and values are one product.
    __device__ __forceinline__ void slide(const Words& come, const Words& gone) {
        forSamples([&](int c, int i) {
            const std::uint32_t more = sampleOf(come, i, c), less = sampleOf(gone, i, c);
            m_columns[c][i] += (more - less) * (more + less + kOne);
        });
    }
    // The result of each pixel, of colour with the alpha of `centre`.
    template <bool kRoot>
    __device__ __forceinline__ void make(const Words& centre, Words& made) const {
#pragma unroll
        for (int c = 0; c < kColours; ++c) {
            std::uint32_t results[kPixels];
            row<kRoot>(m_columns[c], results);
            if constexpr (C == 1) {
#pragma unroll
                for (int i = 0; i < kWords; ++i) {
                    const std::uint32_t* const four = results + 4 * i;
                    made[i] = __byte_perm(__byte_perm(four[0], four[1], 0x0040),
                                          __byte_perm(four[2], four[3], 0x0040), 0x5410);
                }
            } else {
                constexpr unsigned kInto[] = {0x3214, 0x3240, 0x3410};
#pragma unroll
                for (int i = 0; i < kPixels; ++i)
                    made[i] = __byte_perm(c == 0 ? centre[i] : made[i], results[i], kInto[c]);
            }
        }
    }

  private:
    static constexpr std::uint32_t kOne = 1u << kValueBits;

    static __device__ __forceinline__ std::uint32_t sampleOf(const Words& words, int pixel,
                                                             int colour) {
        return C == 1 ? __byte_perm(words[pixel / 4], 0, 0x4440 + pixel % 4)
                      : __byte_perm(words[pixel], 0, 0x4440 + colour);
    }
    template <class Work>
    static __device__ __forceinline__ void forSamples(const Work& work) {
#pragma unroll
        for (int c = 0; c < kColours; ++c)
#pragma unroll
            for (int i = 0; i < kPixels; ++i) work(c, i);
    }

    // In the low byte, from columns of this lane and of those beside it.
    template <bool kRoot>
    static __device__ __forceinline__ void row(const std::uint32_t (&columns)[kPixels],
                                               std::uint32_t (&results)[kPixels]) {
        std::uint32_t around[kPixels + 2 * kRadius];
#pragma unroll
        for (int i = 0; i < kPixels; ++i) around[kRadius + i] = columns[i];
#pragma unroll
        for (int i = 1; i <= kRadius; ++i) {
            const int lanes = (i + kPixels - 1) / kPixels;
            around[kRadius - i] =
                __shfl_up_sync(kAll, columns[lanes * kPixels - i], unsigned(lanes));
            around[kRadius + kPixels - 1 + i] =
                __shfl_down_sync(kAll, columns[i - 1 - (lanes - 1) * kPixels], unsigned(lanes));
        }
        // `both` modulo 2^32: squares and values are told apart by the sum of values alone.
        std::uint32_t sum = 0, both = 0;
#pragma unroll
        for (int i = 0; i < kPixels + 2 * kRadius; ++i) {
            sum += around[i] >> kValueBits;
            both += around[i];
            if (i < kSide - 1) continue;
            const int pixel = i - (kSide - 1);
            const std::uint32_t spread = kCount * both - sum * (sum + kCount * kOne);
            results[pixel] = kRoot ? rootOf(Level::floatOf(spread)) : min(Level::of(spread), 255u);
            sum -= around[pixel] >> kValueBits;
            both -= around[pixel];
        }
    }

    std::uint32_t m_columns[kColours][kPixels] = {};
};

// Blocks of a multiprocessor that registers are to leave room for. For nine the assembler spills
// elsewhere.
constexpr int blocksFor(int channels, int radius) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ != 900
    return 1;
#else
    if (channels == 4) return 5;
    return radius <= 3 ? 9 : 7;
#endif
}

// Output rows [first, last), `rows` a strip; warps are numbered along the rows.
template <int C, int kRadius>
__global__ void __launch_bounds__(kThreads, blocksFor(C, kRadius))
    smallStatisticsKernel(DeviceImage in, DeviceImage out, int first, int last, int rows,
                          FastDivide stripsAcross, std::uint32_t count, bool root) {
    using Lane = LanePixels<C>;
    constexpr int kPixels = Lane::kPixels, kWords = Lane::kWords, kSide = 2 * kRadius + 1;
    // Lanes at each end of a warp that make nothing.
    constexpr int kSpare = (kRadius + kPixels - 1) / kPixels;
    const std::uint32_t index = (blockIdx.x * kThreads + threadIdx.x) / 32;
    if (index >= count) return;
    const int lane = int(threadIdx.x % 32);
    const std::uint32_t down = stripsAcross(index);
    const int strip = int(index - down * stripsAcross.divisor);
    const int x = (strip * (32 - 2 * kSpare) + lane - kSpare) * kPixels;
    const int top = first + int(down) * rows, bottom = min(top + rows, last);
    const int lastX = in.size.width - 1, lastY = in.size.height - 1;
    const Lane pixels(x, lastX);
    const bool makes = lane >= kSpare && lane < 32 - kSpare && x <= lastX;
    const auto fetch = [&](int y, std::uint32_t(&words)[kWords]) {
        pixels.fetch(in.data + std::int64_t(min(max(y, 0), lastY)) * in.pitch, words);
    };
    // Rows are fetched kTurns before they are used: memory takes longer than a row does.
    constexpr int kTurns = C == 1 ? 3 : 2;
    std::uint32_t come[kTurns][kWords], gone[kTurns][kWords], centre[kTurns][kWords];
    const auto fetchFor = [&](int y, int turn) {
        fetch(y + kRadius, come[turn]);
        fetch(y - kRadius - 1, gone[turn]);
        if constexpr (C == 4) fetch(y, centre[turn]);
    };
    // The window of the row above.
    WindowSums<C, kRadius> sums;
    {
        std::uint32_t words[kSide][kWords];
#pragma unroll
        for (int j = 0; j < kSide; ++j) fetch(top + j - kRadius - 1, words[j]);
#pragma unroll
        for (int turn = 0; turn < kTurns; ++turn) fetchFor(top + turn, turn);
#pragma unroll
        for (int j = 0; j < kSide; ++j) {
            pixels.mend(words[j]);
            sums.take(words[j]);
        }
    }
    const auto makeRows = [&]<bool kRoot>() {
        for (int y = top; y < bottom; y += kTurns) {
#pragma unroll
            for (int turn = 0; turn < kTurns; ++turn) {
                if (y + turn >= bottom) return;
                pixels.mend(come[turn]);
                pixels.mend(gone[turn]);
                sums.slide(come[turn], gone[turn]);
                std::uint32_t made[kWords];
                sums.template make<kRoot>(centre[turn], made);
                // What lies beyond the row goes into its padding.
                if (makes)
                    storeWords<4 * kWords>(
                        out.data + std::int64_t(y + turn) * out.pitch + std::int64_t(x) * C, made);
                fetchFor(y + turn + kTurns, turn);
            }
        }
    };
    if (root)
        makeRows.template operator()<true>();
    else
        makeRows.template operator()<false>();
}

template <int C, int kRadius>
void runFor(KernelContext& context, bool root, const DeviceImage& in, const DeviceImage& out) {
    constexpr int kPixels = LanePixels<C>::kPixels;
    constexpr unsigned kStrip = unsigned(32 - 2 * ((kRadius + kPixels - 1) / kPixels)) * kPixels;
    const FastDivide across(divideUp(unsigned(in.size.width), kStrip));
    const std::int64_t work = std::int64_t(across.divisor) * kStrip * C * 24;
    const int most = context.rowsPerLaunch(in.pitch * 3 + out.pitch, work);
    const int rows = std::min(most, slidingRowsFor(kRadius, int(across.divisor), in.size.height,
                                                   context.traits().multiprocessors));
    context.forEachBand(in.size.height, most / rows * rows, [&](int first, int last) {
        const std::uint32_t count = across.divisor * divideUp(unsigned(last - first), rows);
        launch(context, "local statistics", divideUp(std::uint64_t(count) * 32, kThreads), kThreads,
               0, smallStatisticsKernel<C, kRadius>, in, out, first, last, rows, across, count,
               root);
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
