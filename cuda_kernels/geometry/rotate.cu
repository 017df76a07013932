// Rotation. Of pixels of up to four bytes a block first copies what its tile needs into shared
// memory, because the neighbours of a warp's pixels lie in several lines of the image, and the
// first cache takes a turn for each line. Else a thread makes one pixel straight from the image.
#include <algorithm>

#include "cuda_kernels/geometry/rotate_box.cuh"
#include "cuda_kernels/runtime/dot_products.cuh"
#include "cuda_kernels/runtime/early_launch.cuh"

namespace warpscope::cuda {
namespace {

constexpr int kTileWidth = 32;
constexpr int kTileHeight = 8;
constexpr unsigned kThreads = kTileWidth * kTileHeight;
// A warp's turns are subtiles of 8 x 4 pixels: whatever the angle, their neighbours lie in few
// rows.
constexpr int kSubtileWidth = 8, kSubtileHeight = 4;
// Rows of a tile that the block's warps make at once.
constexpr int stagedRows(int side, bool pairs) {
    return kSubtileHeight * stagedWarps(side, pairs);
}

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
    letNextLaunchBegin();
    waitForLaunchBefore();
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

// Of the colour of 8 bits: the same integers. Whole weights of 16 bits, the largest one short,
// which rounding makes up for.
__device__ __forceinline__ std::uint32_t betweenColours(const std::uint32_t (&pixels)[4],
                                                        std::uint32_t right, std::uint32_t below) {
    const std::uint32_t across = 256 + right * 65535;
    const std::uint32_t under = below * across;
    std::uint32_t above = 256 * across - under;
    if (above == 65536) above = 65535;
    std::uint32_t sums[4];
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        const unsigned select = half ? 0x7362 : 0x5140;
        const std::uint32_t first = __byte_perm(pixels[0], pixels[1], select);
        const std::uint32_t second = __byte_perm(pixels[2], pixels[3], select);
        sums[2 * half] = dotLowUnsigned(above, first, dotLowUnsigned(under, second, 32768));
        sums[2 * half + 1] = dotHighUnsigned(above, first, dotHighUnsigned(under, second, 32768));
    }
    return __byte_perm(__byte_perm(sums[0], sums[1], 0x0062), __byte_perm(sums[2], sums[3], 0x0062),
                       0x5410);
}

// Of a single sample of 16 bits or float.
template <class T, class Word>
__device__ __forceinline__ Word betweenSamples(const Word (&words)[4], std::uint32_t right,
                                               std::uint32_t below) {
    RotatePixel<T, 1> pixels[4];
    if constexpr (std::is_same_v<T, float>) {
#pragma unroll
        for (int k = 0; k < 4; ++k) pixels[k].samples[0] = __uint_as_float(words[k]);
        return __float_as_uint(between(pixels, right, below).samples[0]);
    } else {
#pragma unroll
        for (int k = 0; k < 4; ++k) pixels[k].samples[0] = words[k];
        return between(pixels, right, below).samples[0];
    }
}

// A place is what a step before it gave, and not a product again: those of 64 bits are several
// instructions, which the compiler prefers to a sum that it has to wait for.
__device__ __forceinline__ void step(std::int64_t& place, std::int64_t by) {
    place += by;
    asm("" : "+l"(place));
}

template <int kSide, bool kNearest, class T, int In, int C>
__global__ void __launch_bounds__(stagedThreads(kSide, false))
    rotateStagedKernel(DeviceImage in, DeviceImage out, int firstRow, int lastRow,
                       FastDivide tilesAcross, Rotation turn) {
    letNextLaunchBegin();
    waitForLaunchBefore();
    using Word = PixelWord<T, C>;
    constexpr bool kColours = sizeof(T) == 1 && C == 4;
    // An odd number of words.
    constexpr int kBox = boxSide(kSide), kPitch = kBox + (sizeof(Word) == 2 ? kBox % 4 : 0);
    static_assert(sizeof(T) * C <= 4 && kPitch * sizeof(Word) / 4 % 2 == 1);
    __shared__ Word box[kBox * kPitch];

    const StagedTile tile(kSide, firstRow, tilesAcross, turn);
    const auto write = [&](int row, int column, Word word) { box[row * kPitch + column] = word; };
    if (In == C && tile.isInside(in, turn.part))
        stageInside<kSide, Word>(in, turn, tile, write);
    else
        stageAnywhere<kSide, false, T, In, C>(in, turn, tile, write);
    __syncthreads();

    const int warp = int(threadIdx.x / 32), lane = int(threadIdx.x % 32);
    const int dx = lane % kSubtileWidth, dy = kSubtileHeight * warp + lane / kSubtileWidth;
    std::int64_t fromX, fromY;
    tile.place(turn, tile.left, dx, dy, fromX, fromY);
    constexpr int kRows = stagedRows(kSide, false);
#pragma unroll
    for (int down = 0; down < kSide; down += kRows) {
        const int y = tile.y + dy + down;
        if (y >= lastRow) return;
        std::int64_t atX = fromX, atY = fromY;
        step(fromX, kRows * turn.sine);
        step(fromY, kRows * turn.cosine);
        auto* const to = reinterpret_cast<Word*>(out.data + std::int64_t(y) * out.pitch);
#pragma unroll
        for (int across = 0; across < kSide; across += kSubtileWidth) {
            const int x = tile.x + across + dx;
            if (x >= out.size.width) break;
            const Word* const first = box + int(atY >> 32) * kPitch + int(atX >> 32);
            if constexpr (kNearest) {
                to[x] = first[0];
            } else {
                const Word words[4] = {first[0], first[1], first[kPitch], first[kPitch + 1]};
                const auto right = std::uint32_t(atX) >> 24, below = std::uint32_t(atY) >> 24;
                if constexpr (kColours)
                    to[x] = betweenColours(words, right, below);
                else
                    to[x] = betweenSamples<T>(words, right, below);
            }
            step(atX, kSubtileWidth * turn.cosine);
            step(atY, -kSubtileWidth * turn.sine);
        }
    }
}

// Byte k of the word of a lane becomes byte `lane % 4` of lane k, of four lanes each.
__device__ __forceinline__ std::uint32_t acrossLanes(std::uint32_t word, int lane) {
    std::uint32_t other = __shfl_xor_sync(0xffffffffu, word, 1);
    word = __byte_perm(word, other, lane & 1 ? 0x3715 : 0x6240);
    other = __shfl_xor_sync(0xffffffffu, word, 2);
    return __byte_perm(word, other, lane & 2 ? 0x3276 : 0x5410);
}

// Gray of 8 bits. The box holds each pixel with its right neighbour: a dot product mixes them.
template <int kSide, bool kNearest>
__global__ void __launch_bounds__(stagedThreads(kSide, true))
    rotateGrayKernel(DeviceImage in, DeviceImage out, int firstRow, int lastRow,
                     FastDivide tilesAcross, Rotation turn) {
    letNextLaunchBegin();
    waitForLaunchBefore();
    // Up to eight more columns to begin with a multiple of eight. Four rows have banks of their
    // own.
    constexpr int kPitch = kSide == kStagedSide ? 80 : 48;
    __shared__ __align__(16) std::uint16_t pairs[boxSide(kSide) * kPitch];

    const StagedTile tile(kSide, firstRow, tilesAcross, turn);
    int origin = tile.left;
    if (tile.isInside(in, turn.part)) {
        stagePairs<kSide, kPitch>(in, turn, tile, origin, pairs);
    } else {
        auto* const bytes = reinterpret_cast<std::uint8_t*>(pairs);
        stageAnywhere<kSide, true, std::uint8_t, 1, 1>(
            in, turn, tile, [&](int row, int column, int sample) {
                const int at = 2 * (row * kPitch + column);
                bytes[at] = std::uint8_t(sample);
                if (column) bytes[at - 1] = std::uint8_t(sample);
            });
    }
    __syncthreads();

    const int warp = int(threadIdx.x / 32), lane = int(threadIdx.x % 32);
    const int dx = lane % kSubtileWidth, dy = kSubtileHeight * warp + lane / kSubtileWidth;
    std::int64_t fromX, fromY;
    tile.place(turn, origin, dx, dy, fromX, fromY);
    // Four subtiles: side by side, then below each other.
    constexpr int kAcross = kSide / kSubtileWidth, kBelow = 4 / kAcross,
                  kRows = stagedRows(kSide, true);
    // After the exchange: four pixels side by side of one of them.
    const int part = lane % 4;
    const int x = tile.x + part % kAcross * kSubtileWidth + lane % kSubtileWidth / 4 * 4;
#pragma unroll
    for (int down = 0; down < kSide; down += kBelow * kRows) {
        std::uint32_t sums[4];
        std::int64_t atX, atY;
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            if (i % kAcross == 0) {
                atX = fromX;
                atY = fromY;
                step(fromX, kRows * turn.sine);
                step(fromY, kRows * turn.cosine);
            } else {
                step(atX, kSubtileWidth * turn.cosine);
                step(atY, -kSubtileWidth * turn.sine);
            }
            const std::uint16_t* first = pairs + int(atY >> 32) * kPitch + int(atX >> 32);
            if constexpr (kNearest) {
                sums[i] = std::uint32_t(first[0]) << 16;
            } else {
                const std::uint32_t weights = 256 + (std::uint32_t(atX) >> 24) * 65535;
                // Half a level in both: 32768 in their mean.
                const std::uint32_t above = dotLowUnsigned(weights, first[0], 128);
                const std::uint32_t under = dotLowUnsigned(weights, first[kPitch], 128);
                sums[i] = above * 256 + (std::uint32_t(atY) >> 24) * (under - above);
            }
        }
        const std::uint32_t made =
            acrossLanes(__byte_perm(__byte_perm(sums[0], sums[1], 0x0062),
                                    __byte_perm(sums[2], sums[3], 0x0062), 0x5410),
                        lane);
        const int y = tile.y + dy + down + part / kAcross * kRows;
        if (x < out.size.width && y < lastRow)
            *reinterpret_cast<std::uint32_t*>(out.data + std::int64_t(y) * out.pitch + x) = made;
    }
}

