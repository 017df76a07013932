// Components without the host: non-zero pixels that touch are joined to sets, each known by the
// smallest index in it, which is that of its first pixel; the first pixels of sets that are large
// enough are numbered by a prefix sum; every pixel takes the number of its set. Which pixels make a
// set does not depend on the order in which threads join them.
#include "engine/operations/morphology/connected_components.h"

#include <algorithm>

#include "cuda_kernels/edges/luma_tile.cuh"

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kWarps = kThreads / 32;
constexpr std::uint32_t kNoSet = 0xffffffffu;
// Indices that one block numbers.
constexpr unsigned kChunk = 16 * kThreads;
constexpr int kAreaRows = 16;

// Where a thread's pixel is: blocks are pieces of rows, numbered along the rows, so that a warp has
// 32 pixels that follow each other in a row.
struct PixelPlace {
    int x, y;
    bool inside;
    std::uint32_t index;

    __device__ PixelPlace(Size size, int first, int last, FastDivide piecesAcross) {
        const std::uint32_t down = piecesAcross(blockIdx.x);
        x = int((blockIdx.x - down * piecesAcross.divisor) * kThreads + threadIdx.x);
        y = first + int(down);
        inside = x < size.width && y < last;
        index = std::uint32_t(y) * std::uint32_t(size.width) + std::uint32_t(x);
    }
};

// Of the run of set bits that bit `lane` is in: its lowest one. All bits from `lane` down to it are
// set.
__device__ __forceinline__ int startOfRun(std::uint32_t bits, int lane) {
    const std::uint32_t clear = ~bits & ((1u << lane) - 1u);
    return clear ? 32 - __clz(int(clear)) : 0;
}

// A pixel begins in the set of the first pixel of its run among the 32 of its warp.
template <class T, int C>
__global__ void __launch_bounds__(kThreads)
    beginSetsKernel(DeviceImage in, int first, int last, FastDivide piecesAcross,
                    std::uint32_t* sets, std::uint32_t* areas) {
    const PixelPlace at(in.size, first, last, piecesAcross);
    const bool set =
        at.inside && lumaAt<T, C>(in.data + std::int64_t(at.y) * in.pitch, at.x) != T(0);
    const std::uint32_t bits = __ballot_sync(0xffffffffu, set);
    if (!at.inside) return;
    const int lane = int(threadIdx.x % 32), start = startOfRun(bits, lane);
    sets[at.index] = set ? at.index - std::uint32_t(lane - start) : kNoSet;
    // Where nothing begins there never is an area.
    if (set && start == lane) areas[at.index] = 0;
}

// Others may join sets meanwhile: indices only become smaller and stay in the set.
__device__ __forceinline__ std::uint32_t firstOfSet(const std::uint32_t* sets,
                                                    std::uint32_t index) {
    for (std::uint32_t next; (next = __ldcg(sets + index)) != index;) index = next;
    return index;
}

__device__ __forceinline__ void joinSets(std::uint32_t* sets, std::uint32_t a, std::uint32_t b) {
    while (true) {
        a = firstOfSet(sets, a);
        b = firstOfSet(sets, b);
        if (a == b) return;
        const std::uint32_t large = max(a, b), small = min(a, b);
        const std::uint32_t before = atomicMin(sets + large, small);
        if (before == large) return;
        // Somebody else was first: what it was joined to is joined too.
        a = before;
        b = small;
    }
}

__global__ void __launch_bounds__(kThreads)
    joinSetsKernel(Size size, int first, int last, FastDivide piecesAcross, bool corners,
                   std::uint32_t* sets) {
    const PixelPlace at(size, first, last, piecesAcross);
    if (!at.inside) return;
    const auto width = std::uint32_t(size.width);
    // Which pixels are in a set at all never changes.
    const auto isSet = [&](std::uint32_t index) { return __ldcg(sets + index) != kNoSet; };
    if (!isSet(at.index)) return;
    const bool hasLeft = at.x > 0, hasRight = at.x + 1 < size.width;
    const bool left = hasLeft && isSet(at.index - 1);
    if (left && at.x % 32 == 0) joinSets(sets, at.index, at.index - 1);
    if (at.y == 0) return;
    const std::uint32_t above = at.index - width;
    const bool aboveLeft = hasLeft && isSet(above - 1);
    // What the neighbours at the left and right join is not joined again.
    if (isSet(above)) {
        if (!(left && aboveLeft)) joinSets(sets, at.index, above);
        return;
    }
    if (!corners) return;
    if (aboveLeft && !left) joinSets(sets, at.index, above - 1);
    if (hasRight && isSet(above + 1) && !isSet(at.index + 1)) joinSets(sets, at.index, above + 1);
}

