#include "engine/operations/morphology/extremes.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/morphology/extremes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#undef WARPSCOPE_UNROLL
#define WARPSCOPE_UNROLL _Pragma("GCC unroll 8")

template <bool kMost, class V>
HWY_ATTR HWY_INLINE V extreme(V a, V b) {
    if constexpr (kMost)
        return hn::Max(a, b);
    else
        return hn::Min(a, b);
}

template <bool kMost, class T>
HWY_ATTR void two(const T* a, const T* b, T* out, int count) {
    const hn::ScalableTag<T> d;
    const int lanes = int(hn::Lanes(d));
    for (int i = 0; i < count; i += lanes)
        hn::StoreU(extreme<kMost>(hn::LoadU(d, a + i), hn::LoadU(d, b + i)), d, out + i);
}

// Each row is loaded once: what lies between stays in registers.
template <int kVectors, bool kMost, class T>
HWY_ATTR HWY_INLINE void blockColumns(const T* const* ends, T* const* rows,
                                      const FinishedRow<T>* outs, int side, int made, int at,
                                      bool stream) {
    const hn::ScalableTag<T> d;
    const int lanes = int(hn::Lanes(d));
    hn::Vec<decltype(d)> begun[kVectors];
    constexpr T kAll = std::numeric_limits<T>::max();
    alignas(16) constexpr T kAlpha[16] = {0, 0, 0, kAll, 0, 0, 0, kAll,
                                          0, 0, 0, kAll, 0, 0, 0, kAll};
    const auto alpha = hn::LoadDup128(d, kAlpha);
    const auto put = [&](hn::Vec<decltype(d)> v, const FinishedRow<T>& row, int i) HWY_ATTR {
        if (row.minuend) v = hn::Sub(hn::LoadU(d, row.minuend + i), v);
        if (row.subtrahend) v = hn::Sub(v, hn::LoadU(d, row.subtrahend + i));
        if (row.alpha) {
            // A vector of one lane moves along.
            const auto kept = lanes < 4 ? hn::LoadDup128(d, kAlpha + i % 4) : alpha;
            v = hn::Or(hn::And(kept, hn::LoadU(d, row.alpha + i)), hn::AndNot(kept, v));
        }
        if (stream)
            hn::Stream(v, d, row.out + i);
        else
            hn::StoreU(v, d, row.out + i);
    };
    for (int v = 0; v < kVectors; ++v) {
        const int i = at + v * lanes;
        put(hn::LoadU(d, ends[0] + i), outs[0], i);
        begun[v] = hn::LoadU(d, rows[0] + i);
    }
    for (int j = 1; j < made; ++j)
        for (int v = 0; v < kVectors; ++v) {
            const int i = at + v * lanes;
            put(extreme<kMost>(hn::LoadU(d, ends[j] + i), begun[v]), outs[j], i);
            begun[v] = extreme<kMost>(begun[v], hn::LoadU(d, rows[j] + i));
        }
    if (made < side) return;
    for (int v = 0; v < kVectors; ++v) begun[v] = hn::LoadU(d, rows[side - 1] + at + v * lanes);
    for (int j = side - 2; j >= 0; --j)
        for (int v = 0; v < kVectors; ++v) {
            const int i = at + v * lanes;
            begun[v] = extreme<kMost>(begun[v], hn::LoadU(d, rows[j] + i));
            hn::StoreU(begun[v], d, rows[j] + i);
        }
}

template <bool kMost, class T>
HWY_ATTR void blocks(const T* const* ends, T* const* rows, const FinishedRow<T>* outs, int side,
                     int made, int count, bool stream) {
    constexpr int kVectors = 4;
    const int lanes = int(hn::Lanes(hn::ScalableTag<T>()));
    int i = 0;
    for (; i + kVectors * lanes <= count; i += kVectors * lanes)
        blockColumns<kVectors, kMost>(ends, rows, outs, side, made, i, stream);
    for (; i < count; i += lanes) blockColumns<1, kMost>(ends, rows, outs, side, made, i, stream);
}

