// Components without the host: non-zero pixels become bits, runs of them are joined to sets
// (run_sets.cuh), the roots of sets that are large enough are numbered in the order of their first
// pixels, every pixel takes the number of its set. Areas and numbers look at the roots within tiles
// alone: a set that fills the image has one a tile.
#include "engine/operations/morphology/connected_components.h"

#include <algorithm>

#include "cuda_kernels/edges/luma_tile.cuh"
#include "cuda_kernels/morphology/run_sets.cuh"

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kWarps = kThreads / 32;
constexpr int kRows = 32;
// A word a thread.
constexpr unsigned kTileWords = kRows * kSetTileWords;
constexpr unsigned kTileWarps = kTileWords / 32;
// Words that a block numbers.
constexpr unsigned kChunk = kThreads;

// What there is beside the sets.
struct RootMemory {
    std::uint32_t* roots;  // words: a bit for the first bit of each run that is a root of its tile
    std::uint32_t* areas;  // of nodes, where a smallest area is asked for
    std::uint32_t* numbers;  // of nodes: within the chunk, from 1 on; 0: too small
    std::uint32_t* counts;   // of chunks; in the end, of those before
    std::uint32_t* done;     // blocks
};

// ---- tiles ----

// Bits of a group of pixels in a row that is inside; what is beyond its end may be anything.
template <class T, int C>
__device__ __forceinline__ std::uint32_t nonZeroBits(const std::byte* row, int x) {
    constexpr int kBytes = kGroup * C * int(sizeof(T));
    std::uint32_t words[kBytes / 4];
    loadWords<kBytes>(row + std::int64_t(x) * (C * int(sizeof(T))), words);
    std::uint32_t bits = 0;
#pragma unroll
    for (int k = 0; k < kGroup; ++k) {
        bool set;
        if constexpr (std::is_floating_point_v<T>) {
            if constexpr (C == 1)
                set = __uint_as_float(words[k]) != 0.0f;
            else
                set = luma(__uint_as_float(words[4 * k]), __uint_as_float(words[4 * k + 1]),
                           __uint_as_float(words[4 * k + 2])) != 0.0f;
        } else if constexpr (C == 1) {
            set = sampleOf<T>(words, k) != 0;
        } else {
            set = luma(sampleOf<T>(words, 4 * k), sampleOf<T>(words, 4 * k + 1),
                       sampleOf<T>(words, 4 * k + 2)) != 0;
        }
        bits |= std::uint32_t(set) << k;
    }
    return bits;
}

template <class T, int C>
__device__ __forceinline__ void loadTileWords(const DeviceImage& in, int left, int top,
                                              std::uint32_t* words) {
    // Rows on their way at once.
    constexpr int kAtOnce = C * int(sizeof(T)) <= 4 ? 8 : 2;
    const int warp = int(threadIdx.x / 32), lane = int(threadIdx.x % 32);
    const int x = left + lane * kGroup;
    const int beyond = x + kGroup - in.size.width;
    const std::uint32_t inside = beyond <= 0 ? 15u : beyond < kGroup ? 15u >> beyond : 0u;
    for (int begin = warp; begin < kRows; begin += kAtOnce * int(kTileWarps)) {
        std::uint32_t bits[kAtOnce];
#pragma unroll
        for (int i = 0; i < kAtOnce; ++i) {
            const int y = top + begin + i * int(kTileWarps);
            bits[i] = inside && y < in.size.height
                          ? nonZeroBits<T, C>(in.data + std::int64_t(y) * in.pitch, x) & inside
                          : 0u;
        }
#pragma unroll
        for (int i = 0; i < kAtOnce; ++i) {
            std::uint32_t word = bits[i] << (kGroup * (lane % 8));
#pragma unroll
            for (int step = 1; step < 8; step *= 2)
                word |= __shfl_xor_sync(0xffffffffu, word, step);
            if (lane % 8 == 0)
                words[(begin + i * int(kTileWarps)) * kSetTileWords + lane / 8] = word;
        }
    }
}

