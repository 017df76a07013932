#include "engine/operations/smoothing/median_tiles.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/smoothing/median_tiles.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <utility>

#include "engine/operations/smoothing/median_steps-inl.h"

// x86 processors whose vectors have 16 bytes are old ones, not worth what compiling takes; others
// have not been tried.
#undef WARPSCOPE_MEDIAN_TILES
#define WARPSCOPE_MEDIAN_TILES (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2)

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if WARPSCOPE_MEDIAN_TILES

template <const auto& kNetwork, class D, class V, class T, int... kI>
HWY_ATTR HWY_INLINE void store(D d, const V* wires, T* to, std::ptrdiff_t pitch,
                               std::integer_sequence<int, kI...>) {
    (hn::Store(wires[kNetwork.result[kI]], d, to + kI * pitch), ...);
}
template <const auto& kNetwork, class D, class V, class T>
HWY_ATTR HWY_INLINE void runAndStore(D d, V* wires, T* to, std::ptrdiff_t pitch) {
    allSteps<kNetwork>(wires);
    store<kNetwork>(d, wires, to, pitch, std::make_integer_sequence<int, kNetwork.results>());
}

template <class T>
struct TileStrip {
    const MedianHalves<const T>* rows;
    int x;
    int channels;
    T* even;  // sorted columns
    T* odd;
    T* pairs;  // of two columns, the left one and its right neighbour
    T* fours;  // of two pairs
};

// Column `offset` of a tile, whose left median lies in column 0, as half and tile.
template <class T>
HWY_ATTR HWY_INLINE const T* columnOf(const MedianHalves<const T>& row, int offset, int at,
                                      int channels) {
    return (offset & 1 ? row.odd : row.even) + at + (offset >> 1) * channels;
}

template <int kRadius, class D, class T, int... kI>
HWY_ATTR HWY_INLINE void sortColumn(D d, const MedianHalves<const T>* rows,
                                    const T* MedianHalves<const T>::*half, int at, T* to,
                                    std::integer_sequence<int, kI...>) {
    constexpr int kTall = sizeof...(kI);
    hn::Vec<D> wires[kTall] = {hn::LoadU(d, rows[3 + kI].*half + at)...};
    runAndStore<median::kSort<kTall>>(d, wires, to, kTilePitch<T>);
}
template <int kRadius, class D, class T>
HWY_ATTR HWY_NOINLINE void sortColumns(D d, const TileStrip<T>& strip, int first, int last) {
    constexpr auto kTall = std::make_integer_sequence<int, median::Sizes<kRadius>::kTall>();
    for (int k = first; k < last; k += int(hn::Lanes(d))) {
        sortColumn<kRadius>(d, strip.rows, &MedianHalves<const T>::even, strip.x + k,
                            strip.even + k, kTall);
        sortColumn<kRadius>(d, strip.rows, &MedianHalves<const T>::odd, strip.x + k, strip.odd + k,
                            kTall);
    }
}

template <int kRadius, class D, class T>
HWY_ATTR HWY_NOINLINE void mergePairs(D d, const TileStrip<T>& strip, int first, int last) {
    constexpr int kTall = median::Sizes<kRadius>::kTall;
    const T* left = kRadius % 2 ? strip.even : strip.odd - strip.channels;
    const T* right = kRadius % 2 ? strip.odd : strip.even;
    for (int k = first; k < last; k += int(hn::Lanes(d))) {
        hn::Vec<D> wires[2 * kTall];
        load<0, kTall>(d, left + k, kTilePitch<T>, wires);
        load<kTall, kTall>(d, right + k, kTilePitch<T>, wires);
        runAndStore<median::kMerge<median::kKeepAll, kTall, kTall>>(d, wires, strip.pairs + k,
                                                                    kTilePitch<T>);
    }
}

template <int kRadius, class D, class T>
HWY_ATTR HWY_NOINLINE void mergeFours(D d, const TileStrip<T>& strip, int first, int last) {
    constexpr int kPair = median::Sizes<kRadius>::kPair;
    for (int k = first; k < last; k += int(hn::Lanes(d))) {
        hn::Vec<D> wires[2 * kPair];
        load<0, kPair>(d, strip.pairs + k, kTilePitch<T>, wires);
        load<kPair, kPair>(d, strip.pairs + k + strip.channels, kTilePitch<T>, wires);
        runAndStore<median::kMerge<median::kKeepAll, kPair, kPair>>(d, wires, strip.fours + k,
                                                                    kTilePitch<T>);
    }
}

