// Equalization of images of a few megapixels of 8 bits in one launch of a block on each
// multiprocessor.
//
// A block counts its pieces of the image and keeps them in shared memory, adds its counts to global
// counters, waits until these are complete, makes the table and applies it to what it has kept: a
// byte is read once and written once.
//
// Nobody counts arrivals: the counts are complete when they add up to the pixels of the image.
#include "cuda_kernels/tone/equalize_resident.cuh"

#include "cuda_kernels/runtime/resident_launch.cuh"
#include "cuda_kernels/tone/equalize_resident_choice.h"

namespace warpscope::cuda {
namespace {

constexpr int kLevels = CountingScratch::kBins;
constexpr unsigned kThreads = kResidentThreads;
constexpr unsigned kCopies = 32;       // of a bin or a level of gray: a bank for each lane
constexpr unsigned kCopiesColor = 16;  // of two words a level
static_assert(kResidentCells == kLevels * kCopies * 4);
static_assert(kResidentCells == kLevels * kCopiesColor * 8);

__device__ __forceinline__ void copyPiece(uint4* to, const std::byte* from) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile(
        "cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(unsigned(__cvta_generic_to_shared(to))),
        "l"(from)
        : "memory");
#else
    *to = *reinterpret_cast<const uint4*>(from);
#endif
}
__device__ __forceinline__ void endGroup() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
// All groups but the last `Rest` are there.
template <int Rest>
__device__ __forceinline__ void waitForGroups() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(Rest) : "memory");
#endif
}

// The pieces of a thread, numbered from 0, and where they lie.
struct Slice {
    const DeviceImage& in;
    const DeviceImage& out;
    const Pieces& pieces;

    __device__ std::uint32_t number(unsigned k) const {
        return (k * gridDim.x + blockIdx.x) * kThreads + threadIdx.x;
    }
    __device__ bool has(unsigned k) const { return number(k) < pieces.count; }
    __device__ const std::byte* source(unsigned k) const { return in.data + at(k, in.pitch); }
    __device__ void store(unsigned k, const uint4& piece) const {
        if (has(k)) *reinterpret_cast<uint4*>(out.data + at(k, out.pitch)) = piece;
    }
    // Whatever stands in the padding of a row is mapped, but not counted.
    __device__ unsigned validPixels(unsigned k, unsigned all) const {
        const std::uint32_t i = number(k);
        if (i >= pieces.count) return 0;
        const std::uint32_t column = i - pieces.perRow(i) * pieces.perRow.divisor;
        return column + 1 == pieces.perRow.divisor ? pieces.lastPixels : all;
    }
    __device__ void prefetch(unsigned k) const {
        if (threadIdx.x % 8 == 0 && has(k))
            asm volatile("prefetch.global.L2 [%0];" ::"l"(source(k)));
    }

  private:
    __device__ std::int64_t at(unsigned k, std::int64_t pitch) const {
        const std::uint32_t i = number(k), row = pieces.perRow(i);
        return row * pitch + std::int64_t(i - row * pieces.perRow.divisor) * 16;
    }
};

// How pixels are counted and mapped. `cells`: kResidentCells of shared memory.
template <bool Color>
struct Levels;

template <>
struct Levels<false> {
    std::uint32_t* lane;

    __device__ explicit Levels(uint4* cells)
        : lane(reinterpret_cast<std::uint32_t*>(cells) + threadIdx.x % kCopies) {}
    static constexpr int kPixelsOfWord = 4;
    __device__ void countPixel(std::uint32_t word, int i) const {
        atomicAdd(lane + byteOf(word, i) * kCopies, 1u);
    }
    // A quarter of the copies of a level.
    static __device__ void setLevel(uint4* cells, unsigned level, unsigned quarter,
                                    std::uint32_t value, std::uint32_t) {
        cells[8 * level + 2 * quarter] = {value, value, value, value};
        cells[8 * level + 2 * quarter + 1] = {value, value, value, value};
    }
    static __device__ std::uint32_t factor(unsigned) { return 0; }
    __device__ std::uint32_t mapped(std::uint32_t word) const {
        std::uint32_t made = 0;
#pragma unroll
        for (int i = 0; i < 4; ++i) made |= lane[byteOf(word, i) * kCopies] << (8 * i);
        return made;
    }
};

// As LumaBody of equalize.cu.
template <>
struct Levels<true> {
    std::uint32_t* lane;
    const uint2* entries;  // {2 t, f} of level k at k * kCopiesColor

