// Separable Gaussian as products with banded matrices, 8 by 8 bits into 32 on the tensor units.
//
// A warp owns a strip of 32 columns and goes down it 32 rows at a time. The row pass multiplies a
// banded matrix of weights (16 outputs x by 32 pixels) with pixels (32 by 8 rows); the column pass
// multiplies one (16 outputs y by 32 rows) with the 16-bit intermediate (32 rows by 8 columns).
// Weights and intermediate are split into high and low bytes, whose products are exact, so the sums
// are those of the definition to the bit.
//
// Which pixel or row stands at which place of the summed dimension does not matter as long as both
// factors agree. Two orders are chosen: pixels so that a lane reads 8 neighbours at once, rows so
// that what a lane holds after the row pass (two rows of each of four 8-row tiles) is what it has
// to give to the column pass. The intermediate never changes lanes; a ring of the last chunks of 32
// rows stands in shared memory, where each lane reads only what it wrote.
#include <algorithm>

#include "cuda_kernels/gaussian_paths.h"
#include "cuda_kernels/kernel_support.cuh"

namespace warpscope::cuda {
namespace {

constexpr int kStrip = 32;  // columns of a warp
constexpr int kChunk = 32;  // rows of a step
constexpr int kMaxWarps = 8;

// Chunks that the window of 32 output rows touches, and equally blocks of 32 pixels that the window
// of 32 output columns touches when it begins at a multiple of 16.
constexpr int blocksFor(int radius) {
    return 1 + (radius + 15) / 16;
}
// Weight fragments of both passes: 2 halves of 16 outputs, `blocks` blocks, high and low bytes, 16
// bytes a lane.
constexpr std::size_t weightBytes(int blocks) {
    return std::size_t(2) * 2 * 2 * 32 * 16 * unsigned(blocks);
}
constexpr std::size_t ringBytes(int blocks, int channels) {
    return std::size_t(32) * 4 * 16 * unsigned(channels * blocks);
}
constexpr std::size_t tapBytes(int radius) {
    return (std::size_t(2 * radius + 1) * 2 + 15) / 16 * 16;
}

struct Strips {
    FastDivide perRow;   // strips side by side
    unsigned tasks = 0;  // strips times segments
    int segmentRows = 0;
    int first = 0;  // output rows [first, last)
    int last = 0;
};

__device__ __forceinline__ void multiply(std::int32_t (&sums)[4], const uint4& a, std::uint32_t b0,
                                         std::uint32_t b1) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%0,%1,%2,%3};"
        : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
        : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "r"(b0), "r"(b1));
#endif
}

// Row m of a 16-row tile of weights in the row pass is this column of the strip; 8 q + 2 t + d for
// tile t = 2 s + m / 8 and column n = m % 8 = 2 q + d of the column pass.
__device__ __forceinline__ int columnOf(int half, int m) {
    return 8 * ((m & 7) >> 1) + 2 * (2 * half + (m >> 3)) + (m & 1);
}

// The banded matrices in the order in which lanes hold them: index ((half * blocks) + block) * 64 +
// lane for high bytes, + 32 for low ones; row pass first, then the column pass.
__device__ void makeWeights(const GaussianTaps& taps, int blocks, std::uint16_t* shared,
                            uint4* fragments) {
    const int radius = taps.radius, taken = 2 * radius + 1;
    for (int i = int(threadIdx.x); i < taken; i += int(blockDim.x)) shared[i] = taps.weights[i];
    __syncthreads();
    const int aligned = (blocks - 1) * 16;  // radius rounded up to 16
    for (int item = int(threadIdx.x); item < 4 * blocks * 32; item += int(blockDim.x)) {
        const int lane = item % 32, group = lane / 4, quarter = lane % 4;
        const int block = item / 32 % blocks;
        const int half = item / 32 / blocks % 2;
        const bool columns = item / 32 / blocks >= 2;
        std::uint32_t high[4] = {}, low[4] = {};
#pragma unroll
        for (int reg = 0; reg < 4; ++reg) {
            const int m = group + 8 * (reg & 1), i = reg >> 1;
#pragma unroll
            for (int e = 0; e < 4; ++e) {
                const int row = kChunk * block + 16 * i + 8 * (e >> 1) + 2 * quarter + (e & 1);
                const int pixel = kStrip * block + 8 * quarter + 4 * i + e - aligned + radius;
                const int tap = columns ? row - 16 * half - m : pixel - columnOf(half, m);
                const std::uint32_t weight = tap >= 0 && tap < taken ? shared[tap] : 0;
                high[reg] |= (weight >> 8) << (8 * e);
                low[reg] |= (weight & 255u) << (8 * e);
            }
        }
        uint4* at = fragments + item / 32 * 64 + lane;
        at[0] = {high[0], high[1], high[2], high[3]};
        at[32] = {low[0], low[1], low[2], low[3]};
    }
    __syncthreads();
}

