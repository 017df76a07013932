#include "engine/operations/tone/adaptive_threshold.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/tone/adaptive_threshold_cpu.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Both sides stay below 2^30.
HWY_ATTR void compareRow8(const std::uint8_t* levels, const std::uint32_t* before,
                          const std::uint32_t* until, std::int32_t offset, std::int32_t count,
                          std::uint8_t* out, int width) {
    const hn::ScalableTag<std::int32_t> d;
    const hn::RebindToUnsigned<decltype(d)> du;
    const hn::Rebind<std::uint8_t, decltype(d)> bytes;
    const int lanes = int(hn::Lanes(d));
    const auto add = hn::Set(d, offset);
    const auto times = hn::Set(d, count);
    const auto white = hn::Set(d, 255);
    int x = 0;
    for (; x + lanes <= width; x += lanes) {
        const auto v = hn::PromoteTo(d, hn::LoadU(bytes, levels + x));
        const auto sum = hn::Sub(hn::LoadU(du, until + x), hn::LoadU(du, before + x));
        const auto above = hn::Gt(hn::Mul(hn::Add(v, add), times), hn::BitCast(d, sum));
        hn::StoreU(hn::DemoteTo(bytes, hn::IfThenElseZero(above, white)), bytes, out + x);
    }
    for (; x < width; ++x)
        out[x] = (levels[x] + offset) * count > std::int32_t(until[x] - before[x]) ? 255 : 0;
}

// For radii up to kNarrowRadius16, whose sums stay below 2^32. A level and its offset are limited
// to 0 to 65,536, beyond which the answer is the same, so that their product fits as well.
HWY_ATTR void compareNarrowRow16(const std::uint16_t* levels, const std::uint32_t* before,
                                 const std::uint32_t* until, std::int32_t offset,
                                 std::int32_t count, std::uint16_t* out, int width) {
    const hn::ScalableTag<std::int32_t> d;
    const hn::RebindToUnsigned<decltype(d)> du;
    const hn::Rebind<std::uint16_t, decltype(d)> narrow;
    const int lanes = int(hn::Lanes(d));
    const auto add = hn::Set(d, offset);
    const auto times = hn::Set(du, std::uint32_t(count));
    const auto most = hn::Set(d, 65536);
    const auto white = hn::Set(du, 65535);
    int x = 0;
    for (; x + lanes <= width; x += lanes) {
        const auto v = hn::Add(hn::PromoteTo(d, hn::LoadU(narrow, levels + x)), add);
        const auto level = hn::BitCast(du, hn::Min(hn::Max(v, hn::Zero(d)), most));
        const auto sum = hn::Sub(hn::LoadU(du, until + x), hn::LoadU(du, before + x));
        const auto above = hn::Gt(hn::Mul(level, times), sum);
        hn::StoreU(hn::DemoteTo(narrow, hn::BitCast(d, hn::IfThenElseZero(above, white))), narrow,
                   out + x);
    }
    for (; x < width; ++x)
        out[x] = std::int64_t(levels[x] + offset) * count > std::int64_t(until[x] - before[x])
                     ? 65535
                     : 0;
}

HWY_ATTR void compareRow16(const std::uint16_t* levels, const std::uint64_t* before,
                           const std::uint64_t* until, std::int32_t offset, std::int32_t count,
                           std::uint16_t* out, int width) {
    for (int x = 0; x < width; ++x)
        out[x] = std::int64_t(levels[x] + offset) * count > std::int64_t(until[x] - before[x])
                     ? 65535
                     : 0;
}

