// The larger or the smaller of two. Included once for each instruction set.
#if defined(WARPSCOPE_EXTREMES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WARPSCOPE_EXTREMES_INL_H
#undef WARPSCOPE_EXTREMES_INL_H
#else
#define WARPSCOPE_EXTREMES_INL_H
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

template <bool kMost, class V>
HWY_ATTR HWY_INLINE V extreme(V a, V b) {
    if constexpr (kMost)
        return hwy::HWY_NAMESPACE::Max(a, b);
    else
        return hwy::HWY_NAMESPACE::Min(a, b);
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#endif
