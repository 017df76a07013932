#include "engine/operations/color_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/color_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "engine/operations/lanes-inl.h"
#include "engine/operations/rows_ahead.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
HWY_ATTR HWY_INLINE void split(const T* pixels, T* const* colors, int count) {
    int i = 0;
#if HWY_TARGET != HWY_SCALAR
    const FixedTag<T> d;
    constexpr int kLanes = kLanesOf<FixedTag<T>>;
    for (; i + kLanes <= count; i += kLanes) {
        hn::Vec<decltype(d)> red, green, blue, alpha;
        fetchAhead(pixels + 4 * i);
        hn::LoadInterleaved4(d, pixels + 4 * i, red, green, blue, alpha);
        hn::StoreU(red, d, colors[0] + i);
        hn::StoreU(green, d, colors[1] + i);
        hn::StoreU(blue, d, colors[2] + i);
    }
#endif
    for (; i < count; ++i)
        for (int c = 0; c < 3; ++c) colors[c][i] = pixels[4 * i + c];
}

template <class T>
void joinOneByOne(const T* const* colors, const T* alpha, T* pixels, int count) {
    for (int i = 0; i < count; ++i) {
        for (int c = 0; c < 3; ++c) pixels[4 * i + c] = colors[c][i];
        pixels[4 * i + 3] = alpha[4 * i + 3];
    }
}

template <class T>
HWY_ATTR HWY_INLINE void join(const T* const* colors, const T* alpha, T* pixels, int count) {
    int i = 0;
#if HWY_TARGET != HWY_SCALAR
    const FixedTag<T> d;
    constexpr int kLanes = kLanesOf<FixedTag<T>>;
    for (; i + kLanes <= count; i += kLanes) {
        hn::Vec<decltype(d)> red, green, blue, kept;
        hn::LoadInterleaved4(d, alpha + 4 * i, red, green, blue, kept);
        hn::StoreInterleaved4(hn::LoadU(d, colors[0] + i), hn::LoadU(d, colors[1] + i),
                              hn::LoadU(d, colors[2] + i), kept, d, pixels + 4 * i);
    }
#endif
    const T* const rest[3] = {colors[0] + i, colors[1] + i, colors[2] + i};
    joinOneByOne(rest, alpha + 4 * i, pixels + 4 * i, count - i);
}

#if HWY_TARGET != HWY_SCALAR

// Of 8 bits a pixel is a 32-bit lane: its colours are shifted to where they belong.
HWY_ATTR void joinBytes(const std::uint8_t* const* colors, const std::uint8_t* alpha,
                        std::uint8_t* pixels, int count) {
    const hn::ScalableTag<std::uint32_t> d;
    const hn::ScalableTag<std::uint8_t> bytes;
    const hn::Rebind<std::uint8_t, decltype(d)> quarter;
    const auto kept = hn::Set(d, 0xFF000000u);
    const int lanes = int(hn::Lanes(d));
    int i = 0;
    for (; i + lanes <= count; i += lanes) {
        const auto r = hn::PromoteTo(d, hn::LoadU(quarter, colors[0] + i));
        const auto g = hn::ShiftLeft<8>(hn::PromoteTo(d, hn::LoadU(quarter, colors[1] + i)));
        const auto b = hn::ShiftLeft<16>(hn::PromoteTo(d, hn::LoadU(quarter, colors[2] + i)));
        const auto a = hn::And(hn::BitCast(d, hn::LoadU(bytes, alpha + 4 * i)), kept);
        hn::StoreU(hn::BitCast(bytes, hn::Or(hn::Or(r, g), hn::Or(b, a))), bytes, pixels + 4 * i);
    }
    const std::uint8_t* const rest[3] = {colors[0] + i, colors[1] + i, colors[2] + i};
    joinOneByOne(rest, alpha + 4 * i, pixels + 4 * i, count - i);
}

#else

void joinBytes(const std::uint8_t* const* colors, const std::uint8_t* alpha, std::uint8_t* pixels,
               int count) {
    joinOneByOne(colors, alpha, pixels, count);
}

#endif

HWY_ATTR void split8(const std::uint8_t* pixels, std::uint8_t* const* colors, int count) {
    split(pixels, colors, count);
}
HWY_ATTR void split16(const std::uint16_t* pixels, std::uint16_t* const* colors, int count) {
    split(pixels, colors, count);
}
HWY_ATTR void splitFloat(const float* pixels, float* const* colors, int count) {
    split(pixels, colors, count);
}
HWY_ATTR void join16(const std::uint16_t* const* colors, const std::uint16_t* alpha,
                     std::uint16_t* pixels, int count) {
    join(colors, alpha, pixels, count);
}
HWY_ATTR void joinFloat(const float* const* colors, const float* alpha, float* pixels, int count) {
    join(colors, alpha, pixels, count);
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace warpscope {

HWY_EXPORT(split8);
HWY_EXPORT(split16);
HWY_EXPORT(splitFloat);
HWY_EXPORT(joinBytes);
HWY_EXPORT(join16);
HWY_EXPORT(joinFloat);

void splitColors(const std::uint8_t* pixels, std::uint8_t* const* colors, int count) {
    HWY_DYNAMIC_DISPATCH(split8)(pixels, colors, count);
}
void splitColors(const std::uint16_t* pixels, std::uint16_t* const* colors, int count) {
    HWY_DYNAMIC_DISPATCH(split16)(pixels, colors, count);
}
void splitColors(const float* pixels, float* const* colors, int count) {
    HWY_DYNAMIC_DISPATCH(splitFloat)(pixels, colors, count);
}
void joinColors(const std::uint8_t* const* colors, const std::uint8_t* alpha, std::uint8_t* pixels,
                int count) {
    HWY_DYNAMIC_DISPATCH(joinBytes)(colors, alpha, pixels, count);
}
void joinColors(const std::uint16_t* const* colors, const std::uint16_t* alpha,
                std::uint16_t* pixels, int count) {
    HWY_DYNAMIC_DISPATCH(join16)(colors, alpha, pixels, count);
}
void joinColors(const float* const* colors, const float* alpha, float* pixels, int count) {
    HWY_DYNAMIC_DISPATCH(joinFloat)(colors, alpha, pixels, count);
}

}  // namespace warpscope

#endif  // HWY_ONCE
