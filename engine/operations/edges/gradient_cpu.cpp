#include "engine/operations/edges/gradient.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/edges/gradient_cpu.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include "engine/operations/edges/luma_lanes-inl.h"
#include "engine/operations/vector_loops.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Floats are added from the first to the last.
template <int kSide, int kCentre, class D, class V>
HWY_ATTR HWY_INLINE V weighed(D d, V before, V middle, V after) {
    if constexpr (kSide == 1 || std::is_floating_point_v<hn::TFromD<D>>)
        return hn::Add(hn::Add(multiple<kSide>(d, before), multiple<kCentre>(d, middle)),
                       multiple<kSide>(d, after));
    else
        return hn::Add(multiple<kSide>(d, hn::Add(before, after)), multiple<kCentre>(d, middle));
}

template <int kSide, int kCentre, class T>
HWY_ATTR HWY_INLINE auto rightMinusLeft(const T* above, const T* here, const T* below) {
    const typename SampleLanes<T>::D d;
    return weighed<kSide, kCentre>(d, hn::Sub(loadLanes(above + 1), loadLanes(above - 1)),
                                   hn::Sub(loadLanes(here + 1), loadLanes(here - 1)),
                                   hn::Sub(loadLanes(below + 1), loadLanes(below - 1)));
}

template <int kSide, int kCentre, class T>
HWY_ATTR HWY_INLINE auto belowMinusAbove(const T* above, const T*, const T* below) {
    const typename SampleLanes<T>::D d;
    return weighed<kSide, kCentre>(d, hn::Sub(loadLanes(below - 1), loadLanes(above - 1)),
                                   hn::Sub(loadLanes(below), loadLanes(above)),
                                   hn::Sub(loadLanes(below + 1), loadLanes(above + 1)));
}

// ---- the root of gx^2 + gy^2 ----

#if HWY_TARGET == HWY_SCALAR

template <class V>
HWY_ATTR HWY_INLINE auto magnitude8(V gx, V gy) {
    const std::int32_t x = hn::GetLane(gx), y = hn::GetLane(gy);
    const float squares = float(x * x + y * y);
    const hn::ScalableTag<float> df;
    const auto root = hn::GetLane(hn::Sqrt(hn::Set(df, squares)));
    return hn::Set(SampleLanes<std::uint8_t>::Loaded(), std::uint8_t(std::min(255.0f, root)));
}

#else

// Of whole squares below 2^16: what cuts off to the whole root or one less.
template <class VF>
HWY_ATTR HWY_INLINE VF rootNotAbove(VF squares) {
    const hn::DFromV<VF> df;
#if WARPSCOPE_X86_VECTORS
    // Wrong by less than 1.5 / 4096 of itself, which is 0.1 for a root of 256.
    const VF some = hn::Max(squares, hn::Set(df, 1.0f));
    return hn::MulAdd(some, hn::ApproximateReciprocalSqrt(some), hn::Set(df, -0.1f));
#else
    return hn::Sqrt(squares);
#endif
}

template <class V>
HWY_ATTR HWY_INLINE auto squaresOfPairs(V v) {
    const hn::ScalableTag<std::int32_t> d32;
    auto rest = hn::Zero(d32);
    const auto sum = hn::ReorderWidenMulAccumulate(d32, v, v, hn::Zero(d32), rest);
    return hn::RearrangeToOddPlusEven(sum, rest);
}

