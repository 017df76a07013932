// Gaussians as in gaussian_blur_warp.cu, a warp going down a strip by itself with both passes in
// its registers, but as products that leave out half of a band's zeros (gaussian_blur_sparse.cuh):
// radii up to 15, and colour up to 7. Large gray images go down two tiles beside each other as in
// gaussian_blur_pairs.cu.
#include "cuda_kernels/smoothing/blur_mix.cuh"
#include "cuda_kernels/smoothing/gaussian_blur_sparse.cuh"

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = 128;

// Four pixels of a row as they are loaded.
template <int Channels>
struct FourPixels;

template <>
struct FourPixels<1> {
    std::uint32_t pixels;
    __device__ __forceinline__ void load(const std::byte* from) {
        pixels = *reinterpret_cast<const std::uint32_t*>(from);
    }
    __device__ __forceinline__ void split(std::uint32_t (&words)[1]) const { words[0] = pixels; }
};

template <>
struct FourPixels<3> {
    uint4 pixels;
    __device__ __forceinline__ void load(const std::byte* from) {
        pixels = *reinterpret_cast<const uint4*>(from);
    }
    __device__ __forceinline__ void split(std::uint32_t (&words)[3]) const {
        const std::uint32_t rg01 = __byte_perm(pixels.x, pixels.y, 0x5140);
        const std::uint32_t rg23 = __byte_perm(pixels.z, pixels.w, 0x5140);
        words[0] = __byte_perm(rg01, rg23, 0x5410);
        words[1] = __byte_perm(rg01, rg23, 0x7632);
        words[2] = __byte_perm(__byte_perm(pixels.x, pixels.y, 0x0062),
                               __byte_perm(pixels.z, pixels.w, 0x0062), 0x5410);
    }
};

// Where a lane reads of a row: words 16 pixels apart, beyond the image the nearest one, which has
// the edge's pixel; and how a product takes their bytes.
template <int Channels, int Tiles, int Span>
class SparsePlace {
  public:
    static constexpr int kBetween = Span / 32;  // words between the pairs of a group
    static constexpr int kWords = Tiles + kBetween;

    __device__ __forceinline__ SparsePlace(int width, int x) {
        const int lastX = width - 1;
        std::uint32_t order[kWords];
#pragma unroll
        for (int i = 0; i < kWords; ++i) {
            const int pixel = x + kSide * i;
            m_from[i] = unsigned(min(max(pixel, 0), lastX & ~3)) * (Channels == 1 ? 1u : 4u);
            const int kept = pixel < 0 ? 0 : min(max(width - pixel, 0), 4);
            const std::uint32_t mask = (1u << (4 * kept)) - 1;
            const std::uint32_t edge = pixel < 0 ? 0 : unsigned(lastX & 3) * 0x1111u;
            order[i] = ((0x3210u & mask) | (edge & ~mask)) & 0xffffu;
        }
#pragma unroll
        for (int t = 0; t < Tiles; ++t) {
            const std::uint32_t second = order[t + kBetween] + 0x4444u;
            m_first[t] = (order[t] & 0xffu) | (second & 0xffu) << 8;
            m_second[t] = order[t] >> 8 | (second & 0xff00u);
            if constexpr (Span == 64) m_between[t] = order[t + 1];
        }
    }
    __device__ __forceinline__ void load(FourPixels<Channels> (&words)[kWords],
                                         const std::byte* row) const {
#pragma unroll
        for (int i = 0; i < kWords; ++i) words[i].load(row + m_from[i]);
    }
    // The words of a tile.
    __device__ __forceinline__ void give(const std::uint32_t (&words)[kWords][Channels], int t,
                                         int channel,
                                         std::uint32_t (&pixels)[SparseShape<Span>::kWords]) const {
        const std::uint32_t left = words[t][channel], right = words[t + kBetween][channel];
        pixels[0] = __byte_perm(left, right, m_first[t]);
        pixels[1] = __byte_perm(left, right, m_second[t]);
        if constexpr (Span == 64)
            pixels[2] = pixels[3] = __byte_perm(words[t + 1][channel], 0, m_between[t]);
    }

  private:
    std::uint32_t m_from[kWords];
    std::uint32_t m_first[Tiles], m_second[Tiles];
    std::uint32_t m_between[Span == 64 ? Tiles : 1];
};

