#include "engine/operations/smoothing/median_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/smoothing/median_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <limits>
#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

// Without vectors: the middle of the sorted square. `at(i, k)` is sample k of row i.
template <class T, class At>
T medianOfSquare(int radius, int channels, int k, const At& at) {
    T square[15 * 15];
    int n = 0;
    for (int i = 0; i <= 2 * radius; ++i)
        for (int j = -radius; j <= radius; ++j) square[n++] = at(i, k + j * channels);
    std::nth_element(square, square + n / 2, square + n);
    return square[n / 2];
}

template <class T>
void selectRow(const T* const* rows, int radius, int samples, int channels, T* out) {
    const auto at = [&](int i, int k) { return rows[i][k]; };
    for (int k = 0; k < samples; ++k) out[k] = medianOfSquare<T>(radius, channels, k, at);
}

void slide8(const std::uint8_t* fine, const std::uint8_t*, int radius, int count, std::uint8_t* out,
            int stride) {
    const int side = 2 * radius + 1;
    int bins[256] = {};
    for (int x = 0; x < side - 1; ++x)
        for (int v = 0; v < 256; ++v) bins[v] += fine[256 * x + v];
    for (int x = 0; x < count; ++x) {
        const std::uint8_t* entering = fine + 256 * std::ptrdiff_t(x + side - 1);
        const std::uint8_t* leaving = fine + 256 * std::ptrdiff_t(x);
        int seen = 0, level = -1;
        for (int v = 0; v < 256; ++v) {
            bins[v] += entering[v];
            seen += bins[v];
            if (level < 0 && seen > side * side / 2) level = v;
            bins[v] -= leaving[v];
        }
        out[std::ptrdiff_t(x) * stride] = std::uint8_t(level);
    }
}

#else

// The median is the largest value with no more than half of the square below it: found from the
// highest bit down that not all samples of the squares at hand share. The highest bit of signed
// values counts the other way round: without shared bits `found` begins with the least value.
template <class T>
HWY_ATTR void selectRow(const T* const* rows, int radius, int samples, int channels, T* out) {
    const hn::ScalableTag<T> d;
    const int lanes = int(hn::Lanes(d));
    const int side = 2 * radius + 1;
    const auto half = hn::Set(d, T(side * side / 2));
    using Bits = std::make_unsigned_t<T>;
    constexpr int kBits = 8 * int(sizeof(T));
    const auto bitOf = [&](int bit) HWY_ATTR { return hn::Set(d, T(Bits{1} << bit)); };
    for (int k = 0; k < samples; k += lanes) {
        auto least = hn::LoadU(d, rows[0] + k);
        auto most = least;
        for (int i = 0; i < side; ++i)
            for (int j = -radius; j <= radius; ++j) {
                const auto v = hn::LoadU(d, rows[i] + k + j * channels);
                least = hn::Min(least, v);
                most = hn::Max(most, v);
            }
        const auto differing = hn::Xor(least, most);
        int highest = kBits - 1;
        while (highest >= 0 &&
               hn::AllTrue(d, hn::Eq(hn::And(differing, bitOf(highest)), hn::Zero(d))))
            --highest;
        const auto shared = hn::Set(d, T(highest + 1 < kBits ? ~Bits{0} << (highest + 1) : 0));
        auto found = highest == kBits - 1 ? hn::Set(d, std::numeric_limits<T>::min())
                                          : hn::And(least, shared);
        for (int bit = highest; bit >= 0; --bit) {
            const auto candidate = hn::Xor(found, bitOf(bit));
            auto below = hn::Zero(d);
            for (int i = 0; i < side; ++i)
                for (int j = -radius; j <= radius; ++j) {
                    const auto v = hn::LoadU(d, rows[i] + k + j * channels);
                    below = hn::Sub(below, hn::VecFromMask(d, hn::Lt(v, candidate)));
                }
            found = hn::IfThenElse(hn::Gt(below, half), found, candidate);
        }
        hn::StoreU(found, d, out + k);
    }
}

