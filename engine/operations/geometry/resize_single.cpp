#include "engine/operations/geometry/resize_single.h"

#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/geometry/resize_single.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "engine/operations/stream_store-inl.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

int resizeHalf8(const std::uint8_t*, const std::uint8_t*, bool, int, std::uint8_t*, bool) {
    return 0;
}
int resizeHalf16(const std::uint16_t*, const std::uint16_t*, bool, int, std::uint16_t*, bool) {
    return 0;
}
int resizeHalfFloat(const float*, const float*, bool, int, float*, bool) {
    return 0;
}
std::size_t resizePickAll(const ResizePicks&, const std::uint8_t*, std::uint8_t*, bool) {
    return 0;
}

#else

// Two rows at once are more than processors look ahead for.
template <class T>
HWY_ATTR HWY_INLINE void lookAhead(const T* above, const T* below) {
    constexpr int kAhead = 2048 / int(sizeof(T));
    hwy::Prefetch(above + kAhead);
    hwy::Prefetch(below + kAhead);
}

using HalfBytes = hn::ScalableTag<std::uint8_t>;

// Half of the lanes of D hold a sample each, in their low bits; those of even and of odd places.
template <class D>
struct HalfPair {
    hn::Vec<D> even, odd;
};

template <class D>
HWY_ATTR HWY_INLINE HalfPair<D> splitLanes(D d, hn::Vec<D> samples) {
    constexpr int kBits = int(sizeof(hn::TFromD<D>)) * 4;
    const auto mask = hn::Set(d, hn::TFromD<D>((hn::TFromD<D>(1) << kBits) - 1));
    return {hn::And(samples, mask), hn::ShiftRight<kBits>(samples)};
}

template <class D>
HWY_ATTR HWY_INLINE hn::Vec<D> meanOf(D d, hn::Vec<D> a, hn::Vec<D> b, hn::Vec<D> c, hn::Vec<D> e) {
    const auto two = hn::Set(d, hn::TFromD<D>(2));
    return hn::ShiftRight<2>(hn::Add(hn::Add(hn::Add(a, b), hn::Add(c, e)), two));
}

// Gray: neighbours lie in one lane of D, unsigned and twice as wide as a sample.
template <class T, class D>
HWY_ATTR int halfGray(D d, const T* above, const T* below, int pixels, T* to, bool stream) {
    const hn::RebindToSigned<D> di;
    const hn::Rebind<T, D> samples;
    const hn::Repartition<T, D> all;
    const int lanes = int(hn::Lanes(d));
    int x = 0;
    for (; x + lanes <= pixels; x += lanes) {
        const auto a = splitLanes(d, hn::BitCast(d, hn::LoadU(all, above + 2 * x)));
        const auto b = splitLanes(d, hn::BitCast(d, hn::LoadU(all, below + 2 * x)));
        const auto mean = meanOf(d, a.even, a.odd, b.even, b.odd);
        put(hn::DemoteTo(samples, hn::BitCast(di, mean)), samples, to + x, stream);
    }
    return x;
}

// Coloured: a lane of DP holds a pixel, two samples share one of D.
template <class T, class D, class DP>
HWY_ATTR int halfColour(D d, DP pixel, const T* above, const T* below, int pixels, T* to,
                        bool stream) {
    const hn::Repartition<T, D> all;
    const int lanes = int(hn::Lanes(pixel));
    int x = 0;
    for (; x + lanes <= pixels; x += lanes) {
        HalfPair<D> of[4];
        const T* const rows[2] = {above, below};
        for (int i = 0; i < 2; ++i) {
            const T* from = rows[i] + 8 * std::ptrdiff_t(x);
            const auto first = hn::BitCast(pixel, hn::LoadU(all, from));
            const auto second = hn::BitCast(pixel, hn::LoadU(all, from + 4 * lanes));
            of[2 * i] = splitLanes(d, hn::BitCast(d, hn::ConcatEven(pixel, second, first)));
            of[2 * i + 1] = splitLanes(d, hn::BitCast(d, hn::ConcatOdd(pixel, second, first)));
        }
        const auto even = meanOf(d, of[0].even, of[1].even, of[2].even, of[3].even);
        const auto odd = meanOf(d, of[0].odd, of[1].odd, of[2].odd, of[3].odd);
        const auto made = hn::Or(even, hn::ShiftLeft<int(sizeof(T)) * 8>(odd));
        put(hn::BitCast(all, made), all, to + 4 * std::ptrdiff_t(x), stream);
    }
    return x;
}

