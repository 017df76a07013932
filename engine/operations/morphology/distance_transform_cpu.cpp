// Distances within columns, strip by strip of columns, are kept in the output; then each row of it
// is replaced by the lower envelope of the parabolas that stand on them.
#include "engine/operations/morphology/distance_transform.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/morphology/distance_transform_cpu.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// 0 where luma is zero, else one more than above.
template <class T>
HWY_ATTR void downTyped(const T* luma, const std::uint32_t* above, std::uint32_t* here, int n) {
    const hn::ScalableTag<std::uint32_t> d;
    const int lanes = int(hn::Lanes(d));
    const auto one = hn::Set(d, 1);
    const auto zero = hn::Zero(d);
    int x = 0;
    for (; x + lanes <= n; x += lanes) {
        auto value = zero;
        if constexpr (std::is_floating_point_v<T>) {
            // Both zeros are zero, and no NaN is.
            const hn::Rebind<float, decltype(d)> floats;
            value = hn::ShiftLeft<1>(hn::BitCast(d, hn::LoadU(floats, luma + x)));
        } else {
            const hn::Rebind<T, decltype(d)> narrow;
            value = hn::PromoteTo(d, hn::LoadU(narrow, luma + x));
        }
        const auto more = hn::Add(hn::LoadU(d, above + x), one);
        hn::StoreU(hn::IfThenZeroElse(hn::Eq(value, zero), more), d, here + x);
    }
    for (; x < n; ++x) here[x] = luma[x] != T(0) ? above[x] + 1 : 0;
}

void down8(const std::uint8_t* luma, const std::uint32_t* above, std::uint32_t* here, int n) {
    downTyped(luma, above, here, n);
}
void down16(const std::uint16_t* luma, const std::uint32_t* above, std::uint32_t* here, int n) {
    downTyped(luma, above, here, n);
}
void downFloat(const float* luma, const std::uint32_t* above, std::uint32_t* here, int n) {
    downTyped(luma, above, here, n);
}

HWY_ATTR void up(const std::uint32_t* below, std::uint32_t* here, int n) {
    const hn::ScalableTag<std::uint32_t> d;
    const int lanes = int(hn::Lanes(d));
    const auto one = hn::Set(d, 1);
    int x = 0;
    for (; x + lanes <= n; x += lanes)
        hn::StoreU(hn::Min(hn::LoadU(d, here + x), hn::Add(hn::LoadU(d, below + x), one)), d,
                   here + x);
    for (; x < n; ++x) here[x] = std::min(here[x], below[x] + 1);
}

