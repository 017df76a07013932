// Gaussians of small radii in registers. A thread goes down a strip of some pixels: it makes the
// row sums of a row with dp2a, two taps at a time, and the column sums of the row that these
// complete. The last rows' sums are a ring in registers, which is why as many rows as it has are
// unrolled. Weights are symmetric: the column pass adds before it multiplies.
#include "cuda_kernels/runtime/row_words.cuh"
#include "cuda_kernels/smoothing/blur_mix.cuh"

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = 128, kFewThreads = 64;
constexpr int kMostRadius = 3;

struct SmallTaps {
    std::uint32_t pairs[kMostRadius + 1] = {};  // of neighbours along a row
    std::uint32_t column[kMostRadius + 1] = {};

    explicit SmallTaps(const GaussianBlurPlan& plan) {
        for (int i = 0; i <= 2 * plan.radius; ++i)
            pairs[i / 2] |= plan.taps[std::size_t(i)] << (i % 2 * 16);
        std::copy_n(plan.taps.begin(), plan.radius + 1, column);
    }
};

// Rounds at a row sum's 8 lowest bits, and at a column sum's 24.
constexpr std::uint32_t kRowHalf = 1u << 7, kColumnHalf = 1u << 23;

template <int C, int kRadius>
struct BlurRow;

template <int kRadius>
struct BlurRow<1, kRadius> {
    static constexpr int kPixels = GrayWords::kPixels, kSums = kPixels;
    static constexpr int kAhead = kRadius == 1 ? 2 : 4;  // rows that are loaded before their turn
    static constexpr int kBlocks = 4;
    GrayWords row;

    __device__ __forceinline__ void load(const std::byte* from, int x, int lastX) {
        row.loadCut(from, x, lastX);
    }
    __device__ __forceinline__ void mend(int x, int lastX) { row.mend(x, lastX); }
    __device__ __forceinline__ std::uint32_t alpha() const { return 0; }
    __device__ __forceinline__ void sums(const SmallTaps& taps,
                                         std::uint32_t (&made)[kSums]) const {
#pragma unroll
        for (int i = 0; i < kPixels; ++i) {
            std::uint32_t sum = kRowHalf;
#pragma unroll
            for (int pair = 0; pair <= kRadius; ++pair) {
                const std::uint32_t four = quad(4 + i - kRadius + pair / 2 * 4);
                sum = pair % 2 ? dotHighUnsigned(taps.pairs[pair], four, sum)
                               : dotLowUnsigned(taps.pairs[pair], four, sum);
            }
            made[i] = sum >> 8;
        }
    }

  private:
    // Four neighbours from byte `at` on; beyond the words is what weighs nothing.
    __device__ __forceinline__ std::uint32_t quad(int at) const {
        const std::uint32_t next = row.words[at / 4 + 1 < 4 ? at / 4 + 1 : 3];
        return at % 4 ? __funnelshift_r(row.words[at / 4], next, 8 * (at % 4)) : row.words[at / 4];
    }
};

template <int kRadius>
struct BlurRow<4, kRadius> {
    static constexpr int kPixels = 4, kSums = 3 * kPixels;
    static constexpr int kSide = kRadius > 2 ? 4 : 2;  // pixels that are loaded at each side
    static constexpr int kWide = kPixels + 2 * kSide;
    static constexpr int kAhead = kRadius == 3 ? 4 : 2;
    // Of radius 3 the ring alone takes 84 registers.
    static constexpr int kBlocks = kRadius == 3 ? 2 : 4;
    std::uint32_t pixels[kWide];

    __device__ __forceinline__ void load(const std::byte* from, int x, int lastX) {
        const auto* row = reinterpret_cast<const std::uint32_t*>(from);
        side(row + max(x - kSide, 0), 0);
        const uint4 own = __ldg(reinterpret_cast<const uint4*>(row + x));
        pixels[kSide] = own.x;
        pixels[kSide + 1] = own.y;
        pixels[kSide + 2] = own.z;
        pixels[kSide + 3] = own.w;
        side(row + min(x + kPixels, lastX & ~(kSide - 1)), kSide + kPixels);
    }
    __device__ __forceinline__ void mend(int x, int lastX) {
#pragma unroll
        for (int i = 0; i < kSide; ++i)
            if (x == 0) pixels[i] = pixels[kSide];
#pragma unroll
        for (int i = kSide + 1; i < kWide; ++i)
            if (x - kSide + i > lastX) pixels[i] = pixels[i - 1];
    }
    // Of the pixels in the middle.
    __device__ __forceinline__ std::uint32_t alpha() const {
        return __byte_perm(blueAlpha(kSide), blueAlpha(kSide + 2), 0x7632);
    }
    // By channel.
    __device__ __forceinline__ void sums(const SmallTaps& taps,
                                         std::uint32_t (&made)[kSums]) const {
#pragma unroll
        for (int i = 0; i < kPixels; ++i) {
            std::uint32_t red = kRowHalf, green = kRowHalf, blue = kRowHalf;
#pragma unroll
            for (int pair = 0; pair <= kRadius; ++pair) {
                const int at = kSide - kRadius + i + 2 * pair;
                const std::uint32_t weights = taps.pairs[pair], two = redGreen(at);
                red = dotLowUnsigned(weights, two, red);
                green = dotHighUnsigned(weights, two, green);
                blue = dotLowUnsigned(weights, blueAlpha(at), blue);
            }
            made[i] = red >> 8;
            made[kPixels + i] = green >> 8;
            made[2 * kPixels + i] = blue >> 8;
        }
    }

