// Separable Gaussian as products with banded matrices, 8 by 8 bits into 32 on the tensor units.
//
// Four warps own a strip of 32 columns and go down it, each 32 rows at a time. The row pass
// multiplies a banded matrix of weights (16 outputs x by 32 pixels) with pixels (32 by 8 rows); the
// column pass multiplies one (16 outputs y by 32 rows) with the 16-bit intermediate (32 rows by 8
// columns). Weights and intermediate are split into high and low bytes, whose products are exact,
// so the sums are those of the definition to the bit.
//
// Which pixel or row stands at which place of the summed dimension does not matter as long as both
// factors agree. Two orders are chosen: pixels so that a lane reads 8 neighbours at once, rows so
// that what a lane holds after the row pass (two rows of each of four 8-row tiles) is what it has
// to give to the column pass. The intermediate never changes lanes: a lane writes its part to a
// ring of chunks of 32 rows in shared memory, and the same lane of any of the four warps reads it
// there.
#include <algorithm>

#include "cuda_kernels/runtime/blocks_by_device.cuh"
#include "cuda_kernels/runtime/launch_pieces.cuh"
#include "cuda_kernels/smoothing/blur_mix.cuh"
#include "cuda_kernels/smoothing/gaussian_blur.cuh"
#include "cuda_kernels/smoothing/gaussian_blur_banded.cuh"
#include "cuda_kernels/smoothing/gaussian_blur_costs.h"

