// Sums of values and squares of a square: along columns a thread takes a strip of rows, where they
// slide; along rows a block takes a tile in shared memory, where sums over 1, 2, 4, ... columns
// make up the window. Small windows of 8-bit images go to small_statistics.cu. Float: every window
// anew and in the order of the CPU, for the same bits.
#include "engine/operations/morphology/local_statistics.h"

#include <algorithm>
#include <bit>
#include <type_traits>

#include "cuda_kernels/morphology/small_statistics.cuh"
#include "cuda_kernels/morphology/window_costs.h"
#include "cuda_kernels/runtime/launch_pieces.cuh"
#include "cuda_kernels/runtime/two_samples.cuh"

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = kStatisticsThreads;
constexpr int kEach = 2;
// Samples of a row that a block makes.
constexpr int kTile = kEach * int(kThreads);
constexpr std::int64_t kMostBytes = std::int64_t(256) << 20;

// Sums of 8-bit squares over the largest window stay below 2^32; those of 16 bits do not.
template <class T>
using SquareOf = std::conditional_t<sizeof(T) == 1, std::uint32_t, std::uint64_t>;

// What was made of the columns of a band: two numbers a sample.
template <class A, class B>
struct ColumnRows {
    A* first;
    B* second;
    std::int64_t pitch;  // elements
    int firstRow;        // row of the image that row 0 is

    __device__ std::int64_t at(int y) const { return std::int64_t(y - firstRow) * pitch; }
};

template <class T>
__device__ __forceinline__ const T* rowOf(const DeviceImage& image, int y) {
    return reinterpret_cast<const T*>(image.data + std::int64_t(y) * image.pitch);
}

// A thread takes rows of a strip of a column of samples.
template <class T>
__global__ void __launch_bounds__(kThreads)
    slideDownKernel(DeviceImage in, ColumnRows<std::uint32_t, SquareOf<T>> sums, int first,
                    int last, int radius, int stripRows, FastDivide samplesPerRow,
                    unsigned firstBlock, std::uint32_t count) {
    const std::uint32_t index = (firstBlock + blockIdx.x) * kThreads + threadIdx.x;
    if (index >= count) return;
    const std::uint32_t strip = samplesPerRow(index);
    const std::uint32_t sample = index - strip * samplesPerRow.divisor;
    const int start = first + int(strip) * stripRows, end = min(start + stripRows, last);
    const int lastRow = in.size.height - 1;
    const auto at = [&](int y) {
        return std::uint32_t(rowOf<T>(in, min(max(y, 0), lastRow))[sample]);
    };
    std::uint32_t sum = 0;
    SquareOf<T> square = 0;
#pragma unroll 4
    for (int y = start - radius; y < start + radius; ++y) {
        const std::uint32_t value = at(y);
        sum += value;
        square += value * value;
    }
#pragma unroll 4
    for (int y = start; y < end; ++y) {
        const std::uint32_t come = at(y + radius), gone = at(y - radius);
        sum += come;
        square += come * come;
        sums.first[sums.at(y) + sample] = sum;
        sums.second[sums.at(y) + sample] = square;
        sum -= gone;
        square -= gone * gone;
    }
}

// The floor of the square root of what is below 2^31.
__device__ __forceinline__ std::uint32_t rootOf(std::uint32_t value) {
    auto root = std::uint32_t(sqrtf(float(value)));
    while (root * root > value) --root;
    while ((root + 1) * (root + 1) <= value) ++root;
    return root;
}

