#include "engine/operations/smoothing/gaussian_blur_dot.h"

#include <hwy/base.h>

#include "engine/operations/smoothing/gaussian_blur_rows.h"
#include "engine/operations/vector_targets.h"

#if HWY_ARCH_X86

#include <immintrin.h>

#include <algorithm>
#include <cstring>

namespace warpscope {
namespace {

#define WARPSCOPE_DOT __attribute__((target("avx512f,avx512bw,avx512vbmi,avx512vnni")))
#define WARPSCOPE_DOT_INLINE WARPSCOPE_DOT inline __attribute__((always_inline))
#define WARPSCOPE_DOT_UNROLL _Pragma("GCC unroll 16")

constexpr int kLanes = 32;  // 16-bit ones
// Row sums begin with what rounds and with what makes the result, value - 32,768; column sums with
// what rounds and with 32,768 times the sum of all weights (see gaussian_blur_rows.cpp).
constexpr int kRowStart = 128 - (32768 << 8);
constexpr std::uint32_t kColumnStart = (1u << 31) + (1u << 23);

// Two neighbouring weights in every 32-bit lane.
WARPSCOPE_DOT_INLINE __m512i weightPair(const std::int16_t* weights) {
    std::int32_t pair = 0;
    std::memcpy(&pair, weights, sizeof pair);
    return _mm512_set1_epi32(pair);
}
WARPSCOPE_DOT_INLINE __m512i constantPair(std::int16_t low, std::int16_t high) {
    return _mm512_set1_epi32(
        std::int32_t(std::uint16_t(low) | std::uint32_t(std::uint16_t(high)) << 16));
}

WARPSCOPE_DOT_INLINE __m512i samplesAt(const std::int16_t* at) {
    return _mm512_loadu_si512(at);
}
WARPSCOPE_DOT_INLINE __m512i samplesAt(const std::uint8_t* at) {
    return _mm512_cvtepu8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(at)));
}

// Byte permutes take the bytes of two vectors of sums that are the results.
struct ByteOrder {
    alignas(64) std::uint8_t of[64];
};
// Of row sums: bytes 1 and 2 of each even one and of the odd one after it.
constexpr ByteOrder kMiddleBytes = [] {
    ByteOrder order{};
    for (int i = 0; i < 64; ++i)
        order.of[i] = std::uint8_t(i / 4 * 4 + i % 2 + 1 + (i % 4 < 2 ? 0 : 64));
    return order;
}();
// Of column sums: the highest byte of each. Four of the lower vector, four of the upper one, as
// rows are interleaved; the same again for another two vectors.
constexpr ByteOrder kHighestBytes = [] {
    ByteOrder order{};
    for (int i = 0; i < 64; ++i)
        order.of[i] = std::uint8_t(4 * (i % 32 / 8 * 4 + i % 4) + 3 + (i % 8 < 4 ? 0 : 64));
    return order;
}();

// Of sixteen pixels: all of red, then of green, of blue, of alpha.
constexpr ByteOrder kColoursTogether = [] {
    ByteOrder order{};
    for (int i = 0; i < 64; ++i) order.of[i] = std::uint8_t(i % 16 * 4 + i / 16);
    return order;
}();

// Two lanes of 16 bytes of both. With a mask: GCC warns of what the plain one leaves undefined.
template <int kWhich>
WARPSCOPE_DOT_INLINE __m512i lanesOf(__m512i a, __m512i b) {
    return _mm512_maskz_shuffle_i32x4(~__mmask16{0}, a, b, kWhich);
}

// A 32-bit lane of the load at x + k holds samples k and k + 1 of an even output and k - 1 and k of
// the odd output after it: one load serves both.
template <int kBlocks, class T>
WARPSCOPE_DOT_INLINE void rowBlocks(const T* padded, const GaussianWeights& w, std::int16_t* out) {
    const std::int16_t* weights = w.padded.data() + GaussianWeights::kBefore;
    __m512i even[kBlocks], odd[kBlocks];
    WARPSCOPE_DOT_UNROLL
    for (int b = 0; b < kBlocks; ++b) even[b] = odd[b] = _mm512_set1_epi32(kRowStart);
    for (int k = 0; k < w.count; k += 2) {
        const __m512i forEven = weightPair(weights + k);
        const __m512i forOdd = weightPair(weights + k - 1);
        WARPSCOPE_DOT_UNROLL
        for (int b = 0; b < kBlocks; ++b) {
            const __m512i samples = samplesAt(padded + b * kLanes + k);
            even[b] = _mm512_dpwssd_epi32(even[b], samples, forEven);
            odd[b] = _mm512_dpwssd_epi32(odd[b], samples, forOdd);
        }
    }
    if (w.extra != 0) {
        const __m512i forEven = constantPair(w.extra, 0);
        const __m512i forOdd = constantPair(0, w.extra);
        WARPSCOPE_DOT_UNROLL
        for (int b = 0; b < kBlocks; ++b) {
            const __m512i samples = samplesAt(padded + b * kLanes + w.count / 2);
            even[b] = _mm512_dpwssd_epi32(even[b], samples, forEven);
            odd[b] = _mm512_dpwssd_epi32(odd[b], samples, forOdd);
        }
    }
    const __m512i order = _mm512_load_si512(kMiddleBytes.of);
    WARPSCOPE_DOT_UNROLL
    for (int b = 0; b < kBlocks; ++b)
        _mm512_storeu_si512(out + b * kLanes, _mm512_permutex2var_epi8(even[b], order, odd[b]));
}

