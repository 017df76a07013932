#include "engine/operations/smoothing/median_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/smoothing/median_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#undef WARPSCOPE_UNROLL
#define WARPSCOPE_UNROLL _Pragma("GCC unroll 8")

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
void networkRow(const T* const* rows, int radius, int samples, int channels, T*, T* out) {
    const auto at = [&](int i, int k) {
        while (k < 0) k += channels;
        while (k >= samples) k -= channels;
        return rows[i][k];
    };
    for (int k = 0; k < samples; ++k)
        out[k] = channels == 4 && k % 4 == 3 ? rows[radius][k]
                                             : medianOfSquare<T>(radius, channels, k, at);
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

template <class V>
HWY_ATTR HWY_INLINE void sort(V& low, V& high) {
    const V smaller = hn::Min(low, high);
    high = hn::Max(low, high);
    low = smaller;
}

// Sorts the columns of 3 or 5 rows; row i of the result has the i-th smallest.
template <class V>
HWY_ATTR HWY_INLINE void sortColumn(V (&v)[3]) {
    sort(v[0], v[1]);
    sort(v[1], v[2]);
    sort(v[0], v[1]);
}
template <class V>
HWY_ATTR HWY_INLINE void sortColumn(V (&v)[5]) {
    sort(v[0], v[1]);
    sort(v[3], v[4]);
    sort(v[2], v[4]);
    sort(v[2], v[3]);
    sort(v[0], v[3]);
    sort(v[0], v[2]);
    sort(v[1], v[4]);
    sort(v[1], v[3]);
    sort(v[1], v[2]);
}

// Results of partial sorts of five: those of rank 2, 3 and 4 of 1 to 5.
template <class V>
struct Three {
    V low, middle, high;
};

template <class V>
HWY_ATTR HWY_INLINE Three<V> middleThree(V a, V b, V c, V d, V e) {
    sort(a, b);
    sort(c, d);
    const V least = hn::Min(a, c);
    const V most = hn::Max(b, d);
    V low = hn::Max(a, c);
    V high = hn::Min(b, d);
    sort(low, high);
    return {hn::Min(low, hn::Max(least, e)), hn::Max(low, hn::Min(high, e)),
            hn::Max(high, hn::Min(most, e))};
}

template <class V>
HWY_ATTR HWY_INLINE Three<V> highestThree(V a, V b, V c, V d, V e) {
    sort(a, b);
    sort(c, d);
    V most = hn::Max(b, d);
    V low = hn::Max(a, c);
    V high = hn::Min(b, d);
    sort(low, high);
    // e pushes the lowest of three out.
    sort(e, most);
    sort(e, high);
    return {hn::Max(low, e), high, most};
}

template <class V>
HWY_ATTR HWY_INLINE Three<V> lowestThree(V a, V b, V c, V d, V e) {
    sort(a, b);
    sort(c, d);
    V least = hn::Min(a, c);
    V low = hn::Max(a, c);
    V high = hn::Min(b, d);
    sort(low, high);
    sort(least, e);
    sort(low, e);
    return {least, low, hn::Min(high, e)};
}

// The two highest and the two lowest of five, in rising order.
template <class V>
struct Two {
    V low, high;
};

template <class V>
HWY_ATTR HWY_INLINE Two<V> highestTwo(V a, V b, V c, V d, V e) {
    sort(a, b);
    sort(c, d);
    V most = hn::Max(b, d);
    const V next = hn::Max(hn::Min(b, d), hn::Max(a, c));
    sort(e, most);
    return {hn::Max(next, e), most};
}

template <class V>
HWY_ATTR HWY_INLINE Two<V> lowestTwo(V a, V b, V c, V d, V e) {
    sort(a, b);
    sort(c, d);
    V least = hn::Min(a, c);
    const V next = hn::Min(hn::Max(a, c), hn::Min(b, d));
    sort(least, e);
    return {least, hn::Min(next, e)};
}

// Medians of squares whose columns are sorted: rank i of the columns of a square is a row of three
// or five neighbours. `load(i, j)` gives rank i, j columns to the right.
template <class V, class Load>
HWY_ATTR HWY_INLINE V medianOf9(const Load& load) {
    const V low = hn::Max(hn::Max(load(0, -1), load(0, 0)), load(0, 1));
    const V high = hn::Min(hn::Min(load(2, -1), load(2, 0)), load(2, 1));
    V a = load(1, -1), b = load(1, 1);
    sort(a, b);
    const V middle = hn::Max(a, hn::Min(b, load(1, 0)));
    const V bound = hn::Max(low, high);
    return hn::Max(hn::Min(low, high), hn::Min(bound, middle));
}

// After sorting the rows too, an element with (i + 1)(j + 1) - 1 or more elements surely below it
// and (5 - i)(5 - j) - 1 surely above it can be the median only if neither exceeds 12: thirteen
// are left, on three antidiagonals. Of the lower one (4 elements) only the largest can be the
// median: each of the others is below 7 or more; of the upper one only the smallest. That leaves
// the fourth smallest of seven.
template <class V, class Load>
HWY_ATTR HWY_INLINE V medianOf25(const Load& load) {
    const auto a = highestTwo<V>(load(0, -2), load(0, -1), load(0, 1), load(0, 2), load(0, 0));
    const auto b = highestThree<V>(load(1, -2), load(1, -1), load(1, 1), load(1, 2), load(1, 0));
    V lower = hn::Max(a.low, b.low);
    V upper = b.high;
    const auto c = middleThree<V>(load(2, -2), load(2, -1), load(2, 1), load(2, 2), load(2, 0));
    lower = hn::Max(lower, c.low);
    upper = hn::Min(upper, c.high);
    const auto d = lowestThree<V>(load(3, -2), load(3, -1), load(3, 1), load(3, 2), load(3, 0));
    lower = hn::Max(lower, d.low);
    upper = hn::Min(upper, d.high);
    const auto e = lowestTwo<V>(load(4, -2), load(4, -1), load(4, 1), load(4, 2), load(4, 0));
    upper = hn::Min(upper, e.high);
    const auto diagonal = middleThree<V>(a.high, b.middle, c.middle, d.middle, e.low);
    sort(lower, upper);
    return hn::Min(hn::Min(diagonal.high, hn::Max(diagonal.middle, lower)),
                   hn::Max(diagonal.low, upper));
}

template <int kRadius, class T>
HWY_ATTR void fixedRow(const T* const* rows, int samples, int channels, T* ranks, T* out) {
    constexpr int kSide = 2 * kRadius + 1;
    const hn::ScalableTag<T> d;
    using V = hn::Vec<decltype(d)>;
    const int lanes = int(hn::Lanes(d));
    const std::ptrdiff_t pitch = medianPitch(samples);
    T* first = ranks + kMedianPadding;
    for (int k = 0; k < samples; k += lanes) {
        V column[kSide];
        WARPSCOPE_UNROLL
        for (int i = 0; i < kSide; ++i) column[i] = hn::LoadU(d, rows[i] + k);
        sortColumn(column);
        WARPSCOPE_UNROLL
        for (int i = 0; i < kSide; ++i) hn::StoreU(column[i], d, first + i * pitch + k);
    }
    for (int i = 0; i < kSide; ++i) {
        T* rank = first + i * pitch;
        for (int k = 1; k <= kRadius * channels; ++k)
            rank[-k] = rank[channels - 1 - (k - 1) % channels];
        for (int k = 0; k < kRadius * channels; ++k)
            rank[samples + k] = rank[samples + k - channels];
    }
    // The lanes that are taken as they are: alpha.
    alignas(64) T keep[hn::MaxLanes(d)];
    for (int i = 0; i < lanes; ++i) keep[i] = channels == 4 && i % 4 == 3 ? T(~T{0}) : T{0};
    const auto alpha = hn::MaskFromVec(hn::Load(d, keep));
    for (int k = 0; k < samples; k += lanes) {
        const auto load = [&](int i, int j) HWY_ATTR {
            return hn::LoadU(d, first + i * pitch + k + j * channels);
        };
        V median;
        if constexpr (kRadius == 1)
            median = medianOf9<V>(load);
        else
            median = medianOf25<V>(load);
        hn::StoreU(hn::IfThenElse(alpha, hn::LoadU(d, rows[kRadius] + k), median), d, out + k);
    }
}

template <class T>
HWY_ATTR void networkRow(const T* const* rows, int radius, int samples, int channels, T* ranks,
                         T* out) {
    if (radius == 1)
        fixedRow<1>(rows, samples, channels, ranks, out);
    else
        fixedRow<2>(rows, samples, channels, ranks, out);
}

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

void network8(const std::uint8_t* const* rows, int radius, int samples, int channels,
              std::uint8_t* ranks, std::uint8_t* out) {
    networkRow(rows, radius, samples, channels, ranks, out);
}
void network16(const std::uint16_t* const* rows, int radius, int samples, int channels,
               std::uint16_t* ranks, std::uint16_t* out) {
    networkRow(rows, radius, samples, channels, ranks, out);
}
void network32(const std::int32_t* const* rows, int radius, int samples, int channels,
               std::int32_t* ranks, std::int32_t* out) {
    networkRow(rows, radius, samples, channels, ranks, out);
}
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

HWY_EXPORT(network8);
HWY_EXPORT(network16);
HWY_EXPORT(network32);
HWY_EXPORT(select16);
HWY_EXPORT(select32);
HWY_EXPORT(slide8);

void medianRow(const std::uint8_t* const* rows, int radius, int samples, int channels,
               std::uint8_t* ranks, std::uint8_t* out) {
    HWY_DYNAMIC_DISPATCH(network8)(rows, radius, samples, channels, ranks, out);
}

void medianRow(const std::uint16_t* const* rows, int radius, int samples, int channels,
               std::uint16_t* ranks, std::uint16_t* out) {
    HWY_DYNAMIC_DISPATCH(network16)(rows, radius, samples, channels, ranks, out);
}

void medianRow(const std::int32_t* const* rows, int radius, int samples, int channels,
               std::int32_t* ranks, std::int32_t* out) {
    HWY_DYNAMIC_DISPATCH(network32)(rows, radius, samples, channels, ranks, out);
}

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
