// Two small blurs of a gray image at once, and the difference that is made of both: products as in
// gaussian_blur_warp.cu. There is so much to do for a pixel that addresses show: they are 32 bits
// from where a launch's rows begin, and warps whose columns all lie inside the image take pixels
// as they were read.
#include "cuda_kernels/smoothing/blur_mix.cuh"
#include "cuda_kernels/smoothing/gaussian_blur_warp.cuh"

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = 128, kBlocks = 4;  // blocks of a multiprocessor: registers
constexpr int kBlurs = 2;
constexpr int kSteps = 2;  // that are loaded before their turn
constexpr int kEach = 8;   // pixels of a row that a lane reads

// A neighbour reads what lies beside these bytes.
__device__ __forceinline__ uint2 load(const std::byte* from) {
#ifdef __CUDA_ARCH__
    uint2 pixels;
    asm volatile("ld.global.L2::128B.v2.u32 {%0, %1}, [%2];"
                 : "=r"(pixels.x), "=r"(pixels.y)
                 : "l"(from));
    return pixels;
#else
    return *reinterpret_cast<const uint2*>(from);
#endif
}

// Which of the bytes that were read a lane's pixels are, of which the first is `x`: beside the
// image the edge's pixel.
struct EdgePixels {
    std::uint32_t low, high;

    __device__ __forceinline__ EdgePixels(int width, int x) {
        const int inside = width - x;
        const int edge = x < 0 ? 0 : inside > 0 ? min(inside, kEach) - 1 : (width - 1) % kEach;
        const int kept = x < 0 ? 0 : min(max(inside, 0), kEach);
        const std::uint32_t mask = kept == kEach ? 0xffffffffu : (1u << (4 * kept)) - 1;
        const std::uint32_t order = (0x76543210u & mask) | (unsigned(edge) * 0x11111111u & ~mask);
        low = order & 0xffffu;
        high = order >> 16;
    }
    __device__ __forceinline__ void operator()(const uint2& read,
                                               std::uint32_t (&pixels)[2]) const {
        pixels[0] = __byte_perm(read.x, read.y, low);
        pixels[1] = __byte_perm(read.x, read.y, high);
    }
};
struct InnerPixels {
    __device__ __forceinline__ InnerPixels(int, int) {}
    __device__ __forceinline__ void operator()(const uint2& read,
                                               std::uint32_t (&pixels)[2]) const {
        pixels[0] = read.x;
        pixels[1] = read.y;
    }
};

struct Piece {
    int x, top, bottom;
};

template <class Taken>
__device__ __forceinline__ void filterPiece(const DeviceImage& in, const DeviceImage& out,
                                            const Strips& strips, int above,
                                            const uint4* weightsInMemory, const AroundGray& mix,
                                            const Piece& piece) {
    const int lane = int(threadIdx.x % 32), group = lane / 4, quarter = lane % 4;
    const int lastX = in.size.width - 1, lastY = in.size.height - 1;
    const auto inPitch = unsigned(strips.inPitch), outPitch = unsigned(strips.outPitch);
    const int x = piece.x - kReach + kEach * quarter;
    const Taken taken(in.size.width, x);
    const auto column = unsigned(min(max(x, 0), lastX & ~(kEach - 1)));
    const auto loadRow = [&](int row) {
        return load(in.data + (unsigned(min(row, lastY)) * inPitch + column));
    };

    // Rows group and 8 + group of each step.
    uint2 ahead[kSteps + 1][2];
    int next = piece.top - above + group;
#pragma unroll
    for (int i = 0; i <= kSteps; ++i) {
#pragma unroll
        for (int v = 0; v < 2; ++v) ahead[i][v] = loadRow(max(next + 8 * v, 0));
        next += kSide;
    }
    BandedWeights weights[kBlurs];
#pragma unroll
    for (int b = 0; b < kBlurs; ++b) weights[b].load(weightsInMemory + b * kFragments * 32 + lane);
    std::uint32_t first[2], second[2];
    Middle upper[kBlurs][2];
    taken(ahead[0][0], first);
    taken(ahead[0][1], second);
#pragma unroll
    for (int b = 0; b < kBlurs; ++b) rowPass<true>(weights[b], first, second, upper[b]);

    std::uint32_t to = unsigned(piece.top + group) * outPitch + unsigned(piece.x + 4 * quarter);
    int left = piece.bottom - piece.top;
    while (true) {
        // Each step of a round has its own registers for what is loaded.
#pragma unroll
        for (int step = 1; step <= kSteps; ++step) {
            taken(ahead[step][0], first);
            taken(ahead[step][1], second);
            if (left > kSide * kSteps) {
#pragma unroll
                for (int v = 0; v < 2; ++v) ahead[step][v] = loadRow(next + 8 * v);
            }
            next += kSide;
            std::uint32_t made[kBlurs][2];
#pragma unroll
            for (int b = 0; b < kBlurs; ++b) {
                Middle lower[2];
                rowPass<true>(weights[b], first, second, lower);
                columnPass<true>(weights[b], upper[b], lower, made[b]);
#pragma unroll
                for (int half = 0; half < 2; ++half) upper[b][half] = lower[half];
            }
#pragma unroll
            for (int r = 0; r < 2; ++r) {
                const std::uint32_t result = mix(made[0][r], made[1][r]);
                if (group + 8 * r < left) {
                    *reinterpret_cast<std::uint32_t*>(out.data + (to + 8 * r * outPitch)) = result;
                }
            }
            to += kSide * outPitch;
            left -= kSide;
            if (left <= 0) return;
        }
    }
}

