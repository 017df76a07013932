#include "engine/operations/combine/blend.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/combine/blend_cpu.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "engine/operations/stream_store-inl.h"

#include <cstring>
#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// What holds a product of two samples.
template <class T>
using Wide =
    std::conditional_t<sizeof(T) == 1, std::uint16_t,
                       std::conditional_t<std::is_floating_point_v<T>, float, std::uint32_t>>;

template <class T>
struct Samples {
    using D = hn::ScalableTag<Wide<T>>;
    using V = hn::Vec<D>;
    static constexpr int kBits = 8 * int(sizeof(T));
    static constexpr std::uint32_t kWhite = (1u << kBits) - 1;

    static HWY_ATTR HWY_INLINE V load(const T* at) {
        return hn::PromoteTo(D(), hn::LoadU(hn::Rebind<T, D>(), at));
    }
    static HWY_ATTR HWY_INLINE void store(V v, T* at, bool stream) {
        const hn::Rebind<T, D> narrow;
        // Values are far from the sign.
        put(hn::DemoteTo(narrow, hn::BitCast(hn::RebindToSigned<D>(), v)), narrow, at, stream);
    }
    static HWY_ATTR HWY_INLINE V of(std::uint32_t value) { return hn::Set(D(), Wide<T>(value)); }

    // (2 a b + M) / (2 M): with t = a b + L/2 it is (t + t / L) / L, for all products.
    static HWY_ATTR HWY_INLINE V product(V a, V b) {
        const V t = hn::Add(hn::Mul(a, b), of(1u << (kBits - 1)));
        return hn::ShiftRight<kBits>(hn::Add(t, hn::ShiftRight<kBits>(t)));
    }
    template <BlendMode kMode>
    static HWY_ATTR HWY_INLINE V made(V a, V b) {
        const V white = of(kWhite);
        if constexpr (kMode == BlendMode::Difference)
            return hn::Sub(hn::Max(a, b), hn::Min(a, b));
        else if constexpr (kMode == BlendMode::SignedDifference)
            return hn::Min(white, hn::Sub(hn::Max(hn::Add(a, of(1u << (kBits - 1))), b), b));
        else if constexpr (kMode == BlendMode::Add)
            return hn::Min(hn::Add(a, b), white);
        else if constexpr (kMode == BlendMode::Subtract)
            return hn::Sub(hn::Max(a, b), b);
        else if constexpr (kMode == BlendMode::Multiply)
            return product(a, b);
        else if constexpr (kMode == BlendMode::Screen)
            return hn::Sub(white, product(hn::Sub(white, a), hn::Sub(white, b)));
        else if constexpr (kMode == BlendMode::Minimum)
            return hn::Min(a, b);
        else if constexpr (kMode == BlendMode::Maximum)
            return hn::Max(a, b);
        else if constexpr (kMode == BlendMode::Average)
            return hn::ShiftRight<1>(hn::Add(hn::Add(a, b), of(1)));
        else if constexpr (kMode == BlendMode::Normal)
            return b;
        else
            return hn::IfThenElseZero(hn::Gt(b, of(kWhite / 2)), a);
    }
    static HWY_ATTR HWY_INLINE V mixed(V m, V a, std::uint32_t weight) {
        const V sum = hn::Add(hn::Mul(m, of(weight)), hn::Mul(a, of(256 - weight)));
        return hn::ShiftRight<8>(hn::Add(sum, of(128)));
    }
};

template <>
struct Samples<float> {
    using D = hn::ScalableTag<float>;
    using V = hn::Vec<D>;

    static HWY_ATTR HWY_INLINE V load(const float* at) { return hn::LoadU(D(), at); }
    static HWY_ATTR HWY_INLINE void store(V v, float* at, bool stream) { put(v, D(), at, stream); }
    static HWY_ATTR HWY_INLINE V of(float value) { return hn::Set(D(), value); }

    template <BlendMode kMode>
    static HWY_ATTR HWY_INLINE V made(V a, V b) {
        const V one = of(1.0f), half = of(0.5f);
        if constexpr (kMode == BlendMode::Difference)
            return hn::Abs(hn::Sub(a, b));
        else if constexpr (kMode == BlendMode::SignedDifference)
            return hn::Sub(hn::Add(half, a), b);
        else if constexpr (kMode == BlendMode::Add)
            return hn::Add(a, b);
        else if constexpr (kMode == BlendMode::Subtract)
            return hn::Sub(a, b);
        else if constexpr (kMode == BlendMode::Multiply)
            return hn::Mul(a, b);
        else if constexpr (kMode == BlendMode::Screen)
            return hn::Sub(one, hn::Mul(hn::Sub(one, a), hn::Sub(one, b)));
        else if constexpr (kMode == BlendMode::Minimum)
            return hn::IfThenElse(hn::Or(hn::Lt(b, a), hn::Not(hn::Eq(b, b))), b, a);
        else if constexpr (kMode == BlendMode::Maximum)
            return hn::IfThenElse(hn::Or(hn::Gt(b, a), hn::Not(hn::Eq(b, b))), b, a);
        else if constexpr (kMode == BlendMode::Average)
            return hn::Mul(hn::Add(a, b), half);
        else if constexpr (kMode == BlendMode::Normal)
            return b;
        else
            return hn::IfThenElseZero(hn::Gt(b, half), a);
    }
    static HWY_ATTR HWY_INLINE V mixed(V m, V a, std::uint32_t weight) {
        const V sum = hn::Add(hn::Mul(m, of(float(weight))), hn::Mul(a, of(float(256 - weight))));
        return hn::Mul(sum, of(1.0f / 256.0f));
    }
};

