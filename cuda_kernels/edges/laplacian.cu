// Neighbours against the pixel in their middle, from a tile of luma in shared memory; of 8-bit gray
// as a convolution.
#include "engine/operations/edges/laplacian.h"

#include "cuda_kernels/edges/luma_tile.cuh"
#include "cuda_kernels/edges/small_kernel.cuh"

namespace warpscope::cuda {
namespace {

// Floats are added row by row from above, from the left, each sum rounded by itself.
__device__ __forceinline__ int add(int a, int b) {
    return a + b;
}
__device__ __forceinline__ float add(float a, float b) {
    return __fadd_rn(a, b);
}

template <class T>
struct LaplacianBody {
    int neighbours;
    bool isSigned;

    using Lane = LumaLane<T>;
    static constexpr int kBits = 8 * int(sizeof(T));

    __device__ std::uint32_t operator()(const Lane (&v)[3][3]) const {
        Lane sum = v[0][1];
        if (neighbours == 8) sum = add(add(v[0][0], sum), v[0][2]);
        sum = add(add(sum, v[1][0]), v[1][2]);
        if (neighbours == 8) sum = add(sum, v[2][0]);
        sum = add(sum, v[2][1]);
        if (neighbours == 8) sum = add(sum, v[2][2]);
        return result(sum, v[1][1]);
    }

  private:
    __device__ std::uint32_t result(int sum, int v) const {
        constexpr int kWhite = (1 << kBits) - 1;
        const int s = sum - neighbours * v;
        return std::uint32_t(isSigned ? min(max((1 << (kBits - 1)) + s, 0), kWhite)
                                      : min(abs(s), kWhite));
    }
    __device__ std::uint32_t result(float sum, float v) const {
        const float s = __fsub_rn(sum, __fmul_rn(float(neighbours), v));
        return __float_as_uint(isSigned ? __fadd_rn(0.5f, s) : fabsf(s));
    }
};

template <class T, int C>
void laplacianOf(KernelContext& context, const LaplacianPlan& plan, const DeviceImage& in,
                 const DeviceImage& out) {
    runLumaStencil<T, C>(context, "Laplacian", in, out,
                         LaplacianBody<T>{plan.neighbours, plan.isSigned});
}

void run(KernelContext& context, const Plan& given, const DeviceImage& in, const DeviceImage& out) {
    const auto& plan = static_cast<const LaplacianPlan&>(given);
    if (in.format == PixelFormat::Gray8)
        return runSmallKernel(context, "Laplacian", laplacianKernel(plan.neighbours, plan.isSigned),
                              in, out);
    if (isFloat(in.format))
        isColor(in.format) ? laplacianOf<float, 4>(context, plan, in, out)
                           : laplacianOf<float, 1>(context, plan, in, out);
    else
        forSamples(in.format, [&]<class T, int C>() { laplacianOf<T, C>(context, plan, in, out); });
}

// All outputs are in one kernel for each kind of sample.
std::vector<ParamSet> warmUps() {
    return std::vector<ParamSet>(1);
}

}  // namespace

WARPSCOPE_CUDA_RUNNER(laplacian, .run = run, .warmUps = warmUps);

}  // namespace warpscope::cuda