  private:
    __device__ __forceinline__ void side(const std::uint32_t* from, int at) {
        if constexpr (kSide == 2) {
            const uint2 two = __ldg(reinterpret_cast<const uint2*>(from));
            pixels[at] = two.x;
            pixels[at + 1] = two.y;
        } else {
            const uint4 four = __ldg(reinterpret_cast<const uint4*>(from));
            pixels[at] = four.x;
            pixels[at + 1] = four.y;
            pixels[at + 2] = four.z;
            pixels[at + 3] = four.w;
        }
    }
    // Of two neighbours; what weighs nothing may be missing.
    __device__ __forceinline__ std::uint32_t redGreen(int at) const {
        return __byte_perm(pixels[at], pixels[at + 1 < kWide ? at + 1 : at], 0x5140);
    }
    __device__ __forceinline__ std::uint32_t blueAlpha(int at) const {
        return __byte_perm(pixels[at], pixels[at + 1 < kWide ? at + 1 : at], 0x7362);
    }
};

// The highest bytes.
__device__ __forceinline__ std::uint32_t highest(std::uint32_t a, std::uint32_t b, std::uint32_t c,
                                                 std::uint32_t d) {
    return __byte_perm(__byte_perm(a, b, 0x0073), __byte_perm(c, d, 0x0073), 0x5410);
}

// Where a thread's strips lie: rows [first, last) of the output, `rowsEach` a strip, numbered along
// the rows.
struct Strips {
    int first, last, rowsEach;
    FastDivide across;
    std::uint32_t count;
};

template <int C, int kRadius, class Mix>
__global__ void __launch_bounds__(kThreads, (BlurRow<C, kRadius>::kBlocks))
    smallBlurKernel(DeviceImage in, DeviceImage beside, DeviceImage out, Strips strips,
                    const __grid_constant__ SmallTaps taps, Mix mix) {
    using Row = BlurRow<C, kRadius>;
    constexpr int kTaken = 2 * kRadius + 1, kAhead = Row::kAhead, kPixels = Row::kPixels;
    const std::uint32_t index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= strips.count) return;
    const std::uint32_t down = strips.across(index);
    const int x = int(index - down * strips.across.divisor) * kPixels;
    const int top = strips.first + int(down) * strips.rowsEach;
    const int bottom = min(top + strips.rowsEach, strips.last);
    const int lastX = in.size.width - 1, lastY = in.size.height - 1;
    const bool cut = x == 0 || x + 2 * kPixels > lastX;
    const auto rowAt = [&](int y) {
        return in.data + std::int64_t(min(max(y, 0), lastY)) * in.pitch;
    };
    Row rows[kTaken];
    std::uint32_t sums[kTaken][Row::kSums], alphas[kTaken];
#pragma unroll
    for (int i = 0; i < kAhead; ++i) rows[i].load(rowAt(top - kRadius + i), x, lastX);
    // Rows of the output that step 0 of a round completes.
    for (int round = top - 2 * kRadius; round < bottom; round += kTaken) {
#pragma unroll
        for (int step = 0; step < kTaken; ++step) {
            const int y = round + step;
            if (y >= bottom) return;
            rows[(step + kAhead) % kTaken].load(rowAt(y + kRadius + kAhead), x, lastX);
            if (cut) rows[step].mend(x, lastX);
            rows[step].sums(taps, sums[step]);
            alphas[step] = rows[step].alpha();
            if (y < top) continue;
            std::uint32_t blurred[Row::kSums / 4];
#pragma unroll
            for (int word = 0; word < Row::kSums / 4; ++word) {
                std::uint32_t totals[4];
#pragma unroll
                for (int i = 0; i < 4; ++i) {
                    const int at = 4 * word + i;
                    totals[i] = kColumnHalf +
                                taps.column[kRadius] * sums[(step + 1 + kRadius) % kTaken][at];
#pragma unroll
                    for (int k = 0; k < kRadius; ++k)
                        totals[i] += taps.column[k] * (sums[(step + 1 + k) % kTaken][at] +
                                                       sums[(step + kTaken - k) % kTaken][at]);
                }
                blurred[word] = highest(totals[0], totals[1], totals[2], totals[3]);
            }
            std::byte* to = out.data + std::int64_t(y) * out.pitch + std::int64_t(x) * C;
            const std::byte* from =
                beside.data + std::int64_t(y) * beside.pitch + std::int64_t(x) * C;
            if constexpr (C == 1) {
                uint2 kept{};
                if constexpr (Mix::kUsesBeside) kept = *reinterpret_cast<const uint2*>(from);
                *reinterpret_cast<uint2*>(to) = {mix(kept.x, blurred[0]), mix(kept.y, blurred[1])};
            } else {
                const std::uint32_t rg[2] = {__byte_perm(blurred[0], blurred[1], 0x5140),
                                             __byte_perm(blurred[0], blurred[1], 0x7362)};
                const std::uint32_t alpha = alphas[(step + 1 + kRadius) % kTaken];
                const std::uint32_t ba[2] = {__byte_perm(blurred[2], alpha, 0x5140),
                                             __byte_perm(blurred[2], alpha, 0x7362)};
                uint4 made = {__byte_perm(rg[0], ba[0], 0x5410), __byte_perm(rg[0], ba[0], 0x7632),
                              __byte_perm(rg[1], ba[1], 0x5410), __byte_perm(rg[1], ba[1], 0x7632)};
                if constexpr (Mix::kUsesBeside) {
                    const uint4 kept = *reinterpret_cast<const uint4*>(from);
                    made = {mix.colours(kept.x, made.x), mix.colours(kept.y, made.y),
                            mix.colours(kept.z, made.z), mix.colours(kept.w, made.w)};
                }
                *reinterpret_cast<uint4*>(to) = made;
            }
        }
    }
}

