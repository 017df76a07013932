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

// How weights are kept for the products that add them up. They are halves, of 11 bits, there:
// Exact makes two of each, so that 22 bits count, and gives each neighbour a factor that makes up
// for what `start` is rounded by. Quick does neither.
enum class Weights { Exact, Quick };

// What the weight of a neighbour takes, `factor` being -2 times the plan's exponent:
// exp2(factor * sum + start) with the sum of a product; start = -factor (M + A(q) / 2). All
// weights are larger than they should be by a power of two, which keeps small ones from losing
// bits as halves; that much below the largest half that what A(p) / 2 was rounded by has room.
struct Weighing {
    float factor;
    float startHigh, startLow;  // -factor M and the power of two; Exact: that in startLow alone

    Weighing(double exponent, Weights weights) : factor(float(-2 * exponent)) {
        const double start = -double(factor) * kMagic;
        const double power = 15 - std::ceil(factor / 2 + 0.1);
        startHigh = float(weights == Weights::Exact ? start : start + power);
        startLow = float(start + power - double(startHigh));
    }
};

template <Weights kWeights>
inline constexpr int kWeighingBytes = kWeights == Weights::Exact ? 16 : 8;  // of two neighbours
inline constexpr int kValueBytes = 16;                                      // the same

// Places in shared memory, in bytes. Of two neighbours side by side: `weighing`, starts and, if
// Exact, factors, and `values`, colours and a one, each of both as halves.
struct Layout {
    int weighing, values, corners, total;
    __host__ __device__ Layout(const Tiling& tiling, Weights weights) {
        const int pairs = tiling.patchRows() * tiling.patchColumns() / 2;
        const int each = weights == Weights::Exact ? kWeighingBytes<Weights::Exact>
                                                   : kWeighingBytes<Weights::Quick>;
        weighing = tiling.wordRows() * kColours * tiling.pitch() * 4;
        values = weighing + (pairs * each + 15) / 16 * 16;
        const int bytes = weighing + tiling.wordRows() * kColours * tiling.bytePitch();
        corners = values + pairs * kValueBytes;
        if (corners < bytes) corners = (bytes + 15) / 16 * 16;
        total = corners + kWarps * int(sizeof(int2));
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
// sums + a (16 x 16 halves) times b (16 x 8).
__device__ __forceinline__ void multiplyHalves(float (&sums)[4], const std::uint32_t (&a)[4],
                                               std::uint32_t b0, std::uint32_t b1) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%0,%1,%2,%3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#endif
}
#endif

// Two numbers as halves, the first one below: rounded, or cut off behind 11 bits.
template <bool kCut>
__device__ __forceinline__ std::uint32_t halvesOf(float low, float high) {
    std::uint32_t halves = 0;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    if constexpr (kCut)
        asm("cvt.rz.f16x2.f32 %0, %1, %2;" : "=r"(halves) : "f"(high), "f"(low));
    else
        asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(halves) : "f"(high), "f"(low));
#endif
    return halves;
}
// What is cut off.
__device__ __forceinline__ float cutOff(float value) {
    return value - __int_as_float(__float_as_int(value) & int(0xffffe000u));
}

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

template <Weights kWeights>
__device__ __forceinline__ void loadTile(const DeviceImage& in, const Tiling& tiling,
                                         const Layout& layout, int x0, int y0,
                                         const Weighing& weighing, std::byte* shared) {
    const int warp = int(threadIdx.x) / 32, lane = int(threadIdx.x) % 32;
    auto* const words = reinterpret_cast<std::uint32_t*>(shared);
    auto* const bytes = reinterpret_cast<std::uint8_t*>(shared + layout.weighing);
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
    auto* const weighings = shared + layout.weighing;
    auto* const values = reinterpret_cast<uint4*>(shared + layout.values);
    for (int row = warp; row < tiling.patchRows(); row += kWarps)
        for (int pair = lane; pair < pairs; pair += 32) {
            float start[2], factor[2], colours[kColours + 1][2];
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
                colours[kColours][k] = 1;
#pragma unroll
                for (int c = 0; c < kColours; ++c) {
                    const int at = (tiling.patch * kColours + c) * pitch + tiling.patch;
                    const auto value = std::int8_t(corner[at] & 255u);
                    colours[c][k] = float(value);
                }
            }
            const int at = row * pairs + pair;
            if constexpr (kWeights == Weights::Exact)
                reinterpret_cast<float4*>(weighings)[at] = {start[0], start[1], factor[0],
                                                            factor[1]};
            else
                reinterpret_cast<float2*>(weighings)[at] = {start[0], start[1]};
            const auto both = [&](int c) { return halvesOf<false>(colours[c][0], colours[c][1]); };
            values[at] = {both(0), both(1), both(2), both(kColours)};
        }
}