// `Ahead`: steps that are loaded before their turn; `Blocks`: of a multiprocessor, which registers
// allow.
template <int Channels, int Tiles, int Span, int Blurs, int Ahead, int Blocks>
struct SparseTraits {
    static constexpr int kChannels = Channels, kTiles = Tiles, kSpan = Span, kBlurs = Blurs,
                         kAhead = Ahead, kBlocks = Blocks;
    static constexpr bool kMultiplied = Channels == 1 || (Blurs == 2 && Span == 32);
    // Blocks that a multiprocessor takes at once. One tile of a blur is for small images.
    static constexpr unsigned kTogether =
        Channels == 1 && Tiles == 1 && Blurs == 1 ? 1 : unsigned(Blocks);
    // Whether rows are fetched even where a warp goes down many steps.
    static constexpr bool kFetched = Blurs == 1 && Span == 64 && (Tiles == 2 || Channels == 3);
    using Shape = SparseShape<Span>;
    static constexpr bool kPairs = Tiles == 2;  // whose lanes exchange words
    static_assert(Tiles == 1 || (Tiles == 2 && Channels == 1));

    static constexpr int columnOf(int m) {
        const int column = columnOfOutput(m);
        return kPairs ? 4 * exchangedWord(column / 4) + column % 4 : column;
    }
};