// Counts of a square stay below 256: sums of bins and their running sums are bytes.
HWY_ATTR void slide8(const std::uint8_t* fine, const std::uint8_t* coarse, int radius, int count,
                     std::uint8_t* out, int stride) {
    const hn::ScalableTag<std::uint8_t> d;
    const hn::CappedTag<std::uint8_t, 16> d16;
    const int lanes = int(hn::Lanes(d));
    const int side = 2 * radius + 1;
    alignas(64) std::uint8_t bins[256] = {};
    auto coarseBins = hn::Zero(d16);
    for (int x = 0; x < side - 1; ++x) {
        for (int i = 0; i < 256; i += lanes)
            hn::Store(hn::Add(hn::Load(d, bins + i), hn::Load(d, fine + 256 * x + i)), d, bins + i);
        coarseBins = hn::Add(coarseBins, hn::Load(d16, coarse + 16 * x));
    }
    const auto more = hn::Set(d16, std::uint8_t(side * side / 2 + 1));
    const auto running = [&](auto v) HWY_ATTR {
        v = hn::Add(v, hn::ShiftLeftLanes<1>(d16, v));
        v = hn::Add(v, hn::ShiftLeftLanes<2>(d16, v));
        v = hn::Add(v, hn::ShiftLeftLanes<4>(d16, v));
        return hn::Add(v, hn::ShiftLeftLanes<8>(d16, v));
    };
    alignas(16) std::uint8_t before[32] = {};  // byte 16 + i: how many lie in coarse bins up to i
    for (int x = 0; x < count; ++x) {
        const std::ptrdiff_t enter = x + side - 1;
        coarseBins = hn::Add(coarseBins, hn::Load(d16, coarse + 16 * enter));
        const auto coarseRunning = running(coarseBins);
        coarseBins = hn::Sub(coarseBins, hn::Load(d16, coarse + 16 * std::ptrdiff_t(x)));
        const std::size_t bin = hn::CountTrue(d16, hn::Lt(coarseRunning, more));
        hn::Store(coarseRunning, d16, before + 16);
        const auto base = hn::Set(d16, before[15 + bin]);

        if (x > 0) {
            for (int i = 0; i < 256; i += lanes) {
                const auto in = hn::Load(d, fine + 256 * enter + i);
                const auto left = hn::Load(d, fine + 256 * std::ptrdiff_t(x - 1) + i);
                hn::Store(hn::Add(hn::Load(d, bins + i), hn::Sub(in, left)), d, bins + i);
            }
        } else {
            for (int i = 0; i < 256; i += lanes)
                hn::Store(hn::Add(hn::Load(d, bins + i), hn::Load(d, fine + 256 * enter + i)), d,
                          bins + i);
        }
        const auto fineRunning = hn::Add(base, running(hn::Load(d16, bins + 16 * bin)));
        out[std::ptrdiff_t(x) * stride] =
            std::uint8_t(16 * bin + hn::CountTrue(d16, hn::Lt(fineRunning, more)));
    }
}

#endif

void select16(const std::uint16_t* const* rows, int radius, int samples, int channels,
              std::uint16_t* out) {
    selectRow(rows, radius, samples, channels, out);
}
void select32(const std::int32_t* const* rows, int radius, int samples, int channels,
              std::int32_t* out) {
    selectRow(rows, radius, samples, channels, out);
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace warpscope {

HWY_EXPORT(select16);
HWY_EXPORT(select32);
HWY_EXPORT(slide8);

std::ptrdiff_t medianPitch(int samples) {
    return (std::ptrdiff_t(samples) + 3 * kMedianPadding) / 64 * 64 + 64;
}

void selectMedian(const std::uint16_t* const* rows, int radius, int samples, int channels,
                  std::uint16_t* out) {
    HWY_DYNAMIC_DISPATCH(select16)(rows, radius, samples, channels, out);
}

void selectMedian(const std::int32_t* const* rows, int radius, int samples, int channels,
                  std::int32_t* out) {
    HWY_DYNAMIC_DISPATCH(select32)(rows, radius, samples, channels, out);
}

void slideHistograms(const std::uint8_t* fine, const std::uint8_t* coarse, int radius, int count,
                     std::uint8_t* out, int stride) {
    HWY_DYNAMIC_DISPATCH(slide8)(fine, coarse, radius, count, out, stride);
}

}  // namespace warpscope

#endif  // HWY_ONCE