// Rows of tiles from firstTileRow on.
template <class T, int C, bool kAreas>
__global__ void __launch_bounds__(kTileWords)
    beginSetsKernel(DeviceImage in, int firstTileRow, FastDivide tilesAcross, bool corners,
                    RunSets sets, RootMemory memory) {
    __shared__ std::uint32_t words[kTileWords];
    __shared__ std::uint32_t parents[kTileWords * kNodesPerWord];
    __shared__ std::uint32_t areas[kAreas ? kTileWords * kNodesPerWord : 1];
    const std::uint32_t down = tilesAcross(blockIdx.x);
    const int across = int(blockIdx.x - down * tilesAcross.divisor);
    const TileWord at(sets, across * kSetTileWords, (firstTileRow + int(down)) * kRows);
    if (firstTileRow == 0 && blockIdx.x == 0 && threadIdx.x == 0) *memory.done = 0;
    if constexpr (kAreas)
        for (unsigned i = threadIdx.x; i < kTileWords * kNodesPerWord; i += kTileWords)
            areas[i] = 0;
    loadTileWords<T, C>(in, at.tileLeft * 32, at.tileTop, words);
    __syncthreads();
    joinTile(words, parents, corners);
    const std::uint32_t word = words[threadIdx.x], node = threadIdx.x * kNodesPerWord;
    const std::uint32_t index = at.index(sets);
    std::uint32_t roots = 0;
    for (std::uint32_t firsts = firstsOfRuns(word); firsts; firsts &= firsts - 1) {
        const int bit = __ffs(int(firsts)) - 1;
        const std::uint32_t own = std::uint32_t(bit) / 2;
        const std::uint32_t root = rootAtRest(parents, node + own);
        if (root == node + own) roots |= 1u << bit;
        if constexpr (kAreas) atomicAdd(areas + root, std::uint32_t(__popc(restOfRun(word, bit))));
        sets.parents[index * kNodesPerWord + own] = at.inImage(sets, root);
    }
    if (at.inside) {
        sets.words[index] = word;
        memory.roots[index] = roots;
    }
    if constexpr (kAreas) {
        __syncthreads();
        for (; roots; roots &= roots - 1) {
            const auto own = std::uint32_t(__ffs(int(roots)) - 1) / 2;
            memory.areas[index * kNodesPerWord + own] = areas[node + own];
        }
    }
}

// ---- areas and numbers ----

// Calls visit(node) for the roots within tiles that a word has.
template <class Visit>
__device__ __forceinline__ void forEachRoot(std::uint32_t roots, std::uint32_t wordIndex,
                                            const Visit& visit) {
    for (; roots; roots &= roots - 1)
        visit(wordIndex * kNodesPerWord + std::uint32_t(__ffs(int(roots)) - 1) / 2);
}