// Modes that need no wider lanes, for samples of 8 and 16 bits.
constexpr bool isNarrowMode(BlendMode mode) {
    return mode == BlendMode::Difference || mode == BlendMode::Add || mode == BlendMode::Subtract ||
           mode == BlendMode::Minimum || mode == BlendMode::Maximum || mode == BlendMode::Normal;
}

template <BlendMode kMode, class V>
HWY_ATTR HWY_INLINE V narrowMade(V a, V b) {
    if constexpr (kMode == BlendMode::Difference) return hn::Sub(hn::Max(a, b), hn::Min(a, b));
    if constexpr (kMode == BlendMode::Add) return hn::SaturatedAdd(a, b);
    if constexpr (kMode == BlendMode::Subtract) return hn::SaturatedSub(a, b);
    if constexpr (kMode == BlendMode::Minimum) return hn::Min(a, b);
    if constexpr (kMode == BlendMode::Maximum) return hn::Max(a, b);
    if constexpr (kMode == BlendMode::Normal) return b;
}

// Makes the first so many samples, whole vectors, and says how many.
template <BlendMode kMode, bool kKeepsAlpha, class T>
HWY_ATTR int blendNarrow(const T* a, const T* b, T* out, int samples, bool stream) {
    const hn::ScalableTag<T> d;
    const int lanes = int(hn::Lanes(d));
    if (lanes < 4) return 0;
    constexpr T kAll = T(~0u);
    constexpr T kAlpha[16] = {0, 0, 0, kAll, 0, 0, 0, kAll, 0, 0, 0, kAll, 0, 0, 0, kAll};
    const auto kept = hn::LoadDup128(d, kAlpha);
    const auto step = [&](int i) HWY_ATTR {
        const auto first = hn::LoadU(d, a + i);
        auto made = narrowMade<kMode>(first, hn::LoadU(d, b + i));
        if constexpr (kKeepsAlpha) made = hn::Or(hn::And(kept, first), hn::AndNot(kept, made));
        put(made, d, out + i, stream);
    };
    int i = 0;
    for (; i + 4 * lanes <= samples; i += 4 * lanes) {
        step(i);
        step(i + lanes);
        step(i + 2 * lanes);
        step(i + 3 * lanes);
    }
    for (; i + lanes <= samples; i += lanes) step(i);
    return i;
}

// The last samples go through the same body, in copies that are long enough.
template <BlendMode kMode, bool kMixes, class T>
HWY_ATTR void blendSamples(const T* a, const T* b, T* out, int samples, bool keepsAlpha,
                           std::uint32_t weight, bool stream) {
    using S = Samples<T>;
    const typename S::D d;
    const int lanes = int(hn::Lanes(d));
    int i = 0;
    if constexpr (!kMixes && isNarrowMode(kMode) && !std::is_floating_point_v<T>) {
        i = keepsAlpha ? blendNarrow<kMode, true>(a, b, out, samples, stream)
                       : blendNarrow<kMode, false>(a, b, out, samples, stream);
        if (i == samples) return;
    }
    // Where alpha is. From sample i on: a vector of one lane moves along.
    constexpr Wide<T> kAlpha[2][12] = {{}, {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}};
    const Wide<T>* const alpha = kAlpha[keepsAlpha];
    const auto step = [&](const T* first, const T* second, T* to, int at, bool past) HWY_ATTR {
        const auto one = S::load(first);
        auto made = S::template made<kMode>(one, S::load(second));
        if constexpr (kMixes) made = S::mixed(made, one, weight);
        const auto kept = hn::Ne(hn::LoadDup128(d, alpha + at % 4), hn::Zero(d));
        S::store(hn::IfThenElse(kept, one, made), to, past);
    };
    for (; i + lanes <= samples; i += lanes) step(a + i, b + i, out + i, i, stream);
    if (i == samples) return;
    T ends[3][hn::MaxLanes(d)] = {};
    const std::size_t bytes = std::size_t(samples - i) * sizeof(T);
    std::memcpy(ends[0], a + i, bytes);
    std::memcpy(ends[1], b + i, bytes);
    step(ends[0], ends[1], ends[2], i, false);
    std::memcpy(out + i, ends[2], bytes);
}

