// The pieces of nl_means_products.cu: a tile in shared memory, and what a warp makes of it.
#pragma once

#include "cuda_kernels/smoothing/nl_means.cuh"

namespace warpscope::cuda::products {

inline constexpr int kWarps = 8;
inline constexpr int kThreads = 32 * kWarps;
inline constexpr int kSide = 4;       // of the pixels of a warp
inline constexpr int kAcross = 8;     // neighbours of a product
inline constexpr int kPatchRows = 8;  // of a product
inline constexpr int kColours = 3;

inline constexpr int kMagicBits = 0x4B400000;
inline constexpr double kMagic = 12582912.0;         // the float with these bits
inline constexpr int kNeverBits = int(0xF0000000u);  // a float below -10^29, a product more or less

struct Tiling {
    int first = 0;   // tile of the first block
    int across = 0;  // tiles side by side
    int columns = 0;
    int rows = 0;
    int search = 0;
    int patch = 0;
    // What complete() fills in: from one row to the next, and from starts and factors to red and
    // green.
    int rowWords = 0;
    int rowPairs = 0;
    int more = 0;

    // Products side by side that cover the windows of four pixels.
    __host__ __device__ int products() const {
        return (2 * search + kSide + kAcross - 1) / kAcross;
    }
    // Patches, by their first pixel.
    __host__ __device__ int patchColumns() const { return columns - kSide + kAcross * products(); }
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

// Places in shared memory, in bytes. Of two neighbours side by side: `fours`, starts and factors,
// then red and green, `twos` blue; colours times the factor.
struct Layout {
    int fours, four, twos, corners, total;
    __host__ __device__ explicit Layout(const Tiling& tiling) {
        const int pairs = tiling.patchRows() * tiling.patchColumns() / 2;
        fours = tiling.wordRows() * kColours * tiling.pitch() * 4;
        four = pairs * int(sizeof(float4));
        twos = fours + 2 * four;
        const int bytes = fours + tiling.wordRows() * kColours * tiling.bytePitch();
        corners = twos + pairs * int(sizeof(float2));
        if (corners < bytes) corners = (bytes + 15) / 16 * 16;
        total = corners + kWarps * int(sizeof(int2));
    }
};

inline void complete(Tiling& tiling) {
    tiling.rowWords = kColours * tiling.pitch();
    tiling.rowPairs = tiling.patchColumns() / 2;
    tiling.more = Layout(tiling).four / int(sizeof(float4));
}

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
// The same with a depth of 16: the low or the high half of a.
__device__ __forceinline__ void multiplyHalf(int (&sums)[4], const std::uint32_t (&a)[4], int half,
                                             std::uint32_t b, const int (&start)[4]) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5}, {%6}, "
        "{%7,%8,%9,%10};"
        : "=r"(sums[0]), "=r"(sums[1]), "=r"(sums[2]), "=r"(sums[3])
        : "r"(a[2 * half]), "r"(a[2 * half + 1]), "r"(b), "r"(start[0]), "r"(start[1]),
          "r"(start[2]), "r"(start[3]));
#endif
}
#endif

__device__ __forceinline__ std::uint32_t lowBytes(int count) {
    return count >= 4 ? 0xffffffffu : (1u << (8 * count)) - 1u;
}

// Pixels of a tile and of what lies around it, less 128, colours one after the other.
inline __device__ void loadBytes(const DeviceImage& in, const Tiling& tiling, int x0, int y0,
                                 std::uint8_t* bytes) {
    const int warp = int(threadIdx.x) / 32, lane = int(threadIdx.x) % 32;
    const int reach = tiling.search + tiling.patch, pitch = tiling.bytePitch();
#pragma unroll 2
    for (int row = warp; row < tiling.wordRows(); row += kWarps) {
        const std::byte* from = in.data + in.pitch * mirrored(y0 - reach + row, in.size.height);
        std::uint8_t* to = bytes + row * kColours * pitch;
#pragma unroll 2
        for (int i = lane; i < pitch; i += 32) {
            const int x = mirrored(x0 - reach + i, in.size.width);
            const std::uint32_t pixel = reinterpret_cast<const std::uint32_t*>(from)[x] ^ 0x808080u;
#pragma unroll
            for (int c = 0; c < kColours; ++c) to[c * pitch + i] = std::uint8_t(pixel >> (8 * c));
        }
    }
}