template <class V>
HWY_ATTR HWY_INLINE auto magnitude8(V gx, V gy) {
    const hn::ScalableTag<std::int16_t> d16;
    const hn::ScalableTag<std::uint16_t> du16;
    const hn::ScalableTag<std::int32_t> d32;
    const hn::ScalableTag<float> df;
    // Pixels of even and odd number apart: gx and gy of one side by side.
    const auto even = hn::OddEven(hn::BitCast(d16, hn::ShiftLeft<16>(hn::BitCast(d32, gy))), gx);
    const auto odd = hn::OddEven(gy, hn::BitCast(d16, hn::ShiftRight<16>(hn::BitCast(d32, gx))));
    const auto together = [&](auto ofEven, auto ofOdd) HWY_ATTR {
        return hn::OddEven(hn::BitCast(du16, hn::ShiftLeft<16>(ofOdd)), hn::BitCast(du16, ofEven));
    };
    const auto root = [&](auto squares) HWY_ATTR {
        return hn::ConvertTo(d32, rootNotAbove(hn::ConvertTo(df, squares)));
    };
    const auto most = hn::Set(d32, 65535);
    const auto evenSquares = hn::Min(squaresOfPairs(even), most);
    const auto oddSquares = hn::Min(squaresOfPairs(odd), most);
    const auto squares = together(evenSquares, oddSquares);
    auto r = together(root(evenSquares), root(oddSquares));
    // (r + 1)^2 <= squares; that of 255 does not fit, and never has to.
    const auto next = hn::Mul(r, hn::Add(r, hn::Set(du16, 2)));
    r = hn::IfThenElse(hn::Lt(next, squares), hn::Add(r, hn::Set(du16, 1)), r);
    return hn::DemoteTo(SampleLanes<std::uint8_t>::Loaded(), hn::BitCast(d16, r));
}

#endif

// Differences beyond 65,535 give white whatever the other one is. What is below has squares whose
// sum needs 33 bits; a root in float is right or wrong by one, which the rest in 32 bits shows.
template <class V>
HWY_ATTR HWY_INLINE auto magnitude16(V gx, V gy) {
    const hn::ScalableTag<std::int32_t> d;
    const hn::ScalableTag<float> df;
    const auto white = hn::Set(d, 65535), one = hn::Set(d, 1);
    const auto x = hn::Min(hn::Abs(gx), white), y = hn::Min(hn::Abs(gy), white);
    const auto fx = hn::ConvertTo(df, x), fy = hn::ConvertTo(df, y);
    auto r = hn::ConvertTo(d, hn::Sqrt(hn::Add(hn::Mul(fx, fx), hn::Mul(fy, fy))));
    const auto rest = hn::Sub(hn::Add(hn::Mul(x, x), hn::Mul(y, y)), hn::Mul(r, r));
    const auto tooSmall = hn::Gt(rest, hn::Add(r, r));
    r = hn::IfThenElse(hn::Lt(rest, hn::Zero(d)), hn::Sub(r, one), r);
    r = hn::IfThenElse(tooSmall, hn::Add(r, one), r);
    return hn::DemoteTo(SampleLanes<std::uint16_t>::Loaded(), r);
}

// Squares of floats neither overflow nor vanish in double.
template <class V>
HWY_ATTR HWY_INLINE auto magnitudeFloat(V gx, V gy) {
    const hn::ScalableTag<double> dd;
    const auto x = hn::PromoteTo(dd, gx), y = hn::PromoteTo(dd, gy);
    const auto root = hn::Sqrt(hn::Add(hn::Mul(x, x), hn::Mul(y, y)));
    // Without vectors what is too large for float would become the largest one.
#if HWY_TARGET == HWY_SCALAR
    return hn::Set(SampleLanes<float>::D(), float(hn::GetLane(root)));
#else
    return hn::DemoteTo(SampleLanes<float>::D(), root);
#endif
}

template <class T, class V>
HWY_ATTR HWY_INLINE auto magnitudeOf(V gx, V gy) {
    if constexpr (std::is_floating_point_v<T>)
        return magnitudeFloat(gx, gy);
    else if constexpr (sizeof(T) == 1)
        return magnitude8(gx, gy);
    else
        return magnitude16(gx, gy);
}

template <class T, class V>
HWY_ATTR HWY_INLINE auto halfAroundGray(V g) {
    if constexpr (std::is_floating_point_v<T>)
        return aboveGray<T>(hn::Mul(g, hn::Set(typename SampleLanes<T>::D(), 0.5f)));
    else
        return samplesOf<T>(aboveGray<T>(hn::ShiftRight<1>(g)));
}

