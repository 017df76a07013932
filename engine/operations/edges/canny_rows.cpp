#include "engine/operations/edges/canny_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/edges/canny_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <limits>

#include "engine/operations/edges/canny.h"
#include "engine/operations/edges/luma_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Rows of lanes have room beyond their end.
template <class T, class Lane>
HWY_ATTR HWY_INLINE void gradientsOfRow(const T* above, const T* here, const T* below, int width,
                                        const CannyGradients<Lane>& row) {
    const typename SampleLanes<T>::D d;
    for (int x = 0; x < width; x += int(hn::Lanes(d))) {
        const auto a0 = loadLanes(above + x - 1), a2 = loadLanes(above + x + 1);
        const auto b0 = loadLanes(below + x - 1), b2 = loadLanes(below + x + 1);
        const auto across = hn::Sub(loadLanes(here + x + 1), loadLanes(here + x - 1));
        const auto down = hn::Sub(loadLanes(below + x), loadLanes(above + x));
        const auto falling = hn::Sub(b2, a0), rising = hn::Sub(b0, a2);
        const auto gx = hn::Add(hn::Sub(falling, rising), hn::Add(across, across));
        const auto gy = hn::Add(hn::Add(falling, rising), hn::Add(down, down));
        hn::StoreU(gx, d, row.gx + x);
        hn::StoreU(gy, d, row.gy + x);
        hn::StoreU(hn::Add(hn::Abs(gx), hn::Abs(gy)), d, row.magnitude + x);
    }
    row.magnitude[-1] = row.magnitude[width] = 0;
}

// floor and ceil of 13573 v / 2^15 for v from 0 to 1020, or to 262,140. The product is a multiple
// of 2^15 only where v is one.
template <class V>
struct Bounds {
    V floor, ceil;
};
template <class D, class V>
HWY_ATTR HWY_INLINE Bounds<V> tangentOf(D d, V v) {
    if constexpr (sizeof(hn::TFromD<D>) == 2) {
        const V floor = hn::MulHigh(hn::Add(v, v), hn::Set(d, std::int16_t(kTangent22)));
        return {floor, hn::Sub(floor, hn::VecFromMask(d, hn::Gt(v, hn::Zero(d))))};
    } else {
        // Below 2^32.
        const hn::RebindToUnsigned<D> du;
        const auto product = hn::Mul(hn::BitCast(du, v), hn::Set(du, unsigned(kTangent22)));
        const auto ceil = hn::ShiftRight<15>(hn::Add(product, hn::Set(du, 32767u)));
        return {hn::BitCast(d, hn::ShiftRight<15>(product)), hn::BitCast(d, ceil)};
    }
}

template <class T, class Lane>
HWY_ATTR HWY_INLINE int candidatesOfRow(const Lane* above, const CannyGradients<Lane>& here,
                                        const Lane* below, int low, int high, int width, T* out,
                                        int* strong) {
    constexpr T kWhite = std::numeric_limits<T>::max();
    const typename SampleLanes<T>::D d;
    const typename SampleLanes<T>::Loaded loaded;
    const auto lowest = hn::Set(d, Lane(low)), highest = hn::Set(d, Lane(high));
    const auto weak = hn::Set(d, Lane(kWeakEdge)), white = hn::Set(d, Lane(kWhite));
    const int lanes = int(hn::Lanes(d));
    int found = 0;
    for (int x = 0; x < width; x += lanes) {
        const auto at = [&](const Lane* row, int by)
                            HWY_ATTR { return hn::LoadU(d, row + x + by); };
        const auto m = at(here.magnitude, 0);
        const auto seen = hn::Gt(m, lowest);
        auto made = hn::Zero(d);
        bool any = false;
        if (!hn::AllFalse(d, seen)) {
            const auto gx = at(here.gx, 0), gy = at(here.gy, 0);
            const auto ax = hn::Abs(gx), ay = hn::Abs(gy);
            const auto tangent = tangentOf(d, ax);
            const auto flat = hn::Lt(ay, tangent.ceil);
            const auto steep = hn::Gt(hn::Sub(ay, hn::Add(ax, ax)), tangent.floor);
            const auto opposite = hn::Lt(hn::Xor(gx, gy), hn::Zero(d));
            // The neighbour before, which must be smaller, and the one after.
            auto before = hn::IfThenElse(opposite, at(above, 1), at(above, -1));
            auto after = hn::IfThenElse(opposite, at(below, -1), at(below, 1));
            before = hn::IfThenElse(steep, at(above, 0), before);
            after = hn::IfThenElse(steep, at(below, 0), after);
            before = hn::IfThenElse(flat, at(here.magnitude, -1), before);
            after = hn::IfThenElse(flat, at(here.magnitude, 1), after);
            // On the diagonal the one after must be smaller too: no less than one more.
            const auto straight = hn::VecFromMask(d, hn::Or(flat, steep));
            after = hn::Sub(after, hn::AndNot(straight, hn::Set(d, Lane(-1))));
            const auto largest = hn::And(hn::Gt(m, before), hn::Not(hn::Gt(after, m)));
            const auto candidate = hn::And(seen, largest);
            const auto edge = hn::And(candidate, hn::Gt(m, highest));
            made = hn::IfThenElseZero(candidate, weak);
            made = hn::IfThenElse(edge, white, made);
            any = !hn::AllFalse(d, edge);
        }
        const int count = width - x < lanes ? width - x : lanes;
        if (count == lanes) {
            hn::StoreU(samplesOf<T>(made), loaded, out + x);
        } else {
            T last[hn::MaxLanes(loaded)];
            hn::StoreU(samplesOf<T>(made), loaded, last);
            std::memcpy(out + x, last, std::size_t(count) * sizeof(T));
        }
        if (!any) continue;
        for (int k = x; k < x + count; ++k)
            if (out[k] == kWhite) strong[found++] = k;
    }
    return found;
}

