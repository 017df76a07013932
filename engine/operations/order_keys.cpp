#include "engine/operations/order_keys.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/order_keys.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

HWY_ATTR void keysOfRow(const float* samples, std::int32_t* keys, int count) {
    const hn::ScalableTag<std::int32_t> d;
    const hn::ScalableTag<float> df;
    const int lanes = int(hn::Lanes(d));
    const auto most = hn::Set(d, kNanKey);
    const auto infinity = hn::Set(d, 0x7f800000);
    int i = 0;
    for (; i + lanes <= count; i += lanes) {
        const auto bits = hn::BitCast(d, hn::LoadU(df, samples + i));
        const auto key = hn::Xor(bits, hn::And(hn::ShiftRight<31>(bits), most));
        const auto isNan = hn::Gt(hn::And(bits, most), infinity);
        hn::StoreU(hn::IfThenElse(isNan, most, key), d, keys + i);
    }
    for (; i < count; ++i) keys[i] = orderKey(samples[i]);
}

HWY_ATTR void rowOfKeys(const std::int32_t* keys, float* samples, int count) {
    const hn::ScalableTag<std::int32_t> d;
    const hn::ScalableTag<float> df;
    const int lanes = int(hn::Lanes(d));
    const auto most = hn::Set(d, kNanKey);
    int i = 0;
    for (; i + lanes <= count; i += lanes) {
        const auto key = hn::LoadU(d, keys + i);
        const auto bits = hn::Xor(key, hn::And(hn::ShiftRight<31>(key), most));
        hn::StoreU(hn::BitCast(df, bits), df, samples + i);
    }
    for (; i < count; ++i) samples[i] = fromOrderKey(keys[i]);
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace warpscope {
namespace {

HWY_EXPORT(keysOfRow);
HWY_EXPORT(rowOfKeys);

}  // namespace

void toOrderKeys(const float* samples, std::int32_t* keys, int count) {
    HWY_DYNAMIC_DISPATCH(keysOfRow)(samples, keys, count);
}
void fromOrderKeys(const std::int32_t* keys, float* samples, int count) {
    HWY_DYNAMIC_DISPATCH(rowOfKeys)(keys, samples, count);
}

}  // namespace warpscope

#endif  // HWY_ONCE