template <class T, int C>
__global__ void __launch_bounds__(kThreads)
    tileKernel(DeviceImage in, DeviceImage out, ColumnRows<std::uint32_t, SquareOf<T>> sums,
               int radius, std::uint32_t n, bool root, FastDivide tilesPerRow) {
    using Square = SquareOf<T>;
    extern __shared__ __align__(16) unsigned char sharedBytes[];
    const int line = int(tilesPerRow(blockIdx.x)), y = sums.firstRow + line;
    const int tile = int(blockIdx.x - unsigned(line) * tilesPerRow.divisor) * kTile;
    const int reach = radius * C, wide = kTile + 2 * reach, side = 2 * radius + 1;
    const int samples = in.size.width * C, lastPixel = in.size.width - 1;
    Square* squares = reinterpret_cast<Square*>(sharedBytes);
    Square* nextSquares = squares + wide;
    std::uint32_t* values = reinterpret_cast<std::uint32_t*>(nextSquares + wide);
    std::uint32_t* nextValues = values + wide;
    for (int i = int(threadIdx.x); i < wide; i += int(kThreads)) {
        const int channel = i % C;  // tile and reach are multiples of C
        const int pixel = min(max((tile - reach + i - channel) / C, 0), lastPixel);
        const std::int64_t at = sums.at(y) + std::int64_t(pixel) * C + channel;
        values[i] = sums.first[at];
        squares[i] = sums.second[at];
    }
    __syncthreads();
    std::uint32_t sum[kEach] = {};
    Square square[kEach] = {};
    int taken = 0;
    for (int length = 1;; length *= 2) {
        if (side & length) {
#pragma unroll
            for (int p = 0; p < kEach; ++p) {
                const int i = int(threadIdx.x) + p * int(kThreads) + taken * C;
                sum[p] += values[i];
                square[p] += squares[i];
            }
            taken += length;
        }
        if (taken == side) break;
        const int valid = wide - (2 * length - 1) * C;
        for (int i = int(threadIdx.x); i < valid; i += int(kThreads)) {
            nextValues[i] = values[i] + values[i + length * C];
            nextSquares[i] = squares[i] + squares[i + length * C];
        }
        __syncthreads();
        std::uint32_t* const madeValues = nextValues;
        nextValues = values;
        values = madeValues;
        Square* const madeSquares = nextSquares;
        nextSquares = squares;
        squares = madeSquares;
    }
    const T* const row = rowOf<T>(in, y);
    T* const target = reinterpret_cast<T*>(out.data + std::int64_t(y) * out.pitch);
#pragma unroll
    for (int p = 0; p < kEach; ++p) {
        const int sample = tile + int(threadIdx.x) + p * int(kThreads);
        if (sample >= samples) break;
        if (C == 4 && sample % 4 == 3) {
            target[sample] = row[sample];
            continue;
        }
        const std::uint64_t spread = std::uint64_t(n) * square[p] - std::uint64_t(sum[p]) * sum[p];
        const auto level = std::uint32_t(spread / (std::uint64_t(n) * n));
        constexpr std::uint32_t kWhite = (1u << (8 * sizeof(T))) - 1;
        target[sample] = T(root ? rootOf(level) : min(level, kWhite));
    }
}