// Four gray pixels from x on, x a multiple of 4, the edge repeated.
__device__ std::uint32_t clampedWord(const std::byte* row, int x, int width) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(row);
    if (x < 0) return bytes[0] * 0x01010101u;
    const std::uint32_t edge = bytes[width - 1] * 0x01010101u;
    if (x >= width) return edge;
    const std::uint32_t word = *reinterpret_cast<const std::uint32_t*>(row + x);
    if (x + 4 <= width) return word;
    const std::uint32_t inside = (1u << (8 * (width - x))) - 1;
    return (word & inside) | (edge & ~inside);
}

template <int Channels>
struct Pixels;  // 8 neighbours of one row, by channel, as a lane gives them to the row pass

template <>
struct Pixels<1> {
    std::uint32_t words[1][2];
    __device__ void load(const std::byte* row, int x, int width, bool interior) {
        if (interior) {
            const uint2 both = *reinterpret_cast<const uint2*>(row + x);
            words[0][0] = both.x;
            words[0][1] = both.y;
        } else {
            words[0][0] = clampedWord(row, x, width);
            words[0][1] = clampedWord(row, x + 4, width);
        }
    }
};

template <>
struct Pixels<3> {
    std::uint32_t words[3][2];
    __device__ void load(const std::byte* row, int x, int width, bool interior) {
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            uint4 four;
            if (interior) {
                four = *reinterpret_cast<const uint4*>(row + std::int64_t(x + 4 * i) * 4);
            } else {
                const auto* pixels = reinterpret_cast<const std::uint32_t*>(row);
                const auto at = [&](int k) {
                    return pixels[min(max(x + 4 * i + k, 0), width - 1)];
                };
                four = {at(0), at(1), at(2), at(3)};
            }
            const std::uint32_t rg01 = __byte_perm(four.x, four.y, 0x5140);
            const std::uint32_t rg23 = __byte_perm(four.z, four.w, 0x5140);
            const std::uint32_t b01 = __byte_perm(four.x, four.y, 0x0062);
            const std::uint32_t b23 = __byte_perm(four.z, four.w, 0x0062);
            words[0][i] = __byte_perm(rg01, rg23, 0x5410);
            words[1][i] = __byte_perm(rg01, rg23, 0x7632);
            words[2][i] = __byte_perm(b01, b23, 0x5410);
        }
    }
};

// A lane's part of 32 rows of the intermediate: for channel c, tile t of 8 columns and rows 16 i to
// 16 i + 15 the low and the high bytes of four values, at ((c * 4 + t) * 2 + i) * 32.
template <int Channels>
constexpr int kRingStep = Channels * 4 * 2 * 32;

