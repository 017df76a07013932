// What the Gaussians in the registers of a warp share (gaussian_blur_warp.cu,
// gaussian_blur_pairs.cu, gaussian_blur_sparse.cu); of the first two the passes over 16 columns and
// rows as banded products.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "cuda_kernels/runtime/early_launch.cuh"
#include "cuda_kernels/runtime/row_prefetch.cuh"
#include "cuda_kernels/smoothing/gaussian_blur.cuh"
#include "cuda_kernels/smoothing/gaussian_blur_banded.cuh"

namespace warpscope::cuda {

inline constexpr int kSide = 16;                 // columns of a tile, rows of a step
inline constexpr int kReach = kMostDenseRadius;  // pixels that are read beside a strip
// Of 16 bytes a lane: rows' weights, high and low; columns' alike.
inline constexpr int kFragments = 4;

// Row m of the row pass's 16 outputs is this column of the tile: a lane's four outputs of the
// column pass, two of each half, are neighbours.
constexpr int columnOfOutput(int m) {
    return 4 * ((m & 7) >> 1) + 2 * (m >> 3) + (m & 1);
}

// The banded matrices of a blur as lanes hold them, for strips that begin kReach pixels and
// `above` rows before the first output. `pixelOf(quarter, i, e)`: which pixel byte e of word i of
// the lanes of a quarter is; `columnOf(m)`: which of the strip's columns output m of the row pass.
template <class PixelOf, class ColumnOf>
void appendWeights(const GaussianBlurPlan& plan, int above, const PixelOf& pixelOf,
                   const ColumnOf& columnOf, std::vector<std::uint32_t>& words) {
    for (int item = 0; item < kFragments * 32; ++item) {
        const int lane = item % 32, group = lane / 4, quarter = lane % 4;
        const bool columns = item / 64 != 0;
        const int shift = item / 32 % 2 ? 0 : 8;
        for (int reg = 0; reg < 4; ++reg) {
            const int m = group + 8 * (reg & 1), i = reg >> 1;
            std::uint32_t word = 0;
            for (int e = 0; e < 4; ++e) {
                const int row = 16 * i + 8 * (e >> 1) + 2 * quarter + (e & 1);
                const int away =
                    columns ? row - above - m : pixelOf(quarter, i, e) - kReach - columnOf(m);
                if (std::abs(away) <= plan.radius)
                    word |= (plan.taps[std::size_t(away + plan.radius)] >> shift & 255u) << (8 * e);
            }
            words.push_back(word);
        }
    }
}

struct BandedWeights {
    uint4 rowHigh, rowLow, columnHigh, columnLow;

    __device__ __forceinline__ void load(const uint4* at) {
        rowHigh = __ldg(at);
        rowLow = __ldg(at + 32);
        columnHigh = __ldg(at + 64);
        columnLow = __ldg(at + 96);
    }
};

// Sums of products with high and with low bytes are joined by shifted additions or, `Multiplied`,
// by multiplications, which are made by another unit.

// Of two neighbouring values of the row pass the low bytes, then the high ones.
template <bool Multiplied>
__device__ __forceinline__ std::uint32_t joinMiddle(const std::int32_t (&high)[4],
                                                    const std::int32_t (&low)[4], int at) {
    const auto joined = [&](int i) {
        const auto upper = std::uint32_t(high[i]), lower = std::uint32_t(low[i]);
        return Multiplied ? 256 * upper + lower : upper + (lower >> 8);
    };
    return __byte_perm(joined(at), joined(at + 1), Multiplied ? 0x6251 : 0x5140);
}

// Two neighbouring outputs. `mixed`: of high bytes with low ones.
template <bool Multiplied>
__device__ __forceinline__ std::uint32_t joinOutputs(const std::int32_t (&high)[4],
                                                     const std::int32_t (&mixed)[4],
                                                     const std::int32_t (&low)[4], int at) {
    const auto joined = [&](int i) {
        const auto upper = std::uint32_t(high[i]), middle = std::uint32_t(mixed[i]),
                   lower = std::uint32_t(low[i]);
        return Multiplied ? 65536 * upper + (256 * middle + lower)
                          : upper + ((middle + (lower >> 8)) >> 8);
    };
    return __byte_perm(joined(at), joined(at + 1), Multiplied ? 0x0073 : 0x0051);
}

// A lane's part of the intermediate of 16 rows and half of the columns: low and high bytes of four
// values.
using Middle = uint2;

template <bool Multiplied>
__device__ __forceinline__ void rowPass(const BandedWeights& weights,
                                        const std::uint32_t (&upper)[2],
                                        const std::uint32_t (&lower)[2], Middle (&made)[2]) {
    std::int32_t high[2][4] = {}, low[2][4] = {{128, 128, 128, 128}, {128, 128, 128, 128}};
    multiply(low[0], weights.rowLow, upper[0], upper[1]);
    multiply(low[1], weights.rowLow, lower[0], lower[1]);
    multiply(high[0], weights.rowHigh, upper[0], upper[1]);
    multiply(high[1], weights.rowHigh, lower[0], lower[1]);
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        std::uint32_t pair[2];  // low bytes, then high ones
#pragma unroll
        for (int v = 0; v < 2; ++v) pair[v] = joinMiddle<Multiplied>(high[v], low[v], 2 * half);
        made[half] = {__byte_perm(pair[0], pair[1], 0x5410), __byte_perm(pair[0], pair[1], 0x7632)};
    }
}

