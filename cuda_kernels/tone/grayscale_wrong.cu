// Gray that is wrong on purpose, a thread a pixel: cut off instead of rounded, and with a grid that
// was not rounded up.
#include "cuda_kernels/tone/grayscale.cuh"

namespace warpscope::cuda {
namespace {

constexpr unsigned kBlock = unsigned(kGrayBlock);

template <class T>
__global__ void __launch_bounds__(kBlock* kBlock)
    grayBlocksKernel(DeviceImage in, DeviceImage out, unsigned blocksAcross, GrayMethod method,
                     GrayWeights weights, bool cutOff) {
    const int x = int(blockIdx.x % blocksAcross * kBlock + threadIdx.x % kBlock);
    const int y = int(blockIdx.x / blocksAcross * kBlock + threadIdx.x / kBlock);
    if (x >= out.size.width || y >= out.size.height) return;
    const T* pixel = reinterpret_cast<const T*>(in.data + y * in.pitch) + 4 * x;
    const std::uint32_t r = pixel[0], g = pixel[1], b = pixel[2];
    std::uint32_t gray = max(r, max(g, b));
    if (method == GrayMethod::Average)
        gray = cutOff ? (r + g + b) / 3u : (2u * (r + g + b) + 3u) / 6u;
    else if (method != GrayMethod::Maximum)
        gray =
            (weights.red * r + weights.green * g + weights.blue * b + (cutOff ? 0u : 32768u)) >> 16;
    reinterpret_cast<T*>(out.data + y * out.pitch)[x] = T(gray);
}

template <class T>
void runBlocks(KernelContext& context, const GrayscalePlan& plan, const DeviceImage& in,
               const DeviceImage& out) {
    const bool cutOff = plan.variant == "wrong_floor";
    // The trap of whole blocks: width / 32, where (width + 31) / 32 are needed.
    const Size covered = cutOff ? plan.size : coveredByWholeBlocks(plan);
    WARPSCOPE_CUDA(cudaMemset2DAsync(out.data, std::size_t(out.pitch), 0,
                                     std::size_t(out.rowBytes()), std::size_t(out.size.height),
                                     context.stream()));
    if (covered.empty()) return;
    const unsigned across = divideUp(unsigned(covered.width), kBlock);
    const int rows = context.rowsPerLaunch(in.pitch + out.pitch, std::int64_t(in.size.width) * 8);
    context.forEachBand(covered.height, rows, [&](int first, int last) {
        DeviceImage to = rowsOf(out, first, last);
        to.size.width = covered.width;
        launch(context, "gray, wrong", across * divideUp(unsigned(last - first), kBlock),
               kBlock * kBlock, 0, grayBlocksKernel<T>, rowsOf(in, first, last), to, across,
               plan.method, plan.weights, cutOff);
    });
}

}  // namespace

void runGrayscaleWrong(KernelContext& context, const GrayscalePlan& plan, const DeviceImage& in,
                       const DeviceImage& out) {
    if (bytesPerSample(plan.input) == 1)
        runBlocks<std::uint8_t>(context, plan, in, out);
    else
        runBlocks<std::uint16_t>(context, plan, in, out);
}

}  // namespace warpscope::cuda
