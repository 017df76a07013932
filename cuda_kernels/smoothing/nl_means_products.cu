// NL-means of 8-bit images with the products of patches on the tensor units, everything between
// input and output on the multiprocessor.
//
// |P - Q|^2 = A(p) + A(q) - 2 P.Q. A warp makes 4 x 4 pixels at a time: their patches are the 16
// rows of a matrix, those of 8 neighbours in a row of the search window the columns of another, and
// the product of both is 128 values P.Q, four of a lane. A column of the second matrix holds 8 rows
// of pixels, of which a patch has at most 7: two matrices of the first kind, one without the last
// row and one without the first, make two rows of neighbours of the same 8.
//
// Pixels are taken as v - 128. Products are added to the bits of M = 1.5 * 2^23, less A(p) / 2
// rounded down: P.Q - A(p) / 2 stays between -2^22 and 2^22 in colour, too, and the sum is a float
// that needs no conversion. What A(p) / 2 is rounded by is the same for all q and cancels when
// weights are normalized. A(q) enters in the multiplication before the exponential, with M; as that
// sum is rounded, by up to M's last place, each q has a factor of its own that makes up for it.
// Pairs that are not in the window start from a number that makes their weight zero.
#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "cuda_kernels/smoothing/nl_means.cuh"

namespace warpscope::cuda {
namespace {

constexpr int kWarps = 8;
constexpr int kThreads = 32 * kWarps;
constexpr int kSide = 4;      // of the pixels of a warp
constexpr int kAcross = 8;    // neighbours of a product
constexpr int kPatchRows = 8;  // of a product
constexpr int kLargestRadius = 3;

constexpr int kMagicBits = 0x4B400000;
constexpr double kMagic = 12582912.0;      // the float with these bits
constexpr int kNeverBits = int(0xF0000000u);  // a float below -10^29, a product more or less

struct Tiling {
    int first = 0;   // tile of the first block
    int across = 0;  // tiles side by side
    int columns = 0;
    int rows = 0;
    int search = 0;
    int patch = 0;

    // Products side by side that cover the windows of four pixels.
    __host__ __device__ int products() const {
        return (2 * search + kSide + kAcross - 1) / kAcross;
    }
    // Patches, by their first pixel.
    __host__ __device__ int patchColumns() const {
        return columns - kSide + kAcross * products();
    }
    __host__ __device__ int patchRows() const { return rows + 2 * search; }
    // Words of four neighbours.
    __host__ __device__ int wordColumns() const { return patchColumns() + 4; }
    __host__ __device__ int wordRows() const { return patchRows() + kPatchRows - 2; }
    // 16 words more than a multiple of 32, so that lanes that read two rows, or two colours, meet
    // in no bank.
    __host__ __device__ int pitch() const { return (wordColumns() + 15) / 32 * 32 + 16; }
    __host__ __device__ int bytePitch() const { return (wordColumns() / 4 + 2) * 4; }
};

// What the weight of a neighbour takes, `factor` being -2 times the plan's exponent:
// exp2(factor * sum + start) with the sum of a product; start = -factor (M + A(q) / 2).
struct Weighing {
    float factor;
    float startHigh, startLow;  // -factor M, exactly

    explicit Weighing(double exponent) : factor(float(-2 * exponent)) {
        const double start = -double(factor) * kMagic;
        startHigh = float(start);
        startLow = float(start - double(startHigh));
    }
};

// Places in shared memory, in bytes. Of two neighbours side by side: `fours`, starts and factors
// (then red and green), `twos` the last colour, both times the factor.
template <int C>
struct Layout {
    static constexpr int kFours = (C + 1) / 2;
    int fours, four, twos, total;
    __host__ __device__ explicit Layout(const Tiling& tiling) {
        const int pairs = tiling.patchRows() * tiling.patchColumns() / 2;
        fours = tiling.wordRows() * C * tiling.pitch() * 4;
        four = pairs * int(sizeof(float4));
        twos = fours + kFours * four;
        const int bytes = fours + tiling.wordRows() * C * tiling.bytePitch();
        total = twos + pairs * int(sizeof(float2));
        if (total < bytes) total = bytes;
    }
};

#ifndef WARPSCOPE_EMULATED_DOT_PRODUCTS
// start + a (16 x 32 bytes) times b (32 x 8), in the order in which the lanes of a warp hold them.
__device__ __forceinline__ void multiply(int (&sums)[4], const std::uint32_t (&a)[4],
                                         std::uint32_t b0, std::uint32_t b1,
                                         const int (&start)[4]) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%10,%11,%12,%13};"
        : "=r"(sums[0]), "=r"(sums[1]), "=r"(sums[2]), "=r"(sums[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1), "r"(start[0]),
          "r"(start[1]), "r"(start[2]), "r"(start[3]));
#endif
}
#endif