template <class T>
HWY_ATTR void blockRows(Extreme which, const T* const* ends, T* const* rows,
                        const FinishedRow<T>* outs, int side, int made, int count, bool stream) {
    which == Extreme::Most ? blocks<true>(ends, rows, outs, side, made, count, stream)
                           : blocks<false>(ends, rows, outs, side, made, count, stream);
}
HWY_ATTR void blocks8(Extreme which, const std::uint8_t* const* ends, std::uint8_t* const* rows,
                      const FinishedRow<std::uint8_t>* outs, int side, int made, int count,
                      bool stream) {
    blockRows(which, ends, rows, outs, side, made, count, stream);
}
HWY_ATTR void blocks16(Extreme which, const std::uint16_t* const* ends, std::uint16_t* const* rows,
                       const FinishedRow<std::uint16_t>* outs, int side, int made, int count,
                       bool stream) {
    blockRows(which, ends, rows, outs, side, made, count, stream);
}

template <int kVectors, bool kMost, class T>
HWY_ATTR HWY_INLINE void chordBlock(const Chord<T>* chords, int chordCount, T* out, int at) {
    const hn::ScalableTag<T> d;
    const int lanes = int(hn::Lanes(d));
    hn::Vec<decltype(d)> best[kVectors];
    WARPSCOPE_UNROLL
    for (int v = 0; v < kVectors; ++v)
        best[v] = extreme<kMost>(hn::LoadU(d, chords[0].left + at + v * lanes),
                                 hn::LoadU(d, chords[0].right + at + v * lanes));
    for (int c = 1; c < chordCount; ++c) {
        const T* left = chords[c].left + at;
        const T* right = chords[c].right + at;
        WARPSCOPE_UNROLL
        for (int v = 0; v < kVectors; ++v)
            best[v] = extreme<kMost>(best[v], extreme<kMost>(hn::LoadU(d, left + v * lanes),
                                                             hn::LoadU(d, right + v * lanes)));
    }
    WARPSCOPE_UNROLL
    for (int v = 0; v < kVectors; ++v) hn::StoreU(best[v], d, out + at + v * lanes);
}

template <int kVectors, bool kMost, class T>
HWY_ATTR HWY_INLINE void pairBlock(const ChordsOfPair<T>& from, T* const (&out)[2], int at) {
    const hn::ScalableTag<T> d;
    const int lanes = int(hn::Lanes(d));
    using V = hn::Vec<decltype(d)>;
    const auto added = [&](V best, const Chord<T>& chord, int v) HWY_ATTR {
        return extreme<kMost>(best, extreme<kMost>(hn::LoadU(d, chord.left + at + v * lanes),
                                                   hn::LoadU(d, chord.right + at + v * lanes)));
    };
    V both[kVectors];
    WARPSCOPE_UNROLL
    for (int v = 0; v < kVectors; ++v)
        both[v] = extreme<kMost>(hn::LoadU(d, from.chords[0].left + at + v * lanes),
                                 hn::LoadU(d, from.chords[0].right + at + v * lanes));
    for (int c = 1; c < from.shared; ++c) {
        WARPSCOPE_UNROLL
        for (int v = 0; v < kVectors; ++v) both[v] = added(both[v], from.chords[c], v);
    }
    for (int k = 0; k < 2; ++k) {
        const Chord<T>* own = from.chords + from.shared + k * from.own;
        V best[kVectors];
        WARPSCOPE_UNROLL
        for (int v = 0; v < kVectors; ++v) best[v] = added(both[v], own[0], v);
        for (int c = 1; c < from.own; ++c) {
            WARPSCOPE_UNROLL
            for (int v = 0; v < kVectors; ++v) best[v] = added(best[v], own[c], v);
        }
        WARPSCOPE_UNROLL
        for (int v = 0; v < kVectors; ++v) hn::StoreU(best[v], d, out[k] + at + v * lanes);
    }
}