HWY_ATTR int resizeHalf8(const std::uint8_t* above, const std::uint8_t* below, bool colour,
                         int pixels, std::uint8_t* to, bool stream) {
    const hn::Repartition<std::uint16_t, HalfBytes> d;
    const hn::Repartition<std::uint32_t, HalfBytes> pixel;
    return colour ? halfColour(d, pixel, above, below, pixels, to, stream)
                  : halfGray(d, above, below, pixels, to, stream);
}

HWY_ATTR int resizeHalf16(const std::uint16_t* above, const std::uint16_t* below, bool colour,
                          int pixels, std::uint16_t* to, bool stream) {
    const hn::Repartition<std::uint32_t, HalfBytes> d;
    const hn::Repartition<std::uint64_t, HalfBytes> pixel;
    return colour ? halfColour(d, pixel, above, below, pixels, to, stream)
                  : halfGray(d, above, below, pixels, to, stream);
}

// float(0.5 a + 0.5 b) of sums in double. Halves are exact but of the smallest, sums overflow for
// the largest alone; and no zero is negative.
template <class D>
HWY_ATTR HWY_INLINE hn::Vec<D> floatMean(D d, hn::Vec<D> a, hn::Vec<D> b) {
    const auto half = hn::Set(d, 0.5f);
    const auto sum = hn::Add(a, b);
    const auto large = hn::Add(hn::Mul(a, half), hn::Mul(b, half));
    return hn::Add(
        hn::IfThenElse(hn::Gt(hn::Abs(sum), hn::Set(d, 1.0f)), large, hn::Mul(sum, half)),
        hn::Zero(d));
}

HWY_ATTR int resizeHalfFloat(const float* above, const float* below, bool colour, int pixels,
                             float* to, bool stream) {
    if (colour) {
        const hn::CappedTag<float, 4> d;
        const int lanes = int(hn::Lanes(d));
        int x = 0;
        // Two pixels at a time: of those beside each other the first, and the second.
        const hn::CappedTag<float, 8> two;
        // The most that there are says nothing where only the processor knows.
        if (hn::Lanes(two) == 8)
            for (; x + 2 <= pixels; x += 2) {
                lookAhead(above + 8 * std::ptrdiff_t(x), below + 8 * std::ptrdiff_t(x));
                const auto rowMean = [&](const float* row) HWY_ATTR {
                    const auto a = hn::LoadU(two, row + 8 * std::ptrdiff_t(x)),
                               b = hn::LoadU(two, row + 8 * std::ptrdiff_t(x) + 8);
                    return floatMean(two, hn::ConcatLowerLower(two, b, a),
                                     hn::ConcatUpperUpper(two, b, a));
                };
                put(floatMean(two, rowMean(above), rowMean(below)), two, to + 4 * std::ptrdiff_t(x),
                    stream);
            }
        for (; x < pixels; ++x)
            for (int c = 0; c < 4; c += lanes) {
                const std::ptrdiff_t at = 8 * std::ptrdiff_t(x) + c;
                const auto upper =
                    floatMean(d, hn::LoadU(d, above + at), hn::LoadU(d, above + at + 4));
                const auto lower =
                    floatMean(d, hn::LoadU(d, below + at), hn::LoadU(d, below + at + 4));
                put(floatMean(d, upper, lower), d, to + 4 * std::ptrdiff_t(x) + c, stream);
            }
        return pixels;
    }
    const hn::Repartition<float, HalfBytes> d;
    const int lanes = int(hn::Lanes(d));
    int x = 0;
    for (; x + lanes <= pixels; x += lanes) {
        const auto rowMean = [&](const float* row) HWY_ATTR {
            const auto first = hn::LoadU(d, row + 2 * x),
                       second = hn::LoadU(d, row + 2 * x + lanes);
            return floatMean(d, hn::ConcatEven(d, second, first), hn::ConcatOdd(d, second, first));
        };
        put(floatMean(d, rowMean(above), rowMean(below)), d, to + x, stream);
    }
    return x;
}

