// A rectangle of an image: rows are copied from where they do not begin at a multiple of anything.
#include "cuda_kernels/runtime/sample_loads.cuh"
#include "engine/operations/geometry/crop.h"

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = 256;
constexpr int kPieceBytes = 16;

// `from` is the first byte that is taken. Words are read where words may begin, and shifted; a row
// of an image is padded to whole words, of which the last is `lastWord`.
__global__ void __launch_bounds__(kThreads)
    cropKernel(const std::byte* rows, std::int64_t pitch, std::uint32_t from,
               std::uint32_t lastWord, DeviceImage out, Pieces pieces) {
    const std::uint32_t i = blockIdx.x * kThreads + threadIdx.x;
    if (i >= pieces.count) return;
    const std::uint32_t row = pieces.perRow(i);
    const std::uint32_t piece = i - row * pieces.perRow.divisor;
    const auto* words = reinterpret_cast<const std::uint32_t*>(rows + row * pitch);
    const std::uint32_t begin = from + piece * kPieceBytes;
    const std::uint32_t first = begin / 4;
    std::uint32_t loaded[5];
#pragma unroll
    for (std::uint32_t k = 0; k < 5; ++k) loaded[k] = words[min(first + k, lastWord)];
    std::uint32_t made[4];
#pragma unroll
    for (int k = 0; k < 4; ++k)
        made[k] = __funnelshift_r(loaded[k], loaded[k + 1], 8 * (begin % 4));
    storeWords<kPieceBytes>(out.data + row * out.pitch + std::int64_t(piece) * kPieceBytes, made);
}

void run(KernelContext& context, const Plan& given, const DeviceImage& in, const DeviceImage& out) {
    const auto& plan = static_cast<const CropPlan&>(given);
    const std::byte* rows = in.data + plan.taken.y * in.pitch;
    const auto from = std::uint32_t(plan.taken.x) * unsigned(bytesPerPixel(in.format));
    const auto lastWord = std::uint32_t(in.pitch / 4 - 1);
    const auto pieceCount = int(divideUp(std::uint64_t(out.rowBytes()), kPieceBytes));
    context.forEachBand(out.size.height, context.rowsPerLaunch(2 * out.pitch, pieceCount),
                        [&](int first, int last) {
                            const Pieces pieces = Pieces::of(pieceCount, last - first, 1, false);
                            launch(context, "crop", divideUp(pieces.count, kThreads), kThreads, 0,
                                   cropKernel, rows + first * in.pitch, in.pitch, from, lastWord,
                                   rowsOf(out, first, last), pieces);
                        });
}

Result<void> supports(const Plan&) {
    return {};
}

}  // namespace

WARPSCOPE_CUDA_RUNNER(crop, .run = run, .supports = supports);

}  // namespace warpscope::cuda