template <bool kMost, class T>
HWY_ATTR void allPairs(const ChordsOfPair<T>& from, T* const (&out)[2], int count) {
    const int lanes = int(hn::Lanes(hn::ScalableTag<T>()));
    int i = 0;
    for (; i + 4 * lanes <= count; i += 4 * lanes) pairBlock<4, kMost>(from, out, i);
    for (; i < count; i += lanes) pairBlock<1, kMost>(from, out, i);
}

template <bool kMost, class T>
HWY_ATTR void allChords(const Chord<T>* chords, int chordCount, T* out, int count) {
    const int lanes = int(hn::Lanes(hn::ScalableTag<T>()));
    int i = 0;
    for (; i + 4 * lanes <= count; i += 4 * lanes) chordBlock<4, kMost>(chords, chordCount, out, i);
    for (; i < count; i += lanes) chordBlock<1, kMost>(chords, chordCount, out, i);
}

// Of up to four runs, of which the last two may be the same.
template <bool kMost, int kRuns, class T>
HWY_ATTR HWY_INLINE void runs(const T* row, const int (&from)[4], T* out, int count) {
    const hn::ScalableTag<T> d;
    const int lanes = int(hn::Lanes(d));
    for (int i = 0; i < count; i += lanes) {
        auto best = extreme<kMost>(hn::LoadU(d, row + i), hn::LoadU(d, row + i + from[1]));
        if constexpr (kRuns > 2) best = extreme<kMost>(best, hn::LoadU(d, row + i + from[2]));
        if constexpr (kRuns > 3) best = extreme<kMost>(best, hn::LoadU(d, row + i + from[3]));
        hn::StoreU(best, d, out + i);
    }
}

template <int kVectors, bool kMost, class T>
HWY_ATTR HWY_INLINE void aroundBlock(const T* middle, int radius, int channels, T* const* outs,
                                     int at) {
    const hn::ScalableTag<T> d;
    const int lanes = int(hn::Lanes(d));
    hn::Vec<decltype(d)> best[kVectors];
    const auto store = [&](T* to) HWY_ATTR {
        WARPSCOPE_UNROLL
        for (int v = 0; v < kVectors; ++v) hn::StoreU(best[v], d, to + at + v * lanes);
    };
    WARPSCOPE_UNROLL
    for (int v = 0; v < kVectors; ++v) best[v] = hn::LoadU(d, middle + at + v * lanes);
    if (outs[0]) store(outs[0]);
    for (int away = 1; away <= radius; ++away) {
        const T* left = middle + at - away * channels;
        const T* right = middle + at + away * channels;
        WARPSCOPE_UNROLL
        for (int v = 0; v < kVectors; ++v)
            best[v] = extreme<kMost>(best[v], extreme<kMost>(hn::LoadU(d, left + v * lanes),
                                                             hn::LoadU(d, right + v * lanes)));
        if (outs[away]) store(outs[away]);
    }
}

template <bool kMost, class T>
HWY_ATTR void around(const T* row, int radius, int channels, T* const* outs, int count) {
    const int lanes = int(hn::Lanes(hn::ScalableTag<T>()));
    const T* middle = row + radius * channels;
    int i = 0;
    for (; i + 4 * lanes <= count; i += 4 * lanes)
        aroundBlock<4, kMost>(middle, radius, channels, outs, i);
    for (; i < count; i += lanes) aroundBlock<1, kMost>(middle, radius, channels, outs, i);
}

