// Extremes along rows.
#include <algorithm>
#include <limits>
#include <type_traits>

#include "engine/operations/morphology/extremes.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/morphology/extremes_along.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "engine/operations/morphology/extremes-inl.h"
#include "engine/operations/vector_loops.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

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

// From extremes of `length` samples on: by those of four times as many as long as they are shorter
// than the window.
template <bool kMost, class T>
HWY_ATTR void alongFrom(int length, T* row, int side, int channels, T* out, int count) {
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

template <bool kMost, class T>
HWY_ATTR void along(T* row, int side, int channels, T* out, int count) {
    if (side <= 5) {
        // In one go.
        T* outs[3] = {};
        outs[side / 2] = out;
        return around<kMost>(row, side / 2, channels, outs, count);
    }
    alongFrom<kMost>(1, row, side, channels, out, count);
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

template <class T>
HWY_ATTR HWY_INLINE hn::Vec<hn::ScalableTag<T>> keysAt(const T* at) {
    return hn::LoadU(hn::ScalableTag<T>(), at);
}
// As orderKey() makes them.
HWY_ATTR HWY_INLINE hn::Vec<hn::ScalableTag<std::int32_t>> keysAt(const float* at) {
    const hn::ScalableTag<std::int32_t> d;
    const auto bits = hn::BitCast(d, hn::LoadU(hn::ScalableTag<float>(), at));
    const auto most = hn::Set(d, std::numeric_limits<std::int32_t>::max());
    const auto key = hn::Xor(bits, hn::And(hn::ShiftRight<31>(bits), most));
    return hn::IfThenElse(hn::Gt(hn::And(bits, most), hn::Set(d, 0x7f800000)), most, key);
}

// to[i] = sample `start` + i of the part's row for i from `from` to before `end`, and up to a
// vector more.
template <class T>
HWY_ATTR void copyPart(const RowPart<T>& part, int start, int from, int end, T* to) {
    const hn::ScalableTag<T> d;
    const int lanes = int(hn::Lanes(d));
    const auto outside = hn::Set(d, part.outside);
    for (int i = from; i < std::min(end, -start); i += lanes) hn::StoreU(outside, d, to + i);
    const int last = part.samples - start;
    for (int i = std::max(from, -start); i < std::min(end, last); i += lanes)
        hn::StoreU(hn::LoadU(d, part.row + (start + i)), d, to + i);
    for (int i = std::max(from, last); i < end; i += lanes) hn::StoreU(outside, d, to + i);
}

#undef WARPSCOPE_SHIFTED
#define WARPSCOPE_SHIFTED (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3)
#if WARPSCOPE_SHIFTED

// 32-bit lanes kBy to kBy + 15 of both.
template <int kBy, class V>
HWY_ATTR HWY_INLINE V shifted(V low, V high) {
    if constexpr (kBy == 16)
        return high;
    else
        return V{_mm512_alignr_epi32(high.raw, low.raw, kBy)};
}

// Where vectors come from: the first that does, and its row.
template <class T>
struct Piece {
    int first;
    const T* row;
};

// The last vector first: what each needs of the ones after it is in registers. Extremes of kLoads
// samples, loaded, then of twice as many and so on, kLevels times; then of `more` lanes of 32 bits
// more, if kWhole. Those of the first `made` vectors are written.
template <int kLoads, int kStep, int kLevels, bool kWhole, bool kMost, class T, class Key>
HWY_ATTR void shiftedVectors(const Piece<T> (&pieces)[3], int vectors, int made, int more,
                             const T* ahead, Key* out) {
    const hn::ScalableTag<Key> d;
    using V = hn::Vec<decltype(d)>;
    constexpr int kLanes = 64 / int(sizeof(Key));
    const hn::ScalableTag<std::int32_t> words;
    const auto moved = hn::Add(hn::Iota(words, 0), hn::Set(words, more));
    V after[kLevels + 1];
    WARPSCOPE_UNROLL
    for (int i = 0; i <= kLevels; ++i) after[i] = hn::Zero(d);
    int k = vectors - 1;
    for (int piece = 2; piece >= 0; --piece) {
        const T* row = pieces[piece].row;
        for (const int first = pieces[piece].first; k >= first; --k) {
            const T* at = row + k * kLanes;
            V best = keysAt(at);
            if constexpr (kLoads > 1) best = extreme<kMost>(best, keysAt(at + 1));
            if constexpr (kLoads > 2)
                best = extreme<kMost>(best, extreme<kMost>(keysAt(at + 2), keysAt(at + 3)));
            const auto twice = [&]<int kLevel>(std::integral_constant<int, kLevel>) HWY_ATTR {
                if constexpr (kLevel < kLevels) {
                    const V next = after[kLevel];
                    after[kLevel] = best;
                    best = extreme<kMost>(best, shifted<(kStep << kLevel)>(best, next));
                }
            };
            twice(std::integral_constant<int, 0>());
            twice(std::integral_constant<int, 1>());
            twice(std::integral_constant<int, 2>());
            twice(std::integral_constant<int, 3>());
            twice(std::integral_constant<int, 4>());
            if constexpr (kWhole) {
                const V next = after[kLevels];
                after[kLevels] = best;
                const V beyond{_mm512_permutex2var_epi32(best.raw, moved.raw, next.raw)};
                best = extreme<kMost>(best, beyond);
            }
            if (ahead) hwy::Prefetch(ahead + k * kLanes);
            if (k < made) hn::Store(best, d, out + k * kLanes);
        }
    }
}

template <bool kMost, int kLoads, int kStep, class T, class Key>
HWY_ATTR void shiftedWindows(const RowPart<T>& part, int radius, int channels, T* scratch,
                             Key* out) {
    constexpr int kLanes = 64 / int(sizeof(Key));
    const auto vectorsOf = [](int samples) { return (samples + kLanes - 1) / kLanes; };
    const int side = 2 * radius + 1;
    int levels = 0, length = kLoads;
    for (; 2 * length <= side && (kStep << levels) <= 16; length *= 2) ++levels;
    const int beyond = (side - length) * channels;
    const int beyondBytes = beyond * int(sizeof(Key));
    const bool whole = 2 * length > side && beyondBytes < 64 && beyondBytes % 4 == 0;
    const int made = vectorsOf(part.count + (whole ? 0 : beyond));
    const int vectors = made + vectorsOf((side - 1) * channels);
    // Vectors that lie in the row are loaded from there, the others from `scratch`.
    const int start = part.first - radius * channels;
    const int inside = std::min(vectors, vectorsOf(std::max(-start, 0)));
    const int last = (part.samples - start - (kLoads - 1)) / kLanes;
    const int outside = std::clamp(last, inside, vectors);
    if (inside > 0) copyPart(part, start, 0, inside * kLanes + kLoads - 1, scratch);
    if (outside < vectors)
        copyPart(part, start, outside * kLanes, vectors * kLanes + kLoads - 1, scratch);
    const Piece<T> pieces[3] = {{0, scratch}, {inside, part.row + start}, {outside, scratch}};
    const T* ahead = part.ahead ? part.ahead + start : nullptr;
    const auto run = [&]<int kLevels>(std::integral_constant<int, kLevels>) HWY_ATTR {
        if constexpr ((kStep << kLevels) <= 32) {
            // Of samples smaller than 32 bits windows are never so.
            if (kLoads == 1 && whole)
                shiftedVectors<kLoads, kStep, kLevels, kLoads == 1, kMost>(
                    pieces, vectors, made, beyondBytes / 4, ahead, out);
            else
                shiftedVectors<kLoads, kStep, kLevels, false, kMost>(pieces, vectors, made, 0,
                                                                     ahead, out);
        }
    };
    switch (levels) {
        case 0:
            run(std::integral_constant<int, 0>());
            break;
        case 1:
            run(std::integral_constant<int, 1>());
            break;
        case 2:
            run(std::integral_constant<int, 2>());
            break;
        case 3:
            run(std::integral_constant<int, 3>());
            break;
        case 4:
            run(std::integral_constant<int, 4>());
            break;
        case 5:
            run(std::integral_constant<int, 5>());
            break;
    }
    if (!whole) alongFrom<kMost>(length, out, side, channels, out, part.count);
}

template <bool kMost, class T, class Key>
HWY_ATTR void windows(const RowPart<T>& part, int radius, int channels, T* scratch, Key* out) {
    if (channels == 1)
        shiftedWindows<kMost, 4 / int(sizeof(T)), 1>(part, radius, channels, scratch, out);
    else
        shiftedWindows<kMost, 1, int(sizeof(T))>(part, radius, channels, scratch, out);
}

#else

template <bool kMost, class T, class Key>
HWY_ATTR void windows(const RowPart<T>& part, int radius, int channels, T* scratch, Key* out) {
    const int side = 2 * radius + 1, wide = part.count + (side - 1) * channels;
    copyPart(part, part.first - radius * channels, 0, wide, scratch);
    if constexpr (std::is_same_v<T, Key>) {
        along<kMost>(scratch, side, channels, out, part.count);
    } else {
        const hn::ScalableTag<Key> d;
        for (int i = 0; i < wide; i += int(hn::Lanes(d)))
            hn::StoreU(keysAt(scratch + i), d, out + i);
        alongFrom<kMost>(1, out, side, channels, out, part.count);
    }
}

#endif

template <class T, class Key>
HWY_ATTR void windowRow(Extreme which, const RowPart<T>& part, int radius, int channels, T* scratch,
                        Key* out) {
    which == Extreme::Most ? windows<true>(part, radius, channels, scratch, out)
                           : windows<false>(part, radius, channels, scratch, out);
}
HWY_ATTR void windows8(Extreme which, const RowPart<std::uint8_t>& part, int radius, int channels,
                       std::uint8_t* scratch, std::uint8_t* out) {
    windowRow(which, part, radius, channels, scratch, out);
}
HWY_ATTR void windows16(Extreme which, const RowPart<std::uint16_t>& part, int radius, int channels,
                        std::uint16_t* scratch, std::uint16_t* out) {
    windowRow(which, part, radius, channels, scratch, out);
}
HWY_ATTR void windowsFloat(Extreme which, const RowPart<float>& part, int radius, int channels,
                           float* scratch, std::int32_t* out) {
    windowRow(which, part, radius, channels, scratch, out);
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace warpscope {

HWY_EXPORT(along8);
HWY_EXPORT(around8);
HWY_EXPORT(along16);
HWY_EXPORT(around16);
HWY_EXPORT(along32);
HWY_EXPORT(around32);
HWY_EXPORT(windows8);
HWY_EXPORT(windows16);
HWY_EXPORT(windowsFloat);

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

void extremeOfWindows(Extreme which, const RowPart<std::uint8_t>& part, int radius, int channels,
                      std::uint8_t* scratch, std::uint8_t* out) {
    HWY_DYNAMIC_DISPATCH(windows8)(which, part, radius, channels, scratch, out);
}
void extremeOfWindows(Extreme which, const RowPart<std::uint16_t>& part, int radius, int channels,
                      std::uint16_t* scratch, std::uint16_t* out) {
    HWY_DYNAMIC_DISPATCH(windows16)(which, part, radius, channels, scratch, out);
}
void extremeOfWindows(Extreme which, const RowPart<float>& part, int radius, int channels,
                      float* scratch, std::int32_t* out) {
    HWY_DYNAMIC_DISPATCH(windowsFloat)(which, part, radius, channels, scratch, out);
}

}  // namespace warpscope

#endif  // HWY_ONCE
