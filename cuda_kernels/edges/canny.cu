// Canny's edges without the host: candidates with their strength into the output; candidates that
// touch are joined to sets, each known by the smallest index in it; sets with a strong pixel are
// marked at that index; what belongs to no marked set becomes black. Which pixels make a set does
// not depend on the order in which threads join them.
#include "engine/operations/edges/canny.h"

#include <algorithm>
#include <type_traits>

#include "cuda_kernels/edges/luma_tile.cuh"

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = 256;

template <class T>
constexpr std::uint32_t kWhiteOf = (1u << (8 * int(sizeof(T)))) - 1;

// ---- candidates ----

// 16 bits: products of 33 bits.
template <class T>
using Product = std::conditional_t<sizeof(T) == 1, int, long long>;

struct Differences {
    int x, y;
};

template <class T>
__device__ __forceinline__ Differences sobelAt(const T* centre) {
    const T *above = centre - kTilePitch, *below = centre + kTilePitch;
    const int a0 = above[-1], a1 = above[0], a2 = above[1], h0 = centre[-1], h2 = centre[1],
              b0 = below[-1], b1 = below[0], b2 = below[1];
    return {a2 - a0 + 2 * (h2 - h0) + b2 - b0, b0 - a0 + 2 * (b1 - a1) + b2 - a2};
}

constexpr int kMagnitudePitch = kTileColumns + 2;

// Whether the magnitude in the middle is a maximum across the edge.
template <class T>
__device__ __forceinline__ bool isLargest(const int* middle, const Differences& g) {
    const int m = middle[0];
    const auto x = Product<T>(abs(g.x));
    const Product<T> y = Product<T>(abs(g.y)) << 15;
    const Product<T> tangent = x * kTangent22;
    if (y < tangent) return m > middle[-1] && m >= middle[1];
    if (y > tangent + (x << 16))
        return m > middle[-kMagnitudePitch] && m >= middle[kMagnitudePitch];
    const int side = (g.x ^ g.y) < 0 ? -1 : 1;
    return m > middle[-kMagnitudePitch - side] && m > middle[kMagnitudePitch + side];
}

// Rows [first, last): 0, kWeakEdge or white into `out`; each candidate begins as a set of its own.
template <class T, int C>
__global__ void __launch_bounds__(kTileThreads)
    candidatesKernel(DeviceImage in, DeviceImage out, int first, int last, FastDivide tilesAcross,
                     int low, int high, std::uint32_t* sets) {
    __shared__ alignas(16) T tile[(kTileRows + 4) * kTilePitch];
    __shared__ int magnitudes[(kTileRows + 2) * kMagnitudePitch];
    const TilePlace place(tilesAcross, first);
    loadLumaTile<T, C>(in, place.left, place.top - 2, kTileRows + 4, tile);
    __syncthreads();
    const int width = in.size.width, height = in.size.height;
    for (int i = int(threadIdx.x); i < (kTileRows + 2) * kMagnitudePitch; i += kTileThreads) {
        const int row = i / kMagnitudePitch, column = i - row * kMagnitudePitch;
        const int x = place.left - 1 + column, y = place.top - 1 + row;
        int magnitude = 0;
        if (x >= 0 && x < width && y >= 0 && y < height) {
            const Differences g = sobelAt(tile + (row + 1) * kTilePitch + kGroup - 1 + column);
            magnitude = abs(g.x) + abs(g.y);
        }
        magnitudes[i] = magnitude;
    }
    __syncthreads();
    const int column = int(threadIdx.x % kTileGroups) * kGroup;
    const int x = place.left + column;
    if (x >= width) return;
    for (int r = int(threadIdx.x / kTileGroups); r < kTileRows; r += kTileThreads / kTileGroups) {
        const int y = place.top + r;
        if (y >= last) return;
        std::uint32_t made[kGroup];
#pragma unroll
        for (int k = 0; k < kGroup; ++k) {
            made[k] = 0;
            const int* middle = magnitudes + (r + 1) * kMagnitudePitch + 1 + column + k;
            // Beyond the row, where the padding is written too, nothing is a candidate.
            if (x + k >= width || middle[0] <= low) continue;
            const Differences g = sobelAt(tile + (r + 2) * kTilePitch + kGroup + column + k);
            if (!isLargest<T>(middle, g)) continue;
            made[k] = middle[0] > high ? kWhiteOf<T> : std::uint32_t(kWeakEdge);
            const std::uint32_t index =
                std::uint32_t(y) * std::uint32_t(width) + std::uint32_t(x + k);
            sets[index] = index;
        }
        storeGroup<T>(out, x, y, made);
    }
}

