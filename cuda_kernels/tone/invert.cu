// The negative of an image.
#include "cuda_kernels/runtime/pointwise.cuh"
#include "engine/operations/tone/invert.h"

namespace warpscope::cuda {
namespace {

// White less a sample are its bits turned over.
template <class T, int Channels>
struct InvertBody : PointwiseBody {
    static constexpr int kBytesIn = 16, kBytesOut = 16;
    static constexpr int kPixels = 16 / (Channels * int(sizeof(T)));

    __device__ void operator()(const std::uint32_t (&in)[4], std::uint32_t (&out)[4],
                               const PiecePlace&) const {
#pragma unroll
        for (int i = 0; i < 4; ++i) out[i] = in[i] ^ coloursIn(i);
    }

  private:
    // The bits of a word that are not alpha.
    static __device__ constexpr std::uint32_t coloursIn(int word) {
        if (Channels == 1) return 0xffffffffu;
        if (sizeof(T) == 1) return 0x00ffffffu;
        return word % 2 ? 0x0000ffffu : 0xffffffffu;
    }
};

struct InvertFloat {
    __device__ float operator()(float sample, int) const { return 1.0f - sample; }
};

void run(KernelContext& context, const Plan&, const DeviceImage& in, const DeviceImage& out) {
    if (isFloat(in.format))
        mapSamples<float>(context, "invert", in, out, InvertFloat{});
    else
        forSamples(in.format, [&]<class T, int Channels>() {
            runPointwise(context, "invert", in, out, InvertBody<T, Channels>());
        });
}

}  // namespace

WARPSCOPE_CUDA_RUNNER(invert, .run = run);

}  // namespace warpscope::cuda
