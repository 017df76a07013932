// A thread makes eight samples side by side, eight gray pixels or two of colour, of a column of
// pairs of rows: 2j - 1 and 2j have the same taps. It keeps rows of the input, resized across, as
// halves of words, two of which make a row of the output with weights of bytes; a new one takes the
// place of the oldest. The loop is some rows long so that places are known, and words of the next
// rows are always on their way.
//
// Four taps: weights of doubling are bytes times 512. Across, one product of bytes makes half of
// what is kept elsewhere, without a remainder. Six: see resize_enlarged.cu. Samples at the edges of
// the image have other weights and are made one by one.
#include "cuda_kernels/geometry/resize_doubled.cuh"

#include "cuda_kernels/geometry/resize_halves.cuh"
#include "cuda_kernels/runtime/cut_bytes.cuh"
#include "cuda_kernels/runtime/dot_products.cuh"
#include "cuda_kernels/runtime/sample_loads.cuh"

namespace warpscope::cuda {
namespace {

// Warps have nothing in common: small blocks spread evenly.
constexpr unsigned kThreads = 64;
constexpr int kSamples = 8;
static_assert(kSmallWeight == 512);

__device__ __forceinline__ std::uint32_t bytes(std::uint32_t a, std::uint32_t b, unsigned select) {
    return __byte_perm(a, b, select);
}

// Weights of even and odd samples. `exact`: in device memory, kTaps of each column, then row.
template <int kTaps>
struct DoubledWeights;

template <>
struct DoubledWeights<4> {
    std::uint32_t across[2], down[4][2];  // down: turned by so many bytes
    const std::int32_t* exact;

    __device__ __forceinline__ std::uint32_t middle(int parity, std::uint32_t taps, std::uint32_t,
                                                    bool) const {
        return std::uint32_t(max(min(dotBytes(across[parity], taps, 0), 128 * 255), 0));
    }
};
template <>
struct DoubledWeights<6> {
    std::uint32_t high[2], low[2][3], down[2][3];
    const std::int32_t* exact;

    // 8 bits more than a sample in the upper three bytes. The last two taps are in a half of
    // `more`.
    __device__ __forceinline__ std::uint32_t middle(int parity, std::uint32_t taps,
                                                    std::uint32_t more, bool upper) const {
        int made = dotBytes(high[parity], taps, 0) * 32768 + 128;
        made = dotLow(low[parity][0], taps, made);
        made = dotHigh(low[parity][1], taps, made);
        made = upper ? dotHigh(low[parity][2], more, made) : dotLow(low[parity][2], more, made);
        return std::uint32_t(max(min(made, 255 << 16 | 255), 0));
    }
};

struct DoubledTiles {
    FastDivide across;
    int firstColumn, columns;    // of eight samples, without those at the edges
    int firstPair, pairs, each;  // of the launch, and of a tile
};

// Pixels at the edges: doubledEdge() rows above and below, and columns left and right.
struct DoubledEdges {
    std::uint32_t left, right, count;
};

// Taps of eight samples across, of words that begin kBack before the column's own.
template <int C, int kTaps>
struct AcrossDoubled;

template <int kTaps>
struct AcrossDoubled<1, kTaps> {
    static constexpr int kLoaded = 3, kBack = 1;
    std::uint32_t words[kLoaded];

    // Four bytes from so many on.
    template <int kFrom>
    __device__ __forceinline__ std::uint32_t at() const {
        constexpr int kWord = kFrom / 4;
        const std::uint32_t next = kWord + 1 < kLoaded ? words[min(kWord + 1, kLoaded - 1)] : 0;
        return kFrom % 4 ? __funnelshift_r(words[kWord], next, kFrom % 4 * 8) : words[kWord];
    }
    template <int I>
    __device__ __forceinline__ std::uint32_t middle(const DoubledWeights<kTaps>& weights) const {
        constexpr int kFrom = 4 * kBack + doubledFirst(I, kTaps);
        return weights.middle(I % 2, at<kFrom>(), kTaps > 4 ? at<kFrom + 4>() : 0, false);
    }
    __device__ __forceinline__ void prepare() {}
};

template <int kTaps>
struct AcrossDoubled<4, kTaps> {
    static constexpr int kLoaded = kTaps + 1, kBack = kTaps / 2;
    std::uint32_t words[kLoaded];
    // Of the first pixel, and of both the last two taps, two channels in a word.
    std::uint32_t taps[4], more[2][2];

