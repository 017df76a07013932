// Quarter turns and mirror images: tiles are turned in shared memory, so that rows are read and
// written in whole lines; rows are reversed piece by piece.
#include "cuda_kernels/runtime/sample_loads.cuh"
#include "engine/operations/geometry/flip_rotate.h"

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = 256;
constexpr int kWarps = kThreads / 32;
constexpr int kPieceBytes = 16;

// Pixel i of word k becomes pixel k of word i.
__device__ void turnWords(std::uint32_t (&words)[4]) {
    const std::uint32_t lower[2] = {__byte_perm(words[0], words[1], 0x5140),
                                    __byte_perm(words[2], words[3], 0x5140)};
    const std::uint32_t upper[2] = {__byte_perm(words[0], words[1], 0x7362),
                                    __byte_perm(words[2], words[3], 0x7362)};
    words[0] = __byte_perm(lower[0], lower[1], 0x5410);
    words[1] = __byte_perm(lower[0], lower[1], 0x7632);
    words[2] = __byte_perm(upper[0], upper[1], 0x5410);
    words[3] = __byte_perm(upper[0], upper[1], 0x7632);
}
__device__ void turnWords(std::uint32_t (&words)[2]) {
    const std::uint32_t first = words[0];
    words[0] = __byte_perm(first, words[1], 0x5410);
    words[1] = __byte_perm(first, words[1], 0x7632);
}
template <class Word>
__device__ void turnWords(Word (&)[1]) {}

// A tile is 32 words of kPixels pixels wide and as many pixels high. Row r of it lies at
// r % kPixels * 32 + r / kPixels: the rows that make a word of the output are 32 apart, and the
// lanes of a warp, which make neighbouring words, never meet in a bank.
template <class Word, int kPixels>
__global__ void __launch_bounds__(kThreads)
    turnKernel(DeviceImage in, DeviceImage out, int firstTileColumn, FastDivide tilesDown,
               bool fromRight, bool fromBottom) {
    constexpr int kRows = 32 * kPixels;
    __shared__ Word tile[kRows][33];
    const int lane = int(threadIdx.x % 32), warp = int(threadIdx.x / 32);
    const std::uint32_t tileColumn = tilesDown(blockIdx.x);
    // Of the output's columns and the input's rows, counted from where the output begins.
    const int firstRow = int(blockIdx.x - tileColumn * tilesDown.divisor) * kRows;
    const int firstWord = (firstTileColumn + int(tileColumn)) * 32;
    const bool loads = (firstWord + lane) * kPixels < in.size.width;
#pragma unroll
    for (int i = 0; i < kRows / kWarps; ++i) {
        const int r = i * kWarps + warp;
        const int row = firstRow + r;
        if (!loads || row >= in.size.height) continue;
        const std::byte* from = in.data + (fromBottom ? in.size.height - 1 - row : row) * in.pitch;
        tile[r % kPixels * 32 + r / kPixels][lane] =
            reinterpret_cast<const Word*>(from)[firstWord + lane];
    }
    __syncthreads();
    const int x = firstRow + lane * kPixels;
    if (x >= out.size.width) return;
#pragma unroll
    for (int w = warp; w < 32; w += kWarps) {
        Word words[kPixels];
#pragma unroll
        for (int k = 0; k < kPixels; ++k) words[k] = tile[k * 32 + lane][w];
        turnWords(words);
#pragma unroll
        for (int k = 0; k < kPixels; ++k) {
            const int y = (firstWord + w) * kPixels + k;
            if (y >= out.size.height) break;
            std::byte* to = out.data + (fromRight ? out.size.height - 1 - y : y) * out.pitch;
            reinterpret_cast<Word*>(to)[x / kPixels] = words[k];
        }
    }
}

template <class Word, int kPixels>
void turn(KernelContext& context, const FlipRotatePlan& plan, const DeviceImage& in,
          const DeviceImage& out) {
    constexpr int kColumns = 32 * kPixels;
    const unsigned tilesDown = divideUp(unsigned(in.size.height), kColumns);
    // In bands of tile columns, which are rows of the output.
    const std::int64_t pixels = std::int64_t(tilesDown) * kColumns * kColumns;
    const int bandTiles =
        context.rowsPerLaunch(2 * pixels * bytesPerPixel(in.format), pixels / kPixels);
    context.forEachBand(int(divideUp(unsigned(in.size.width), kColumns)), bandTiles,
                        [&](int first, int last) {
                            launch(context, "turn tiles", unsigned(last - first) * tilesDown,
                                   kThreads, 0, turnKernel<Word, kPixels>, in, out, first,
                                   FastDivide(tilesDown), plan.fromRight, plan.fromBottom);
                        });
}