HWY_ATTR std::size_t resizePickAll(const ResizePicks& picks, const std::uint8_t* from,
                                   std::uint8_t* to, bool stream) {
    const hn::CappedTag<std::uint8_t, 16> d;
    const std::uint8_t* list = picks.picks.data();
    for (std::size_t i = 0; i < picks.at.size(); ++i, list += 32, to += 16) {
        const std::uint8_t* near = from + picks.at[i];
        auto made = hn::TableLookupBytesOr0(hn::LoadU(d, near), hn::LoadU(d, list));
        if (picks.isWide)
            made = hn::Or(
                made, hn::TableLookupBytesOr0(hn::LoadU(d, near + 16), hn::LoadU(d, list + 16)));
        put(made, d, to, stream);
    }
    return picks.at.size() * 16;
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace warpscope {

HWY_EXPORT(resizeHalf8);
HWY_EXPORT(resizeHalf16);
HWY_EXPORT(resizeHalfFloat);
HWY_EXPORT(resizePickAll);

int resizeHalf(const std::uint8_t* above, const std::uint8_t* below, int channels, int pixels,
               std::uint8_t* to, bool stream) {
    return HWY_DYNAMIC_DISPATCH(resizeHalf8)(above, below, channels == 4, pixels, to, stream);
}

int resizeHalf(const std::uint16_t* above, const std::uint16_t* below, int channels, int pixels,
               std::uint16_t* to, bool stream) {
    return HWY_DYNAMIC_DISPATCH(resizeHalf16)(above, below, channels == 4, pixels, to, stream);
}

int resizeHalf(const float* above, const float* below, int channels, int pixels, float* to,
               bool stream) {
    return HWY_DYNAMIC_DISPATCH(resizeHalfFloat)(above, below, channels == 4, pixels, to, stream);
}

std::size_t resizePick(const ResizePicks& picks, const std::byte* from, std::byte* to,
                       bool stream) {
    return HWY_DYNAMIC_DISPATCH(resizePickAll)(picks, reinterpret_cast<const std::uint8_t*>(from),
                                               reinterpret_cast<std::uint8_t*>(to), stream);
}

ResizePicks resizePicksOf(const ResizeAxis& axis, int pixelBytes) {
    constexpr int kBlock = 16;
    ResizePicks made;
    if (pixelBytes >= kBlock) return made;
    const int perBlock = kBlock / pixelBytes;
    for (std::size_t x = 0; x + std::size_t(perBlock) <= axis.first.size();
         x += std::size_t(perBlock)) {
        const std::int64_t at = std::int64_t(axis.first[x]) * pixelBytes;
        if (at > std::numeric_limits<std::int32_t>::max()) return {};
        made.at.push_back(std::int32_t(at));
        std::uint8_t low[kBlock], high[kBlock];
        for (int i = 0; i < kBlock; ++i) {
            const std::int64_t byte =
                std::int64_t(axis.first[x + std::size_t(i / pixelBytes)]) * pixelBytes +
                i % pixelBytes - at;
            if (byte >= 2 * kBlock) return {};
            low[i] = byte < kBlock ? std::uint8_t(byte) : 0x80;
            high[i] = byte < kBlock ? 0x80 : std::uint8_t(byte - kBlock);
            made.isWide = made.isWide || byte >= kBlock;
        }
        made.picks.insert(made.picks.end(), low, low + kBlock);
        made.picks.insert(made.picks.end(), high, high + kBlock);
    }
    return made;
}

}  // namespace warpscope

#endif  // HWY_ONCE