    __device__ __forceinline__ void prepare() {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            const unsigned select = half ? 0x7362 : 0x5140;
            const std::uint32_t a = bytes(words[0], words[1], select);
            const std::uint32_t b = bytes(words[2], words[3], select);
            taps[2 * half] = bytes(a, b, 0x5410);
            taps[2 * half + 1] = bytes(a, b, 0x7632);
            if constexpr (kTaps > 4) {
                more[0][half] = bytes(words[4], words[5], select);
                more[1][half] = bytes(words[5], words[6], select);
            }
        }
    }
    template <int I>
    __device__ __forceinline__ std::uint32_t middle(const DoubledWeights<kTaps>& weights) const {
        constexpr int c = I % 4;
        const std::uint32_t own =
            I < 4 ? taps[c] : bytes(taps[c], words[4], 0x4321u + (unsigned(c) << 12));
        return weights.middle(I / 4, own, kTaps > 4 ? more[I / 4][c / 2] : 0, c % 2 != 0);
    }
};

__device__ __forceinline__ void storeCut(const int (&made)[kSamples], std::byte* to) {
    std::uint32_t packed[2];
#pragma unroll
    for (int g = 0; g < 2; ++g)
        packed[g] =
            cutBytes(made[4 * g + 1], made[4 * g], cutBytes(made[4 * g + 3], made[4 * g + 2], 0));
    storeWords<8>(to, packed);
}

// The last rows across, each in half of a word. kPeriod: pairs until they lie as before.
template <int kTaps>
struct RowRing;

template <>
struct RowRing<4> {
    static constexpr int kPeriod = 4;
    std::uint32_t words[2][kSamples] = {};

    template <int kPlace>
    __device__ __forceinline__ void put(const std::uint32_t (&row)[kSamples]) {
#pragma unroll
        for (int i = 0; i < kSamples; ++i) {
            std::uint32_t& word = words[kPlace / 2][i];
            word = bytes(word, row[i], kPlace % 2 ? 0x5410 : 0x3254);
        }
    }
    // With the row that is the last of a pair's taps, the pair. The weights turn.
    template <int kTurn>
    __device__ __forceinline__ void make(const std::uint32_t (&row)[kSamples],
                                         const DoubledWeights<4>& weights,
                                         int (&made)[2][kSamples]) {
        put<(kTurn + 3) % 4>(row);
#pragma unroll
        for (int odd = 0; odd < 2; ++odd)
#pragma unroll
            for (int i = 0; i < kSamples; ++i) {
                const std::uint32_t by = weights.down[kTurn][odd];
                const int sum = dotHalvesLow(words[0][i], by, 1 << 13);
                made[odd][i] = dotHalvesHigh(words[1][i], by, sum) >> 14;
            }
    }
};

template <>
struct RowRing<6> {
    static constexpr int kPeriod = 2;
    std::uint32_t words[3][kSamples] = {};