// Of 32 rows: four neighbouring outputs of rows lane / 4 and 8 + lane / 4.
template <bool Multiplied>
__device__ __forceinline__ void columnPass(const BandedWeights& weights, const Middle (&upper)[2],
                                           const Middle (&lower)[2], std::uint32_t (&made)[2]) {
    std::uint32_t pairs[2][2];
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        std::int32_t high[4] = {128, 128, 128, 128}, mixed[4] = {}, low[4] = {};
        multiply(low, weights.columnLow, upper[half].x, lower[half].x);
        multiply(mixed, weights.columnHigh, upper[half].x, lower[half].x);
        multiply(high, weights.columnHigh, upper[half].y, lower[half].y);
        multiply(mixed, weights.columnLow, upper[half].y, lower[half].y);
#pragma unroll
        for (int r = 0; r < 2; ++r)
            pairs[r][half] = joinOutputs<Multiplied>(high, mixed, low, 2 * r);
    }
#pragma unroll
    for (int r = 0; r < 2; ++r) made[r] = __byte_perm(pairs[r][0], pairs[r][1], 0x5410);
}

// What lies beside these bytes is read by neighbours.
template <class Words>
__device__ __forceinline__ Words loadPixels(const std::byte* from) {
#if defined(__CUDA_ARCH__) && !defined(WARPSCOPE_EMULATED_DOT_PRODUCTS)
    Words words;
    if constexpr (sizeof(Words) == 16)
        asm volatile("ld.global.L2::128B.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(words.x), "=r"(words.y), "=r"(words.z), "=r"(words.w)
                     : "l"(from));
    else if constexpr (sizeof(Words) == 8)
        asm volatile("ld.global.L2::128B.v2.u32 {%0, %1}, [%2];"
                     : "=r"(words.x), "=r"(words.y)
                     : "l"(from));
    else
        asm volatile("ld.global.L2::128B.u32 %0, [%1];" : "=r"(words) : "l"(from));
    return words;
#else
    return *reinterpret_cast<const Words*>(from);
#endif
}

// Four pixels of the input beside which results are made.
template <int Channels>
struct Beside;

template <>
struct Beside<1> {
    std::uint32_t pixels;
    __device__ __forceinline__ void load(const std::byte* from) {
        pixels = *reinterpret_cast<const std::uint32_t*>(from);
    }
    __device__ __forceinline__ std::uint32_t channel(int) const { return pixels; }
    __device__ __forceinline__ void store(std::byte* to, const std::uint32_t (&made)[1],
                                          bool inside) const {
        if (inside) *reinterpret_cast<std::uint32_t*>(to) = made[0];
    }
};

template <>
struct Beside<3> {
    uint4 pixels;
    __device__ __forceinline__ void load(const std::byte* from) {
        pixels = *reinterpret_cast<const uint4*>(from);
    }
    __device__ __forceinline__ std::uint32_t channel(int c) const {
        const auto which = unsigned(c | (4 + c) << 4);
        return __byte_perm(__byte_perm(pixels.x, pixels.y, which),
                           __byte_perm(pixels.z, pixels.w, which), 0x5410);
    }
    // With the alpha of the pixels.
    __device__ __forceinline__ void store(std::byte* to, const std::uint32_t (&made)[3],
                                          bool inside) const {
        const std::uint32_t first = __byte_perm(made[0], made[1], 0x5140);
        const std::uint32_t second = __byte_perm(made[0], made[1], 0x7362);
        storeIf(inside, to,
                {__byte_perm(first, __byte_perm(made[2], pixels.x, 0x0070), 0x5410),
                 __byte_perm(first, __byte_perm(made[2], pixels.y, 0x0071), 0x5432),
                 __byte_perm(second, __byte_perm(made[2], pixels.z, 0x0072), 0x5410),
                 __byte_perm(second, __byte_perm(made[2], pixels.w, 0x0073), 0x5432)});
    }
};