template <class T>
WARPSCOPE_DOT_INLINE void rowOf(const T* padded, const GaussianWeights& w, std::int16_t* out,
                                int count) {
    int x = 0;
    for (; x + 8 * kLanes <= count; x += 8 * kLanes) rowBlocks<8>(padded + x, w, out + x);
    for (; x < count; x += 4 * kLanes) rowBlocks<4>(padded + x, w, out + x);
}

// Adds a pair of rows to the output rows kFirst to kLast, 64 columns of each. Rows are interleaved
// once for all of them.
template <int kFirst, int kLast>
WARPSCOPE_DOT_INLINE void addRowPair(const std::int16_t* upper, const std::int16_t* lower,
                                     const std::int16_t* weights,
                                     __m512i (&sum)[kGaussianRowsAtOnce][4]) {
    __m512i pairs[4];
    WARPSCOPE_DOT_UNROLL
    for (int half = 0; half < 2; ++half) {
        const __m512i a = _mm512_loadu_si512(upper + half * kLanes);
        const __m512i b = _mm512_loadu_si512(lower + half * kLanes);
        pairs[2 * half] = _mm512_unpacklo_epi16(a, b);
        pairs[2 * half + 1] = _mm512_unpackhi_epi16(a, b);
    }
    WARPSCOPE_DOT_UNROLL
    for (int k = kFirst; k <= kLast; ++k) {
        const __m512i pair = weightPair(weights - k);
        WARPSCOPE_DOT_UNROLL
        for (int i = 0; i < 4; ++i) sum[k][i] = _mm512_dpwssd_epi32(sum[k][i], pairs[i], pair);
    }
}

}  // namespace

bool gaussianDotProducts() {
    return hasDotProducts();
}

WARPSCOPE_DOT void gaussianDotRow(const std::int16_t* padded, const GaussianWeights& w,
                                  std::int16_t* out, int count) {
    rowOf(padded, w, out, count);
}

WARPSCOPE_DOT void gaussianDotRow(const std::uint8_t* row, int width, const GaussianWeights& w,
                                  std::int16_t* out, int count) {
    constexpr int kStep = 64;
    const int radius = w.count / 2;
    // Blocks whose samples all lie in the row, whole vectors of them.
    const int first = kGaussianBlock;
    const int last = (width - kGaussianDotRadius) / kGaussianBlock * kGaussianBlock;
    if (first < last) rowOf(row + first - radius, w, out + first, last - first);
    // Of the others a copy with the edge repeated on both sides.
    alignas(64) std::uint8_t padded[kStep + kGaussianBlock + 2 * kStep];
    for (int x = 0; x < count; x = x == 0 ? std::max(first, last) : x + kGaussianBlock) {
        const __m512i left = _mm512_set1_epi8(char(row[0]));
        const __m512i right = _mm512_set1_epi8(char(row[width - 1]));
        std::uint8_t* const copy = padded + kStep;
        for (int at = -kStep; at < kGaussianBlock + kStep && x + at < width; at += kStep)
            _mm512_store_si512(copy + at, x + at < 0 ? left : _mm512_loadu_si512(row + x + at));
        for (int at = width - x; at < kGaussianBlock + kStep; at += kStep)
            _mm512_storeu_si512(copy + at, right);
        rowBlocks<4>(padded + kStep - radius, w, out + x);
    }
}