inline __device__ void loadTile(const DeviceImage& in, const Tiling& tiling, const Layout& layout,
                                int x0, int y0, const Weighing& weighing, std::byte* shared) {
    const int warp = int(threadIdx.x) / 32, lane = int(threadIdx.x) % 32;
    auto* const words = reinterpret_cast<std::uint32_t*>(shared);
    auto* const bytes = reinterpret_cast<std::uint8_t*>(shared + layout.fours);
    loadBytes(in, tiling, x0, y0, bytes);
    __syncthreads();
    const int pitch = tiling.pitch();
    for (int row = warp; row < tiling.wordRows() * kColours; row += kWarps) {
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
            float start[2], factor[2], values[kColours][2];
#pragma unroll
            for (int k = 0; k < 2; ++k) {
                const std::uint32_t* corner = words + row * kColours * pitch + 2 * pair + k;
                int energy = 0;
                for (int i = 0; i < side * kColours; ++i) {
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
                for (int c = 0; c < kColours; ++c) {
                    const int at = (tiling.patch * kColours + c) * pitch + tiling.patch;
                    const auto value = std::int8_t(corner[at] & 255u);
                    values[c][k] = factor[k] * float(value);
                }
            }
            const int at = row * pairs + pair;
            fours[at] = {start[0], start[1], factor[0], factor[1]};
            fours[at + tiling.more] = {values[0][0], values[0][1], values[1][0], values[1][1]};
            twos[at] = {values[2][0], values[2][1]};
        }
}

// Which of the two rows of a pair are in the windows of four rows of pixels, by where the pair is
// in them: the first rows belong to the upper pixels, the last to the lower ones.
enum class Pair { First, Second, Inside, LastButOne, Last };

// The kSide x kSide pixels of a warp and their neighbours.
class WarpPixels {
  public:
    static constexpr int kPairWords = kColours;  // of a lane, of two rows of pixels
    static constexpr int kWords = kPatchRows / 2 * kPairWords;

    // left, top: within the tile.
    __device__ __forceinline__ WarpPixels(const Tiling& tiling, const Layout& layout, float factor,
                                          const std::byte* shared, int left, int top)
        : m_search(tiling.search),
          m_factor(factor),
          m_rowPitch(tiling.rowWords),
          m_rowPairs(tiling.rowPairs),
          m_more(tiling.more) {
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
            row[i] = word / (2 * kColours);
            const int half = word % 2;
            m_place[i] =
                row[i] * m_rowPitch + word % (2 * kColours) / 2 * tiling.pitch() + 4 * half;
            mask[i] = half ? lowBytes(max(side - 4, 0)) : lowBytes(side);
        }
#pragma unroll
        for (int k = 0; k < 2; ++k) {
            int energy = 0;
            const std::uint32_t* own = corner + (m_search + m_group / kSide + 2 * k) * m_rowPitch +
                                       m_search + m_group % kSide;
#pragma unroll
            for (int j = 0; j < kWords; ++j) {
                const int i = j % kPairWords;
                const int at = j / kPairWords * 2 + row[i];
                const std::uint32_t* from = own + j / kPairWords * 2 * m_rowPitch + m_place[i];
                // In the order of a product's operand.
                const int slot = 2 * (j % 2) + k;
                const std::uint32_t word = at < side ? *from & mask[i] : 0u;
                m_own[0][j / 2][slot] = word;
                m_own[1][j / 2][slot] = at >= 1 && at <= side ? from[-m_rowPitch] & mask[i] : 0u;
                energy = __dp4a(int(word), int(word), energy);
            }
            energy += __shfl_xor_sync(0xffffffffu, energy, 1);
            energy += __shfl_xor_sync(0xffffffffu, energy, 2);
            m_begin[k] = kMagicBits - (energy >> 1);
        }
        m_words = corner + m_group;
        m_fours = reinterpret_cast<const float4*>(shared + layout.fours);
        m_twos = reinterpret_cast<const float2*>(shared + layout.twos);
        m_pair = top * m_rowPairs + left / 2 + m_member;
    }

    // All products of eight columns. The search radius is 2 or more.
    __device__ __forceinline__ void add(int product) {
        const int column = kAcross * product + 2 * m_member - m_group % kSide;
        int start[4];
#pragma unroll
        for (int k = 0; k < 4; ++k)
            start[k] =
                unsigned(column + k % 2) <= unsigned(2 * m_search) ? m_begin[k / 2] : kNeverBits;
        Place at{m_words + kAcross * product, m_pair + kAcross / 2 * product};
        using enum Pair;
        addPair<First>(at, start);
        addPair<Second>(at, start);
#pragma unroll 1
        for (int i = m_search - 2; i > 0; --i) addPair<Inside>(at, start);
        addPair<LastButOne>(at, start);
        addPair<Last>(at, start);
    }

    // Calls store(column, row, mean[colour], less 128) within the warp's pixels.
    template <class Store>
    __device__ __forceinline__ void finish(Store&& store) {
        finishRow<0>(store);
        finishRow<1>(store);
    }

  private:
    template <int K, class Store>
    __device__ __forceinline__ void finishRow(Store&& store) const {
        float weights = m_weights[K], mean[kColours];
#pragma unroll
        for (int away = 1; away <= 2; away *= 2)
            weights += __shfl_xor_sync(0xffffffffu, weights, away);
#pragma unroll
        for (int c = 0; c < kColours; ++c) {
            float sum = m_sums[K][c];
#pragma unroll
            for (int away = 1; away <= 2; away *= 2) sum += __shfl_xor_sync(0xffffffffu, sum, away);
            mean[c] = __fdividef(sum, weights);
        }
        if (m_member == K) store(m_group % kSide, m_group / kSide + 2 * K, mean);
    }

    // Of two rows of neighbours.
    struct Place {
        const std::uint32_t* words;
        int pair;  // of neighbours
    };

    // Goes on by two rows.
    template <Pair Where>
    __device__ __forceinline__ void addPair(Place& at, const int (&start)[4]) {
        std::uint32_t pixels[kWords];
#pragma unroll
        for (int j = 0; j < kWords; ++j)
            pixels[j] = at.words[j / kPairWords * 2 * m_rowPitch + m_place[j % kPairWords]];
        at.words += 2 * m_rowPitch;
        addRow<Where, false>(pixels, at.pair, start);
        addRow<Where, true>(pixels, at.pair + m_rowPairs, start);
        at.pair += 2 * m_rowPairs;
    }

    // Two neighbours of a lane.
    struct Neighbours {
        float starts[2], factors[2], values[kColours][2];
        // `more`: from starts and factors to red and green.
        __device__ __forceinline__ Neighbours(const float4* fours, const float2* twos, int more,
                                              int pair) {
            const float4 weighing = fours[pair];
            const float2 last = twos[pair];
            starts[0] = weighing.x;
            starts[1] = weighing.y;
            factors[0] = weighing.z;
            factors[1] = weighing.w;
            const float4 first = fours[pair + more];
            values[0][0] = first.x;
            values[0][1] = first.y;
            values[1][0] = first.z;
            values[1][1] = first.w;
            values[2][0] = last.x;
            values[2][1] = last.y;
        }
    };

    template <Pair Where, bool Odd>
    __device__ __forceinline__ void addRow(const std::uint32_t (&pixels)[kWords], int pair,
                                           const int (&start)[4]) {
        const Neighbours neighbours(m_fours, m_twos, m_more, pair);
        constexpr bool kUpper = Where != Pair::Last, kLower = Where != Pair::First;
        int sums[4];
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            // Lanes with the first row of two, and those with the second.
            const bool first = (Where == Pair::First && k < 2) || (Where == Pair::Second && k >= 2);
            const bool second =
                (Where == Pair::LastButOne && k < 2) || (Where == Pair::Last && k >= 2);
            sums[k] = start[k];
            if (first && !Odd) sums[k] = m_group < kSide ? start[k] : kNeverBits;
            if (second && Odd) sums[k] = m_group >= kSide ? start[k] : kNeverBits;
        }
#pragma unroll
        for (int i = 0; i < kWords / 2; ++i) {
            // The row that a patch does not have is more than half of a product.
            if (i == (Odd ? 0 : kWords / 2 - 1))
                multiplyHalf(sums, m_own[Odd][i], Odd, pixels[2 * i + Odd], sums);
            else
                multiply(sums, m_own[Odd][i], pixels[2 * i], pixels[2 * i + 1], sums);
        }
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            if (!(k < 2 ? kUpper : kLower)) continue;
            const int row = k / 2;
            const float weight =
                exp2Approx(fmaf(m_factor, __int_as_float(sums[k]), neighbours.starts[k % 2]));
            m_weights[row] = fmaf(weight, neighbours.factors[k % 2], m_weights[row]);
#pragma unroll
            for (int c = 0; c < kColours; ++c)
                m_sums[row][c] = fmaf(weight, neighbours.values[c][k % 2], m_sums[row][c]);
        }
    }

    const int m_search;
    const float m_factor;
    const int m_rowPitch;   // words
    const int m_rowPairs;   // of neighbours
    const int m_more;       // from starts and factors to red and green
    int m_group, m_member;  // of the warp's lanes in a product
    int m_place[kPairWords];
    int m_begin[2];
    std::uint32_t m_own[2][kWords / 2][4];
    const std::uint32_t* m_words;
    const float4* m_fours;
    const float2* m_twos;
    int m_pair;
    float m_sums[2][kColours] = {};
    float m_weights[2] = {};
};

}  // namespace warpscope::cuda::products