template <int kRadius, class D, class T>
HWY_ATTR HWY_NOINLINE void mergeCore(D d, const TileStrip<T>& strip, int k, T* to) {
    using S = median::Sizes<kRadius>;
    constexpr int kPair = S::kPair, kFour = 2 * kPair;
    constexpr int kOthers = S::kAll - S::kWide * S::kTall;
    const std::ptrdiff_t pitch = kTilePitch<T>;
    // The first pair of the tile at k.
    const std::ptrdiff_t at = k - (kRadius - 1) / 2 * strip.channels;
    const T* pairs = strip.pairs + at;
    const T* fours = strip.fours + at;
    const std::ptrdiff_t pair = strip.channels;
    hn::Vec<D> wires[kRadius * kPair];
    const std::ptrdiff_t lanes = std::ptrdiff_t(hn::Lanes(d));
    if constexpr (kRadius == 3) {
        load<0, kPair>(d, pairs, pitch, wires);
        load<kPair, kPair>(d, pairs + pair, pitch, wires);
        load<2 * kPair, kPair>(d, pairs + 2 * pair, pitch, wires);
        runAndStore<median::kMerge<kOthers, kPair, kPair, kPair>>(d, wires, to, lanes);
    } else if constexpr (kRadius == 4) {
        load<0, kFour>(d, fours, pitch, wires);
        load<kFour, kFour>(d, fours + 2 * pair, pitch, wires);
        runAndStore<median::kMerge<kOthers, kFour, kFour>>(d, wires, to, lanes);
    } else if constexpr (kRadius == 5) {
        load<0, kFour>(d, fours, pitch, wires);
        load<kFour, kPair>(d, pairs + 4 * pair, pitch, wires);
        load<kFour + kPair, kFour>(d, fours + 2 * pair, pitch, wires);
        runAndStore<median::kMerge<kOthers, kFour, kPair, kFour>>(d, wires, to, lanes);
    } else {
        load<0, kFour>(d, fours, pitch, wires);
        load<kFour, kFour>(d, fours + 2 * pair, pitch, wires);
        load<2 * kFour, kFour>(d, fours + 4 * pair, pitch, wires);
        if constexpr (kRadius == 6) {
            runAndStore<median::kMerge<kOthers, kFour, kFour, kFour>>(d, wires, to, lanes);
        } else {
            load<3 * kFour, kPair>(d, pairs + 6 * pair, pitch, wires);
            runAndStore<median::kMerge<kOthers, kFour, kFour, kFour, kPair>>(d, wires, to, lanes);
        }
    }
}

template <int kRadius, class D, class T, int... kI>
HWY_ATTR HWY_NOINLINE void sortRow(D d, const MedianHalves<const T>& row, int at, int channels,
                                   T* to, std::integer_sequence<int, kI...>) {
    constexpr int kWide = sizeof...(kI);
    hn::Vec<D> wires[kWide] = {hn::LoadU(d, columnOf(row, kI - kRadius + 1, at, channels))...};
    runAndStore<median::kSort<kWide>>(d, wires, to, std::ptrdiff_t(hn::Lanes(d)));
}

// `core` and two rows, sorted.
template <int kRadius, class D, class T>
HWY_ATTR HWY_NOINLINE void mergeHalf(D d, const T* core, const T* first, const T* second, T* to) {
    using S = median::Sizes<kRadius>;
    const std::ptrdiff_t lanes = std::ptrdiff_t(hn::Lanes(d));
    constexpr int kOthers = S::kAll - S::kWide * (S::kTall + 2);
    hn::Vec<D> wires[2 * S::kWide + S::kCore];
    load<0, S::kWide>(d, first, lanes, wires);
    load<S::kWide, S::kWide>(d, second, lanes, wires);
    load<2 * S::kWide, S::kCore>(d, core, lanes, wires);
    runAndStore<median::kMerge<kOthers, S::kWide, S::kWide, S::kCore>>(d, wires, to, lanes);
}

