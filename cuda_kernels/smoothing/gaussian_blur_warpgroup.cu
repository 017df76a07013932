// Gaussians of gray images by warpgroups: gaussian_blur_warpgroup.cuh says how. A block is one
// warpgroup, several to a multiprocessor, of which some multiply while others store and wait.
// Pixels are copied into shared memory as they are.
#include "cuda_kernels/smoothing/gaussian_blur_warpgroup.cuh"

namespace warpscope::cuda {
namespace {

__device__ __forceinline__ void copyAhead(std::uint32_t shared, const std::byte* from) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared), "l"(from));
#endif
}
__device__ __forceinline__ void copiesArrive() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

template <int Steps>
struct Shape : WarpgroupShape<Steps> {
    static constexpr int kSharedBytes =
        WarpgroupShape<Steps>::kPixelBytes + 2 * WarpgroupShape<Steps>::kPlaneBytes;
    static constexpr int kBlocks = Steps <= 4 ? 4 : 3;  // that registers suffice for
};

// What a thread copies of a step: 16 pixels of one row, then every 32 further on.
template <int Steps>
class PixelCopy {
  public:
    __device__ __forceinline__ PixelCopy(const DeviceImage& in, std::uint32_t shared, int left)
        : m_x(left + 16 * (int(threadIdx.x) % 2)),
          m_row(16 * (int(threadIdx.x) / 2 % 4) + int(threadIdx.x) / 8),
          m_from(in.data + m_x),
          m_pitch(in.pitch),
          m_width(in.size.width),
          m_lastRow(in.size.height - 1),
          m_to(shared + std::uint32_t(threadIdx.x % 2 * kPixelStep + factorColumn(m_row) * 16)) {}

    // Of rows from `top` on, beyond the edges that of the edge. `border`: whether the strip reaches
    // over the left or right edge; what is there is left alone.
    __device__ __forceinline__ void begin(int top, bool border) const {
        const std::byte* const from = m_from + m_pitch * min(max(top + m_row, 0), m_lastRow);
#pragma unroll
        for (int k = 0; k < Steps; ++k) {
            const int x = m_x + 32 * k;
            if (!border || (x >= 0 && x < m_width))
                copyAhead(m_to + unsigned(2 * k * kPixelStep), from + 32 * k);
        }
    }

  private:
    int m_x, m_row;
    const std::byte* m_from;
    std::int64_t m_pitch;
    int m_width, m_lastRow;
    std::uint32_t m_to;
};

// Repeats the edge's pixel in what lies beside the image. Each row by two threads, neither of which
// writes where an edge's pixel is read.
template <int Steps>
__device__ void repeatEdges(std::byte* pixels, int left, int width) {
    auto* const line = reinterpret_cast<std::uint8_t*>(pixels) + threadIdx.x % kSide * 16;
    const int lastPiece = (width - 1 - left) / 16;
    std::uint32_t first = 0, last = 0;
    if (left < 0) first = line[-left / 16 * kPixelStep] * 0x01010101u;
    if (lastPiece < Shape<Steps>::kPieces)
        last = line[lastPiece * kPixelStep + (width - 1) % 16] * 0x01010101u;
    for (int piece = int(threadIdx.x) / kSide; piece < Shape<Steps>::kPieces; piece += 2) {
        const int x = left + 16 * piece;
        std::uint8_t* const at = line + piece * kPixelStep;
        if (x < 0)
            *reinterpret_cast<uint4*>(at) = {first, first, first, first};
        else if (x >= width)
            *reinterpret_cast<uint4*>(at) = {last, last, last, last};
        else
            for (int b = width - x; b < 16; ++b) at[b] = std::uint8_t(last);
    }
}

