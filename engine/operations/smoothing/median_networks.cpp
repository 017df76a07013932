#include "engine/operations/smoothing/median_networks.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/smoothing/median_networks.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

#include "engine/operations/smoothing/median_steps-inl.h"
#include "engine/operations/stream_store-inl.h"
#include "engine/operations/vector_loops.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class V>
HWY_ATTR HWY_INLINE void exchange(V& low, V& high) {
    exchange<median::Needed::Both>(low, high);
}

// 3 x 3. The three neighbours in each row are sorted once for all squares that the row is part of.
// The median of a square is that of the largest of the lows, the middle of the middles and the
// smallest of the highs; two squares, one above the other, share two rows.
template <class V>
struct SortedThree {
    V low, middle, high;
};

template <class D, class V, class T>
HWY_ATTR HWY_INLINE SortedThree<V> sortNeighbours(D d, const T* at, int channels, V own) {
    V a = hn::LoadU(d, at - channels);
    V b = hn::LoadU(d, at + channels);
    exchange(a, b);
    const V c = hn::Max(a, own);
    return {hn::Min(a, own), hn::Min(b, c), hn::Max(b, c)};
}

template <class V>
HWY_ATTR HWY_INLINE V middleOf(V low, V high, V other) {
    return hn::Max(low, hn::Min(high, other));
}

template <class V>
HWY_ATTR HWY_INLINE V medianOfThree(V a, V b, V c) {
    exchange(a, c);
    return middleOf(a, c, b);
}

// One vector of each output row; rows[i] is where its centre lies. `Mask` says which lanes stay as
// they are.
template <bool kAlpha, class D, class M, class T>
HWY_ATTR HWY_INLINE void block3(D d, M alpha, const T* const* rows, int channels, T* const* out,
                                std::ptrdiff_t at, bool stream) {
    using V = hn::Vec<D>;
    SortedThree<V> row[kMedian3Rows + 2];
    V own[kMedian3Rows + 2];
    WARPSCOPE_UNROLL
    for (int i = 0; i < kMedian3Rows + 2; ++i) {
        own[i] = hn::LoadU(d, rows[i]);
        row[i] = sortNeighbours(d, rows[i], channels, own[i]);
    }
    const auto store = [&](int i, V low, V middle, V high) HWY_ATTR {
        V median = medianOfThree(low, middle, high);
        if constexpr (kAlpha) median = hn::IfThenElse(alpha, own[i + 1], median);
        put(median, d, out[i] + at, stream);
    };
    WARPSCOPE_UNROLL
    for (int i = 0; i < kMedian3Rows; i += 2) {
        const V low = hn::Max(row[i + 1].low, row[i + 2].low);
        const V high = hn::Min(row[i + 1].high, row[i + 2].high);
        V less = row[i + 1].middle, more = row[i + 2].middle;
        exchange(less, more);
        const SortedThree<V>& above = row[i];
        const SortedThree<V>& below = row[i + 3];
        store(i, hn::Max(low, above.low), middleOf(less, more, above.middle),
              hn::Min(high, above.high));
        store(i + 1, hn::Max(low, below.low), middleOf(less, more, below.middle),
              hn::Min(high, below.high));
    }
}

