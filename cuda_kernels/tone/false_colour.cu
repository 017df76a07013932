// Levels or labels as colours: four pixels at once, the colours in shared memory.
#include "engine/operations/tone/false_colour.h"

#include "cuda_kernels/runtime/pointwise.cuh"

namespace warpscope::cuda {
namespace {

// T: as sampleOf; std::uint32_t for labels.
template <class T, int Channels>
struct FalseColourBody : PointwiseBody {
    static constexpr unsigned kThreads = 512, kBlocks = 4;
    static constexpr int kPixels = 4;
    static constexpr int kBytesIn = 4 * Channels * int(sizeof(T)), kBytesOut = 16;
    static constexpr int kInFlight = kBytesIn > 32 ? 2 : 4;
    static constexpr int kWork = sizeof(T) == 4 ? 96 : 32;
    static constexpr int kTableBytes = sizeof(T) == 2 ? 32 : 0;
    // 256 in device memory: of each level of 8 bits, else of each index.
    const std::uint32_t* colors;
    // Of 16 bits: the index of each level.
    const std::uint8_t* levels;
    ColorIndex index;
    const std::uint32_t* shared = nullptr;

    FalseColourBody(const std::uint32_t* table, const std::uint8_t* indexOfLevel,
                    const ColorIndex& made)
        : colors(table), levels(indexOfLevel), index(made) {}

    __device__ FalseColourBody begin() const {
        __shared__ std::uint32_t entries[256];
        for (unsigned i = threadIdx.x; i < 256; i += kThreads) entries[i] = colors[i];
        FalseColourBody begun = *this;
        begun.shared = entries;
        return begun;
    }
    // Of a sample's bits.
    __device__ std::uint32_t color(std::uint32_t bits) const {
        if constexpr (sizeof(T) == 1)
            return shared[bits];
        else if constexpr (sizeof(T) == 2)
            return shared[levels[bits]];
        else if constexpr (std::is_floating_point_v<T>)
            return shared[index(__uint_as_float(bits))];
        else
            return shared[index(bits)];
    }
    static __device__ std::uint32_t alpha(std::uint32_t bits) {
        if constexpr (std::is_floating_point_v<T>)
            return alphaByte(__uint_as_float(bits)) << 24;
        else
            return alphaByte(T(bits)) << 24;
    }
    __device__ void operator()(const std::uint32_t (&in)[kBytesIn / 4], std::uint32_t (&out)[4],
                               const PiecePlace&) const {
#pragma unroll
        for (int i = 0; i < kPixels; ++i) {
            if constexpr (Channels == 1) {
                out[i] = color(sampleOf<T>(in, i)) | 0xff000000u;
            } else {
                const std::uint32_t r = sampleOf<T>(in, 4 * i), g = sampleOf<T>(in, 4 * i + 1),
                                    b = sampleOf<T>(in, 4 * i + 2);
                std::uint32_t y;
                if constexpr (std::is_floating_point_v<T>)
                    y = __float_as_uint(
                        luma(__uint_as_float(r), __uint_as_float(g), __uint_as_float(b)));
                else
                    y = luma(r, g, b);
                out[i] = color(y) | alpha(sampleOf<T>(in, 4 * i + 3));
            }
        }
    }
};

template <class T, int Channels>
void runSamples(KernelContext& context, const FalseColourPlan& plan, const DeviceImage& in,
                const DeviceImage& out) {
    const std::vector<std::uint32_t> colors =
        sizeof(T) == 1 ? plan.colorOfLevel
                       : std::vector<std::uint32_t>(plan.colors.begin(), plan.colors.end());
    const std::uint8_t* levels = nullptr;
    if constexpr (sizeof(T) == 2)
        levels = tablesOnDevice<std::uint8_t>(context, "false_colour levels", {&plan.indexOfLevel});
    runPointwise(
        context, "false_colour", in, out,
        FalseColourBody<T, Channels>(
            tablesOnDevice<std::uint32_t>(context, "false_colour", {&colors}), levels, plan.index));
}

void run(KernelContext& context, const Plan& given, const DeviceImage& in, const DeviceImage& out) {
    const auto& plan = static_cast<const FalseColourPlan&>(given);
    if (in.format == PixelFormat::Gray32)
        runSamples<std::uint32_t, 1>(context, plan, in, out);
    else if (in.format == PixelFormat::GrayF32)
        runSamples<float, 1>(context, plan, in, out);
    else if (in.format == PixelFormat::RgbaF32)
        runSamples<float, 4>(context, plan, in, out);
    else
        forSamples(in.format, [&]<class T, int Channels>() {
            runSamples<T, Channels>(context, plan, in, out);
        });
}

// All formats that it takes.
Result<void> supports(const Plan&) {
    return {};
}

// One map has the kernels of all.
std::vector<ParamSet> warmUps() {
    return std::vector<ParamSet>(1);
}

}  // namespace

WARPSCOPE_CUDA_RUNNER(false_colour, .run = run, .supports = supports, .warmUps = warmUps);

}  // namespace warpscope::cuda
