// Stores that go past the cache. Included once for each instruction set.
#if defined(WARPSCOPE_STREAM_STORE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WARPSCOPE_STREAM_STORE_INL_H
#undef WARPSCOPE_STREAM_STORE_INL_H
#else
#define WARPSCOPE_STREAM_STORE_INL_H
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

// Past the cache where `stream` says so: `at` is a multiple of the vector then. Less than 16 bytes
// cannot be.
template <class V, class D>
HWY_ATTR HWY_INLINE void put(V v, D d, hwy::HWY_NAMESPACE::TFromD<D>* at, bool stream) {
    namespace hn = hwy::HWY_NAMESPACE;
    constexpr bool kCan = hn::MaxLanes(D()) * sizeof(hn::TFromD<D>) >= 16;
    if (kCan && stream)
        hn::Stream(v, d, at);
    else
        hn::StoreU(v, d, at);
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#endif