template <bool kAlpha, class T>
HWY_ATTR void rowsOf3(const T* const* rows, int samples, int channels, const RowsAhead& ahead,
                      T* const* out, bool stream) {
    const hn::ScalableTag<T> d;
    const int lanes = int(hn::Lanes(d));
    // The lanes that are taken as they are: alpha.
    alignas(64) T keep[hn::MaxLanes(d)];
    for (int i = 0; i < lanes; ++i) keep[i] = kAlpha && i % 4 == 3 ? T(~T{0}) : T{0};
    const auto alpha = hn::MaskFromVec(hn::Load(d, keep));
    // Where the border is near: a copy with the edge pixel repeated.
    constexpr int kBeside = 64;
    alignas(64) T padded[kMedian3Rows + 2][kBeside + hn::MaxLanes(d) + kBeside] = {};
    const T* at[kMedian3Rows + 2];
    constexpr std::ptrdiff_t kBytes = sizeof(T);
    for (int k = 0; k < samples; k += lanes) {
        if (lanes * kBytes >= 32) ahead.fetch(k * kBytes, lanes * kBytes);
        if (k >= channels && k + lanes + channels <= samples) {
            WARPSCOPE_UNROLL
            for (int i = 0; i < kMedian3Rows + 2; ++i) at[i] = rows[i] + k;
        } else {
            // The last vector is made whole by samples that are there already.
            if (lanes >= channels && samples > lanes) k = std::min(k, samples - lanes);
            const int n = std::min(lanes, samples - k);
            for (int i = 0; i < kMedian3Rows + 2; ++i) {
                T* const copy = padded[i] + kBeside;
                if (n == lanes)
                    hn::StoreU(hn::LoadU(d, rows[i] + k), d, copy);
                else
                    std::copy_n(rows[i] + k, n, copy);
                for (int c = 0; c < channels; ++c) {
                    const int before = k + c - channels, after = k + n + c;
                    copy[c - channels] = rows[i][before < 0 ? before + channels : before];
                    copy[n + c] = rows[i][after < samples ? after : after - channels];
                }
                at[i] = copy;
            }
        }
        // The last vector may lie anywhere.
        block3<kAlpha>(d, alpha, at, channels, out, k, stream && k % lanes == 0);
    }
    if (kAlpha && lanes < channels)
        for (int i = 0; i < kMedian3Rows; ++i)
            for (int k = 3; k < samples; k += 4) out[i][k] = rows[i + 1][k];
}

// 5 x 5. Four squares that make a square of their own, two by two, share the inner 4 x 4 of their
// 6 x 6 pixels. Of these sixteen, sorted, three at both ends cannot be the median of any of them:
// thirteen others lie beyond. To the ten that are left each pair of squares adds a column of four,
// keeps the middle six, and each square its row of five. The even pixels of a row are the left ones
// of the four and the odd ones the right: vectors of halves of rows hold as many fours as lanes.
template <class V, int kCount>
struct Sorted {
    V at[kCount];
};

template <const auto& kNetwork, class V, int kOf, int... kAt>
HWY_ATTR HWY_INLINE auto resultOf(Sorted<V, kOf> wires, std::integer_sequence<int, kAt...>) {
    allSteps<kNetwork>(wires.at);
    return Sorted<V, int(sizeof...(kAt))>{{wires.at[kNetwork.result[kAt]]...}};
}
template <const auto& kNetwork, class V, int kOf>
HWY_ATTR HWY_INLINE auto resultOf(const Sorted<V, kOf>& wires) {
    return resultOf<kNetwork>(wires, std::make_integer_sequence<int, kNetwork.results>());
}

template <class V, int... kA, int... kB>
HWY_ATTR HWY_INLINE auto joined(const Sorted<V, int(sizeof...(kA))>& a,
                                const Sorted<V, int(sizeof...(kB))>& b,
                                std::integer_sequence<int, kA...>,
                                std::integer_sequence<int, kB...>) {
    return Sorted<V, int(sizeof...(kA) + sizeof...(kB))>{{a.at[kA]..., b.at[kB]...}};
}

// Two sorted lists merged; those are kept that can be the median when kOthers more are to come.
template <int kOthers, class V, int kA, int kB>
HWY_ATTR HWY_INLINE auto merged(const Sorted<V, kA>& a, const Sorted<V, kB>& b) {
    return resultOf<median::kMerge<kOthers, kA, kB>>(
        joined(a, b, std::make_integer_sequence<int, kA>(), std::make_integer_sequence<int, kB>()));
}

template <class V>
HWY_ATTR HWY_INLINE Sorted<V, 4> sortFour(V a, V b, V c, V d) {
    return resultOf<median::kSort<4>>(Sorted<V, 4>{{a, b, c, d}});
}

// The sixth of the eleven: between the fifth and the sixth of the ten that are sorted.
template <class V>
HWY_ATTR HWY_INLINE V medianOfEleven(const Sorted<V, 6>& a, const Sorted<V, 4>& b, V other) {
    V low = a.at[0], high = a.at[5];
    WARPSCOPE_UNROLL
    for (int i = 0; i < 4; ++i) {
        // The other steps make one result each, which only minima and maxima do.
        V less = a.at[i + 1], more = b.at[3 - i];
        exchange<median::Needed::Both, true>(less, more);
        low = hn::Max(low, less);
        high = hn::Min(high, more);
    }
    return middleOf(low, high, other);
}

