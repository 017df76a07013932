#include "engine/operations/tone/equalize.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/tone/equalize_cpu.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

#include <hwy/cache_control.h>

#include "engine/operations/rows_ahead.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// min(255, (2 v t + luma) / (2 luma)), as the definition says.
inline std::uint8_t scaledSample(std::uint32_t v, std::uint32_t t, std::uint32_t luma) {
    return std::uint8_t(luma == 0 ? v : std::min(255u, (2 * v * t + luma) / (2 * luma)));
}

inline void scalePixels(const std::uint8_t* rgba, const std::uint8_t* luma,
                        const std::uint8_t* mapped, std::uint8_t* out, int width) {
    for (int x = 0; x < width; ++x, rgba += 4, out += 4) {
        for (int c = 0; c < 3; ++c) out[c] = scaledSample(rgba[c], mapped[x], luma[x]);
        out[3] = rgba[3];
    }
}

#if HWY_TARGET == HWY_SCALAR

void scaleRow(const std::uint8_t* rgba, const std::uint8_t* luma, const std::uint8_t* mapped,
              std::uint8_t* out, int width) {
    scalePixels(rgba, luma, mapped, out, width);
}

#else

// The quotient v t / luma + 1/2 is a multiple of 1 / (2 luma): it keeps 1/510 away from the whole
// number above it. Half of that is added, far more than float errs here below 256, so cutting off
// gives the exact result; a test walks all values.
HWY_ATTR void scaleRow(const std::uint8_t* rgba, const std::uint8_t* luma,
                       const std::uint8_t* mapped, std::uint8_t* out, int width) {
    const hn::ScalableTag<std::int32_t> d32;
    const hn::ScalableTag<float> df;
    const hn::ScalableTag<std::uint8_t> bytes;
    const hn::Rebind<std::uint8_t, decltype(d32)> quarter;
    const int lanes = int(hn::Lanes(d32));
    const auto low = hn::Set(d32, 0xFF);
    const auto one = hn::Set(df, 1.0f);
    const auto most = hn::Set(df, 255.0f);
    const auto rounding = hn::Set(df, 0.5f + 1.0f / 1024.0f);
    const auto alpha = hn::Set(d32, std::int32_t(0xFF000000u));
    int x = 0;
    for (; x + lanes <= width; x += lanes) {
        fetchAhead(rgba + 4 * x);
        fetchAhead(out + 4 * x);
        const auto brightness = hn::ConvertTo(df, hn::PromoteTo(d32, hn::LoadU(quarter, luma + x)));
        const auto wanted = hn::ConvertTo(df, hn::PromoteTo(d32, hn::LoadU(quarter, mapped + x)));
        const auto ratio = hn::IfThenElse(hn::Eq(brightness, hn::Zero(df)), one,
                                          hn::Div(wanted, hn::Max(brightness, one)));
        const auto scale = [&](auto sample) HWY_ATTR {
            const auto value = hn::MulAdd(hn::ConvertTo(df, sample), ratio, rounding);
            return hn::ConvertTo(d32, hn::Min(value, most));
        };
        const auto pixels = hn::BitCast(d32, hn::LoadU(bytes, rgba + 4 * x));
        const auto red = scale(hn::And(pixels, low));
        const auto green = scale(hn::And(hn::ShiftRight<8>(pixels), low));
        const auto blue = scale(hn::And(hn::ShiftRight<16>(pixels), low));
        const auto mixed = hn::Or(hn::Or(red, hn::ShiftLeft<8>(green)),
                                  hn::Or(hn::ShiftLeft<16>(blue), hn::And(pixels, alpha)));
        hn::StoreU(hn::BitCast(bytes, mixed), bytes, out + 4 * x);
    }
    scalePixels(rgba + 4 * x, luma + x, mapped + x, out + 4 * x, width - x);
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "engine/operations/analysis/histogram.h"
#include "engine/operations/cpu_work.h"
#include "engine/operations/flat_rows.h"
#include "engine/operations/narrow_images.h"
#include "engine/operations/tone/grayscale.h"
#include "engine/operations/tone/level_table.h"

namespace warpscope {
namespace {

HWY_EXPORT(scaleRow);

// Luma, its new value and the pixels of a chunk stay in the first cache.
template <class T>
void scalePixelsByLuma(const std::vector<T>& table, const T* in, T* out, int width) {
    constexpr int kChunk = 1024;
    T luma[kChunk], mapped[kChunk];
    for (int x = 0; x < width; x += kChunk) {
        const int n = std::min(kChunk, width - x);
        const std::ptrdiff_t at = 4 * std::ptrdiff_t(x);
        lumaRow(in + at, luma, n);
        lookUpRow(table, luma, mapped, n);
        scaleByLuma(in + at, luma, mapped, out + at, n);
    }
}

}  // namespace

void scaleByLuma(const std::uint8_t* rgba, const std::uint8_t* luma, const std::uint8_t* mapped,
                 std::uint8_t* out, int width) {
    HWY_DYNAMIC_DISPATCH(scaleRow)(rgba, luma, mapped, out, width);
}

void scaleByLuma(const std::uint16_t* rgba, const std::uint16_t* luma, const std::uint16_t* mapped,
                 std::uint16_t* out, int width) {
    // As in 8 bits: v t / luma + 1/2 keeps 1/131,070 away from the whole number above it, and
    // double errs by far less than the quarter of that which is added.
    constexpr double kRounding = 0.5 + 1.0 / (1 << 19);
    for (int x = 0; x < width; ++x, rgba += 4, out += 4) {
        const double ratio = luma[x] == 0 ? 1.0 : double(mapped[x]) / double(luma[x]);
        for (int c = 0; c < 3; ++c)
            out[c] = std::uint16_t(std::min(65535.0, rgba[c] * ratio + kRounding));
        out[3] = rgba[3];
    }
}

template <class T>
Result<EqualizeTablesOf<T>> equalizeTablesCpu(const EqualizePlan& plan, const Image& image,
                                              const CpuContext& context) {
    const bool each = plan.channels == EqualizeChannels::Each && isColor(image.format());
    const ChannelSet wanted = each ? ChannelSet{false, true, true, true} : ChannelSet{};
    auto counting = planHistogram(wanted, image.format(), image.size());
    if (!counting) return fail(counting.error());
    CpuContext quiet = context;
    quiet.progress = nullptr;  // the pass over the pixels reports
    auto counts = countCpu(static_cast<const HistogramPlan&>(**counting), image, quiet);
    if (!counts) return fail(counts.error());
    const auto table = [&](HistogramChannel channel) {
        return equalizeTable<T>(counts->find(channel)->bins, plan.mapping);
    };
    if (!each) return EqualizeTablesOf<T>{table(HistogramChannel::Luma), {}, {}};
    return EqualizeTablesOf<T>{table(HistogramChannel::Red), table(HistogramChannel::Green),
                               table(HistogramChannel::Blue)};
}

template Result<EqualizeTables> equalizeTablesCpu<std::uint8_t>(const EqualizePlan&, const Image&,
                                                                const CpuContext&);
template Result<EqualizeTables16> equalizeTablesCpu<std::uint16_t>(const EqualizePlan&,
                                                                   const Image&, const CpuContext&);

namespace {

template <class T>
Result<void> run(const EqualizePlan& plan, const std::optional<EqualizeTablesOf<T>>& frozen,
                 const Image& in, const MutableImage& out, const CpuContext& context) {
    EqualizeTablesOf<T> own;
    if (!frozen) {
        auto made = equalizeTablesCpu<T>(plan, in, context);
        if (!made) return fail(made.error());
        own = std::move(*made);
    }
    const EqualizeTablesOf<T>& tables = frozen ? *frozen : own;
    const auto source = in.view<T>();
    const auto target = out.view<T>();
    const int samples = source.samplesPerRow();
    const CpuContext chosen = forWork(
        context, plan.size, (source.channels == 1 ? 0.05 : 0.6) * double(sizeof(T) == 1 ? 1 : 8));
    const int band = rowsPerBand(chosen, source.height, 2 * sizeof(T) * std::uint64_t(samples));
    const bool stream = in.byteCount() >= kFlatStreamBytes;
    return forEachRowBand(chosen, source.height, band, [&](int first, int last) {
        for (int y = first; y < last; ++y) {
            if (source.channels == 1)
                lookUpRow(tables.red, source.row(y), target.row(y), samples, stream);
            else if (plan.channels == EqualizeChannels::Luma)
                scalePixelsByLuma(tables.red, source.row(y), target.row(y), source.width);
            else
                lookUpPixels({&tables.red, &tables.green, &tables.blue}, source.row(y),
                             target.row(y), samples, stream);
        }
        if (stream) hwy::FlushStream();
    });
}

}  // namespace

Result<void> runEqualizeCpu(const EqualizePlan& plan, const Image& in, const MutableImage& out,
                            const CpuContext& context) {
    if (isFloat(plan.input)) return runEqualizeFloat(plan, in, out, context);
    const auto runOn = [&](const Image& source, const MutableImage& target) {
        if (bytesPerSample(plan.input) == 1)
            return run<std::uint8_t>(plan, plan.frozen, source, target, context);
        return run<std::uint16_t>(plan, plan.frozen16, source, target, context);
    };
    // A row of gray samples costs little more than turning it.
    return isColor(plan.input) ? onLongRows(in, out, context, runOn) : runOn(in, out);
}

}  // namespace warpscope

#endif  // HWY_ONCE
