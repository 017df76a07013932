#include "engine/operations/alpha_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/alpha_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Word: a pixel.
template <class Word, class T>
HWY_ATTR void mergeAlpha(const T* source, T* out, int samples) {
    int i = 0;
#if HWY_TARGET != HWY_SCALAR
    const hn::ScalableTag<T> d;
    const hn::ScalableTag<Word> pixels;
    constexpr int kShift = 8 * 3 * int(sizeof(T));
    const auto alpha = hn::BitCast(d, hn::Set(pixels, ~Word(0) << kShift));
    const int lanes = int(hn::Lanes(d));
    for (; i + lanes <= samples; i += lanes) {
        const auto kept = hn::And(hn::LoadU(d, source + i), alpha);
        hn::StoreU(hn::Or(kept, hn::AndNot(alpha, hn::LoadU(d, out + i))), d, out + i);
    }
#endif
    for (i += 3; i < samples; i += 4) out[i] = source[i];
}

HWY_ATTR void alpha8(const std::uint8_t* source, std::uint8_t* out, int samples) {
    mergeAlpha<std::uint32_t>(source, out, samples);
}
HWY_ATTR void alpha16(const std::uint16_t* source, std::uint16_t* out, int samples) {
    mergeAlpha<std::uint64_t>(source, out, samples);
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace warpscope {

HWY_EXPORT(alpha8);
HWY_EXPORT(alpha16);

void copyAlpha(const std::uint8_t* source, std::uint8_t* out, int samples) {
    HWY_DYNAMIC_DISPATCH(alpha8)(source, out, samples);
}
void copyAlpha(const std::uint16_t* source, std::uint16_t* out, int samples) {
    HWY_DYNAMIC_DISPATCH(alpha16)(source, out, samples);
}
void copyAlpha(const float* source, float* out, int samples) {
    for (int i = 3; i < samples; i += 4) out[i] = source[i];
}

}  // namespace warpscope

#endif  // HWY_ONCE
