// Exact sums over squares, from integral images of bands of rows. Differences of sums are right
// modulo 2^32 (2^64) although the sums themselves may not be.
#pragma once

#include <algorithm>

#include "cuda_kernels/analysis/integral_image.cuh"

namespace warpscope::cuda {

// How the columns (rows) of the window around one are weighted: those beyond an edge count as the
// edge.
struct SumsWindow {
    int before;  // column left of the window, -1: none
    int last;
    std::uint32_t repeatFirst, repeatLast;  // how often an edge counts once more

    __device__ static SumsWindow around(int at, int radius, int length) {
        return {max(at - radius - 1, -1), min(at + radius, length - 1),
                std::uint32_t(max(radius - at, 0)),
                std::uint32_t(max(at + radius - (length - 1), 0))};
    }
};

template <class Sum>
struct Sums {
    const Sum* data;
    std::int64_t pitch;       // elements
    std::int64_t planePitch;  // elements
    int firstRow;             // of the image; sums begin with 0 above it
    Size size;                // of the image

    // Weighted sum over the window's columns of all rows up to and with `row`.
    __device__ Sum upTo(int row, int plane, const SumsWindow& columns) const {
        if (row < firstRow) return 0;
        const Sum* at = data + plane * planePitch + std::int64_t(row - firstRow) * pitch;
        Sum sum = at[columns.last];
        if (columns.before >= 0) sum -= at[columns.before];
        if (columns.repeatFirst) sum += columns.repeatFirst * at[0];
        if (columns.repeatLast) {
            const int width = size.width;
            const Sum beforeLast = width > 1 ? at[width - 2] : Sum(0);
            sum += columns.repeatLast * (at[width - 1] - beforeLast);
        }
        return sum;
    }
    __device__ Sum over(int plane, const SumsWindow& columns, const SumsWindow& rows) const {
        Sum sum = upTo(rows.last, plane, columns) - upTo(rows.before, plane, columns);
        if (rows.repeatFirst) sum += rows.repeatFirst * upTo(0, plane, columns);
        if (rows.repeatLast)
            sum += rows.repeatLast *
                   (upTo(size.height - 1, plane, columns) - upTo(size.height - 2, plane, columns));
        return sum;
    }
};

inline constexpr unsigned kBoxSumsThreads = 256;

// One thread a pixel of the rows from `firstRow` of the image on, which are row 0 of in and out.
template <class Sum, class Finish>
__global__ void __launch_bounds__(kBoxSumsThreads)
    boxSumsKernel(DeviceImage in, DeviceImage out, int firstRow, Sums<Sum> sums, int radius,
                  FastDivide perRow, std::uint32_t count, Finish finish) {
    const std::uint32_t index = blockIdx.x * kBoxSumsThreads + threadIdx.x;
    if (index >= count) return;
    const int row = int(perRow(index));
    const int x = int(index - unsigned(row) * perRow.divisor);
    finish(in.data + row * in.pitch, out.data + row * out.pitch, x, sums,
           SumsWindow::around(x, radius, sums.size.width),
           SumsWindow::around(firstRow + row, radius, sums.size.height));
}

// Calls finish(row of in, row of out, x, sums, columns, rows) for every pixel, on the device;
// sums.over(plane, columns, rows) is the sum over the square around it. 8 and 16 bits.
template <class Sum, SumOf What, class Finish>
void forBoxSums(KernelContext& context, const char* name, int radius, const DeviceImage& in,
                const DeviceImage& out, const Finish& finish) {
    constexpr int kPlanes = What == SumOf::Planes ? 3 : 1;
    constexpr std::int64_t kMostBytes = std::int64_t(256) << 20;
    const int height = in.size.height;
    const std::int64_t pitch = (std::int64_t(in.size.width) + 63) / 64 * 64;  // elements
    const std::int64_t rowBytes = pitch * kPlanes * std::int64_t(sizeof(Sum));
    // A band sums 2 radius + 1 rows beyond its own.
    const int beyond = 2 * radius + 1;
    const std::int64_t byMemory = std::max<std::int64_t>(beyond, kMostBytes / rowBytes - beyond);
    const int byTime = context.rowsPerLaunch(rowBytes * 2 + in.pitch + out.pitch,
                                             std::int64_t(in.size.width) * kPlanes * 24);
    const int bandRows = int(std::min<std::int64_t>(byMemory, byTime));
    const int sumRowCount = int(std::min<std::int64_t>(height, std::int64_t(bandRows) + beyond));
    const std::size_t bytes = std::size_t(rowBytes) * unsigned(sumRowCount);
    DeviceMemory memory;
    std::byte* data = nullptr;
    if (bytes <= DeviceContext::kMaxScratch) {
        data = context.device().scratch(DeviceContext::Scratch::Planes, bytes);
    } else {
        memory = context.allocate(bytes);
        data = memory.as();
    }
    const std::int64_t pitchBytes = pitch * std::int64_t(sizeof(Sum));
    const std::int64_t planePitch = pitch * sumRowCount;
    const int perLaunch = rowsPerSumLaunch(context, in, kPlanes * int(sizeof(Sum)));
    context.forEachBand(height, bandRows, [&](int first, int last) {
        const int from = std::max(0, first - radius - 1);
        const int to = std::min(height, last + radius);
        for (int y = from; y < to;) {
            const int end = to - y > perLaunch ? y + perLaunch : to;
            context.checkStop();
            std::byte* at = data + (y - from) * pitchBytes;
            sumRows(context, What, rowsOf(in, y, end),
                    {at, pitchBytes, planePitch * std::int64_t(sizeof(Sum)), int(sizeof(Sum))},
                    y > from ? at - pitchBytes : nullptr);
            y = end;
        }
        const auto width = unsigned(in.size.width);
        const std::uint32_t count = width * unsigned(last - first);
        launch(context, name, divideUp(count, kBoxSumsThreads), kBoxSumsThreads, 0,
               boxSumsKernel<Sum, Finish>, rowsOf(in, first, last), rowsOf(out, first, last), first,
               Sums<Sum>{reinterpret_cast<const Sum*>(data), pitch, planePitch, from, in.size},
               radius, FastDivide(width), count, finish);
    });
}

}  // namespace warpscope::cuda