__device__ __forceinline__ std::uint32_t lowBytes(int count) {
    return count >= 4 ? 0xffffffffu : (1u << (8 * count)) - 1u;
}

// Pixels of a tile and of what lies around it, less 128, colours one after the other.
template <int C>
__device__ void loadBytes(const DeviceImage& in, const Tiling& tiling, int x0, int y0,
                          std::uint8_t* bytes) {
    const int warp = int(threadIdx.x) / 32, lane = int(threadIdx.x) % 32;
    const int reach = tiling.search + tiling.patch, pitch = tiling.bytePitch();
#pragma unroll 2
    for (int row = warp; row < tiling.wordRows(); row += kWarps) {
        const std::byte* from = in.data + in.pitch * mirrored(y0 - reach + row, in.size.height);
        std::uint8_t* to = bytes + row * C * pitch;
#pragma unroll 2
        for (int i = lane; i < pitch; i += 32) {
            const int x = mirrored(x0 - reach + i, in.size.width);
            if constexpr (C == 1) {
                to[i] = std::uint8_t(std::uint32_t(from[x]) ^ 128u);
            } else {
                const std::uint32_t pixel =
                    reinterpret_cast<const std::uint32_t*>(from)[x] ^ 0x808080u;
#pragma unroll
                for (int c = 0; c < C; ++c) to[c * pitch + i] = std::uint8_t(pixel >> (8 * c));
            }
        }
    }
}

template <int C>
__device__ void loadTile(const DeviceImage& in, const Tiling& tiling, const Layout<C>& layout,
                         int x0, int y0, const Weighing& weighing, std::byte* shared) {
    const int warp = int(threadIdx.x) / 32, lane = int(threadIdx.x) % 32;
    auto* const words = reinterpret_cast<std::uint32_t*>(shared);
    auto* const bytes = reinterpret_cast<std::uint8_t*>(shared + layout.fours);
    loadBytes<C>(in, tiling, x0, y0, bytes);
    __syncthreads();
    const int pitch = tiling.pitch();
    for (int row = warp; row < tiling.wordRows() * C; row += kWarps) {
        const auto* aligned =
            reinterpret_cast<const std::uint32_t*>(bytes + row * tiling.bytePitch());
        for (int i = lane; i < tiling.wordColumns(); i += 32)
            words[row * pitch + i] =
                __funnelshift_r(aligned[i / 4], aligned[i / 4 + 1], unsigned(8 * (i % 4)));
    }
    __syncthreads();

    const int side = 2 * tiling.patch + 1, pairs = tiling.patchColumns() / 2;
    const std::uint32_t low = lowBytes(side), high = lowBytes(max(side - 4, 0));
    auto* const fours = reinterpret_cast<float4*>(shared + layout.fours);
    auto* const twos = reinterpret_cast<float2*>(shared + layout.twos);
    for (int row = warp; row < tiling.patchRows(); row += kWarps)
        for (int pair = lane; pair < pairs; pair += 32) {
            float start[2], factor[2], values[C][2];
#pragma unroll
            for (int k = 0; k < 2; ++k) {
                const std::uint32_t* corner = words + row * C * pitch + 2 * pair + k;
                int energy = 0;
                for (int i = 0; i < side * C; ++i) {
                    const int a = int(corner[i * pitch] & low);
                    const int b = int(corner[i * pitch + 4] & high);
                    energy = __dp4a(b, b, __dp4a(a, a, energy));
                }
                const float half = -0.5f * weighing.factor, area = float(energy);
                start[k] = fmaf(half, area, weighing.startHigh);
                const float wrong =
                    fmaf(half, area, weighing.startHigh - start[k]) + weighing.startLow;
                factor[k] = exp2Approx(wrong);
#pragma unroll
                for (int c = 0; c < C; ++c) {
                    const auto value = std::int8_t(
                        corner[(tiling.patch * C + c) * pitch + tiling.patch] & 255u);
                    values[c][k] = factor[k] * float(value);
                }
            }
            const int at = row * pairs + pair;
            fours[at] = {start[0], start[1], factor[0], factor[1]};
            if constexpr (C == 3)
                *reinterpret_cast<float4*>(reinterpret_cast<std::byte*>(fours + at) +
                                           layout.four) = {values[0][0], values[0][1],
                                                           values[1][0], values[1][1]};
            twos[at] = {values[C - 1][0], values[C - 1][1]};
        }
}

