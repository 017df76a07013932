// The mean over a square of float samples. As on the CPU nothing slides: a window is the end of one
// block of 2 radius + 1 rows (then columns) and the start of the next, and all is added in the same
// order (engine/operations/smoothing/box_mean_float.cpp).
#include <algorithm>

#include "cuda_kernels/smoothing/box_mean.cuh"

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = 128;
// Slow devices do 2 of these while they do 64 multiplications of integers.
constexpr std::int64_t kWorkOfDouble = 32;

// Sums of a band of rows, colours side by side, without alpha.
struct Rows {
    double* data;
    std::int64_t pitch;  // elements
    int first;           // row of the image that row 0 is

    __device__ double* row(int y) const { return data + std::int64_t(y - first) * pitch; }
};

// A thread takes a column of samples and a block of rows: for each output row [first, last) of it
// the sum over the rows of the window.
template <int C>
__global__ void __launch_bounds__(kThreads)
    columnSumsKernel(DeviceImage in, Rows sums, int first, int last, int radius, int firstSample,
                     FastDivide samples, std::uint32_t count) {
    constexpr int kColors = C == 4 ? 3 : 1;
    const std::uint32_t index = blockIdx.x * kThreads + threadIdx.x;
    if (index >= count) return;
    const int side = 2 * radius + 1;
    const std::uint32_t line = samples(index);
    const int sample = firstSample + int(index - line * samples.divisor);
    const int start = (first / side + int(line)) * side;
    const int from = max(first - start, 0), to = min(last - start, side);
    const std::byte* column = in.data + (std::int64_t(sample / kColors) * C + sample % kColors) *
                                            std::int64_t(sizeof(float));
    const auto at = [&](int row) {
        const int y = min(max(row - radius, 0), in.size.height - 1);
        return double(*reinterpret_cast<const float*>(column + std::int64_t(y) * in.pitch));
    };
    double sum = 0;
    for (int i = side - 1; i >= from; --i) {
        sum += at(start + i);
        if (i < to) sums.row(start + i)[sample] = sum;
    }
    sum = 0;
    for (int i = 1; i < to; ++i) {
        sum += at(start + side + i - 1);
        if (i >= from) sums.row(start + i)[sample] += sum;
    }
}

// A thread takes a row and a block of columns of one colour.
template <int C>
__global__ void __launch_bounds__(kThreads)
    rowMeansKernel(DeviceImage in, DeviceImage out, Rows sums, Rows toEnd, int radius, double n,
                   FastDivide perRow, std::uint32_t count) {
    constexpr int kColors = C == 4 ? 3 : 1;
    const std::uint32_t index = blockIdx.x * kThreads + threadIdx.x;
    if (index >= count) return;
    const int side = 2 * radius + 1, width = in.size.width;
    const std::uint32_t line = perRow(index);
    const int place = int(index - line * perRow.divisor);
    const int y = sums.first + int(line), color = place % kColors;
    const int start = place / kColors * side, end = min(start + side, width);
    const double* own = sums.row(y) + color;
    double* ends = toEnd.row(y) + color;
    const auto at = [&](int column) {
        return own[std::int64_t(min(max(column - radius, 0), width - 1)) * kColors];
    };
    double sum = 0;
    for (int x = start + side - 1; x >= start; --x) {
        sum += at(x);
        if (x < end) ends[std::int64_t(x) * kColors] = sum;
    }
    const auto* source = reinterpret_cast<const float*>(in.data + std::int64_t(y) * in.pitch);
    auto* target = reinterpret_cast<float*>(out.data + std::int64_t(y) * out.pitch);
    sum = 0;
    for (int x = start; x < end; ++x) {
        if (x > start) sum += at(x + side - 1);
        const std::int64_t pixel = std::int64_t(x) * C;
        target[pixel + color] = float((ends[std::int64_t(x) * kColors] + sum) / n);
        if (C == 4 && color == 0) target[pixel + 3] = source[pixel + 3];
    }
}

template <int C>
void run(KernelContext& context, const BoxMeanPlan& plan, const DeviceImage& in,
         const DeviceImage& out) {
    constexpr std::int64_t kMostBytes = std::int64_t(256) << 20;
    const int side = 2 * plan.radius + 1;
    const std::int64_t samples = std::int64_t(in.size.width) * (C == 4 ? 3 : 1);
    const std::int64_t pitch = (samples + 15) / 16 * 16;
    const std::int64_t rowBytes = 2 * pitch * std::int64_t(sizeof(double));
    const std::int64_t blocks = (in.size.width + side - 1) / side;
    const std::int64_t rowSums = 2 * blocks * side * (C == 4 ? 3 : 1);
    const int byTime =
        context.rowsPerLaunch(3 * rowBytes + in.pitch + out.pitch, rowSums * kWorkOfDouble);
    const int bandRows = int(std::clamp<std::int64_t>(
        std::min<std::int64_t>(byTime, kMostBytes / rowBytes), 1, in.size.height));
    const std::size_t bytes = std::size_t(rowBytes) * unsigned(bandRows);
    DeviceMemory memory;
    std::byte* data = nullptr;
    if (bytes <= DeviceContext::kMaxScratch) {
        data = context.device().scratch(DeviceContext::Scratch::Planes, bytes);
    } else {
        memory = context.allocate(bytes);
        data = memory.as();
    }
    // Columns that one launch may go down with the rows beyond the band.
    const std::int64_t down = bandRows + 2 * std::int64_t(side);
    const std::int64_t columns = std::min<std::int64_t>(
        samples,
        32 * std::int64_t(context.rowsPerLaunch(down * 32 * 16, down * 32 * kWorkOfDouble)));
    context.forEachBand(in.size.height, bandRows, [&](int first, int last) {
        const Rows sums{reinterpret_cast<double*>(data), pitch, first};
        const Rows toEnd{sums.data + pitch * bandRows, pitch, first};
        const auto lines = unsigned((last - 1) / side - first / side + 1);
        for (std::int64_t sample = 0; sample < samples; sample += columns) {
            context.checkStop();
            const FastDivide perLine{unsigned(std::min(columns, samples - sample))};
            const std::uint32_t count = perLine.divisor * lines;
            launch(context, "box mean columns", divideUp(count, kThreads), kThreads, 0,
                   columnSumsKernel<C>, in, sums, first, last, plan.radius, int(sample), perLine,
                   count);
        }
        const FastDivide perRow{unsigned(blocks * (C == 4 ? 3 : 1))};
        const std::uint32_t count = perRow.divisor * unsigned(last - first);
        launch(context, "box mean rows", divideUp(count, kThreads), kThreads, 0, rowMeansKernel<C>,
               in, out, sums, toEnd, plan.radius, double(plan.count), perRow, count);
    });
}

}  // namespace

void boxMeanOfFloats(KernelContext& context, const BoxMeanPlan& plan, const DeviceImage& in,
                     const DeviceImage& out) {
    isColor(in.format) ? run<4>(context, plan, in, out) : run<1>(context, plan, in, out);
}

}  // namespace warpscope::cuda