template <int kRadius, class D, class T>
HWY_ATTR HWY_NOINLINE void mergeRow(D d, const T* half, const T* row, T* to) {
    using S = median::Sizes<kRadius>;
    const std::ptrdiff_t lanes = std::ptrdiff_t(hn::Lanes(d));
    hn::Vec<D> wires[S::kHalf + S::kWide];
    load<0, S::kHalf>(d, half, lanes, wires);
    load<S::kHalf, S::kWide>(d, row, lanes, wires);
    runAndStore<median::kMerge<S::kSide, S::kHalf, S::kWide>>(d, wires, to, lanes);
}

// A sorted column and the samples of two more rows.
template <int kRadius, class D, class V, class T>
HWY_ATTR HWY_INLINE void growColumn(D d, const T* column, V first, V second, T* to) {
    constexpr int kTall = median::Sizes<kRadius>::kTall;
    V wires[kTall + 2] = {first, second};
    load<2, kTall>(d, column, kTilePitch<T>, wires);
    runAndStore<median::kMerge<median::kKeepAll, 1, 1, kTall>>(d, wires, to,
                                                               std::ptrdiff_t(hn::Lanes(d)));
}

// The median of two sorted lists and one more sample: beside the middle two of the lists.
template <int kRadius, class D, class V, class T>
HWY_ATTR HWY_INLINE V selectMedian(D d, const T* list, const T* column, V last) {
    using S = median::Sizes<kRadius>;
    const std::ptrdiff_t lanes = std::ptrdiff_t(hn::Lanes(d));
    V wires[S::kRow + S::kSide - 1];
    load<0, S::kRow>(d, list, lanes, wires);
    load<S::kRow, S::kSide - 1>(d, column, lanes, wires);
    constexpr const auto& kNetwork = median::kMerge<1, S::kRow, S::kSide - 1>;
    allSteps<kNetwork>(wires);
    return hn::Max(wires[kNetwork.result[0]], hn::Min(wires[kNetwork.result[1]], last));
}

template <int kRadius, class D, class T>
HWY_ATTR HWY_INLINE void mediansOfTiles(D d, const TileStrip<T>& strip, int k,
                                        const MedianHalves<T>* out) {
    using S = median::Sizes<kRadius>;
    constexpr int kLanes = int(hn::MaxLanes(d));
    constexpr auto kWide = std::make_integer_sequence<int, S::kWide>();
    alignas(64) T core[S::kCore * kLanes];
    alignas(64) T sorted[6][S::kWide * kLanes];
    alignas(64) T half[S::kHalf * kLanes];
    alignas(64) T list[S::kRow * kLanes];
    alignas(64) T columns[2][(S::kTall + 2) * kLanes];
    mergeCore<kRadius>(d, strip, k, core);
    const int at = strip.x + k;
    const int channels = strip.channels;
    for (int i = 0; i < 6; ++i)
        sortRow<kRadius>(d, strip.rows[i < 3 ? i : S::kSide - 3 + i], at, channels, sorted[i],
                         kWide);
    const auto row = [&](int i) -> const MedianHalves<const T>& { return strip.rows[i]; };
    for (int bottom = 0; bottom < 2; ++bottom) {
        const int near = bottom ? S::kSide : 1;
        mergeHalf<kRadius>(d, core, sorted[bottom ? 3 : 1], sorted[bottom ? 4 : 2], half);
        constexpr int kColumns[2] = {-kRadius, kRadius + 1};
        for (int side = 0; side < 2; ++side) {
            const int column = kColumns[side];
            const T* ranks = (column & 1 ? strip.odd : strip.even) + k + (column >> 1) * channels;
            growColumn<kRadius>(d, ranks, hn::LoadU(d, columnOf(row(near), column, at, channels)),
                                hn::LoadU(d, columnOf(row(near + 1), column, at, channels)),
                                columns[side]);
        }
        for (int i = 0; i < 2; ++i) {
            const int last = bottom ? (i ? S::kSide + 2 : 2) : (i ? S::kSide : 0);
            mergeRow<kRadius>(d, half, sorted[last < 3 ? last : last - S::kSide + 3], list);
            for (int side = 0; side < 2; ++side) {
                const auto sample = hn::LoadU(d, columnOf(row(last), kColumns[side], at, channels));
                const auto median = selectMedian<kRadius>(d, list, columns[side], sample);
                const MedianHalves<T>& to = out[2 * bottom + i];
                hn::StoreU(median, d, (side ? to.odd : to.even) + at);
            }
        }
    }
}

