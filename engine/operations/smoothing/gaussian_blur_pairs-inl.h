// Pairs of 16-bit samples times pairs of weights, of which the vector code of gaussian_blur for
// 8-bit samples is made.
#if defined(WARPSCOPE_GAUSSIAN_BLUR_PAIRS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WARPSCOPE_GAUSSIAN_BLUR_PAIRS_INL_H
#undef WARPSCOPE_GAUSSIAN_BLUR_PAIRS_INL_H
#else
#define WARPSCOPE_GAUSSIAN_BLUR_PAIRS_INL_H
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "engine/operations/smoothing/gaussian_blur_rows.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Values between the passes are stored minus 32,768. The weights sum to 65,536, so the column sum
// is then 2^31 too small, modulo 2^32: the start value puts it right and rounds.
constexpr std::uint32_t kColumnStart = (1u << 31) + (1u << 23);

#if HWY_TARGET != HWY_SCALAR

using D16 = hn::ScalableTag<std::int16_t>;
using D32 = hn::ScalableTag<std::int32_t>;
using DU16 = hn::ScalableTag<std::uint16_t>;
using DU32 = hn::ScalableTag<std::uint32_t>;
using V16 = hn::Vec<D16>;
using V32 = hn::Vec<D32>;

// The weights from index i on in every 32-bit lane.
HWY_ATTR HWY_INLINE V16 weightPair(const std::int16_t* pairs, int i) {
    const std::int16_t* pair = pairs + std::ptrdiff_t(i) * GaussianWeights::kPairLanes;
#if HWY_TARGET == HWY_AVX2
    // Of LoadDup128() GCC 12 makes permutes of what other loads have brought, in the pipes that
    // interleave.
    return V16{_mm256_castps_si256(_mm256_broadcast_ss(reinterpret_cast<const float*>(pair)))};
#else
    return hn::LoadDup128(D16(), pair);
#endif
}

HWY_ATTR HWY_INLINE V16 constantPair(std::int16_t low, std::int16_t high) {
    return hn::BitCast(
        D16(), hn::Set(D32(), std::int32_t(std::uint16_t(low) | std::uint32_t(std::uint16_t(high))
                                                                    << 16)));
}

// sum + a.even b.even + a.odd b.odd in every 32-bit lane, modulo 2^32.
HWY_ATTR HWY_INLINE V32 multiplyAdd(V16 a, V16 b, V32 sum) {
    auto rest = hn::Zero(D32());
    const auto products = hn::ReorderWidenMulAccumulate(D32(), a, b, hn::Zero(D32()), rest);
    return hn::Add(sum, hn::RearrangeToOddPlusEven(products, rest));
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#endif
