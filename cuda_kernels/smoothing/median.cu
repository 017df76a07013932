// Medians of 8 and 16-bit samples, by the kernels that median_choice.h names: networks of 3x3 and
// 5x5 (median_networks.cu), tiles (median_tiles.cuh), planes of bits (median_planes.cu), counts of
// columns (median_columns.cu). Of float samples: median_float.cu.
#include "cuda_kernels/smoothing/median.cuh"
#include "cuda_kernels/smoothing/median_choice.h"

namespace warpscope::cuda {
namespace {

void run(KernelContext& context, const Plan& plan, const DeviceImage& in, const DeviceImage& out) {
    const int radius = static_cast<const MedianPlan&>(plan).radius;
    if (isFloat(in.format)) return medianOfFloats(context, radius, in, out);
    const DeviceTraits& traits = context.traits();
    switch (medianKernels(radius, in.format, in.size, traits.multiprocessors, traits.major)) {
        case MedianBy::Networks:
            return medianByNetwork(context, radius, in, out);
        case MedianBy::Tiles:
            return bytesPerSample(in.format) == 1 ? medianByTiles8(context, radius, in, out)
                                                  : medianByTiles16(context, radius, in, out);
        case MedianBy::Planes:
            return medianByPlanes(context, radius, in, out);
        case MedianBy::Columns:
            return medianByColumns(context, radius, in, out);
    }
}

std::vector<ParamSet> warmUps() {
    std::vector<ParamSet> sets;
    for (int radius = 1; radius <= kMaxMedianRadius; ++radius)
        sets.emplace_back().set("radius", std::int64_t(radius));
    return sets;
}

// Those that no tiny image reaches.
void loadKernels() {
    loadMedianNetworks();
    loadMedianTiles8();
    loadMedianTiles16();
    loadMedianPlanes();
}

}  // namespace

WARPSCOPE_CUDA_RUNNER(median, .run = run, .warmUps = warmUps, .loadKernels = loadKernels);

}  // namespace warpscope::cuda