// Samples of each half that are worked on together: their sorted columns stay in the first cache.
template <class T>
inline constexpr int kStrip = 1024 / int(sizeof(T));
// Of the ranks of a strip: a vector before and two after it.
template <class T>
inline constexpr int kRankPitch = kStrip<T> + 3 * 64;
static_assert(16 * kRankPitch<std::uint8_t> <= kMedian5Scratch);

template <class D, class T, int kCount>
HWY_ATTR HWY_INLINE void loadRanks(D d, const T* ranks, Sorted<hn::Vec<D>, kCount>& to) {
    WARPSCOPE_UNROLL
    for (int i = 0; i < kCount; ++i) to.at[i] = hn::LoadU(d, ranks + i * kRankPitch<T>);
}
template <class D, class T, int kCount>
HWY_ATTR HWY_INLINE void storeRanks(D d, const Sorted<hn::Vec<D>, kCount>& from, T* ranks) {
    WARPSCOPE_UNROLL
    for (int i = 0; i < kCount; ++i) hn::StoreU(from.at[i], d, ranks + i * kRankPitch<T>);
}

template <class D, class T>
HWY_ATTR HWY_INLINE void sortColumn(D d, const MedianHalves<const T>* rows,
                                    const T* MedianHalves<const T>::*half, int at, T* ranks) {
    storeRanks(d,
               sortFour(hn::LoadU(d, rows[1].*half + at), hn::LoadU(d, rows[2].*half + at),
                        hn::LoadU(d, rows[3].*half + at), hn::LoadU(d, rows[4].*half + at)),
               ranks);
}

// What the fours of a strip share. Sample 0 of the strip is at `even`, `odd` and `pairs`, the least
// of the ranks: of the four shared rows in the even columns, in the odd ones, and in each even
// column together with the odd one before it.
template <class T>
struct Strip {
    const MedianHalves<const T>* rows;
    int x;
    int channels;
    T* even;
    T* odd;
    T* pairs;
};

template <class D, class T>
HWY_ATTR HWY_INLINE void sortColumns(D d, const Strip<T>& strip, int k) {
    sortColumn(d, strip.rows, &MedianHalves<const T>::even, strip.x + k, strip.even + k);
    sortColumn(d, strip.rows, &MedianHalves<const T>::odd, strip.x + k, strip.odd + k);
}

template <class D, class T>
HWY_ATTR HWY_INLINE void sortPairs(D d, const Strip<T>& strip, int k) {
    Sorted<hn::Vec<D>, 4> left, right;
    loadRanks(d, strip.odd + k - strip.channels, left);
    loadRanks(d, strip.even + k, right);
    storeRanks(d, merged<median::kKeepAll>(left, right), strip.pairs + k);
}

template <class D, class T>
HWY_ATTR HWY_INLINE void mediansOfFours(D d, const Strip<T>& strip, int k,
                                        const MedianHalves<T>* out) {
    using V = hn::Vec<D>;
    const int channels = strip.channels;
    Sorted<V, 8> leftPair, rightPair;
    loadRanks(d, strip.pairs + k, leftPair);
    loadRanks(d, strip.pairs + k + channels, rightPair);
    const auto core = merged<9>(leftPair, rightPair);
    Sorted<V, 4> column;
    loadRanks(d, strip.even + k - channels, column);
    const auto left = merged<5>(core, column);
    loadRanks(d, strip.odd + k + channels, column);
    const auto right = merged<5>(core, column);
    WARPSCOPE_UNROLL
    for (int i = 0; i < kMedian5Rows; ++i) {
        const T* even = strip.rows[5 * i].even + strip.x + k;
        const T* odd = strip.rows[5 * i].odd + strip.x + k;
        const auto four = sortFour<V>(hn::LoadU(d, odd - channels), hn::LoadU(d, even),
                                      hn::LoadU(d, odd), hn::LoadU(d, even + channels));
        hn::StoreU(medianOfEleven(left, four, hn::LoadU(d, even - channels)), d,
                   out[i].even + strip.x + k);
        hn::StoreU(medianOfEleven(right, four, hn::LoadU(d, odd + channels)), d,
                   out[i].odd + strip.x + k);
    }
}