template <class T>
HWY_ATTR HWY_INLINE void keepWhiteInRow(T* row, int width) {
    const hn::ScalableTag<T> d;
    const int lanes = int(hn::Lanes(d));
    const auto weak = hn::Set(d, T(kWeakEdge));
    int x = 0;
    for (; x + lanes <= width; x += lanes) {
        const auto v = hn::LoadU(d, row + x);
        hn::StoreU(hn::IfThenZeroElse(hn::Eq(v, weak), v), d, row + x);
    }
    for (; x < width; ++x)
        if (row[x] == T(kWeakEdge)) row[x] = 0;
}

HWY_ATTR void gradients8(const std::uint8_t* above, const std::uint8_t* here,
                         const std::uint8_t* below, int width,
                         const CannyGradients<std::int16_t>& row) {
    gradientsOfRow(above, here, below, width, row);
}
HWY_ATTR void gradients16(const std::uint16_t* above, const std::uint16_t* here,
                          const std::uint16_t* below, int width,
                          const CannyGradients<std::int32_t>& row) {
    gradientsOfRow(above, here, below, width, row);
}
HWY_ATTR int candidates8(const std::int16_t* above, const CannyGradients<std::int16_t>& here,
                         const std::int16_t* below, int low, int high, int width, std::uint8_t* out,
                         int* strong) {
    return candidatesOfRow(above, here, below, low, high, width, out, strong);
}
HWY_ATTR int candidates16(const std::int32_t* above, const CannyGradients<std::int32_t>& here,
                          const std::int32_t* below, int low, int high, int width,
                          std::uint16_t* out, int* strong) {
    return candidatesOfRow(above, here, below, low, high, width, out, strong);
}
HWY_ATTR void keepWhite8(std::uint8_t* row, int width) {
    keepWhiteInRow(row, width);
}
HWY_ATTR void keepWhite16(std::uint16_t* row, int width) {
    keepWhiteInRow(row, width);
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace warpscope {
namespace {

HWY_EXPORT(gradients8);
HWY_EXPORT(gradients16);
HWY_EXPORT(candidates8);
HWY_EXPORT(candidates16);
HWY_EXPORT(keepWhite8);
HWY_EXPORT(keepWhite16);

}  // namespace

void cannyGradients(const std::uint8_t* above, const std::uint8_t* here, const std::uint8_t* below,
                    int width, const CannyGradients<std::int16_t>& row) {
    HWY_DYNAMIC_DISPATCH(gradients8)(above, here, below, width, row);
}
void cannyGradients(const std::uint16_t* above, const std::uint16_t* here,
                    const std::uint16_t* below, int width,
                    const CannyGradients<std::int32_t>& row) {
    HWY_DYNAMIC_DISPATCH(gradients16)(above, here, below, width, row);
}

int cannyCandidates(const std::int16_t* above, const CannyGradients<std::int16_t>& here,
                    const std::int16_t* below, int low, int high, int width, std::uint8_t* out,
                    int* strong) {
    return HWY_DYNAMIC_DISPATCH(candidates8)(above, here, below, low, high, width, out, strong);
}
int cannyCandidates(const std::int32_t* above, const CannyGradients<std::int32_t>& here,
                    const std::int32_t* below, int low, int high, int width, std::uint16_t* out,
                    int* strong) {
    return HWY_DYNAMIC_DISPATCH(candidates16)(above, here, below, low, high, width, out, strong);
}

void cannyKeepWhite(std::uint8_t* row, int width) {
    HWY_DYNAMIC_DISPATCH(keepWhite8)(row, width);
}
void cannyKeepWhite(std::uint16_t* row, int width) {
    HWY_DYNAMIC_DISPATCH(keepWhite16)(row, width);
}

}  // namespace warpscope

#endif  // HWY_ONCE