// ---- sets ----

// Others may join sets meanwhile: indices only become smaller and stay in the set.
__device__ __forceinline__ std::uint32_t smallestOf(const std::uint32_t* sets,
                                                    std::uint32_t index) {
    for (std::uint32_t next; (next = __ldcg(sets + index)) != index;) index = next;
    return index;
}

__device__ __forceinline__ void join(std::uint32_t* sets, std::uint32_t a, std::uint32_t b) {
    while (true) {
        a = smallestOf(sets, a);
        b = smallestOf(sets, b);
        if (a == b) return;
        const std::uint32_t large = max(a, b), small = min(a, b);
        const std::uint32_t before = atomicMin(sets + large, small);
        if (before == large) return;
        // Somebody else was first: what it was joined to is joined too.
        a = before;
        b = small;
    }
}

// Calls visit(x, y, state) for those of a group of pixels that are candidates, for rows [first,
// last), and stores what it returns where kStores.
template <class T, bool kStores, class Visit>
__device__ __forceinline__ void forEachCandidate(const DeviceImage& out, int first, int last,
                                                 FastDivide groupsAcross, const Visit& visit) {
    const std::uint32_t group = blockIdx.x * kThreads + threadIdx.x;
    const std::uint32_t row = groupsAcross(group);
    const int y = first + int(row);
    const int x = int(group - row * groupsAcross.divisor) * kGroup;
    if (y >= last) return;
    constexpr int kBytes = kGroup * int(sizeof(T));
    std::uint32_t words[kBytes / 4];
    loadWords<kBytes>(out.data + std::int64_t(y) * out.pitch + std::int64_t(x) * int(sizeof(T)),
                      words);
    std::uint32_t any = 0;
#pragma unroll
    for (int i = 0; i < kBytes / 4; ++i) any |= words[i];
    if (any == 0) return;
    std::uint32_t made[kGroup];
#pragma unroll
    for (int k = 0; k < kGroup; ++k) {
        const std::uint32_t state = sampleOf<T>(words, k);
        made[k] = state == 0 || x + k >= out.size.width ? 0 : visit(x + k, y, state);
    }
    if constexpr (kStores) storeGroup<T>(out, x, y, made);
}

template <class T>
__device__ __forceinline__ T* stateAt(const DeviceImage& out, int x, int y) {
    return reinterpret_cast<T*>(out.data + std::int64_t(y) * out.pitch) + x;
}

template <class T>
__global__ void __launch_bounds__(kThreads)
    joinKernel(DeviceImage out, int first, int last, FastDivide groupsAcross, std::uint32_t* sets) {
    const auto width = std::uint32_t(out.size.width);
    forEachCandidate<T, false>(
        out, first, last, groupsAcross, [&](int x, int y, std::uint32_t) -> std::uint32_t {
            const std::uint32_t index = std::uint32_t(y) * width + std::uint32_t(x);
            const bool left = x > 0, right = x + 1 < out.size.width, above = y > 0;
            if (left && *stateAt<T>(out, x - 1, y)) join(sets, index, index - 1);
            if (!above) return 0;
            // A neighbour above touches those at its sides, which are joined with it.
            if (*stateAt<T>(out, x, y - 1)) {
                join(sets, index, index - width);
                return 0;
            }
            if (left && *stateAt<T>(out, x - 1, y - 1)) join(sets, index, index - width - 1);
            if (right && *stateAt<T>(out, x + 1, y - 1)) join(sets, index, index - width + 1);
            return 0;
        });
}