template <class T>
HWY_ATTR void rowsOf5(const MedianHalves<const T>* rows, int width, int channels, T* scratch,
                      const RowsAhead& ahead, const MedianHalves<T>* out) {
    const hn::ScalableTag<T> d;
    const int lanes = int(hn::Lanes(d));
    const int samples = (width + 1) / 2 * channels;
    constexpr std::ptrdiff_t kPairBytes = 2 * sizeof(T);
    // Without vectors a pixel is more than a lane.
    const int reach = std::max(lanes, channels);
    T* const ranks = scratch + kHalfPadding;
    for (int x = 0; x < samples; x += kStrip<T>) {
        const int count = std::min(kStrip<T>, samples - x);
        const Strip<T> strip{
            rows, x, channels, ranks, ranks + 4 * kRankPitch<T>, ranks + 8 * kRankPitch<T>};
        // Some vectors ahead: what has just been stored is slow to load at another place.
        const int pairsAhead = 2 * reach, columnsAhead = 3 * reach;
        const int end = count + reach;
        for (int k = -reach; k < std::min(columnsAhead, end); k += lanes) sortColumns(d, strip, k);
        for (int k = 0; k < pairsAhead; k += lanes) sortPairs(d, strip, k);
        for (int k = 0; k < count; k += lanes) {
            if (k + columnsAhead < end) sortColumns(d, strip, k + columnsAhead);
            if (k + pairsAhead < end) sortPairs(d, strip, k + pairsAhead);
            mediansOfFours(d, strip, k, out);
            // Less than a cache line: not worth while.
            if (lanes * kPairBytes >= 64) ahead.fetch((x + k) * kPairBytes, lanes * kPairBytes);
        }
    }
}

// A pixel as one word, which vectors move; four float samples are moved one by one.
template <class T, int kChannels>
using PixelWord = hwy::UnsignedFromSize<std::min<std::size_t>(8, sizeof(T) * kChannels)>;

template <class T, int kChannels>
HWY_ATTR void split(const T* row, int width, T* even, T* odd) {
    int x = 0;
#if HWY_TARGET != HWY_SCALAR
    using Word = PixelWord<T, kChannels>;
    if constexpr (sizeof(Word) == sizeof(T) * kChannels) {
        const hn::ScalableTag<Word> words;
        const int lanes = int(hn::Lanes(words));
        for (; x + 2 * lanes <= width; x += 2 * lanes) {
            // Half of the steps of LoadInterleaved2() for vectors of 64 bytes.
            const Word* const from = reinterpret_cast<const Word*>(row + x * kChannels);
            const auto first = hn::LoadU(words, from), second = hn::LoadU(words, from + lanes);
            hn::StoreU(hn::ConcatEven(words, second, first), words,
                       reinterpret_cast<Word*>(even + x / 2 * kChannels));
            hn::StoreU(hn::ConcatOdd(words, second, first), words,
                       reinterpret_cast<Word*>(odd + x / 2 * kChannels));
        }
    }
#endif
    for (; x < width; ++x)
        std::copy_n(row + x * kChannels, kChannels, (x % 2 ? odd : even) + x / 2 * kChannels);
}

template <class T, int kChannels>
HWY_ATTR void join(const T* even, const T* odd, int width, T* row) {
    int x = 0;
#if HWY_TARGET != HWY_SCALAR
    using Word = PixelWord<T, kChannels>;
    if constexpr (sizeof(Word) == sizeof(T) * kChannels) {
        const hn::ScalableTag<Word> words;
        const int lanes = int(hn::Lanes(words));
        for (; x + 2 * lanes <= width; x += 2 * lanes)
            hn::StoreInterleaved2(
                hn::LoadU(words, reinterpret_cast<const Word*>(even + x / 2 * kChannels)),
                hn::LoadU(words, reinterpret_cast<const Word*>(odd + x / 2 * kChannels)), words,
                reinterpret_cast<Word*>(row + x * kChannels));
    }
#endif
    for (; x < width; ++x)
        std::copy_n((x % 2 ? odd : even) + x / 2 * kChannels, kChannels, row + x * kChannels);
}

template <class T>
HWY_ATTR HWY_INLINE void anyRows3(const T* const* rows, int samples, int channels,
                                  const RowsAhead& ahead, T* const* out, bool stream) {
    if (channels == 4)
        rowsOf3<true>(rows, samples, channels, ahead, out, stream);
    else
        rowsOf3<false>(rows, samples, channels, ahead, out, stream);
}
template <class T>
HWY_ATTR HWY_INLINE void anySplit(const T* row, int width, int channels, T* even, T* odd) {
    channels == 4 ? split<T, 4>(row, width, even, odd) : split<T, 1>(row, width, even, odd);
}
template <class T>
HWY_ATTR HWY_INLINE void anyJoin(const T* even, const T* odd, int width, int channels, T* row) {
    channels == 4 ? join<T, 4>(even, odd, width, row) : join<T, 1>(even, odd, width, row);
}

