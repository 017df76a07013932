#include <algorithm>
#include <cstddef>

#include "engine/operations/geometry/resize_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/geometry/resize_rows_float.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "engine/operations/vector_loops.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

int resizeLanes() {
    return 0;
}
void resizeAcrossGray(const ResizeLanes&, const float* const*, float* const*) {}
void resizeAcrossColour(const ResizeAxis&, const float* const*, float* const*) {}
void resizeAcrossApart(const ResizeAxis&, const float* const*, float* const*) {}
void resizeDownFloat(const double*, const float* const*, int, int, float*) {}

#else

using DD = hn::ScalableTag<double>;
static_assert(!HWY_HAVE_SCALABLE, "vectors have as many lanes as their types say");

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

// Pixels of four rows by columns: in `to` the first four of each 128 bits of a row, then the
// second.
template <class D>
HWY_ATTR HWY_INLINE void turnFour(D d, const hn::Vec<D> (&row)[4], float* to) {
    const hn::Repartition<double, D> pairs;
    const auto ab = hn::BitCast(pairs, hn::InterleaveLower(d, row[0], row[1]));
    const auto ce = hn::BitCast(pairs, hn::InterleaveLower(d, row[2], row[3]));
    const auto ab2 = hn::BitCast(pairs, hn::InterleaveUpper(d, row[0], row[1]));
    const auto ce2 = hn::BitCast(pairs, hn::InterleaveUpper(d, row[2], row[3]));
    const int lanes = int(hn::Lanes(d));
    hn::Store(hn::BitCast(d, hn::InterleaveLower(pairs, ab, ce)), d, to);
    hn::Store(hn::BitCast(d, hn::InterleaveUpper(pairs, ab, ce)), d, to + lanes);
    hn::Store(hn::BitCast(d, hn::InterleaveLower(pairs, ab2, ce2)), d, to + 2 * lanes);
    hn::Store(hn::BitCast(d, hn::InterleaveUpper(pairs, ab2, ce2)), d, to + 3 * lanes);
}

// The first two of them alone.
template <class D>
HWY_ATTR HWY_INLINE void turnTwo(D d, const hn::Vec<D> (&row)[4], float* to) {
    const hn::Repartition<double, D> pairs;
    const auto ab = hn::BitCast(pairs, hn::InterleaveLower(d, row[0], row[1]));
    const auto ce = hn::BitCast(pairs, hn::InterleaveLower(d, row[2], row[3]));
    hn::Store(hn::BitCast(d, hn::InterleaveLower(pairs, ab, ce)), d, to);
    hn::Store(hn::BitCast(d, hn::InterleaveUpper(pairs, ab, ce)), d, to + hn::Lanes(d));
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
    const hn::CappedTag<float, 8> d8;
    constexpr int kWide = int(hn::MaxLanes(hn::CappedTag<float, 8>()));
    HWY_ALIGN float taps[32];
    HWY_ALIGN float made[16];
    // The same, unknown to the compiler: one that knew would keep them in registers, where widening
    // takes a shuffle. A load does it in passing.
    const float* turnedTaps = taps;
    __asm__("" : "+r"(turnedTaps));
    // Stores of vectors might change anything that is not local.
    const float* const row[] = {from[0], from[1], from[2], from[3]};
    float* const out[] = {to[0], to[1], to[2], to[3]};
    const double* const realWeights = axis.realWeights.data();
    const std::int32_t *const first = axis.first.data(), *const begin = axis.begin.data(),
                              *const counts = axis.count.data();
    const std::size_t pixels = axis.first.size();
    for (std::size_t x = 0; x < pixels; ++x) {
        const double* weights = realWeights + begin[x];
        hn::Vec<decltype(d)> sums[kParts];
        for (auto& sum : sums) sum = hn::Zero(d);
        // Of the four values at `place` of `taps`.
        const auto add = [&](int tap, int place) HWY_ATTR {
            for (int part = 0; part < kParts; ++part)
                sums[part] = hn::Add(sums[part],
                                     hn::Mul(hn::Set(d, weights[tap]),
                                             hn::PromoteTo(d, hn::Load(df, turnedTaps + 4 * place +
                                                                               part * kLanes))));
        };
        const auto load = [&](auto dv, int tap, bool two) HWY_ATTR {
            const std::ptrdiff_t at = first[x] + tap;
            const hn::Vec<decltype(dv)> four[] = {
                hn::LoadU(dv, row[0] + at), hn::LoadU(dv, row[1] + at), hn::LoadU(dv, row[2] + at),
                hn::LoadU(dv, row[3] + at)};
            two ? turnTwo(dv, four, taps) : turnFour(dv, four, taps);
        };
        const int count = counts[x];
        int tap = 0;
        if constexpr (kWide == 8)
            for (; tap + 8 <= count; tap += 8) {
                load(d8, tap, false);
                WARPSCOPE_UNROLL
                for (int i = 0; i < 8; ++i) add(tap + i, i % 4 * 2 + i / 4);
            }
        for (; tap < count; tap += 4) {
            load(d4, tap, count - tap <= 2);
            WARPSCOPE_UNROLL
            for (int i = 0; i < 4; ++i)
                if (tap + i < count) add(tap + i, i);
        }
        float* const column = made + 4 * (x % 4);
        for (int part = 0; part < kParts; ++part)
            hn::Store(hn::DemoteTo(df, sums[part]), df, column + part * kLanes);
        if (x % 4 < 3 && x + 1 < pixels) continue;
        // Rows have room for four.
        HWY_ALIGN float turned[16];
        turnFour(d4,
                 {hn::Load(d4, made), hn::Load(d4, made + 4), hn::Load(d4, made + 8),
                  hn::Load(d4, made + 12)},
                 turned);
        WARPSCOPE_UNROLL
        for (int i = 0; i < kResizeRows; ++i)
            hn::StoreU(hn::Load(d4, turned + 4 * i), d4, out[i] + x / 4 * 4);
    }
}

