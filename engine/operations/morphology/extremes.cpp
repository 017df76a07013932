#include "engine/operations/morphology/extremes.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/morphology/extremes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "engine/operations/morphology/extremes-inl.h"
#include "engine/operations/vector_loops.h"

#include <algorithm>
#include <limits>
#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <bool kMost, class T>
HWY_ATTR void two(const T* a, const T* b, T* out, int count) {
    const hn::ScalableTag<T> d;
    const int lanes = int(hn::Lanes(d));
    for (int i = 0; i < count; i += lanes)
        hn::StoreU(extreme<kMost>(hn::LoadU(d, a + i), hn::LoadU(d, b + i)), d, out + i);
}

// Of float samples as fromOrderKey() makes them.
template <class T, class V>
HWY_ATTR HWY_INLINE hn::Vec<hn::ScalableTag<T>> samplesOf(V keys) {
    if constexpr (std::is_floating_point_v<T>) {
        const hn::ScalableTag<std::int32_t> d;
        const auto most = hn::Set(d, std::numeric_limits<std::int32_t>::max());
        const auto bits = hn::Xor(keys, hn::And(hn::ShiftRight<31>(keys), most));
        return hn::BitCast(hn::ScalableTag<T>(), bits);
    } else {
        return keys;
    }
}

template <class T, class V>
HWY_ATTR HWY_INLINE void finish(V keys, const FinishedRow<T>& row, int i, bool stream) {
    const hn::ScalableTag<T> d;
    auto made = samplesOf<T>(keys);
    if (row.minuend) made = hn::Sub(hn::LoadU(d, row.minuend + i), made);
    if (row.subtrahend) made = hn::Sub(made, hn::LoadU(d, row.subtrahend + i));
    if (row.alpha) {
        using Bits = hwy::MakeUnsigned<T>;
        constexpr Bits kAll = std::numeric_limits<Bits>::max();
        alignas(16) constexpr Bits kAlpha[16] = {0, 0, 0, kAll, 0, 0, 0, kAll,
                                                 0, 0, 0, kAll, 0, 0, 0, kAll};
        const hn::ScalableTag<Bits> bits;
        // A vector of one lane moves along.
        const int moved = hn::Lanes(d) < 4 ? i % 4 : 0;
        const auto kept = hn::BitCast(d, hn::LoadDup128(bits, kAlpha + moved));
        made = hn::Or(hn::And(kept, hn::LoadU(d, row.alpha + i)), hn::AndNot(kept, made));
    }
    if (row.ahead) fetchLine(row.ahead + i, 0);
    if (stream)
        hn::Stream(made, d, row.out + i);
    else
        hn::StoreU(made, d, row.out + i);
}

// Each row is loaded once: what lies between stays in registers.
template <int kVectors, bool kMost, class Key, class T>
HWY_ATTR HWY_INLINE void blockColumns(const Key* const* ends, Key* const* rows,
                                      const FinishedRow<T>* outs, int side, int made, int at,
                                      bool stream) {
    const hn::ScalableTag<Key> d;
    const int lanes = int(hn::Lanes(d));
    hn::Vec<decltype(d)> begun[kVectors];
    for (int j = 0; j < made; ++j) {
        // What is written may not change these.
        const FinishedRow<T> out = outs[j];
        const Key* end = ends[j] + at;
        const Key* row = rows[j] + at;
        WARPSCOPE_UNROLL
        for (int v = 0; v < kVectors; ++v) {
            const auto ended = hn::LoadU(d, end + v * lanes);
            const auto begins = hn::LoadU(d, row + v * lanes);
            finish(j == 0 ? ended : extreme<kMost>(ended, begun[v]), out, at + v * lanes, stream);
            begun[v] = j == 0 ? begins : extreme<kMost>(begun[v], begins);
        }
    }
    if (made < side) return;
    WARPSCOPE_UNROLL
    for (int v = 0; v < kVectors; ++v) begun[v] = hn::LoadU(d, rows[side - 1] + at + v * lanes);
    for (int j = side - 2; j >= 0; --j) {
        Key* row = rows[j] + at;
        WARPSCOPE_UNROLL
        for (int v = 0; v < kVectors; ++v) {
            begun[v] = extreme<kMost>(begun[v], hn::LoadU(d, row + v * lanes));
            hn::StoreU(begun[v], d, row + v * lanes);
        }
    }
}

template <bool kMost, class Key, class T>
HWY_ATTR void blocks(const Key* const* ends, Key* const* rows, const FinishedRow<T>* outs, int side,
                     int made, int count, bool stream) {
    constexpr int kVectors = 4;
    const int lanes = int(hn::Lanes(hn::ScalableTag<T>()));
    int i = 0;
    for (; i + kVectors * lanes <= count; i += kVectors * lanes)
        blockColumns<kVectors, kMost>(ends, rows, outs, side, made, i, stream);
    for (; i < count; i += lanes) blockColumns<1, kMost>(ends, rows, outs, side, made, i, stream);
}

template <class Key, class T>
HWY_ATTR void blockRows(Extreme which, const Key* const* ends, Key* const* rows,
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
HWY_ATTR void blocksFloat(Extreme which, const std::int32_t* const* ends, std::int32_t* const* rows,
                          const FinishedRow<float>* outs, int side, int made, int count,
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
    constexpr std::ptrdiff_t kBytes = sizeof(T);
    int i = 0;
    for (; i + 4 * lanes <= count; i += 4 * lanes) {
        from.ahead.fetch(i * kBytes, 4 * lanes * kBytes);
        pairBlock<4, kMost>(from, out, i);
    }
    for (; i < count; i += lanes) pairBlock<1, kMost>(from, out, i);
}

template <bool kMost, class T>
HWY_ATTR void allChords(const Chord<T>* chords, int chordCount, T* out, int count) {
    const int lanes = int(hn::Lanes(hn::ScalableTag<T>()));
    int i = 0;
    for (; i + 4 * lanes <= count; i += 4 * lanes) chordBlock<4, kMost>(chords, chordCount, out, i);
    for (; i < count; i += lanes) chordBlock<1, kMost>(chords, chordCount, out, i);
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
HWY_EXPORT(blocksFloat);
HWY_EXPORT(chords8);
HWY_EXPORT(chords16);
HWY_EXPORT(chords32);
HWY_EXPORT(pair8);
HWY_EXPORT(pair16);
HWY_EXPORT(pair32);
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
void extremeOfBlocks(Extreme which, const std::int32_t* const* ends, std::int32_t* const* rows,
                     const FinishedRow<float>* outs, int side, int made, int count, bool stream) {
    HWY_DYNAMIC_DISPATCH(blocksFloat)(which, ends, rows, outs, side, made, count, stream);
    if (stream) hwy::FlushStream();
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
