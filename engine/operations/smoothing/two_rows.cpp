#include "engine/operations/smoothing/two_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/smoothing/two_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cstring>
#include <type_traits>

#include "engine/operations/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// What samples are worked on as: differences fit, and what is made of them.
template <class T>
using Wide = std::conditional_t<std::is_floating_point_v<T>, float,
                                std::conditional_t<sizeof(T) == 1, std::int16_t, std::int32_t>>;

// floor((amount difference + 128) / 256), amount to 1,280.
template <class V>
HWY_ATTR HWY_INLINE V share(V amount, V difference) {
    const hn::DFromV<V> d;
    if constexpr (sizeof(hn::TFromD<decltype(d)>) == 2)
        return shareOf(amount, difference);
    else
        return hn::ShiftRight<8>(hn::Add(hn::Mul(amount, difference), hn::Set(d, 128)));
}

template <class T>
HWY_ATTR HWY_INLINE auto load(const T* at) {
    const hn::ScalableTag<Wide<T>> d;
    if constexpr (std::is_floating_point_v<T>)
        return hn::LoadU(d, at);
    else
        return hn::PromoteTo(d, hn::LoadU(hn::Rebind<T, decltype(d)>(), at));
}
// Integers are cut to their range.
template <class T, class V>
HWY_ATTR HWY_INLINE void store(V v, T* at) {
    const hn::ScalableTag<Wide<T>> d;
    if constexpr (std::is_floating_point_v<T>) {
        hn::StoreU(v, d, at);
    } else {
        const hn::Rebind<T, decltype(d)> narrow;
        hn::StoreU(hn::DemoteTo(narrow, v), narrow, at);
    }
}

// other[i] = rule(row[i], other[i]). The last samples go through the same body, in copies that are
// long enough.
template <class T, class Rule>
HWY_ATTR HWY_INLINE void eachSample(const T* row, T* other, int samples, const Rule& rule) {
    const hn::ScalableTag<Wide<T>> d;
    const int lanes = int(hn::Lanes(d));
    int i = 0;
    for (; i + lanes <= samples; i += lanes) store(rule(load(row + i), load(other + i)), other + i);
    if (i == samples) return;
    T ends[2][hn::MaxLanes(d)] = {};
    const std::size_t bytes = std::size_t(samples - i) * sizeof(T);
    std::memcpy(ends[0], row + i, bytes);
    std::memcpy(ends[1], other + i, bytes);
    store(rule(load(ends[0]), load(ends[1])), ends[1]);
    std::memcpy(other + i, ends[1], bytes);
}

template <class T>
HWY_ATTR void unsharp(const UnsharpMaskPlan& plan, const T* row, T* other, int samples) {
    const hn::ScalableTag<Wide<T>> d;
    using V = hn::Vec<decltype(d)>;
    const V amount = hn::Set(d, Wide<T>(plan.amount));
    if constexpr (std::is_floating_point_v<T>) {
        const V threshold = hn::Set(d, plan.floatThreshold), unit = hn::Set(d, 1.0f / 256.0f);
        eachSample(row, other, samples, [&](V v, V blurred) HWY_ATTR {
            const V difference = hn::Sub(v, blurred);
            const V sharp = hn::Add(v, hn::Mul(hn::Mul(amount, difference), unit));
            return hn::IfThenElse(hn::Le(hn::Abs(difference), threshold), v, sharp);
        });
    } else {
        const V threshold = hn::Set(d, Wide<T>(plan.threshold));
        eachSample(row, other, samples, [&](V v, V blurred) HWY_ATTR {
            const V difference = hn::Sub(v, blurred);
            const auto changes = hn::Gt(hn::Abs(difference), threshold);
            return hn::Add(v, hn::IfThenElseZero(changes, share(amount, difference)));
        });
    }
}

template <class T>
HWY_ATTR void gaussians(std::int32_t gain, const T* row, T* other, int samples) {
    const hn::ScalableTag<Wide<T>> d;
    using V = hn::Vec<decltype(d)>;
    const V factor = hn::Set(d, Wide<T>(gain));
    const V middle =
        hn::Set(d, std::is_floating_point_v<T> ? Wide<T>(0.5) : Wide<T>(1 << (8 * sizeof(T) - 1)));
    eachSample(row, other, samples, [&](V large, V small) HWY_ATTR {
        return hn::Add(middle, hn::Mul(factor, hn::Sub(small, large)));
    });
}

