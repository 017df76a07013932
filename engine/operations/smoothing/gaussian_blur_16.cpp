// The rows of gaussian_blur for 16-bit samples. All sums fit 32 bits: a row sum is below 65,536 x
// 65,535 + 128, and column sums of 24-bit values are taken in two parts, the low eight bits apart.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/smoothing/gaussian_blur_16.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include "engine/operations/smoothing/gaussian_blur_rows.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<std::uint32_t, 16>;
using V = hn::Vec<D>;

// kVectors vectors of outputs; samples at equal distance have equal weights and are added first.
template <int kVectors>
HWY_ATTR HWY_INLINE void rowBlock16(const std::uint32_t* padded, const std::uint32_t* taps,
                                    int radius, std::uint32_t* out) {
    const D d;
    const int lanes = int(hn::Lanes(d));
    V sum[kVectors];
    const V centre = hn::Set(d, taps[radius]);
    _Pragma("GCC unroll 4") for (int v = 0; v < kVectors; ++v) sum[v] =
        hn::Add(hn::Set(d, 128u), hn::Mul(centre, hn::LoadU(d, padded + radius + v * lanes)));
    for (int i = 0; i < radius; ++i) {
        const V tap = hn::Set(d, taps[i]);
        _Pragma("GCC unroll 4") for (int v = 0; v < kVectors; ++v) {
            const std::uint32_t* at = padded + v * lanes;
            const V both = hn::Add(hn::LoadU(d, at + i), hn::LoadU(d, at + 2 * radius - i));
            sum[v] = hn::Add(sum[v], hn::Mul(tap, both));
        }
    }
    _Pragma("GCC unroll 4") for (int v = 0; v < kVectors; ++v)
        hn::StoreU(hn::ShiftRight<8>(sum[v]), d, out + v * lanes);
}

HWY_ATTR void row16(const std::uint32_t* padded, const std::uint32_t* taps, int radius,
                    std::uint32_t* out, int count) {
    const int step = 4 * int(hn::Lanes(D()));
    for (int x = 0; x < count; x += step) rowBlock16<4>(padded + x, taps, radius, out + x);
}

HWY_ATTR void column16(const std::uint32_t* const* rows, const std::uint32_t* taps, int radius,
                       int count, std::uint16_t* out) {
    const D d;
    const hn::Rebind<std::uint16_t, D> d16;
    const hn::Rebind<std::int32_t, D> di;
    const int lanes = int(hn::Lanes(d));
    const V lowBits = hn::Set(d, 255u);
    constexpr int kVectors = 2;
    for (int x = 0; x < count; x += kVectors * lanes) {
        V high[kVectors], low[kVectors];
        for (int v = 0; v < kVectors; ++v) {
            high[v] = hn::Zero(d);
            low[v] = hn::Set(d, 1u << 23);
        }
        const auto add = [&](int v, V tap, V value) HWY_ATTR {
            high[v] = hn::Add(high[v], hn::Mul(tap, hn::ShiftRight<8>(value)));
            low[v] = hn::Add(low[v], hn::Mul(tap, hn::And(value, lowBits)));
        };
        for (int i = 0; i < radius; ++i) {
            const V tap = hn::Set(d, taps[i]);
            _Pragma("GCC unroll 2") for (int v = 0; v < kVectors; ++v) {
                const int at = x + v * lanes;
                add(v, tap,
                    hn::Add(hn::LoadU(d, rows[i] + at), hn::LoadU(d, rows[2 * radius - i] + at)));
            }
        }
        const V centre = hn::Set(d, taps[radius]);
        _Pragma("GCC unroll 2") for (int v = 0; v < kVectors; ++v) {
            const int at = x + v * lanes;
            add(v, centre, hn::LoadU(d, rows[radius] + at));
            const V sum = hn::Add(high[v], hn::ShiftRight<8>(low[v]));
            hn::StoreU(hn::DemoteTo(d16, hn::BitCast(di, hn::ShiftRight<16>(sum))), d16, out + at);
        }
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace warpscope {

HWY_EXPORT(row16);
HWY_EXPORT(column16);

void gaussianSpread(const std::uint16_t* row, int width, int channels, int radius,
                    std::uint32_t* planes, std::ptrdiff_t planeLength) {
    for (int c = 0; c < (channels == 1 ? 1 : 3); ++c) {
        std::uint32_t* const start = planes + c * planeLength + radius;
        for (int x = 0; x < width; ++x) start[x] = row[std::ptrdiff_t(x) * channels + c];
        std::fill_n(start - radius, radius, start[0]);
        std::fill(start + width, planes + (c + 1) * planeLength, start[width - 1]);
    }
}

void gaussianRow(const std::uint32_t* padded, const GaussianWeights& weights, std::uint32_t* out,
                 int count) {
    HWY_DYNAMIC_DISPATCH(row16)(padded, weights.taps.data(), weights.count / 2, out, count);
}

void gaussianColumns(const std::uint32_t* const* rows, const GaussianWeights& weights, int count,
                     std::uint16_t* const* out) {
    for (int k = 0; k < kGaussianRowsAtOnce; ++k) HWY_DYNAMIC_DISPATCH(column16)
    (rows + k, weights.taps.data(), weights.count / 2, count, out[k]);
}

void gaussianMerge(const std::uint16_t* red, const std::uint16_t* green, const std::uint16_t* blue,
                   const std::uint16_t* source, std::uint16_t* out, int width) {
    for (int x = 0; x < width; ++x, source += 4, out += 4) {
        out[0] = red[x];
        out[1] = green[x];
        out[2] = blue[x];
        out[3] = source[3];
    }
}

}  // namespace warpscope

#endif  // HWY_ONCE