// Every pixel's set by its first pixel, and the area of each set there: added up by the first pixel
// of each run of a warp, over kAreaRows rows as long as the set stays the same, because a set that
// fills the image would have all warps wait for one address. Others may be on their way through the
// sets meanwhile; they get to the same one.
__global__ void __launch_bounds__(kThreads)
    countAreasKernel(Size size, int first, int last, FastDivide piecesAcross, std::uint32_t* sets,
                     std::uint32_t* areas) {
    const std::uint32_t down = piecesAcross(blockIdx.x);
    const int x = int((blockIdx.x - down * piecesAcross.divisor) * kThreads + threadIdx.x);
    const int lane = int(threadIdx.x % 32);
    const int begin = first + int(down) * kAreaRows, end = min(begin + kAreaRows, last);
    std::uint32_t known = kNoSet, area = 0;
    for (int y = begin; y < end; ++y) {
        const std::uint32_t index = std::uint32_t(y) * std::uint32_t(size.width) + std::uint32_t(x);
        const bool set = x < size.width && __ldcg(sets + index) != kNoSet;
        const std::uint32_t bits = __ballot_sync(0xffffffffu, set);
        const int start = set ? startOfRun(bits, lane) : lane;
        std::uint32_t root = kNoSet;
        if (set && start == lane) {
            root = firstOfSet(sets, index);
            // Bits from here on that are set: up to the first clear one.
            const std::uint32_t rest = ~(bits >> lane);
            const auto length = std::uint32_t(rest ? __ffs(int(rest)) - 1 : 32);
            if (root != known) {
                if (area) atomicAdd(areas + known, area);
                known = root;
                area = 0;
            }
            area += length;
        }
        root = __shfl_sync(0xffffffffu, root, start);
        if (set) __stcg(sets + index, root);
    }
    if (area) atomicAdd(areas + known, area);
}

// ---- numbers ----

__device__ __forceinline__ bool isFirstOfLarge(const std::uint32_t* sets,
                                               const std::uint32_t* areas, std::uint64_t index,
                                               std::uint64_t pixels, std::uint64_t minArea) {
    return index < pixels && sets[index] == std::uint32_t(index) && areas[index] >= minArea;
}

__global__ void __launch_bounds__(kThreads)
    countFirstsKernel(const std::uint32_t* sets, const std::uint32_t* areas, std::uint64_t pixels,
                      std::uint64_t minArea, int firstChunk, std::uint32_t* counts) {
    __shared__ std::uint32_t total;
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    const std::uint64_t begin = (std::uint64_t(firstChunk) + blockIdx.x) * kChunk;
    std::uint32_t own = 0;
    for (unsigned i = threadIdx.x; i < kChunk; i += kThreads)
        own += isFirstOfLarge(sets, areas, begin + i, pixels, minArea);
    if (own) atomicAdd(&total, own);
    __syncthreads();
    if (threadIdx.x == 0) counts[firstChunk + int(blockIdx.x)] = total;
}

// Sum of the values of the threads before this one; `all` becomes that of the whole block. All
// threads of the block come here.
__device__ __forceinline__ std::uint32_t sumBefore(std::uint32_t value, std::uint32_t* warpSums,
                                                   std::uint32_t& all) {
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    std::uint32_t sum = value;
#pragma unroll
    for (unsigned step = 1; step < 32; step *= 2) {
        const std::uint32_t other = __shfl_up_sync(0xffffffffu, sum, step);
        if (lane >= step) sum += other;
    }
    // What the call before read is read by now.
    __syncthreads();
    if (lane == 31) warpSums[warp] = sum;
    __syncthreads();
    std::uint32_t before = 0;
    all = 0;
#pragma unroll
    for (unsigned i = 0; i < kWarps; ++i) {
        if (i < warp) before += warpSums[i];
        all += warpSums[i];
    }
    return before + sum - value;
}

// One block: counts of chunks become sums of those before.
__global__ void __launch_bounds__(kThreads) sumCountsKernel(std::uint32_t* counts, int chunks) {
    __shared__ std::uint32_t warpSums[kWarps];
    std::uint32_t carried = 0;
    for (int begin = 0; begin < chunks; begin += int(kThreads)) {
        const int i = begin + int(threadIdx.x);
        const std::uint32_t value = i < chunks ? counts[i] : 0;
        std::uint32_t all;
        const std::uint32_t before = sumBefore(value, warpSums, all);
        if (i < chunks) counts[i] = carried + before;
        carried += all;
    }
}

// The area of a set gives way to its number.
__global__ void __launch_bounds__(kThreads)
    numberKernel(const std::uint32_t* sets, std::uint32_t* areas, std::uint64_t pixels,
                 std::uint64_t minArea, int firstChunk, const std::uint32_t* counts) {
    __shared__ std::uint32_t warpSums[kWarps];
    const int chunk = firstChunk + int(blockIdx.x);
    const std::uint64_t begin = std::uint64_t(chunk) * kChunk;
    std::uint32_t carried = counts[chunk];
    for (unsigned i = 0; i < kChunk; i += kThreads) {
        const std::uint64_t index = begin + i + threadIdx.x;
        const bool counted = isFirstOfLarge(sets, areas, index, pixels, minArea);
        std::uint32_t all;
        const std::uint32_t before = sumBefore(counted, warpSums, all);
        if (counted)
            areas[index] = carried + before + 1;
        else if (index < pixels && sets[index] == std::uint32_t(index))
            areas[index] = 0;
        carried += all;
    }
}