    __device__ explicit Levels(uint4* cells)
        : lane(reinterpret_cast<std::uint32_t*>(cells) + threadIdx.x % kCopies),
          entries(reinterpret_cast<const uint2*>(cells) + threadIdx.x % kCopiesColor) {}
    static __device__ std::uint32_t lumaOf(std::uint32_t word) {
        return luma(byteOf(word, 0), byteOf(word, 1), byteOf(word, 2));
    }
    static constexpr int kPixelsOfWord = 1;
    __device__ void countPixel(std::uint32_t word, int) const {
        atomicAdd(lane + lumaOf(word) * kCopies, 1u);
    }
    static __device__ void setLevel(uint4* cells, unsigned level, unsigned quarter,
                                    std::uint32_t value, std::uint32_t factor) {
        cells[8 * level + 2 * quarter] = {2 * value, factor, 2 * value, factor};
        cells[8 * level + 2 * quarter + 1] = {2 * value, factor, 2 * value, factor};
    }
    static __device__ std::uint32_t factor(unsigned y) { return y ? 0xffffffffu / (2 * y) + 1 : 0; }
    __device__ std::uint32_t mapped(std::uint32_t word) const {
        const std::uint32_t y = lumaOf(word);
        const uint2 entry = entries[y * kCopiesColor];
        const auto scaled = [&](int i) {
            return min(255u, __umulhi(byteOf(word, i) * entry.x + y, entry.y));
        };
        const std::uint32_t made =
            scaled(0) | scaled(1) << 8 | scaled(2) << 16 | (word & 0xff000000u);
        return y ? made : word;
    }
};

// The first `valid` pixels of a piece.
template <class L>
__device__ __forceinline__ void countPiece(const L& levels, const uint4& piece, unsigned valid) {
    constexpr int kEach = L::kPixelsOfWord;
    const std::uint32_t words[4] = {piece.x, piece.y, piece.z, piece.w};
    if (valid == 4 * kEach) {
#pragma unroll
        for (int i = 0; i < 4 * kEach; ++i) levels.countPixel(words[i / kEach], i % kEach);
        return;
    }
#pragma unroll
    for (int w = 0; w < 4; ++w)
        for (int i = 0; i < kEach; ++i)
            if (unsigned(w * kEach + i) < valid) levels.countPixel(words[w], i);
}
template <class L>
__device__ __forceinline__ uint4 mapPiece(const L& levels, const uint4& piece) {
    return {levels.mapped(piece.x), levels.mapped(piece.y), levels.mapped(piece.z),
            levels.mapped(piece.w)};
}

// floor((2 * 255 * above + spread) / (2 * spread)) for above <= spread, 0 < spread < 2^32. The
// estimate is at most 1 off.
__device__ __forceinline__ std::uint32_t roundedShare(std::uint32_t above, std::uint32_t spread) {
    auto share = int(__fdividef(255.0f * float(above), float(spread)) + 0.5f);
    const std::int64_t rest = 510ll * above + spread - 2ll * spread * share;
    if (rest < 0)
        --share;
    else if (rest >= 2ll * spread)
        ++share;
    return std::uint32_t(share);
}

__device__ __forceinline__ uint4 loadCounters(const uint4* at) {
    uint4 four;
    asm volatile("ld.relaxed.gpu.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(four.x), "=r"(four.y), "=r"(four.z), "=r"(four.w)
                 : "l"(at)
                 : "memory");
    return four;
}

// Waits until the counters add up to `pixels`, in the first warp: sums up to each level and the
// count of the darkest level present.
__device__ __forceinline__ void awaitCounts(const std::uint32_t* counters, std::uint32_t pixels,
                                            std::uint32_t (&upTo)[kLevels],
                                            std::uint32_t& darkest) {
    const unsigned lane = threadIdx.x;
    const auto* mine = reinterpret_cast<const uint4*>(counters) + 2 * lane;
    std::uint32_t counts[8], sum, before, all;
    do {
        const uint4 low = loadCounters(mine), high = loadCounters(mine + 1);
        counts[0] = low.x, counts[1] = low.y, counts[2] = low.z, counts[3] = low.w;
        counts[4] = high.x, counts[5] = high.y, counts[6] = high.z, counts[7] = high.w;
        sum = 0;
#pragma unroll
        for (int i = 0; i < 8; ++i) sum += counts[i];
        std::uint32_t inclusive = sum;
#pragma unroll
        for (unsigned distance = 1; distance < 32; distance *= 2) {
            const std::uint32_t below = __shfl_up_sync(0xffffffffu, inclusive, distance);
            if (lane >= distance) inclusive += below;
        }
        before = inclusive - sum;
        all = __shfl_sync(0xffffffffu, inclusive, 31);
    } while (all < pixels);
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        before += counts[i];
        upTo[8 * lane + unsigned(i)] = before;
        if (counts[i] != 0 && counts[i] == before) darkest = before;
    }
}

// Room for the next launch's blocks where a multiprocessor has 2,048 threads.
#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ == 900 || __CUDA_ARCH__ == 1000)
constexpr int kBlocks = 2;
#else
constexpr int kBlocks = 1;
#endif