// The pixels of a warp, and its neighbours.
template <int C>
class WarpPixels {
  public:
    static constexpr int kPairWords = C;  // of a lane, of two rows of pixels
    static constexpr int kWords = kPatchRows / 2 * kPairWords;

    // left, top: within the tile.
    __device__ __forceinline__ WarpPixels(const Tiling& tiling, const Layout<C>& layout,
                                          float factor, const std::byte* shared, int left,
                                          int top)
        : m_tiling(tiling), m_layout(layout), m_factor(factor), m_rowPitch(C * tiling.pitch()) {
        const int lane = int(threadIdx.x) % 32;
        m_group = lane / 4;
        m_member = lane % 4;
        const auto* corner =
            reinterpret_cast<const std::uint32_t*>(shared) + top * m_rowPitch + left;
        // Words of two rows: colour by colour, the first four pixels and the next.
        int row[kPairWords];
        std::uint32_t mask[kPairWords];
        const int side = 2 * tiling.patch + 1;
#pragma unroll
        for (int i = 0; i < kPairWords; ++i) {
            const int word = 4 * i + m_member;
            row[i] = word / (2 * C);
            const int half = word % 2;
            m_place[i] = row[i] * m_rowPitch + word % (2 * C) / 2 * tiling.pitch() + 4 * half;
            mask[i] = half ? lowBytes(max(side - 4, 0)) : lowBytes(side);
        }
        int energy[2] = {};
#pragma unroll
        for (int k = 0; k < 2; ++k) {
            const std::uint32_t* own = corner +
                                       (tiling.search + m_group / kSide + 2 * k) * m_rowPitch +
                                       tiling.search + m_group % kSide;
#pragma unroll
            for (int j = 0; j < kWords; ++j) {
                const int i = j % kPairWords;
                const int at = j / kPairWords * 2 + row[i];
                const std::uint32_t* from = own + j / kPairWords * 2 * m_rowPitch + m_place[i];
                // In the order of a product's operand.
                const int slot = 2 * (j % 2) + k;
                m_own[0][j / 2][slot] = at < side ? *from & mask[i] : 0u;
                m_own[1][j / 2][slot] = at >= 1 && at <= side ? from[-m_rowPitch] & mask[i] : 0u;
                const int word = int(m_own[0][j / 2][slot]);
                energy[k] = __dp4a(word, word, energy[k]);
            }
            energy[k] += __shfl_xor_sync(0xffffffffu, energy[k], 1);
            energy[k] += __shfl_xor_sync(0xffffffffu, energy[k], 2);
            m_begin[k] = kMagicBits - (energy[k] >> 1);
        }
        m_words = corner + m_group;
        m_fours = shared + layout.fours +
                  (top * (tiling.patchColumns() / 2) + left / 2 + m_member) *
                      int(sizeof(float4));
        m_twos = shared + layout.twos +
                 (top * (tiling.patchColumns() / 2) + left / 2 + m_member) * int(sizeof(float2));
    }