template <int kRadius, class T>
HWY_ATTR void tiles(const MedianHalves<const T>* rows, int width, int channels, T* scratch,
                    const RowsAhead& ahead, const MedianHalves<T>* out) {
    const hn::ScalableTag<T> d;
    constexpr int kTall = median::Sizes<kRadius>::kTall;
    const int lanes = int(hn::Lanes(d));
    const int samples = (width + 1) / 2 * channels;
    constexpr std::ptrdiff_t kPairBytes = 2 * sizeof(T);
    T* const lists = scratch + 2 * kTileBeside<T>;
    const std::ptrdiff_t pitch = kTilePitch<T>;
    for (int x = 0; x < samples; x += kTileStrip<T>) {
        const int count = std::min(kTileStrip<T>, samples - x);
        const TileStrip<T> strip{rows,
                                 x,
                                 channels,
                                 lists,
                                 lists + kTall * pitch,
                                 lists + 2 * kTall * pitch,
                                 lists + 4 * kTall * pitch};
        const int first = -kTileBeside<T>, last = count + kTileBeside<T>;
        sortColumns<kRadius>(d, strip, first, last);
        mergePairs<kRadius>(d, strip, first, last);
        if constexpr (kRadius > 3) mergeFours<kRadius>(d, strip, first, last);
        for (int k = 0; k < count; k += lanes) {
            mediansOfTiles<kRadius>(d, strip, k, out);
            ahead.fetch((x + k) * kPairBytes, lanes * kPairBytes);
        }
    }
}

template <class T>
HWY_ATTR HWY_INLINE void anyTiles(int radius, const MedianHalves<const T>* rows, int width,
                                  int channels, T* scratch, const RowsAhead& ahead,
                                  const MedianHalves<T>* out) {
    if (radius == 3) return tiles<3>(rows, width, channels, scratch, ahead, out);
    if constexpr (kMostTileRadius > 3) {
        if (radius == 4) return tiles<4>(rows, width, channels, scratch, ahead, out);
        if (radius == 5) return tiles<5>(rows, width, channels, scratch, ahead, out);
        if (radius == 6) return tiles<6>(rows, width, channels, scratch, ahead, out);
        tiles<7>(rows, width, channels, scratch, ahead, out);
    }
}

bool haveTiles() {
    return true;
}

#else

template <class T>
void anyTiles(int, const MedianHalves<const T>*, int, int, T*, const RowsAhead&,
              const MedianHalves<T>*) {}

bool haveTiles() {
    return false;
}

#endif

#undef WARPSCOPE_OF_TYPE
#define WARPSCOPE_OF_TYPE(T, name)                                                           \
    void tiles##name(int radius, const MedianHalves<const T>* rows, int width, int channels, \
                     T* scratch, const RowsAhead& ahead, const MedianHalves<T>* out) {       \
        anyTiles(radius, rows, width, channels, scratch, ahead, out);                        \
    }

WARPSCOPE_OF_TYPE(std::uint8_t, Bytes)
WARPSCOPE_OF_TYPE(std::uint16_t, Words)
WARPSCOPE_OF_TYPE(std::int32_t, Keys)

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace warpscope {

HWY_EXPORT(haveTiles);
HWY_EXPORT(tilesBytes);
HWY_EXPORT(tilesWords);
HWY_EXPORT(tilesKeys);

bool hasMedianTiles() {
    return HWY_DYNAMIC_DISPATCH(haveTiles)();
}

#undef WARPSCOPE_OF_TYPE
#define WARPSCOPE_OF_TYPE(T, name)                                                           \
    template <>                                                                              \
    void medianTiles(int radius, const MedianHalves<const T>* rows, int width, int channels, \
                     T* scratch, const RowsAhead& ahead, const MedianHalves<T>* out) {       \
        HWY_DYNAMIC_DISPATCH(tiles##name)                                                    \
        (radius, rows, width, channels, scratch, ahead, out);                                \
    }

WARPSCOPE_OF_TYPE(std::uint8_t, Bytes)
WARPSCOPE_OF_TYPE(std::uint16_t, Words)
WARPSCOPE_OF_TYPE(std::int32_t, Keys)

}  // namespace warpscope

#endif  // HWY_ONCE
