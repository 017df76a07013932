#include "engine/operations/tone/extract_channel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/tone/extract_channel_cpu.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Pixels of 8 bits, one in each 32-bit lane; gives how many it made, the rest is for plain code.
#if HWY_TARGET == HWY_SCALAR

int extractVectors(ExtractedChannel, const std::uint8_t*, std::uint8_t*, int) {
    return 0;
}

#else

using DI = hn::ScalableTag<std::int32_t>;
using VI = hn::Vec<DI>;

// floorOfQuotient(); 0 where b is.
HWY_ATTR HWY_INLINE VI flooredQuotient(VI a, VI b) {
    const hn::ScalableTag<float> df;
    const auto quotient = hn::ConvertTo(DI(), hn::Div(hn::ConvertTo(df, a), hn::ConvertTo(df, b)));
    return hn::IfThenZeroElse(hn::Eq(b, hn::Zero(DI())), quotient);
}

HWY_ATTR HWY_INLINE VI hueLanes(VI r, VI g, VI b) {
    const DI d;
    const VI most = hn::Max(hn::Max(r, g), b);
    const VI distance = hn::Sub(most, hn::Min(hn::Min(r, g), b));
    const auto red = hn::Eq(r, most), green = hn::Eq(g, most);
    const VI away =
        hn::IfThenElse(red, hn::Sub(g, b), hn::IfThenElse(green, hn::Sub(b, r), hn::Sub(r, g)));
    const VI ofRed = hn::IfThenElseZero(hn::Lt(away, hn::Zero(d)), hn::Set(d, 6));
    const VI sector =
        hn::IfThenElse(red, ofRed, hn::IfThenElse(green, hn::Set(d, 2), hn::Set(d, 4)));
    const VI six = hn::Mul(hn::Set(d, 6), distance);
    const VI a = hn::Add(hn::ShiftLeft<9>(hn::Add(hn::Mul(sector, distance), away)), six);
    return hn::And(flooredQuotient(a, hn::Add(six, six)), hn::Set(d, 255));
}

HWY_ATTR HWY_INLINE VI saturationLanes(VI r, VI g, VI b) {
    const DI d;
    const VI most = hn::Max(hn::Max(r, g), b);
    const VI distance = hn::Sub(most, hn::Min(hn::Min(r, g), b));
    return flooredQuotient(hn::Add(hn::Mul(hn::Set(d, 510), distance), most), hn::Add(most, most));
}

template <class Made>
HWY_ATTR int eachWord(const std::uint8_t* in, std::uint8_t* out, int width, const Made& made) {
    const DI d;
    const hn::Repartition<std::uint8_t, DI> d8;
    const hn::Rebind<std::uint8_t, DI> narrow;
    const int lanes = int(hn::Lanes(d));
    const auto byte = hn::Set(d, 255);
    int x = 0;
    for (; x + lanes <= width; x += lanes) {
        const auto pixels = hn::BitCast(d, hn::LoadU(d8, in + 4 * x));
        const VI r = hn::And(pixels, byte);
        const VI g = hn::And(hn::ShiftRight<8>(pixels), byte);
        const VI b = hn::And(hn::ShiftRight<16>(pixels), byte);
        hn::StoreU(hn::DemoteTo(narrow, made(r, g, b)), narrow, out + x);
    }
    return x;
}

template <int kChannel>
HWY_ATTR int storedChannel(const std::uint8_t* in, std::uint8_t* out, int width) {
    const hn::ScalableTag<std::uint8_t> d;
    const int lanes = int(hn::Lanes(d));
    int x = 0;
    for (; x + lanes <= width; x += lanes) {
        hn::Vec<decltype(d)> channel[4];
        hn::LoadInterleaved4(d, in + 4 * x, channel[0], channel[1], channel[2], channel[3]);
        hn::StoreU(channel[kChannel], d, out + x);
    }
    return x;
}

HWY_ATTR int largest(const std::uint8_t* in, std::uint8_t* out, int width) {
    const hn::ScalableTag<std::uint8_t> d;
    const int lanes = int(hn::Lanes(d));
    int x = 0;
    for (; x + lanes <= width; x += lanes) {
        hn::Vec<decltype(d)> r, g, b, a;
        hn::LoadInterleaved4(d, in + 4 * x, r, g, b, a);
        hn::StoreU(hn::Max(hn::Max(r, g), b), d, out + x);
    }
    return x;
}

