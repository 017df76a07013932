// Medians of 16-bit samples by tiles, 13x13 and 15x15.
#include "cuda_kernels/smoothing/median_tiles.cuh"

namespace warpscope::cuda {

void medianByLargeTiles16(KernelContext& context, int radius, const DeviceImage& in,
                          const DeviceImage& out) {
    using namespace median_tiles;
    using T = std::uint16_t;
    const auto run = [&]<int K>() {
        isColor(in.format) ? runFor<T, 4, K, kEither>(context, in, out)
                           : runFor<T, 1, K, kEither>(context, in, out);
    };
    radius == 6 ? run.template operator()<13>() : run.template operator()<15>();
}

}  // namespace warpscope::cuda