HWY_ATTR void compareRowFloat(const float* levels, const float* means, float offset, float* out,
                              int width) {
    for (int x = 0; x < width; ++x) out[x] = levels[x] + offset > means[x] ? 1.0f : 0.0f;
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "engine/operations/cpu_work.h"
#include "engine/operations/narrow_images.h"
#include "engine/operations/smoothing/box_mean.h"
#include "engine/operations/tone/grayscale.h"

namespace warpscope {
namespace {

static_assert(std::uint64_t(65536) * (2 * kNarrowRadius16 + 1) * (2 * kNarrowRadius16 + 1) >> 32 ==
              0);

HWY_EXPORT(compareRow8);
HWY_EXPORT(compareNarrowRow16);
HWY_EXPORT(compareRow16);
HWY_EXPORT(compareRowFloat);

// The image itself if it is gray.
template <class T>
Result<Image> lumaOf(const Image& in, const CpuContext& context) {
    if (!isColor(in.format())) return in;
    auto luma = MutableImage::create(*withChannels(in.format(), false), in.size());
    if (!luma) return fail(luma.error());
    const auto source = in.view<T>();
    const auto target = luma->template view<T>();
    CpuContext quiet = forWork(context, in.size(), 0.1 * sizeof(T));
    quiet.progress = nullptr;  // the comparison reports
    const int band = rowsPerBand(quiet, source.height, 5 * sizeof(T) * std::uint64_t(source.width));
    auto done = forEachRowBand(quiet, source.height, band, [&](int first, int last) {
        for (int y = first; y < last; ++y) lumaRow(source.row(y), target.row(y), source.width);
    });
    if (!done) return fail(done.error());
    return std::move(*luma).freezeLike(in);
}

Result<void> run8(const AdaptiveThresholdPlan& plan, const Image& in, const MutableImage& out,
                  const CpuContext& context) {
    const auto luma = lumaOf<std::uint8_t>(in, context);
    if (!luma) return fail(luma.error());
    const auto source = luma->view<std::uint8_t>();
    const auto target = out.view<std::uint8_t>();
    return forBoxSums8(*luma, plan.radius, context,
                       [&](int y, const std::uint32_t* before, const std::uint32_t* until) {
                           HWY_DYNAMIC_DISPATCH(compareRow8)
                           (source.row(y), before, until, plan.offset, plan.count, target.row(y),
                            source.width);
                       });
}

Result<void> run16(const AdaptiveThresholdPlan& plan, const Image& in, const MutableImage& out,
                   const CpuContext& context) {
    const auto luma = lumaOf<std::uint16_t>(in, context);
    if (!luma) return fail(luma.error());
    const auto source = luma->view<std::uint16_t>();
    const auto target = out.view<std::uint16_t>();
    if (plan.radius <= kNarrowRadius16)
        return forNarrowBoxSums16(
            *luma, plan.radius, context,
            [&](int y, const std::uint32_t* before, const std::uint32_t* until) {
                HWY_DYNAMIC_DISPATCH(compareNarrowRow16)
                (source.row(y), before, until, plan.offset, plan.count, target.row(y),
                 source.width);
            });
    return forBoxSums16(*luma, plan.radius, context,
                        [&](int y, const std::uint64_t* before, const std::uint64_t* until) {
                            HWY_DYNAMIC_DISPATCH(compareRow16)
                            (source.row(y), before, until, plan.offset, plan.count, target.row(y),
                             source.width);
                        });
}

// The means go where the result will be.
Result<void> runFloat(const AdaptiveThresholdPlan& plan, const Image& in, const MutableImage& out,
                      const CpuContext& context) {
    const auto luma = lumaOf<float>(in, context);
    if (!luma) return fail(luma.error());
    CpuContext quiet = context;
    quiet.progress = nullptr;
    BoxMeanPlan mean;
    mean.input = mean.output = luma->format();
    mean.size = mean.outputSize = luma->size();
    mean.radius = plan.radius;
    mean.count = std::uint32_t(plan.count);
    if (auto done = runBoxMeanFloat(mean, *luma, out, quiet); !done) return done;
    const auto source = luma->view<float>();
    const auto target = out.view<float>();
    const CpuContext chosen = forWork(context, in.size(), 0.3);
    const int band = rowsPerBand(chosen, source.height, 8 * std::uint64_t(source.width));
    return forEachRowBand(chosen, source.height, band, [&](int first, int last) {
        for (int y = first; y < last; ++y) HWY_DYNAMIC_DISPATCH(compareRowFloat)
        (source.row(y), target.row(y), plan.offsetFloat, target.row(y), source.width);
    });
}

}  // namespace

Result<void> runAdaptiveThresholdCpu(const AdaptiveThresholdPlan& plan, const Image& in,
                                     const MutableImage& out, const CpuContext& context) {
    return onLongRows(in, out, context, [&](const Image& source, const MutableImage& target) {
        if (isFloat(plan.input)) return runFloat(plan, source, target, context);
        return bytesPerSample(plan.input) == 1 ? run8(plan, source, target, context)
                                               : run16(plan, source, target, context);
    });
}

}  // namespace warpscope

#endif  // HWY_ONCE