HWY_ATTR int extractVectors(ExtractedChannel channel, const std::uint8_t* in, std::uint8_t* out,
                            int width) {
    switch (channel) {
        case ExtractedChannel::Red:
            return storedChannel<0>(in, out, width);
        case ExtractedChannel::Green:
            return storedChannel<1>(in, out, width);
        case ExtractedChannel::Blue:
            return storedChannel<2>(in, out, width);
        case ExtractedChannel::Alpha:
            return storedChannel<3>(in, out, width);
        case ExtractedChannel::Value:
            return largest(in, out, width);
        case ExtractedChannel::Hue:
            return eachWord(in, out, width,
                            [](VI r, VI g, VI b) HWY_ATTR { return hueLanes(r, g, b); });
        case ExtractedChannel::Saturation:
            return eachWord(in, out, width,
                            [](VI r, VI g, VI b) HWY_ATTR { return saturationLanes(r, g, b); });
        default:
            return 0;
    }
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <algorithm>

#include "engine/operations/cpu_work.h"
#include "engine/operations/tone/grayscale.h"

namespace warpscope {
namespace {

HWY_EXPORT(extractVectors);

// `made` of each pixel from `x` on.
template <class T, class Made>
void eachPixel(const T* in, T* out, int x, int width, const Made& made) {
    for (; x < width; ++x) out[x] = made(in + 4 * x);
}

template <class T>
void lightnessRow(const T* in, T* out, int width) {
    if constexpr (std::is_floating_point_v<T>) {
        eachPixel(in, out, 0, width, [](const T* p) { return lightnessOf(p[0], p[1], p[2]); });
    } else {
        const float* light = linearLevels(sizeof(T)).data();
        eachPixel(in, out, 0, width, [&](const T* p) {
            const float y = luminanceOf(light[p[0]], light[p[1]], light[p[2]]);
            return T(lightnessLevel(y, std::numeric_limits<T>::max()));
        });
    }
}

template <class T>
void extractRow(ExtractedChannel channel, const T* in, T* out, int width) {
    if (channel == ExtractedChannel::Luma) return lumaRow(in, out, width);
    if (channel == ExtractedChannel::Lightness) return lightnessRow(in, out, width);
    int x = 0;
    if constexpr (sizeof(T) == 1) x = HWY_DYNAMIC_DISPATCH(extractVectors)(channel, in, out, width);
    const auto each = [&](const auto& made) { eachPixel(in, out, x, width, made); };
    if (channel == ExtractedChannel::Hue)
        each([](const T* p) { return hueOf(p[0], p[1], p[2]); });
    else if (channel == ExtractedChannel::Saturation)
        each([](const T* p) { return saturationOf(p[0], p[1], p[2]); });
    else if (channel == ExtractedChannel::Value)
        each([](const T* p) { return valueOf(p[0], p[1], p[2]); });
    else
        each([of = int(channel) - int(ExtractedChannel::Red)](const T* p) { return p[of]; });
}

// Gray counts as three equal colours and opaque alpha. What is stored needs no run.
template <class T>
void extractGrayRow(ExtractedChannel channel, const T* in, T* out, int width) {
    constexpr T kWhite = std::is_floating_point_v<T> ? T(1) : std::numeric_limits<T>::max();
    const float* light = nullptr;
    if constexpr (!std::is_floating_point_v<T>) light = linearLevels(sizeof(T)).data();
    for (int x = 0; x < width; ++x) {
        const T v = in[x];
        if (channel == ExtractedChannel::Alpha)
            out[x] = kWhite;
        else if (channel == ExtractedChannel::Hue)
            out[x] = hueOf(v, v, v);
        else if (channel == ExtractedChannel::Saturation)
            out[x] = saturationOf(v, v, v);
        else if constexpr (std::is_floating_point_v<T>)
            out[x] = lightnessOf(v, v, v);
        else
            out[x] = T(lightnessLevel(luminanceOf(light[v], light[v], light[v]), kWhite));
    }
}

template <class T>
Result<void> run(const ExtractChannelPlan& plan, const Image& in, const MutableImage& out,
                 const CpuContext& context) {
    const auto source = in.view<T>();
    const auto target = out.view<T>();
    const double nanoseconds = plan.channel == ExtractedChannel::Lightness
                                   ? (std::is_floating_point_v<T> ? 100.0 : 10.0)
                                   : 0.5 * double(sizeof(T));
    const CpuContext chosen = forWork(context, plan.size, nanoseconds);
    const int band = rowsPerBand(chosen, source.height,
                                 sizeof(T) * std::uint64_t(source.samplesPerRow() + source.width));
    return forEachRowBand(chosen, source.height, band, [&](int first, int last) {
        for (int y = first; y < last; ++y) {
            if (source.channels == 4)
                extractRow(plan.channel, source.row(y), target.row(y), source.width);
            else
                extractGrayRow(plan.channel, source.row(y), target.row(y), source.width);
        }
    });
}

}  // namespace

Result<void> runExtractChannelCpu(const ExtractChannelPlan& plan, const Image& in,
                                  const MutableImage& out, const CpuContext& context) {
    if (isFloat(plan.input)) return run<float>(plan, in, out, context);
    if (bytesPerSample(plan.input) == 1) return run<std::uint8_t>(plan, in, out, context);
    return run<std::uint16_t>(plan, in, out, context);
}

}  // namespace warpscope

#endif  // HWY_ONCE
