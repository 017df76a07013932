// 8 bits: guided_filter_bytes.cu. Here 16 bits and floats: sums over windows in the order of the
// CPU (engine/operations/smoothing/guided_filter.h): a block makes them in shared memory, along a
// row or along a few columns. Two sums a time: of luma and its squares, of a colour and its
// products with luma, of a and b.
#include "engine/operations/smoothing/guided_filter.h"

#include <algorithm>
#include <iterator>
#include <type_traits>

#include "cuda_kernels/runtime/blocks_by_device.cuh"
#include "cuda_kernels/runtime/launch_pieces.cuh"
#include "cuda_kernels/smoothing/guided_filter.cuh"
#include "cuda_kernels/smoothing/window_costs.h"

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = 256;
constexpr int kTile = kGuidedTile, kColumns = kGuidedColumns, kRows = kGuidedRows;
constexpr int kEach = kTile / int(kThreads);
// What bands take, unless windows alone take more.
constexpr std::int64_t kMostBytes = std::int64_t(256) << 20;

// Rows of a band; an element a pixel.
template <class E>
struct BandRows {
    E* data;
    std::int64_t pitch;  // elements
    int firstRow;        // row of the image that row 0 is

    __device__ E& at(int x, int y) const { return data[std::int64_t(y - firstRow) * pitch + x]; }
};
using SumRows = BandRows<double2>;
using LineRows = BandRows<float2>;

// sum[p] = of `side` values from place threadIdx.x + p kThreads on, `step` apart, of `all` in
// `values`; `next` has as much room. All threads of a block take part.
__device__ void windowSums(double* values, double* next, int all, int side, int step,
                           double (&sum)[kEach]) {
    __syncthreads();
#pragma unroll
    for (int p = 0; p < kEach; ++p) sum[p] = values[int(threadIdx.x) + p * int(kThreads)];
    int taken = 1, valid = all;
    for (int length = 1; taken < side;) {
        valid -= length * step;
        for (int i = int(threadIdx.x); i < valid; i += int(kThreads))
            next[i] = __dadd_rn(values[i], values[i + length * step]);
        __syncthreads();
        double* const made = next;
        next = values;
        values = made;
        length *= 2;
        if (!(side & length)) continue;
#pragma unroll
        for (int p = 0; p < kEach; ++p) {
            const int i = int(threadIdx.x) + p * int(kThreads) + taken * step;
            sum[p] = __dadd_rn(sum[p], values[i]);
        }
        taken += length;
    }
    // Others may write there again.
    __syncthreads();
}

template <class T, int C>
__device__ __forceinline__ T lumaAt(const DeviceImage& in, int x, int y) {
    const T* pixel =
        reinterpret_cast<const T*>(in.data + std::int64_t(y) * in.pitch) + std::int64_t(x) * C;
    if constexpr (C == 1)
        return pixel[0];
    else if constexpr (std::is_floating_point_v<T>)
        return luma(pixel[0], pixel[1], pixel[2]);
    else
        return T(luma(std::uint32_t(pixel[0]), std::uint32_t(pixel[1]), std::uint32_t(pixel[2])));
}

// What is summed: a colour (channel -1: luma) and its products with luma.
template <class T, int C>
struct ProductsOf {
    DeviceImage in;
    int channel;

    __device__ double2 operator()(int x, int y) const {
        const auto level = double(lumaAt<T, C>(in, x, y));
        if (channel < 0) return {level, __dmul_rn(level, level)};
        const T* row = reinterpret_cast<const T*>(in.data + std::int64_t(y) * in.pitch);
        const auto value = double(row[std::int64_t(x) * C + channel]);
        return {value, __dmul_rn(value, level)};
    }
};
struct LinesOf {
    LineRows lines;
    __device__ double2 operator()(int x, int y) const {
        const float2 line = lines.at(x, y);
        return {double(line.x), double(line.y)};
    }
};