namespace warpscope::cuda {
namespace {

constexpr int kChunk = 32;  // rows of a step
constexpr int kWarps = 4;
constexpr int kThreads = kWarps * 32;
static_assert(kStrip == kBandedStrip && kWarps * kChunk == kBandedRound);

// Chunks that the window of 32 output rows touches, and equally blocks of 32 pixels that the window
// of 32 output columns touches when it begins at a multiple of 16.
constexpr int blocksFor(int radius) {
    return bandedBlocks(radius);
}
// Weight fragments of both passes: 2 halves of 16 outputs, `blocks` blocks, high and low bytes, 16
// bytes a lane.
constexpr std::size_t weightBytes(int blocks) {
    return std::size_t(2) * 2 * 2 * 32 * 16 * unsigned(blocks);
}
// The chunks that the windows of all warps touch.
constexpr int chunksFor(int blocks) {
    return blocks - 1 + kWarps;
}
constexpr std::size_t sharedBytes(int blocks, int channels) {
    return weightBytes(blocks) + std::size_t(32) * 4 * 16 * unsigned(channels * chunksFor(blocks));
}

struct Strips {
    FastDivide perRow;        // strips side by side
    unsigned firstBlock = 0;  // of a launch of some of them
    int segmentRows = 0;
    int first = 0;  // output rows [first, last)
    int last = 0;
};

// Row m of a 16-row tile of weights in the row pass is this column of the strip; 8 q + 2 t + d for
// tile t = 2 s + m / 8 and column n = m % 8 = 2 q + d of the column pass.
constexpr int columnOf(int half, int m) {
    return 8 * ((m & 7) >> 1) + 2 * (2 * half + (m >> 3)) + (m & 1);
}

// The banded matrices in the order in which lanes hold them, 4 words a lane: word ((half * blocks)
// + block) * 256 + lane * 4 of high bytes, 128 words further that of low ones; row pass first, then
// the column pass.
std::vector<std::uint32_t> bandedWeights(const GaussianBlurPlan& plan) {
    const int blocks = blocksFor(plan.radius);
    const int aligned = (blocks - 1) * 16;  // radius rounded up to 16
    std::vector<std::uint32_t> words;
    words.reserve(weightBytes(blocks) / 4);
    const auto byteAt = [&](int tap, int shift) {
        const bool inside = tap >= 0 && tap <= 2 * plan.radius;
        return inside ? (plan.taps[std::size_t(tap)] >> shift) & 255u : 0u;
    };
    for (const bool columns : {false, true}) {
        for (int item = 0; item < 2 * blocks * 64; ++item) {
            const int lane = item % 32, group = lane / 4, quarter = lane % 4;
            const int shift = item / 32 % 2 ? 0 : 8;
            const int block = item / 64 % blocks, half = item / 64 / blocks;
            for (int reg = 0; reg < 4; ++reg) {
                const int m = group + 8 * (reg & 1), i = reg >> 1;
                std::uint32_t word = 0;
                for (int e = 0; e < 4; ++e) {
                    const int row = kChunk * block + 16 * i + 8 * (e >> 1) + 2 * quarter + (e & 1);
                    const int pixel =
                        kStrip * block + 8 * quarter + 4 * i + e - aligned + plan.radius;
                    const int tap = columns ? row - 16 * half - m : pixel - columnOf(half, m);
                    word |= byteAt(tap, shift) << (8 * e);
                }
                words.push_back(word);
            }
        }
    }
    return words;
}

// A lane's part of 32 rows of the intermediate: for channel c, tile t of 8 columns and rows 16 i to
// 16 i + 15 the low and the high bytes of four values, at ((c * 4 + t) * 2 + i) * 32.
template <int Channels>
constexpr int kRingStep = Channels * 4 * 2 * 32;

// Filters the 32 rows of a chunk along x into one place of the ring.
template <int Channels, int FixedBlocks>
__device__ __forceinline__ void rowPass(Chunk<Channels, FixedBlocks>& chunk, int blocks,
                                        const uint4* weights, uint2* ring) {
#pragma unroll
    for (int i = 0; i < 2; ++i) {  // two tiles of 8 rows at a time
        std::int32_t sums[2][Channels][2][2][4] = {};
#pragma unroll(FixedBlocks ? FixedBlocks : 1)
        for (int block = 0; block < (FixedBlocks ? FixedBlocks : blocks); ++block) {
            Raw<Channels> raw[2];
            chunk.take(i, block, blocks, raw);
            const Pixels<Channels> pixels[2] = {Pixels<Channels>(raw[0]), Pixels<Channels>(raw[1])};
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

// How many chunks the column pass is unrolled over, of a number that is known: on newer devices
// three leave it too few registers.
constexpr int unrolledChunks(int blocks) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ > 900
    if (blocks == 3) return 1;
#endif
    return blocks ? blocks : 1;
}

// Output rows y + group and y + group + 8 of one channel: 8 neighbouring samples each.
template <int Channels, int FixedBlocks>
__device__ __forceinline__ void columnPass(int channel, int half, int blocks, int needed,
                                           int oldest, const uint4* weights, const uint2* ring,
                                           std::uint32_t (&result)[2][2]) {
    std::int32_t sums[4][3][4] = {};  // tile; high high, mixed, low low
    int place = oldest;
#pragma unroll(unrolledChunks(FixedBlocks))
    for (int block = 0; block < (FixedBlocks ? FixedBlocks : blocks); ++block) {
        if (block >= needed) break;
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
        place = place + 1 == chunksFor(blocks) ? 0 : place + 1;
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

// Writes 8 columns of output rows `row` and `row` + 8. Alpha is that of `beside`.
template <int Channels, class Mix>
__device__ __forceinline__ void store(int width, const DeviceImage& beside, const DeviceImage& out,
                                      int row, int last, int column, const Mix& mix,
                                      const std::uint32_t (&result)[Channels][2][2]) {
#pragma unroll
    for (int r = 0; r < 2; ++r, row += 8) {
        if (row >= last || column >= width) continue;
        std::byte* target = out.data + row * out.pitch;
        const std::byte* source = beside.data + row * beside.pitch;
        if constexpr (Channels == 1) {
            uint2 kept{};
            if constexpr (Mix::kUsesBeside) kept = *reinterpret_cast<const uint2*>(source + column);
            *reinterpret_cast<uint2*>(target + column) = {mix(kept.x, result[0][r][0]),
                                                          mix(kept.y, result[0][r][1])};
        } else {
#pragma unroll
            for (int i = 0; i < 2; ++i) {
                const std::int64_t offset = std::int64_t(column + 4 * i) * 4;
                const uint4 kept = *reinterpret_cast<const uint4*>(source + offset);
                uint4 made = interleave(result[0][r][i], result[1][r][i], result[2][r][i], kept);
                if constexpr (Mix::kUsesBeside)
                    made = {mix.colours(kept.x, made.x), mix.colours(kept.y, made.y),
                            mix.colours(kept.z, made.z), mix.colours(kept.w, made.w)};
                *reinterpret_cast<uint4*>(target + offset) = made;
            }
        }
    }
}

// Blocks of a multiprocessor. On newer devices the assembler itself leaves room for as many where
// windows touch two chunks, and keeps nothing in memory then.
template <int Channels>
constexpr int kResident = Channels == 1 ? 4 : 3;
template <int Channels, int FixedBlocks>
constexpr int kAskedFor = FixedBlocks == 2
                              ? blocksByDevice({kResident<Channels>, kResident<Channels>, 0})
                              : kResident<Channels>;

// kPiece: of a single segment of rows the strips from firstBlock on.
template <int Channels, int FixedBlocks, bool kPiece, class Mix>
__global__ void __launch_bounds__(kThreads, (kAskedFor<Channels, FixedBlocks>))
    bandedKernel(DeviceImage in, DeviceImage beside, DeviceImage out, Strips strips, int radius,
                 const uint4* weightsInMemory, Mix mix) {
    extern __shared__ __align__(16) unsigned char shared[];
    const int blocks = FixedBlocks ? FixedBlocks : blocksFor(radius);
    const int chunks = chunksFor(blocks);
    auto* weights = reinterpret_cast<uint4*>(shared);
    const int warp = int(threadIdx.x / 32), lane = int(threadIdx.x % 32);
    uint2* ring = reinterpret_cast<uint2*>(shared + weightBytes(blocks)) + lane;
    const uint4* rowWeights = weights + lane;
    const uint4* columnWeights = weights + 2 * blocks * 64 + lane;

    const unsigned segment = kPiece ? 0 : strips.perRow(blockIdx.x);
    const int x = int(kPiece ? strips.firstBlock + blockIdx.x
                             : blockIdx.x - segment * strips.perRow.divisor) *
                  kStrip;
    const int first = strips.first + int(segment) * strips.segmentRows;
    const int last = min(first + strips.segmentRows, strips.last);
    const int reach = (blocks - 1) * 16;
    const bool interior = x >= reach && x + kStrip + reach <= in.size.width;
    const int column = x + 8 * (lane % 4);

    Chunk<Channels, FixedBlocks> chunk(in, x, blocks, interior);
    const int ahead = blocks - 1;  // chunks before those that the first round makes
    chunk.begin(in, first - radius + kChunk * (warp < ahead ? warp : ahead + warp), blocks);
    for (int i = int(threadIdx.x); i < int(weightBytes(blocks) / 16); i += kThreads)
        weights[i] = weightsInMemory[i];
    __syncthreads();
    for (int i = warp; i < ahead; i += kWarps) {
        rowPass<Channels, FixedBlocks>(chunk, blocks, rowWeights, ring + i * kRingStep<Channels>);
        const int next = i + kWarps < ahead ? i + kWarps : ahead + warp;
        chunk.begin(in, first - radius + kChunk * next, blocks);
    }

    int oldest = 0;  // where the first chunk of the round's first warp stands
    for (int y = first; y < last; y += kWarps * kChunk) {
        const int start = y + kChunk * warp;  // of this warp's output rows
        int place = oldest + ahead + warp;
        if (place >= chunks) place -= chunks;
        // Nobody needs what lies a window below the last output row.
        if (start - radius + kChunk * ahead < last + radius)
            rowPass<Channels, FixedBlocks>(chunk, blocks, rowWeights,
                                           ring + place * kRingStep<Channels>);
        __syncthreads();
        if (y + kWarps * kChunk < last)
            chunk.begin(in, start - radius + kChunk * (ahead + kWarps), blocks);
        place = oldest + warp;
        if (place >= chunks) place -= chunks;
        if (start < last) {
#pragma unroll
            for (int half = 0; half < 2; ++half) {
                const int needed = (16 * half + 15 + 2 * radius) / kChunk + 1;
                std::uint32_t result[Channels][2][2];
#pragma unroll
                for (int c = 0; c < Channels; ++c)
                    columnPass<Channels, FixedBlocks>(c, half, blocks, needed, place, columnWeights,
                                                      ring, result[c]);
                store<Channels>(in.size.width, beside, out, start + 16 * half + lane / 4, last,
                                column, mix, result);
            }
        }
        oldest += kWarps;
        if (oldest >= chunks) oldest -= chunks;
        __syncthreads();
    }
}

template <int Channels, int FixedBlocks, class Mix>
void runBlocks(KernelContext& context, const GaussianBlurPlan& plan, const DeviceImage& in,
               const DeviceImage& beside, const DeviceImage& out, const Mix& mix) {
    const int blocks = blocksFor(plan.radius);
    const std::size_t shared = sharedBytes(blocks, Channels);
    const auto resident = int(std::min<std::size_t>(
        kResident<Channels>, context.traits().sharedPerBlock / (shared + 1024)));
    const unsigned across = divideUp(unsigned(in.size.width), kStrip);
    const std::byte* weights = context.device().constants(
        "gaussian banded " + std::string(reinterpret_cast<const char*>(plan.taps.data()),
                                         plan.taps.size() * sizeof(plan.taps[0])),
        [&] { return bandedWeights(plan); });
    const RowsCost cost =
        gaussianBandedCost(in.size.width, Channels, in.pitch + out.pitch, plan.radius);
    const LaunchCut cut = cutRows(limitsOf(context), cost);
    constexpr int kRound = kBandedRound;
    forEachPiece(context, in.size.height, cut, cost.blocks, [&](int first, int last, int piece) {
        Strips strips;
        strips.perRow = FastDivide(across);
        strips.first = first;
        strips.last = last;
        // As many segments as fill the device once: every further one filters its halo again.
        const int rows = last - first;
        const int most =
            std::max(1, context.traits().multiprocessors * std::max(1, resident) / int(across));
        const int rounds = int(divideUp(divideUp(unsigned(rows), kRound), unsigned(most)));
        strips.segmentRows = rounds * kRound;
        const unsigned blockCount = across * divideUp(unsigned(rows), unsigned(strips.segmentRows));
        const BlockRange range(cut, piece, blockCount);
        strips.firstBlock = range.first;
        // All others have no register to spare for where a piece begins.
        const auto kernel = range.count < blockCount
                                ? bandedKernel<Channels, 0, true, Mix>
                                : bandedKernel<Channels, FixedBlocks, false, Mix>;
        launchRange(context, "gaussian banded", range, kThreads, shared, kernel, in, beside, out,
                    strips, plan.radius, reinterpret_cast<const uint4*>(weights), mix);
    });
}

template <int Channels, class Mix>
void runChannels(KernelContext& context, const GaussianBlurPlan& plan, const DeviceImage& in,
                 const DeviceImage& beside, const DeviceImage& out, const Mix& mix) {
    // Colour has too few registers left for loops that are unrolled over the blocks.
    if constexpr (Channels == 1) {
        if (blocksFor(plan.radius) == 2)
            return runBlocks<Channels, 2>(context, plan, in, beside, out, mix);
        if (blocksFor(plan.radius) == 3)
            return runBlocks<Channels, 3>(context, plan, in, beside, out, mix);
    }
    runBlocks<Channels, 0>(context, plan, in, beside, out, mix);
}

template <class Mix>
void runFormat(KernelContext& context, const GaussianBlurPlan& plan, const DeviceImage& in,
               const DeviceImage& beside, const DeviceImage& out, const Mix& mix) {
    isColor(in.format) ? runChannels<3>(context, plan, in, beside, out, mix)
                       : runChannels<1>(context, plan, in, beside, out, mix);
}

}  // namespace

bool canRunGaussianBanded(const DeviceTraits& traits, const GaussianBlurPlan& plan) {
    return traits.hasIntegerMma() && plan.radius >= 1 &&
           sharedBytes(blocksFor(plan.radius), isColor(plan.input) ? 3 : 1) <=
               traits.sharedPerBlock;
}

void loadGaussianBanded() {
    loadKernel(bandedKernel<1, 0, true, NoMix>);
    loadKernel(bandedKernel<3, 0, true, NoMix>);
    loadKernel(bandedKernel<1, 0, true, MixedBytes>);
    loadKernel(bandedKernel<3, 0, true, MixedBytes>);
}

void runGaussianBanded(KernelContext& context, const GaussianBlurPlan& plan, const DeviceImage& in,
                       const DeviceImage& beside, const DeviceImage& out, const BlurMix* mix) {
    mix ? runFormat(context, plan, in, beside, out, MixedBytes(*mix))
        : runFormat(context, plan, in, beside, out, NoMix());
}

}  // namespace warpscope::cuda