template <class T, int C>
void runSums(KernelContext& context, const LocalStatisticsPlan& plan, const DeviceImage& in,
             const DeviceImage& out) {
    const int radius = plan.radius, height = in.size.height;
    const std::int64_t samples = std::int64_t(in.size.width) * C;
    const std::int64_t pitch = (samples + 15) / 16 * 16;
    const std::int64_t rowBytes = pitch * std::int64_t(sizeof(std::uint32_t) + sizeof(SquareOf<T>));
    const int stripRows = columnStripRows(radius);
    const int wide = kTile + 2 * radius * C;
    const FastDivide tiles(divideUp(std::uint64_t(samples), kTile));
    const std::int64_t work =
        std::int64_t(tiles.divisor) * wide * 2 * (std::bit_width(unsigned(radius)) + 2) +
        samples * 64;
    const int bandRows = int(std::clamp<std::int64_t>(
        std::min<std::int64_t>(context.rowsPerLaunch(2 * rowBytes + 4 * in.pitch, work),
                               kMostBytes / rowBytes),
        1, height));
    // Squares first: they need the wider alignment.
    const DeviceMemory memory = context.allocate(std::size_t(rowBytes) * unsigned(bandRows));
    const auto squares = memory.as<SquareOf<T>>();
    const auto values = reinterpret_cast<std::uint32_t*>(squares + pitch * bandRows);
    const std::size_t shared = 2 * unsigned(wide) * (sizeof(std::uint32_t) + sizeof(SquareOf<T>));
    const LaunchCut cut =
        cutRows(limitsOf(context), columnSumsCost(samples, in.pitch, rowBytes, radius));
    const FastDivide perRow{unsigned(samples)};
    // Of so many rows.
    const auto columnsOf = [&](int rows) {
        return perRow.divisor * divideUp(unsigned(rows), unsigned(stripRows));
    };
    const int pieces[] = {cut.pieces(divideUp(columnsOf(bandRows), kThreads)), 1};
    forEachPiece(context, height, bandRows, pieces, [&](int first, int last, int pass, int piece) {
        const ColumnRows<std::uint32_t, SquareOf<T>> sums{values, squares, pitch, first};
        if (pass == 0) {
            const std::uint32_t count = columnsOf(last - first);
            const BlockRange blocks(cut, piece, divideUp(count, kThreads));
            launchRange(context, "local sums of columns", blocks, kThreads, 0, slideDownKernel<T>,
                        in, sums, first, last, radius, stripRows, perRow, blocks.first, count);
        } else {
            launch(context, "local statistics", tiles.divisor * unsigned(last - first), kThreads,
                   shared, tileKernel<T, C>, in, out, sums, radius, plan.count,
                   plan.what == LocalStatistic::StandardDeviation, tiles);
        }
    });
}

// ---- float: each operation is rounded by itself, as on the CPU ----

using Spreads = ColumnRows<double, double>;

// Of each column of 2 radius + 1 rows: the mean, and the sum of squared deviations from it.
__global__ void __launch_bounds__(kThreads)
    columnSpreadsKernel(DeviceImage in, Spreads spreads, int first, int radius,
                        FastDivide samplesPerRow, unsigned firstBlock, std::uint32_t count) {
    const std::uint32_t index = (firstBlock + blockIdx.x) * kThreads + threadIdx.x;
    if (index >= count) return;
    const std::uint32_t line = samplesPerRow(index);
    const std::uint32_t sample = index - line * samplesPerRow.divisor;
    const int y = first + int(line), lastRow = in.size.height - 1;
    const auto at = [&](int j) {
        return double(rowOf<float>(in, min(max(y + j, 0), lastRow))[sample]);
    };
    double sum = 0, spread = 0;
#pragma unroll 4
    for (int j = -radius; j <= radius; ++j) sum = __dadd_rn(sum, at(j));
    const double mean = __ddiv_rn(sum, double(2 * radius + 1));
#pragma unroll 4
    for (int j = -radius; j <= radius; ++j) {
        const double away = __dsub_rn(at(j), mean);
        spread = __dadd_rn(spread, __dmul_rn(away, away));
    }
    spreads.first[spreads.at(y) + sample] = mean;
    spreads.second[spreads.at(y) + sample] = spread;
}

template <int C>
__global__ void __launch_bounds__(kThreads)
    squareSpreadsKernel(DeviceImage in, DeviceImage out, Spreads spreads, int radius, bool root,
                        FastDivide samplesPerRow, unsigned firstBlock, std::uint32_t count) {
    const std::uint32_t index = (firstBlock + blockIdx.x) * kThreads + threadIdx.x;
    if (index >= count) return;
    const std::uint32_t line = samplesPerRow(index);
    const int sample = int(index - line * samplesPerRow.divisor);
    const int y = spreads.firstRow + int(line), lastPixel = in.size.width - 1;
    float* const to = reinterpret_cast<float*>(out.data + std::int64_t(y) * out.pitch) + sample;
    const int channel = sample % C, pixel = sample / C;
    if (C == 4 && channel == 3) {
        *to = rowOf<float>(in, y)[sample];
        return;
    }
    const double* means = spreads.first + spreads.at(y) + channel;
    const double* insides = spreads.second + spreads.at(y) + channel;
    const auto place = [&](int j) { return std::int64_t(min(max(pixel + j, 0), lastPixel)) * C; };
    double sum = 0, inside = 0, between = 0;
#pragma unroll 4
    for (int j = -radius; j <= radius; ++j) {
        sum = __dadd_rn(sum, means[place(j)]);
        inside = __dadd_rn(inside, insides[place(j)]);
    }
    const auto side = double(2 * radius + 1);
    const double mean = __ddiv_rn(sum, side);
#pragma unroll 4
    for (int j = -radius; j <= radius; ++j) {
        const double away = __dsub_rn(means[place(j)], mean);
        between = __dadd_rn(between, __dmul_rn(away, away));
    }
    double result = __ddiv_rn(__dadd_rn(inside, __dmul_rn(side, between)), side * side);
    if (root) result = __dsqrt_rn(result);
    *to = __double2float_rn(result);
}