__global__ void __launch_bounds__(kThreads, kBlocks)
    grayDifferenceKernel(DeviceImage in, DeviceImage out, Strips strips, int above,
                         const uint4* weightsInMemory, AroundGray mix) {
    const std::uint32_t index = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (index >= strips.count) return;
    const std::uint32_t down = strips.across(index);
    const int top = strips.first + int(down) * strips.rowsEach;
    const Piece piece{int(index - down * strips.across.divisor) * kSide, top,
                      min(top + strips.rowsEach, strips.last)};
    beginPiece<kSide>(in, strips, above, piece.top, piece.bottom);
    if (piece.x >= kReach && piece.x + kSide + kReach <= in.size.width)
        filterPiece<InnerPixels>(in, out, strips, above, weightsInMemory, mix, piece);
    else
        filterPiece<EdgePixels>(in, out, strips, above, weightsInMemory, mix, piece);
}

// The rows from `first` on.
DeviceImage below(DeviceImage image, int first) {
    image.data += std::int64_t(first) * std::int64_t(image.pitch);
    image.size.height -= first;
    return image;
}

}  // namespace

void runGrayDifference(KernelContext& context, const GaussianBlurPlan& small,
                       const GaussianBlurPlan& large, std::int32_t gain, const DeviceImage& in,
                       const DeviceImage& out) {
    const std::byte* weights = warpWeights(context, {&small, &large});
    const int above = largestRadius({&small, &large});
    const FastDivide across(divideUp(unsigned(in.size.width), kSide));
    // As gaussian_blur_banded.cu reckons.
    const std::int64_t work = std::int64_t(across.divisor) * kSide * kBlurs * 24;
    constexpr std::int64_t kMostBytes = std::int64_t(1) << 31;
    const int bandRows = std::max(
        kSide,
        int(std::min<std::int64_t>(context.rowsPerLaunch(in.pitch + out.pitch, work),
                                   kMostBytes / std::max<std::int64_t>(in.pitch, out.pitch))) /
            kSide * kSide);
    const auto multiprocessors = unsigned(context.traits().multiprocessors);
    context.forEachBand(in.size.height, bandRows, [&](int first, int last) {
        const int origin = std::max(0, first - above);
        const DeviceImage from = below(in, origin), to = below(out, origin);
        const unsigned each = stepsOfWarps(across.divisor, divideUp(unsigned(last - first), kSide),
                                           multiprocessors, kBlocks * kThreads / 32);
        const Strips strips(from, to, first - origin, last - origin, across, each,
                            each <= Strips::kShort);
        launchEarly(context, "gaussian difference", strips.blocks(kThreads), kThreads, 0,
                    grayDifferenceKernel, from, to, strips, above,
                    reinterpret_cast<const uint4*>(weights), AroundGray(gain));
    });
}

}  // namespace warpscope::cuda
