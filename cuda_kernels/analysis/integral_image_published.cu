// The published ways to an integral image, right at any size and in launches of bounded length.
#include <algorithm>

#include "cuda_kernels/analysis/integral_image.cuh"
#include "cuda_kernels/runtime/blocks_by_device.cuh"

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = 256;
constexpr int kBlock = 4;

template <class T, bool FromColor>
__device__ __forceinline__ std::uint32_t valueAt(const DeviceImage& in, int x, int y) {
    constexpr SumOf kWhat = FromColor ? SumOf::Luma : SumOf::Sample;
    using One = PackedPixels<T, kWhat, 1>;
    std::uint32_t packed[One::kWords];
    One::load(in.data + y * in.pitch, x, 1, 0, packed);
    return packed[0];
}

// Samples of a matrix of sums; `pitch` in elements.
template <class Sum>
struct Matrix {
    Sum* data = nullptr;
    std::int64_t pitch = 0;
    __device__ Sum& at(std::int64_t x, std::int64_t y) const { return data[y * pitch + x]; }
};

template <class T, bool FromColor, class Sum>
__global__ void __launch_bounds__(kThreads)
    rowLinesKernel(DeviceImage in, Matrix<Sum> out, int firstX, int lastX) {
    const int y = int(blockIdx.x * kThreads + threadIdx.x);
    if (y >= in.size.height) return;
    Sum sum = firstX ? out.at(firstX - 1, y) : Sum(0);
    for (int x = firstX; x < lastX; ++x) {
        sum += valueAt<T, FromColor>(in, x, y);
        out.at(x, y) = sum;
    }
}

// Down the columns [0, columns) of `sums`, rows from `first` on; the row before is already done.
template <class Sum>
__global__ void __launch_bounds__(kThreads)
    columnLinesKernel(Matrix<Sum> sums, int columns, int first, int last) {
    const int x = int(blockIdx.x * kThreads + threadIdx.x);
    if (x >= columns) return;
    Sum sum = first ? sums.at(x, first - 1) : Sum(0);
#pragma unroll 4
    for (int y = first; y < last; ++y) {
        sum += sums.at(x, y);
        sums.at(x, y) = sum;
    }
}

// Along the rows of `sums`, columns from `first` on.
template <class Sum>
__global__ void __launch_bounds__(kThreads)
    rowSumsKernel(Matrix<Sum> sums, int rows, int first, int last) {
    const int y = int(blockIdx.x * kThreads + threadIdx.x);
    if (y >= rows) return;
    Sum sum = first ? sums.at(first - 1, y) : Sum(0);
    for (int x = first; x < last; ++x) {
        sum += sums.at(x, y);
        sums.at(x, y) = sum;
    }
}

// Every launch of one thread per line: as many lines and as long a segment as stay short. One
// thread does an element in about a microsecond, and one that meets nobody in a cache line moves 64
// bytes.
class LineLaunches {
  public:
    LineLaunches(const KernelContext& context, int length) {
        segment = std::min(length, kLongest);
        lines = std::max(256, context.rowsPerLaunch(std::int64_t(segment) * 128, 1));
    }
    int segment;
    int lines;

  private:
    static constexpr int kLongest = 8192;
};

// Calls work(i) for the pieces of a run, between which somebody may stop it.
template <class Work>
void forEachPiece(KernelContext& context, std::int64_t pieces, Work&& work) {
    // Never more than some ten thousand: pieces are large.
    context.forEachBand(int(pieces), 1, [&](int piece, int) { work(piece); });
}

template <class T, bool FromColor, class Sum>
void rowsThenColumns(KernelContext& context, const DeviceImage& in, const DeviceImage& out) {
    const int width = in.size.width, height = in.size.height;
    const std::int64_t pitch = out.pitch / std::int64_t(sizeof(Sum));
    auto* sums = reinterpret_cast<Sum*>(out.data);
    const LineLaunches rows(context, width), columns(context, height);
    const int rowParts = int(divideUp(unsigned(height), unsigned(rows.lines)));
    const int rowSegments = int(divideUp(unsigned(width), unsigned(rows.segment)));
    const int columnParts = int(divideUp(unsigned(width), unsigned(columns.lines)));
    const int columnSegments = int(divideUp(unsigned(height), unsigned(columns.segment)));
    const int rowPieces = rowParts * rowSegments;
    forEachPiece(context, rowPieces + columnParts * columnSegments, [&](int piece) {
        if (piece < rowPieces) {
            const int first = piece / rowSegments * rows.lines;
            const int last = std::min(height, first + rows.lines);
            const int x = piece % rowSegments * rows.segment;
            launch(context, "sums along rows", divideUp(unsigned(last - first), kThreads), kThreads,
                   0, rowLinesKernel<T, FromColor, Sum>, rowsOf(in, first, last),
                   Matrix<Sum>{sums + first * pitch, pitch}, x, std::min(width, x + rows.segment));
            return;
        }
        piece -= rowPieces;
        const int first = piece / columnSegments * columns.lines;
        const int last = std::min(width, first + columns.lines);
        const int y = piece % columnSegments * columns.segment;
        launch(context, "sums down columns", divideUp(unsigned(last - first), kThreads), kThreads,
               0, columnLinesKernel<Sum>, Matrix<Sum>{sums + first, pitch}, last - first, y,
               std::min(height, y + columns.segment));
    });
}

