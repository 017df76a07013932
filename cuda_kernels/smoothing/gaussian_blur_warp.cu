// Gaussians of radii up to 8 as products with banded matrices on the integer tensor units, all of
// it in registers: a warp shares nothing with others and waits for nobody. It goes down a strip of
// 16 columns, 16 rows at a time; 16 outputs and 8 neighbours at each side are the 32 that a product
// sums. Weights and the 16-bit intermediate are split into bytes as in gaussian_blur_banded.cu, and
// rows are in such an order there, too, that what a lane holds after the row pass is what it has to
// give to the column pass. One blur, or two of the same colour pixels that make the result
// together.
#include "cuda_kernels/smoothing/blur_mix.cuh"
#include "cuda_kernels/smoothing/gaussian_blur_warp.cuh"

namespace warpscope::cuda {
namespace {

// Where a lane reads 8 pixels of a row. What lies outside the image is the edge's pixel, taken from
// the nearest pixels inside.
template <int Channels>
class Place {
  public:
    __device__ __forceinline__ Place(const DeviceImage& in, int x) {
        const int lastX = in.size.width - 1, inside = in.size.width - x;
        const int first = min(max(x, 0), lastX & ~(kEach - 1));
        m_from = in.data + std::int64_t(first) * (Channels == 1 ? 1 : 4);
        m_toSecond = (min(max(x + kEach, 0), lastX & ~(kEach - 1)) - first) * 4;
        const int edge = x < 0 ? 0 : inside > 0 ? min(inside - 1, 7) : lastX & (kEach - 1);
        const int kept = x < 0 ? 0 : min(max(inside, 0), 8);
        const std::uint32_t mask = kept == 8 ? 0xffffffffu : (1u << (4 * kept)) - 1;
        const std::uint32_t order = (0x76543210u & mask) | (unsigned(edge) * 0x11111111u & ~mask);
        m_low = order & 0xffffu;
        m_high = order >> 16;
    }
    __device__ __forceinline__ void load(Raw<Channels>& raw, std::uint64_t row) const {
        if constexpr (Channels == 1) {
            raw.pixels = *reinterpret_cast<const uint2*>(m_from + row);
        } else {
            raw.pixels[0] = *reinterpret_cast<const uint4*>(m_from + row);
            raw.pixels[1] = *reinterpret_cast<const uint4*>(m_from + row + m_toSecond);
        }
    }
    __device__ __forceinline__ Pixels<Channels> pixels(const Raw<Channels>& raw) const {
        Pixels<Channels> made(raw);
#pragma unroll
        for (int c = 0; c < Channels; ++c) {
            const std::uint32_t first = made.words[c][0], second = made.words[c][1];
            made.words[c][0] = __byte_perm(first, second, m_low);
            made.words[c][1] = __byte_perm(first, second, m_high);
        }
        return made;
    }