// Along the rows from `firstRow` on. Shared memory: 4 (kTile + 2 radius) doubles.
template <class Values>
__global__ void __launch_bounds__(kThreads)
    rowSumsKernel(Values values, SumRows sums, int firstRow, int width, int radius,
                  FastDivide tilesPerRow, unsigned firstBlock) {
    extern __shared__ __align__(16) unsigned char sharedBytes[];
    const unsigned block = firstBlock + blockIdx.x;
    const int line = int(tilesPerRow(block)), y = firstRow + line;
    const int tile = int(block - unsigned(line) * tilesPerRow.divisor) * kTile;
    const int all = kTile + 2 * radius;
    double* first = reinterpret_cast<double*>(sharedBytes);
    double* second = first + all;
    double* room = second + all;
    for (int i = int(threadIdx.x); i < all; i += int(kThreads)) {
        const double2 value = values(min(max(tile - radius + i, 0), width - 1), y);
        first[i] = value.x;
        second[i] = value.y;
    }
    double sum[2][kEach];
    windowSums(first, room, all, 2 * radius + 1, 1, sum[0]);
    windowSums(second, room, all, 2 * radius + 1, 1, sum[1]);
#pragma unroll
    for (int p = 0; p < kEach; ++p) {
        const int x = tile + int(threadIdx.x) + p * int(kThreads);
        if (x < width) sums.at(x, y) = {sum[0][p], sum[1][p]};
    }
}

template <bool Color>
struct MakeLines;
// Of gray the assembler itself stays at as many registers, but then keeps a value in memory.
template <class Finish>
constexpr int kResidentColumns = std::is_same_v<Finish, MakeLines<false>>
                                     ? blocksByDevice({0, 8, 0}, int(kThreads))
                                     : 0;

// Down columns, for rows [firstRow, lastRow): finish(x, y, sums of the whole window). Shared
// memory: 2 kColumns (kRows + 2 radius) doubles.
template <class Finish>
__global__ void __launch_bounds__(kThreads, kResidentColumns<Finish>)
    columnSumsKernel(SumRows rows, Finish finish, int firstRow, int lastRow, Size size, int radius,
                     FastDivide tilesPerRow, unsigned firstBlock) {
    extern __shared__ __align__(16) unsigned char sharedBytes[];
    const unsigned block = firstBlock + blockIdx.x;
    const int strip = int(tilesPerRow(block));
    const int left = int(block - unsigned(strip) * tilesPerRow.divisor) * kColumns;
    const int top = firstRow + strip * kRows;
    const int all = kColumns * (kRows + 2 * radius);
    double* values = reinterpret_cast<double*>(sharedBytes);
    double* room = values + all;
    // What rows below the last one that is wanted need may not have been made.
    const int lastNeeded = min(lastRow - 1 + radius, size.height - 1);
    double sum[2][kEach];
#pragma unroll
    for (int which = 0; which < 2; ++which) {
        for (int i = int(threadIdx.x); i < all; i += int(kThreads)) {
            const int x = min(left + i % kColumns, size.width - 1);
            const int y = min(max(top - radius + i / kColumns, 0), lastNeeded);
            const double2 value = rows.at(x, y);
            values[i] = which == 0 ? value.x : value.y;
        }
        windowSums(values, room, all, 2 * radius + 1, kColumns, sum[which]);
    }
#pragma unroll
    for (int p = 0; p < kEach; ++p) {
        const int i = int(threadIdx.x) + p * int(kThreads);
        const int x = left + i % kColumns, y = top + i / kColumns;
        if (x < size.width && y < lastRow) finish(x, y, double2{sum[0][p], sum[1][p]});
    }
}

struct KeepSums {
    SumRows sums;
    __device__ void operator()(int x, int y, double2 sum) const { sums.at(x, y) = sum; }
};

// a and b.
template <bool Color>
struct MakeLines {
    // Of luma and its squares, where they are not what comes.
    SumRows lumaSums;
    LineRows lines;
    double n, share, softening;

