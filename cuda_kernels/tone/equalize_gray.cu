// Equalization of gray images of 8 bits in two launches: counting hands out the counts, and each
// block of what maps the pixels makes the table from them, while its first pixels are on their way.
// 256 divisions a block take less time than what one block of the count makes for all others.
#include "cuda_kernels/runtime/early_launch.cuh"
#include "cuda_kernels/tone/equalize.cuh"

namespace warpscope::cuda {
namespace {

constexpr int kLevels = 256;
constexpr unsigned kPiece = 16;  // pixels
constexpr unsigned kBlocks = 4;  // a multiprocessor, which go on as long as there are pieces
constexpr int kInFlight = 4;     // pieces that a thread loads before it looks at one

// Once for each of the 32 banks of shared memory: word k / 4 for lane l at k / 4 * 32 + l, so that
// look-ups of a warp never meet in a bank.
constexpr unsigned kTableWords = kLevels / 4 * 32;

// Exact up to here with 32 bits: 2 * 255 C + n.
constexpr std::int64_t kMostNarrowPixels = 0xffffffffll / 511;

// t(k) as engine/operations/tone/equalize.h defines it, to `table`. For all threads of a block.
template <class Sum>
__device__ __forceinline__ void makeTable(const unsigned long long* counts, bool full, Sum pixels,
                                          std::uint8_t* table) {
    __shared__ Sum warpSums[kLevels / 32];
    __shared__ Sum darkest;
    const unsigned k = threadIdx.x, lane = k % 32, warp = k / 32;
    const bool active = k < unsigned(kLevels);
    const Sum count = active ? Sum(__ldcg(counts + k)) : 0;
    Sum cumulative = count;
#pragma unroll
    for (unsigned distance = 1; distance < 32; distance *= 2) {
        const Sum below = __shfl_up_sync(0xffffffffu, cumulative, distance);
        if (lane >= distance) cumulative += below;
    }
    if (active && lane == 31) warpSums[warp] = cumulative;
    __syncthreads();
    if (active) {
#pragma unroll
        for (unsigned w = 0; w < kLevels / 32; ++w)
            if (w < warp) cumulative += warpSums[w];
        // Exactly one level has all of what is at it or below it: the darkest one present.
        if (count != 0 && count == cumulative) darkest = count;
    }
    __syncthreads();
    if (active) {
        const Sum below = full ? darkest : 0;
        const Sum spread = pixels - below;
        const Sum above = cumulative > below ? cumulative - below : 0;
        table[k] =
            spread == 0 ? std::uint8_t(k) : std::uint8_t((2 * 255 * above + spread) / (2 * spread));
    }
    __syncthreads();
}

struct Equalizing {
    const unsigned long long* counts;
    std::uint64_t pixels;  // of the whole image
    bool full;
};

// Threads that registers are to suffice for: as many as a multiprocessor takes, at most.
#if defined(__CUDA_ARCH__) && \
    (__CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 900 || __CUDA_ARCH__ == 1000)
constexpr unsigned kResident = 2048;
#else
constexpr unsigned kResident = 1024;
#endif

template <unsigned Threads, class Sum>
__global__ void __launch_bounds__(Threads, std::min(kBlocks, kResident / Threads))
    equalizeGrayKernel(DeviceImage in, DeviceImage out, Pieces pieces, Equalizing of) {
    __shared__ std::uint32_t words[kTableWords];
    __shared__ std::uint32_t table[kLevels / 4];
    letNextLaunchBegin();
    waitForLaunchBefore();
    const std::uint32_t step = gridDim.x * Threads;
    uint4 loaded[kInFlight];
    // A launch's bytes are counted in 31 bits.
    const auto place = [&](std::uint32_t i, std::int64_t pitch) {
        const std::uint32_t row = pieces.perRow(i);
        return row * std::uint32_t(pitch) + (i - row * pieces.perRow.divisor) * kPiece;
    };
    const auto load = [&](std::uint32_t first) {
#pragma unroll
        for (int k = 0; k < kInFlight; ++k)
            if (const std::uint32_t i = first + unsigned(k) * step; i < pieces.count)
                loaded[k] = *reinterpret_cast<const uint4*>(in.data + place(i, in.pitch));
    };
    std::uint32_t first = blockIdx.x * Threads + threadIdx.x;
    load(first);
    makeTable<Sum>(of.counts, of.full, Sum(of.pixels), reinterpret_cast<std::uint8_t*>(table));
    for (unsigned i = threadIdx.x; i < kTableWords; i += Threads) words[i] = table[i / 32];
    __syncthreads();
    const auto* const lane = reinterpret_cast<const std::uint8_t*>(words + threadIdx.x % 32);
    const auto mapped = [&](std::uint32_t word) {
        std::uint32_t made = 0;
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const std::uint32_t level = byteOf(word, i);
            made |= std::uint32_t(lane[(level >> 2) * 128 + (level & 3)]) << (8 * i);
        }
        return made;
    };
    while (first < pieces.count) {
#pragma unroll
        for (int k = 0; k < kInFlight; ++k) {
            const std::uint32_t i = first + unsigned(k) * step;
            // Whatever stands in the padding of a row is mapped too; nobody looks at it.
            if (i < pieces.count)
                *reinterpret_cast<uint4*>(out.data + place(i, out.pitch)) = {
                    mapped(loaded[k].x), mapped(loaded[k].y), mapped(loaded[k].z),
                    mapped(loaded[k].w)};
        }
        first += step * kInFlight;
        load(first);
    }
}

template <unsigned Threads, class Sum>
void runWith(KernelContext& context, const DeviceImage& in, const DeviceImage& out,
             const Equalizing& of) {
    const unsigned most = unsigned(context.traits().multiprocessors) * kBlocks;
    const int bandRows =
        context.rowsPerLaunch(in.pitch + out.pitch, std::int64_t(in.size.width) * 8);
    context.forEachBand(in.size.height, bandRows, [&](int first, int last) {
        const Pieces pieces =
            Pieces::of(in.size.width, last - first, kPiece, isPacked(in) && isPacked(out));
        launchEarly(context, "equalize gray", std::min(most, divideUp(pieces.count, Threads)),
                    Threads, 0, equalizeGrayKernel<Threads, Sum>, rowsOf(in, first, last),
                    rowsOf(out, first, last), pieces, of);
    });
}

constexpr unsigned kFewThreads = 256, kManyThreads = 512;

}  // namespace

void loadEqualizeGray() {
    loadKernel(equalizeGrayKernel<kManyThreads, std::uint32_t>);
    loadKernel(equalizeGrayKernel<kManyThreads, std::uint64_t>);
}

void equalizeGray(KernelContext& context, bool full, const DeviceImage& in,
                  const DeviceImage& out) {
    unsigned long long* const totals = context.device().counting()->totals;
    countEightBit(context, in, {}, totals);
    const Equalizing of{totals, std::uint64_t(in.size.pixels()), full};
    // Small blocks where a multiprocessor has no more than one or two of them.
    if (in.size.pixels() < 1'500'000)
        runWith<kFewThreads, std::uint32_t>(context, in, out, of);
    else if (in.size.pixels() <= kMostNarrowPixels)
        runWith<kManyThreads, std::uint32_t>(context, in, out, of);
    else
        runWith<kManyThreads, std::uint64_t>(context, in, out, of);
}

}  // namespace warpscope::cuda