// What a warp filters: columns from `x` on.
struct Piece {
    int x, top, bottom;

    // Whether all that is read beside `columns` of them lies inside the image.
    __device__ __forceinline__ bool isInside(int width, int columns, int reach) const {
        return x >= reach && x + columns + reach <= width;
    }
};

// Strips side by side, each cut into pieces of some rows: one a warp, numbered along the rows.
struct Strips {
    int first, last, rowsEach;
    FastDivide across;
    std::uint32_t count;
    int inPitch, outPitch;
    bool fetched;  // into the cache before they are loaded

    static constexpr unsigned kShort = 4;  // steps up to which that helps everybody

    // Of the rows [first, last).
    Strips(const DeviceImage& in, const DeviceImage& out, int first, int last,
           const FastDivide& across, unsigned steps, bool fetched)
        : first(first),
          last(last),
          rowsEach(kSide * int(steps)),
          across(across),
          count(across.divisor * divideUp(unsigned(last - first), rowsEach)),
          inPitch(int(in.pitch)),
          outPitch(int(out.pitch)),
          fetched(fetched) {}

    unsigned blocks(unsigned threads) const { return divideUp(std::uint64_t(count) * 32, threads); }
    // Of a warp below `count`.
    __device__ __forceinline__ Piece piece(std::uint32_t index, int columns) const {
        const std::uint32_t down = across(index);
        const int top = first + int(down) * rowsEach;
        return {int(index - down * across.divisor) * columns, top, min(top + rowsEach, last)};
    }
};

// What a warp begins with, before it loads pixels. `Bytes`: of a row of its piece. What is fetched
// is there sooner if the next launch, which fetches as well, begins later.
template <int Bytes>
__device__ __forceinline__ void beginPiece(const DeviceImage& in, const Strips& strips, int above,
                                           const Piece& piece) {
    if (strips.fetched) {
        const std::uint32_t warps = blockDim.x / 32, index = blockIdx.x * warps;
        const int from =
            int(index - strips.across(index) * strips.across.divisor) * Bytes;  // of the block
        prefetchRows(in.data + from, strips.inPitch, min(int(warps) * Bytes, strips.inPitch - from),
                     max(piece.top - above, 0), piece.bottom);
    } else {
        letNextLaunchBegin();
    }
    waitForLaunchBefore();
    if (strips.fetched) letNextLaunchBegin();
}

// Where a lane reads in the rows group and 8 + group of a piece's steps, one step after the other:
// bytes from where the rows of a launch begin, which are few enough for 32 bits. Below the last row
// that a piece needs it is that one again.
class RowOffsets {
  public:
    // `beside`: rows above and below the piece's, fewer than a step; `column`: bytes of a row.
    __device__ __forceinline__ RowOffsets(const DeviceImage& in, const Strips& strips,
                                          const Piece& piece, int beside, int column)
        : m_row(piece.top - beside + int(threadIdx.x % 32 / 4)),
          m_pitch(unsigned(strips.inPitch)),
          m_next(unsigned(m_row) * m_pitch + unsigned(column)),
          m_last(unsigned(min(piece.bottom + beside, in.size.height) - 1) * m_pitch +
                 unsigned(column)) {}

    // Of the first step, whose rows may lie above the image.
    __device__ __forceinline__ std::uint32_t first(int v) const {
        const int above = min(m_row + 8 * v, 0);
        return min(m_next + (8 * v - above) * m_pitch, m_last);
    }
    __device__ __forceinline__ std::uint32_t operator()(int v) const {
        return min(m_next + 8 * v * m_pitch, m_last);
    }
    __device__ __forceinline__ void goOn() { m_next += kSide * m_pitch; }

  private:
    int m_row;
    std::uint32_t m_pitch, m_next, m_last;
};

// How many steps a warp goes down: what a multiprocessor does is its blocks of four warps, whose
// warps each filter the rows of `kept` steps more; of `together` blocks fewer ones take as long as
// all. More than kMost were slower.
inline unsigned stepsOfStrip(unsigned across, unsigned steps, unsigned multiprocessors,
                             unsigned kept, unsigned together) {
    constexpr unsigned kMost = 14, kWarps = 4;
    unsigned best = 1;
    std::uint64_t least = ~std::uint64_t(0);
    for (unsigned each = 1; each <= kMost; ++each) {
        const std::uint64_t warps = std::uint64_t(across) * divideUp(steps, each);
        const std::uint64_t blocks = divideUp(divideUp(warps, kWarps), multiprocessors);
        const std::uint64_t cost =
            std::uint64_t(divideUp(blocks, together)) * together * (each + kept);
        if (cost < least) {
            least = cost;
            best = each;
        }
    }
    return best;
}

