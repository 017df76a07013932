#include "engine/operations/analysis/integral_image_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/analysis/integral_image_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "engine/operations/vector_loops.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Columns [x, width) of one row, `carry` being the sum of its samples before x.
template <class T, class S>
HWY_INLINE void finishRow(const T* in, S carry, S* above, S* out, int x, int width) {
    for (; x < width; ++x) {
        carry += in[x];
        above[x] += carry;
        out[x] = above[x];
    }
}

// With several rows, each adds to what the row before it left in `above`: for the tail that means
// one row after the other, the carry of a row being its own samples only.
#if HWY_TARGET == HWY_SCALAR

template <class T, class S>
void rowsKernel(const T* const* in, int rows, S* above, S* const* out, int width, bool) {
    for (int k = 0; k < rows; ++k) finishRow(in[k], S{0}, above, out[k], 0, width);
}

template <class T, class S>
void columnsKernel(const T* const* in, int rows, S* columns, int width) {
    for (int k = 0; k < rows; ++k)
        for (int x = 0; x < width; ++x) columns[x] += in[k][x];
}

#else

using D16 = hn::ScalableTag<std::uint16_t>;
using D32 = hn::ScalableTag<std::uint32_t>;
using D64 = hn::ScalableTag<std::uint64_t>;
using V32 = hn::Vec<D32>;
using V64 = hn::Vec<D64>;
using Index32 = decltype(hn::SetTableIndices(D32(), static_cast<const std::int32_t*>(nullptr)));

// Inclusive prefix sums over two vectors of 32-bit lanes, whose values stay far below 2^32.
struct Prefix {
    V32 low, high;
};

class Scanner {
  public:
    HWY_ATTR Scanner() {
        alignas(64) std::int32_t lanes[hn::MaxLanes(D32())];
        alignas(64) std::uint32_t mask[hn::MaxLanes(D32())];
        const int n = int(hn::Lanes(D32()));
        // Odd blocks of four lanes take the last lane of the block before.
        for (int i = 0; i < n; ++i) {
            const bool takes = i / 4 % 2 == 1;
            lanes[i] = takes ? i / 4 * 4 - 1 : 0;
            mask[i] = takes ? 0xFFFFFFFFu : 0;
        }
        m_fromBlock = hn::SetTableIndices(D32(), lanes);
        m_blockMask = hn::Load(D32(), mask);
        // The upper eight lanes of sixteen take the last one of the lower eight.
        for (int i = 0; i < n; ++i) {
            lanes[i] = i / 8 == 1 ? 7 : 0;
            mask[i] = i / 8 == 1 ? 0xFFFFFFFFu : 0;
        }
        m_fromEight = hn::SetTableIndices(D32(), lanes);
        m_eightMask = hn::Load(D32(), mask);
        for (int i = 0; i < n; ++i) lanes[i] = n - 1;
        m_last = hn::SetTableIndices(D32(), lanes);
    }

    HWY_ATTR HWY_INLINE V32 last(V32 v) const { return hn::TableLookupLanes(v, m_last); }

    // Over two vectors of bytes widened to 16 bits: eight lanes at a time need no widening yet.
    HWY_ATTR HWY_INLINE Prefix operator()(const std::uint8_t* in) const {
        const D16 d16;
        const hn::Rebind<std::uint8_t, D16> bytes;
        auto v = hn::PromoteTo(d16, hn::LoadU(bytes, in));
        v = hn::Add(v, hn::ShiftLeftLanes<1>(d16, v));
        v = hn::Add(v, hn::ShiftLeftLanes<2>(d16, v));
        v = hn::Add(v, hn::ShiftLeftLanes<4>(d16, v));
        const hn::Half<D16> half;
        V32 low = hn::PromoteTo(D32(), hn::LowerHalf(half, v));
        V32 high = hn::PromoteTo(D32(), hn::UpperHalf(half, v));
        if constexpr (hn::MaxLanes(D32()) == 4) return {low, high};  // eight lanes: done
        if constexpr (hn::MaxLanes(D32()) >= 16) {
            low = overSixteen(low);
            high = overSixteen(high);
        }
        return {low, hn::Add(high, last(low))};
    }

