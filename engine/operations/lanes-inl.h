// What several operations do with lanes: moved from one vector into the next, summed along vectors,
// multiplied by shares. Included once for each instruction set.
#if defined(WARPSCOPE_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WARPSCOPE_LANES_INL_H
#undef WARPSCOPE_LANES_INL_H
#else
#define WARPSCOPE_LANES_INL_H
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "engine/operations/vector_loops.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

// Vectors whose number of lanes is known when this is compiled.
#if HWY_ARCH_X86
template <class T>
using FixedTag = hwy::HWY_NAMESPACE::ScalableTag<T>;
#else
template <class T>
using FixedTag = hwy::HWY_NAMESPACE::CappedTag<T, 16 / sizeof(T)>;
#endif
template <class D>
inline constexpr int kLanesOf = int(hwy::HWY_NAMESPACE::MaxLanes(D()));

// floor((share difference + 128) / 256) in lanes of 16 bits: the high half of twice the product of
// 128 differences, rounded. For differences from -255 to 255 and shares from 0 to 32,767.
template <class V>
HWY_ATTR HWY_INLINE V shareOf(V share, V difference) {
    namespace hn = hwy::HWY_NAMESPACE;
    return hn::MulFixedPoint15(hn::ShiftLeft<7>(difference), share);
}

// Does nothing, but the compiler takes v for changed: it is in a register here, and what it was
// made of is neither made anew for each use nor put off.
template <class V>
HWY_ATTR HWY_INLINE V inRegister(V v) {
#if WARPSCOPE_X86_VECTORS
    asm("" : "+v"(v.raw));
#endif
    return v;
}

// Lane i is lane i - kBy of v, the first ones are the last of `older`. For fewer than all lanes.
template <int kBy, class D, class V>
HWY_ATTR HWY_INLINE V behind(D d, V older, V v) {
    namespace hn = hwy::HWY_NAMESPACE;
    constexpr int kBytes = kBy * int(sizeof(hn::TFromD<D>));
#if HWY_TARGET == HWY_SCALAR
    (void)d, (void)v;
    static_assert(kBytes > 0);
    return older;
#elif HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
    const hn::Repartition<std::int32_t, D> words;
    using Words = hn::Vec<decltype(words)>;
    const auto low = hn::BitCast(words, older), high = hn::BitCast(words, v);
    return hn::BitCast(d, Words{_mm512_alignr_epi32(high.raw, low.raw, 16 - kBytes / 4)});
#elif HWY_TARGET == HWY_AVX2
    const hn::Repartition<std::uint8_t, D> bytes;
    using Bytes = hn::Vec<decltype(bytes)>;
    const auto low = hn::BitCast(bytes, older), high = hn::BitCast(bytes, v);
    const auto middle = _mm256_permute2x128_si256(low.raw, high.raw, 0x21);
    if constexpr (kBytes == 16)
        return hn::BitCast(d, Bytes{middle});
    else
        return hn::BitCast(d, Bytes{_mm256_alignr_epi8(high.raw, middle, 16 - kBytes)});
#else
    return hn::CombineShiftRightBytes<16 - kBytes>(d, v, older);
#endif
}

// v and all lanes kBy, 2 kBy, 3 kBy, ... before each, added up; kBy is a power of two.
template <int kBy, class D, class V>
HWY_ATTR HWY_INLINE V addedUp(D d, V v) {
    namespace hn = hwy::HWY_NAMESPACE;
    if constexpr (kBy < kLanesOf<D>)
        return addedUp<2 * kBy>(d, hn::Add(v, behind<kBy>(d, hn::Zero(d), v)));
    else
        return v;
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#endif