// As few steps as let the device, which holds `warps`, take all pieces at once, but two where it
// has many; lower pieces at the end may take turns for as long as the others take. None: more than
// are worth while.
inline std::optional<unsigned> stepsAtOnce(unsigned across, unsigned steps, unsigned warps) {
    constexpr unsigned kMost = 17;
    for (unsigned each = across * steps > warps / 4 ? 2 : 1; each <= kMost; ++each) {
        const unsigned whole = across * (steps / each), left = steps % each;
        if (whole > warps) continue;
        if (left == 0) return each;
        const unsigned free = warps - whole;
        if (free != 0 && divideUp(across, free) * (left + 1) <= each + 1) return each;
    }
    return {};
}

// The same of warps with a tile of 16 columns, of which a multiprocessor holds `warps`.
inline unsigned stepsOfWarps(unsigned across, unsigned steps, unsigned multiprocessors,
                             unsigned warps) {
    if (const std::optional<unsigned> each = stepsAtOnce(across, steps, multiprocessors * warps))
        return *each;
    return stepsOfStrip(across, steps, multiprocessors, 1, 1);
}

// Calls launch(from, to, first, last) for bands of rows that cover the image: rows [first, last) of
// `to` are made of those and up to `above` at each side of `from`, which has no others, so that
// their bytes are counted in 32 bits. `work`: multiplications of a row.
template <class Launch>
void forEachBlurBand(KernelContext& context, const DeviceImage& in, const DeviceImage& out,
                     int above, std::int64_t work, const Launch& launch) {
    // A step of the longest rows is the least that a launch has, and warps count on to rows that
    // none of them reads.
    constexpr std::int64_t kMostBytes = std::int64_t(1) << 31, kMostBeside = 8 * kSide;
    constexpr std::int64_t kLongestRow = std::int64_t(kMaxSide) * 4 + 4096;
    static_assert(kMostBytes + kMostBeside * kLongestRow <= 0xffffffffll);
    const auto rows = int(std::min(std::int64_t(context.rowsPerLaunch(in.pitch + out.pitch, work)),
                                   kMostBytes / std::max<std::int64_t>(in.pitch, out.pitch)));
    const int height = in.size.height;
    context.forEachBand(height, std::max(kSide, rows / kSide * kSide), [&](int first, int last) {
        const int origin = std::max(0, first - above);
        launch(rowsOf(in, origin, std::min(last + above, height)), rowsOf(out, origin, last),
               first - origin, last - origin);
    });
}

// What device memory holds of the matrices of such plans is known by, after `kind`.
inline std::string weightsKey(std::string kind,
                              std::initializer_list<const GaussianBlurPlan*> plans) {
    for (const GaussianBlurPlan* plan : plans)
        kind.append(" ").append(reinterpret_cast<const char*>(plan->taps.data()),
                                plan->taps.size() * sizeof(plan->taps[0]));
    return kind;
}
inline int largestRadius(std::initializer_list<const GaussianBlurPlan*> plans) {
    int radius = 0;
    for (const GaussianBlurPlan* plan : plans) radius = std::max(radius, plan->radius);
    return radius;
}

// Of two tiles beside each other lanes of quarters q and q + 2 have neighbouring words of a tile,
// which they exchange: then each has two neighbouring words, and a warp writes 32 bytes of a row.
__host__ __device__ constexpr int exchangedWord(int quarter) {
    return (quarter & 1) << 1 | quarter >> 1;
}
// `early`: quarters 0 and 1; `left`, `right`: this lane's words of the tiles.
__device__ __forceinline__ void storeExchanged(std::byte* to, bool early, std::uint32_t left,
                                               std::uint32_t right, bool inside) {
    const std::uint32_t got = __shfl_xor_sync(0xffffffffu, early ? right : left, 2);
    const uint2 words = early ? uint2{left, got} : uint2{got, right};
    if (inside) *reinterpret_cast<uint2*>(to) = words;
}

// gaussian_blur_sparse.cu: what prefersGaussianSparse takes, to the same bits.
void runGaussianSparse(KernelContext& context, const GaussianBlurPlan& plan, const DeviceImage& in,
                       const DeviceImage& out, const BlurMix* mix);
void runSparseDifference(KernelContext& context, const GaussianBlurPlan& small,
                         const GaussianBlurPlan& large, std::int32_t gain, const DeviceImage& in,
                         const DeviceImage& out);
void loadGaussianSparse();

}  // namespace warpscope::cuda
