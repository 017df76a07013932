// Gaussians of gray images and radii up to 8 as in gaussian_blur_warp.cu, but two tiles of 16
// columns beside each other a warp: the words of a row that both need are read once, and lanes
// exchange results so that a warp writes 32 bytes of a row at once, which is what memory takes as a
// whole.
#include "cuda_kernels/smoothing/blur_mix.cuh"
#include "cuda_kernels/smoothing/gaussian_blur_warp.cuh"

namespace warpscope::cuda {
namespace {

constexpr int kTiles = 2;
constexpr int kWords = kTiles + 1;               // of a row a lane: 16 pixels of the strip each
constexpr int kSteps = 2;                        // that are loaded before their turn
constexpr unsigned kThreads = 128, kBlocks = 4;  // blocks of a multiprocessor: registers
static_assert(kTiles * kSide == kPairColumns && kSide == kPairRows);

// Where a lane reads of a row; beyond the image the nearest word, which has the edge's pixel.
struct Place {
    std::uint32_t from[kWords];
    std::uint32_t order[kWords];  // which of the bytes that were read the pixels are

    __device__ __forceinline__ Place(int width, int x) {
        const int lastX = width - 1;
#pragma unroll
        for (int t = 0; t < kWords; ++t) {
            const int pixel = x + kSide * t;
            from[t] = unsigned(min(max(pixel, 0), lastX & ~3));
            const int kept = pixel < 0 ? 0 : min(max(width - pixel, 0), 4);
            const std::uint32_t mask = (1u << (4 * kept)) - 1;
            const std::uint32_t edge = pixel < 0 ? 0 : unsigned(lastX & 3) * 0x1111u;
            order[t] = (0x3210u & mask) | (edge & ~mask);
        }
    }
};

// Rows group and 8 + group of a step.
using Rows = std::uint32_t[2][kWords];

template <class Mix>
__global__ void __launch_bounds__(kThreads, kBlocks)
    pairBlurKernel(DeviceImage in, DeviceImage out, Strips strips, int above,
                   const uint4* weightsInMemory, Mix mix) {
    const std::uint32_t index = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (index >= strips.count) return;
    const std::uint32_t down = strips.across(index);
    const int x = int(index - down * strips.across.divisor) * kPairColumns;
    const int top = strips.first + int(down) * strips.rowsEach;
    const int bottom = min(top + strips.rowsEach, strips.last);
    const int lane = int(threadIdx.x % 32), group = lane / 4, quarter = lane % 4;
    const int lastY = in.size.height - 1;

    beginPiece<kPairColumns>(in, strips, above, top, bottom);
    const Place place(in.size.width, x - kReach + 4 * quarter);
    Rows ahead[kSteps + 1];
    const auto load = [&](Rows& rows, int y) {
#pragma unroll
        for (int v = 0; v < 2; ++v) {
            const std::byte* row =
                in.data + rowStart(min(max(y + 8 * v + group, 0), lastY), strips.inPitch);
#pragma unroll
            for (int t = 0; t < kWords; ++t)
                rows[v][t] = *reinterpret_cast<const std::uint32_t*>(row + place.from[t]);
        }
    };
#pragma unroll
    for (int i = 0; i <= kSteps; ++i) load(ahead[i], top - above + kSide * i);
    BandedWeights weights;
    weights.load(weightsInMemory + lane);
    // The pixels of a step, as the row pass of a tile takes them.
    const auto filterRows = [&](const Rows& rows, int t, Middle(&made)[2]) {
        const std::uint32_t first[2] = {__byte_perm(rows[0][t], 0, place.order[t]),
                                        __byte_perm(rows[0][t + 1], 0, place.order[t + 1])};
        const std::uint32_t second[2] = {__byte_perm(rows[1][t], 0, place.order[t]),
                                         __byte_perm(rows[1][t + 1], 0, place.order[t + 1])};
        rowPass<true>(weights, first, second, made);
    };
    Middle upper[kTiles][2];
#pragma unroll
    for (int t = 0; t < kTiles; ++t) filterRows(ahead[0], t, upper[t]);

    const bool early = quarter < 2, storing = x + 8 * quarter < in.size.width;
    const std::byte* const besides = in.data + x + 4 * exchangedWord(quarter);
    std::byte* to = out.data + std::int64_t(top + group) * strips.outPitch + x + 8 * quarter;
    int y = top;
    do {
        std::uint32_t beside[2][kTiles];
        if constexpr (Mix::kUsesBeside) {
#pragma unroll
            for (int r = 0; r < 2; ++r) {
                const std::byte* from =
                    besides + rowStart(min(y + 8 * r + group, lastY), strips.inPitch);
#pragma unroll
                for (int t = 0; t < kTiles; ++t)
                    beside[r][t] = *reinterpret_cast<const std::uint32_t*>(from + kSide * t);
            }
        }
        Rows now;
#pragma unroll
        for (int v = 0; v < 2; ++v)
#pragma unroll
            for (int t = 0; t < kWords; ++t) {
                now[v][t] = ahead[1][v][t];
#pragma unroll
                for (int i = 1; i < kSteps; ++i) ahead[i][v][t] = ahead[i + 1][v][t];
            }
        if (y + kSide * kSteps < bottom) load(ahead[kSteps], y - above + kSide * (1 + kSteps));
        std::uint32_t results[2][kTiles];
#pragma unroll
        for (int t = 0; t < kTiles; ++t) {
            Middle lower[2];
            filterRows(now, t, lower);
            std::uint32_t made[2];
            columnPass<true>(weights, upper[t], lower, made);
#pragma unroll
            for (int half = 0; half < 2; ++half) upper[t][half] = lower[half];
#pragma unroll
            for (int r = 0; r < 2; ++r) {
                if constexpr (Mix::kUsesBeside)
                    results[r][t] = mix(beside[r][t], made[r]);
                else
                    results[r][t] = made[r];
            }
        }
#pragma unroll
        for (int r = 0; r < 2; ++r) {
            storeExchanged(to + std::int64_t(8 * r) * strips.outPitch, early, results[r][0],
                           results[r][1], storing && y + 8 * r + group < bottom);
        }
        y += kSide;
        to += std::int64_t(kSide) * strips.outPitch;
    } while (y < bottom);
}

template <class Mix>
void runFor(KernelContext& context, const GaussianBlurPlan& plan, const DeviceImage& in,
            const DeviceImage& out, const Mix& mix) {
    const std::byte* weights =
        context.device().constants(weightsKey("gaussian pairs", {&plan}), [&] {
            std::vector<std::uint32_t> words;
            appendWeights(
                plan, plan.radius,
                [](int quarter, int i, int e) { return kSide * i + 4 * quarter + e; },
                [](int m) {
                    const int column = columnOfOutput(m);
                    return 4 * exchangedWord(column / 4) + column % 4;
                },
                words);
            return words;
        });
    const FastDivide across(divideUp(unsigned(in.size.width), kPairColumns));
    // As gaussian_blur_banded.cu reckons.
    const std::int64_t work = std::int64_t(across.divisor) * kPairColumns * 24;
    const int bandRows =
        std::max(kSide, context.rowsPerLaunch(in.pitch + out.pitch, work) / kSide * kSide);
    const auto multiprocessors = unsigned(context.traits().multiprocessors);
    context.forEachBand(in.size.height, bandRows, [&](int first, int last) {
        const Strips strips(in, out, first, last, across,
                            stepsOfStrip(across.divisor, divideUp(unsigned(last - first), kSide),
                                         multiprocessors, 1, 2),
                            true);
        launchEarly(context, "gaussian pairs", strips.blocks(kThreads), kThreads, 0,
                    pairBlurKernel<Mix>, in, out, strips, plan.radius,
                    reinterpret_cast<const uint4*>(weights), mix);
    });
}

}  // namespace

void runGaussianPairs(KernelContext& context, const GaussianBlurPlan& plan, const DeviceImage& in,
                      const DeviceImage& out, const BlurMix* mix) {
    mix ? runFor(context, plan, in, out, MixedBytes(*mix))
        : runFor(context, plan, in, out, NoMix());
}

void loadGaussianPairs() {
    loadKernel(pairBlurKernel<NoMix>);
    loadKernel(pairBlurKernel<MixedBytes>);
    loadGaussianSparse();
}

}  // namespace warpscope::cuda