// Filters 32 rows from `y` on along x into one place of the ring.
template <int Channels, int FixedBlocks>
__device__ __forceinline__ void rowPass(const DeviceImage& in, int x, int y, int blocks,
                                        bool interior, const uint4* weights, uint2* ring) {
    const int lane = int(threadIdx.x % 32), group = lane / 4, quarter = lane % 4;
    const int start = x - (blocks - 1) * 16 + 8 * quarter;
#pragma unroll
    for (int i = 0; i < 2; ++i) {  // two tiles of 8 rows at a time
        std::int32_t sums[2][Channels][2][2][4] = {};
        const std::byte* row[2];
#pragma unroll
        for (int v = 0; v < 2; ++v)
            row[v] =
                in.data + in.pitch * min(max(y + 16 * i + 8 * v + group, 0), in.size.height - 1);
#pragma unroll(FixedBlocks ? FixedBlocks : 1)
        for (int block = 0; block < (FixedBlocks ? FixedBlocks : blocks); ++block) {
            Pixels<Channels> pixels[2];
#pragma unroll
            for (int v = 0; v < 2; ++v)
                pixels[v].load(row[v], start + kStrip * block, in.size.width, interior);
#pragma unroll
            for (int half = 0; half < 2; ++half) {
#pragma unroll
                for (int low = 0; low < 2; ++low) {
                    const uint4 weight = weights[((half * blocks + block) * 2 + low) * 32];
#pragma unroll
                    for (int v = 0; v < 2; ++v) {
#pragma unroll
                        for (int c = 0; c < Channels; ++c)
                            multiply(sums[v][c][half][low], weight, pixels[v].words[c][0],
                                     pixels[v].words[c][1]);
                    }
                }
            }
        }
#pragma unroll
        for (int c = 0; c < Channels; ++c) {
#pragma unroll
            for (int t = 0; t < 4; ++t) {
                std::uint32_t pair[2];  // of rows 2 q, 2 q + 1: low bytes, then high bytes
#pragma unroll
                for (int v = 0; v < 2; ++v) {
                    std::uint32_t value[2];
#pragma unroll
                    for (int d = 0; d < 2; ++d) {
                        const int place = (t & 1) * 2 + d;
                        value[d] = (std::uint32_t(sums[v][c][t >> 1][0][place]) << 8) +
                                   std::uint32_t(sums[v][c][t >> 1][1][place]) + 128u;
                    }
                    pair[v] = __byte_perm(value[0], value[1], 0x6251);
                }
                ring[((c * 4 + t) * 2 + i) * 32] = {__byte_perm(pair[0], pair[1], 0x5410),
                                                    __byte_perm(pair[0], pair[1], 0x7632)};
            }
        }
    }
}

// Output rows y + group and y + group + 8 of one channel: 8 neighbouring samples each.
template <int Channels, int FixedBlocks>
__device__ __forceinline__ void columnPass(int channel, int half, int blocks, int oldest,
                                           const uint4* weights, const uint2* ring,
                                           std::uint32_t (&result)[2][2]) {
    std::int32_t sums[4][3][4] = {};  // tile; high high, mixed, low low
    int place = oldest;
#pragma unroll(FixedBlocks ? FixedBlocks : 1)
    for (int block = 0; block < (FixedBlocks ? FixedBlocks : blocks); ++block) {
        const uint4 high = weights[((half * blocks + block) * 2) * 32];
        const uint4 low = weights[((half * blocks + block) * 2 + 1) * 32];
        const uint2* chunk = ring + place * kRingStep<Channels> + channel * 4 * 2 * 32;
#pragma unroll
        for (int t = 0; t < 4; ++t) {
            const uint2 upper = chunk[(t * 2) * 32], lower = chunk[(t * 2 + 1) * 32];
            multiply(sums[t][0], high, upper.y, lower.y);
            multiply(sums[t][1], high, upper.x, lower.x);
            multiply(sums[t][2], low, upper.x, lower.x);
            multiply(sums[t][1], low, upper.y, lower.y);
        }
        place = place + 1 == blocks ? 0 : place + 1;
    }
#pragma unroll
    for (int r = 0; r < 2; ++r) {
        std::uint32_t pairs[4];
#pragma unroll
        for (int t = 0; t < 4; ++t) {
            std::uint32_t total[2];
#pragma unroll
            for (int d = 0; d < 2; ++d) {
                const int at = 2 * r + d;
                total[d] = (std::uint32_t(sums[t][0][at]) << 16) +
                           (std::uint32_t(sums[t][1][at]) << 8) + std::uint32_t(sums[t][2][at]) +
                           (1u << 23);
            }
            pairs[t] = __byte_perm(total[0], total[1], 0x0073);
        }
        result[r][0] = __byte_perm(pairs[0], pairs[1], 0x5410);
        result[r][1] = __byte_perm(pairs[2], pairs[3], 0x5410);
    }
}