    template <int kPlace>
    __device__ __forceinline__ void put(const std::uint32_t (&row)[kSamples]) {
#pragma unroll
        for (int i = 0; i < kSamples; ++i) {
            std::uint32_t& word = words[kPlace / 2][i];
            word = bytes(word, row[i], kPlace % 2 ? 0x6510 : 0x3265);
        }
    }
    // As sumOfSmall() of resize_enlarged.cu.
    __device__ __forceinline__ static int sum(const std::uint32_t (&by)[3], std::uint32_t first,
                                              std::uint32_t second, std::uint32_t third) {
        std::uint32_t lower = dotLowUnsigned(first, by[2], 1u << 23);
        lower = dotHighUnsigned(second, by[2], lower);
        lower = dotHighUnsigned(third, by[1], lower);
        int upper = dotHalvesLow(first, by[0], int(lower >> 8));
        upper = int(dotHighUnsigned(second, by[0], std::uint32_t(upper)));
        return dotHalvesLow(third, by[1], upper) >> 16;
    }
    // Each second time taps begin in the middle of a word, and words move on.
    template <int kTurn>
    __device__ __forceinline__ void make(const std::uint32_t (&row)[kSamples],
                                         const DoubledWeights<6>& weights,
                                         int (&made)[2][kSamples]) {
        put<kTurn == 0 ? 5 : 0>(row);
#pragma unroll
        for (int i = 0; i < kSamples; ++i) {
            std::uint32_t pairs[3];
#pragma unroll
            for (int k = 0; k < 3; ++k)
                pairs[k] =
                    kTurn == 0 ? words[k][i] : bytes(words[k][i], words[(k + 1) % 3][i], 0x5432);
#pragma unroll
            for (int odd = 0; odd < 2; ++odd)
                made[odd][i] = sum(weights.down[odd], pairs[0], pairs[1], pairs[2]);
            if (kTurn == 0) continue;
            const std::uint32_t oldest = words[0][i];
            words[0][i] = words[1][i];
            words[1][i] = words[2][i];
            words[2][i] = oldest;
        }
    }
};

template <int C, int kTaps>
class DoubledColumn {
  public:
    __device__ __forceinline__ DoubledColumn(const DeviceImage& in, const DeviceImage& out,
                                             int column, int firstPair, int pairs,
                                             const DoubledWeights<kTaps>& weights)
        : m_weights(weights),
          m_inPitch(in.pitch),
          m_outPitch(out.pitch),
          m_pairs(pairs),
          m_below(pairs + kTaps - 2) {
        m_from =
            in.data + std::int64_t(firstPair - kTaps / 2) * in.pitch + 4 * (column - Across::kBack);
        m_to = out.data + std::int64_t(2 * firstPair - 1) * out.pitch + kSamples * column;
        std::uint32_t early[kTaps - 1][Across::kLoaded];
#pragma unroll
        for (int k = 0; k < kTaps - 1; ++k) load(early[k]);
#pragma unroll
        for (int k = 0; k < kPeriod; ++k) load(m_words[k]);
        putEarly(early, std::make_integer_sequence<int, kTaps - 1>());
    }
    __device__ __forceinline__ void march() {
        while (makePairs(std::make_integer_sequence<int, kPeriod>())) {
        }
    }

  private:
    using Across = AcrossDoubled<C, kTaps>;
    static constexpr int kPeriod = RowRing<kTaps>::kPeriod;

    __device__ __forceinline__ void load(std::uint32_t (&words)[Across::kLoaded]) {
#pragma unroll
        for (int i = 0; i < Across::kLoaded; ++i)
            words[i] = __ldg(reinterpret_cast<const std::uint32_t*>(m_from) + i);
        // What follows the tile's last row is loaded in vain.
        if (m_below > 0) m_from += m_inPitch;
        --m_below;
    }
    template <int... I>
    __device__ __forceinline__ void resize(const std::uint32_t (&words)[Across::kLoaded],
                                           std::uint32_t (&row)[kSamples],
                                           std::integer_sequence<int, I...>) const {
        Across across;
#pragma unroll
        for (int i = 0; i < Across::kLoaded; ++i) across.words[i] = words[i];
        across.prepare();
        ((row[I] = across.template middle<I>(m_weights)), ...);
    }
    template <int... K>
    __device__ __forceinline__ void putEarly(
        const std::uint32_t (&early)[kTaps - 1][Across::kLoaded],
        std::integer_sequence<int, K...>) {
        std::uint32_t row[kSamples];
        ((resize(early[K], row, kEach), m_ring.template put<K>(row)), ...);
    }
    // Whether there are more.
    template <int... kTurn>
    __device__ __forceinline__ bool makePairs(std::integer_sequence<int, kTurn...>) {
        return (makePair<kTurn>() && ...);
    }
    template <int kTurn>
    __device__ __forceinline__ bool makePair() {
        std::uint32_t row[kSamples];
        int made[2][kSamples];
        resize(m_words[kTurn], row, kEach);
        // Where the row was: loaded before, it would have to be moved there, which waits for it.
        load(m_words[kTurn]);
        m_ring.template make<kTurn>(row, m_weights, made);
        storeCut(made[1], m_to);
        m_to += m_outPitch;
        storeCut(made[0], m_to);
        m_to += m_outPitch;
        return --m_pairs > 0;
    }