    __device__ void operator()(int x, int y, double2 sum) const {
        double2 own = sum;
        if constexpr (Color) own = lumaSums.at(x, y);
        double spread = __dsub_rn(__dmul_rn(n, own.y), __dmul_rn(own.x, own.x));
        spread = spread < 0 ? 0 : spread;
        double together = spread;
        if constexpr (Color) together = __dsub_rn(__dmul_rn(n, sum.y), __dmul_rn(own.x, sum.x));
        const float slope = __double2float_rn(__ddiv_rn(together, __dadd_rn(spread, softening)));
        const double offset =
            __dsub_rn(__dmul_rn(sum.x, share), __dmul_rn(double(slope), __dmul_rn(own.x, share)));
        lines.at(x, y) = {slope, __double2float_rn(offset)};
    }
};

template <class T, int C>
struct MakeResult {
    DeviceImage in, out;
    int channel;
    double share, white;

    __device__ void operator()(int x, int y, double2 sum) const {
        const auto level = double(lumaAt<T, C>(in, x, y));
        const double v =
            __dadd_rn(__dmul_rn(__dmul_rn(sum.x, share), level), __dmul_rn(sum.y, share));
        const std::int64_t at = std::int64_t(x) * C;
        T* const to = reinterpret_cast<T*>(out.data + std::int64_t(y) * out.pitch) + at;
        if constexpr (std::is_floating_point_v<T>) {
            to[channel] = __double2float_rn(v);
        } else {
            const double bounded = v < 0 ? 0 : v > white ? white : v;
            to[channel] = T(int(__dadd_rn(bounded, 0.5)));
        }
        if (C == 4 && channel == 0)
            to[3] = reinterpret_cast<const T*>(in.data + std::int64_t(y) * in.pitch)[at + 3];
    }
};

// What a pass of a band is launched with.
struct GuidedPass {
    KernelContext& context;
    Size size;
    int radius;
    LaunchCut rows, columns;
    FastDivide rowTiles, columnTiles;

    GuidedPass(KernelContext& given, Size imageSize, int windowRadius, std::int64_t pitches)
        : context(given),
          size(imageSize),
          radius(windowRadius),
          rows(cutRows(limitsOf(given), guidedRowsCost(imageSize.width, pitches, windowRadius))),
          columns(
              cutRows(limitsOf(given), guidedColumnsCost(imageSize.width, pitches, windowRadius))),
          rowTiles(divideUp(unsigned(imageSize.width), kTile)),
          columnTiles(divideUp(unsigned(imageSize.width), kColumns)) {}

    unsigned rowBlocks(std::int64_t count) const { return rowTiles.divisor * unsigned(count); }
    unsigned columnBlocks(std::int64_t count) const {
        return columnTiles.divisor * divideUp(std::uint64_t(count), kRows);
    }

    template <class Values>
    void sumRows(const Values& values, const SumRows& sums, int first, int last, int piece) {
        const std::size_t shared = 4 * unsigned(kTile + 2 * radius) * sizeof(double);
        const BlockRange blocks(rows, piece, rowBlocks(last - first));
        launchRange(context, "guided filter rows", blocks, kThreads, shared, rowSumsKernel<Values>,
                    values, sums, first, size.width, radius, rowTiles, blocks.first);
    }
    template <class Finish>
    void sumColumns(const Finish& finish, const SumRows& sums, int first, int last, int piece) {
        const std::size_t shared = 2 * unsigned(kColumns * (kRows + 2 * radius)) * sizeof(double);
        const BlockRange blocks(columns, piece, columnBlocks(last - first));
        launchRange(context, "guided filter columns", blocks, kThreads, shared,
                    columnSumsKernel<Finish>, sums, finish, first, last, size, radius, columnTiles,
                    blocks.first);
    }
};

