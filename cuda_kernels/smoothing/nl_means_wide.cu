// NL-means of 16-bit images, gray and colour, all radii. A thread has one column of eight rows; for
// three offsets at a time the sum of squared differences over the patch slides down the column: a
// row of the patch comes in, one goes out. Everything between input and output is in shared memory
// and registers.
//
// A patch's sum of squares takes up to 42 bits and is kept in 64. Weighted samples are floats, a
// row of offsets by itself first: a sum is made in at most 82 additions, each wrong by 2^-24 of it.
// Together with the sum of weights a mean is wrong by less than two thirds of a level. Where all
// samples are alike, weights are 1, their sum and those of a row are exact, and the result is that
// level.
#include <algorithm>

#include "cuda_kernels/smoothing/nl_means_pixels.cuh"

namespace warpscope::cuda {
namespace {

constexpr int kColumns = 64;
constexpr int kThreadRows = 8;
constexpr int kMaxSets = 4;  // of 64 threads, one below the other
constexpr int kGroup = 3;    // offsets side by side

struct Tiling {
    int first = 0;   // tile of the first block
    int across = 0;  // tiles side by side
    int sets = 0;
    int search = 0;
    int patch = 0;

    __host__ __device__ int reach() const { return search + patch; }
    // Two more for offsets of a row's last group that do not exist.
    __host__ __device__ int pitch() const { return kColumns + 2 * reach() + kGroup - 1; }
    __host__ __device__ int rows() const { return kThreadRows * sets + 2 * reach(); }
};

// Adds or takes away one row of the patches of three offsets.
template <class P, bool Subtract>
__device__ __forceinline__ void slide(const typename P::Pixel* own, const typename P::Pixel* other,
                                      int taps, typename P::Squares (&sums)[kGroup]) {
    typename P::Squares row[kGroup] = {};
    typename P::Pixel q[kGroup] = {other[0], other[1], other[1]};
#pragma unroll 3
    for (int i = 0; i < taps; ++i) {
        const typename P::Pixel p = own[i];
        q[2] = other[i + 2];
#pragma unroll
        for (int k = 0; k < kGroup; ++k) row[k] += P::apart(p, q[k]);
        q[0] = q[1];
        q[1] = q[2];
    }
#pragma unroll
    for (int k = 0; k < kGroup; ++k) sums[k] += Subtract ? 0 - row[k] : row[k];
}

template <class P>
struct Mean {
    float sums[P::kChannels] = {};
    float weights = 0;