    HWY_ATTR HWY_INLINE Prefix operator()(const std::uint16_t* in) const {
        const D16 d16;
        const hn::Half<D16> half;
        const auto v = hn::LoadU(d16, in);
        const V32 low = scan(hn::PromoteTo(D32(), hn::LowerHalf(half, v)));
        const V32 high = scan(hn::PromoteTo(D32(), hn::UpperHalf(half, v)));
        return {low, hn::Add(high, last(low))};
    }

  private:
    HWY_ATTR HWY_INLINE V32 overSixteen(V32 v) const {
        return hn::Add(v, hn::And(hn::TableLookupLanes(v, m_fromEight), m_eightMask));
    }

    HWY_ATTR HWY_INLINE V32 scan(V32 v) const {
        const D32 d32;
        v = hn::Add(v, hn::ShiftLeftLanes<1>(d32, v));
        v = hn::Add(v, hn::ShiftLeftLanes<2>(d32, v));
        if constexpr (hn::MaxLanes(D32()) >= 8)
            v = hn::Add(v, hn::And(hn::TableLookupLanes(v, m_fromBlock), m_blockMask));
        if constexpr (hn::MaxLanes(D32()) >= 16) v = overSixteen(v);
        return v;
    }

    Index32 m_fromBlock, m_fromEight, m_last;
    V32 m_blockMask, m_eightMask;
};

// Part j of a prefix as vectors of sums: two of 32 bits or four of 64.
template <int j>
HWY_ATTR HWY_INLINE V32 part(const Prefix& p, D32) {
    return j == 0 ? p.low : p.high;
}
template <int j>
HWY_ATTR HWY_INLINE V64 part(const Prefix& p, D64 d64) {
    const hn::Half<D32> half;
    const V32 v = j < 2 ? p.low : p.high;
    if constexpr (j % 2 == 0)
        return hn::PromoteTo(d64, hn::LowerHalf(half, v));
    else
        return hn::PromoteTo(d64, hn::UpperHalf(half, v));
}

HWY_ATTR HWY_INLINE V32 widened(V32 v, D32) {
    return v;
}
HWY_ATTR HWY_INLINE V64 widened(V32 v, D64 d64) {
    return hn::PromoteTo(d64, hn::LowerHalf(hn::Half<D32>(), v));
}

template <bool kStream, class DS>
HWY_ATTR HWY_INLINE void put(hn::Vec<DS> v, DS ds, hn::TFromD<DS>* out) {
    if constexpr (kStream)
        hn::Stream(v, ds, out);
    else
        hn::StoreU(v, ds, out);
}

template <bool kStream, int kRows, class T, class S>
HWY_ATTR void fixedRows(const T* const* in, S* above, S* const* out, int width) {
    const hn::ScalableTag<S> ds;
    using VS = hn::Vec<decltype(ds)>;
    constexpr int kParts = sizeof(S) == 4 ? 2 : 4;
    const int lanes = int(hn::Lanes(ds));
    const int step = kParts * lanes;
    const Scanner scanner;
    VS carry[kRows];
    WARPSCOPE_UNROLL
    for (int k = 0; k < kRows; ++k) carry[k] = hn::Zero(ds);
    int x = 0;
    for (; x + step <= width; x += step) {
        VS sum[kParts];
        WARPSCOPE_UNROLL
        for (int j = 0; j < kParts; ++j) sum[j] = hn::LoadU(ds, above + x + j * lanes);
        WARPSCOPE_UNROLL
        for (int k = 0; k < kRows; ++k) {
            const Prefix prefix = scanner(in[k] + x);
            sum[0] = hn::Add(sum[0], hn::Add(carry[k], part<0>(prefix, ds)));
            sum[1] = hn::Add(sum[1], hn::Add(carry[k], part<1>(prefix, ds)));
            if constexpr (kParts == 4) {
                sum[2] = hn::Add(sum[2], hn::Add(carry[k], part<2>(prefix, ds)));
                sum[3] = hn::Add(sum[3], hn::Add(carry[k], part<3>(prefix, ds)));
            }
            carry[k] = hn::Add(carry[k], widened(scanner.last(prefix.high), ds));
            WARPSCOPE_UNROLL
            for (int j = 0; j < kParts; ++j) put<kStream>(sum[j], ds, out[k] + x + j * lanes);
        }
        WARPSCOPE_UNROLL
        for (int j = 0; j < kParts; ++j) hn::StoreU(sum[j], ds, above + x + j * lanes);
    }
    for (int k = 0; k < kRows; ++k)
        finishRow(in[k], hn::GetLane(carry[k]), above, out[k], x, width);
}