template <int kPixelBytes>
__device__ void reversePixels(std::uint32_t (&words)[4]) {
    if constexpr (kPixelBytes <= 4) {
        const std::uint32_t given[4] = {words[0], words[1], words[2], words[3]};
        constexpr unsigned kOrder = kPixelBytes == 1 ? 0x0123 : kPixelBytes == 2 ? 0x1032 : 0x3210;
#pragma unroll
        for (int i = 0; i < 4; ++i) words[i] = __byte_perm(given[3 - i], 0, kOrder);
    } else if constexpr (kPixelBytes == 8) {
        const std::uint32_t given[4] = {words[2], words[3], words[0], words[1]};
#pragma unroll
        for (int i = 0; i < 4; ++i) words[i] = given[i];
    }
}

// A piece is read where words may begin, and shifted; what lies before a row's first pixel ends in
// the padding of the output. A row is padded to whole words, of which the last is `lastWord`.
template <int kPixelBytes>
__global__ void __launch_bounds__(kThreads)
    mirrorKernel(DeviceImage in, DeviceImage out, int firstRow, int rowBytes, int lastWord,
                 bool fromRight, bool fromBottom, Pieces pieces) {
    const std::uint32_t i = blockIdx.x * kThreads + threadIdx.x;
    if (i >= pieces.count) return;
    const std::uint32_t rowOfBand = pieces.perRow(i);
    const int piece = int(i - rowOfBand * pieces.perRow.divisor);
    const int y = firstRow + int(rowOfBand);
    const std::byte* row = in.data + (fromBottom ? in.size.height - 1 - y : y) * in.pitch;
    const int begin = fromRight ? rowBytes - (piece + 1) * kPieceBytes : piece * kPieceBytes;
    std::uint32_t made[4];
    if (begin % kPieceBytes == 0) {
        loadWords<kPieceBytes>(row + begin, made);
    } else {
        const auto* words = reinterpret_cast<const std::uint32_t*>(row);
        const int first = begin >> 2;
        std::uint32_t loaded[5];
#pragma unroll
        for (int k = 0; k < 5; ++k) loaded[k] = words[min(max(first + k, 0), lastWord)];
#pragma unroll
        for (int k = 0; k < 4; ++k)
            made[k] = __funnelshift_r(loaded[k], loaded[k + 1], 8 * (unsigned(begin) % 4));
    }
    if (fromRight) reversePixels<kPixelBytes>(made);
    storeWords<kPieceBytes>(out.data + y * out.pitch + std::int64_t(piece) * kPieceBytes, made);
}

template <int kPixelBytes>
void mirror(KernelContext& context, const FlipRotatePlan& plan, const DeviceImage& in,
            const DeviceImage& out) {
    const auto lastWord = int(in.pitch / 4 - 1);
    const auto pieceCount = int(divideUp(std::uint64_t(out.rowBytes()), kPieceBytes));
    context.forEachBand(out.size.height, context.rowsPerLaunch(2 * out.pitch, pieceCount),
                        [&](int first, int last) {
                            const Pieces pieces = Pieces::of(pieceCount, last - first, 1, false);
                            launch(context, "mirror rows", divideUp(pieces.count, kThreads),
                                   kThreads, 0, mirrorKernel<kPixelBytes>, in, out, first,
                                   int(in.rowBytes()), lastWord, plan.fromRight, plan.fromBottom,
                                   pieces);
                        });
}

void run(KernelContext& context, const Plan& given, const DeviceImage& in, const DeviceImage& out) {
    const auto& plan = static_cast<const FlipRotatePlan&>(given);
    const auto dispatched = [&]<class Word, int kPixels>() {
        if (plan.swapsSides)
            turn<Word, kPixels>(context, plan, in, out);
        else
            mirror<int(sizeof(Word)) / kPixels>(context, plan, in, out);
    };
    switch (bytesPerPixel(in.format)) {
        case 1:
            return dispatched.operator()<std::uint32_t, 4>();
        case 2:
            return dispatched.operator()<std::uint32_t, 2>();
        case 4:
            return dispatched.operator()<std::uint32_t, 1>();
        case 8:
            return dispatched.operator()<uint2, 1>();
        default:
            return dispatched.operator()<uint4, 1>();
    }
}

Result<void> supports(const Plan&) {
    return {};
}

}  // namespace

WARPSCOPE_CUDA_RUNNER(flip_rotate, .run = run, .supports = supports);

}  // namespace warpscope::cuda
