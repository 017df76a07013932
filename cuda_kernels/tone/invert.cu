// The negative of an image.
#include "cuda_kernels/runtime/pointwise.cuh"
#include "engine/operations/tone/invert.h"

namespace warpscope::cuda {
namespace {

struct Invert {
    std::uint32_t white;
    __device__ std::uint32_t operator()(std::uint32_t sample, int) const { return white - sample; }
};

struct InvertFloat {
    __device__ float operator()(float sample, int) const { return 1.0f - sample; }
};

void run(KernelContext& context, const Plan&, const DeviceImage& in, const DeviceImage& out) {
    if (isFloat(in.format))
        mapSamples<float>(context, "invert", in, out, InvertFloat{});
    else if (bytesPerSample(in.format) == 1)
        mapSamples<std::uint8_t>(context, "invert", in, out, Invert{255});
    else
        mapSamples<std::uint16_t>(context, "invert", in, out, Invert{65535});
}

}  // namespace

WARPSCOPE_CUDA_RUNNER(invert, .run = run);

}  // namespace warpscope::cuda
