#include "engine/operations/geometry/rotate_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/geometry/rotate_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

int rotateGray8(const RotateRun&, std::uint8_t*, int) {
    return 0;
}
int rotateGray16(const RotateRun&, std::uint16_t*, int) {
    return 0;
}
int rotateRgba8(const RotateRun&, std::uint8_t*, int) {
    return 0;
}

#else

using DU = hn::ScalableTag<std::uint32_t>;
using DI = hn::RebindToSigned<DU>;
using VU = hn::Vec<DU>;

// Coordinates of neighbouring output pixels along one axis.
class RotateAxis {
  public:
    HWY_ATTR RotateAxis(std::int64_t at, std::int64_t step) {
        const D64 d;
        alignas(64) std::uint64_t first[hn::MaxLanes(D64())];
        for (std::size_t i = 0; i < hn::Lanes(d); ++i)
            first[i] = std::uint64_t(at + (std::int64_t(1) << 23)) + std::uint64_t(step) * i;
        m_low = hn::Load(d, first);
        m_half = hn::Set(d, std::uint64_t(step) * hn::Lanes(d));
    }
    // Those of the next vector of pixels, with 8 fraction bits; none is negative.
    HWY_ATTR HWY_INLINE VU next() {
        const hn::Half<DU> half;
        const auto high = hn::Add(m_low, m_half);
        const auto low = m_low;
        m_low = hn::Add(high, m_half);
        return hn::Combine(DU(), hn::TruncateTo(half, hn::ShiftRight<24>(high)),
                           hn::TruncateTo(half, hn::ShiftRight<24>(low)));
    }

  private:
    using D64 = hn::Repartition<std::uint64_t, DU>;
    hn::Vec<D64> m_low, m_half;
};

// The mean of four by weights of 8 bits: as the definition's sum, in another order.
HWY_ATTR HWY_INLINE VU fourTaps(VU a, VU b, VU c, VU d, VU right, VU below) {
    const VU upper = hn::Add(hn::ShiftLeft<8>(a), hn::Mul(right, hn::Sub(b, a)));
    const VU lower = hn::Add(hn::ShiftLeft<8>(c), hn::Mul(right, hn::Sub(d, c)));
    const VU sum = hn::Add(hn::ShiftLeft<8>(upper), hn::Mul(below, hn::Sub(lower, upper)));
    return hn::ShiftRight<16>(hn::Add(sum, hn::Set(DU(), 32768)));
}

// Calls make(first bytes of the upper two taps, offset, right, below, place) for whole vectors.
template <int kPixelBytes, class Make>
HWY_ATTR HWY_INLINE int rotateVectors(const RotateRun& run, int pixels, const Make& make) {
    const DU d;
    const int lanes = int(hn::Lanes(d));
    RotateAxis x(run.x, run.stepX), y(run.y, run.stepY);
    const VU fraction = hn::Set(d, 255);
    const VU left = hn::Set(d, std::uint32_t(run.left)), top = hn::Set(d, std::uint32_t(run.top));
    const VU pitch = hn::Set(d, std::uint32_t(run.pitch));
    int i = 0;
    for (; i + lanes <= pixels; i += lanes) {
        const VU atX = x.next(), atY = y.next();
        const VU column = hn::Sub(hn::ShiftRight<8>(atX), left);
        const VU row = hn::Sub(hn::ShiftRight<8>(atY), top);
        const VU offset = hn::Add(hn::Mul(row, pitch), hn::Mul(column, hn::Set(d, kPixelBytes)));
        make(hn::BitCast(DI(), offset), hn::And(atX, fraction), hn::And(atY, fraction), i);
    }
    return i;
}

HWY_ATTR HWY_INLINE VU bytesAt(const std::byte* from, hn::Vec<DI> offset) {
    return hn::GatherOffset(DU(), reinterpret_cast<const std::uint32_t*>(from), offset);
}

// Two neighbouring taps lie in the 4 bytes from the left one on.
template <class T>
HWY_ATTR int rotateGray(const RotateRun& run, T* to, int pixels) {
    const DU d;
    const hn::Rebind<T, DU> samples;
    constexpr int kBits = 8 * int(sizeof(T));
    const VU mask = hn::Set(d, (1u << kBits) - 1);
    return rotateVectors<int(sizeof(T))>(
        run, pixels, [&](hn::Vec<DI> offset, VU right, VU below, int i) HWY_ATTR {
            const VU upper = bytesAt(run.data, offset),
                     lower = bytesAt(run.data + run.pitch, offset);
            const VU made = fourTaps(
                hn::And(upper, mask), hn::And(hn::ShiftRight<kBits>(upper), mask),
                hn::And(lower, mask), hn::And(hn::ShiftRight<kBits>(lower), mask), right, below);
            hn::StoreU(hn::TruncateTo(samples, made), samples, to + i);
        });
}

HWY_ATTR int rotateGray8(const RotateRun& run, std::uint8_t* to, int pixels) {
    return rotateGray(run, to, pixels);
}
HWY_ATTR int rotateGray16(const RotateRun& run, std::uint16_t* to, int pixels) {
    return rotateGray(run, to, pixels);
}

template <int kShift>
HWY_ATTR HWY_INLINE VU byteTaps(VU a, VU b, VU c, VU d, VU right, VU below) {
    const VU mask = hn::Set(DU(), 255);
    const auto tap = [&](VU v) HWY_ATTR { return hn::And(hn::ShiftRight<kShift>(v), mask); };
    return hn::ShiftLeft<kShift>(fourTaps(tap(a), tap(b), tap(c), tap(d), right, below));
}

HWY_ATTR int rotateRgba8(const RotateRun& run, std::uint8_t* to, int pixels) {
    return rotateVectors<4>(
        run, pixels, [&](hn::Vec<DI> offset, VU right, VU below, int i) HWY_ATTR {
            const std::byte* next = run.data + run.pitch;
            const VU a = bytesAt(run.data, offset), b = bytesAt(run.data + 4, offset);
            const VU c = bytesAt(next, offset), d = bytesAt(next + 4, offset);
            const VU low = hn::Or(byteTaps<0>(a, b, c, d, right, below),
                                  byteTaps<8>(a, b, c, d, right, below));
            const VU high = hn::Or(byteTaps<16>(a, b, c, d, right, below),
                                   byteTaps<24>(a, b, c, d, right, below));
            const hn::Repartition<std::uint8_t, DU> bytes;
            hn::StoreU(hn::BitCast(bytes, hn::Or(low, high)), bytes, to + 4 * std::ptrdiff_t(i));
        });
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace warpscope {

HWY_EXPORT(rotateGray8);
HWY_EXPORT(rotateGray16);
HWY_EXPORT(rotateRgba8);

int rotateInside(const RotateRun& run, std::uint8_t* to, int channels, int pixels) {
    return channels == 1 ? HWY_DYNAMIC_DISPATCH(rotateGray8)(run, to, pixels)
                         : HWY_DYNAMIC_DISPATCH(rotateRgba8)(run, to, pixels);
}

int rotateInside(const RotateRun& run, std::uint16_t* to, int channels, int pixels) {
    return channels == 1 ? HWY_DYNAMIC_DISPATCH(rotateGray16)(run, to, pixels) : 0;
}

}  // namespace warpscope

#endif  // HWY_ONCE
