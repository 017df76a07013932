// Results that are made of the same sample of two images: what operations end with that run another
// one first.
#pragma once

#include "cuda_kernels/runtime/pointwise.cuh"

namespace warpscope::cuda {

// Alpha is that of the first image.
template <class T, int Channels, class Rule>
struct TwoSampleBody : PointwiseBody {
    static constexpr int kInputs = 2, kInFlight = 2;
    static constexpr int kBytesIn = 16, kBytesOut = 16;
    static constexpr int kPixels = 16 / (Channels * int(sizeof(T)));
    Rule rule;

    explicit TwoSampleBody(const Rule& made) : rule(made) {}
    __device__ void operator()(const std::uint32_t (&a)[4], const std::uint32_t (&b)[4],
                               std::uint32_t (&out)[4], const PiecePlace&) const {
        constexpr int kBits = 8 * int(sizeof(T));
#pragma unroll
        for (int i = 0; i < 128 / kBits; ++i) {
            const std::uint32_t first = sampleOf<T>(a, i);
            const std::uint32_t made = i % Channels == 3 ? first : of(first, sampleOf<T>(b, i));
            out[i * kBits / 32] |= made << (i * kBits % 32);
        }
    }

  private:
    __device__ std::uint32_t of(std::uint32_t a, std::uint32_t b) const {
        // Whatever stands in the padding of rows must not spill into the sample beside it.
        if constexpr (std::is_floating_point_v<T>)
            return __float_as_uint(rule(__uint_as_float(a), __uint_as_float(b)));
        else
            return rule(int(a), int(b)) & ((1u << (8 * sizeof(T))) - 1);
    }
};

// out = rule(a, b) of samples of T as int or float; `out` may be `a` or `b`.
template <class T, class Rule>
void combineSamples(KernelContext& context, const char* name, const DeviceImage& a,
                    const DeviceImage& b, const DeviceImage& out, const Rule& rule) {
    const PointwiseInputs<2> both{{a, b}};
    if (isColor(out.format))
        runPointwise(context, name, both, out, TwoSampleBody<T, 4, Rule>(rule));
    else
        runPointwise(context, name, both, out, TwoSampleBody<T, 1, Rule>(rule));
}

// Cut to what T holds; of float as it is.
template <class T>
__device__ __forceinline__ int cut(int value) {
    return min(max(value, 0), (1 << (8 * int(sizeof(T)))) - 1);
}

// Queues another operation's work for a plan of it, one that changes nothing included.
inline void runOther(KernelContext& context, const Plan& plan, const DeviceImage& in,
                     const DeviceImage& out) {
    if (plan.identity) {
        WARPSCOPE_CUDA(cudaMemcpy2DAsync(out.data, std::size_t(out.pitch), in.data,
                                         std::size_t(in.pitch), std::size_t(in.rowBytes()),
                                         std::size_t(in.size.height), cudaMemcpyDeviceToDevice,
                                         context.stream()));
        return;
    }
    findRunner(plan.operation->description().id)->run(context, plan, in, out);
}

}  // namespace warpscope::cuda