// Four colour pixels from a word of each channel, with the alpha of `source`.
__device__ uint4 interleave(std::uint32_t r, std::uint32_t g, std::uint32_t b,
                            const uint4& source) {
    const std::uint32_t rg01 = __byte_perm(r, g, 0x5140), rg23 = __byte_perm(r, g, 0x7362);
    const auto pixel = [&](std::uint32_t rg, int word, std::uint32_t alpha, int k) {
        const std::uint32_t two = word ? rg >> 16 : rg & 0xffffu;
        return two | byteOf(b, k) << 16 | (alpha & 0xff000000u);
    };
    return {pixel(rg01, 0, source.x, 0), pixel(rg01, 1, source.y, 1), pixel(rg23, 0, source.z, 2),
            pixel(rg23, 1, source.w, 3)};
}

template <int Channels, int FixedBlocks>
__global__ void __launch_bounds__(kMaxWarps * 32, Channels == 1 ? 2 : 1)
    bandedKernel(DeviceImage in, DeviceImage out, Strips strips,
                 const __grid_constant__ GaussianTaps taps) {
    extern __shared__ __align__(16) unsigned char shared[];
    const int blocks = FixedBlocks ? FixedBlocks : blocksFor(taps.radius);
    auto* weights = reinterpret_cast<uint4*>(shared);
    auto* rings = reinterpret_cast<uint2*>(shared + weightBytes(blocks));
    auto* tapArea = reinterpret_cast<std::uint16_t*>(
        rings + std::size_t(blockDim.x / 32) * unsigned(blocks) * kRingStep<Channels>);
    makeWeights(taps, blocks, tapArea, weights);

    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const unsigned task = blockIdx.x * (blockDim.x / 32) + warp;
    if (task >= strips.tasks) return;
    const unsigned segment = strips.perRow(task);
    const int x = int(task - segment * strips.perRow.divisor) * kStrip;
    const int first = strips.first + int(segment) * strips.segmentRows;
    const int last = min(first + strips.segmentRows, strips.last);
    const int reach = (blocks - 1) * 16;
    const bool interior = x >= reach && x + kStrip + reach <= in.size.width;
    const uint4* rowWeights = weights + lane;
    const uint4* columnWeights = weights + 2 * blocks * 64 + lane;
    uint2* ring = rings + std::size_t(warp) * unsigned(blocks) * kRingStep<Channels> + lane;

    int place = 0;
    for (int block = 0; block < blocks - 1; ++block, ++place)
        rowPass<Channels, FixedBlocks>(in, x, first - taps.radius + kChunk * block, blocks,
                                       interior, rowWeights, ring + place * kRingStep<Channels>);
    const int column = x + 8 * int(lane % 4);
    for (int y = first; y < last; y += kChunk) {
        rowPass<Channels, FixedBlocks>(in, x, y - taps.radius + kChunk * (blocks - 1), blocks,
                                       interior, rowWeights, ring + place * kRingStep<Channels>);
        place = place + 1 == blocks ? 0 : place + 1;
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            std::uint32_t result[Channels][2][2];
#pragma unroll
            for (int c = 0; c < Channels; ++c)
                columnPass<Channels, FixedBlocks>(c, half, blocks, place, columnWeights, ring,
                                                  result[c]);
#pragma unroll
            for (int r = 0; r < 2; ++r) {
                const int row = y + 16 * half + 8 * r + int(lane / 4);
                if (row >= last || column >= in.size.width) continue;
                std::byte* target = out.data + row * out.pitch;
                if constexpr (Channels == 1) {
                    *reinterpret_cast<uint2*>(target + column) = {result[0][r][0], result[0][r][1]};
                } else {
                    const std::byte* source = in.data + row * in.pitch;
#pragma unroll
                    for (int i = 0; i < 2; ++i) {
                        const std::int64_t offset = std::int64_t(column + 4 * i) * 4;
                        *reinterpret_cast<uint4*>(target + offset) =
                            interleave(result[0][r][i], result[1][r][i], result[2][r][i],
                                       *reinterpret_cast<const uint4*>(source + offset));
                    }
                }
            }
        }
    }
}

