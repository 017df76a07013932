// A thread makes eight samples side by side, eight gray pixels or two of colour, of a column of
// pairs of rows: 2j - 1 and 2j have the same four taps. It keeps four rows of the input, resized
// across, as halves of two words a sample; a new one takes the place of the oldest, and the weights
// are turned instead. The loop is four rows long so that places are known, and words of the next
// four rows are always on their way.
//
// Weights of doubling are bytes times 512. Across, one product of bytes makes half of what is kept
// elsewhere, without a remainder; down, two products of halves and bytes. Samples at the edges of
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
constexpr int kSamples = 8, kRing = 4;
static_assert(kSmallWeight == 512);

struct DoubledWeights {
    std::uint32_t across[2];       // of even and odd samples
    std::uint32_t down[kRing][2];  // the same, turned by so many bytes
    // In device memory: four of each column and of each row.
    const std::int32_t *columns, *rows;
};

struct DoubledTiles {
    FastDivide across;
    int firstColumn, columns;    // of eight samples, without those at the edges
    int firstPair, pairs, each;  // of the launch, and of a tile
};

// Pixels at the edges: kDoubledEdge rows above and below, and columns left and right.
struct DoubledEdges {
    std::uint32_t left, right, count;
};

__device__ __forceinline__ std::uint32_t bytes(std::uint32_t a, std::uint32_t b, unsigned select) {
    return __byte_perm(a, b, select);
}

// Eight samples across, of words that begin kBack before the column's own.
template <int C>
struct AcrossDoubled;

template <>
struct AcrossDoubled<1> {
    static constexpr int kLoaded = 3, kBack = 1;
    std::uint32_t taps[kSamples];

    __device__ __forceinline__ explicit AcrossDoubled(const std::uint32_t (&words)[kLoaded]) {
        taps[0] = __funnelshift_r(words[0], words[1], 16);
        taps[1] = taps[2] = __funnelshift_r(words[0], words[1], 24);
        taps[3] = taps[4] = words[1];
        taps[5] = taps[6] = __funnelshift_r(words[1], words[2], 8);
        taps[7] = __funnelshift_r(words[1], words[2], 16);
    }
    static constexpr int parity(int i) { return i % 2; }
};

template <>
struct AcrossDoubled<4> {
    static constexpr int kLoaded = 5, kBack = 2;
    std::uint32_t taps[kSamples];

    __device__ __forceinline__ explicit AcrossDoubled(const std::uint32_t (&words)[kLoaded]) {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            const unsigned select = half ? 0x7362 : 0x5140;
            const std::uint32_t a = bytes(words[0], words[1], select);
            const std::uint32_t b = bytes(words[2], words[3], select);
            taps[2 * half] = bytes(a, b, 0x5410);
            taps[2 * half + 1] = bytes(a, b, 0x7632);
        }
#pragma unroll
        for (int c = 0; c < 4; ++c)
            taps[4 + c] = bytes(taps[c], words[4], 0x4321u + (unsigned(c) << 12));
    }
    static constexpr int parity(int i) {
        return i / 4;
    }
};

// The last four rows across, each in half of a word.
struct RowRing {
    std::uint32_t words[2][kSamples] = {};

    template <int kPlace>
    __device__ __forceinline__ void put(const std::uint32_t (&row)[kSamples]) {
#pragma unroll
        for (int i = 0; i < kSamples; ++i) {
            std::uint32_t& word = words[kPlace / 2][i];
            word = bytes(word, row[i], kPlace % 2 ? 0x5410 : 0x3254);
        }
    }
    __device__ __forceinline__ void make(std::uint32_t weights, std::byte* to) const {
        int made[kSamples];
#pragma unroll
        for (int i = 0; i < kSamples; ++i) {
            const int sum = dotHalvesLow(words[0][i], weights, 1 << 13);
            made[i] = dotHalvesHigh(words[1][i], weights, sum) >> 14;
        }
        std::uint32_t packed[2];
#pragma unroll
        for (int g = 0; g < 2; ++g)
            packed[g] = cutBytes(made[4 * g + 1], made[4 * g],
                                 cutBytes(made[4 * g + 3], made[4 * g + 2], 0));
        storeWords<8>(to, packed);
    }
};