  private:
    static constexpr int kEach = Channels == 1 ? 8 : 4;  // pixels of a load
    const std::byte* m_from;
    int m_toSecond;
    std::uint32_t m_low, m_high;  // which of the bytes that were read the pixels are
};

constexpr unsigned kThreads = 128;

// Resident blocks of kThreads: what registers allow.
template <int Channels, int Blurs, class Mix>
constexpr int blocksFor() {
    if (Channels == 3) return 3;
    return Mix::kUsesBeside ? 5 : 6;
}

template <int Channels, int Blurs, class Mix>
__global__ void __launch_bounds__(kThreads, (blocksFor<Channels, Blurs, Mix>()))
    warpBlurKernel(DeviceImage in, DeviceImage out, Strips strips, int above,
                   const uint4* weightsInMemory, Mix mix) {
    constexpr int kPixelBytes = Channels == 1 ? 1 : 4;
    constexpr int kSteps = Channels == 1 ? 2 : 1;  // that are loaded before their turn
    constexpr bool kMultiplied = Channels == 1;
    const std::uint32_t index = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (index >= strips.count) return;
    const std::uint32_t down = strips.across(index);
    const int x = int(index - down * strips.across.divisor) * kSide;
    const int top = strips.first + int(down) * strips.rowsEach;
    const int bottom = min(top + strips.rowsEach, strips.last);
    const int lane = int(threadIdx.x % 32), group = lane / 4, quarter = lane % 4;
    const int lastY = in.size.height - 1;

    beginPiece<kSide * kPixelBytes>(in, strips, above, top, bottom);
    const Place<Channels> place(in, x - kReach + 8 * quarter);
    Raw<Channels> ahead[kSteps + 1][2];
    const auto load = [&](Raw<Channels>(&rows)[2], int y) {
#pragma unroll
        for (int v = 0; v < 2; ++v)
            place.load(rows[v], rowStart(min(max(y + 8 * v + group, 0), lastY), strips.inPitch));
    };
#pragma unroll
    for (int i = 0; i <= kSteps; ++i) load(ahead[i], top - above + kSide * i);
    BandedWeights weights[Blurs];
#pragma unroll
    for (int b = 0; b < Blurs; ++b) weights[b].load(weightsInMemory + b * kFragments * 32 + lane);
    Middle upper[Blurs][Channels][2];
    {
        const Pixels<Channels> first = place.pixels(ahead[0][0]),
                               second = place.pixels(ahead[0][1]);
#pragma unroll
        for (int c = 0; c < Channels; ++c)
#pragma unroll
            for (int b = 0; b < Blurs; ++b)
                rowPass<kMultiplied>(weights[b], first.words[c], second.words[c], upper[b][c]);
    }
    const int column = x + 4 * quarter;
    const std::byte* const besides = in.data + std::int64_t(column) * kPixelBytes;
    std::byte* to =
        out.data + std::int64_t(top + group) * strips.outPitch + std::int64_t(column) * kPixelBytes;
    int y = top;
    // Each step of a round has its own registers for what is loaded: moved to those of another step
    // it would be waited for.
    const auto filterStep = [&](Raw<Channels>(&loaded)[2]) {
        Beside<Channels> beside[2];
        const auto loadBeside = [&] {
#pragma unroll
            for (int r = 0; r < 2; ++r)
                beside[r].load(besides + rowStart(min(y + 8 * r + group, lastY), strips.inPitch));
        };
        if constexpr (Mix::kUsesBeside) loadBeside();
        const Pixels<Channels> first = place.pixels(loaded[0]), second = place.pixels(loaded[1]);
        if (y + kSide * kSteps < bottom) load(loaded, y - above + kSide * (1 + kSteps));
        std::uint32_t results[2][Channels];
#pragma unroll
        for (int c = 0; c < Channels; ++c) {
            // For alpha alone late, because registers are few.
            if (Channels == 3 && !Mix::kUsesBeside && c == Channels - 1) loadBeside();
            std::uint32_t made[Blurs][2];
#pragma unroll
            for (int b = 0; b < Blurs; ++b) {
                Middle lower[2];
                rowPass<kMultiplied>(weights[b], first.words[c], second.words[c], lower);
                columnPass<kMultiplied>(weights[b], upper[b][c], lower, made[b]);
#pragma unroll
                for (int half = 0; half < 2; ++half) upper[b][c][half] = lower[half];
            }
#pragma unroll
            for (int r = 0; r < 2; ++r) {
                if constexpr (Blurs == 2)
                    results[r][c] = mix(made[0][r], made[1][r]);
                else if constexpr (Mix::kUsesBeside)
                    results[r][c] = mix(beside[r].channel(c), made[0][r]);
                else
                    results[r][c] = made[0][r];
            }
        }
#pragma unroll
        for (int r = 0; r < 2; ++r)
            beside[r].store(to + std::int64_t(8 * r) * strips.outPitch, results[r],
                            y + 8 * r + group < bottom);
        y += kSide;
        to += std::int64_t(kSide) * strips.outPitch;
    };
    while (true) {
#pragma unroll
        for (int step = 1; step <= kSteps; ++step) {
            filterStep(ahead[step]);
            if (y >= bottom) return;
        }
    }
}

// How many steps a warp goes down if a multiprocessor holds `blocks`.
template <int Channels>
unsigned stepsFor(unsigned across, unsigned steps, unsigned multiprocessors, unsigned blocks) {
    const unsigned warps = blocks * kThreads / 32;
    if (Channels == 1) return stepsOfWarps(across, steps, multiprocessors, warps);
    // As many pieces as fill the device once: each filters 16 rows more.
    return divideUp(steps, std::max(1u, multiprocessors * warps / across));
}

template <int Channels, int Blurs, class Mix>
void runFor(KernelContext& context, std::initializer_list<const GaussianBlurPlan*> plans,
            const DeviceImage& in, const DeviceImage& out, const Mix& mix) {
    const int above = largestRadius(plans);
    const std::byte* weights = warpWeights(context, plans);
    const FastDivide across(divideUp(unsigned(in.size.width), kSide));
    // As gaussian_blur_banded.cu reckons.
    const std::int64_t work = std::int64_t(across.divisor) * kSide * Channels * Blurs * 24;
    const int bandRows =
        std::max(kSide, context.rowsPerLaunch(in.pitch + out.pitch, work) / kSide * kSide);
    context.forEachBand(in.size.height, bandRows, [&](int first, int last) {
        const unsigned each = stepsFor<Channels>(
            across.divisor, divideUp(unsigned(last - first), kSide),
            unsigned(context.traits().multiprocessors), blocksFor<Channels, Blurs, Mix>());
        const Strips strips(in, out, first, last, across, each, each <= Strips::kShort);
        launchEarly(context, "gaussian warp", strips.blocks(kThreads), kThreads, 0,
                    warpBlurKernel<Channels, Blurs, Mix>, in, out, strips, above,
                    reinterpret_cast<const uint4*>(weights), mix);
    });
}

template <class Mix>
void runFor(KernelContext& context, const GaussianBlurPlan& plan, const DeviceImage& in,
            const DeviceImage& out, const Mix& mix) {
    isColor(in.format) ? runFor<3, 1>(context, {&plan}, in, out, mix)
                       : runFor<1, 1>(context, {&plan}, in, out, mix);
}

}  // namespace

const std::byte* warpWeights(KernelContext& context,
                             std::initializer_list<const GaussianBlurPlan*> plans) {
    return context.device().constants(weightsKey("gaussian warp", plans), [&] {
        std::vector<std::uint32_t> words;
        for (const GaussianBlurPlan* plan : plans)
            appendWeights(
                *plan, largestRadius(plans),
                [](int quarter, int i, int e) { return 8 * quarter + 4 * i + e; }, columnOfOutput,
                words);
        return words;
    });
}

void runGaussianWarp(KernelContext& context, const GaussianBlurPlan& plan, const DeviceImage& in,
                     const DeviceImage& out, const BlurMix* mix) {
    if (prefersGaussianSparse(plan.radius, plan.input, mix != nullptr))
        return runGaussianSparse(context, plan, in, out, mix);
    if (prefersGaussianPairs(plan, in.size, context.traits().multiprocessors))
        return runGaussianPairs(context, plan, in, out, mix);
    mix ? runFor(context, plan, in, out, MixedBytes(*mix))
        : runFor(context, plan, in, out, NoMix());
}

void runGaussianDifference(KernelContext& context, const GaussianBlurPlan& small,
                           const GaussianBlurPlan& large, std::int32_t gain, const DeviceImage& in,
                           const DeviceImage& out) {
    if (prefersGaussianSparse(std::max(small.radius, large.radius), large.input, false))
        return runSparseDifference(context, small, large, gain, in, out);
    if (!isColor(in.format)) return runGrayDifference(context, small, large, gain, in, out);
    runFor<3, 2>(context, {&small, &large}, in, out, AroundGray(gain));
}

}  // namespace warpscope::cuda