    // All products of eight columns.
    __device__ __forceinline__ void add(int product) {
        const int last = 2 * m_tiling.search;
        const int column = kAcross * product + 2 * m_member - m_group % kSide;
        int start[4];
#pragma unroll
        for (int k = 0; k < 4; ++k)
            start[k] = unsigned(column + k % 2) <= unsigned(last) ? m_begin[k / 2] : kNeverBits;
        const std::uint32_t* words = m_words + kAcross * product;
        const int first = kAcross / 2 * product;

        // Two rows at a time. The first two belong to the upper pixels, the last two to the lower.
        const int pairs = m_tiling.search + kSide / 2;
        addEdge<1>(words, first, 0, start);
        addEdge<3>(words, first, 1, start);
        if (m_tiling.search > 2) addMiddle(words, first, pairs - 2, start);
        if (m_tiling.search > 1) addEdge<3>(words, first, pairs - 2, start);
        addEdge<2>(words, first, pairs - 1, start);
    }

    // Calls store(column, row, mean[colour], less 128) within the warp's pixels.
    template <class Store>
    __device__ __forceinline__ void finish(Store&& store) {
#pragma unroll
        for (int k = 0; k < 2; ++k) {
#pragma unroll
            for (int away = 1; away <= 2; away *= 2) {
                m_weights[k] += __shfl_xor_sync(0xffffffffu, m_weights[k], away);
#pragma unroll
                for (int c = 0; c < C; ++c)
                    m_sums[k][c] += __shfl_xor_sync(0xffffffffu, m_sums[k][c], away);
            }
            if (m_member != k) continue;
            float mean[C];
#pragma unroll
            for (int c = 0; c < C; ++c) mean[c] = m_sums[k][c] / m_weights[k];
            store(m_group % kSide, m_group / kSide + 2 * k, mean);
        }
    }

  private:
    template <int First, int Last>
    __device__ __forceinline__ void load(const std::uint32_t* words, int pair,
                                         std::uint32_t (&pixels)[kWords]) const {
        const std::uint32_t* from = words + 2 * pair * m_rowPitch;
#pragma unroll
        for (int j = First; j < Last; ++j)
            pixels[j] = from[j / kPairWords * 2 * m_rowPitch + m_place[j % kPairWords]];
    }
    __device__ __forceinline__ void shift(const std::uint32_t* words, int pair,
                                          std::uint32_t (&pixels)[kWords]) const {
#pragma unroll
        for (int j = 0; j < kWords / 2; ++j) pixels[j] = pixels[j + kWords / 2];
        load<kWords / 2, kWords>(words, pair, pixels);
    }

    __device__ __forceinline__ void addPair(const std::uint32_t (&pixels)[kWords], int first,
                                            int pair, const int (&start)[4]) {
#pragma unroll
        for (int odd = 0; odd < 2; ++odd) addRow<3>(pixels, odd, first, 2 * pair + odd, start);
    }
    // Pairs from 2 to before `end`, of which there are some. Half of what a pair loads is there
    // since the last pair but one.
    __device__ __forceinline__ void addMiddle(const std::uint32_t* words, int first, int end,
                                              const int (&start)[4]) {
        std::uint32_t even[kWords], odd[kWords];
        load<0, kWords>(words, 2, even);
        load<0, kWords>(words, 3, odd);
        int pair = 2;
#pragma unroll 2
        for (; pair + 1 < end; pair += 2) {
            addPair(even, first, pair, start);
            shift(words, pair + 2, even);
            addPair(odd, first, pair + 1, start);
            shift(words, pair + 3, odd);
        }
        if (pair < end) addPair(even, first, pair, start);
    }
    template <int Halves>
    __device__ __forceinline__ void addEdge(const std::uint32_t* words, int first, int pair,
                                            const int (&start)[4]) {
        std::uint32_t pixels[kWords];
        load<0, kWords>(words, pair, pixels);
#pragma unroll
        for (int odd = 0; odd < 2; ++odd) {
            int masked[4];
#pragma unroll
            for (int k = 0; k < 4; ++k) {
                const int row = 2 * pair + odd - m_group / kSide - k / 2 * 2;
                masked[k] =
                    unsigned(row) <= unsigned(2 * m_tiling.search) ? start[k] : kNeverBits;
            }
            addRow<Halves>(pixels, odd, first, 2 * pair + odd, masked);
        }
    }

