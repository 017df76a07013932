// Vectors of samples in lanes that hold small whole multiples of their differences exactly.
// Included once for each instruction set.
#if defined(WARPSCOPE_LUMA_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WARPSCOPE_LUMA_LANES_INL_H
#undef WARPSCOPE_LUMA_LANES_INL_H
#else
#define WARPSCOPE_LUMA_LANES_INL_H
#endif

#include <hwy/highway.h>

#include <cstdint>
#include <cstring>
#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// The lanes for samples of type T, and the samples that fill them.
template <class T>
struct SampleLanes;
template <>
struct SampleLanes<std::uint8_t> {
    using D = hn::ScalableTag<std::int16_t>;
    using Loaded = hn::Rebind<std::uint8_t, D>;
};
template <>
struct SampleLanes<std::uint16_t> {
    using D = hn::ScalableTag<std::int32_t>;
    using Loaded = hn::Rebind<std::uint16_t, D>;
};
// As many as fit a vector of double.
template <>
struct SampleLanes<float> {
    using D = hn::Rebind<float, hn::ScalableTag<double>>;
    using Loaded = D;
};

template <class T>
HWY_ATTR HWY_INLINE auto loadLanes(const T* from) {
    const typename SampleLanes<T>::Loaded loaded;
    if constexpr (std::is_floating_point_v<T>)
        return hn::LoadU(loaded, from);
    else
        return hn::PromoteTo(typename SampleLanes<T>::D(), hn::LoadU(loaded, from));
}

// Limited to what T holds.
template <class T, class V>
HWY_ATTR HWY_INLINE auto samplesOf(V lanes) {
    if constexpr (std::is_floating_point_v<T>)
        return lanes;
    else
        return hn::DemoteTo(typename SampleLanes<T>::Loaded(), lanes);
}

template <int kTimes, class D, class V>
HWY_ATTR HWY_INLINE V multiple(D d, V v) {
    if constexpr (kTimes == 1)
        return v;
    else if constexpr (kTimes == 2)
        return hn::Add(v, v);
    else
        return hn::Mul(v, hn::Set(d, hn::TFromD<D>(kTimes)));
}

// Middle gray with `lanes` added.
template <class T, class V>
HWY_ATTR HWY_INLINE V aboveGray(V lanes) {
    const typename SampleLanes<T>::D d;
    using Lane = hn::TFromD<typename SampleLanes<T>::D>;
    if constexpr (std::is_floating_point_v<T>) {
        return hn::Add(hn::Set(d, 0.5f), lanes);
    } else if constexpr (sizeof(T) == 1) {
        return hn::Add(hn::Set(d, Lane(128)), lanes);
    } else {
        return hn::Add(hn::Set(d, Lane(32768)), lanes);
    }
}

// out[x] = at(x) for a vector of samples at a time. `at` may look a whole vector beyond the row,
// which has room; the image has not.
template <class T, class At>
HWY_ATTR HWY_INLINE void forEachVector(T* out, int width, const At& at) {
    const typename SampleLanes<T>::Loaded loaded;
    const int lanes = int(hn::Lanes(loaded));
    int x = 0;
    for (; x + lanes <= width; x += lanes) hn::StoreU(at(x), loaded, out + x);
    if (x == width) return;
    T last[hn::MaxLanes(loaded)];
    hn::StoreU(at(x), loaded, last);
    std::memcpy(out + x, last, std::size_t(width - x) * sizeof(T));
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#endif
