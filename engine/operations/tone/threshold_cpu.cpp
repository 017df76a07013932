#include "engine/operations/tone/threshold.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/tone/threshold_cpu.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// `in` may be `out`.
template <class T>
HWY_ATTR void whiteAboveTyped(const T* in, T cut, T white, T* out, int n) {
    const hn::ScalableTag<T> d;
    const int lanes = int(hn::Lanes(d));
    const auto limit = hn::Set(d, cut);
    const auto most = hn::Set(d, white);
    int i = 0;
    for (; i + lanes <= n; i += lanes)
        hn::StoreU(hn::IfThenElseZero(hn::Gt(hn::LoadU(d, in + i), limit), most), d, out + i);
    for (; i < n; ++i) out[i] = in[i] > cut ? white : T(0);
}

void whiteAbove8(const std::uint8_t* in, std::uint8_t cut, std::uint8_t* out, int n) {
    whiteAboveTyped<std::uint8_t>(in, cut, 255, out, n);
}
void whiteAbove16(const std::uint16_t* in, std::uint16_t cut, std::uint16_t* out, int n) {
    whiteAboveTyped<std::uint16_t>(in, cut, 65535, out, n);
}
void whiteAboveFloat(const float* in, float cut, float* out, int n) {
    whiteAboveTyped<float>(in, cut, 1.0f, out, n);
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

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

void whiteAbove(const std::uint8_t* in, const ThresholdCut& cut, std::uint8_t* out, int n) {
    HWY_DYNAMIC_DISPATCH(whiteAbove8)(in, std::uint8_t(cut.level), out, n);
}
void whiteAbove(const std::uint16_t* in, const ThresholdCut& cut, std::uint16_t* out, int n) {
    HWY_DYNAMIC_DISPATCH(whiteAbove16)(in, std::uint16_t(cut.level), out, n);
}
void whiteAbove(const float* in, const ThresholdCut& cut, float* out, int n) {
    HWY_DYNAMIC_DISPATCH(whiteAboveFloat)(in, cut.value, out, n);
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
    return forEachRowBand(chosen, source.height, band, [&](int first, int last) {
        for (int y = first; y < last; ++y) {
            const T* levels = source.row(y);
            if (source.channels != 1) {
                lumaRow(source.row(y), target.row(y), source.width);
                levels = target.row(y);
            }
            whiteAbove(levels, cut, target.row(y), source.width);
        }
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
