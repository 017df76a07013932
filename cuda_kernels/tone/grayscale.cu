// Colour to gray: 16-byte loads of four (8 bits) or two (16 bits) pixels, four of them in flight.
#include "cuda_kernels/runtime/kernel_support.cuh"
#include "engine/operations/tone/grayscale.h"

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = 256;
constexpr int kInFlight = 4;  // pieces a thread
constexpr int kPixelsPerPiece = 4;

template <class T>
struct Piece;  // four pixels

template <>
struct Piece<std::uint8_t> {
    uint4 words;
    __device__ void load(const std::byte* at) { words = *reinterpret_cast<const uint4*>(at); }
    __device__ uint3 pixel(int i) const {
        const std::uint32_t word = i == 0 ? words.x : i == 1 ? words.y : i == 2 ? words.z : words.w;
        return {byteOf(word, 0), byteOf(word, 1), byteOf(word, 2)};
    }
    __device__ static void store(std::byte* at, const std::uint32_t (&gray)[4]) {
        *reinterpret_cast<std::uint32_t*>(at) =
            gray[0] | gray[1] << 8 | gray[2] << 16 | gray[3] << 24;
    }
};

template <>
struct Piece<std::uint16_t> {
    uint4 words[2];
    __device__ void load(const std::byte* at) {
        words[0] = reinterpret_cast<const uint4*>(at)[0];
        words[1] = reinterpret_cast<const uint4*>(at)[1];
    }
    __device__ uint3 pixel(int i) const {
        const uint4& two = words[i / 2];
        const std::uint32_t rg = i % 2 ? two.z : two.x;
        const std::uint32_t ba = i % 2 ? two.w : two.y;
        return {rg & 0xffffu, rg >> 16, ba & 0xffffu};
    }
    __device__ static void store(std::byte* at, const std::uint32_t (&gray)[4]) {
        *reinterpret_cast<uint2*>(at) = {gray[0] | gray[1] << 16, gray[2] | gray[3] << 16};
    }
};

struct Weighted {
    GrayWeights weights;
    __device__ std::uint32_t operator()(uint3 p) const {
        // At most 65,535 * 65,536 + 32,768: fits in 32 bits.
        return (weights.red * p.x + weights.green * p.y + weights.blue * p.z + 32768u) >> 16;
    }
};
struct Average {
    __device__ std::uint32_t operator()(uint3 p) const {
        return (2u * (p.x + p.y + p.z) + 3u) / 6u;
    }
};
struct Maximum {
    __device__ std::uint32_t operator()(uint3 p) const { return max(p.x, max(p.y, p.z)); }
};

template <class T, class Method>
__global__ void __launch_bounds__(kThreads)
    grayKernel(DeviceImage in, DeviceImage out, Pieces pieces, Method method) {
    const std::uint32_t first = blockIdx.x * (kThreads * kInFlight) + threadIdx.x;
    Piece<T> piece[kInFlight];
    std::byte* target[kInFlight];
#pragma unroll
    for (int k = 0; k < kInFlight; ++k) {
        const std::uint32_t i = first + unsigned(k) * kThreads;
        if (i >= pieces.count) continue;
        const std::uint32_t row = pieces.perRow(i);
        const std::uint32_t column = i - row * pieces.perRow.divisor;
        piece[k].load(in.data + row * in.pitch + std::int64_t(column) * (16 * sizeof(T)));
        target[k] = out.data + row * out.pitch + std::int64_t(column) * (4 * sizeof(T));
    }
#pragma unroll
    for (int k = 0; k < kInFlight; ++k) {
        if (first + unsigned(k) * kThreads >= pieces.count) continue;
        std::uint32_t gray[kPixelsPerPiece];
#pragma unroll
        for (int p = 0; p < kPixelsPerPiece; ++p) gray[p] = method(piece[k].pixel(p));
        Piece<T>::store(target[k], gray);
    }
}

template <class T, class Method>
void runMethod(KernelContext& context, const DeviceImage& in, const DeviceImage& out,
               Method method) {
    const int bandRows =
        context.rowsPerLaunch(in.pitch + out.pitch, std::int64_t(in.size.width) * 3);
    context.forEachBand(in.size.height, bandRows, [&](int first, int last) {
        const Pieces pieces =
            Pieces::of(in.size.width, last - first, kPixelsPerPiece, isPacked(in) && isPacked(out));
        launch(context, "grayscale", divideUp(pieces.count, kThreads * kInFlight), kThreads, 0,
               grayKernel<T, Method>, rowsOf(in, first, last), rowsOf(out, first, last), pieces,
               method);
    });
}

template <class T>
void runSamples(KernelContext& context, const GrayscalePlan& plan, const DeviceImage& in,
                const DeviceImage& out) {
    switch (plan.method) {
        case GrayMethod::Weighted601:
        case GrayMethod::Weighted709:
            return runMethod<T>(context, in, out, Weighted{plan.weights});
        case GrayMethod::Average:
            return runMethod<T>(context, in, out, Average{});
        case GrayMethod::Maximum:
            return runMethod<T>(context, in, out, Maximum{});
    }
}

Result<void> supports(const Plan& plan) {
    if (plan.input == PixelFormat::Rgba8 || plan.input == PixelFormat::Rgba16 || plan.identity)
        return {};
    return fail(ErrorCode::Unsupported,
                "the GPU code of grayscale does not take " + std::string(formatName(plan.input)));
}

void run(KernelContext& context, const Plan& plan, const DeviceImage& in, const DeviceImage& out) {
    const auto& gray = static_cast<const GrayscalePlan&>(plan);
    if (plan.input == PixelFormat::Rgba8)
        runSamples<std::uint8_t>(context, gray, in, out);
    else
        runSamples<std::uint16_t>(context, gray, in, out);
}

std::vector<ParamSet> warmUps() {
    std::vector<ParamSet> sets;
    for (const char* method : {"weighted601", "average", "maximum"})
        sets.emplace_back().set("method", std::string(method));
    return sets;
}

}  // namespace

extern const CudaRunner cudaRunner_grayscale;
const CudaRunner cudaRunner_grayscale{"grayscale", supports, run, nullptr, warmUps};

}  // namespace warpscope::cuda
