// NL-means of 8-bit colour images with the products of patches on the tensor units, everything
// between input and output on the multiprocessor.
//
// |P - Q|^2 = A(p) + A(q) - 2 P.Q. A warp makes blocks of 4 x 4 pixels: their patches are the 16
// rows of a matrix, those of 8 neighbours in a row of the search window the columns of another, and
// the product of both is 128 values P.Q, four of a lane. A column of the second matrix holds 8 rows
// of pixels, of which a patch has at most 7: two matrices of the first kind, one without the last
// row and one without the first, make two rows of neighbours of the same 8.
//
// Pixels are taken as v - 128. Products are added to the bits of M = 1.5 * 2^23, less A(p) / 2
// rounded down: P.Q - A(p) / 2 stays between -2^22 and 2^22, and the sum is a float that needs
// no conversion. What A(p) / 2 is rounded by is the same for all q and cancels when weights are
// normalized. A(q) enters in the multiplication before the exponential, with M; as that sum is
// rounded, by up to M's last place, each q has a factor of its own that makes up for it, where that
// matters. Pairs that are not in the window start from a number that makes their weight zero.
//
// Weights are added up as a product, too: those of 16 pixels and two rows of 8 neighbours, as
// halves, with the neighbours' three colours and a one.
#include "cuda_kernels/smoothing/nl_means_products.cuh"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "cuda_kernels/smoothing/nl_means_choice.h"