template <int C>
void runFloat(KernelContext& context, const LocalStatisticsPlan& plan, const DeviceImage& in,
              const DeviceImage& out) {
    const int height = in.size.height;
    const std::int64_t samples = std::int64_t(in.size.width) * C;
    const std::int64_t pitch = (samples + 15) / 16 * 16;
    const std::int64_t rowBytes = 2 * pitch * std::int64_t(sizeof(double));
    const RowsCost cost =
        floatStatisticsCost(samples, 2 * rowBytes + in.pitch + out.pitch, plan.radius);
    const LaunchCut cut = cutRows(limitsOf(context), cost);
    const int bandRows = int(std::clamp<std::int64_t>(
        std::min<std::int64_t>(cut.rows, kMostBytes / rowBytes), 1, height));
    const DeviceMemory memory = context.allocate(std::size_t(rowBytes) * unsigned(bandRows));
    const auto means = memory.as<double>();
    const int each = cut.pieces(cost.blocks), pieces[] = {each, each};
    forEachPiece(context, height, bandRows, pieces, [&](int first, int last, int pass, int piece) {
        const Spreads spreads{means, means + pitch * bandRows, pitch, first};
        const FastDivide perRow{unsigned(samples)};
        const std::uint32_t count = perRow.divisor * unsigned(last - first);
        const BlockRange blocks(cut, piece, divideUp(count, kThreads));
        if (pass == 0)
            launchRange(context, "local spreads of columns", blocks, kThreads, 0,
                        columnSpreadsKernel, in, spreads, first, plan.radius, perRow, blocks.first,
                        count);
        else
            launchRange(context, "local spreads", blocks, kThreads, 0, squareSpreadsKernel<C>, in,
                        out, spreads, plan.radius, plan.what == LocalStatistic::StandardDeviation,
                        perRow, blocks.first, count);
    });
}

void run(KernelContext& context, const Plan& given, const DeviceImage& in, const DeviceImage& out) {
    const auto& plan = static_cast<const LocalStatisticsPlan&>(given);
    if (plan.range) return runOther(context, *plan.range, in, out);
    if (isFloat(in.format)) {
        isColor(in.format) ? runFloat<4>(context, plan, in, out)
                           : runFloat<1>(context, plan, in, out);
        return;
    }
    if (bytesPerSample(in.format) == 1 && plan.radius <= kMostSmallStatistics)
        return runSmallStatistics(context, plan.radius,
                                  plan.what == LocalStatistic::StandardDeviation, in, out);
    forSamples(in.format, [&]<class T, int C>() { runSums<T, C>(context, plan, in, out); });
}

// The range is warmed up by morphology; the others are the same kernels, small windows others.
std::vector<ParamSet> warmUps() {
    std::vector<ParamSet> sets;
    for (int radius = 1; radius <= kMostSmallStatistics + 1; ++radius)
        sets.emplace_back().set("radius", std::int64_t(radius));
    return sets;
}

}  // namespace

WARPSCOPE_CUDA_RUNNER(local_statistics, .run = run, .warmUps = warmUps);

}  // namespace warpscope::cuda