__global__ void __launch_bounds__(kThreads)
    paintLabelsKernel(DeviceImage out, int first, int last, FastDivide piecesAcross,
                      const std::uint32_t* sets, const std::uint32_t* labels) {
    const PixelPlace at(out.size, first, last, piecesAcross);
    if (!at.inside) return;
    const std::uint32_t set = sets[at.index];
    reinterpret_cast<std::uint32_t*>(out.data + std::int64_t(at.y) * out.pitch)[at.x] =
        set == kNoSet ? 0 : labels[set];
}

template <class T, int C>
void findLabels(KernelContext& context, const ComponentRule& rule, const DeviceImage& in,
                const DeviceImage& out) {
    const Size size = in.size;
    const auto pixels = std::uint64_t(size.pixels());
    const std::uint32_t chunks = divideUp(pixels, kChunk);
    const DeviceMemory setMemory = context.allocate(pixels * sizeof(std::uint32_t));
    const DeviceMemory areaMemory = context.allocate(pixels * sizeof(std::uint32_t));
    const DeviceMemory countMemory = context.allocate(chunks * sizeof(std::uint32_t));
    auto* sets = setMemory.as<std::uint32_t>();
    auto* areas = areaMemory.as<std::uint32_t>();
    auto* counts = countMemory.as<std::uint32_t>();

    const std::uint32_t pieces = divideUp(unsigned(size.width), kThreads);
    const FastDivide across(pieces);
    const std::int64_t rowBytes = std::int64_t(size.width) * 8;
    const auto forEachPiece = [&](std::int64_t bytesPerRow, std::int64_t workPerPixel,
                                  const auto& launchBand) {
        const int fitting =
            context.rowsPerLaunch(bytesPerRow, std::int64_t(pieces) * kThreads * workPerPixel);
        // Blocks are counted in 31 bits, which a division by their number across needs.
        const int bandRows = int(std::min<std::uint32_t>(unsigned(fitting), 0x7fffffffu / pieces));
        context.forEachBand(size.height, std::max(bandRows, 1), [&](int first, int last) {
            launchBand(first, last, pieces * unsigned(last - first));
        });
    };
    forEachPiece(in.pitch + rowBytes, 8, [&](int first, int last, unsigned blocks) {
        launch(context, "begin components", blocks, kThreads, 0, beginSetsKernel<T, C>, in, first,
               last, across, sets, areas);
    });
    // Chains of indices may be long.
    forEachPiece(4 * rowBytes, 128, [&](int first, int last, unsigned blocks) {
        launch(context, "join components", blocks, kThreads, 0, joinSetsKernel, size, first, last,
               across, rule.connectivity == 8, sets);
    });
    forEachPiece(4 * rowBytes, 128, [&](int first, int last, unsigned blocks) {
        const unsigned strips =
            blocks / unsigned(last - first) * divideUp(unsigned(last - first), kAreaRows);
        launch(context, "areas of components", strips, kThreads, 0, countAreasKernel, size, first,
               last, across, sets, areas);
    });
    const int bandChunks = context.rowsPerLaunch(std::int64_t(kChunk) * 12, kChunk * 16);
    context.forEachBand(int(chunks), bandChunks, [&](int first, int last) {
        launch(context, "count components", unsigned(last - first), kThreads, 0, countFirstsKernel,
               sets, areas, pixels, rule.minArea, first, counts);
    });
    launch(context, "sum of components", 1, kThreads, 0, sumCountsKernel, counts, int(chunks));
    context.forEachBand(int(chunks), bandChunks, [&](int first, int last) {
        launch(context, "number components", unsigned(last - first), kThreads, 0, numberKernel,
               sets, areas, pixels, rule.minArea, first, counts);
    });
    forEachPiece(4 * rowBytes, 16, [&](int first, int last, unsigned blocks) {
        launch(context, "labels of components", blocks, kThreads, 0, paintLabelsKernel, out, first,
               last, across, sets, areas);
    });
}

void run(KernelContext& context, const Plan& given, const DeviceImage& in, const DeviceImage& out) {
    const ComponentRule& rule = static_cast<const ConnectedComponentsPlan&>(given).rule;
    if (isFloat(in.format)) {
        isColor(in.format) ? findLabels<float, 4>(context, rule, in, out)
                           : findLabels<float, 1>(context, rule, in, out);
        return;
    }
    forSamples(in.format, [&]<class T, int C>() { findLabels<T, C>(context, rule, in, out); });
}

// Indices have 32 bits; the last one stands for no set.
Result<void> supports(const Plan& plan) {
    if (plan.size.pixels() < std::int64_t(kNoSet)) return {};
    return fail(ErrorCode::Unsupported,
                "the GPU code of connected_components takes images of fewer than 4,294,967,295 "
                "pixels");
}

// All kernels are the same whatever the parameters are.
std::vector<ParamSet> warmUps() {
    return std::vector<ParamSet>(1);
}

}  // namespace

WARPSCOPE_CUDA_RUNNER(connected_components, .run = run, .supports = supports, .warmUps = warmUps);

}  // namespace warpscope::cuda
