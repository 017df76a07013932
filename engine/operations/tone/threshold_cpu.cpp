#include "engine/operations/tone/threshold.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/tone/threshold_cpu.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "engine/operations/rows_ahead.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <bool kStream, class T>
HWY_ATTR void whiteAboveTyped(const T* in, T cut, T white, T* out, std::ptrdiff_t n) {
    const hn::ScalableTag<T> d;
    const auto lanes = std::ptrdiff_t(hn::Lanes(d));
    const auto limit = hn::Set(d, cut);
    const auto most = hn::Set(d, white);
    const auto step = [&](std::ptrdiff_t at) HWY_ATTR {
        if constexpr (kStream) fetchAhead(in + at);
        const auto made = hn::IfThenElseZero(hn::Gt(hn::LoadU(d, in + at), limit), most);
        if constexpr (kStream)
            hn::Stream(made, d, out + at);
        else
            hn::StoreU(made, d, out + at);
    };
    std::ptrdiff_t i = 0;
    for (; i + 4 * lanes <= n; i += 4 * lanes) {
        step(i);
        step(i + lanes);
        step(i + 2 * lanes);
        step(i + 3 * lanes);
    }
    for (; i + lanes <= n; i += lanes) step(i);
    for (; i < n; ++i) out[i] = in[i] > cut ? white : T(0);
}

// `in` may be `out`. Past the cache where `stream` says so and `out` is at the place for it.
template <class T>
HWY_ATTR void whiteAboveAny(const T* in, T cut, T white, T* out, std::ptrdiff_t n, bool stream) {
    const bool aligned =
        reinterpret_cast<std::uintptr_t>(out) % (hn::Lanes(hn::ScalableTag<T>()) * sizeof(T)) == 0;
    stream&& aligned ? whiteAboveTyped<true>(in, cut, white, out, n)
                     : whiteAboveTyped<false>(in, cut, white, out, n);
}