    __device__ __forceinline__ void add(float weight, const typename P::Pixel& pixel) {
        weights += weight;
#pragma unroll
        for (int c = 0; c < P::kChannels; ++c)
            sums[c] = fmaf(weight, float(P::channel(pixel, c)), sums[c]);
    }
    __device__ __forceinline__ void add(const Mean& other) {
        weights += other.weights;
#pragma unroll
        for (int c = 0; c < P::kChannels; ++c) sums[c] += other.sums[c];
    }
};

template <class P>
__global__ void __launch_bounds__(kColumns* kMaxSets)
    wideKernel(DeviceImage in, DeviceImage out, Tiling tiling, float exponent) {
    extern __shared__ uint4 shared[];
    auto* const pixels = reinterpret_cast<typename P::Pixel*>(shared);
    const int tile = tiling.first + int(blockIdx.x);
    const int x0 = tile % tiling.across * kColumns;
    const int y0 = tile / tiling.across * (kThreadRows * tiling.sets);
    const int pitch = tiling.pitch();
    for (int row = 0; row < tiling.rows(); ++row) {
        const int y = mirrored(y0 - tiling.reach() + row, in.size.height);
        for (int i = int(threadIdx.x); i < pitch; i += int(blockDim.x))
            pixels[row * pitch + i] =
                P::load(in.data + in.pitch * y, mirrored(x0 - tiling.reach() + i, in.size.width));
    }
    __syncthreads();

    const int column = int(threadIdx.x) % kColumns;
    const int row = int(threadIdx.x) / kColumns * kThreadRows;
    const int taps = 2 * tiling.patch + 1;
    // The first pixel of the patch around this thread's first pixel.
    const auto* const own = pixels + (row + tiling.search) * pitch + column + tiling.search;
    const int centre = tiling.patch * (pitch + 1);

    Mean<P> means[kThreadRows];
    for (int dy = -tiling.search; dy <= tiling.search; ++dy) {
        Mean<P> line[kThreadRows];
        for (int dx = -tiling.search; dx <= tiling.search; dx += kGroup) {
            const auto* a = own;
            const auto* b = own + dy * pitch + dx;
            typename P::Squares apart[kGroup] = {};
            for (int k = 0; k < taps; ++k)
                slide<P, false>(a + k * pitch, b + k * pitch, taps, apart);
#pragma unroll
            for (int y = 0; y < kThreadRows; ++y) {
#pragma unroll
                for (int k = 0; k < kGroup; ++k)
                    if (dx + k <= tiling.search)
                        line[y].add(exp2Approx(exponent * float(apart[k])), b[centre + k]);
                if (y + 1 == kThreadRows) break;
                slide<P, true>(a, b, taps, apart);
                slide<P, false>(a + taps * pitch, b + taps * pitch, taps, apart);
                a += pitch;
                b += pitch;
            }
        }
#pragma unroll
        for (int y = 0; y < kThreadRows; ++y) means[y].add(line[y]);
    }

    const int x = x0 + column;
    if (x >= out.size.width) return;
#pragma unroll
    for (int y = 0; y < kThreadRows; ++y) {
        const int at = y0 + row + y;
        if (at >= out.size.height) break;
        float mean[P::kChannels];
#pragma unroll
        for (int c = 0; c < P::kChannels; ++c) mean[c] = means[y].sums[c] / means[y].weights;
        P::store(in.data + at * in.pitch, out.data + at * out.pitch, x, mean);
    }
}

template <class P>
void runWide(KernelContext& context, const NlMeansPlan& plan, const DeviceImage& in,
             const DeviceImage& out) {
    Tiling tiling;
    tiling.across = int(divideUp(unsigned(in.size.width), kColumns));
    tiling.search = plan.searchRadius;
    tiling.patch = plan.patchRadius;
    const auto sharedBytes = [&] {
        return std::size_t(tiling.pitch()) * unsigned(tiling.rows()) * sizeof(typename P::Pixel);
    };
    // As many sets as fit, at the largest radii one in 64 KiB; but no more than the image has rows
    // for.
    tiling.sets = std::clamp(int(divideUp(unsigned(in.size.height), kThreadRows)), 1, kMaxSets);
    while (tiling.sets > 1 && sharedBytes() > context.traits().sharedPerBlock) --tiling.sets;
    const int tileRows = kThreadRows * tiling.sets;
    const int down = int(divideUp(unsigned(in.size.height), unsigned(tileRows)));
    const std::int64_t offsets =
        std::int64_t(2 * plan.searchRadius + 1) * (2 * plan.searchRadius + kGroup);
    const int taps = 2 * plan.patchRadius + 1;
    const std::int64_t perOffset =
        12 + 4 * std::int64_t(P::kChannels) * taps * (2 * kThreadRows + taps) / kThreadRows;
    context.forEachBand(tiling.across * down,
                        tilesPerLaunch(context, offsets * perOffset * kColumns * tileRows),
                        [&](int first, int last) {
                            Tiling now = tiling;
                            now.first = first;
                            launch(context, "NL-means, 16 bits", unsigned(last - first),
                                   unsigned(kColumns * tiling.sets), sharedBytes(), wideKernel<P>,
                                   in, out, now, float(plan.exponent));
                        });
}

}  // namespace

void runNlMeansWide(KernelContext& context, const NlMeansPlan& plan, const DeviceImage& in,
                    const DeviceImage& out) {
    if (isColor(in.format))
        runWide<Rgba16Pixels>(context, plan, in, out);
    else
        runWide<Gray16Pixels>(context, plan, in, out);
}

}  // namespace warpscope::cuda