// The pixel of a set with the smallest index becomes white where any one is. Whoever reads it
// meanwhile finds the set marked or not yet, and does the same either way.
template <class T>
__global__ void __launch_bounds__(kThreads)
    markKernel(DeviceImage out, int first, int last, FastDivide groupsAcross,
               const std::uint32_t* sets) {
    const auto width = std::uint32_t(out.size.width);
    forEachCandidate<T, false>(
        out, first, last, groupsAcross, [&](int x, int y, std::uint32_t state) -> std::uint32_t {
            if (state != kWhiteOf<T>) return 0;
            const std::uint32_t set = smallestOf(sets, std::uint32_t(y) * width + std::uint32_t(x));
            *stateAt<T>(out, int(set % width), int(set / width)) = T(kWhiteOf<T>);
            return 0;
        });
}

// The pixel that is looked at may already have what it gets here: white stays white, and kWeakEdge
// and 0 say the same.
template <class T>
__global__ void __launch_bounds__(kThreads)
    keepKernel(DeviceImage out, int first, int last, FastDivide groupsAcross,
               const std::uint32_t* sets) {
    const auto width = std::uint32_t(out.size.width);
    forEachCandidate<T, true>(
        out, first, last, groupsAcross, [&](int x, int y, std::uint32_t state) {
            if (state == kWhiteOf<T>) return state;
            const std::uint32_t set = smallestOf(sets, std::uint32_t(y) * width + std::uint32_t(x));
            const bool marked =
                *stateAt<T>(out, int(set % width), int(set / width)) == T(kWhiteOf<T>);
            return marked ? kWhiteOf<T> : 0u;
        });
}

template <class T, int C>
void canny(KernelContext& context, const CannyPlan& plan, const DeviceImage& in,
           const DeviceImage& out) {
    const DeviceMemory memory =
        context.allocate(std::size_t(in.size.pixels()) * sizeof(std::uint32_t));
    auto* sets = memory.as<std::uint32_t>();
    const std::int64_t rowBytes = out.pitch + std::int64_t(in.size.width) * 8;
    forEachTileBand(context, in, in.pitch + rowBytes, 64,
                    [&](int first, int last, FastDivide across, unsigned blocks) {
                        launch(context, "Canny candidates", blocks, kTileThreads, 0,
                               candidatesKernel<T, C>, in, out, first, last, across, plan.low,
                               plan.high, sets);
                    });
    // Chains of indices may be long.
    const std::uint32_t groups = divideUp(unsigned(in.size.width), kGroup);
    const int bandRows = context.rowsPerLaunch(4 * rowBytes, std::int64_t(in.size.width) * 128);
    const auto forEachGroup = [&](const char* name, auto* kernel) {
        context.forEachBand(in.size.height, bandRows, [&](int first, int last) {
            launch(context, name,
                   divideUp(std::uint64_t(groups) * unsigned(last - first), kThreads), kThreads, 0,
                   kernel, out, first, last, FastDivide(groups), sets);
        });
    };
    forEachGroup("Canny joins", joinKernel<T>);
    forEachGroup("Canny marks", markKernel<T>);
    forEachGroup("Canny keeps", keepKernel<T>);
}

void run(KernelContext& context, const Plan& given, const DeviceImage& in, const DeviceImage& out) {
    const auto& plan = static_cast<const CannyPlan&>(given);
    forSamples(in.format, [&]<class T, int C>() { canny<T, C>(context, plan, in, out); });
}

// Indices have 32 bits.
Result<void> supports(const Plan& plan) {
    if (std::uint64_t(plan.size.pixels()) <= 0xffffffffu) return {};
    return fail(ErrorCode::Unsupported,
                "the GPU code of canny takes images of up to 4,294,967,295 pixels");
}

}  // namespace

WARPSCOPE_CUDA_RUNNER(canny, .run = run, .supports = supports);

}  // namespace warpscope::cuda
