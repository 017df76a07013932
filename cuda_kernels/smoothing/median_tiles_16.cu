// Medians of 16-bit samples by tiles, 5x5 to 11x11; the larger ones, which take as long to compile
// as these, are in median_tiles_16_large.cu.
#include "cuda_kernels/smoothing/median_tiles.cuh"

namespace warpscope::cuda {

void medianByTiles16(KernelContext& context, int radius, const DeviceImage& in,
                     const DeviceImage& out) {
    using namespace median_tiles;
    using T = std::uint16_t;
    const bool color = isColor(in.format);
    switch (radius) {
        case 2:
            return color ? runFor<T, 4, 5>(context, in, out) : runFor<T, 1, 5>(context, in, out);
        case 3:
            return color ? runFor<T, 4, 7>(context, in, out) : runFor<T, 1, 7>(context, in, out);
        case 4:
            return color ? runFor<T, 4, 9>(context, in, out) : runFor<T, 1, 9>(context, in, out);
        case 5:
            return color ? runFor<T, 4, 11>(context, in, out) : runFor<T, 1, 11>(context, in, out);
        default:
            return medianByLargeTiles16(context, radius, in, out);
    }
}

void loadMedianTiles16() {
    using namespace median_tiles;
    loadKernel(tilesKernel<std::uint16_t, 1, 5, false>);
    loadKernel(tilesKernel<std::uint16_t, 4, 5, false>);
}

}  // namespace warpscope::cuda
