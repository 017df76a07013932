// Gaussians of radii up to 8 as products with banded matrices on the integer tensor units, all of
// it in registers: a warp shares nothing with others and waits for nobody. It goes down a strip of
// 16 columns, 16 rows at a time; 16 outputs and 8 neighbours at each side are the 32 that a product
// sums. Weights and the 16-bit intermediate are split into bytes as in gaussian_blur_banded.cu, and
// rows are in such an order there, too, that what a lane holds after the row pass is what it has to
// give to the column pass. One blur, or two of the same pixels that make the result together.
// There is so little to do for a pixel that addresses show: they are 32 bits from where a launch's
// rows begin, and warps whose columns all lie inside the image take pixels as they were read.
#include "cuda_kernels/smoothing/blur_mix.cuh"
#include "cuda_kernels/smoothing/gaussian_blur_warp.cuh"

namespace warpscope::cuda {
namespace {

// Where a lane reads 8 pixels of a row. What lies outside the image is the edge's pixel, taken from
// the nearest pixels inside.
template <int Channels, bool Inside>
class Place;

template <int Channels>
class Place<Channels, true> {
  public:
    static constexpr int kPixelBytes = Channels == 1 ? 1 : 4;

    __device__ __forceinline__ Place(int, int x) : m_x(x) {}
    __device__ __forceinline__ int column() const { return m_x * kPixelBytes; }
    __device__ __forceinline__ void load(Raw<Channels>& raw, const std::byte* from) const {
        if constexpr (Channels == 1) {
            raw.pixels = loadPixels<uint2>(from);
        } else {
            raw.pixels[0] = loadPixels<uint4>(from);
            raw.pixels[1] = loadPixels<uint4>(from + 16);
        }
    }
    __device__ __forceinline__ Pixels<Channels> pixels(const Raw<Channels>& raw) const {
        return Pixels<Channels>(raw);
    }

  private:
    int m_x;
};

template <int Channels>
class Place<Channels, false> {
  public:
    static constexpr int kPixelBytes = Channels == 1 ? 1 : 4;