// The area of a tile's part of a set goes to the root of the set.
__global__ void __launch_bounds__(kThreads)
    addAreasKernel(RunSets sets, RootMemory memory, std::uint32_t words, int firstChunk) {
    const std::uint32_t index = (unsigned(firstChunk) + blockIdx.x) * kChunk + threadIdx.x;
    if (index >= words) return;
    forEachRoot(memory.roots[index], index, [&](std::uint32_t node) {
        const std::uint32_t root = rootOf(GlobalParents{sets.parents}, node);
        if (root != node) atomicAdd(memory.areas + root, memory.areas[node]);
    });
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

// Roots within tiles get the root of their set as parent, and that a number within its chunk. The
// block that is done last makes of the counts of chunks those of all before.
__global__ void __launch_bounds__(kThreads)
    numberKernel(RunSets sets, RootMemory memory, std::uint32_t words, std::uint64_t minArea,
                 int firstChunk, std::uint32_t chunks) {
    __shared__ std::uint32_t warpSums[kWarps];
    __shared__ bool last;
    const std::uint32_t chunk = unsigned(firstChunk) + blockIdx.x;
    const std::uint32_t index = chunk * kChunk + threadIdx.x;
    const std::uint32_t roots = index < words ? memory.roots[index] : 0;
    const auto counts = [&](std::uint32_t node) {
        return minArea <= 1 || memory.areas[node] >= minArea;
    };
    std::uint32_t own = 0;
    forEachRoot(roots, index, [&](std::uint32_t node) {
        // Bringing others nearer could put back what another thread has just written as the last
        // word on its own node.
        const std::uint32_t root = rootAtRest(sets.parents, node);
        if (root != node)
            sets.parents[node] = root;
        else if (counts(node))
            ++own;
    });
    std::uint32_t all;
    std::uint32_t number = sumBefore(own, warpSums, all);
    forEachRoot(roots, index, [&](std::uint32_t node) {
        if (sets.parents[node] == node) memory.numbers[node] = counts(node) ? ++number : 0;
    });
    if (threadIdx.x == 0) {
        memory.counts[chunk] = all;
        __threadfence();
        last = atomicAdd(memory.done, 1u) + 1 == chunks;
    }
    __syncthreads();
    if (!last) return;
    __threadfence();
    constexpr unsigned kEach = 4;
    std::uint32_t carried = 0;
    for (std::uint32_t begin = 0; begin < chunks; begin += kThreads * kEach) {
        const std::uint32_t first = begin + threadIdx.x * kEach;
        std::uint32_t values[kEach], sum = 0;
#pragma unroll
        for (unsigned i = 0; i < kEach; ++i) {
            values[i] = first + i < chunks ? __ldcg(memory.counts + first + i) : 0;
            sum += values[i];
        }
        std::uint32_t before = carried + sumBefore(sum, warpSums, all);
#pragma unroll
        for (unsigned i = 0; i < kEach; ++i) {
            if (first + i < chunks) memory.counts[first + i] = before;
            before += values[i];
        }
        carried += all;
    }
}

// A group of pixels a thread, rows [first, last). What is beyond a row goes into its padding.
__global__ void __launch_bounds__(kThreads)
    paintLabelsKernel(DeviceImage out, int first, int last, FastDivide groupsAcross, RunSets sets,
                      const std::uint32_t* numbers, const std::uint32_t* counts) {
    const std::uint32_t group = blockIdx.x * kThreads + threadIdx.x;
    const std::uint32_t down = groupsAcross(group);
    const int y = first + int(down);
    if (y >= last) return;
    const std::uint32_t across = group - down * groupsAcross.divisor;
    const std::uint32_t index = std::uint32_t(y) * std::uint32_t(sets.perRow) + across / 8;
    const std::uint32_t word = sets.words[index];
    const int shift = kGroup * int(across % 8);
    std::uint32_t made[kGroup] = {};
    for (std::uint32_t rest = word & 15u << shift; rest;) {
        const int bit = __ffs(int(rest)) - 1;
        const std::uint32_t run = restOfRun(word, bit);
        const std::uint32_t root = sets.parents[sets.parents[nodeAt(index, word, bit)]];
        const std::uint32_t number = numbers[root];
        const std::uint32_t label = number ? counts[root / (kNodesPerWord * kChunk)] + number : 0;
#pragma unroll
        for (int k = 0; k < kGroup; ++k)
            if (run >> (shift + k) & 1u) made[k] = label;
        rest &= ~run;
    }
    storeWords<16>(out.data + std::int64_t(y) * out.pitch + std::int64_t(across) * 16, made);
}

template <class T, int C>
void findLabels(KernelContext& context, const ComponentRule& rule, const DeviceImage& in,
                const DeviceImage& out) {
    const RunSetsMemory<kRows> memory(context, in.size);
    const RunSets sets = memory.sets;
    const auto words = std::uint32_t(memory.words);
    const std::uint32_t chunks = divideUp(words, kChunk);
    const bool small = rule.minArea > 1, corners = rule.connectivity == 8;
    const std::size_t nodeBytes = memory.words * kNodesPerWord * sizeof(std::uint32_t);
    const DeviceMemory rootMemory = context.allocate(memory.words * sizeof(std::uint32_t));
    const DeviceMemory areaMemory = small ? context.allocate(nodeBytes) : DeviceMemory();
    const DeviceMemory numberMemory = context.allocate(nodeBytes);
    const DeviceMemory countMemory =
        context.allocate((std::size_t(chunks) + 1) * sizeof(std::uint32_t));
    auto* counts = countMemory.as<std::uint32_t>();
    const RootMemory roots{rootMemory.as<std::uint32_t>(),
                           small ? areaMemory.as<std::uint32_t>() : nullptr,
                           numberMemory.as<std::uint32_t>(), counts, counts + chunks};

    const FastDivide tilesAcross(memory.tilesAcross);
    memory.forEachTileRow(
        context, in.pitch + std::int64_t(in.size.width) * 4, 32, memory.tilesAcross,
        [&](int first, int last) {
            launch(context, "begin components", memory.tilesAcross * unsigned(last - first),
                   kTileWords, 0,
                   small ? beginSetsKernel<T, C, true> : beginSetsKernel<T, C, false>, in, first,
                   tilesAcross, corners, sets, roots);
        });
    memory.joinTiles(context, "join components", corners);
    const int bandChunks = context.rowsPerLaunch(std::int64_t(kChunk) * 128, kChunk * 256);
    if (small) {
        context.forEachBand(int(chunks), bandChunks, [&](int first, int last) {
            launch(context, "areas of components", unsigned(last - first), kThreads, 0,
                   addAreasKernel, sets, roots, words, first);
        });
    }
    context.forEachBand(int(chunks), bandChunks, [&](int first, int last) {
        launch(context, "number components", unsigned(last - first), kThreads, 0, numberKernel,
               sets, roots, words, rule.minArea, first, chunks);
    });
    const std::uint32_t groups = divideUp(unsigned(in.size.width), kGroup);
    const int bandRows = std::min(context.rowsPerLaunch(out.pitch + std::int64_t(in.size.width) * 8,
                                                        std::int64_t(groups) * kGroup * 16),
                                  int(0x7fffffffu / groups));
    context.forEachBand(in.size.height, bandRows, [&](int first, int last) {
        launch(context, "labels of components",
               divideUp(std::uint64_t(groups) * unsigned(last - first), kThreads), kThreads, 0,
               paintLabelsKernel, out, first, last, FastDivide(groups), sets, roots.numbers,
               counts);
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

// Nodes, of which there are half as many as pixels in rows filled up to 32, and areas have 32 bits.
Result<void> supports(const Plan& plan) {
    if (plan.size.pixels() <= std::int64_t(0xffffffffu)) return {};
    return fail(ErrorCode::Unsupported,
                "the GPU code of connected_components takes images of up to 4,294,967,295 pixels");
}

// With and without a smallest area.
std::vector<ParamSet> warmUps() {
    std::vector<ParamSet> sets(2);
    sets[1].set("min_area", 2);
    return sets;
}

}  // namespace

WARPSCOPE_CUDA_RUNNER(connected_components, .run = run, .supports = supports, .warmUps = warmUps);

}  // namespace warpscope::cuda