    // Halves: 1, of the upper pixels; 2, of the lower; 3.
    template <int Halves>
    __device__ __forceinline__ void addRow(const std::uint32_t (&pixels)[kWords], int odd,
                                           int first, int row, const int (&start)[4]) {
        const int at = row * (m_tiling.patchColumns() / 2) + first;
        int sums[4] = {start[0], start[1], start[2], start[3]};
#pragma unroll
        for (int i = 0; i < kWords / 2; ++i)
            multiply(sums, m_own[odd][i], pixels[2 * i], pixels[2 * i + 1], sums);
        const auto* fours = m_fours + at * int(sizeof(float4));
        const float4 weighing = *reinterpret_cast<const float4*>(fours);
        const float2 two = *reinterpret_cast<const float2*>(m_twos + at * int(sizeof(float2)));
        const float starts[2] = {weighing.x, weighing.y}, factors[2] = {weighing.z, weighing.w};
        float values[C][2];
        if constexpr (C == 3) {
            const float4 more = *reinterpret_cast<const float4*>(fours + m_layout.four);
            values[0][0] = more.x;
            values[0][1] = more.y;
            values[1][0] = more.z;
            values[1][1] = more.w;
        }
        values[C - 1][0] = two.x;
        values[C - 1][1] = two.y;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            if (!(Halves >> (k / 2) & 1)) continue;
            const float weight =
                exp2Approx(fmaf(m_factor, __int_as_float(sums[k]), starts[k % 2]));
            m_weights[k / 2] = fmaf(weight, factors[k % 2], m_weights[k / 2]);
#pragma unroll
            for (int c = 0; c < C; ++c)
                m_sums[k / 2][c] = fmaf(weight, values[c][k % 2], m_sums[k / 2][c]);
        }
    }

    const Tiling& m_tiling;
    const Layout<C>& m_layout;
    const float m_factor;
    const int m_rowPitch;
    int m_group, m_member;  // of the warp's lanes in a product
    int m_place[kPairWords];
    int m_begin[2];
    std::uint32_t m_own[2][kWords / 2][4];
    const std::uint32_t* m_words;
    const std::byte* m_fours;
    const std::byte* m_twos;
    float m_sums[2][C] = {};
    float m_weights[2] = {};
};

// Blocks of a multiprocessor: 64 registers a thread, 128 in colour.
template <int C>
__global__ void __launch_bounds__(kThreads, C == 1 ? 3 : 2)
    productsKernel(DeviceImage in, DeviceImage out, Tiling tiling, Weighing weighing) {
    extern __shared__ uint4 aligned[];
    auto* const shared = reinterpret_cast<std::byte*>(aligned);
    const Layout<C> layout(tiling);
    const int tile = tiling.first + int(blockIdx.x);
    const int y0 = tile / tiling.across * tiling.rows;
    const int x0 = tile % tiling.across * tiling.columns;
    loadTile<C>(in, tiling, layout, x0, y0, weighing, shared);
    __syncthreads();

    const int across = tiling.columns / kSide, count = across * (tiling.rows / kSide);
    for (int i = int(threadIdx.x) / 32; i < count; i += kWarps) {
        const int top = i / across * kSide, left = i % across * kSide;
        if (x0 + left >= out.size.width || y0 + top >= out.size.height) continue;
        WarpPixels<C> pixels(tiling, layout, weighing.factor, shared, left, top);
        for (int product = 0; product < tiling.products(); ++product) pixels.add(product);
        pixels.finish([&](int column, int row, float(&mean)[C]) {
            const int x = x0 + left + column, y = y0 + top + row;
            if (x >= out.size.width || y >= out.size.height) return;
#pragma unroll
            for (int c = 0; c < C; ++c) mean[c] += 128.0f;
            using Pixels = std::conditional_t<C == 1, Gray8Pixels, Rgba8Pixels>;
            Pixels::store(in.data + y * in.pitch, out.data + y * out.pitch, x, mean);
        });
    }
}

