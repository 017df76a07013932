// NL-means of float samples. Sums do not slide: what rounding leaves of a large value, NaN and
// infinity stay in the patches that have them. A band of rows with its mirrored surroundings lies
// in device memory, a plane a colour; a block makes the squared differences of a tile for one
// offset after the other in shared memory, adds them along the rows and then down the columns.
#include <algorithm>

#include "cuda_kernels/smoothing/nl_means.cuh"

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = 256;
constexpr int kTileColumns = 32;
constexpr int kTileRows = 16;
// Rows of a tile that a thread makes.
constexpr int kEach = kTileColumns * kTileRows / int(kThreads);
constexpr int kMostColumns = kTileColumns + 2 * kMaxPatchRadius;
constexpr int kMostRows = kTileRows + 2 * kMaxPatchRadius;

// Row `first` - reach of the image is row 0, column -reach is column 0.
struct Padded {
    float* samples = nullptr;
    std::int64_t pitch = 0, plane = 0;  // elements
    int reach = 0;
    int first = 0;
    int rows = 0;  // of the image

    __device__ const float* at(int x, int y) const {
        return samples + std::int64_t(y - first + reach) * pitch + x + reach;
    }
};

struct Windows {
    int search, patch;
    float exponent;
};

template <int C>
__global__ void __launch_bounds__(kThreads)
    padKernel(DeviceImage in, Padded padded, FastDivide perRow, std::uint32_t count) {
    constexpr int kColors = C == 4 ? 3 : 1;
    const std::uint32_t index = blockIdx.x * kThreads + threadIdx.x;
    if (index >= count) return;
    const std::uint32_t row = perRow(index);
    const int column = int(index - row * perRow.divisor);
    const int x = mirrored(column - padded.reach, in.size.width);
    const int y = mirrored(padded.first + int(row) - padded.reach, in.size.height);
    const auto* pixel =
        reinterpret_cast<const float*>(in.data + std::int64_t(y) * in.pitch) + std::int64_t(x) * C;
#pragma unroll
    for (int c = 0; c < kColors; ++c)
        padded.samples[c * padded.plane + std::int64_t(row) * padded.pitch + column] = pixel[c];
}

template <int C>
__device__ __forceinline__ float squareAt(const float* own, const float* other,
                                          std::int64_t plane) {
    float sum = 0;
#pragma unroll
    for (int c = 0; c < (C == 4 ? 3 : 1); ++c) {
        const float difference = own[c * plane] - other[c * plane];
        sum += difference * difference;
    }
    return sum;
}

// Infinity minus infinity is NaN, so that only a sum of finite samples that is too large is
// infinite. So large, whatever has a weight is equal to the sample itself.
template <int C>
__device__ void storeMean(const DeviceImage& in, const DeviceImage& out, int x, int y,
                          const float* sums, float weights) {
    auto* to =
        reinterpret_cast<float*>(out.data + std::int64_t(y) * out.pitch) + std::int64_t(x) * C;
    const auto* own =
        reinterpret_cast<const float*>(in.data + std::int64_t(y) * in.pitch) + std::int64_t(x) * C;
#pragma unroll
    for (int c = 0; c < (C == 4 ? 3 : 1); ++c) to[c] = isinf(sums[c]) ? own[c] : sums[c] / weights;
    if constexpr (C == 4) to[3] = own[3];
}