// `side`: of a tile that is staged. There the nearest pixel is the one above and to the left of a
// place half a pixel further on.
Rotation rotationOf(const RotatePlan& plan, int side, bool staged) {
    const std::int64_t across = (side - 1) * plan.cosine, down = (side - 1) * plan.sine;
    const std::int64_t none = 0, half = (std::int64_t(1) << 31) - kHalfStep;
    const std::int64_t shift = staged && plan.nearest ? half : none;
    return {plan.firstX(0) + shift,
            plan.firstY(0) + shift,
            plan.cosine,
            plan.sine,
            plan.place.part,
            plan.place.reduced,
            plan.nearest,
            plan.outside,
            std::min(across, none) + std::min(down, none),
            std::max(across, none) + std::max(down, none),
            std::min(across, none) - std::max(down, none),
            std::max(across, none) - std::min(down, none)};
}

int stagedSideFor(Size size, int multiprocessors) {
    const auto tiles = std::int64_t(divideUp(unsigned(size.width), kStagedSide)) *
                       divideUp(unsigned(size.height), kStagedSide);
    return tiles < kFewTiles * std::int64_t(multiprocessors) ? kSmallSide : kStagedSide;
}

template <class T, int In, int C>
void run(KernelContext& context, const RotatePlan& plan, const DeviceImage& in,
         const DeviceImage& out) {
    const int side = stagedSideFor(out.size, context.traits().multiprocessors);
    const bool early = side == kSmallSide;
    constexpr bool kStaged = sizeof(RotatePixel<T, C>) <= 4;
    const Rotation turn = rotationOf(plan, side, kStaged);
    const auto inTiles = [&](auto kernel, int width, int height, unsigned threads) {
        const FastDivide tiles{divideUp(unsigned(out.size.width), unsigned(width))};
        const int most =
            context.rowsPerLaunch(5 * out.pitch, std::int64_t(out.size.width) * (32 + 8 * C));
        const int bandRows = most < height ? height : most / height * height;
        context.forEachBand(out.size.height, bandRows, [&](int first, int last) {
            const unsigned blocks = tiles.divisor * divideUp(unsigned(last - first), height);
            // Of more tiles, those that begin early crowd where places are free first.
            if (early)
                launchEarly(context, "rotate", blocks, threads, 0, kernel, in, out, first, last,
                            tiles, turn);
            else
                launch(context, "rotate", blocks, threads, 0, kernel, in, out, first, last, tiles,
                       turn);
        });
    };
    const auto staged = [&]<int kSide, bool kNearest>() {
        if constexpr (sizeof(RotatePixel<T, C>) == 1)
            inTiles(rotateGrayKernel<kSide, kNearest>, kSide, kSide, stagedThreads(kSide, true));
        else
            inTiles(rotateStagedKernel<kSide, kNearest, T, In, C>, kSide, kSide,
                    stagedThreads(kSide, false));
    };
    const auto stagedBy = [&]<int kSide>() {
        plan.nearest ? staged.template operator()<kSide, true>()
                     : staged.template operator()<kSide, false>();
    };
    if constexpr (kStaged)
        side == kStagedSide ? stagedBy.template operator()<kStagedSide>()
                            : stagedBy.template operator()<kSmallSide>();
    else
        inTiles(rotateKernel<T, In, C>, kTileWidth, kTileHeight, kThreads);
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