    static constexpr std::make_integer_sequence<int, kSamples> kEach{};
    const DoubledWeights<kTaps>& m_weights;
    std::int64_t m_inPitch, m_outPitch;
    const std::byte* m_from;
    std::byte* m_to;
    int m_pairs, m_below;
    std::uint32_t m_words[kPeriod][Across::kLoaded];
    RowRing<kTaps> m_ring;
};

// As resize.cu makes it.
template <int C, int kTaps>
__device__ void makePixel(const DeviceImage& in, const DeviceImage& out, int x, int y,
                          const std::int32_t* exact) {
    const std::int32_t* const across = exact + kTaps * std::int64_t(x);
    const std::int32_t* const down = exact + kTaps * (std::int64_t(out.size.width) + y);
    std::int64_t sums[C];
#pragma unroll
    for (int c = 0; c < C; ++c) sums[c] = 1 << 23;
#pragma unroll
    for (int k = 0; k < kTaps; ++k) {
        const int row = min(max(doubledFirst(y, kTaps) + k, 0), in.size.height - 1);
        int middle[C];
#pragma unroll
        for (int c = 0; c < C; ++c) middle[c] = 128;
#pragma unroll
        for (int t = 0; t < kTaps; ++t) {
            const int column = min(max(doubledFirst(x, kTaps) + t, 0), in.size.width - 1);
            std::uint32_t tap[1];
            loadWords<C>(in.data + row * in.pitch + column * C, tap);
#pragma unroll
            for (int c = 0; c < C; ++c) middle[c] += across[t] * int(byteOf(tap[0], c));
        }
#pragma unroll
        for (int c = 0; c < C; ++c)
            sums[c] += std::int64_t(down[k]) * (min(max(middle[c], 0), 255 << 16) >> 8);
    }
    std::byte* const to = out.data + y * out.pitch + std::int64_t(x) * C;
#pragma unroll
    for (int c = 0; c < C; ++c) to[c] = std::byte(min(max(int(sums[c] >> 24), 0), 255));
}

template <int C, int kTaps>
__device__ void makeEdgePixel(const DeviceImage& in, const DeviceImage& out, std::uint32_t i,
                              const DoubledEdges& edges, const std::int32_t* exact) {
    const std::uint32_t width = std::uint32_t(out.size.width);
    const std::uint32_t height = std::uint32_t(out.size.height);
    constexpr std::uint32_t kEdge = doubledEdge(kTaps);
    std::uint32_t x, y;
    if (i < 2 * kEdge * width) {
        y = i / width;
        x = i - y * width;
        if (y >= kEdge) y += height - 2 * kEdge;
    } else {
        const std::uint32_t columns = edges.left + edges.right;
        i -= 2 * kEdge * width;
        y = i / columns;
        x = i - y * columns;
        if (x >= edges.left) x += width - columns;
        y += kEdge;
    }
    makePixel<C, kTaps>(in, out, int(x), int(y), exact);
}

template <int C, int kTaps>
__global__ void __launch_bounds__(kThreads)
    resizeDoubledKernel(DeviceImage in, DeviceImage out, DoubledTiles tiles, DoubledEdges edges,
                        DoubledWeights<kTaps> weights) {
    const std::uint32_t tileRow = tiles.across(blockIdx.x);
    const int within = int((blockIdx.x - tileRow * tiles.across.divisor) * kThreads + threadIdx.x);
    // The last column may have several threads, which write the same.
    const int column = tiles.firstColumn + min(within, tiles.columns - 1);
    const int first = int(tileRow) * tiles.each;
    DoubledColumn<C, kTaps> made(in, out, column, tiles.firstPair + first,
                                 min(tiles.each, tiles.pairs - first), weights);
    // While rows are on their way.
    for (std::uint32_t i = blockIdx.x * kThreads + threadIdx.x; i < edges.count;
         i += gridDim.x * kThreads)
        makeEdgePixel<C, kTaps>(in, out, i, edges, weights.exact);
    made.march();
}

template <int kTaps>
auto kernelFor(bool colour) {
    return colour ? resizeDoubledKernel<4, kTaps> : resizeDoubledKernel<1, kTaps>;
}

std::vector<std::uint32_t> wordsOf(const ResizePlan& plan, int taps) {
    std::vector<std::uint32_t> words;
    for (const ResizeAxis* axis : {&plan.across, &plan.down})
        for (std::size_t i = 0; i < axis->first.size(); ++i) {
            const DoubledTaps weights = *doubledWeights(*axis, i, taps);
            words.insert(words.end(), weights.begin(), weights.begin() + taps);
        }
    return words;
}

void setWeights(const Doubling& doubling, DoubledWeights<4>& weights) {
    for (unsigned parity = 0; parity < 2; ++parity) {
        weights.across[parity] = smallWeights(doubling.across[parity], 4)[0];
        for (int turn = 0; turn < 4; ++turn)
            weights.down[turn][parity] =
                std::rotl(smallWeights(doubling.down[parity], 4)[0], 8 * turn);
    }
}
void setWeights(const Doubling& doubling, DoubledWeights<6>& weights) {
    for (unsigned parity = 0; parity < 2; ++parity) {
        for (unsigned k = 0; k < 6; ++k) {
            const std::int32_t weight = doubling.across[parity][k];
            const std::int32_t high = weight >= -32768 && weight <= 32767 ? 0 : weight >> 15;
            if (k < 4) weights.high[parity] |= std::uint32_t(high & 255) << (8 * k);
            weights.low[parity][k / 2] |= std::uint32_t((weight - high * 32768) & 0xffff)
                                          << (k % 2 * 16);
        }
        std::ranges::copy(smallWeights(doubling.down[parity], 6), weights.down[parity]);
    }
}

template <int kTaps>
void run(KernelContext& context, const ResizePlan& plan, const Doubling& doubling,
         const DeviceImage& in, const DeviceImage& out) {
    const bool colour = isColor(in.format);
    const int width = out.size.width, height = out.size.height;
    DoubledWeights<kTaps> weights{};
    setWeights(doubling, weights);
    weights.exact = reinterpret_cast<const std::int32_t*>(
        context.device().constants("doubled: " + plan.key, [&] { return wordsOf(plan, kTaps); }));
    // Columns whose samples are all further from both sides than the edges are wide.
    constexpr unsigned kEdge = doubledEdge(kTaps);
    const int pixels = colour ? 2 : 8, before = int(divideUp(kEdge, unsigned(pixels)));
    const int after = (width - int(kEdge)) / pixels;
    DoubledTiles tiles{};
    tiles.firstColumn = before;
    tiles.columns = after - before;
    tiles.across = FastDivide(divideUp(unsigned(tiles.columns), kThreads));
    DoubledEdges edges{unsigned(before * pixels), unsigned(width - after * pixels), 0};
    edges.count =
        2 * kEdge * unsigned(width) + (unsigned(height) - 2 * kEdge) * (edges.left + edges.right);
    // Of pairs: they have twice the bytes of a row.
    const std::int64_t work = std::int64_t(tiles.columns) * kSamples * 4 * kTaps;
    const int most = context.rowsPerLaunch(in.pitch + 2 * out.pitch, work);
    tiles.each = std::min(doubling.pairs, most);
    const int bandPairs = most / tiles.each * tiles.each;
    context.forEachBand(in.size.height - (kTaps - 1), bandPairs, [&](int first, int last) {
        tiles.firstPair = kTaps / 2 + first;
        tiles.pairs = last - first;
        launch(context, "resize doubled",
               tiles.across.divisor * divideUp(unsigned(tiles.pairs), unsigned(tiles.each)),
               kThreads, 0, kernelFor<kTaps>(colour), in, out, tiles,
               first == 0 ? edges : DoubledEdges{}, weights);
    });
}

}  // namespace

void runResizeDoubled(KernelContext& context, const ResizePlan& plan, const Doubling& doubling,
                      const DeviceImage& in, const DeviceImage& out) {
    doubling.taps == 4 ? run<4>(context, plan, doubling, in, out)
                       : run<6>(context, plan, doubling, in, out);
}

void loadResizeDoubled() {
    for (const bool colour : {false, true}) {
        loadKernel(kernelFor<4>(colour));
        loadKernel(kernelFor<6>(colour));
    }
}

}  // namespace warpscope::cuda
