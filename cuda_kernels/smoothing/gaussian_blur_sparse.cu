// Gaussians as in gaussian_blur_warp.cu, a warp going down a strip by itself with both passes in
// its registers, but as products that leave out half of a band's zeros (gaussian_blur_sparse.cuh):
// radii up to 15, and colour up to 7. Large gray images go down two tiles beside each other as in
// gaussian_blur_pairs.cu.
#include "cuda_kernels/runtime/blocks_by_device.cuh"
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
        pixels = loadPixels<std::uint32_t>(from);
    }
    __device__ __forceinline__ void split(std::uint32_t (&words)[1]) const { words[0] = pixels; }
};

template <>
struct FourPixels<3> {
    uint4 pixels;
    __device__ __forceinline__ void load(const std::byte* from) {
        pixels = loadPixels<uint4>(from);
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
template <class T, bool Inside>
class SparsePlace {
  public:
    static constexpr int kPixelBytes = T::kChannels == 1 ? 1 : 4;
    static constexpr int kBetween = T::kSpan / 32;  // words between the pairs of a group
    static constexpr int kWords = T::kTiles + kBetween;
    using Loaded = FourPixels<T::kChannels>[kWords];
    using Given = std::uint32_t[SparseShape<T::kSpan>::kWords];

    __device__ __forceinline__ SparsePlace(int width, int x) : m_x(x) {
        if constexpr (!Inside) {
            const int lastX = width - 1;
            std::uint32_t order[kWords];
#pragma unroll
            for (int i = 0; i < kWords; ++i) {
                const int pixel = x + kSide * i;
                m_from[i] = min(max(pixel, 0), lastX & ~3) * kPixelBytes;
                const int kept = pixel < 0 ? 0 : min(max(width - pixel, 0), 4);
                const std::uint32_t mask = (1u << (4 * kept)) - 1;
                const std::uint32_t edge = pixel < 0 ? 0 : unsigned(lastX & 3) * 0x1111u;
                order[i] = ((0x3210u & mask) | (edge & ~mask)) & 0xffffu;
            }
#pragma unroll
            for (int t = 0; t < T::kTiles; ++t) {
                const std::uint32_t second = order[t + kBetween] + 0x4444u;
                m_first[t] = (order[t] & 0xffu) | (second & 0xffu) << 8;
                m_second[t] = order[t] >> 8 | (second & 0xff00u);
                if constexpr (T::kSpan == 64) m_between[t] = order[t + 1];
            }
        }
    }
    __device__ __forceinline__ int column() const {
        return Inside ? m_x * kPixelBytes : 0;
    }
    __device__ __forceinline__ void load(Loaded& words, const std::byte* from) const {
#pragma unroll
        for (int i = 0; i < kWords; ++i)
            words[i].load(from + (Inside ? kSide * kPixelBytes * i : m_from[i]));
    }
    // The words of a tile.
    __device__ __forceinline__ void give(const std::uint32_t (&words)[kWords][T::kChannels], int t,
                                         int channel, Given& pixels) const {
        const std::uint32_t left = words[t][channel], right = words[t + kBetween][channel];
        pixels[0] = __byte_perm(left, right, Inside ? 0x5410u : m_first[t]);
        pixels[1] = __byte_perm(left, right, Inside ? 0x7632u : m_second[t]);
        if constexpr (T::kSpan == 64) {
            const std::uint32_t between = words[t + 1][channel];
            pixels[2] = pixels[3] = Inside ? between : __byte_perm(between, 0, m_between[t]);
        }
    }

  private:
    int m_x;
    int m_from[kWords];
    std::uint32_t m_first[T::kTiles], m_second[T::kTiles];
    std::uint32_t m_between[T::kTiles];
};

// When the rows of a later step are asked for: before a step's products, unless the piece ends
// before them, or after the products, always, which needs fewer registers and no branch.
enum class Loads { Early, Late };

// `Ahead`: steps that are loaded before their turn; `Blocks`: of a multiprocessor, which registers
// allow.
template <int Channels, int Tiles, int Span, int Blurs, int Ahead, int Blocks, Loads When>
struct SparseTraits {
    static constexpr int kChannels = Channels, kTiles = Tiles, kSpan = Span, kBlurs = Blurs,
                         kAhead = Ahead;
    // Left to itself the assembler makes two blurs of colours with the registers of as many blocks;
    // asked for these it keeps values in memory, with which two blocks were faster all the same.
    // Gray tiles of two, or of two blurs, keep nothing in memory anywhere.
    static constexpr bool kFits = Channels == 1 && Tiles + Blurs > 2;
    static constexpr int kElsewhere = kFits ? Blocks : Blocks - 1;
    static constexpr int kResident = Channels == 3 && Blurs == 2
                                         ? blocksByDevice({0, Blocks == 2 ? Blocks : 0, 0})
                                         : blocksByDevice({kElsewhere, Blocks, kElsewhere});
    static constexpr bool kEarly = When == Loads::Early;
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

template <class T, class Mix, bool Inside>
__device__ __forceinline__ void filterPiece(const DeviceImage& in, const DeviceImage& out,
                                            const Strips& strips, int above,
                                            const uint4* weightsInMemory, const Mix& mix,
                                            const Piece& piece) {
    using Shape = typename T::Shape;
    using Place = SparsePlace<T, Inside>;
    using Rows = typename Place::Loaded[2];  // group and 8 + group of a step
    using Words = std::uint32_t[2][Place::kWords][T::kChannels];
    constexpr int kChannels = T::kChannels, kTiles = T::kTiles, kAhead = T::kAhead;
    constexpr int kKept = Shape::kKept, kPixelBytes = Place::kPixelBytes;
    const int lane = int(threadIdx.x % 32), group = lane / 4, quarter = lane % 4;

    const Place place(in.size.width, piece.x - Shape::kReach + 4 * quarter);
    RowOffsets rows(in, strips, piece, above, place.column());
    Rows ahead[kKept + kAhead];
#pragma unroll
    for (int i = 0; i < kKept + kAhead; ++i) {
#pragma unroll
        for (int v = 0; v < 2; ++v)
            place.load(ahead[i][v], in.data + (i == 0 ? rows.first(v) : rows(v)));
        rows.goOn();
    }
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

    const bool early = quarter < 2,
               storing = Inside || !T::kPairs || piece.x + 8 * quarter < in.size.width;
    const int besideWord = T::kPairs ? exchangedWord(quarter) : quarter;
    RowOffsets besides(in, strips, piece, 0, (piece.x + 4 * besideWord) * kPixelBytes);
    const auto outPitch = unsigned(strips.outPitch);
    std::uint32_t to = unsigned(piece.top + group) * outPitch +
                       unsigned((piece.x + (T::kPairs ? 8 : 4) * quarter) * kPixelBytes);
    int left = piece.bottom - piece.top;
    // Each step of a round has its own registers for what is loaded, as in gaussian_blur_warp.cu.
    const auto filterStep = [&](Rows& loaded) {
        Beside<kChannels> beside[2][kTiles];
        const auto loadBeside = [&] {
#pragma unroll
            for (int r = 0; r < 2; ++r)
#pragma unroll
                for (int t = 0; t < kTiles; ++t)
                    beside[r][t].load(in.data + besides(r) + kSide * t * kPixelBytes);
        };
        if constexpr (Mix::kUsesBeside) loadBeside();
        Words words;
        split(loaded, words);
        const auto loadNext = [&] {
#pragma unroll
            for (int v = 0; v < 2; ++v) place.load(loaded[v], in.data + rows(v));
        };
        if (T::kEarly && left > kSide * kAhead) loadNext();
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
        if (!T::kEarly) loadNext();
        rows.goOn();
#pragma unroll
        for (int r = 0; r < 2; ++r) {
            const bool inside = storing && group + 8 * r < left;
            std::byte* const at = out.data + (to + 8 * r * outPitch);
            if constexpr (T::kPairs)
                storeExchanged(at, early, results[r][0][0], results[r][1][0], inside);
            else
                beside[r][0].store(at, results[r][0], inside);
        }
        besides.goOn();
        to += kSide * outPitch;
        left -= kSide;
    };
    while (true) {
#pragma unroll
        for (int step = 0; step < kAhead; ++step) {
            filterStep(ahead[kKept + step]);
            if (left <= 0) return;
        }
    }
}

template <class T, class Mix>
__global__ void __launch_bounds__(kThreads, T::kResident)
    sparseBlurKernel(DeviceImage in, DeviceImage out, Strips strips, int above,
                     const uint4* weightsInMemory, Mix mix) {
    constexpr int kColumns = kSide * T::kTiles;
    const std::uint32_t index = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (index >= strips.count) return;
    const Piece piece = strips.piece(index, kColumns);
    beginPiece<kColumns*(T::kChannels == 1 ? 1 : 4)>(in, strips, above, piece);
    if (piece.isInside(in.size.width, kColumns, T::Shape::kReach))
        filterPiece<T, Mix, true>(in, out, strips, above, weightsInMemory, mix, piece);
    else
        filterPiece<T, Mix, false>(in, out, strips, above, weightsInMemory, mix, piece);
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
    const auto multiprocessors = unsigned(context.traits().multiprocessors);
    forEachBlurBand(context, in, out, above, work,
                    [&](const DeviceImage& from, const DeviceImage& to, int first, int last) {
                        const unsigned each =
                            stepsOfStrip(across.divisor, divideUp(unsigned(last - first), kSide),
                                         multiprocessors, T::Shape::kKept, T::kTogether);
                        const Strips strips(from, to, first, last, across, each,
                                            T::kFetched || each <= Strips::kShort);
                        launchEarly(context, "gaussian sparse", strips.blocks(kThreads), kThreads,
                                    0, sparseBlurKernel<T, Mix>, from, to, strips, above,
                                    reinterpret_cast<const uint4*>(weights), mix);
                    });
}

// Of a tile or two, one blur or two, with products of 64 or 32; as many blocks of a multiprocessor
// as registers allow, which steps loaded ahead take. Two steps ahead rather than another block are
// for small images and for what has the fewest products a byte; when loads are best was measured.
using Gray = SparseTraits<1, 1, 64, 1, 2, 5, Loads::Early>;
using GrayPairs = SparseTraits<1, 2, 64, 1, 1, 4, Loads::Late>;
using GrayDifference = SparseTraits<1, 1, 64, 2, 1, 3, Loads::Late>;
using Colour = SparseTraits<3, 1, 64, 1, 1, 3, Loads::Early>;
using ColourDifference = SparseTraits<3, 1, 64, 2, 1, 2, Loads::Late>;
using SmallColour = SparseTraits<3, 1, 32, 1, 2, 4, Loads::Late>;
using SmallColourDifference = SparseTraits<3, 1, 32, 2, 1, 3, Loads::Early>;

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
    mix ? runBlur(context, plan, in, out, SharpenedBytes(*mix))
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
    loadKernel(sparseBlurKernel<GrayPairs, SharpenedBytes>);
}

}  // namespace warpscope::cuda
