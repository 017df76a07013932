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

// A lane's words of a row.
using Words = std::uint32_t[kWords];

// Where a lane reads of a row; beyond the image the nearest word, which has the edge's pixel.
template <bool Inside>
class Place {
  public:
    __device__ __forceinline__ Place(int width, int x) : m_x(x) {
        if constexpr (!Inside) {
            const int lastX = width - 1;
#pragma unroll
            for (int t = 0; t < kWords; ++t) {
                const int pixel = x + kSide * t;
                m_from[t] = min(max(pixel, 0), lastX & ~3);
                const int kept = pixel < 0 ? 0 : min(max(width - pixel, 0), 4);
                const std::uint32_t mask = (1u << (4 * kept)) - 1;
                const std::uint32_t edge = pixel < 0 ? 0 : unsigned(lastX & 3) * 0x1111u;
                m_order[t] = (0x3210u & mask) | (edge & ~mask);
            }
        }
    }
    __device__ __forceinline__ int column() const {
        return Inside ? m_x : 0;
    }
    __device__ __forceinline__ void load(Words& words, const std::byte* from) const {
#pragma unroll
        for (int t = 0; t < kWords; ++t)
            words[t] = loadPixels<std::uint32_t>(from + (Inside ? kSide * t : m_from[t]));
    }
    __device__ __forceinline__ void mend(Words& words) const {
        if constexpr (!Inside) {
#pragma unroll
            for (int t = 0; t < kWords; ++t) words[t] = __byte_perm(words[t], 0, m_order[t]);
        }
    }

  private:
    int m_x;
    int m_from[kWords];
    std::uint32_t m_order[kWords];  // which of the bytes that were read the pixels are
};

template <class Mix, bool Inside>
__device__ __forceinline__ void filterPiece(const DeviceImage& in, const DeviceImage& out,
                                            const Strips& strips, int above,
                                            const uint4* weightsInMemory, const Mix& mix,
                                            const Piece& piece) {
    const int lane = int(threadIdx.x % 32), group = lane / 4, quarter = lane % 4;
    const Place<Inside> place(in.size.width, piece.x - kReach + 4 * quarter);
    RowOffsets rows(in, strips, piece, above, place.column());
    Words ahead[kSteps + 1][2];  // rows group and 8 + group of each step
#pragma unroll
    for (int i = 0; i <= kSteps; ++i) {
#pragma unroll
        for (int v = 0; v < 2; ++v)
            place.load(ahead[i][v], in.data + (i == 0 ? rows.first(v) : rows(v)));
        rows.goOn();
    }
    BandedWeights weights;
    weights.load(weightsInMemory + lane);
    // The pixels of a step, as the row pass of a tile takes them.
    const auto filterRows = [&](const Words(&words)[2], int t, Middle(&made)[2]) {
        const std::uint32_t first[2] = {words[0][t], words[0][t + 1]};
        const std::uint32_t second[2] = {words[1][t], words[1][t + 1]};
        rowPass<true>(weights, first, second, made);
    };
    Middle upper[kTiles][2];
#pragma unroll
    for (int v = 0; v < 2; ++v) place.mend(ahead[0][v]);
#pragma unroll
    for (int t = 0; t < kTiles; ++t) filterRows(ahead[0], t, upper[t]);

    const bool early = quarter < 2, storing = Inside || piece.x + 8 * quarter < in.size.width;
    RowOffsets besides(in, strips, piece, 0, piece.x + 4 * exchangedWord(quarter));
    const auto outPitch = unsigned(strips.outPitch);
    std::uint32_t to = unsigned(piece.top + group) * outPitch + unsigned(piece.x + 8 * quarter);
    int left = piece.bottom - piece.top;
    // Each step of a round has its own registers for what is loaded, as in gaussian_blur_warp.cu.
    const auto filterStep = [&](Words(&loaded)[2]) {
        std::uint32_t beside[2][kTiles];
        if constexpr (Mix::kUsesBeside) {
#pragma unroll
            for (int r = 0; r < 2; ++r) {
                const std::byte* const from = in.data + besides(r);
#pragma unroll
                for (int t = 0; t < kTiles; ++t)
                    beside[r][t] = *reinterpret_cast<const std::uint32_t*>(from + kSide * t);
            }
        }
        Words now[2];
#pragma unroll
        for (int v = 0; v < 2; ++v) {
#pragma unroll
            for (int t = 0; t < kWords; ++t) now[v][t] = loaded[v][t];
            place.mend(now[v]);
        }
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
        for (int v = 0; v < 2; ++v) place.load(loaded[v], in.data + rows(v));
        rows.goOn();
#pragma unroll
        for (int r = 0; r < 2; ++r) {
            storeExchanged(out.data + (to + 8 * r * outPitch), early, results[r][0], results[r][1],
                           storing && group + 8 * r < left);
        }
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

template <class Mix>
__global__ void __launch_bounds__(kThreads, kBlocks)
    pairBlurKernel(DeviceImage in, DeviceImage out, Strips strips, int above,
                   const uint4* weightsInMemory, Mix mix) {
    const std::uint32_t index = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (index >= strips.count) return;
    const Piece piece = strips.piece(index, kPairColumns);
    beginPiece<kPairColumns>(in, strips, above, piece);
    if (piece.isInside(in.size.width, kPairColumns, kReach))
        filterPiece<Mix, true>(in, out, strips, above, weightsInMemory, mix, piece);
    else
        filterPiece<Mix, false>(in, out, strips, above, weightsInMemory, mix, piece);
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
    const auto multiprocessors = unsigned(context.traits().multiprocessors);
    forEachBlurBand(context, in, out, plan.radius, work,
                    [&](const DeviceImage& from, const DeviceImage& to, int first, int last) {
                        const Strips strips(
                            from, to, first, last, across,
                            stepsOfStrip(across.divisor, divideUp(unsigned(last - first), kSide),
                                         multiprocessors, 1, 2),
                            true);
                        launchEarly(context, "gaussian pairs", strips.blocks(kThreads), kThreads, 0,
                                    pairBlurKernel<Mix>, from, to, strips, plan.radius,
                                    reinterpret_cast<const uint4*>(weights), mix);
                    });
}

}  // namespace

void runGaussianPairs(KernelContext& context, const GaussianBlurPlan& plan, const DeviceImage& in,
                      const DeviceImage& out, const BlurMix* mix) {
    mix ? runFor(context, plan, in, out, SharpenedBytes(*mix))
        : runFor(context, plan, in, out, NoMix());
}

void loadGaussianPairs() {
    loadKernel(pairBlurKernel<NoMix>);
    loadKernel(pairBlurKernel<SharpenedBytes>);
    loadGaussianSparse();
}

}  // namespace warpscope::cuda
