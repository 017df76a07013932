// Medians of 16-bit samples by tiles, 13x13 and 15x15.
#include "cuda_kernels/smoothing/median_tiles.cuh"

namespace warpscope::cuda {

void medianByLargeTiles16(KernelContext& context, int radius, const DeviceImage& in,
                          const DeviceImage& out) {
    using namespace median_tiles;
    using T = std::uint16_t;
    const bool color = isColor(in.format);
    if (radius == 6)
        color ? runFor<T, 4, 13>(context, in, out) : runFor<T, 1, 13>(context, in, out);
    else
        color ? runFor<T, 4, 15>(context, in, out) : runFor<T, 1, 15>(context, in, out);
}

}  // namespace warpscope::cuda
