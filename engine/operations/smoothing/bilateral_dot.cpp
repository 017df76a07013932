#include "engine/operations/smoothing/bilateral_dot.h"

#include <hwy/base.h>

#include "engine/operations/smoothing/bilateral_rows.h"
#include "engine/operations/vector_targets.h"

#if HWY_ARCH_X86

// Of GCC 12's own header.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

#include <immintrin.h>

#include <algorithm>

namespace warpscope {
namespace {

#define WARPSCOPE_DOT __attribute__((target("avx512f,avx512bw,avx512vbmi,avx512vnni")))
#define WARPSCOPE_DOT_INLINE WARPSCOPE_DOT inline __attribute__((always_inline))
#define WARPSCOPE_DOT_UNROLL _Pragma("GCC unroll 4")

constexpr int kLanes = 64;
// Taps whose bytes lie side by side in a 32-bit lane.
constexpr int kTogether = kBilateralTapsTogether;
static_assert(kTogether == 4);

// 32-bit lanes of 64 pixels: quarter q has the pixels 4 q to 4 q + 3 of each 16.
struct Quarters {
    __m512i of[4];
};

// The bytes of four vectors, those of a pixel in one lane.
WARPSCOPE_DOT_INLINE Quarters sideBySide(const __m512i (&v)[kTogether]) {
    const __m512i low[2] = {_mm512_unpacklo_epi8(v[0], v[1]), _mm512_unpacklo_epi8(v[2], v[3])};
    const __m512i high[2] = {_mm512_unpackhi_epi8(v[0], v[1]), _mm512_unpackhi_epi8(v[2], v[3])};
    return {{_mm512_unpacklo_epi16(low[0], low[1]), _mm512_unpackhi_epi16(low[0], low[1]),
             _mm512_unpacklo_epi16(high[0], high[1]), _mm512_unpackhi_epi16(high[0], high[1])}};
}

// In a table of 128, whose last entry is 0, or of 256.
template <bool kWide>
WARPSCOPE_DOT_INLINE __m512i weightsOf(const BilateralTap& tap, __m512i difference) {
    const auto table = [&](int at) WARPSCOPE_DOT { return _mm512_loadu_si512(tap.weights + at); };
    if constexpr (!kWide)
        return _mm512_permutex2var_epi8(
            table(0), _mm512_min_epu8(difference, _mm512_set1_epi8(127)), table(64));
    return _mm512_mask_blend_epi8(_mm512_movepi8_mask(difference),
                                  _mm512_permutex2var_epi8(table(0), difference, table(64)),
                                  _mm512_permutex2var_epi8(table(128), difference, table(192)));
}

template <int C>
WARPSCOPE_DOT_INLINE __m512i differenceOf(const __m512i (&a)[C], const __m512i (&b)[C]) {
    __m512i sum = _mm512_sub_epi8(_mm512_max_epu8(a[0], b[0]), _mm512_min_epu8(a[0], b[0]));
    WARPSCOPE_DOT_UNROLL
    for (int c = 1; c < C; ++c)
        sum = _mm512_adds_epu8(
            sum, _mm512_sub_epi8(_mm512_max_epu8(a[c], b[c]), _mm512_min_epu8(a[c], b[c])));
    return sum;
}

// (2 sum + weight) / (2 weight), rounded down: below 256, so that the estimate is one off at most.
WARPSCOPE_DOT_INLINE __m512i meanOf(__m512i sum, __m512i weight) {
    const __m512i a = _mm512_add_epi32(_mm512_add_epi32(sum, sum), weight);
    const __m512i b = _mm512_add_epi32(weight, weight);
    const __m512i about = _mm512_cvttps_epi32(
        _mm512_mul_ps(_mm512_cvtepi32_ps(a), _mm512_rcp14_ps(_mm512_cvtepi32_ps(b))));
    const __m512i rest = _mm512_sub_epi32(a, _mm512_mullo_epi32(about, b));
    const __m512i one = _mm512_set1_epi32(1);
    const __m512i less = _mm512_mask_sub_epi32(
        about, _mm512_cmplt_epi32_mask(rest, _mm512_setzero_si512()), about, one);
    return _mm512_mask_add_epi32(less, _mm512_cmpge_epi32_mask(rest, b), less, one);
}

template <int C, bool kWide>
WARPSCOPE_DOT void rowOf(const std::uint8_t* const* planes, std::uint8_t* const* out, int width,
                         const BilateralTap* taps, int count) {
    const __m512i ones = _mm512_set1_epi8(1), middle = _mm512_set1_epi8(-128);
    const __m512i zero = _mm512_setzero_si512();
    for (int x = 0; x < width; x += kLanes) {
        __m512i centre[C];
        WARPSCOPE_DOT_UNROLL
        for (int c = 0; c < C; ++c) centre[c] = _mm512_loadu_si512(planes[c] + x);
        // Products of samples less 128, which are signed as one factor has to be.
        Quarters weights, sums[C];
        WARPSCOPE_DOT_UNROLL
        for (int q = 0; q < 4; ++q) {
            weights.of[q] = _mm512_set1_epi32(256);
            WARPSCOPE_DOT_UNROLL
            for (int c = 0; c < C; ++c) sums[c].of[q] = zero;
        }
        for (int t = 0; t < count; t += kTogether) {
            __m512i weight[kTogether], samples[C][kTogether];
            WARPSCOPE_DOT_UNROLL
            for (int k = 0; k < kTogether; ++k) {
                const BilateralTap& tap = taps[t + k];
                __m512i near[C];
                WARPSCOPE_DOT_UNROLL
                for (int c = 0; c < C; ++c) {
                    near[c] = _mm512_loadu_si512(planes[c] + x + tap.offset);
                    samples[c][k] = _mm512_xor_si512(near[c], middle);
                }
                weight[k] = weightsOf<kWide>(tap, differenceOf<C>(centre, near));
            }
            const Quarters w = sideBySide(weight);
            WARPSCOPE_DOT_UNROLL
            for (int q = 0; q < 4; ++q)
                weights.of[q] = _mm512_dpbusd_epi32(weights.of[q], w.of[q], ones);
            WARPSCOPE_DOT_UNROLL
            for (int c = 0; c < C; ++c) {
                const Quarters v = sideBySide(samples[c]);
                WARPSCOPE_DOT_UNROLL
                for (int q = 0; q < 4; ++q)
                    sums[c].of[q] = _mm512_dpbusd_epi32(sums[c].of[q], w.of[q], v.of[q]);
            }
        }
        WARPSCOPE_DOT_UNROLL
        for (int c = 0; c < C; ++c) {
            // 256 times the sample.
            const Quarters own = sideBySide({zero, centre[c], zero, zero});
            __m512i made[4];
            WARPSCOPE_DOT_UNROLL
            for (int q = 0; q < 4; ++q) {
                const __m512i less = _mm512_add_epi32(
                    sums[c].of[q], _mm512_sub_epi32(own.of[q], _mm512_set1_epi32(256 * 128)));
                made[q] = meanOf(_mm512_add_epi32(less, _mm512_slli_epi32(weights.of[q], 7)),
                                 weights.of[q]);
            }
            _mm512_storeu_si512(out[c] + x,
                                _mm512_packus_epi16(_mm512_packus_epi32(made[0], made[1]),
                                                    _mm512_packus_epi32(made[2], made[3])));
        }
    }
}

}  // namespace

bool bilateralDotProducts() {
    return hasDotProducts();
}

void bilateralDotRow(const std::uint8_t* const* planes, std::uint8_t* const* out, int channels,
                     int width, const BilateralTap* taps, int count) {
    const bool wide =
        std::any_of(taps, taps + count, [](const BilateralTap& tap) { return tap.blocks >= 8; });
    if (channels == 1)
        wide ? rowOf<1, true>(planes, out, width, taps, count)
             : rowOf<1, false>(planes, out, width, taps, count);
    else
        wide ? rowOf<3, true>(planes, out, width, taps, count)
             : rowOf<3, false>(planes, out, width, taps, count);
}

}  // namespace warpscope

#else

namespace warpscope {

bool bilateralDotProducts() {
    return false;
}
void bilateralDotRow(const std::uint8_t* const*, std::uint8_t* const*, int, int,
                     const BilateralTap*, int) {}

}  // namespace warpscope

#endif