// What the six steps keep of a band of rows: for each block its right column, its bottom row and
// its total, which the scans turn into sums over the blocks before it and it.
template <class Sum>
struct BlockSums {
    Matrix<Sum> right;   // [rows][blocksX]
    Matrix<Sum> bottom;  // [blocksY][blocksX * kBlock]
    Matrix<Sum> total;   // [blocksY][blocksX]
    int blocksX = 0;
    int blocksY = 0;
};

// Where the assembler itself stays at 32 or 40 registers, sums of 64 bits of a colour need more.
template <bool FromColor, class Sum>
constexpr int kResident = FromColor && sizeof(Sum) == 8 ? blocksByDevice({5, 0, 0}, kThreads) : 0;

// 1. One thread a block: its own integral image.
template <class T, bool FromColor, class Sum>
__global__ void __launch_bounds__(kThreads, kResident<FromColor, Sum>)
    blocksKernel(DeviceImage in, Matrix<Sum> out, BlockSums<Sum> sums, FastDivide blocksX,
                 unsigned count) {
    const unsigned index = blockIdx.x * kThreads + threadIdx.x;
    if (index >= count) return;
    const int by = int(blocksX(index)), bx = int(index - unsigned(by) * blocksX.divisor);
    std::uint32_t above[kBlock] = {};
#pragma unroll
    for (int j = 0; j < kBlock; ++j) {
        const int y = by * kBlock + j;
        std::uint32_t row = 0;
#pragma unroll
        for (int i = 0; i < kBlock; ++i) {
            const int x = bx * kBlock + i;
            const bool inside = x < in.size.width && y < in.size.height;
            if (inside) row += valueAt<T, FromColor>(in, x, y);  // else: padded with 0
            above[i] += row;
            if (inside) out.at(x, y) = above[i];
        }
        sums.right.at(bx, y) = above[kBlock - 1];
    }
#pragma unroll
    for (int i = 0; i < kBlock; ++i) sums.bottom.at(bx * kBlock + i, by) = above[i];
    sums.total.at(bx, by) = above[kBlock - 1];
}

// 6. Adds to every sum what lies to the left of its block, above it and at its corner.
template <class Sum>
__global__ void __launch_bounds__(kThreads)
    addBlocksKernel(Matrix<Sum> out, int width, int height, const Sum* above, BlockSums<Sum> sums,
                    FastDivide perRow, unsigned count) {
    const unsigned index = blockIdx.x * kThreads + threadIdx.x;
    if (index >= count) return;
    const int y = int(perRow(index)), x = int(index - unsigned(y) * perRow.divisor);
    const int bx = x / kBlock, by = y / kBlock;
    Sum sum = out.at(x, y);
    if (bx) sum += sums.right.at(bx - 1, y);
    if (by) sum += sums.bottom.at(x, by - 1);
    if (bx && by) sum += sums.total.at(bx - 1, by - 1);
    if (above) sum += above[x];
    out.at(x, y) = sum;
}