    __device__ __forceinline__ Place(int width, int x) {
        const int lastX = width - 1, inside = width - x;
        m_first = min(max(x, 0), lastX & ~(kEach - 1));
        m_toSecond = (min(max(x + kEach, 0), lastX & ~(kEach - 1)) - m_first) * kPixelBytes;
        const int edge = x < 0 ? 0 : inside > 0 ? min(inside - 1, 7) : lastX & (kEach - 1);
        const int kept = x < 0 ? 0 : min(max(inside, 0), 8);
        const std::uint32_t mask = kept == 8 ? 0xffffffffu : (1u << (4 * kept)) - 1;
        const std::uint32_t order = (0x76543210u & mask) | (unsigned(edge) * 0x11111111u & ~mask);
        m_low = order & 0xffffu;
        m_high = order >> 16;
    }
    __device__ __forceinline__ int column() const { return m_first * kPixelBytes; }
    __device__ __forceinline__ void load(Raw<Channels>& raw, const std::byte* from) const {
        if constexpr (Channels == 1) {
            raw.pixels = loadPixels<uint2>(from);
        } else {
            raw.pixels[0] = loadPixels<uint4>(from);
            raw.pixels[1] = loadPixels<uint4>(from + m_toSecond);
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
    int m_first, m_toSecond;
    std::uint32_t m_low, m_high;  // which of the bytes that were read the pixels are
};

constexpr unsigned kThreads = 128;

// Resident blocks of kThreads: what registers allow.
template <int Channels, int Blurs, class Mix>
constexpr int blocksFor() {
    if (Channels == 3) return Mix::kUsesBeside ? 4 : 3;
    if (Blurs == 2) return 4;
    return Mix::kUsesBeside ? 5 : 6;
}
// Left to itself the assembler makes two blurs of three colours with the registers of as many
// blocks; asked for these it keeps values in memory.
template <int Channels, int Blurs, class Mix>
constexpr int residentFor() {
    return Channels == 3 && Blurs == 2 ? 0 : blocksFor<Channels, Blurs, Mix>();
}

template <int Channels, int Blurs, class Mix, bool Inside>
__device__ __forceinline__ void filterPiece(const DeviceImage& in, const DeviceImage& out,
                                            const Strips& strips, int above,
                                            const uint4* weightsInMemory, const Mix& mix,
                                            const Piece& piece) {
    constexpr int kPixelBytes = Channels == 1 ? 1 : 4;
    constexpr int kSteps = Channels == 1 ? 2 : 1;  // that are loaded before their turn
    constexpr bool kMultiplied = Channels == 1;
    constexpr bool kEarly = Channels == 1 && Blurs == 1;  // small images: few warps to wait with
    const int lane = int(threadIdx.x % 32), group = lane / 4, quarter = lane % 4;
    const Place<Channels, Inside> place(in.size.width, piece.x - kReach + 8 * quarter);
    RowOffsets rows(in, strips, piece, above, place.column());
    Raw<Channels> ahead[kSteps + 1][2];
#pragma unroll
    for (int i = 0; i <= kSteps; ++i) {
#pragma unroll
        for (int v = 0; v < 2; ++v)
            place.load(ahead[i][v], in.data + (i == 0 ? rows.first(v) : rows(v)));
        rows.goOn();
    }
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
    const int column = (piece.x + 4 * quarter) * kPixelBytes;
    RowOffsets besides(in, strips, piece, 0, column);
    const auto outPitch = unsigned(strips.outPitch);
    std::uint32_t to = unsigned(piece.top + group) * outPitch + unsigned(column);
    int left = piece.bottom - piece.top;
    // Each step of a round has its own registers for what is loaded: moved to those of another step
    // it would be waited for.
    const auto filterStep = [&](Raw<Channels>(&loaded)[2]) {
        Beside<Channels> beside[2];
        const auto loadBeside = [&] {
#pragma unroll
            for (int r = 0; r < 2; ++r) beside[r].load(in.data + besides(r));
        };
        if constexpr (Mix::kUsesBeside) loadBeside();
        const Pixels<Channels> first = place.pixels(loaded[0]), second = place.pixels(loaded[1]);
        const auto loadNext = [&] {
#pragma unroll
            for (int v = 0; v < 2; ++v) place.load(loaded[v], in.data + rows(v));
        };
        if (kEarly && left > kSide * kSteps) loadNext();
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
        if (!kEarly) loadNext();
        rows.goOn();
#pragma unroll
        for (int r = 0; r < 2; ++r)
            beside[r].store(out.data + (to + 8 * r * outPitch), results[r], group + 8 * r < left);
        besides.goOn();
        to += kSide * outPitch;
        left -= kSide;
    };
    while (true) {
#pragma unroll
        for (int step = 1; step <= kSteps; ++step) {
            filterStep(ahead[step]);
            if (left <= 0) return;
        }
    }
}

template <int Channels, int Blurs, class Mix>
__global__ void __launch_bounds__(kThreads, (residentFor<Channels, Blurs, Mix>()))
    warpBlurKernel(DeviceImage in, DeviceImage out, Strips strips, int above,
                   const uint4* weightsInMemory, Mix mix) {
    const std::uint32_t index = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (index >= strips.count) return;
    const Piece piece = strips.piece(index, kSide);
    beginPiece<kSide*(Channels == 1 ? 1 : 4)>(in, strips, above, piece);
    if (piece.isInside(in.size.width, kSide, kReach))
        filterPiece<Channels, Blurs, Mix, true>(in, out, strips, above, weightsInMemory, mix,
                                                piece);
    else
        filterPiece<Channels, Blurs, Mix, false>(in, out, strips, above, weightsInMemory, mix,
                                                 piece);
}

// How many steps a warp goes down if a multiprocessor holds `blocks`.
template <int Channels>
unsigned stepsFor(unsigned across, unsigned steps, unsigned multiprocessors, unsigned blocks) {
    const unsigned warps = blocks * kThreads / 32;
    if (Channels == 1) return stepsOfWarps(across, steps, multiprocessors, warps);
    // As many pieces as fill the device once: each filters 16 rows more.
    return divideUp(steps, std::max(1u, multiprocessors * warps / across));
}

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

template <int Channels, int Blurs, class Mix>
void runFor(KernelContext& context, std::initializer_list<const GaussianBlurPlan*> plans,
            const DeviceImage& in, const DeviceImage& out, const Mix& mix) {
    const int above = largestRadius(plans);
    const std::byte* weights = warpWeights(context, plans);
    const FastDivide across(divideUp(unsigned(in.size.width), kSide));
    // As gaussian_blur_banded.cu reckons.
    const std::int64_t work = std::int64_t(across.divisor) * kSide * Channels * Blurs * 24;
    forEachBlurBand(
        context, in, out, above, work,
        [&](const DeviceImage& from, const DeviceImage& to, int first, int last) {
            const unsigned each = stepsFor<Channels>(
                across.divisor, divideUp(unsigned(last - first), kSide),
                unsigned(context.traits().multiprocessors), blocksFor<Channels, Blurs, Mix>());
            const Strips strips(from, to, first, last, across, each, each <= Strips::kShort);
            launchEarly(context, "gaussian warp", strips.blocks(kThreads), kThreads, 0,
                        warpBlurKernel<Channels, Blurs, Mix>, from, to, strips, above,
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

void runGaussianWarp(KernelContext& context, const GaussianBlurPlan& plan, const DeviceImage& in,
                     const DeviceImage& out, const BlurMix* mix) {
    if (prefersGaussianSparse(plan.radius, plan.input, mix != nullptr))
        return runGaussianSparse(context, plan, in, out, mix);
    if (prefersGaussianPairs(plan, in.size, context.traits().multiprocessors))
        return runGaussianPairs(context, plan, in, out, mix);
    mix ? runFor(context, plan, in, out, SharpenedBytes(*mix))
        : runFor(context, plan, in, out, NoMix());
}

void runGaussianDifference(KernelContext& context, const GaussianBlurPlan& small,
                           const GaussianBlurPlan& large, std::int32_t gain, const DeviceImage& in,
                           const DeviceImage& out) {
    if (prefersGaussianSparse(std::max(small.radius, large.radius), large.input, false))
        return runSparseDifference(context, small, large, gain, in, out);
    const AroundGray mix(gain);
    isColor(in.format) ? runFor<3, 2>(context, {&small, &large}, in, out, mix)
                       : runFor<1, 2>(context, {&small, &large}, in, out, mix);
}

}  // namespace warpscope::cuda
