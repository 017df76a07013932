// Rotation. Between pixels, of small pixels: a block first copies what its tile needs into shared
// memory, because the four neighbours of a warp's pixels lie in several lines of the image, and the
// first cache takes a turn for each line. Else a thread makes one pixel straight from the image.
#include <type_traits>

#include "cuda_kernels/runtime/kernel_support.cuh"
#include "engine/operations/geometry/rotate.h"

namespace warpscope::cuda {
namespace {

constexpr int kTileWidth = 32;
constexpr int kTileHeight = 8;
constexpr unsigned kThreads = kTileWidth * kTileHeight;
// Of the tiles that go through shared memory. Turned by 45 degrees, 31 steps are 44 columns; one
// more for the fraction, one for the neighbour.
constexpr int kStagedSide = 32;
constexpr int kBoxSide = 47;
constexpr int kSubtileWidth = 8;

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

__device__ __forceinline__ int clampedTo(int value, int most) {
    return min(max(value, 0), most);
}

template <class T, int In, int C>
__device__ __forceinline__ RotatePixel<T, C> loadPixel(const DeviceImage& in, const Rotation& turn,
                                                       int x, int y) {
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

// Half of the last bit that a weight has.
constexpr std::int64_t kHalfStep = 1 << 23;

// Of the pixel at the left above, its right neighbour and the two below them, at so many 256ths.
template <class T, int C>
__device__ __forceinline__ RotatePixel<T, C> between(const RotatePixel<T, C> (&pixels)[4],
                                                     std::uint32_t right, std::uint32_t below) {
    RotatePixel<T, C> made;
    if constexpr (std::is_same_v<T, float>) {
        const std::uint32_t weights[4] = {(256 - right) * (256 - below), right * (256 - below),
                                          (256 - right) * below, right * below};
#pragma unroll
        for (int c = 0; c < C; ++c) {
            float sum = 0;
#pragma unroll
            for (int k = 0; k < 4; ++k)
                sum = __fadd_rn(sum, __fmul_rn(float(weights[k]), pixels[k].samples[c]));
            made.samples[c] = __fmul_rn(sum, 1.0f / 65536.0f);
        }
    } else {
        // The same integers as with the four weights: below 2^32, whatever wraps on the way.
#pragma unroll
        for (int c = 0; c < C; ++c) {
            const std::uint32_t a = pixels[0].samples[c], b = pixels[2].samples[c];
            const std::uint32_t above = (a << 8) + right * (pixels[1].samples[c] - a);
            const std::uint32_t under = (b << 8) + right * (pixels[3].samples[c] - b);
            made.samples[c] = T(((above << 8) + below * (under - above) + 32768) >> 16);
        }
    }
    return made;
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
        to = loadPixel<T, In, C>(in, turn, int((atX + kHalf) >> 32), int((atY + kHalf) >> 32));
        return;
    }
    const int column = int((atX + kHalfStep) >> 24), row = int((atY + kHalfStep) >> 24);
    RotatePixel<T, C> pixels[4];
#pragma unroll
    for (int k = 0; k < 4; ++k)
        pixels[k] = loadPixel<T, In, C>(in, turn, (column >> 8) + (k & 1), (row >> 8) + (k >> 1));
    to = between(pixels, std::uint32_t(column & 255), std::uint32_t(row & 255));
}

// A warp's four turns are tiles of 8 x 4 pixels side by side: whatever the angle, their neighbours
// lie in few rows.
template <class T, int In, int C>
__global__ void __launch_bounds__(kThreads)
    rotateStagedKernel(DeviceImage in, DeviceImage out, int firstRow, int lastRow,
                       FastDivide tilesAcross, Rotation turn) {
    using Pixel = RotatePixel<T, C>;
    // An odd number of words.
    constexpr int kPitch = sizeof(Pixel) == 1 ? 52 : sizeof(Pixel) == 2 ? 50 : 49;
    static_assert(sizeof(Pixel) <= 4 && kPitch >= kBoxSide);
    __shared__ Pixel box[kBoxSide * kPitch];

    const std::uint32_t tileRow = tilesAcross(blockIdx.x);
    const int x0 = int(blockIdx.x - tileRow * tilesAcross.divisor) * kStagedSide;
    const int y0 = firstRow + int(tileRow) * kStagedSide;
    const std::int64_t atX = turn.x + x0 * turn.cosine + y0 * turn.sine + kHalfStep;
    const std::int64_t atY = turn.y + y0 * turn.cosine - x0 * turn.sine + kHalfStep;
    constexpr std::int64_t kSteps = kStagedSide - 1;
    const std::int64_t byCosine = kSteps * turn.cosine, bySine = kSteps * turn.sine;
    const std::int64_t none = 0;
    const int left = int((atX + min(byCosine, none) + min(bySine, none)) >> 32);
    const int right = int((atX + max(byCosine, none) + max(bySine, none)) >> 32) + 1;
    const int top = int((atY + min(byCosine, none) - max(bySine, none)) >> 32);
    const int bottom = int((atY + max(byCosine, none) - min(bySine, none)) >> 32) + 1;

    const int warp = int(threadIdx.x / 32), lane = int(threadIdx.x % 32);
    for (int row = warp; row <= bottom - top; row += int(kThreads / 32))
        for (int column = lane; column <= right - left; column += 32)
            box[row * kPitch + column] = loadPixel<T, In, C>(in, turn, left + column, top + row);
    __syncthreads();

    const int dx = lane % kSubtileWidth, dy = 4 * warp + lane / kSubtileWidth;
    const int y = y0 + dy;
    if (y >= lastRow) return;
    // From here on the box's corner is the origin.
    std::int64_t fromX = atX + dx * turn.cosine + dy * turn.sine - (std::int64_t(left) << 32);
    std::int64_t fromY = atY + dy * turn.cosine - dx * turn.sine - (std::int64_t(top) << 32);
    auto* const to = reinterpret_cast<Pixel*>(out.data + std::int64_t(y) * out.pitch);
#pragma unroll
    for (int tile = 0; tile < kStagedSide / kSubtileWidth; ++tile) {
        const int x = x0 + tile * kSubtileWidth + dx;
        if (x >= out.size.width) return;
        const int column = int(fromX >> 24), row = int(fromY >> 24);
        const Pixel* const first = box + (row >> 8) * kPitch + (column >> 8);
        const Pixel pixels[4] = {first[0], first[1], first[kPitch], first[kPitch + 1]};
        to[x] = between(pixels, std::uint32_t(column & 255), std::uint32_t(row & 255));
        fromX += kSubtileWidth * turn.cosine;
        fromY -= kSubtileWidth * turn.sine;
    }
}

template <class T, int In, int C>
void run(KernelContext& context, const RotatePlan& plan, const DeviceImage& in,
         const DeviceImage& out) {
    const Rotation turn{plan.firstX(0),  plan.firstY(0),     plan.cosine,  plan.sine,
                        plan.place.part, plan.place.reduced, plan.nearest, plan.outside};
    const auto inTiles = [&](auto kernel, int width, int height) {
        const FastDivide across{divideUp(unsigned(out.size.width), unsigned(width))};
        const int most =
            context.rowsPerLaunch(5 * out.pitch, std::int64_t(out.size.width) * (32 + 8 * C));
        const int bandRows = most < height ? height : most / height * height;
        context.forEachBand(out.size.height, bandRows, [&](int first, int last) {
            launch(context, "rotate", across.divisor * divideUp(unsigned(last - first), height),
                   kThreads, 0, kernel, in, out, first, last, across, turn);
        });
    };
    if constexpr (sizeof(RotatePixel<T, C>) <= 4)
        if (!plan.nearest) return inTiles(rotateStagedKernel<T, In, C>, kStagedSide, kStagedSide);
    inTiles(rotateKernel<T, In, C>, kTileWidth, kTileHeight);
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