// `each`: pieces of a thread.
template <bool Color>
__global__ void __launch_bounds__(kThreads, kBlocks)
    residentKernel(DeviceImage in, DeviceImage out, Pieces pieces, unsigned each,
                   CountingScratch* scratch, std::uint32_t pixels, bool full) {
    extern __shared__ uint4 cells[];
    __shared__ std::uint32_t upTo[kLevels];
    __shared__ std::uint32_t darkest;
    constexpr unsigned kPixels = 4 * Levels<Color>::kPixelsOfWord;
    uint4* const slots = cells + kResidentCells / 16 + threadIdx.x;
    auto* const counters = reinterpret_cast<std::uint32_t*>(scratch->counters);
    const Slice slice{in, out, pieces};

    // Before the launch before is over the image is only fetched into the cache that is everyone's,
    // through which whoever still writes to it does so as well.
    letNextLaunchBegin();
    for (unsigned k = 0; k < each; ++k) slice.prefetch(k);
#pragma unroll
    for (unsigned i = 0; i < kResidentCells / 16; i += kThreads) cells[i + threadIdx.x] = {};
    const Levels<Color> levels(cells);
    waitForLaunchBefore();

#pragma unroll
    for (unsigned k = 0; k < kResidentPieces; ++k) {
        if (k < each && slice.has(k)) copyPiece(slots + k * kThreads, slice.source(k));
        endGroup();
    }
    __syncthreads();
    const auto count = [&](unsigned k) {
        if (k < each) countPiece(levels, slots[k * kThreads], slice.validPixels(k, kPixels));
    };
    static_assert(kResidentPieces == 4);
    waitForGroups<3>();
    count(0);
    waitForGroups<2>();
    count(1);
    waitForGroups<1>();
    count(2);
    waitForGroups<0>();
    count(3);
    __syncthreads();

    // Four threads a level.
    const unsigned level = threadIdx.x / 4, quarter = threadIdx.x % 4;
    static_assert(kThreads == 4 * kLevels);
    const uint4 low = cells[8 * level + 2 * quarter], high = cells[8 * level + 2 * quarter + 1];
    std::uint32_t sum = low.x + low.y + low.z + low.w + high.x + high.y + high.z + high.w;
    sum += __shfl_xor_sync(0xffffffffu, sum, 1);
    sum += __shfl_xor_sync(0xffffffffu, sum, 2);
    if (quarter == 0 && sum != 0) atomicAdd(counters + level, sum);
    const std::uint32_t factor = Levels<Color>::factor(level);
    std::uint32_t arrived = 0;
    if (threadIdx.x < 32) {
        awaitCounts(counters, pixels, upTo, darkest);
        // All lanes have seen all counts.
        if (threadIdx.x == 0) arrived = atomicAdd(&scratch->ticket, 1u);
    }
    __syncthreads();
    const std::uint32_t below = full ? darkest : 0, spread = pixels - below;
    const std::uint32_t above = upTo[level] > below ? upTo[level] - below : 0;
    Levels<Color>::setLevel(cells, level, quarter, spread ? roundedShare(above, spread) : level,
                            factor);
    __syncthreads();
#pragma unroll 2
    for (unsigned k = 0; k < each; ++k) slice.store(k, mapPiece(levels, slots[k * kThreads]));

    // The block that was the last to see the counts leaves nothing behind: nobody looks at them any
    // more, and the next launch waits for the end of this one.
    if (threadIdx.x >= 32) return;
    if (__shfl_sync(0xffffffffu, arrived, 0) != gridDim.x - 1) return;
    for (unsigned i = threadIdx.x; i < unsigned(kLevels); i += 32) counters[i] = 0;
    if (threadIdx.x == 0) scratch->ticket = 0;
}

template <bool Color>
bool run(KernelContext& context, const DeviceImage& in, const DeviceImage& out, bool full) {
    auto* const kernel = residentKernel<Color>;
    // Without that a launch of its kind is slower than two.
    if (!waitsForLaunchBefore(context, kernel)) return false;
    const Pieces pieces =
        Pieces::of(in.size.width, in.size.height, 4 * Levels<Color>::kPixelsOfWord,
                   isPacked(in) && isPacked(out));
    const ResidentShape shape = residentShape(pieces.count, context.traits().multiprocessors,
                                              context.traits().sharedPerBlock);
    if (shape.blocks == 0) return false;
    if (residentBlocks(context, kernel, kThreads, shape.sharedBytes()) < shape.blocks) return false;
    DeviceContext& device = context.device();
    CountingScratch* scratch = device.counting();
    context.checkStop();
    device.cleanCounting(context.stream());
    device.countingDirty = true;
    launchResident(context, Color ? "equalize luma" : "equalize", shape.blocks, kThreads,
                   shape.sharedBytes(), kernel, in, out, pieces, shape.pieces, scratch,
                   std::uint32_t(in.size.pixels()), full);
    device.countingDirty = false;
    return true;
}

}  // namespace

bool equalizeResident(KernelContext& context, bool full, const DeviceImage& in,
                      const DeviceImage& out) {
    if (!prefersResident(in.size.pixels(), context.traits().multiprocessors)) return false;
    // Launches of a part of the image: those of a test.
    if (context.rowsPerLaunch(in.pitch + out.pitch, std::int64_t(in.size.width) * 8) <
        in.size.height)
        return false;
    return isColor(in.format) ? run<true>(context, in, out, full)
                              : run<false>(context, in, out, full);
}

void loadResidentEqualizing() {
    loadKernel(residentKernel<false>);
    loadKernel(residentKernel<true>);
}

}  // namespace warpscope::cuda
