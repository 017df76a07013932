#include <algorithm>
#include <cstddef>

#include "engine/operations/geometry/resize_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/geometry/resize_rows_float.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

int resizeLanes() {
    return 0;
}
void resizeAcrossGray(const ResizeLanes&, const float* const*, float* const*) {}
void resizeAcrossColour(const ResizeAxis&, int, const float* const*, float* const*) {}
void resizeAcrossApart(const ResizeAxis&, const float* const*, float* const*) {}
void resizeDownFloat(const double*, const float* const*, int, int, float*) {}

#else

using DD = hn::ScalableTag<double>;

int resizeLanes() {
    return int(hn::Lanes(DD()));
}

// A vector of floats has twice the lanes of one of doubles: taps of a block lie among them.
HWY_ATTR void resizeAcrossGray(const ResizeLanes& lanes, const float* const* from,
                               float* const* to) {
    const DD d;
    const hn::Repartition<float, DD> df;
    const hn::Half<decltype(df)> half;
    const int n = lanes.lanes;
    for (int block = 0; block < lanes.blocks; ++block) {
        const ResizeLanes::Block& one = lanes.block[std::size_t(block)];
        const auto picks =
            hn::SetTableIndices(df, lanes.offsets.data() + std::ptrdiff_t(block) * 2 * n);
        const auto counts = hn::LoadU(d, lanes.counts.data() + std::ptrdiff_t(block) * n);
        hn::Vec<DD> sums[kResizeRows];
        for (auto& sum : sums) sum = hn::Zero(d);
        const double* weights = lanes.weights.data() + one.begin;
        for (int tap = 0; tap < one.most; ++tap, weights += n) {
            const auto weight = hn::LoadU(d, weights);
            // What a pixel has no tap for may be no number.
            const auto isTap = hn::Lt(hn::Set(d, double(tap)), counts);
            for (int row = 0; row < kResizeRows; ++row) {
                const auto near =
                    hn::TableLookupLanes(hn::LoadU(df, from[row] + one.first + tap), picks);
                const auto more = hn::Add(
                    sums[row], hn::Mul(weight, hn::PromoteTo(d, hn::LowerHalf(half, near))));
                sums[row] = tap < one.least ? more : hn::IfThenElse(isTap, more, sums[row]);
            }
        }
        for (int row = 0; row < kResizeRows; ++row)
            hn::StoreU(hn::DemoteTo(half, sums[row]), half, to[row] + std::ptrdiff_t(block) * n);
    }
}

// Where taps of neighbouring pixels lie far apart: a tap of all rows at a time.
HWY_ATTR void resizeAcrossApart(const ResizeAxis& axis, const float* const* from,
                                float* const* to) {
    static_assert(kResizeRows == 4);
    const hn::CappedTag<double, 4> d;
    const hn::Rebind<float, decltype(d)> df;
    constexpr int kLanes = int(hn::MaxLanes(hn::CappedTag<double, 4>()));
    constexpr int kParts = 4 / kLanes;
    const hn::CappedTag<float, 4> d4;
    const hn::Repartition<double, decltype(d4)> pairs;
    HWY_ALIGN float taps[16];
    HWY_ALIGN float made[4];
    for (std::size_t x = 0; x < axis.first.size(); ++x) {
        const double* weights = axis.realWeights.data() + axis.begin[x];
        hn::Vec<decltype(d)> sums[kParts];
        for (auto& sum : sums) sum = hn::Zero(d);
        for (int tap = 0; tap < axis.count[x]; tap += 4) {
            const std::ptrdiff_t at = axis.first[x] + tap;
            const auto a = hn::LoadU(d4, from[0] + at), b = hn::LoadU(d4, from[1] + at);
            const auto c = hn::LoadU(d4, from[2] + at), e = hn::LoadU(d4, from[3] + at);
            const auto ab = hn::BitCast(pairs, hn::InterleaveLower(d4, a, b));
            const auto ce = hn::BitCast(pairs, hn::InterleaveLower(d4, c, e));
            const auto ab2 = hn::BitCast(pairs, hn::InterleaveUpper(d4, a, b));
            const auto ce2 = hn::BitCast(pairs, hn::InterleaveUpper(d4, c, e));
            hn::Store(hn::BitCast(d4, hn::InterleaveLower(pairs, ab, ce)), d4, taps);
            hn::Store(hn::BitCast(d4, hn::InterleaveUpper(pairs, ab, ce)), d4, taps + 4);
            hn::Store(hn::BitCast(d4, hn::InterleaveLower(pairs, ab2, ce2)), d4, taps + 8);
            hn::Store(hn::BitCast(d4, hn::InterleaveUpper(pairs, ab2, ce2)), d4, taps + 12);
            const int count = std::min(4, axis.count[x] - tap);
            for (int i = 0; i < count; ++i)
                for (int part = 0; part < kParts; ++part)
                    sums[part] = hn::Add(
                        sums[part],
                        hn::Mul(hn::Set(d, weights[tap + i]),
                                hn::PromoteTo(d, hn::Load(df, taps + 4 * i + part * kLanes))));
        }
        for (int part = 0; part < kParts; ++part)
            hn::Store(hn::DemoteTo(df, sums[part]), df, made + part * kLanes);
        for (int row = 0; row < kResizeRows; ++row) to[row][x] = made[row];
    }
}