namespace warpscope::cuda {
namespace {

using namespace products;

// Blocks of a multiprocessor, which leave 128 registers a thread.
constexpr int kResident = 2;

template <int kPitch, Weights kWeights>
__global__ void __launch_bounds__(kThreads, kResident)
    productsKernel(DeviceImage in, DeviceImage out, Tiling tiling, Weighing weighing) {
    extern __shared__ uint4 aligned[];
    auto* const shared = reinterpret_cast<std::byte*>(aligned);
    const Layout layout(tiling, kWeights);
    const int tile = tiling.first + int(blockIdx.x);
    const int y0 = tile / tiling.across * tiling.rows;
    const int x0 = tile % tiling.across * tiling.columns;
    loadTile<kWeights>(in, tiling, layout, x0, y0, weighing, shared);
    __syncthreads();

    // Of the warp's pixels: kept there, as products take all registers.
    auto& corner = reinterpret_cast<int2*>(shared + layout.corners)[threadIdx.x / 32];
    const int across = tiling.columns / kSide, count = across * (tiling.rows / kSide);
    for (int i = int(threadIdx.x) / 32; i < count; i += kWarps) {
        const int top = i / across * kSide, left = i % across * kSide;
        if (x0 + left >= out.size.width || y0 + top >= out.size.height) continue;
        if (threadIdx.x % 32 == 0) corner = {x0 + left, y0 + top};
        __syncwarp();
        WarpPixels<kPitch, kWeights> pixels(tiling, layout, weighing.factor, shared, left, top);
        for (int product = 0; product < tiling.products(); ++product) pixels.add(product);
        pixels.finish([&](int column, int row, float(&mean)[kColours]) {
            const int x = corner.x + column, y = corner.y + row;
            if (x >= out.size.width || y >= out.size.height) return;
#pragma unroll
            for (int c = 0; c < kColours; ++c) mean[c] += 128.0f;
            Rgba8Pixels::store(in.data + y * in.pitch, out.data + y * out.pitch, x, mean);
        });
        __syncwarp();
    }
}

// Of a half rounded to 11 bits a weight is off by one part in 4,096 at most, and a mean by that
// much of how far its neighbours are from it, which is some `h` for those that count, less what
// many neighbours even out: with these limits rounded means of photographs and noise differ in a
// few of 10,000 samples, by one. In a regular pattern all weights of a kind are off alike and all
// means are the same: where one is within a thousandth of half a level, all of them may differ by
// one. What `start` is rounded by is to be less than that of a half.
constexpr double kQuickLevels = 1;  // of h, for each neighbour in a row of the window
constexpr double kQuickFactor = 4e-4;
Weights weightsFor(const NlMeansPlan& plan) {
    return plan.h <= kQuickLevels * (2 * plan.searchRadius + 1) &&
                   -2 * plan.exponent <= kQuickFactor
               ? Weights::Quick
               : Weights::Exact;
}

// A kernel for each pitch that the tiles of choose() and windows lead to.
constexpr int kPitches[] = {48, 80, 112};
bool hasKernel(int pitch) {
    return std::find(std::begin(kPitches), std::end(kPitches), pitch) != std::end(kPitches);
}
template <Weights kWeights>
auto kernelOfPitch(int pitch) {
    return pitch == kPitches[0]   ? productsKernel<kPitches[0], kWeights>
           : pitch == kPitches[1] ? productsKernel<kPitches[1], kWeights>
                                  : productsKernel<kPitches[2], kWeights>;
}
auto kernelFor(int pitch, Weights weights) {
    return weights == Weights::Quick ? kernelOfPitch<Weights::Quick>(pitch)
                                     : kernelOfPitch<Weights::Exact>(pitch);
}

struct Choice {
    Tiling tiling;
    int shared = 0;  // bytes; 0: no choice fits
};

// The tile with which the multiprocessors are done first: a larger one loads less around it, but
// leaves some of them idle in the end, or without a second block.
Choice choose(const DeviceTraits& traits, const NlMeansPlan& plan, Size size) {
    constexpr Size kTiles[] = {{64, 32}, {32, 32}, {32, 16}, {16, 16}, {16, 8}};
    Choice best;
    double bestTime = std::numeric_limits<double>::infinity();
    for (const Size tile : kTiles) {
        Tiling tiling;
        tiling.columns = tile.width;
        tiling.rows = tile.height;
        tiling.across = int(divideUp(unsigned(size.width), unsigned(tile.width)));
        tiling.search = plan.searchRadius;
        tiling.patch = plan.patchRadius;
        const Layout layout(tiling, weightsFor(plan));
        if (std::size_t(layout.total) > traits.sharedPerBlock || !hasKernel(tiling.pitch()))
            continue;
        const double tiles =
            double(tiling.across) * divideUp(unsigned(size.height), unsigned(tile.height));
        const double each = std::ceil(tiles / traits.multiprocessors);
        const int resident =
            std::min(kResident, int(traits.sharedPerBlock + 1024) / (layout.total + 1024));
        // Instructions of a tile. Four warps a scheduler fill it.
        const double neighbours =
            double(2 * plan.searchRadius + kSide) * kAcross * tiling.products();
        const double time = tile.width * tile.height * neighbours * 13 +
                            double(tiling.patchRows()) * tiling.patchColumns() * 190 +
                            double(tiling.wordRows()) * tiling.wordColumns() * 90;
        const double warps = kWarps * std::min(each, double(resident));
        const double total = each * time / std::min(1.0, 0.4 + 0.04 * warps);
        if (total < bestTime) {
            bestTime = total;
            best = {tiling, layout.total};
        }
    }
    return best;
}

}  // namespace

bool canRunNlMeansProducts(const DeviceTraits& traits, const NlMeansPlan& plan) {
    return fitsNlMeansProducts(plan, traits.hasIntegerMma()) &&
           choose(traits, plan, plan.size).shared != 0;
}

void runNlMeansProducts(KernelContext& context, const NlMeansPlan& plan, const DeviceImage& in,
                        const DeviceImage& out) {
    const Choice choice = choose(context.traits(), plan, in.size);
    const Tiling& tiling = choice.tiling;
    const Weights weights = weightsFor(plan);
    const int down = int(divideUp(unsigned(in.size.height), unsigned(tiling.rows)));
    const std::int64_t neighbours =
        std::int64_t(2 * tiling.search + kSide) * kAcross * tiling.products();
    const std::int64_t perTile = std::int64_t(tiling.rows) * tiling.columns * neighbours * 16;
    context.forEachBand(
        tiling.across * down, tilesPerLaunch(context, perTile), [&](int first, int last) {
            Tiling now = tiling;
            now.first = first;
            launch(context, "NL-means, products", unsigned(last - first), unsigned(kThreads),
                   std::size_t(choice.shared), kernelFor(tiling.pitch(), weights), in, out, now,
                   Weighing(plan.exponent, weights));
        });
}

void loadNlMeansProducts() {
    for (const int pitch : kPitches)
        for (const Weights weights : {Weights::Exact, Weights::Quick})
            loadKernel(kernelFor(pitch, weights));
}

}  // namespace warpscope::cuda