template <bool kStream, class T, class S>
HWY_ATTR void anyRows(const T* const* in, int rows, S* above, S* const* out, int width) {
    if (rows == 4) return fixedRows<kStream, 4>(in, above, out, width);
    for (int k = 0; k < rows; ++k) fixedRows<kStream, 1>(in + k, above, out + k, width);
}

template <class T, class S>
HWY_ATTR void rowsKernel(const T* const* in, int rows, S* above, S* const* out, int width,
                         bool stream) {
    if (stream)
        anyRows<true>(in, rows, above, out, width);
    else
        anyRows<false>(in, rows, above, out, width);
}

template <class T, class S>
HWY_ATTR void columnsKernel(const T* const* in, int rows, S* columns, int width) {
    const hn::ScalableTag<S> ds;
    const hn::Rebind<T, D32> narrow;
    constexpr int kParts = sizeof(S) / 4;
    const int lanes = int(hn::Lanes(ds));
    const int step = kParts * lanes;  // lanes of 32 bits
    int x = 0;
    for (; x + step <= width; x += step) {
        V32 four = hn::Zero(D32());
        for (int k = 0; k < rows; ++k)
            four = hn::Add(four, hn::PromoteTo(D32(), hn::LoadU(narrow, in[k] + x)));
        const Prefix both{four, four};
        hn::StoreU(hn::Add(hn::LoadU(ds, columns + x), part<0>(both, ds)), ds, columns + x);
        if constexpr (kParts == 2) {
            S* upper = columns + x + lanes;
            hn::StoreU(hn::Add(hn::LoadU(ds, upper), part<1>(both, ds)), ds, upper);
        }
    }
    for (; x < width; ++x)
        for (int k = 0; k < rows; ++k) columns[x] += in[k][x];
}

#endif

template <class T, class S>
IntegralKernels<T, S> kernels() {
    return {rowsKernel<T, S>, columnsKernel<T, S>};
}
auto kernels8to32() {
    return kernels<std::uint8_t, std::uint32_t>();
}
auto kernels8to64() {
    return kernels<std::uint8_t, std::uint64_t>();
}
auto kernels16to32() {
    return kernels<std::uint16_t, std::uint32_t>();
}
auto kernels16to64() {
    return kernels<std::uint16_t, std::uint64_t>();
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace warpscope {

HWY_EXPORT(kernels8to32);
HWY_EXPORT(kernels8to64);
HWY_EXPORT(kernels16to32);
HWY_EXPORT(kernels16to64);

template <>
IntegralKernels<std::uint8_t, std::uint32_t> integralKernels() {
    return HWY_DYNAMIC_DISPATCH(kernels8to32)();
}
template <>
IntegralKernels<std::uint8_t, std::uint64_t> integralKernels() {
    return HWY_DYNAMIC_DISPATCH(kernels8to64)();
}
template <>
IntegralKernels<std::uint16_t, std::uint32_t> integralKernels() {
    return HWY_DYNAMIC_DISPATCH(kernels16to32)();
}
template <>
IntegralKernels<std::uint16_t, std::uint64_t> integralKernels() {
    return HWY_DYNAMIC_DISPATCH(kernels16to64)();
}

}  // namespace warpscope

#endif  // HWY_ONCE