template <class T, bool FromColor, class Sum>
class Blocked {
  public:
    Blocked(KernelContext& context, const DeviceImage& in, const DeviceImage& out)
        : m_context(context), m_in(in), m_out(out) {
        constexpr std::int64_t kMostBytes = std::int64_t(256) << 20;
        constexpr int kMostRows = 8192;
        const std::int64_t blocksX = divideUp(unsigned(in.size.width), kBlock);
        // right 1, bottom 1, total 1/4 element a block and row.
        const std::int64_t rowBytes = blocksX * 9 * std::int64_t(sizeof(Sum)) / 4;
        const std::int64_t byMemory = kMostBytes / rowBytes;
        const std::int64_t byTime =
            context.rowsPerLaunch(in.pitch + 3 * out.pitch, std::int64_t(in.size.width) * 4);
        const auto most = int(std::min<std::int64_t>({byMemory, byTime, kMostRows}));
        m_bandRows = std::max(1, most / kBlock) * kBlock;
        const int rows =
            std::min(m_bandRows, int(divideUp(unsigned(in.size.height), kBlock)) * kBlock);
        m_sums.blocksX = int(blocksX);
        const std::size_t right = std::size_t(blocksX) * unsigned(rows);
        m_memory = context.allocate((2 * right + right / kBlock) * sizeof(Sum));
        m_sums.right = {m_memory.template as<Sum>(), blocksX};
        m_sums.bottom = {m_sums.right.data + right, blocksX * kBlock};
        m_sums.total = {m_sums.bottom.data + right, blocksX};
    }

    void run() {
        m_context.forEachBand(m_in.size.height, m_bandRows,
                              [&](int first, int last) { band(first, last); });
    }

  private:
    void band(int first, int last) {
        const int width = m_in.size.width, height = last - first;
        const std::int64_t pitch = m_out.pitch / std::int64_t(sizeof(Sum));
        Sum* const at = reinterpret_cast<Sum*>(m_out.data) + first * pitch;
        m_sums.blocksY = int(divideUp(unsigned(height), kBlock));
        const int rows = m_sums.blocksY * kBlock, columns = m_sums.blocksX * kBlock;
        const FastDivide blocksX{unsigned(m_sums.blocksX)};
        const unsigned blocks = unsigned(m_sums.blocksX) * unsigned(m_sums.blocksY);
        launch(m_context, "sums of blocks", divideUp(blocks, kThreads), kThreads, 0,
               blocksKernel<T, FromColor, Sum>, rowsOf(m_in, first, last), Matrix<Sum>{at, pitch},
               m_sums, blocksX, blocks);
        alongRows("right columns along rows", m_sums.right, rows);         // 2
        downColumns("bottom rows down columns", m_sums.bottom, columns);   // 3
        alongRows("totals along rows", m_sums.total, m_sums.blocksY);      // 4
        downColumns("totals down columns", m_sums.total, m_sums.blocksX);  // 5
        const unsigned pixels = unsigned(width) * unsigned(height);
        launch(m_context, "adding blocks", divideUp(pixels, kThreads), kThreads, 0,
               addBlocksKernel<Sum>, Matrix<Sum>{at, pitch}, width, height,
               static_cast<const Sum*>(first ? at - pitch : nullptr), m_sums,
               FastDivide(unsigned(width)), pixels);
    }

    void alongRows(const char* name, Matrix<Sum> sums, int rows) {
        constexpr int kSegment = 8192;
        for (int x = 0; x < m_sums.blocksX; x += kSegment) {
            m_context.checkStop();
            launch(m_context, name, divideUp(unsigned(rows), kThreads), kThreads, 0,
                   rowSumsKernel<Sum>, sums, rows, x, std::min(m_sums.blocksX, x + kSegment));
        }
    }
    void downColumns(const char* name, Matrix<Sum> sums, int columns) {
        launch(m_context, name, divideUp(unsigned(columns), kThreads), kThreads, 0,
               columnLinesKernel<Sum>, sums, columns, 0, m_sums.blocksY);
    }

    KernelContext& m_context;
    DeviceImage m_in, m_out;
    DeviceMemory m_memory;
    BlockSums<Sum> m_sums;
    int m_bandRows = kBlock;
};

// Calls work.operator()<T, FromColor, Sum>().
template <class Work>
void forTypes(const DeviceImage& in, const DeviceImage& out, Work&& work) {
    forSamples(in.format, [&]<class T, int C>() {
        if (out.format == PixelFormat::Gray64)
            work.template operator()<T, C == 4, std::uint64_t>();
        else
            work.template operator()<T, C == 4, std::uint32_t>();
    });
}

}  // namespace

void integralRowsThenColumns(KernelContext& context, const DeviceImage& in,
                             const DeviceImage& out) {
    forTypes(in, out, [&]<class T, bool FromColor, class Sum>() {
        rowsThenColumns<T, FromColor, Sum>(context, in, out);
    });
}

void integralBlocked4x4(KernelContext& context, const DeviceImage& in, const DeviceImage& out) {
    forTypes(in, out, [&]<class T, bool FromColor, class Sum>() {
        Blocked<T, FromColor, Sum>(context, in, out).run();
    });
}

}  // namespace warpscope::cuda