#undef WARPSCOPE_OF_TYPE
#define WARPSCOPE_OF_TYPE(T, name)                                                            \
    void rows3##name(const T* const* rows, int samples, int channels, const RowsAhead& ahead, \
                     T* const* out, bool stream) {                                            \
        anyRows3(rows, samples, channels, ahead, out, stream);                                \
    }                                                                                         \
    void rows5##name(const MedianHalves<const T>* rows, int width, int channels, T* scratch,  \
                     const RowsAhead& ahead, const MedianHalves<T>* out) {                    \
        rowsOf5(rows, width, channels, scratch, ahead, out);                                  \
    }                                                                                         \
    void split##name(const T* row, int width, int channels, T* even, T* odd) {                \
        anySplit(row, width, channels, even, odd);                                            \
    }                                                                                         \
    void join##name(const T* even, const T* odd, int width, int channels, T* row) {           \
        anyJoin(even, odd, width, channels, row);                                             \
    }

WARPSCOPE_OF_TYPE(std::uint8_t, Bytes)
WARPSCOPE_OF_TYPE(std::uint16_t, Words)
WARPSCOPE_OF_TYPE(std::int32_t, Keys)

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace warpscope {
namespace {

// As many pixels before both halves and after them as squares of `radius` reach.
template <class T>
void repeatEdges(const T* row, int width, int channels, int radius, T* even, T* odd) {
    const T* const last = row + std::ptrdiff_t(width - 1) * channels;
    const int reach = (radius + 1) / 2, pairs = (width + 1) / 2;
    const auto repeat = [&](const T* pixel, T* half, int from, int to) {
        for (int x = from; x < to; ++x)
            for (int c = 0; c < channels; ++c) half[std::ptrdiff_t(x) * channels + c] = pixel[c];
    };
    repeat(row, even, -reach, 0);
    repeat(row, odd, -reach, 0);
    repeat(last, even, pairs, pairs + reach);
    repeat(last, odd, width / 2, pairs + reach);
}

}  // namespace

std::ptrdiff_t medianHalfPitch(int width, int channels) {
    const std::ptrdiff_t samples = (std::ptrdiff_t(width) + 1) / 2 * channels;
    // Beyond the samples two vectors; an odd number of cache lines.
    return (samples + 3 * kHalfPadding) / 128 * 128 + 3 * 64;
}

// The best functions of the machine for samples of type T.
#undef WARPSCOPE_OF_TYPE
#define WARPSCOPE_OF_TYPE(T, name)                                                            \
    HWY_EXPORT(rows3##name);                                                                  \
    HWY_EXPORT(rows5##name);                                                                  \
    HWY_EXPORT(split##name);                                                                  \
    HWY_EXPORT(join##name);                                                                   \
    template <>                                                                               \
    void medianRows3(const T* const* rows, int samples, int channels, const RowsAhead& ahead, \
                     T* const* out, bool stream) {                                            \
        HWY_DYNAMIC_DISPATCH(rows3##name)(rows, samples, channels, ahead, out, stream);       \
    }                                                                                         \
    template <>                                                                               \
    void medianRows5(const MedianHalves<const T>* rows, int width, int channels, T* scratch,  \
                     const RowsAhead& ahead, const MedianHalves<T>* out) {                    \
        HWY_DYNAMIC_DISPATCH(rows5##name)(rows, width, channels, scratch, ahead, out);        \
    }                                                                                         \
    template <>                                                                               \
    void medianSplit(const T* row, int width, int channels, int radius, T* even, T* odd) {    \
        HWY_DYNAMIC_DISPATCH(split##name)(row, width, channels, even, odd);                   \
        repeatEdges(row, width, channels, radius, even, odd);                                 \
    }                                                                                         \
    template <>                                                                               \
    void medianJoin(const T* even, const T* odd, int width, int channels, T* row) {           \
        HWY_DYNAMIC_DISPATCH(join##name)(even, odd, width, channels, row);                    \
    }

WARPSCOPE_OF_TYPE(std::uint8_t, Bytes)
WARPSCOPE_OF_TYPE(std::uint16_t, Words)
WARPSCOPE_OF_TYPE(std::int32_t, Keys)

}  // namespace warpscope

#endif  // HWY_ONCE