template <int C>
class DoubledColumn {
  public:
    __device__ __forceinline__ DoubledColumn(const DeviceImage& in, const DeviceImage& out,
                                             int column, int firstPair, int pairs,
                                             const DoubledWeights& weights)
        : m_weights(weights),
          m_inPitch(in.pitch),
          m_outPitch(out.pitch),
          m_pairs(pairs),
          m_below(pairs + 2) {
        m_from = in.data + std::int64_t(firstPair - 2) * in.pitch + 4 * (column - Across::kBack);
        m_to = out.data + std::int64_t(2 * firstPair - 1) * out.pitch + kSamples * column;
#pragma unroll
        for (int k = 0; k < kRing; ++k) load(k);
        take<0>();
        take<1>();
        take<2>();
    }
    __device__ __forceinline__ void march() {
        while (makePair<0>() && makePair<1>() && makePair<2>() && makePair<3>()) {
        }
    }

  private:
    using Across = AcrossDoubled<C>;

    __device__ __forceinline__ void load(int place) {
#pragma unroll
        for (int i = 0; i < Across::kLoaded; ++i)
            m_words[place][i] = __ldg(reinterpret_cast<const std::uint32_t*>(m_from) + i);
        // What follows the tile's last row is loaded in vain.
        if (m_below > 0) m_from += m_inPitch;
        --m_below;
    }
    template <int kPlace>
    __device__ __forceinline__ void take() {
        const Across across(m_words[kPlace]);
        std::uint32_t row[kSamples];
#pragma unroll
        for (int i = 0; i < kSamples; ++i)
            row[i] = std::uint32_t(max(
                min(dotBytes(m_weights.across[Across::parity(i)], across.taps[i], 0), 128 * 255),
                0));
        load(kPlace);
        m_ring.template put<kPlace>(row);
    }
    // Whether there are more.
    template <int kTurn>
    __device__ __forceinline__ bool makePair() {
        take<(kTurn + 3) % kRing>();
        m_ring.make(m_weights.down[kTurn][1], m_to);
        m_to += m_outPitch;
        m_ring.make(m_weights.down[kTurn][0], m_to);
        m_to += m_outPitch;
        return --m_pairs > 0;
    }

    const DoubledWeights& m_weights;
    std::int64_t m_inPitch, m_outPitch;
    const std::byte* m_from;
    std::byte* m_to;
    int m_pairs, m_below;
    std::uint32_t m_words[kRing][Across::kLoaded];
    RowRing m_ring;
};