template <BlendMode kMode, class T>
HWY_ATTR void blendWith(const T* a, const T* b, T* out, int samples, bool keepsAlpha,
                        std::uint32_t weight, bool stream) {
    if (weight == 256)
        blendSamples<kMode, false>(a, b, out, samples, keepsAlpha, weight, stream);
    else
        blendSamples<kMode, true>(a, b, out, samples, keepsAlpha, weight, stream);
}

template <class T, class... Rest>
HWY_ATTR void blendRow(BlendMode mode, const T* a, Rest... rest) {
    switch (mode) {
        case BlendMode::Difference:
            return blendWith<BlendMode::Difference>(a, rest...);
        case BlendMode::SignedDifference:
            return blendWith<BlendMode::SignedDifference>(a, rest...);
        case BlendMode::Add:
            return blendWith<BlendMode::Add>(a, rest...);
        case BlendMode::Subtract:
            return blendWith<BlendMode::Subtract>(a, rest...);
        case BlendMode::Multiply:
            return blendWith<BlendMode::Multiply>(a, rest...);
        case BlendMode::Screen:
            return blendWith<BlendMode::Screen>(a, rest...);
        case BlendMode::Minimum:
            return blendWith<BlendMode::Minimum>(a, rest...);
        case BlendMode::Maximum:
            return blendWith<BlendMode::Maximum>(a, rest...);
        case BlendMode::Average:
            return blendWith<BlendMode::Average>(a, rest...);
        case BlendMode::Normal:
            return blendWith<BlendMode::Normal>(a, rest...);
        case BlendMode::Mask:
            return blendWith<BlendMode::Mask>(a, rest...);
    }
}

HWY_ATTR void blendRow8(BlendMode mode, const std::uint8_t* a, const std::uint8_t* b,
                        std::uint8_t* out, int samples, bool keepsAlpha, std::uint32_t weight,
                        bool stream) {
    blendRow(mode, a, b, out, samples, keepsAlpha, weight, stream);
}
HWY_ATTR void blendRow16(BlendMode mode, const std::uint16_t* a, const std::uint16_t* b,
                         std::uint16_t* out, int samples, bool keepsAlpha, std::uint32_t weight,
                         bool stream) {
    blendRow(mode, a, b, out, samples, keepsAlpha, weight, stream);
}
HWY_ATTR void blendRowFloat(BlendMode mode, const float* a, const float* b, float* out, int samples,
                            bool keepsAlpha, std::uint32_t weight, bool stream) {
    blendRow(mode, a, b, out, samples, keepsAlpha, weight, stream);
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <hwy/cache_control.h>

#include "engine/operations/cpu_work.h"

namespace warpscope {
namespace {

HWY_EXPORT(blendRow8);
HWY_EXPORT(blendRow16);
HWY_EXPORT(blendRowFloat);

template <class T>
auto rowOf() {
    if constexpr (std::is_floating_point_v<T>)
        return HWY_DYNAMIC_DISPATCH(blendRowFloat);
    else if constexpr (sizeof(T) == 1)
        return HWY_DYNAMIC_DISPATCH(blendRow8);
    else
        return HWY_DYNAMIC_DISPATCH(blendRow16);
}

// Results that no cache will hold are written past it.
constexpr std::uint64_t kBlendStreamBytes = 4u << 20;

template <class T>
Result<void> run(const BlendPlan& plan, const Image& in, const Image& second,
                 const MutableImage& out, const CpuContext& context) {
    const auto a = in.view<T>();
    const auto b = second.view<T>();
    const auto target = out.view<T>();
    const int samples = a.samplesPerRow();
    const auto blend = rowOf<T>();
    const bool stream = in.byteCount() >= kBlendStreamBytes;
    const CpuContext chosen = forWork(context, plan.size, 0.15 * double(bytesPerPixel(plan.input)));
    const int band = rowsPerBand(chosen, a.height, 3 * sizeof(T) * std::uint64_t(samples));
    return forEachRowBand(chosen, a.height, band, [&](int first, int last) {
        for (int y = first; y < last; ++y)
            blend(plan.mode, a.row(y), b.row(y), target.row(y), samples, a.channels == 4,
                  plan.weight, stream);
        if (stream) hwy::FlushStream();
    });
}

}  // namespace

Result<void> runBlendCpu(const BlendPlan& plan, const Image& in, const Image& second,
                         const MutableImage& out, const CpuContext& context) {
    if (isFloat(plan.input)) return run<float>(plan, in, second, out, context);
    if (bytesPerSample(plan.input) == 1) return run<std::uint8_t>(plan, in, second, out, context);
    return run<std::uint16_t>(plan, in, second, out, context);
}

}  // namespace warpscope

#endif  // HWY_ONCE
