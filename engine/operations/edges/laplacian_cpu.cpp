#include "engine/operations/edges/laplacian.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/edges/laplacian_cpu.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include "engine/operations/edges/luma_lanes-inl.h"
#include "engine/operations/vector_loops.h"

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Floats are added row by row from above, from the left.
template <int kNeighbours, class T>
HWY_ATTR HWY_INLINE auto laplacianAt(const T* above, const T* here, const T* below) {
    const typename SampleLanes<T>::D d;
    auto sum = loadLanes(above);
    if constexpr (kNeighbours == 8)
        sum = hn::Add(hn::Add(loadLanes(above - 1), sum), loadLanes(above + 1));
    sum = hn::Add(hn::Add(sum, loadLanes(here - 1)), loadLanes(here + 1));
    if constexpr (kNeighbours == 8) sum = hn::Add(sum, loadLanes(below - 1));
    sum = hn::Add(sum, loadLanes(below));
    if constexpr (kNeighbours == 8) sum = hn::Add(sum, loadLanes(below + 1));
    return hn::Sub(sum, multiple<kNeighbours>(d, loadLanes(here)));
}

template <int kNeighbours, class T>
HWY_ATTR void laplacianRowOf(const T* above, const T* here, const T* below, T* out, int width,
                             bool isSigned) {
    const auto at = [&](int x) HWY_ATTR WARPSCOPE_INLINED {
        return laplacianAt<kNeighbours>(above + x, here + x, below + x);
    };
    if (isSigned)
        forEachVector(out, width, [&](int x) HWY_ATTR WARPSCOPE_INLINED {
            return samplesOf<T>(aboveGray<T>(at(x)));
        });
    else
        forEachVector(out, width, [&](int x) HWY_ATTR WARPSCOPE_INLINED {
            return samplesOf<T>(hn::Abs(at(x)));
        });
}

template <class T>
HWY_ATTR void laplacianRow(const T* above, const T* here, const T* below, T* out, int width,
                           int neighbours, bool isSigned) {
    if (neighbours == 8)
        laplacianRowOf<8>(above, here, below, out, width, isSigned);
    else
        laplacianRowOf<4>(above, here, below, out, width, isSigned);
}

void laplacianRow8(const std::uint8_t* above, const std::uint8_t* here, const std::uint8_t* below,
                   std::uint8_t* out, int width, int neighbours, bool isSigned) {
    laplacianRow(above, here, below, out, width, neighbours, isSigned);
}
void laplacianRow16(const std::uint16_t* above, const std::uint16_t* here,
                    const std::uint16_t* below, std::uint16_t* out, int width, int neighbours,
                    bool isSigned) {
    laplacianRow(above, here, below, out, width, neighbours, isSigned);
}
void laplacianRowFloat(const float* above, const float* here, const float* below, float* out,
                       int width, int neighbours, bool isSigned) {
    laplacianRow(above, here, below, out, width, neighbours, isSigned);
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "engine/operations/edges/padded_rows.h"

namespace warpscope {
namespace {

HWY_EXPORT(laplacianRow8);
HWY_EXPORT(laplacianRow16);
HWY_EXPORT(laplacianRowFloat);

void laplacianRowOf(const std::uint8_t* above, const std::uint8_t* here, const std::uint8_t* below,
                    std::uint8_t* out, int width, const LaplacianPlan& plan) {
    HWY_DYNAMIC_DISPATCH(laplacianRow8)
    (above, here, below, out, width, plan.neighbours, plan.isSigned);
}
void laplacianRowOf(const std::uint16_t* above, const std::uint16_t* here,
                    const std::uint16_t* below, std::uint16_t* out, int width,
                    const LaplacianPlan& plan) {
    HWY_DYNAMIC_DISPATCH(laplacianRow16)
    (above, here, below, out, width, plan.neighbours, plan.isSigned);
}
void laplacianRowOf(const float* above, const float* here, const float* below, float* out,
                    int width, const LaplacianPlan& plan) {
    HWY_DYNAMIC_DISPATCH(laplacianRowFloat)
    (above, here, below, out, width, plan.neighbours, plan.isSigned);
}

}  // namespace

Result<void> runLaplacianCpu(const LaplacianPlan& plan, const Image& in, const MutableImage& out,
                             const CpuContext& context) {
    return forEachLumaRow(in, out, context,
                          [&](const auto* above, const auto* here, const auto* below, auto* to) {
                              laplacianRowOf(above, here, below, to, in.width(), plan);
                          });
}

}  // namespace warpscope

#endif  // HWY_ONCE
