// Medians of 8-bit samples by tiles: 5x5 to 9x9; of larger windows columns are faster.
#include "cuda_kernels/smoothing/median_choice.h"
#include "cuda_kernels/smoothing/median_tiles.cuh"

namespace warpscope::cuda {

void medianByTiles8(KernelContext& context, int radius, const DeviceImage& in,
                    const DeviceImage& out) {
    using namespace median_tiles;
    using T = std::uint8_t;
    static_assert(kMostTileRadius8 == 4);
    const bool color = isColor(in.format);
    if (radius == 2)
        color ? runFor<T, 4, 5>(context, in, out) : runFor<T, 1, 5>(context, in, out);
    else if (radius == 3)
        color ? runFor<T, 4, 7>(context, in, out) : runFor<T, 1, 7>(context, in, out);
    else
        color ? runFor<T, 4, 9>(context, in, out) : runFor<T, 1, 9>(context, in, out);
}

void loadMedianTiles8() {
    using namespace median_tiles;
    loadKernel(tilesKernel<std::uint8_t, 1, 5, false>);
    loadKernel(tilesKernel<std::uint8_t, 4, 5, false>);
    loadKernel(tilesKernel<std::uint8_t, 1, 7, false>);
    loadKernel(tilesKernel<std::uint8_t, 4, 7, false>);
    loadKernel(tilesKernel<std::uint8_t, 1, 9, false>);
    loadKernel(tilesKernel<std::uint8_t, 4, 9, false>);
}

}  // namespace warpscope::cuda
