#include "engine/operations/tone/saturation.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/tone/saturation_cpu.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include "engine/operations/lanes-inl.h"
#include "engine/operations/rows_ahead.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
T saturated(T color, T luma, std::int32_t amount) {
    constexpr std::int32_t kWhite = (1 << (8 * int(sizeof(T)))) - 1;
    const std::int32_t away = std::int32_t(color) - std::int32_t(luma);
    return T(std::clamp(std::int32_t(luma) + ((amount * away + 128) >> 8), 0, kWhite));
}

// What is left of a row, and the whole work of a machine without vectors.
template <class T>
void saturatePixels(const T* in, const T* luma, T* out, int from, int width, std::int32_t amount) {
    for (int x = from; x < width; ++x) {
        for (int c = 0; c < 3; ++c) out[4 * x + c] = saturated(in[4 * x + c], luma[x], amount);
        out[4 * x + 3] = in[4 * x + 3];
    }
}

// At most 1,024 times 65,535: far from 2^31.
template <class V>
HWY_ATTR HWY_INLINE V saturatedLanes(V color, V luma, V amount, V white) {
    const hn::DFromV<V> d;
    const V moved =
        hn::ShiftRight<8>(hn::Add(hn::Mul(amount, hn::Sub(color, luma)), hn::Set(d, 128)));
    return hn::Min(hn::Max(hn::Add(luma, moved), hn::Zero(d)), white);
}

#if HWY_TARGET != HWY_SCALAR
// As saturatedLanes(), of 8 bits in lanes of 16.
template <class V>
HWY_ATTR HWY_INLINE V saturatedBytes(V color, V luma, V amount) {
    const hn::DFromV<V> d;
    const V moved = hn::Add(luma, shareOf(amount, hn::Sub(color, luma)));
    return hn::Min(hn::Max(moved, hn::Zero(d)), hn::Set(d, 255));
}
#endif

// Red and blue of some pixels in lanes of 16 bits, green and alpha in others.
HWY_ATTR void saturateRow8(const std::uint8_t* in, const std::uint8_t* luma, std::uint8_t* out,
                           int width, std::int32_t amount) {
    int x = 0;
#if HWY_TARGET != HWY_SCALAR
    const hn::ScalableTag<std::int16_t> d;
    const hn::RebindToUnsigned<decltype(d)> du;
    const hn::Repartition<std::uint8_t, decltype(d)> d8;
    const hn::Repartition<std::uint32_t, decltype(d)> pixels;
    const hn::Rebind<std::uint8_t, decltype(pixels)> narrow;
    const int lanes = int(hn::Lanes(pixels));
    const auto factor = hn::Set(d, std::int16_t(amount));
    const auto low = hn::Set(d, 255);
    for (; x + lanes <= width; x += lanes) {
        fetchAhead(in + 4 * x);
        fetchAhead(out + 4 * x);
        const auto samples = hn::BitCast(d, hn::LoadU(d8, in + 4 * x));
        const auto single = hn::PromoteTo(pixels, hn::LoadU(narrow, luma + x));
        const auto y = hn::BitCast(d, hn::Or(single, hn::ShiftLeft<16>(single)));
        const auto redBlue = hn::And(samples, low);
        const auto greenAlpha = hn::BitCast(d, hn::ShiftRight<8>(hn::BitCast(du, samples)));
        // Alpha does not differ from itself.
        const auto yOrAlpha = hn::OddEven(greenAlpha, y);
        const auto made = hn::Or(saturatedBytes(redBlue, y, factor),
                                 hn::ShiftLeft<8>(saturatedBytes(greenAlpha, yOrAlpha, factor)));
        hn::StoreU(hn::BitCast(d8, made), d8, out + 4 * x);
    }
#endif
    saturatePixels(in, luma, out, x, width, amount);
}

HWY_ATTR void saturateRow16(const std::uint16_t* in, const std::uint16_t* luma, std::uint16_t* out,
                            int width, std::int32_t amount) {
    int x = 0;
#if HWY_TARGET != HWY_SCALAR
    const hn::ScalableTag<std::int32_t> d;
    const hn::Rebind<std::uint16_t, decltype(d)> narrow;
    const int lanes = int(hn::Lanes(d));
    const auto white = hn::Set(d, 65535);
    const auto factor = hn::Set(d, amount);
    for (; x + lanes <= width; x += lanes) {
        hn::Vec<decltype(narrow)> r, g, b, a;
        hn::LoadInterleaved4(narrow, in + 4 * x, r, g, b, a);
        const auto y = hn::PromoteTo(d, hn::LoadU(narrow, luma + x));
        r = hn::DemoteTo(narrow, saturatedLanes(hn::PromoteTo(d, r), y, factor, white));
        g = hn::DemoteTo(narrow, saturatedLanes(hn::PromoteTo(d, g), y, factor, white));
        b = hn::DemoteTo(narrow, saturatedLanes(hn::PromoteTo(d, b), y, factor, white));
        hn::StoreInterleaved4(r, g, b, a, narrow, out + 4 * x);
    }
#endif
    saturatePixels(in, luma, out, x, width, amount);
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "engine/operations/cpu_work.h"
#include "engine/operations/tone/grayscale.h"

namespace warpscope {
namespace {

HWY_EXPORT(saturateRow8);
HWY_EXPORT(saturateRow16);

void saturateRow(const std::uint8_t* in, const std::uint8_t* luma, std::uint8_t* out, int width,
                 std::int32_t amount) {
    HWY_DYNAMIC_DISPATCH(saturateRow8)(in, luma, out, width, amount);
}
void saturateRow(const std::uint16_t* in, const std::uint16_t* luma, std::uint16_t* out, int width,
                 std::int32_t amount) {
    HWY_DYNAMIC_DISPATCH(saturateRow16)(in, luma, out, width, amount);
}
// Each product and sum is rounded by itself.
void saturateRow(const float* in, const float* luma, float* out, int width, std::int32_t amount) {
    const auto factor = float(amount);
    for (int x = 0; x < width; ++x) {
        for (int c = 0; c < 3; ++c)
            out[4 * x + c] = luma[x] + factor * (in[4 * x + c] - luma[x]) * (1.0f / 256.0f);
        out[4 * x + 3] = in[4 * x + 3];
    }
}

template <class T>
Result<void> run(const SaturationPlan& plan, const Image& in, const MutableImage& out,
                 const CpuContext& context) {
    const auto source = in.view<T>();
    const auto target = out.view<T>();
    const int width = source.width;
    const CpuContext chosen = forWork(context, plan.size, 0.5 * double(sizeof(T)));
    const int band =
        rowsPerBand(chosen, source.height, 9 * sizeof(T) * std::uint64_t(unsigned(width)));
    return forEachRowBand(chosen, source.height, band, [&](int first, int last) {
        const auto luma = alignedSamples<T>(std::size_t(width));
        for (int y = first; y < last; ++y) {
            lumaRow(source.row(y), luma.get(), width);
            saturateRow(source.row(y), luma.get(), target.row(y), width, plan.amount256);
        }
    });
}

}  // namespace

Result<void> runSaturationCpu(const SaturationPlan& plan, const Image& in, const MutableImage& out,
                              const CpuContext& context) {
    if (isFloat(plan.input)) return run<float>(plan, in, out, context);
    if (bytesPerSample(plan.input) == 1) return run<std::uint8_t>(plan, in, out, context);
    return run<std::uint16_t>(plan, in, out, context);
}

}  // namespace warpscope

#endif  // HWY_ONCE