template <int kSide, int kCentre, GradientOutput kShown, class T>
HWY_ATTR void shownRow(const T* above, const T* here, const T* below, T* out, int width) {
    forEachVector(out, width, [&](int x) HWY_ATTR WARPSCOPE_INLINED {
        const T *a = above + x, *h = here + x, *b = below + x;
        if constexpr (kShown == GradientOutput::Horizontal)
            return halfAroundGray<T>(rightMinusLeft<kSide, kCentre>(a, h, b));
        else if constexpr (kShown == GradientOutput::Vertical)
            return halfAroundGray<T>(belowMinusAbove<kSide, kCentre>(a, h, b));
        else
            return magnitudeOf<T>(rightMinusLeft<kSide, kCentre>(a, h, b),
                                  belowMinusAbove<kSide, kCentre>(a, h, b));
    });
}

template <int kSide, int kCentre, class T>
HWY_ATTR void gradientRowOf(const T* above, const T* here, const T* below, T* out, int width,
                            GradientOutput shown) {
    if (shown == GradientOutput::Horizontal)
        shownRow<kSide, kCentre, GradientOutput::Horizontal>(above, here, below, out, width);
    else if (shown == GradientOutput::Vertical)
        shownRow<kSide, kCentre, GradientOutput::Vertical>(above, here, below, out, width);
    else
        shownRow<kSide, kCentre, GradientOutput::Magnitude>(above, here, below, out, width);
}

template <class T>
HWY_ATTR void gradientRow(const T* above, const T* here, const T* below, T* out, int width,
                          GradientKernel kernel, GradientOutput shown) {
    if (kernel == GradientKernel::Scharr)
        gradientRowOf<3, 10>(above, here, below, out, width, shown);
    else if (kernel == GradientKernel::Prewitt)
        gradientRowOf<1, 1>(above, here, below, out, width, shown);
    else
        gradientRowOf<1, 2>(above, here, below, out, width, shown);
}

void gradientRow8(const std::uint8_t* above, const std::uint8_t* here, const std::uint8_t* below,
                  std::uint8_t* out, int width, GradientKernel kernel, GradientOutput shown) {
    gradientRow(above, here, below, out, width, kernel, shown);
}
void gradientRow16(const std::uint16_t* above, const std::uint16_t* here,
                   const std::uint16_t* below, std::uint16_t* out, int width, GradientKernel kernel,
                   GradientOutput shown) {
    gradientRow(above, here, below, out, width, kernel, shown);
}
void gradientRowFloat(const float* above, const float* here, const float* below, float* out,
                      int width, GradientKernel kernel, GradientOutput shown) {
    gradientRow(above, here, below, out, width, kernel, shown);
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "engine/operations/edges/padded_rows.h"

namespace warpscope {
namespace {

HWY_EXPORT(gradientRow8);
HWY_EXPORT(gradientRow16);
HWY_EXPORT(gradientRowFloat);

void gradientRowOf(const std::uint8_t* above, const std::uint8_t* here, const std::uint8_t* below,
                   std::uint8_t* out, int width, const GradientPlan& plan) {
    HWY_DYNAMIC_DISPATCH(gradientRow8)(above, here, below, out, width, plan.kernel, plan.shown);
}
void gradientRowOf(const std::uint16_t* above, const std::uint16_t* here,
                   const std::uint16_t* below, std::uint16_t* out, int width,
                   const GradientPlan& plan) {
    HWY_DYNAMIC_DISPATCH(gradientRow16)(above, here, below, out, width, plan.kernel, plan.shown);
}
void gradientRowOf(const float* above, const float* here, const float* below, float* out, int width,
                   const GradientPlan& plan) {
    HWY_DYNAMIC_DISPATCH(gradientRowFloat)(above, here, below, out, width, plan.kernel, plan.shown);
}

}  // namespace

Result<void> runGradientCpu(const GradientPlan& plan, const Image& in, const MutableImage& out,
                            const CpuContext& context) {
    return forEachLumaRow(in, out, context,
                          [&](const auto* above, const auto* here, const auto* below, auto* to) {
                              gradientRowOf(above, here, below, to, in.width(), plan);
                          });
}

}  // namespace warpscope

#endif  // HWY_ONCE
