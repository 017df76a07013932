// A thread makes 16 bytes of some rows: the columns that they come from are looked up once.
#include "cuda_kernels/geometry/resize_nearest.cuh"

#include "cuda_kernels/runtime/early_launch.cuh"
#include "cuda_kernels/runtime/sample_loads.cuh"

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = 128;
// Of a thread where there is enough work for blocks of such.
constexpr int kManyRows = 4;
constexpr int kBlocksEach = 8;  // that a multiprocessor then has at least

// Pixels of `Bytes`; 16 bytes of them.
template <int Bytes>
constexpr int kPicks = 16 / Bytes;

// From column x on, a multiple of kPicks: the list goes on beyond the image.
template <int Bytes>
__device__ __forceinline__ void loadPicks(const std::int32_t* list, int x,
                                          std::uint32_t (&picks)[kPicks<Bytes>]) {
    loadWords<4 * kPicks<Bytes>>(reinterpret_cast<const std::byte*>(list + x), picks);
}

template <int Bytes>
__device__ __forceinline__ void gather(const std::byte* row,
                                       const std::uint32_t (&picks)[kPicks<Bytes>],
                                       std::uint32_t (&words)[4]) {
    std::uint32_t pixels[kPicks<Bytes>][(Bytes + 3) / 4];
#pragma unroll
    for (int i = 0; i < kPicks<Bytes>; ++i)
        loadWords<Bytes>(row + std::int64_t(picks[i]) * Bytes, pixels[i]);
    if constexpr (Bytes == 1) {
#pragma unroll
        for (int w = 0; w < 4; ++w)
            words[w] = __byte_perm(__byte_perm(pixels[4 * w][0], pixels[4 * w + 1][0], 0x0040),
                                   __byte_perm(pixels[4 * w + 2][0], pixels[4 * w + 3][0], 0x0040),
                                   0x5410);
    } else if constexpr (Bytes == 2) {
#pragma unroll
        for (int w = 0; w < 4; ++w)
            words[w] = __byte_perm(pixels[2 * w][0], pixels[2 * w + 1][0], 0x5410);
    } else {
#pragma unroll
        for (int w = 0; w < 4; ++w) words[w] = pixels[4 * w / Bytes][w % (Bytes / 4)];
    }
}

// `Real`: a sum that begins with 0 makes -0 positive.
template <int Bytes, bool Real, int Rows>
__global__ void __launch_bounds__(kThreads)
    resizeNearestKernel(DeviceImage in, DeviceImage out, int firstRow, int lastRow, Pieces pieces,
                        const std::int32_t* across, const std::int32_t* down) {
    letNextLaunchBegin();
    waitForLaunchBefore();
    const std::uint32_t i = blockIdx.x * kThreads + threadIdx.x;
    if (i >= pieces.count) return;
    const std::uint32_t line = pieces.perRow(i);
    const int piece = int(i - line * pieces.perRow.divisor);
    std::uint32_t picks[kPicks<Bytes>];
    loadPicks<Bytes>(across, piece * kPicks<Bytes>, picks);
    const int y = firstRow + int(line) * Rows;
    std::uint32_t words[Rows][4];
#pragma unroll
    for (int r = 0; r < Rows; ++r) {
        const std::int64_t from = down[min(y + r, lastRow - 1)];
        gather<Bytes>(in.data + from * in.pitch, picks, words[r]);
    }
#pragma unroll
    for (int r = 0; r < Rows; ++r) {
        if (y + r >= lastRow) return;
        if constexpr (Real) {
#pragma unroll
            for (std::uint32_t& word : words[r])
                word = __float_as_uint(__fadd_rn(__uint_as_float(word), 0.0f));
        }
        storeWords<16>(out.data + (y + r) * out.pitch + piece * 16, words[r]);
    }
}

using ResizeNearestKernel = void (*)(DeviceImage, DeviceImage, int, int, Pieces,
                                     const std::int32_t*, const std::int32_t*);

template <int Rows>
ResizeNearestKernel kernelOf(PixelFormat format) {
    if (isFloat(format))
        return isColor(format) ? resizeNearestKernel<16, true, Rows>
                               : resizeNearestKernel<4, true, Rows>;
    switch (bytesPerPixel(format)) {
        case 1:
            return resizeNearestKernel<1, false, Rows>;
        case 2:
            return resizeNearestKernel<2, false, Rows>;
        case 4:
            return resizeNearestKernel<4, false, Rows>;
        default:
            return resizeNearestKernel<8, false, Rows>;
    }
}

// The columns, the last one repeated to a whole number of the longest pieces, and the rows.
std::vector<std::uint32_t> wordsOf(const ResizePlan& plan) {
    std::vector<std::uint32_t> words(plan.across.first.begin(), plan.across.first.end());
    words.resize(divideUp(words.size(), kPicks<1>) * std::size_t(kPicks<1>), words.back());
    words.insert(words.end(), plan.down.first.begin(), plan.down.first.end());
    return words;
}

}  // namespace

void runResizeNearest(KernelContext& context, const ResizePlan& plan, const DeviceImage& in,
                      const DeviceImage& out) {
    const int width = out.size.width, height = out.size.height;
    const int pixels = 16 / bytesPerPixel(out.format);
    const auto* across = reinterpret_cast<const std::int32_t*>(
        context.device().constants("nearest: " + plan.key, [&] { return wordsOf(plan); }));
    const std::int32_t* down = across + divideUp(unsigned(width), kPicks<1>) * kPicks<1>;
    const std::int64_t blocks = std::int64_t(divideUp(unsigned(width), unsigned(pixels))) * height /
                                (kManyRows * std::int64_t(kThreads));
    const int rows =
        blocks >= std::int64_t(kBlocksEach) * context.traits().multiprocessors ? kManyRows : 1;
    const ResizeNearestKernel kernel =
        rows == 1 ? kernelOf<1>(out.format) : kernelOf<kManyRows>(out.format);
    const int most = context.rowsPerLaunch(in.pitch + out.pitch, std::int64_t(width) * 8);
    context.forEachBand(height, most < rows ? rows : most / rows * rows, [&](int first, int last) {
        const Pieces pieces =
            Pieces::of(width, int(divideUp(unsigned(last - first), unsigned(rows))), pixels, false);
        launchEarly(context, "resize nearest", divideUp(pieces.count, kThreads), kThreads, 0,
                    kernel, in, out, first, last, pieces, across, down);
    });
}

void loadResizeNearest() {
    for (const PixelFormat format : kFilterFormats) {
        loadKernel(kernelOf<1>(format));
        loadKernel(kernelOf<kManyRows>(format));
    }
}

}  // namespace warpscope::cuda