template <class T, int C>
void runPixels(KernelContext& context, const GuidedFilterPlan& plan, const DeviceImage& in,
               const DeviceImage& out) {
    constexpr bool kColor = C == 4;
    const int radius = plan.radius, width = in.size.width, height = in.size.height;
    const std::int64_t pitch = (std::int64_t(width) + 15) / 16 * 16;
    // a and b are needed 1 radius beyond a band, sums along rows 2.
    constexpr std::int64_t kSums = sizeof(double2), kLines = sizeof(float2);
    const std::int64_t rowBytes = pitch * (kSums + kLines + (kColor ? kSums : 0));
    const int bandRows = int(std::clamp<std::int64_t>(kMostBytes / rowBytes - 4 * radius,
                                                      std::min(2 * radius + 64, height), height));
    const auto sumRowCount = std::min<std::int64_t>(height, std::int64_t(bandRows) + 4 * radius);
    const auto lineRowCount = std::min<std::int64_t>(height, std::int64_t(bandRows) + 2 * radius);
    const DeviceMemory memory = context.allocate(std::size_t(
        pitch * (kSums * sumRowCount + (kLines + (kColor ? kSums : 0)) * lineRowCount)));
    const auto rowSums = memory.as<double2>();
    const auto lumaSums = rowSums + pitch * sumRowCount;
    const auto lines = reinterpret_cast<float2*>(lumaSums + (kColor ? pitch * lineRowCount : 0));
    GuidedPass work(context, in.size, radius, pitch * kSums + in.pitch + out.pitch);
    // Of luma, then of each colour: sums along rows and down columns, and those of what was made of
    // them.
    constexpr int kSteps = 4, kLumaSteps = kColor ? 2 : 0;
    int pieces[kLumaSteps + kSteps * (kColor ? 3 : 1)];
    for (int pass = 0; pass < int(std::size(pieces)); ++pass) {
        const int step = pass < kLumaSteps ? pass : (pass - kLumaSteps) % kSteps;
        pieces[pass] = step == 0   ? work.rows.pieces(work.rowBlocks(sumRowCount))
                       : step == 2 ? work.rows.pieces(work.rowBlocks(lineRowCount))
                                   : work.columns.pieces(work.columnBlocks(lineRowCount));
    }
    forEachPiece(context, height, bandRows, pieces, [&](int first, int last, int pass, int piece) {
        const int lineFirst = std::max(0, first - radius);
        const int lineLast = std::min(height, last + radius);
        const int sumFirst = std::max(0, lineFirst - radius);
        const int sumLast = std::min(height, lineLast + radius);
        const SumRows sums{rowSums, pitch, sumFirst}, kept{lumaSums, pitch, lineFirst};
        const LineRows made{lines, pitch, lineFirst};
        const bool ofLuma = pass < kLumaSteps;
        const int c = ofLuma ? 0 : (pass - kLumaSteps) / kSteps;
        const int step = ofLuma ? pass : (pass - kLumaSteps) % kSteps;
        if (step == 0) {
            const int channel = kColor && !ofLuma ? c : -1;
            work.sumRows(ProductsOf<T, C>{in, channel}, sums, sumFirst, sumLast, piece);
        } else if (ofLuma) {
            work.sumColumns(KeepSums{kept}, sums, lineFirst, lineLast, piece);
        } else if (step == 1) {
            work.sumColumns(MakeLines<kColor>{kept, made, plan.count, plan.share, plan.softening},
                            sums, lineFirst, lineLast, piece);
        } else if (step == 2) {
            work.sumRows(LinesOf{made}, sums, lineFirst, lineLast, piece);
        } else {
            work.sumColumns(MakeResult<T, C>{in, out, c, plan.share, plan.white}, sums, first, last,
                            piece);
        }
    });
}

void run(KernelContext& context, const Plan& given, const DeviceImage& in, const DeviceImage& out) {
    const auto& plan = static_cast<const GuidedFilterPlan&>(given);
    const bool color = isColor(in.format);
    if (isFloat(in.format))
        color ? runPixels<float, 4>(context, plan, in, out)
              : runPixels<float, 1>(context, plan, in, out);
    else if (bytesPerSample(in.format) == 2)
        color ? runPixels<std::uint16_t, 4>(context, plan, in, out)
              : runPixels<std::uint16_t, 1>(context, plan, in, out);
    else
        guidedFilterOfBytes(context, plan, in, out);
}

}  // namespace

WARPSCOPE_CUDA_RUNNER(guided_filter, .run = run, .loadKernels = loadGuidedByteKernels);

}  // namespace warpscope::cuda
