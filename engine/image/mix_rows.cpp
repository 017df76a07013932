#include "engine/image/mix_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/image/mix_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

HWY_ATTR void mixRowsOf(const std::uint8_t* a, const std::uint8_t* b, std::uint32_t weight,
                        std::uint8_t* out, std::size_t count) {
    const hn::ScalableTag<std::uint16_t> wide;
    const hn::Rebind<std::uint8_t, decltype(wide)> narrow;
    const std::size_t lanes = hn::Lanes(wide);
    const auto ofA = hn::Set(wide, std::uint16_t(256 - weight));
    const auto ofB = hn::Set(wide, std::uint16_t(weight));
    const auto half = hn::Set(wide, std::uint16_t(128));
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) {
        const auto left = hn::Mul(hn::PromoteTo(wide, hn::LoadU(narrow, a + i)), ofA);
        const auto right = hn::Mul(hn::PromoteTo(wide, hn::LoadU(narrow, b + i)), ofB);
        const auto sum = hn::Add(hn::Add(left, right), half);
        hn::StoreU(hn::DemoteTo(narrow, hn::BitCast(hn::RebindToSigned<decltype(wide)>(),
                                                    hn::ShiftRight<8>(sum))),
                   narrow, out + i);
    }
    for (; i < count; ++i)
        out[i] = std::uint8_t((a[i] * (256 - weight) + b[i] * weight + 128) >> 8);
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace warpscope {

HWY_EXPORT(mixRowsOf);

void mixRows(const std::uint8_t* a, const std::uint8_t* b, std::uint32_t weight, std::uint8_t* out,
             std::size_t count) {
    HWY_DYNAMIC_DISPATCH(mixRowsOf)(a, b, weight, out, count);
}

}  // namespace warpscope

#endif  // HWY_ONCE