// Rows [first, last) in `strips` strips of `steps` steps each.
template <int Steps, class Mix>
__global__ void __launch_bounds__(kGroupThreads, Shape<Steps>::kBlocks)
    warpgroupBlurKernel(DeviceImage in, DeviceImage beside, DeviceImage out, int first, int last,
                        int strips, int steps, const uint4* weightsInMemory, Mix mix) {
    using S = Shape<Steps>;
    extern __shared__ __align__(128) std::byte shared[];
    const BlurShare share =
        blurShare(int(blockIdx.x), int(gridDim.x), strips, steps, S::kBefore, false);
    const int count = share.count;
    letNextLaunchBegin();

    uint4 weights[2][Steps];
#pragma unroll
    for (int plane = 0; plane < 2; ++plane)
#pragma unroll
        for (int s = 0; s < Steps; ++s)
            weights[plane][s] = weightsInMemory[(plane * Steps + s) * kGroupThreads + threadIdx.x];
    const auto pixels = std::uint32_t(__cvta_generic_to_shared(shared));
    const std::uint32_t ring = pixels + S::kPixelBytes;
    const int quarter = int(threadIdx.x) % 4;
    const int x = share.strip * kSide, y = first + share.begin * kSide;
    const int left = x - S::kReach, top = y - S::kReach;
    const bool border = left < 0 || left + 16 * S::kPieces > in.size.width;
    const PixelCopy<Steps> copy(in, pixels, left);
    const int column = x + 8 * quarter;
    const int row = y + kSide - 1 - (int(threadIdx.x) / 32 * 16 + int(threadIdx.x) % 32 / 4);
    waitForLaunchBefore();

    copy.begin(top, border);
    for (int step = 0; step < count + S::kBefore; ++step) {
        copiesArrive();
        if (border) {
            __syncthreads();
            repeatEdges<Steps>(shared, left, in.size.width);
        }
        showToTensorUnits();
        __syncthreads();
        filterRows<Steps>(weights, pixels,
                          shared + S::kPixelBytes + (4 * step + quarter) % S::kRing * kMiddleStep);
        showToTensorUnits();
        __syncthreads();
        // While columns are filtered, and not before: a fence waits for copies, too.
        if (step + 1 < count + S::kBefore) copy.begin(top + (step + 1) * kSide, border);
        const int output = step - S::kBefore;
        if (output < 0) continue;
        filterColumns<Steps>(weights, ring, 4 * output, [&](int side, int half, uint2 made) {
            const int to = row + output * kSide - 8 * half, at = column + kSide / 2 * side;
            if (to >= last || at >= in.size.width) return;
            if constexpr (Mix::kUsesBeside) {
                const auto with =
                    *reinterpret_cast<const uint2*>(beside.data + beside.pitch * to + at);
                made = {mix(with.x, made.x), mix(with.y, made.y)};
            }
            *reinterpret_cast<uint2*>(out.data + out.pitch * to + at) = made;
        });
    }
}

template <class Mix>
void runFor(KernelContext& context, const GaussianBlurPlan& plan, const DeviceImage& in,
            const DeviceImage& beside, const DeviceImage& out, const Mix& mix) {
    const int strips = int(divideUp(unsigned(in.size.width), kSide));
    const RowsCost cost =
        gaussianWarpgroupCost(in.size.width, 1, in.pitch + out.pitch, plan.radius);
    const int rows = cutRows(limitsOf(context), cost).rows;
    forWarpgroupSteps<warpgroupSteps(kMostWarpgroupRadius)>(plan, [&]<int Steps>() {
        using S = Shape<Steps>;
        const uint4* matrix = matrixOnDevice<Steps>(context, plan);
        context.forEachBand(in.size.height, rows, [&](int first, int last) {
            const int steps = int(divideUp(unsigned(last - first), kSide));
            // As many as the device takes at once: each further one filters its neighbours' rows
            // again.
            const int blocks = std::max(
                strips, std::min(strips * steps, S::kBlocks * context.traits().multiprocessors));
            launchEarly(context, "gaussian warpgroup", unsigned(blocks), kGroupThreads,
                        S::kSharedBytes, warpgroupBlurKernel<Steps, Mix>, in, beside, out, first,
                        last, strips, steps, matrix, mix);
        });
    });
}

}  // namespace

void runGaussianWarpgroup(KernelContext& context, const GaussianBlurPlan& plan,
                          const DeviceImage& in, const DeviceImage& beside, const DeviceImage& out,
                          const BlurMix* mix) {
    if (isColor(in.format)) return runGaussianColourWarpgroup(context, plan, in, beside, out, mix);
    mix ? runFor(context, plan, in, beside, out, MixedBytes(*mix))
        : runFor(context, plan, in, beside, out, NoMix());
}

}  // namespace warpscope::cuda