void whiteAbove8(const std::uint8_t* in, std::uint8_t cut, std::uint8_t* out, std::ptrdiff_t n,
                 bool stream) {
    whiteAboveAny<std::uint8_t>(in, cut, 255, out, n, stream);
}
void whiteAbove16(const std::uint16_t* in, std::uint16_t cut, std::uint16_t* out, std::ptrdiff_t n,
                  bool stream) {
    whiteAboveAny<std::uint16_t>(in, cut, 65535, out, n, stream);
}
void whiteAboveFloat(const float* in, float cut, float* out, std::ptrdiff_t n, bool stream) {
    whiteAboveAny<float>(in, cut, 1.0f, out, n, stream);
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <hwy/cache_control.h>

#include <cmath>
#include <mutex>

#include "engine/operations/analysis/histogram.h"
#include "engine/operations/cpu_work.h"
#include "engine/operations/tone/grayscale.h"

namespace warpscope {
namespace {

HWY_EXPORT(whiteAbove8);
HWY_EXPORT(whiteAbove16);
HWY_EXPORT(whiteAboveFloat);

// Results that no cache will hold are written past it.
constexpr std::uint64_t kThresholdStreamBytes = 4u << 20;

void whiteAbove(const std::uint8_t* in, const ThresholdCut& cut, std::uint8_t* out,
                std::ptrdiff_t n, bool stream) {
    HWY_DYNAMIC_DISPATCH(whiteAbove8)(in, std::uint8_t(cut.level), out, n, stream);
}
void whiteAbove(const std::uint16_t* in, const ThresholdCut& cut, std::uint16_t* out,
                std::ptrdiff_t n, bool stream) {
    HWY_DYNAMIC_DISPATCH(whiteAbove16)(in, std::uint16_t(cut.level), out, n, stream);
}
void whiteAbove(const float* in, const ThresholdCut& cut, float* out, std::ptrdiff_t n,
                bool stream) {
    HWY_DYNAMIC_DISPATCH(whiteAboveFloat)(in, cut.value, out, n, stream);
}

// Exact sums for each exponent, so that no order of the pixels gives another mean.
Result<ThresholdCut> meanOfFloats(const Image& image, const CpuContext& context) {
    const auto view = image.view<float>();
    ExponentSums all;
    std::mutex merging;
    const CpuContext chosen = forWork(context, image.size(), 3.0);
    const int band =
        rowsPerBand(chosen, view.height, std::uint64_t(view.samplesPerRow()) * sizeof(float));
    auto done = forEachRowBand(chosen, view.height, band, [&](int first, int last) {
        std::vector<float> room(view.channels == 1 ? 0 : std::size_t(view.width));
        ExponentSums own;
        for (int y = first; y < last; ++y) {
            const float* levels = view.row(y);
            if (view.channels != 1) {
                lumaRow(view.row(y), room.data(), view.width);
                levels = room.data();
            }
            for (int x = 0; x < view.width; ++x) {
                if (!std::isfinite(levels[x])) continue;
                own.sums[ExponentSums::exponentOf(levels[x])] +=
                    ExponentSums::mantissaOf(levels[x]);
                ++own.count;
            }
        }
        const std::lock_guard lock(merging);
        for (int e = 0; e < kFloatExponents; ++e) all.sums[e] += own.sums[e];
        all.count += own.count;
    });
    if (!done) return fail(done.error());
    return cutAtValue(all.mean());
}

template <class T>
Result<void> apply(const ThresholdCut& cut, const Image& in, const MutableImage& out,
                   const CpuContext& context) {
    const auto source = in.view<T>();
    const auto target = out.view<T>();
    const CpuContext chosen = forWork(context, in.size(), 0.05 * double(sizeof(T)));
    const int band = rowsPerBand(
        chosen, source.height,
        sizeof(T) * (std::uint64_t(source.samplesPerRow()) + std::uint64_t(source.width)));
    // Luma is written there first, and then is in the cache.
    const bool stream = source.channels == 1 &&
                        std::uint64_t(in.size().pixels()) * sizeof(T) >= kThresholdStreamBytes;
    // Rows that follow each other are as good as one.
    const auto rowBytes = std::ptrdiff_t(source.width) * std::ptrdiff_t(sizeof(T));
    const bool packed = source.channels == 1 && in.pitch() == rowBytes && out.pitch() == rowBytes;
    return forEachRowBand(chosen, source.height, band, [&](int first, int last) {
        if (packed) {
            whiteAbove(source.row(first), cut, target.row(first),
                       std::ptrdiff_t(source.width) * (last - first), stream);
            if (stream) hwy::FlushStream();
            return;
        }
        for (int y = first; y < last; ++y) {
            const T* levels = source.row(y);
            if (source.channels != 1) {
                lumaRow(source.row(y), target.row(y), source.width);
                levels = target.row(y);
            }
            whiteAbove(levels, cut, target.row(y), source.width, stream);
        }
        if (stream) hwy::FlushStream();
    });
}

}  // namespace

Result<ThresholdCut> chooseThresholdCpu(const ThresholdPlan& plan, const Image& image,
                                        const CpuContext& context) {
    CpuContext quiet = context;
    quiet.progress = nullptr;  // the pass over the pixels reports
    if (isFloat(image.format())) {
        if (plan.method == ThresholdMethod::Mean) return meanOfFloats(image, quiet);
        const auto counted = countFloats(image, false, quiet);
        if (!counted) return fail(counted.error());
        return cutAtBin(counted->range[0], cutOfCounts(counted->counts[0], plan.method).level);
    }
    const auto counting = planHistogram(ChannelSet{}, image.format(), image.size());
    if (!counting) return fail(counting.error());
    const auto counts = countCpu(static_cast<const HistogramPlan&>(**counting), image, quiet);
    if (!counts) return fail(counts.error());
    return cutOfCounts(counts->find(HistogramChannel::Luma)->bins, plan.method);
}

Result<void> runThresholdCpu(const ThresholdPlan& plan, const Image& in, const MutableImage& out,
                             const CpuContext& context) {
    ThresholdCut cut;
    if (plan.cut) {
        cut = *plan.cut;
    } else {
        auto chosen = chooseThresholdCpu(plan, in, context);
        if (!chosen) return fail(chosen.error());
        cut = *chosen;
    }
    if (isFloat(plan.input)) return apply<float>(cut, in, out, context);
    if (bytesPerSample(plan.input) == 1) return apply<std::uint8_t>(cut, in, out, context);
    return apply<std::uint16_t>(cut, in, out, context);
}

}  // namespace warpscope

#endif  // HWY_ONCE