template <int C, int kRadius, class Mix>
void runFor(KernelContext& context, const GaussianBlurPlan& plan, const DeviceImage& in,
            const DeviceImage& beside, const DeviceImage& out, const Mix& mix) {
    using Row = BlurRow<C, kRadius>;
    constexpr int kTaken = 2 * kRadius + 1;
    const int multiprocessors = context.traits().multiprocessors;
    const FastDivide across(divideUp(unsigned(in.size.width), Row::kPixels));
    // Whole rounds, of which the first ones fill the ring: some 16 rows, fewer where that leaves
    // multiprocessors without work.
    int rounds = int(divideUp(14 + 2 * kRadius, kTaken));
    const auto rowsOf = [&](int count) { return count * kTaken - 2 * kRadius; };
    const auto stripsOf = [&](int rows, int each) {
        return std::int64_t(across.divisor) * divideUp(unsigned(rows), unsigned(each));
    };
    while (rounds > 2 && stripsOf(in.size.height, rowsOf(rounds)) < multiprocessors * 256) --rounds;
    // Small images: a part of the last round, down to a row.
    int each = rowsOf(rounds);
    while (each > 1 && stripsOf(in.size.height, each) < multiprocessors * 192) --each;
    const std::int64_t work =
        std::int64_t(across.divisor) * Row::kPixels * C * (4 * kRadius + 4) * 2;
    const int bandRows =
        std::max(1, context.rowsPerLaunch(in.pitch * 2 + out.pitch, work) / each) * each;
    context.forEachBand(in.size.height, bandRows, [&](int first, int last) {
        const auto count = std::uint32_t(stripsOf(last - first, each));
        const unsigned threads =
            count < unsigned(multiprocessors) * kThreads ? kFewThreads : kThreads;
        launch(context, "gaussian small", divideUp(count, threads), threads, 0,
               smallBlurKernel<C, kRadius, Mix>, in, beside, out,
               Strips{first, last, each, across, count}, SmallTaps(plan), mix);
    });
}

template <int C, class Mix>
void runFor(KernelContext& context, const GaussianBlurPlan& plan, const DeviceImage& in,
            const DeviceImage& beside, const DeviceImage& out, const Mix& mix) {
    if (plan.radius == 1)
        runFor<C, 1>(context, plan, in, beside, out, mix);
    else if (plan.radius == 2)
        runFor<C, 2>(context, plan, in, beside, out, mix);
    else
        runFor<C, 3>(context, plan, in, beside, out, mix);
}

template <class Mix>
void runFor(KernelContext& context, const GaussianBlurPlan& plan, const DeviceImage& in,
            const DeviceImage& beside, const DeviceImage& out, const Mix& mix) {
    isColor(in.format) ? runFor<4>(context, plan, in, beside, out, mix)
                       : runFor<1>(context, plan, in, beside, out, mix);
}

}  // namespace

bool canRunGaussianSmall(const GaussianBlurPlan& plan) {
    return bytesPerSample(plan.input) == 1 && plan.radius >= 1 && plan.radius <= kMostRadius;
}

void runGaussianSmall(KernelContext& context, const GaussianBlurPlan& plan, const DeviceImage& in,
                      const DeviceImage& beside, const DeviceImage& out, const BlurMix* mix) {
    if (mix)
        runFor(context, plan, in, beside, out, MixedBytes(*mix));
    else
        runFor(context, plan, in, in, out, NoMix());
}

}  // namespace warpscope::cuda