struct Choice {
    Tiling tiling;
    int shared = 0;  // bytes; 0: no choice fits
};

// The tile with which the multiprocessors are done first: a larger one loads less around it, but
// leaves some of them idle in the end, or without a second block.
template <int C>
Choice choose(const DeviceTraits& traits, const NlMeansPlan& plan, Size size) {
    constexpr int kResident = C == 1 ? 3 : 2;
    constexpr Size kTiles[] = {{64, 32}, {32, 32}, {32, 16}, {16, 16}, {16, 8}};
    Choice best;
    double bestTime = std::numeric_limits<double>::infinity();
    for (const Size tile : kTiles) {
        Tiling tiling;
        tiling.columns = tile.width;
        tiling.rows = tile.height;
        tiling.across = int(divideUp(unsigned(size.width), unsigned(tile.width)));
        tiling.search = plan.searchRadius;
        tiling.patch = plan.patchRadius;
        const Layout<C> layout(tiling);
        if (std::size_t(layout.total) > traits.sharedPerBlock) continue;
        const double tiles =
            double(tiling.across) * divideUp(unsigned(size.height), unsigned(tile.height));
        const double each = std::ceil(tiles / traits.multiprocessors);
        const int resident = std::min(
            kResident, int(traits.sharedPerBlock + 1024) / (layout.total + 1024));
        // Instructions of a tile. Four warps a scheduler fill it.
        const double neighbours =
            double(2 * plan.searchRadius + kSide) * kAcross * tiling.products();
        const double time =
            tile.width * tile.height * neighbours * (C == 1 ? 8 : 13) +
            double(tiling.patchRows()) * tiling.patchColumns() * (40 + 50 * C) +
            double(tiling.wordRows()) * tiling.wordColumns() * 30 * C;
        const double warps = kWarps * std::min(each, double(resident));
        const double total = each * time / std::min(1.0, 0.4 + 0.04 * warps);
        if (total < bestTime) {
            bestTime = total;
            best = {tiling, layout.total};
        }
    }
    return best;
}

template <int C>
void runTiles(KernelContext& context, const NlMeansPlan& plan, const DeviceImage& in,
              const DeviceImage& out) {
    const Choice choice = choose<C>(context.traits(), plan, in.size);
    const Tiling& tiling = choice.tiling;
    const int down = int(divideUp(unsigned(in.size.height), unsigned(tiling.rows)));
    const std::int64_t neighbours =
        std::int64_t(2 * tiling.search + kSide) * kAcross * tiling.products();
    const std::int64_t perTile =
        std::int64_t(tiling.rows) * tiling.columns * neighbours * (C == 1 ? 8 : 16);
    context.forEachBand(
        tiling.across * down, tilesPerLaunch(context, perTile), [&](int first, int last) {
            Tiling now = tiling;
            now.first = first;
            launch(context, "NL-means, products", unsigned(last - first), unsigned(kThreads),
                   std::size_t(choice.shared), productsKernel<C>, in, out, now,
                   Weighing(plan.exponent));
        });
}

}  // namespace

bool canRunNlMeansProducts(const DeviceTraits& traits, const NlMeansPlan& plan) {
    if (!traits.hasIntegerMma() || bytesPerSample(plan.input) != 1 || plan.patchRadius < 1 ||
        plan.patchRadius > kLargestRadius || plan.searchRadius < 1)
        return false;
    return isColor(plan.input) ? choose<3>(traits, plan, plan.size).shared != 0
                               : choose<1>(traits, plan, plan.size).shared != 0;
}

void runNlMeansProducts(KernelContext& context, const NlMeansPlan& plan, const DeviceImage& in,
                        const DeviceImage& out) {
    isColor(in.format) ? runTiles<3>(context, plan, in, out)
                       : runTiles<1>(context, plan, in, out);
}

}  // namespace warpscope::cuda