// All rows at a time: their sums do not wait for each other.
HWY_ATTR void resizeAcrossColour(const ResizeAxis& axis, const float* const* from,
                                 float* const* to) {
    const hn::CappedTag<double, 4> d;
    const hn::Rebind<float, decltype(d)> df;
    constexpr int kLanes = int(hn::MaxLanes(hn::CappedTag<double, 4>()));
    constexpr int kParts = 4 / kLanes;
    const float* const rows[] = {from[0], from[1], from[2], from[3]};
    float* const out[] = {to[0], to[1], to[2], to[3]};
    for (std::size_t x = 0; x < axis.first.size(); ++x) {
        const std::ptrdiff_t at = std::ptrdiff_t(axis.first[x]) * 4;
        const double* weights = axis.realWeights.data() + axis.begin[x];
        const int count = axis.count[x];
        hn::Vec<decltype(d)> sums[kResizeRows][kParts];
        for (auto& row : sums)
            for (auto& sum : row) sum = hn::Zero(d);
        for (int tap = 0; tap < count; ++tap) {
            const auto weight = hn::Set(d, weights[tap]);
            WARPSCOPE_UNROLL
            for (int i = 0; i < kResizeRows; ++i) WARPSCOPE_UNROLL
            for (int part = 0; part < kParts; ++part) {
                const float* taps = rows[i] + at + 4 * std::ptrdiff_t(tap) + part * kLanes;
                sums[i][part] =
                    hn::Add(sums[i][part], hn::Mul(weight, hn::PromoteTo(d, hn::LoadU(df, taps))));
            }
        }
        WARPSCOPE_UNROLL
        for (int i = 0; i < kResizeRows; ++i) WARPSCOPE_UNROLL
        for (int part = 0; part < kParts; ++part)
            hn::StoreU(hn::DemoteTo(df, sums[i][part]), df, out[i] + 4 * x + part * kLanes);
    }
}

constexpr int kDownVectors = 4;

HWY_ATTR void resizeDownFloat(const double* weights, const float* const* rows, int count,
                              int samples, float* to) {
    const DD d;
    const hn::Rebind<float, DD> df;
    const int lanes = int(hn::Lanes(d));
    int x = 0;
    // Several at a time: their sums do not wait for each other.
    for (; x + kDownVectors * lanes <= samples; x += kDownVectors * lanes) {
        hn::Vec<DD> sums[kDownVectors];
        for (auto& sum : sums) sum = hn::Zero(d);
        for (int tap = 0; tap < count; ++tap) {
            const auto weight = hn::Set(d, weights[tap]);
            const float* const row = rows[tap] + x;
            WARPSCOPE_UNROLL
            for (int i = 0; i < kDownVectors; ++i)
                sums[i] = hn::Add(
                    sums[i], hn::Mul(weight, hn::PromoteTo(d, hn::LoadU(df, row + i * lanes))));
        }
        WARPSCOPE_UNROLL
        for (int i = 0; i < kDownVectors; ++i)
            hn::StoreU(hn::DemoteTo(df, sums[i]), df, to + x + i * lanes);
    }
    HWY_ALIGN float last[hn::MaxLanes(d)];
    for (; x < samples; x += lanes) {
        auto sum = hn::Zero(d);
        for (int tap = 0; tap < count; ++tap)
            sum = hn::Add(sum, hn::Mul(hn::Set(d, weights[tap]),
                                       hn::PromoteTo(d, hn::LoadU(df, rows[tap] + x))));
        hn::StoreU(hn::DemoteTo(df, sum), df, last);
        std::copy_n(last, std::min(lanes, samples - x), to + x);
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

void resizeAcross(const ResizeAxis& axis, int channels, const float* const* from,
                  float* const* to) {
    channels == 4 ? HWY_DYNAMIC_DISPATCH(resizeAcrossColour)(axis, from, to)
                  : HWY_DYNAMIC_DISPATCH(resizeAcrossApart)(axis, from, to);
}

void resizeDown(const double* weights, const float* const* rows, int count, int samples,
                float* to) {
    HWY_DYNAMIC_DISPATCH(resizeDownFloat)(weights, rows, count, samples, to);
}

}  // namespace warpscope

#endif  // HWY_ONCE