// Blocks are tiles from `firstTile` on.
template <int C>
__global__ void __launch_bounds__(kThreads)
    floatKernel(DeviceImage in, DeviceImage out, Padded padded, Windows windows, unsigned firstTile,
                FastDivide across) {
    constexpr int kColors = C == 4 ? 3 : 1;
    __shared__ float squares[kMostRows * kMostColumns];
    __shared__ float rowSums[kMostRows * kTileColumns];
    const unsigned tile = firstTile + blockIdx.x;
    const int tileRow = int(across(tile));
    const int left = int(tile - unsigned(tileRow) * across.divisor) * kTileColumns;
    const int top = padded.first + tileRow * kTileRows;
    const int patch = windows.patch, side = 2 * patch + 1;
    const int columns = kTileColumns + 2 * patch, rows = kTileRows + 2 * patch;
    // Beyond the image and the band nothing is read.
    const int lastX = in.size.width - 1 + patch, lastY = padded.first + padded.rows - 1 + patch;
    const int ownX = int(threadIdx.x) % kTileColumns;
    const int ownY = int(threadIdx.x) / kTileColumns * kEach;

    float sums[kEach][kColors] = {}, weights[kEach] = {};
    for (int dy = -windows.search; dy <= windows.search; ++dy) {
        // Offsets of a row are added by themselves first: so many small additions to a large sum
        // would lose too much.
        float partSums[kEach][kColors] = {}, partWeights[kEach] = {};
        for (int dx = -windows.search; dx <= windows.search; ++dx) {
            for (int i = int(threadIdx.x); i < rows * columns; i += int(kThreads)) {
                const int x = min(left + i % columns - patch, lastX);
                const int y = min(top + i / columns - patch, lastY);
                squares[i] = squareAt<C>(padded.at(x, y), padded.at(x + dx, y + dy), padded.plane);
            }
            __syncthreads();
            for (int i = int(threadIdx.x); i < rows * kTileColumns; i += int(kThreads)) {
                const float* from = squares + i / kTileColumns * columns + i % kTileColumns;
                float sum = 0;
                for (int k = 0; k < side; ++k) sum += from[k];
                rowSums[i] = sum;
            }
            __syncthreads();
#pragma unroll
            for (int e = 0; e < kEach; ++e) {
                const float* from = rowSums + (ownY + e) * kTileColumns + ownX;
                float apart = 0;
                for (int k = 0; k < side; ++k) apart += from[k * kTileColumns];
                const float weight = exp2Approx(windows.exponent * apart);
                const float* value = padded.at(min(left + ownX, in.size.width - 1) + dx,
                                               min(top + ownY + e, lastY - patch) + dy);
                partWeights[e] += weight;
#pragma unroll
                for (int c = 0; c < kColors; ++c)
                    partSums[e][c] += weight * value[c * padded.plane];
            }
        }
#pragma unroll
        for (int e = 0; e < kEach; ++e) {
            weights[e] += partWeights[e];
#pragma unroll
            for (int c = 0; c < kColors; ++c) sums[e][c] += partSums[e][c];
        }
    }
    const int x = left + ownX;
#pragma unroll
    for (int e = 0; e < kEach; ++e) {
        const int y = top + ownY + e;
        if (x < in.size.width && y < padded.first + padded.rows)
            storeMean<C>(in, out, x, y, sums[e], weights[e]);
    }
}

// As published: a thread a pixel, every sample of every patch.
template <int C>
__global__ void __launch_bounds__(kThreads)
    directKernel(DeviceImage in, DeviceImage out, Padded padded, Windows windows,
                 unsigned firstPiece, FastDivide across) {
    constexpr int kColors = C == 4 ? 3 : 1;
    const unsigned piece = firstPiece + blockIdx.x;
    const unsigned row = across(piece);
    const int x = int((piece - row * across.divisor) * kThreads + threadIdx.x);
    const int y = padded.first + int(row);
    if (x >= in.size.width) return;
    double sums[kColors] = {}, weights = 0;
    for (int dy = -windows.search; dy <= windows.search; ++dy)
        for (int dx = -windows.search; dx <= windows.search; ++dx) {
            float apart = 0;
            for (int v = -windows.patch; v <= windows.patch; ++v)
                for (int u = -windows.patch; u <= windows.patch; ++u)
                    apart += squareAt<C>(padded.at(x + u, y + v), padded.at(x + dx + u, y + dy + v),
                                         padded.plane);
            const double weight = double(exp2Approx(windows.exponent * apart));
            weights += weight;
            const float* value = padded.at(x + dx, y + dy);
#pragma unroll
            for (int c = 0; c < kColors; ++c) sums[c] += weight * double(value[c * padded.plane]);
        }
    float means[kColors];
#pragma unroll
    for (int c = 0; c < kColors; ++c) means[c] = float(sums[c] / weights);
    storeMean<C>(in, out, x, y, means, 1.0f);
}