// By extremes of 4, 16 and 64 samples as long as they are shorter than the window.
template <bool kMost, class T>
HWY_ATTR void along(T* row, int side, int channels, T* out, int count) {
    if (side <= 5) {
        // In one go.
        T* outs[3] = {};
        outs[side / 2] = out;
        return around<kMost>(row, side / 2, channels, outs, count);
    }
    int length = 1;
    for (; 4 * length < side; length *= 4) {
        const int from[4] = {0, length * channels, 2 * length * channels, 3 * length * channels};
        runs<kMost, 4>(row, from, row, count + (side - 4 * length) * channels);
    }
    const int last = (side - length) * channels;
    const int from[4] = {0, std::min(length * channels, last),
                         std::min(2 * length * channels, last), last};
    if (2 * length >= side) {
        runs<kMost, 2>(row, from, out, count);
    } else if (3 * length >= side) {
        runs<kMost, 3>(row, from, out, count);
    } else {
        runs<kMost, 4>(row, from, out, count);
    }
}

template <class T>
HWY_ATTR void alongRow(Extreme which, T* row, int side, int channels, T* out, int count) {
    which == Extreme::Most ? along<true>(row, side, channels, out, count)
                           : along<false>(row, side, channels, out, count);
}
template <class T>
HWY_ATTR void aroundRow(Extreme which, const T* row, int radius, int channels, T* const* outs,
                        int count) {
    which == Extreme::Most ? around<true>(row, radius, channels, outs, count)
                           : around<false>(row, radius, channels, outs, count);
}

template <class T>
HWY_ATTR void twoRows(Extreme which, const T* a, const T* b, T* out, int count) {
    which == Extreme::Most ? two<true>(a, b, out, count) : two<false>(a, b, out, count);
}
template <class T>
HWY_ATTR void chordRows(Extreme which, const Chord<T>* chords, int chordCount, T* out, int count) {
    which == Extreme::Most ? allChords<true>(chords, chordCount, out, count)
                           : allChords<false>(chords, chordCount, out, count);
}

template <class T>
HWY_ATTR void pairRows(Extreme which, const ChordsOfPair<T>& from, T* const (&out)[2], int count) {
    which == Extreme::Most ? allPairs<true>(from, out, count) : allPairs<false>(from, out, count);
}

HWY_ATTR void pair8(Extreme which, const ChordsOfPair<std::uint8_t>& from,
                    std::uint8_t* const (&out)[2], int count) {
    pairRows(which, from, out, count);
}
HWY_ATTR void pair16(Extreme which, const ChordsOfPair<std::uint16_t>& from,
                     std::uint16_t* const (&out)[2], int count) {
    pairRows(which, from, out, count);
}
HWY_ATTR void pair32(Extreme which, const ChordsOfPair<std::int32_t>& from,
                     std::int32_t* const (&out)[2], int count) {
    pairRows(which, from, out, count);
}
HWY_ATTR void two8(Extreme which, const std::uint8_t* a, const std::uint8_t* b, std::uint8_t* out,
                   int count) {
    twoRows(which, a, b, out, count);
}
HWY_ATTR void two16(Extreme which, const std::uint16_t* a, const std::uint16_t* b,
                    std::uint16_t* out, int count) {
    twoRows(which, a, b, out, count);
}
HWY_ATTR void two32(Extreme which, const std::int32_t* a, const std::int32_t* b, std::int32_t* out,
                    int count) {
    twoRows(which, a, b, out, count);
}
HWY_ATTR void along8(Extreme which, std::uint8_t* row, int side, int channels, std::uint8_t* out,
                     int count) {
    alongRow(which, row, side, channels, out, count);
}
HWY_ATTR void around8(Extreme which, const std::uint8_t* row, int radius, int channels,
                      std::uint8_t* const* outs, int count) {
    aroundRow(which, row, radius, channels, outs, count);
}
HWY_ATTR void along16(Extreme which, std::uint16_t* row, int side, int channels, std::uint16_t* out,
                      int count) {
    alongRow(which, row, side, channels, out, count);
}
HWY_ATTR void around16(Extreme which, const std::uint16_t* row, int radius, int channels,
                       std::uint16_t* const* outs, int count) {
    aroundRow(which, row, radius, channels, outs, count);
}
HWY_ATTR void along32(Extreme which, std::int32_t* row, int side, int channels, std::int32_t* out,
                      int count) {
    alongRow(which, row, side, channels, out, count);
}
HWY_ATTR void around32(Extreme which, const std::int32_t* row, int radius, int channels,
                       std::int32_t* const* outs, int count) {
    aroundRow(which, row, radius, channels, outs, count);
}
HWY_ATTR void chords8(Extreme which, const Chord<std::uint8_t>* chords, int chordCount,
                      std::uint8_t* out, int count) {
    chordRows(which, chords, chordCount, out, count);
}
HWY_ATTR void chords16(Extreme which, const Chord<std::uint16_t>* chords, int chordCount,
                       std::uint16_t* out, int count) {
    chordRows(which, chords, chordCount, out, count);
}
HWY_ATTR void chords32(Extreme which, const Chord<std::int32_t>* chords, int chordCount,
                       std::int32_t* out, int count) {
    chordRows(which, chords, chordCount, out, count);
}