template <class T>
HWY_ATTR void despeckle(const DespecklePlan& plan, const T* row, T* other, int samples) {
    const hn::ScalableTag<Wide<T>> d;
    using V = hn::Vec<decltype(d)>;
    const V threshold = hn::Set(
        d, std::is_floating_point_v<T> ? Wide<T>(plan.floatThreshold) : Wide<T>(plan.threshold));
    const bool bright = plan.which != Speckles::Dark, dark = plan.which != Speckles::Bright;
    eachSample(row, other, samples, [&](V v, V median) HWY_ATTR {
        const V above = hn::Sub(v, median), below = hn::Sub(median, v);
        V made = v;
        if (bright) made = hn::IfThenElse(hn::Gt(above, threshold), median, made);
        if (dark) made = hn::IfThenElse(hn::Gt(below, threshold), median, made);
        return made;
    });
}

HWY_ATTR void unsharp8(const UnsharpMaskPlan& plan, const std::uint8_t* row, std::uint8_t* other,
                       int samples) {
    unsharp(plan, row, other, samples);
}
HWY_ATTR void unsharp16(const UnsharpMaskPlan& plan, const std::uint16_t* row, std::uint16_t* other,
                        int samples) {
    unsharp(plan, row, other, samples);
}
HWY_ATTR void unsharpFloat(const UnsharpMaskPlan& plan, const float* row, float* other,
                           int samples) {
    unsharp(plan, row, other, samples);
}
HWY_ATTR void gaussians8(std::int32_t gain, const std::uint8_t* row, std::uint8_t* other,
                         int samples) {
    gaussians(gain, row, other, samples);
}
HWY_ATTR void gaussians16(std::int32_t gain, const std::uint16_t* row, std::uint16_t* other,
                          int samples) {
    gaussians(gain, row, other, samples);
}
HWY_ATTR void gaussiansFloat(std::int32_t gain, const float* row, float* other, int samples) {
    gaussians(gain, row, other, samples);
}
HWY_ATTR void despeckle8(const DespecklePlan& plan, const std::uint8_t* row, std::uint8_t* other,
                         int samples) {
    despeckle(plan, row, other, samples);
}
HWY_ATTR void despeckle16(const DespecklePlan& plan, const std::uint16_t* row, std::uint16_t* other,
                          int samples) {
    despeckle(plan, row, other, samples);
}
HWY_ATTR void despeckleFloat(const DespecklePlan& plan, const float* row, float* other,
                             int samples) {
    despeckle(plan, row, other, samples);
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace warpscope {

HWY_EXPORT(unsharp8);
HWY_EXPORT(unsharp16);
HWY_EXPORT(unsharpFloat);
HWY_EXPORT(gaussians8);
HWY_EXPORT(gaussians16);
HWY_EXPORT(gaussiansFloat);
HWY_EXPORT(despeckle8);
HWY_EXPORT(despeckle16);
HWY_EXPORT(despeckleFloat);

void unsharpRow(const UnsharpMaskPlan& plan, const std::uint8_t* row, std::uint8_t* other,
                int samples) {
    HWY_DYNAMIC_DISPATCH(unsharp8)(plan, row, other, samples);
}
void unsharpRow(const UnsharpMaskPlan& plan, const std::uint16_t* row, std::uint16_t* other,
                int samples) {
    HWY_DYNAMIC_DISPATCH(unsharp16)(plan, row, other, samples);
}
void unsharpRow(const UnsharpMaskPlan& plan, const float* row, float* other, int samples) {
    HWY_DYNAMIC_DISPATCH(unsharpFloat)(plan, row, other, samples);
}
void gaussiansRow(std::int32_t gain, const std::uint8_t* row, std::uint8_t* other, int samples) {
    HWY_DYNAMIC_DISPATCH(gaussians8)(gain, row, other, samples);
}
void gaussiansRow(std::int32_t gain, const std::uint16_t* row, std::uint16_t* other, int samples) {
    HWY_DYNAMIC_DISPATCH(gaussians16)(gain, row, other, samples);
}
void gaussiansRow(std::int32_t gain, const float* row, float* other, int samples) {
    HWY_DYNAMIC_DISPATCH(gaussiansFloat)(gain, row, other, samples);
}
void despeckleRow(const DespecklePlan& plan, const std::uint8_t* row, std::uint8_t* other,
                  int samples) {
    HWY_DYNAMIC_DISPATCH(despeckle8)(plan, row, other, samples);
}
void despeckleRow(const DespecklePlan& plan, const std::uint16_t* row, std::uint16_t* other,
                  int samples) {
    HWY_DYNAMIC_DISPATCH(despeckle16)(plan, row, other, samples);
}
void despeckleRow(const DespecklePlan& plan, const float* row, float* other, int samples) {
    HWY_DYNAMIC_DISPATCH(despeckleFloat)(plan, row, other, samples);
}

}  // namespace warpscope

#endif  // HWY_ONCE