HWY_ATTR void resizeAcrossColour(const ResizeAxis& axis, int rows, const float* const* from,
                                 float* const* to) {
    const hn::CappedTag<double, 4> d;
    const hn::Rebind<float, decltype(d)> df;
    constexpr int kLanes = int(hn::MaxLanes(hn::CappedTag<double, 4>()));
    constexpr int kParts = 4 / kLanes;
    for (int row = 0; row < rows; ++row)
        for (std::size_t x = 0; x < axis.first.size(); ++x) {
            const float* taps = from[row] + std::ptrdiff_t(axis.first[x]) * 4;
            const double* weights = axis.realWeights.data() + axis.begin[x];
            hn::Vec<decltype(d)> sums[kParts];
            for (auto& sum : sums) sum = hn::Zero(d);
            for (int tap = 0; tap < axis.count[x]; ++tap, taps += 4) {
                const auto weight = hn::Set(d, weights[tap]);
                for (int part = 0; part < kParts; ++part)
                    sums[part] = hn::Add(
                        sums[part],
                        hn::Mul(weight, hn::PromoteTo(d, hn::LoadU(df, taps + part * kLanes))));
            }
            for (int part = 0; part < kParts; ++part)
                hn::StoreU(hn::DemoteTo(df, sums[part]), df, to[row] + 4 * x + part * kLanes);
        }
}

HWY_ATTR void resizeDownFloat(const double* weights, const float* const* rows, int count,
                              int samples, float* to) {
    const DD d;
    const hn::Rebind<float, DD> df;
    const int lanes = int(hn::Lanes(d));
    HWY_ALIGN float last[hn::MaxLanes(d)];
    for (int x = 0; x < samples; x += lanes) {
        auto sum = hn::Zero(d);
        for (int tap = 0; tap < count; ++tap)
            sum = hn::Add(sum, hn::Mul(hn::Set(d, weights[tap]),
                                       hn::PromoteTo(d, hn::LoadU(df, rows[tap] + x))));
        if (x + lanes <= samples) {
            hn::StoreU(hn::DemoteTo(df, sum), df, to + x);
        } else {
            hn::StoreU(hn::DemoteTo(df, sum), df, last);
            std::copy_n(last, samples - x, to + x);
        }
    }
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace warpscope {

HWY_EXPORT(resizeLanes);
HWY_EXPORT(resizeAcrossGray);
HWY_EXPORT(resizeAcrossColour);
HWY_EXPORT(resizeAcrossApart);
HWY_EXPORT(resizeDownFloat);

int resizeLaneCount() {
    return HWY_DYNAMIC_DISPATCH(resizeLanes)();
}

void resizeAcross(const ResizeLanes& lanes, const float* const* from, float* const* to) {
    HWY_DYNAMIC_DISPATCH(resizeAcrossGray)(lanes, from, to);
}

void resizeAcross(const ResizeAxis& axis, int channels, int rows, const float* const* from,
                  float* const* to) {
    channels == 4 ? HWY_DYNAMIC_DISPATCH(resizeAcrossColour)(axis, rows, from, to)
                  : HWY_DYNAMIC_DISPATCH(resizeAcrossApart)(axis, from, to);
}

void resizeDown(const double* weights, const float* const* rows, int count, int samples,
                float* to) {
    HWY_DYNAMIC_DISPATCH(resizeDownFloat)(weights, rows, count, samples, to);
}

}  // namespace warpscope

#endif  // HWY_ONCE