template <class T, class Mix>
__global__ void __launch_bounds__(kThreads, T::kBlocks)
    sparseBlurKernel(DeviceImage in, DeviceImage out, Strips strips, int above,
                     const uint4* weightsInMemory, Mix mix) {
    using Shape = typename T::Shape;
    using Place = SparsePlace<T::kChannels, T::kTiles, T::kSpan>;
    using Rows = FourPixels<T::kChannels>[2][Place::kWords];  // group and 8 + group of a step
    using Words = std::uint32_t[2][Place::kWords][T::kChannels];
    constexpr int kChannels = T::kChannels, kTiles = T::kTiles, kAhead = T::kAhead;
    constexpr int kKept = Shape::kKept, kPixelBytes = kChannels == 1 ? 1 : 4;
    const std::uint32_t index = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (index >= strips.count) return;
    const std::uint32_t down = strips.across(index);
    const int x = int(index - down * strips.across.divisor) * kSide * kTiles;
    const int top = strips.first + int(down) * strips.rowsEach;
    const int bottom = min(top + strips.rowsEach, strips.last);
    const int lane = int(threadIdx.x % 32), group = lane / 4, quarter = lane % 4;
    const int lastX = in.size.width - 1, lastY = in.size.height - 1;

    beginPiece<kSide * kTiles * kPixelBytes>(in, strips, above, top, bottom);
    const Place place(in.size.width, x - Shape::kReach + 4 * quarter);
    Rows ahead[kAhead + kKept];
    const auto load = [&](Rows& rows, int y) {
#pragma unroll
        for (int v = 0; v < 2; ++v)
            place.load(rows[v],
                       in.data + rowStart(min(max(y + 8 * v + group, 0), lastY), strips.inPitch));
    };
#pragma unroll
    for (int i = 0; i < kAhead + kKept; ++i) load(ahead[i], top - above + kSide * i);
    SparseWeights<T::kSpan> weights[T::kBlurs];
#pragma unroll
    for (int b = 0; b < T::kBlurs; ++b)
        weights[b].load(weightsInMemory + b * Shape::kFragments * 32 + lane);
    SparsePairs pairs;
    pairs.load(weightsInMemory + Shape::kWeights * 32 + lane);
    const auto split = [&](const Rows& rows, Words& words) {
#pragma unroll
        for (int v = 0; v < 2; ++v)
#pragma unroll
            for (int i = 0; i < Place::kWords; ++i) rows[v][i].split(words[v][i]);
    };
    const auto give = [&](const Words& words, int t, int c,
                          std::uint32_t(&pixels)[2][Shape::kWords]) {
#pragma unroll
        for (int v = 0; v < 2; ++v) place.give(words[v], t, c, pixels[v]);
    };
    SparseMiddle kept[T::kBlurs][kChannels][kTiles][kKept];
#pragma unroll
    for (int k = 0; k < kKept; ++k) {
        Words words;
        split(ahead[k], words);
#pragma unroll
        for (int c = 0; c < kChannels; ++c)
#pragma unroll
            for (int t = 0; t < kTiles; ++t) {
                std::uint32_t pixels[2][Shape::kWords];
                give(words, t, c, pixels);
#pragma unroll
                for (int b = 0; b < T::kBlurs; ++b)
                    sparseRowPass<T::kSpan, T::kMultiplied>(weights[b], pairs, pixels,
                                                            kept[b][c][t][k]);
            }
    }
#pragma unroll
    for (int i = 0; i < kAhead; ++i)
#pragma unroll
        for (int v = 0; v < 2; ++v)
#pragma unroll
            for (int w = 0; w < Place::kWords; ++w) ahead[i][v][w] = ahead[i + kKept][v][w];

    const bool early = quarter < 2;
    const int besideWord = T::kPairs ? exchangedWord(quarter) : quarter;
    const std::byte* const besides = in.data + std::int64_t(x + 4 * besideWord) * kPixelBytes;
    std::byte* to = out.data + std::int64_t(top + group) * strips.outPitch +
                    std::int64_t(x + (T::kPairs ? 8 : 4) * quarter) * kPixelBytes;
    int y = top;
    do {
        Beside<kChannels> beside[2][kTiles];
        const auto loadBeside = [&] {
#pragma unroll
            for (int r = 0; r < 2; ++r)
#pragma unroll
                for (int t = 0; t < kTiles; ++t)
                    beside[r][t].load(besides +
                                      rowStart(min(y + 8 * r + group, lastY), strips.inPitch) +
                                      kSide * t * kPixelBytes);
        };
        if constexpr (Mix::kUsesBeside) loadBeside();
        Words words;
        split(ahead[0], words);
#pragma unroll
        for (int i = 1; i < kAhead; ++i)
#pragma unroll
            for (int v = 0; v < 2; ++v)
#pragma unroll
                for (int w = 0; w < Place::kWords; ++w) ahead[i - 1][v][w] = ahead[i][v][w];
        if (y + kSide * kAhead < bottom)
            load(ahead[kAhead - 1], y - above + kSide * (kKept + kAhead));
        std::uint32_t results[2][kTiles][kChannels];
#pragma unroll
        for (int c = 0; c < kChannels; ++c) {
            // For alpha alone late, because registers are few.
            if (kChannels == 3 && !Mix::kUsesBeside && c == kChannels - 1) loadBeside();
#pragma unroll
            for (int t = 0; t < kTiles; ++t) {
                std::uint32_t pixels[2][Shape::kWords];
                give(words, t, c, pixels);
                std::uint32_t made[T::kBlurs][2];
#pragma unroll
                for (int b = 0; b < T::kBlurs; ++b) {
                    SparseMiddle below;
                    sparseRowPass<T::kSpan, T::kMultiplied>(weights[b], pairs, pixels, below);
                    sparseColumnPass<T::kSpan, T::kMultiplied>(weights[b], pairs, kept[b][c][t],
                                                               below, made[b]);
#pragma unroll
                    for (int half = 0; half < 2; ++half)
#pragma unroll
                        for (int v = 0; v < 2; ++v) {
                            if constexpr (kKept == 2)
                                kept[b][c][t][0][half][v] = kept[b][c][t][1][half][v];
                            kept[b][c][t][kKept - 1][half][v] = below[half][v];
                        }
                }
#pragma unroll
                for (int r = 0; r < 2; ++r) {
                    if constexpr (T::kBlurs == 2)
                        results[r][t][c] = mix(made[0][r], made[1][r]);
                    else if constexpr (Mix::kUsesBeside)
                        results[r][t][c] = mix(beside[r][t].channel(c), made[0][r]);
                    else
                        results[r][t][c] = made[0][r];
                }
            }
        }
#pragma unroll
        for (int r = 0; r < 2; ++r) {
            const bool inside = y + 8 * r + group < bottom;
            std::byte* const at = to + std::int64_t(8 * r) * strips.outPitch;
            if constexpr (T::kPairs)
                storeExchanged(at, early, results[r][0][0], results[r][1][0],
                               inside && x + 8 * quarter <= lastX);
            else
                beside[r][0].store(at, results[r][0], inside);
        }
        y += kSide;
        to += std::int64_t(kSide) * strips.outPitch;
    } while (y < bottom);
}

