// Rotation: a thread makes one pixel; its neighbours lie near those of the threads beside it.
#include <type_traits>

#include "cuda_kernels/runtime/kernel_support.cuh"
#include "engine/operations/geometry/rotate.h"

namespace warpscope::cuda {
namespace {

constexpr int kTileWidth = 32;
constexpr int kTileHeight = 8;
constexpr unsigned kThreads = kTileWidth * kTileHeight;

// Coordinates of the output's first pixel and what a column and a row add, 32 fraction bits.
struct Rotation {
    std::int64_t x, y, cosine, sine;
    Rect part;
    Size whole;
    bool nearest;
    RotateOutside outside;
};

template <class T, int C>
struct alignas(sizeof(T) * C) RotatePixel {
    T samples[C];
};

template <class T>
__device__ __forceinline__ T whiteOf() {
    if constexpr (std::is_same_v<T, float>)
        return 1.0f;
    else
        return T(~T(0));
}

__device__ __forceinline__ int clampedTo(std::int64_t value, int most) {
    return value < 0 ? 0 : value > most ? most : int(value);
}

template <class T, int In, int C>
__device__ __forceinline__ RotatePixel<T, C> loadPixel(const DeviceImage& in, const Rotation& turn,
                                                       std::int64_t x, std::int64_t y) {
    RotatePixel<T, C> pixel;
    const bool missed = x < 0 || y < 0 || x >= turn.whole.width || y >= turn.whole.height;
    if (missed && turn.outside != RotateOutside::Edge) {
#pragma unroll
        for (int c = 0; c < C; ++c) pixel.samples[c] = T(0);
        if (C == 4 && turn.outside == RotateOutside::Black) pixel.samples[C - 1] = whiteOf<T>();
        return pixel;
    }
    const int column =
        clampedTo(clampedTo(x, turn.whole.width - 1) - turn.part.x, in.size.width - 1);
    const int row =
        clampedTo(clampedTo(y, turn.whole.height - 1) - turn.part.y, in.size.height - 1);
    const auto from =
        reinterpret_cast<const RotatePixel<T, In>*>(in.data + std::int64_t(row) * in.pitch)[column];
    if constexpr (In == C) {
        return from;
    } else {
#pragma unroll
        for (int c = 0; c < C; ++c) pixel.samples[c] = from.samples[0];
        pixel.samples[C - 1] = whiteOf<T>();
        return pixel;
    }
}

template <class T, int In, int C>
__global__ void __launch_bounds__(kThreads)
    rotateKernel(DeviceImage in, DeviceImage out, int firstRow, int lastRow, FastDivide tilesAcross,
                 Rotation turn) {
    const std::uint32_t tileRow = tilesAcross(blockIdx.x);
    const int x = int(blockIdx.x - tileRow * tilesAcross.divisor) * kTileWidth +
                  int(threadIdx.x % kTileWidth);
    const int y = firstRow + int(tileRow) * kTileHeight + int(threadIdx.x / kTileWidth);
    if (x >= out.size.width || y >= lastRow) return;
    const std::int64_t atX = turn.x + x * turn.cosine + y * turn.sine;
    const std::int64_t atY = turn.y + y * turn.cosine - x * turn.sine;
    auto& to = reinterpret_cast<RotatePixel<T, C>*>(out.data + std::int64_t(y) * out.pitch)[x];
    if (turn.nearest) {
        constexpr std::int64_t kHalf = std::int64_t(1) << 31;
        to = loadPixel<T, In, C>(in, turn, (atX + kHalf) >> 32, (atY + kHalf) >> 32);
        return;
    }
    const std::int64_t column = (atX + (1 << 23)) >> 24, row = (atY + (1 << 23)) >> 24;
    const auto right = std::uint32_t(column & 255), below = std::uint32_t(row & 255);
    const std::uint32_t weights[4] = {(256 - right) * (256 - below), right * (256 - below),
                                      (256 - right) * below, right * below};
    RotatePixel<T, C> pixels[4], made;
#pragma unroll
    for (int k = 0; k < 4; ++k)
        pixels[k] = loadPixel<T, In, C>(in, turn, (column >> 8) + (k & 1), (row >> 8) + (k >> 1));
#pragma unroll
    for (int c = 0; c < C; ++c) {
        if constexpr (std::is_same_v<T, float>) {
            float sum = 0;
#pragma unroll
            for (int k = 0; k < 4; ++k)
                sum = __fadd_rn(sum, __fmul_rn(float(weights[k]), pixels[k].samples[c]));
            made.samples[c] = __fmul_rn(sum, 1.0f / 65536.0f);
        } else {
            std::uint32_t sum = 32768;
#pragma unroll
            for (int k = 0; k < 4; ++k) sum += weights[k] * pixels[k].samples[c];
            made.samples[c] = T(sum >> 16);
        }
    }
    to = made;
}

template <class T, int In, int C>
void run(KernelContext& context, const RotatePlan& plan, const DeviceImage& in,
         const DeviceImage& out) {
    const Rotation turn{plan.firstX(0),  plan.firstY(0),     plan.cosine,  plan.sine,
                        plan.place.part, plan.place.reduced, plan.nearest, plan.outside};
    const FastDivide across{divideUp(unsigned(out.size.width), kTileWidth)};
    const int most =
        context.rowsPerLaunch(5 * out.pitch, std::int64_t(out.size.width) * (32 + 8 * C));
    const int bandRows = most < kTileHeight ? kTileHeight : most / kTileHeight * kTileHeight;
    context.forEachBand(out.size.height, bandRows, [&](int first, int last) {
        launch(context, "rotate", across.divisor * divideUp(unsigned(last - first), kTileHeight),
               kThreads, 0, rotateKernel<T, In, C>, in, out, first, last, across, turn);
    });
}

template <class T>
void run(KernelContext& context, const RotatePlan& plan, const DeviceImage& in,
         const DeviceImage& out) {
    if (isColor(in.format)) return run<T, 4, 4>(context, plan, in, out);
    isColor(out.format) ? run<T, 1, 4>(context, plan, in, out)
                        : run<T, 1, 1>(context, plan, in, out);
}

void run(KernelContext& context, const Plan& given, const DeviceImage& in, const DeviceImage& out) {
    const auto& plan = static_cast<const RotatePlan&>(given);
    if (isFloat(in.format)) return run<float>(context, plan, in, out);
    bytesPerSample(in.format) == 2 ? run<std::uint16_t>(context, plan, in, out)
                                   : run<std::uint8_t>(context, plan, in, out);
}

// The defaults turn by nothing.
std::vector<ParamSet> rotateWarmUps() {
    std::vector<ParamSet> sets;
    for (const char* outside : {"edge", "transparent"}) {
        ParamSet one = rotate_operation().description().exampleParameters();
        one.set("outside", std::string(outside));
        sets.push_back(one);
    }
    return sets;
}

}  // namespace

WARPSCOPE_CUDA_RUNNER(rotate, .run = run, .warmUps = rotateWarmUps);

}  // namespace warpscope::cuda
