// Float samples as integers of the same order, which networks and extremes compare.
#pragma once

#include <bit>
#include <cstdint>

namespace warpscope {

// Every NaN is one key above that of infinity, -0 comes before 0.
inline constexpr std::int32_t kNanKey = 0x7fffffff;
inline std::int32_t orderKey(float value) {
    const auto bits = std::bit_cast<std::int32_t>(value);
    return (bits & kNanKey) > 0x7f800000 ? kNanKey : bits ^ ((bits >> 31) & kNanKey);
}
inline float fromOrderKey(std::int32_t key) {
    return std::bit_cast<float>(key ^ ((key >> 31) & kNanKey));
}

// The same of `count` samples, which do not overlap their keys.
void toOrderKeys(const float* samples, std::int32_t* keys, int count);
void fromOrderKeys(const std::int32_t* keys, float* samples, int count);

}  // namespace warpscope