template <class T, class Mix>
void runFor(KernelContext& context, std::initializer_list<const GaussianBlurPlan*> plans,
            const DeviceImage& in, const DeviceImage& out, const Mix& mix) {
    const int above = largestRadius(plans);
    const std::string kind =
        "gaussian sparse " + std::to_string(T::kSpan) + (T::kPairs ? " pairs" : "");
    const std::byte* weights = context.device().constants(weightsKey(kind, plans), [&] {
        std::vector<std::uint32_t> words;
        const SparseTable<T::kSpan, int (*)(int)> table(above, T::columnOf);
        for (const GaussianBlurPlan* plan : plans) table.append(*plan, words);
        return words;
    });
    const FastDivide across(divideUp(unsigned(in.size.width), kSide * T::kTiles));
    // As gaussian_blur_warp.cu reckons; products of 64 take half again as long.
    const std::int64_t work = std::int64_t(across.divisor) * kSide * T::kTiles * T::kChannels *
                              T::kBlurs * (T::kSpan == 64 ? 36 : 24);
    const int bandRows =
        std::max(kSide, context.rowsPerLaunch(in.pitch + out.pitch, work) / kSide * kSide);
    const auto multiprocessors = unsigned(context.traits().multiprocessors);
    context.forEachBand(in.size.height, bandRows, [&](int first, int last) {
        const unsigned each = stepsOfStrip(across.divisor, divideUp(unsigned(last - first), kSide),
                                           multiprocessors, T::Shape::kKept, T::kTogether);
        const Strips strips(in, out, first, last, across, each,
                            T::kFetched || each <= Strips::kShort);
        launchEarly(context, "gaussian sparse", strips.blocks(kThreads), kThreads, 0,
                    sparseBlurKernel<T, Mix>, in, out, strips, above,
                    reinterpret_cast<const uint4*>(weights), mix);
    });
}

// Of a tile or two, one blur or two, with products of 64 or 32; as many blocks of a multiprocessor
// as registers allow, which steps loaded ahead take.
using Gray = SparseTraits<1, 1, 64, 1, 2, 5>;
using GrayPairs = SparseTraits<1, 2, 64, 1, 2, 3>;
using GrayDifference = SparseTraits<1, 1, 64, 2, 1, 3>;
using Colour = SparseTraits<3, 1, 64, 1, 1, 3>;
using ColourDifference = SparseTraits<3, 1, 64, 2, 1, 2>;
using SmallColour = SparseTraits<3, 1, 32, 1, 2, 4>;
using SmallColourDifference = SparseTraits<3, 1, 32, 2, 2, 3>;

template <class Mix>
void runBlur(KernelContext& context, const GaussianBlurPlan& plan, const DeviceImage& in,
             const DeviceImage& out, const Mix& mix) {
    if (!isColor(in.format))
        return prefersGaussianPairs(plan, in.size, context.traits().multiprocessors)
                   ? runFor<GrayPairs>(context, {&plan}, in, out, mix)
                   : runFor<Gray>(context, {&plan}, in, out, mix);
    // What is mixed has no small radii here.
    if constexpr (!Mix::kUsesBeside) {
        if (plan.radius <= kMostSmallSparseRadius)
            return runFor<SmallColour>(context, {&plan}, in, out, mix);
    }
    runFor<Colour>(context, {&plan}, in, out, mix);
}

}  // namespace

void runGaussianSparse(KernelContext& context, const GaussianBlurPlan& plan, const DeviceImage& in,
                       const DeviceImage& out, const BlurMix* mix) {
    mix ? runBlur(context, plan, in, out, MixedBytes(*mix))
        : runBlur(context, plan, in, out, NoMix());
}

void runSparseDifference(KernelContext& context, const GaussianBlurPlan& small,
                         const GaussianBlurPlan& large, std::int32_t gain, const DeviceImage& in,
                         const DeviceImage& out) {
    const AroundGray mix(gain);
    if (!isColor(in.format))
        runFor<GrayDifference>(context, {&small, &large}, in, out, mix);
    else if (std::max(small.radius, large.radius) <= kMostSmallSparseRadius)
        runFor<SmallColourDifference>(context, {&small, &large}, in, out, mix);
    else
        runFor<ColourDifference>(context, {&small, &large}, in, out, mix);
}

void loadGaussianSparse() {
    loadKernel(sparseBlurKernel<GrayPairs, NoMix>);
    loadKernel(sparseBlurKernel<GrayPairs, MixedBytes>);
}

}  // namespace warpscope::cuda
