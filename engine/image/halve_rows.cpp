#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/image/halve_rows.cpp"
#include <hwy/foreach_target.h>
// after foreach_target
#include <hwy/highway.h>

#include "engine/image/halve_rows.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Pixels are 32-bit lanes; bytes 0, 2 and 1, 3 are summed in 16-bit fields, which four samples and
// the rounding cannot overflow.
int HalveRgba8(const std::uint8_t* HWY_RESTRICT above, const std::uint8_t* HWY_RESTRICT below,
               std::uint8_t* HWY_RESTRICT out, int pixels) {
    const hn::ScalableTag<std::uint32_t> d;
    const int lanes = int(hn::Lanes(d));
    const auto mask = hn::Set(d, 0x00FF00FFu);
    const auto two = hn::Set(d, 0x00020002u);
    int x = 0;
    for (; x + lanes <= pixels; x += lanes) {
        hn::Vec<decltype(d)> a, b, c, e;
        hn::LoadInterleaved2(d, reinterpret_cast<const std::uint32_t*>(above) + 2 * x, a, b);
        hn::LoadInterleaved2(d, reinterpret_cast<const std::uint32_t*>(below) + 2 * x, c, e);
        const auto even = hn::Add(hn::Add(hn::And(a, mask), hn::And(b, mask)),
                                  hn::Add(hn::And(c, mask), hn::And(e, mask)));
        const auto odd = hn::Add(
            hn::Add(hn::And(hn::ShiftRight<8>(a), mask), hn::And(hn::ShiftRight<8>(b), mask)),
            hn::Add(hn::And(hn::ShiftRight<8>(c), mask), hn::And(hn::ShiftRight<8>(e), mask)));
        const auto low = hn::And(hn::ShiftRight<2>(hn::Add(even, two)), mask);
        const auto high = hn::And(hn::ShiftRight<2>(hn::Add(odd, two)), mask);
        hn::StoreU(hn::Or(low, hn::ShiftLeft<8>(high)), d,
                   reinterpret_cast<std::uint32_t*>(out) + x);
    }
    return x;
}

int HalveGray8(const std::uint8_t* HWY_RESTRICT above, const std::uint8_t* HWY_RESTRICT below,
               std::uint8_t* HWY_RESTRICT out, int pixels) {
    const hn::ScalableTag<std::uint16_t> d;
    const hn::Rebind<std::uint8_t, decltype(d)> narrow;
    const int lanes = int(hn::Lanes(d));
    const auto mask = hn::Set(d, std::uint16_t(0x00FF));
    const auto two = hn::Set(d, std::uint16_t(2));
    int x = 0;
    for (; x + lanes <= pixels; x += lanes) {
        const auto a = hn::LoadU(d, reinterpret_cast<const std::uint16_t*>(above) + x);
        const auto b = hn::LoadU(d, reinterpret_cast<const std::uint16_t*>(below) + x);
        const auto sum = hn::Add(hn::Add(hn::And(a, mask), hn::ShiftRight<8>(a)),
                                 hn::Add(hn::And(b, mask), hn::ShiftRight<8>(b)));
        hn::StoreU(hn::DemoteTo(narrow, hn::BitCast(hn::RebindToSigned<decltype(d)>(),
                                                    hn::ShiftRight<2>(hn::Add(sum, two)))),
                   narrow, out + x);
    }
    return x;
}

}  // namespace warpscope::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace warpscope {

HWY_EXPORT(HalveRgba8);
HWY_EXPORT(HalveGray8);

int halveRowRgba8(const std::uint8_t* above, const std::uint8_t* below, std::uint8_t* out,
                  int pixels) {
    return HWY_DYNAMIC_DISPATCH(HalveRgba8)(above, below, out, pixels);
}

int halveRowGray8(const std::uint8_t* above, const std::uint8_t* below, std::uint8_t* out,
                  int pixels) {
    return HWY_DYNAMIC_DISPATCH(HalveGray8)(above, below, out, pixels);
}

}  // namespace warpscope
#endif