template <int C>
void run(KernelContext& context, const NlMeansPlan& plan, const DeviceImage& in,
         const DeviceImage& out) {
    constexpr int kColors = C == 4 ? 3 : 1;
    constexpr std::int64_t kMostBytes = std::int64_t(256) << 20;
    const bool direct = plan.variant != kAutomaticVariant;
    const Windows windows{plan.searchRadius, plan.patchRadius, float(plan.exponent)};
    Padded padded;
    padded.reach = plan.patchRadius + plan.searchRadius;
    padded.pitch = (in.size.width + 2 * padded.reach + 15) / 16 * 16;
    const std::int64_t rowBytes = padded.pitch * kColors * std::int64_t(sizeof(float));
    const std::int64_t budget = std::min<std::int64_t>(kMostBytes, context.traits().bytesPerLaunch);
    // Whole tiles.
    const std::int64_t most = std::max<std::int64_t>(
        kTileRows, (budget / rowBytes - 2 * padded.reach) / kTileRows * kTileRows);
    const int bandRows = int(std::min<std::int64_t>(most, in.size.height));
    const int height = bandRows + 2 * padded.reach;
    padded.plane = padded.pitch * height;
    const DeviceMemory memory = context.allocate(std::size_t(rowBytes) * unsigned(height));
    padded.samples = memory.as<float>();

    const std::int64_t offsets =
        std::int64_t(2 * plan.searchRadius + 1) * (2 * plan.searchRadius + 1);
    const std::int64_t side = 2 * plan.patchRadius + 1;
    const int blockColumns = direct ? int(kThreads) : kTileColumns;
    const int blockRows = direct ? 1 : kTileRows;
    const std::int64_t perBlock =
        offsets * (direct ? side * side * kColors * 4 + 80 : 4 * side + 12 * kColors + 40) *
        blockColumns * blockRows;
    const int perLaunch = tilesPerLaunch(context, perBlock);
    const FastDivide across(divideUp(unsigned(in.size.width), unsigned(blockColumns)));
    const int bands = int(divideUp(unsigned(in.size.height), unsigned(bandRows)));
    const int blocksDown = int(divideUp(unsigned(bandRows), unsigned(blockRows)));
    const int perBand = int(across.divisor) * blocksDown;
    const int launches = int(divideUp(unsigned(perBand), unsigned(perLaunch)));  // of a band
    const auto one = [&](int index) {
        padded.first = index / launches * bandRows;
        padded.rows = std::min(bandRows, in.size.height - padded.first);
        if (index % launches == 0) {
            const FastDivide perRow(unsigned(in.size.width + 2 * padded.reach));
            const std::uint32_t count = perRow.divisor * unsigned(padded.rows + 2 * padded.reach);
            launch(context, "NL-means, mirrored", divideUp(count, kThreads), kThreads, 0,
                   padKernel<C>, in, padded, perRow, count);
        }
        const int begin = index % launches * perLaunch;
        const int down = int(divideUp(unsigned(padded.rows), unsigned(blockRows)));
        const int end = std::min(begin + perLaunch, int(across.divisor) * down);
        if (end <= begin) return;
        launch(context, direct ? "NL-means, direct" : "NL-means of floats", unsigned(end - begin),
               kThreads, 0, direct ? directKernel<C> : floatKernel<C>, in, out, padded, windows,
               unsigned(begin), across);
    };
    context.forEachBand(bands * launches, 1, [&](int index, int) { one(index); });
}

}  // namespace

void runNlMeansFloat(KernelContext& context, const NlMeansPlan& plan, const DeviceImage& in,
                     const DeviceImage& out) {
    isColor(in.format) ? run<4>(context, plan, in, out) : run<1>(context, plan, in, out);
}

}  // namespace warpscope::cuda