WARPSCOPE_DOT void gaussianDotSplit(const std::uint8_t* rgba, int width, std::uint8_t* planes,
                                    std::ptrdiff_t pitch) {
    const __m512i order = _mm512_load_si512(kColoursTogether.of);
    for (int x = 0; x < width; x += 64) {
        // Of each sixteen pixels sixteen bytes of red, of green, of blue and of alpha.
        __m512i part[4];
        WARPSCOPE_DOT_UNROLL
        for (int i = 0; i < 4; ++i) {
            const std::uint8_t* from = rgba + 4 * std::ptrdiff_t(x) + 64 * i;
            const int left = std::clamp(width - x - 16 * i, 0, 16);
            fetchAhead(from);
            part[i] = _mm512_maskz_permutexvar_epi8(
                ~__mmask64{0}, order, _mm512_maskz_loadu_epi32(__mmask16((1u << left) - 1), from));
        }
        const __m512i redGreen[2] = {lanesOf<0x44>(part[0], part[1]),
                                     lanesOf<0x44>(part[2], part[3])};
        const __m512i blueAlpha[2] = {lanesOf<0xEE>(part[0], part[1]),
                                      lanesOf<0xEE>(part[2], part[3])};
        std::uint8_t* const to = planes + x;
        _mm512_storeu_si512(to, lanesOf<0x88>(redGreen[0], redGreen[1]));
        _mm512_storeu_si512(to + pitch, lanesOf<0xDD>(redGreen[0], redGreen[1]));
        _mm512_storeu_si512(to + 2 * pitch, lanesOf<0x88>(blueAlpha[0], blueAlpha[1]));
    }
}

WARPSCOPE_DOT void gaussianDotColumns(const std::int16_t* const* rows, const GaussianWeights& w,
                                      int count, std::uint8_t* const* out, const RowsAhead& ahead) {
    const std::ptrdiff_t aheadBytes = ahead.bytesOf(count / (2 * kLanes));
    std::ptrdiff_t asked = 0;
    const std::int16_t* weights = w.padded.data() + GaussianWeights::kBefore;
    const int last = w.count + 1;  // of the rows of the last pair the upper one
    const __m512i order = _mm512_load_si512(kHighestBytes.of);
    for (int x = 0; x < count; x += 2 * kLanes) {
        ahead.fetch(asked, aheadBytes);
        asked += aheadBytes;
        __m512i sum[kGaussianRowsAtOnce][4];
        WARPSCOPE_DOT_UNROLL
        for (int k = 0; k < kGaussianRowsAtOnce; ++k) WARPSCOPE_DOT_UNROLL
        for (int i = 0; i < 4; ++i) sum[k][i] = _mm512_set1_epi32(std::int32_t(kColumnStart));
        // The first two rows are above the lower two outputs, the last two below the upper ones.
        addRowPair<0, 1>(rows[0] + x, rows[1] + x, weights, sum);
        for (int j = 2; j < last; j += 2)
            addRowPair<0, 3>(rows[j] + x, rows[j + 1] + x, weights + j, sum);
        addRowPair<2, 3>(rows[last] + x, rows[last + 1] + x, weights + last, sum);
        if (w.extra != 0) {
            const __m512i extra = constantPair(w.extra, 0);
            WARPSCOPE_DOT_UNROLL
            for (int k = 0; k < kGaussianRowsAtOnce; ++k) WARPSCOPE_DOT_UNROLL
            for (int half = 0; half < 2; ++half) {
                const __m512i centre =
                    _mm512_loadu_si512(rows[k + w.count / 2] + x + half * kLanes);
                __m512i* const at = sum[k] + 2 * half;
                at[0] = _mm512_dpwssd_epi32(at[0], _mm512_unpacklo_epi16(centre, centre), extra);
                at[1] = _mm512_dpwssd_epi32(at[1], _mm512_unpackhi_epi16(centre, centre), extra);
            }
        }
        WARPSCOPE_DOT_UNROLL
        for (int k = 0; k < kGaussianRowsAtOnce; ++k) {
            const __m512i left = _mm512_permutex2var_epi8(sum[k][0], order, sum[k][1]);
            const __m512i right = _mm512_permutex2var_epi8(sum[k][2], order, sum[k][3]);
            _mm512_storeu_si512(out[k] + x, _mm512_mask_blend_epi32(0xFF00, left, right));
        }
    }
}

}  // namespace warpscope

#else

namespace warpscope {

bool gaussianDotProducts() {
    return false;
}
void gaussianDotRow(const std::int16_t*, const GaussianWeights&, std::int16_t*, int) {}
void gaussianDotRow(const std::uint8_t*, int, const GaussianWeights&, std::int16_t*, int) {}
void gaussianDotSplit(const std::uint8_t*, int, std::uint8_t*, std::ptrdiff_t) {}
void gaussianDotColumns(const std::int16_t* const*, const GaussianWeights&, int,
                        std::uint8_t* const*, const RowsAhead&) {}

}  // namespace warpscope

#endif