// Which of the two rows of a pair are in the windows of four rows of pixels, by where the pair is
// in them: the first rows belong to the upper pixels, the last to the lower ones.
enum class Pair { First, Second, Inside, LastButOne, Last };

// The kSide x kSide pixels of a warp and their neighbours. kPitch: the tiling's.
template <int kPitch, Weights kWeights>
class WarpPixels {
  public:
    static constexpr int kRowPitch = kColours * kPitch;  // words
    static constexpr int kPairWords = kColours;          // of a lane, of two rows of pixels
    static constexpr int kWords = kPatchRows / 2 * kPairWords;

    // left, top: within the tile.
    __device__ __forceinline__ WarpPixels(const Tiling& tiling, const Layout& layout, float factor,
                                          const std::byte* shared, int left, int top)
        : m_search(tiling.search), m_factor(factor), m_rowPairs(tiling.patchColumns() / 2) {
        const int lane = int(threadIdx.x) % 32;
        m_group = lane / 4;
        m_member = lane % 4;
        const auto* corner =
            reinterpret_cast<const std::uint32_t*>(shared) + top * kRowPitch + left;
        // Words of two rows: colour by colour, the first four pixels and the next.
        int row[kPairWords];
        std::uint32_t mask[kPairWords];
        const int side = 2 * tiling.patch + 1;
#pragma unroll
        for (int i = 0; i < kPairWords; ++i) {
            const int word = 4 * i + m_member;
            row[i] = word / (2 * kColours);
            const int half = word % 2;
            m_place[i] = row[i] * kRowPitch + word % (2 * kColours) / 2 * kPitch + 4 * half;
            mask[i] = half ? lowBytes(max(side - 4, 0)) : lowBytes(side);
        }
#pragma unroll
        for (int k = 0; k < 2; ++k) {
            int energy = 0;
            const std::uint32_t* own = corner + (m_search + m_group / kSide + 2 * k) * kRowPitch +
                                       m_search + m_group % kSide;
#pragma unroll
            for (int j = 0; j < kWords; ++j) {
                const int i = j % kPairWords;
                const int at = j / kPairWords * 2 + row[i];
                const std::uint32_t* from = own + j / kPairWords * 2 * kRowPitch + m_place[i];
                // In the order of a product's operand.
                const int slot = 2 * (j % 2) + k;
                const std::uint32_t word = at < side ? *from & mask[i] : 0u;
                m_own[0][j / 2][slot] = word;
                m_own[1][j / 2][slot] = at >= 1 && at <= side ? from[-kRowPitch] & mask[i] : 0u;
                energy = __dp4a(int(word), int(word), energy);
            }
            energy += __shfl_xor_sync(0xffffffffu, energy, 1);
            energy += __shfl_xor_sync(0xffffffffu, energy, 2);
            m_begin[k] = kMagicBits - (energy >> 1);
        }
        m_words = corner + m_group;
        m_weighing = shared + layout.weighing;
        m_values = shared + layout.values;
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
        const int pair = m_pair + kAcross / 2 * product;
        // Of a product of halves the last four columns are the first ones once more.
        Place at{m_words + kAcross * product, pair * kWeighingBytes<kWeights>,
                 pair * kValueBytes + m_group % 4 * 4};
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
    // Sums lie as red and green, blue and the weights, in pairs of lanes.
    template <int K, class Store>
    __device__ __forceinline__ void finishRow(Store&& store) const {
        const int first = int(threadIdx.x) % 32 & ~3;
        const auto sumOf = [&](int i) {
            return __shfl_sync(0xffffffffu, m_sums[2 * K + i % 2], first + i / 2);
        };
        float mean[kColours];
#pragma unroll
        for (int c = 0; c < kColours; ++c) mean[c] = sumOf(c);
        const float weights = sumOf(kColours);
#pragma unroll
        for (int c = 0; c < kColours; ++c) mean[c] = __fdividef(mean[c], weights);
        if (m_member == K) store(m_group % kSide, m_group / kSide + 2 * K, mean);
    }

    // Of two rows of neighbours.
    struct Place {
        const std::uint32_t* words;
        int weighing, values;  // bytes
    };

    // Goes on by two rows.
    template <Pair Where>
    __device__ __forceinline__ void addPair(Place& at, const int (&start)[4]) {
        std::uint32_t pixels[kWords];
#pragma unroll
        for (int j = 0; j < kWords; ++j)
            pixels[j] = at.words[j / kPairWords * 2 * kRowPitch + m_place[j % kPairWords]];
        const int weighingRow = m_rowPairs * kWeighingBytes<kWeights>;
        const int valueRow = m_rowPairs * kValueBytes;
        float weights[2][4];
        weigh<Where, false>(pixels, at.weighing, start, weights[0]);
        weigh<Where, true>(pixels, at.weighing + weighingRow, start, weights[1]);
        std::uint32_t values[2];
#pragma unroll
        for (int i = 0; i < 2; ++i)
            values[i] =
                *reinterpret_cast<const std::uint32_t*>(m_values + valueRow * i + at.values);
        at.words += 2 * kRowPitch;
        at.weighing += 2 * weighingRow;
        at.values += 2 * valueRow;
#ifdef __CUDA_ARCH__
        // Else both are computed anew from the number of the row.
        asm("" : "+r"(at.weighing), "+r"(at.values));
#endif
        constexpr bool kExact = kWeights == Weights::Exact;
        std::uint32_t halves[4];
#pragma unroll
        for (int i = 0; i < 4; ++i)
            halves[i] = halvesOf<kExact>(weights[i / 2][i % 2 * 2], weights[i / 2][i % 2 * 2 + 1]);
        multiplyHalves(m_sums, halves, values[0], values[1]);
        if constexpr (kExact) {
#pragma unroll
            for (int i = 0; i < 4; ++i)
                halves[i] = halvesOf<true>(cutOff(weights[i / 2][i % 2 * 2]),
                                           cutOff(weights[i / 2][i % 2 * 2 + 1]));
            multiplyHalves(m_sums, halves, values[0], values[1]);
        }
    }

    template <Pair Where, bool Odd>
    __device__ __forceinline__ void weigh(const std::uint32_t (&pixels)[kWords], int at,
                                          const int (&start)[4], float (&weights)[4]) const {
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

        float starts[2], factors[2];
        if constexpr (kWeights == Weights::Exact) {
            const auto both = *reinterpret_cast<const float4*>(m_weighing + at);
            starts[0] = both.x;
            starts[1] = both.y;
            factors[0] = both.z;
            factors[1] = both.w;
        } else {
            const auto both = *reinterpret_cast<const float2*>(m_weighing + at);
            starts[0] = both.x;
            starts[1] = both.y;
        }
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            weights[k] = 0;
            if (!(k < 2 ? kUpper : kLower)) continue;
            weights[k] = exp2Approx(fmaf(m_factor, __int_as_float(sums[k]), starts[k % 2]));
            if constexpr (kWeights == Weights::Exact) weights[k] *= factors[k % 2];
        }
    }

    const int m_search;
    const float m_factor;
    const int m_rowPairs;   // from a row of pairs of neighbours to the next
    int m_group, m_member;  // of the warp's lanes in a product
    int m_place[kPairWords];
    int m_begin[2];
    std::uint32_t m_own[2][kWords / 2][4];
    const std::uint32_t* m_words;
    const std::byte* m_weighing;
    const std::byte* m_values;
    int m_pair;
    float m_sums[4] = {};
};

}  // namespace warpscope::cuda::products