template <class T>
HWY_ATTR void subtracted(const T* a, const T* b, T* out, int count) {
    const hn::ScalableTag<T> d;
    const int lanes = int(hn::Lanes(d));
    for (int i = 0; i < count; i += lanes)
        hn::StoreU(hn::Sub(hn::LoadU(d, a + i), hn::LoadU(d, b + i)), d, out + i);
}
HWY_ATTR void subtract8(const std::uint8_t* a, const std::uint8_t* b, std::uint8_t* out,
                        int count) {
    subtracted(a, b, out, count);
}
HWY_ATTR void subtract16(const std::uint16_t* a, const std::uint16_t* b, std::uint16_t* out,
                         int count) {
    subtracted(a, b, out, count);
}
HWY_ATTR void subtractFloat(const float* a, const float* b, float* out, int count) {
    subtracted(a, b, out, count);
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <hwy/cache_control.h>

namespace warpscope {

HWY_EXPORT(two8);
HWY_EXPORT(two16);
HWY_EXPORT(two32);
HWY_EXPORT(blocks8);
HWY_EXPORT(blocks16);
HWY_EXPORT(chords8);
HWY_EXPORT(chords16);
HWY_EXPORT(chords32);
HWY_EXPORT(pair8);
HWY_EXPORT(pair16);
HWY_EXPORT(pair32);
HWY_EXPORT(along8);
HWY_EXPORT(around8);
HWY_EXPORT(along16);
HWY_EXPORT(around16);
HWY_EXPORT(along32);
HWY_EXPORT(around32);
HWY_EXPORT(subtract8);
HWY_EXPORT(subtract16);
HWY_EXPORT(subtractFloat);

void extremeOfTwo(Extreme which, const std::uint8_t* a, const std::uint8_t* b, std::uint8_t* out,
                  int count) {
    HWY_DYNAMIC_DISPATCH(two8)(which, a, b, out, count);
}
void extremeOfTwo(Extreme which, const std::uint16_t* a, const std::uint16_t* b, std::uint16_t* out,
                  int count) {
    HWY_DYNAMIC_DISPATCH(two16)(which, a, b, out, count);
}
void extremeOfTwo(Extreme which, const std::int32_t* a, const std::int32_t* b, std::int32_t* out,
                  int count) {
    HWY_DYNAMIC_DISPATCH(two32)(which, a, b, out, count);
}

void extremeOfBlocks(Extreme which, const std::uint8_t* const* ends, std::uint8_t* const* rows,
                     const FinishedRow<std::uint8_t>* outs, int side, int made, int count,
                     bool stream) {
    HWY_DYNAMIC_DISPATCH(blocks8)(which, ends, rows, outs, side, made, count, stream);
    if (stream) hwy::FlushStream();
}
void extremeOfBlocks(Extreme which, const std::uint16_t* const* ends, std::uint16_t* const* rows,
                     const FinishedRow<std::uint16_t>* outs, int side, int made, int count,
                     bool stream) {
    HWY_DYNAMIC_DISPATCH(blocks16)(which, ends, rows, outs, side, made, count, stream);
    if (stream) hwy::FlushStream();
}

void extremeAlong(Extreme which, std::uint8_t* row, int side, int channels, std::uint8_t* out,
                  int count) {
    HWY_DYNAMIC_DISPATCH(along8)(which, row, side, channels, out, count);
}
void extremesAround(Extreme which, const std::uint8_t* row, int radius, int channels,
                    std::uint8_t* const* outs, int count) {
    HWY_DYNAMIC_DISPATCH(around8)(which, row, radius, channels, outs, count);
}
void extremeAlong(Extreme which, std::uint16_t* row, int side, int channels, std::uint16_t* out,
                  int count) {
    HWY_DYNAMIC_DISPATCH(along16)(which, row, side, channels, out, count);
}
void extremesAround(Extreme which, const std::uint16_t* row, int radius, int channels,
                    std::uint16_t* const* outs, int count) {
    HWY_DYNAMIC_DISPATCH(around16)(which, row, radius, channels, outs, count);
}
void extremeAlong(Extreme which, std::int32_t* row, int side, int channels, std::int32_t* out,
                  int count) {
    HWY_DYNAMIC_DISPATCH(along32)(which, row, side, channels, out, count);
}
void extremesAround(Extreme which, const std::int32_t* row, int radius, int channels,
                    std::int32_t* const* outs, int count) {
    HWY_DYNAMIC_DISPATCH(around32)(which, row, radius, channels, outs, count);
}

void extremeOfChords(Extreme which, const Chord<std::uint8_t>* chords, int chordCount,
                     std::uint8_t* out, int count) {
    HWY_DYNAMIC_DISPATCH(chords8)(which, chords, chordCount, out, count);
}
void extremeOfChords(Extreme which, const Chord<std::uint16_t>* chords, int chordCount,
                     std::uint16_t* out, int count) {
    HWY_DYNAMIC_DISPATCH(chords16)(which, chords, chordCount, out, count);
}
void extremeOfChords(Extreme which, const Chord<std::int32_t>* chords, int chordCount,
                     std::int32_t* out, int count) {
    HWY_DYNAMIC_DISPATCH(chords32)(which, chords, chordCount, out, count);
}

void extremeOfPair(Extreme which, const ChordsOfPair<std::uint8_t>& from,
                   std::uint8_t* const (&out)[2], int count) {
    HWY_DYNAMIC_DISPATCH(pair8)(which, from, out, count);
}
void extremeOfPair(Extreme which, const ChordsOfPair<std::uint16_t>& from,
                   std::uint16_t* const (&out)[2], int count) {
    HWY_DYNAMIC_DISPATCH(pair16)(which, from, out, count);
}
void extremeOfPair(Extreme which, const ChordsOfPair<std::int32_t>& from,
                   std::int32_t* const (&out)[2], int count) {
    HWY_DYNAMIC_DISPATCH(pair32)(which, from, out, count);
}

void subtractRows(const std::uint8_t* a, const std::uint8_t* b, std::uint8_t* out, int count) {
    HWY_DYNAMIC_DISPATCH(subtract8)(a, b, out, count);
}
void subtractRows(const std::uint16_t* a, const std::uint16_t* b, std::uint16_t* out, int count) {
    HWY_DYNAMIC_DISPATCH(subtract16)(a, b, out, count);
}
void subtractRows(const float* a, const float* b, float* out, int count) {
    HWY_DYNAMIC_DISPATCH(subtractFloat)(a, b, out, count);
}

}  // namespace warpscope

#endif  // HWY_ONCE