int warpsThatFit(const DeviceTraits& traits, int radius, int channels) {
    const int blocks = blocksFor(radius);
    const std::size_t fixed = weightBytes(blocks) + tapBytes(radius);
    if (fixed >= traits.sharedPerBlock) return 0;
    return int(std::min<std::size_t>(
        kMaxWarps, (traits.sharedPerBlock - fixed) / ringBytes(blocks, channels)));
}

template <int Channels, int FixedBlocks>
void runBlocks(KernelContext& context, const GaussianBlurPlan& plan, const DeviceImage& in,
               const DeviceImage& out) {
    const int blocks = blocksFor(plan.radius);
    const int multiprocessors = context.traits().multiprocessors;
    const int fitting = warpsThatFit(context.traits(), plan.radius, Channels);
    const int resident =
        fitting == kMaxWarps && Channels == 1 && blocks <= 4 ? 2 * kMaxWarps : fitting;
    const unsigned across = divideUp(unsigned(in.size.width), kStrip);
    const GaussianTaps taps(plan);
    // A tensor unit does some 30 products in the time of one ordinary multiplication.
    const std::int64_t work = std::int64_t(across) * kStrip * Channels * blocks * 24;
    const int bandRows =
        std::max(kChunk, context.rowsPerLaunch(in.pitch + out.pitch, work) / kChunk * kChunk);
    context.forEachBand(in.size.height, bandRows, [&](int first, int last) {
        Strips strips;
        strips.perRow = FastDivide(across);
        strips.first = first;
        strips.last = last;
        // As many segments as fill the device once: every further one filters its halo again.
        const int rows = last - first;
        const int most = std::max(1, multiprocessors * resident / int(across));
        strips.segmentRows =
            int(divideUp(divideUp(unsigned(rows), unsigned(most)), kChunk)) * kChunk;
        strips.tasks = across * divideUp(unsigned(rows), unsigned(strips.segmentRows));
        int warps = fitting;
        while (warps > 1 && divideUp(strips.tasks, unsigned(warps)) < unsigned(multiprocessors))
            warps = (warps + 1) / 2;
        const std::size_t shared = weightBytes(blocks) + tapBytes(plan.radius) +
                                   std::size_t(warps) * ringBytes(blocks, Channels);
        launch(context, "gaussian banded", divideUp(strips.tasks, unsigned(warps)),
               unsigned(warps) * 32, shared, bandedKernel<Channels, FixedBlocks>, in, out, strips,
               taps);
    });
}

template <int Channels>
void runChannels(KernelContext& context, const GaussianBlurPlan& plan, const DeviceImage& in,
                 const DeviceImage& out) {
    switch (blocksFor(plan.radius)) {
        case 2:
            return runBlocks<Channels, 2>(context, plan, in, out);
        case 3:
            return runBlocks<Channels, 3>(context, plan, in, out);
        default:
            return runBlocks<Channels, 0>(context, plan, in, out);
    }
}

}  // namespace

bool canRunGaussianBanded(const DeviceTraits& traits, const GaussianBlurPlan& plan) {
    return traits.hasIntegerMma() && plan.radius >= 1 &&
           warpsThatFit(traits, plan.radius, isColor(plan.input) ? 3 : 1) >= 1;
}

void runGaussianBanded(KernelContext& context, const GaussianBlurPlan& plan, const DeviceImage& in,
                       const DeviceImage& out) {
    if (isColor(in.format))
        runChannels<3>(context, plan, in, out);
    else
        runChannels<1>(context, plan, in, out);
}

}  // namespace warpscope::cuda