// As resize.cu makes it.
template <int C>
__device__ void makePixel(const DeviceImage& in, const DeviceImage& out, int x, int y,
                          const DoubledWeights& weights) {
    const std::int32_t *const across = weights.columns + 4 * std::int64_t(x), *const down =
                                                                                  weights.rows +
                                                                                  4 * std::int64_t(
                                                                                          y);
    std::int64_t sums[C];
#pragma unroll
    for (int c = 0; c < C; ++c) sums[c] = 1 << 23;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        const int row = min(max(doubledFirst(y) + k, 0), in.size.height - 1);
        int middle[C];
#pragma unroll
        for (int c = 0; c < C; ++c) middle[c] = 128;
#pragma unroll
        for (int t = 0; t < 4; ++t) {
            const int column = min(max(doubledFirst(x) + t, 0), in.size.width - 1);
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

template <int C>
__device__ void makeEdgePixel(const DeviceImage& in, const DeviceImage& out, std::uint32_t i,
                              const DoubledEdges& edges, const DoubledWeights& weights) {
    const std::uint32_t width = std::uint32_t(out.size.width),
                        height = std::uint32_t(out.size.height);
    constexpr std::uint32_t kRows = 2 * kDoubledEdge;
    std::uint32_t x, y;
    if (i < kRows * width) {
        y = i / width;
        x = i - y * width;
        if (y >= kDoubledEdge) y += height - kRows;
    } else {
        const std::uint32_t columns = edges.left + edges.right;
        i -= kRows * width;
        y = i / columns;
        x = i - y * columns;
        if (x >= edges.left) x += width - columns;
        y += kDoubledEdge;
    }
    makePixel<C>(in, out, int(x), int(y), weights);
}

template <int C>
__global__ void __launch_bounds__(kThreads)
    resizeDoubledKernel(DeviceImage in, DeviceImage out, DoubledTiles tiles, DoubledEdges edges,
                        DoubledWeights weights) {
    const std::uint32_t tileRow = tiles.across(blockIdx.x);
    const int within = int((blockIdx.x - tileRow * tiles.across.divisor) * kThreads + threadIdx.x);
    // The last column may have several threads, which write the same.
    const int column = tiles.firstColumn + min(within, tiles.columns - 1);
    const int first = int(tileRow) * tiles.each;
    DoubledColumn<C> made(in, out, column, tiles.firstPair + first,
                          min(tiles.each, tiles.pairs - first), weights);
    // While rows are on their way.
    for (std::uint32_t i = blockIdx.x * kThreads + threadIdx.x; i < edges.count;
         i += gridDim.x * kThreads)
        makeEdgePixel<C>(in, out, i, edges, weights);
    made.march();
}

using ResizeDoubledKernel = void (*)(DeviceImage, DeviceImage, DoubledTiles, DoubledEdges,
                                     DoubledWeights);

ResizeDoubledKernel kernelFor(bool colour) {
    return colour ? resizeDoubledKernel<4> : resizeDoubledKernel<1>;
}

std::vector<std::uint32_t> wordsOf(const ResizePlan& plan) {
    std::vector<std::uint32_t> words;
    for (const ResizeAxis* axis : {&plan.across, &plan.down})
        for (std::size_t i = 0; i < axis->first.size(); ++i) {
            const auto weights = doubledWeights(*axis, i);
            words.insert(words.end(), weights->begin(), weights->end());
        }
    return words;
}

}  // namespace

void runResizeDoubled(KernelContext& context, const ResizePlan& plan, const Doubling& doubling,
                      const DeviceImage& in, const DeviceImage& out) {
    const bool colour = isColor(in.format);
    const int width = out.size.width, height = out.size.height;
    DoubledWeights weights{};
    weights.columns = reinterpret_cast<const std::int32_t*>(
        context.device().constants("doubled: " + plan.key, [&] { return wordsOf(plan); }));
    weights.rows = weights.columns + 4 * std::int64_t(width);
    for (unsigned parity = 0; parity < 2; ++parity) {
        weights.across[parity] = doubling.across[parity];
        for (int turn = 0; turn < kRing; ++turn)
            weights.down[turn][parity] = std::rotl(doubling.down[parity], 8 * turn);
    }
    // Columns whose samples are all more than kDoubledEdge from both sides.
    const int pixels = colour ? 2 : 8, before = divideUp(kDoubledEdge, unsigned(pixels));
    const int after = (width - kDoubledEdge) / pixels;
    DoubledTiles tiles{};
    tiles.firstColumn = before;
    tiles.columns = after - before;
    tiles.across = FastDivide(divideUp(unsigned(tiles.columns), kThreads));
    const DoubledEdges edges = [&] {
        const unsigned left = unsigned(before * pixels), right = unsigned(width - after * pixels);
        return DoubledEdges{left, right,
                            2 * kDoubledEdge * unsigned(width) +
                                unsigned(height - 2 * kDoubledEdge) * (left + right)};
    }();
    // Of pairs: they have twice the bytes of a row.
    const std::int64_t work = std::int64_t(tiles.columns) * kSamples * 6;
    const int most = context.rowsPerLaunch(in.pitch + 2 * out.pitch, work);
    tiles.each = std::min(doubling.pairs, most);
    const int bandPairs = most / tiles.each * tiles.each;
    constexpr int kFirstPair = 2;
    context.forEachBand(in.size.height - 3, bandPairs, [&](int first, int last) {
        tiles.firstPair = kFirstPair + first;
        tiles.pairs = last - first;
        launch(context, "resize doubled",
               tiles.across.divisor * divideUp(unsigned(tiles.pairs), unsigned(tiles.each)),
               kThreads, 0, kernelFor(colour), in, out, tiles, first == 0 ? edges : DoubledEdges{},
               weights);
    });
}

void loadResizeDoubled() {
    for (const bool colour : {false, true}) loadKernel(kernelFor(colour));
}

}  // namespace warpscope::cuda