// Whole numbers below 2^53 to floats of their roots, whose bits are stored.
HWY_ATTR void roots(const double* squares, std::uint32_t* out, int n) {
    const hn::ScalableTag<double> d;
    const hn::Rebind<float, decltype(d)> floats;
    const hn::Rebind<std::uint32_t, decltype(d)> bits;
    const int lanes = int(hn::Lanes(d));
    int x = 0;
    for (; x + lanes <= n; x += lanes) {
        const auto root = hn::DemoteTo(floats, hn::Sqrt(hn::LoadU(d, squares + x)));
        hn::StoreU(hn::BitCast(bits, root), bits, out + x);
    }
    for (; x < n; ++x) out[x] = std::bit_cast<std::uint32_t>(float(std::sqrt(squares[x])));
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <limits>

#include "engine/operations/cpu_work.h"
#include "engine/operations/tone/grayscale.h"

namespace warpscope {
namespace {

HWY_EXPORT(down8);
HWY_EXPORT(down16);
HWY_EXPORT(downFloat);
HWY_EXPORT(up);
HWY_EXPORT(roots);

void downRow(const std::uint8_t* luma, const std::uint32_t* above, std::uint32_t* here, int n) {
    HWY_DYNAMIC_DISPATCH(down8)(luma, above, here, n);
}
void downRow(const std::uint16_t* luma, const std::uint32_t* above, std::uint32_t* here, int n) {
    HWY_DYNAMIC_DISPATCH(down16)(luma, above, here, n);
}
void downRow(const float* luma, const std::uint32_t* above, std::uint32_t* here, int n) {
    HWY_DYNAMIC_DISPATCH(downFloat)(luma, above, here, n);
}

// Both outputs have samples of 32 bits; those of floats are stored as bits.
std::uint32_t* wordsOf(const MutableImage& out, int y) {
    return reinterpret_cast<std::uint32_t*>(out.rowBytes(y));
}

// A strip's part of all rows of the output stays in a second-level cache at usual heights.
constexpr int kStripColumns = 256;

template <class T>
void columnsOfStrip(const View<const T>& source, const MutableImage& out, int first, int count,
                    const CpuContext& context) {
    T luma[kStripColumns];
    std::uint32_t none[kStripColumns];
    std::fill_n(none, count, kFarColumn);
    const std::uint32_t* above = none;
    for (int y = 0; y < source.height; ++y) {
        if (y % 64 == 0 && context.stopRequested()) return;
        const T* row = source.row(y) + std::ptrdiff_t(first) * source.channels;
        if (source.channels != 1) {
            lumaRow(row, luma, count);
            row = luma;
        }
        std::uint32_t* here = wordsOf(out, y) + first;
        downRow(row, above, here, count);
        above = here;
    }
    for (int y = source.height - 2; y >= 0; --y)
        HWY_DYNAMIC_DISPATCH(up)(wordsOf(out, y + 1) + first, wordsOf(out, y) + first, count);
}

// The lower envelope of a row, parabolas from the left. Whole numbers: with sides up to 2^20 all
// products stay below 2^62.
struct Parabola {
    std::int64_t column = 0;
    // Of its square and that of the distance within the column.
    std::int64_t sum = 0;

    std::int64_t at(std::int64_t x) const { return sum + x * (x - 2 * column); }
};

// Gives how many there are.
int envelopeOf(const std::uint32_t* distances, int width, Parabola* envelope) {
    int count = 0;
    for (int x = 0; x < width; ++x) {
        const std::int64_t distance = distances[x];
        if (distance >= kFarColumn) continue;
        const Parabola next{x, distance * distance + std::int64_t(x) * x};
        while (count > 1) {
            const Parabola &last = envelope[count - 1], &before = envelope[count - 2];
            // The last one is lowest only right of where it meets the one before, and left of where
            // it meets the next one.
            if ((last.sum - before.sum) * (next.column - last.column) <
                (next.sum - last.sum) * (last.column - before.column))
                break;
            --count;
        }
        envelope[count++] = next;
    }
    return count;
}

void finishRow(const DistanceTransformPlan& plan, std::uint32_t* row, Parabola* envelope,
               double* squares) {
    const int width = plan.size.width;
    const int count = envelopeOf(row, width, envelope);
    if (count == 0) {
        std::fill_n(row, width,
                    plan.squared ? kNoSquaredDistance
                                 : std::bit_cast<std::uint32_t>(std::numeric_limits<float>::max()));
        return;
    }
    const std::int64_t area = std::int64_t(plan.reduction) * plan.reduction;
    int k = 0;
    for (int x = 0; x < width; ++x) {
        std::int64_t least = envelope[k].at(x);
        for (std::int64_t other; k + 1 < count && (other = envelope[k + 1].at(x)) <= least; ++k)
            least = other;
        least *= area;
        if (plan.squared)
            row[x] = std::uint32_t(std::min<std::int64_t>(least, kNoSquaredDistance));
        else
            squares[x] = double(least);
    }
    if (!plan.squared) HWY_DYNAMIC_DISPATCH(roots)(squares, row, width);
}

}  // namespace

Result<void> runDistanceTransformCpu(const DistanceTransformPlan& plan, const Image& in,
                                     const MutableImage& out, const CpuContext& context) {
    const CpuContext chosen = forWork(context, in.size(), 6.0);
    CpuContext quiet = chosen;
    quiet.progress = nullptr;
    const int width = in.width(), height = in.height();
    const int strips = (width + kStripColumns - 1) / kStripColumns;
    auto done = forEachRowBand(quiet, strips, 1, [&](int strip, int) {
        const int first = strip * kStripColumns, count = std::min(kStripColumns, width - first);
        visitSampleType(in.format(), [&]<class T>() {
            if constexpr (sizeof(T) <= 2 || std::is_floating_point_v<T>)
                columnsOfStrip(in.view<T>(), out, first, count, chosen);
        });
    });
    if (!done) return done;
    const int band = rowsPerBand(chosen, height, std::uint64_t(out.pitch()));
    return forEachRowBand(chosen, height, band, [&](int first, int last) {
        const auto envelope = alignedSamples<Parabola>(std::size_t(width));
        const auto squares = alignedSamples<double>(plan.squared ? 1 : std::size_t(width));
        for (int y = first; y < last && !chosen.stopRequested(); ++y)
            finishRow(plan, wordsOf(out, y), envelope.get(), squares.get());
    });
}

}  // namespace warpscope

#endif  // HWY_ONCE
