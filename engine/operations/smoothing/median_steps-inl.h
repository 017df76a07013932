// Exchanges of vectors, and networks of them (median_plan.h).
#if defined(WARPSCOPE_MEDIAN_STEPS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WARPSCOPE_MEDIAN_STEPS_INL_H
#undef WARPSCOPE_MEDIAN_STEPS_INL_H
#else
#define WARPSCOPE_MEDIAN_STEPS_INL_H
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "engine/operations/smoothing/median_plan.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Minima and maxima of 64 bytes go through one of two pipes of some processors (Intel's): every
// second exchange, kOfTwo, is one comparison, of the other pipe, and two selections, of either.
// With vectors of 32 bytes minima have two pipes themselves.
template <median::Needed kNeeded, bool kOfTwo = false, class V>
HWY_ATTR HWY_INLINE void exchange(V& low, V& high) {
    using enum median::Needed;
    if constexpr (kNeeded == Low) {
        low = hn::Min(low, high);
    } else if constexpr (kNeeded == High) {
        high = hn::Max(low, high);
    } else if constexpr (kOfTwo && sizeof(V) == 64) {
        const auto backwards = hn::Lt(high, low);
        const V smaller = hn::IfThenElse(backwards, high, low);
        high = hn::IfThenElse(backwards, low, high);
        low = smaller;
    } else {
        const V smaller = hn::Min(low, high);
        high = hn::Max(low, high);
        low = smaller;
    }
}

// Whether a step is one of every two that make both results.
template <const auto& kNetwork>
constexpr bool isOfTwo(std::size_t step) {
    std::size_t before = 0;
    for (std::size_t i = 0; i < step; ++i)
        before += kNetwork.steps[i].needed == median::Needed::Both;
    return before % 2 == 0;
}

template <const auto& kNetwork, std::size_t kFirst, class V, std::size_t... kAt>
HWY_ATTR HWY_INLINE void someSteps(V* wires, std::index_sequence<kAt...>) {
    (exchange<kNetwork.steps[kFirst + kAt].needed, isOfTwo<kNetwork>(kFirst + kAt)>(
         wires[kNetwork.steps[kFirst + kAt].low], wires[kNetwork.steps[kFirst + kAt].high]),
     ...);
}
// So many at a time: compilers take no folds of any length.
inline constexpr std::size_t kFold = 128;
template <const auto& kNetwork, std::size_t kFirst = 0, class V>
HWY_ATTR HWY_INLINE void allSteps(V* wires) {
    constexpr std::size_t kSteps = kNetwork.steps.size();
    if constexpr (kFirst < kSteps) {
        someSteps<kNetwork, kFirst>(wires,
                                    std::make_index_sequence<std::min(kFold, kSteps - kFirst)>());
        allSteps<kNetwork, kFirst + kFold>(wires);
    }
}

// Vectors `pitch` samples apart, to the wires from kAt on.
template <int kAt, class D, class V, class T, int... kI>
HWY_ATTR HWY_INLINE void load(D d, const T* from, std::ptrdiff_t pitch, V* wires,
                              std::integer_sequence<int, kI...>) {
    ((wires[kAt + kI] = hn::LoadU(d, from + kI * pitch)), ...);
}
template <int kAt, int kCount, class D, class V, class T>
HWY_ATTR HWY_INLINE void load(D d, const T* from, std::ptrdiff_t pitch, V* wires) {
    load<kAt>(d, from, pitch, wires, std::make_integer_sequence<int, kCount>());
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#endif
