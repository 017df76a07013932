// Bilateral filter: a block has its pixels and those around them in shared memory, a thread makes
// one pixel. Weights of places are the same for all threads at a time; those of differences come
// from a table, which the caches hold. 8-bit images go to bilateral_tables.cu, unless the device
// has too little shared memory for a large radius.
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "cuda_kernels/runtime/launch_pieces.cuh"
#include "cuda_kernels/smoothing/bilateral_tables.cuh"
#include "cuda_kernels/smoothing/window_costs.h"
#include "engine/operations/smoothing/bilateral.h"

namespace warpscope::cuda {
namespace {

constexpr int kTileWidth = kBilateralWidth, kTileHeight = kBilateralHeight;
constexpr unsigned kThreads = kTileWidth * kTileHeight;

// Word tables, one after the other: reach of the 2 radius + 1 rows, weights of offsets (integers or
// the bits of floats), weights of differences.
struct DeviceTables {
    const std::uint32_t* words;
    int radius;
    std::uint32_t lastRange;
    int rangeShift;
    float falloff;
};

template <class T, int C>
struct alignas(sizeof(T) * C) BilateralPixel {
    T samples[C];
};

// The same steps as on the CPU, each rounded by itself.
__device__ __forceinline__ float halvings(float t) {
    constexpr float kSeries[] = {kBilateralExp[0], kBilateralExp[1], kBilateralExp[2],
                                 kBilateralExp[3], kBilateralExp[4], kBilateralExp[5],
                                 kBilateralExp[6], kBilateralExp[7]};
    const float steps = rintf(fminf(t, kBilateralFaint));
    const float f = __fsub_rn(steps, t);
    float made = kSeries[0];
#pragma unroll
    for (int i = 1; i < 8; ++i) made = __fadd_rn(__fmul_rn(made, f), kSeries[i]);
    if (t > kBilateralFaint - 1) return 0;
    return __fmul_rn(made, __int_as_float((127 - int(steps)) << 23));
}

// Sums of weights and of weights times samples of the colours.
template <class T, int Colours>
struct BilateralSums {
    using Sum = std::conditional_t<sizeof(T) == 1, std::uint32_t, std::uint64_t>;
    std::uint32_t weight = 0;
    Sum sums[Colours] = {};

    template <class Pixel>
    __device__ void add(const DeviceTables& tables, std::uint32_t space, const std::uint32_t* range,
                        const Pixel& centre, const Pixel& other) {
        std::uint32_t difference = 0;
#pragma unroll
        for (int c = 0; c < Colours; ++c)
            difference += std::uint32_t(abs(int(other.samples[c]) - int(centre.samples[c])));
        const std::uint32_t rounded =
            (difference + ((1u << tables.rangeShift) >> 1)) >> tables.rangeShift;
        const std::uint32_t w = (space * __ldg(range + min(rounded, tables.lastRange)) + 128) >> 8;
        weight += w;
#pragma unroll
        for (int c = 0; c < Colours; ++c) sums[c] += w * std::uint32_t(other.samples[c]);
    }
    __device__ void endRow() {}
    template <class Pixel>
    __device__ T made(int c, const Pixel&) const {
        return T((2 * sums[c] + weight) / (2 * Sum(weight)));
    }
};

// Of differences to the centre, which are smaller than samples; row by row, then the rows.
template <int Colours>
struct BilateralSums<float, Colours> {
    float weight = 0, rowWeight = 0;
    float sums[Colours] = {}, rowSums[Colours] = {};

    template <class Pixel>
    __device__ void add(const DeviceTables& tables, std::uint32_t space, const std::uint32_t*,
                        const Pixel& centre, const Pixel& other) {
        float difference = 0;
#pragma unroll
        for (int c = 0; c < Colours; ++c)
            difference =
                __fadd_rn(difference, fabsf(__fsub_rn(other.samples[c], centre.samples[c])));
        const float t = __fmul_rn(__fmul_rn(difference, difference), tables.falloff);
        const float w = __fmul_rn(__uint_as_float(space), halvings(t));
        rowWeight = __fadd_rn(rowWeight, w);
#pragma unroll
        for (int c = 0; c < Colours; ++c)
            rowSums[c] =
                __fadd_rn(rowSums[c], __fmul_rn(w, __fsub_rn(other.samples[c], centre.samples[c])));
    }
    __device__ void endRow() {
        weight = __fadd_rn(weight, rowWeight);
        rowWeight = 0;
#pragma unroll
        for (int c = 0; c < Colours; ++c) {
            sums[c] = __fadd_rn(sums[c], rowSums[c]);
            rowSums[c] = 0;
        }
    }
    template <class Pixel>
    __device__ float made(int c, const Pixel& centre) const {
        return __fadd_rn(centre.samples[c], __fdiv_rn(sums[c], weight));
    }
};

template <class T, int C>
__global__ void __launch_bounds__(kThreads)
    bilateralKernel(DeviceImage in, DeviceImage out, int firstRow, int lastRow,
                    FastDivide tilesAcross, unsigned firstBlock, DeviceTables tables) {
    using Pixel = BilateralPixel<T, C>;
    constexpr int kColours = C == 1 ? 1 : 3;
    extern __shared__ __align__(16) unsigned char bilateralShared[];
    auto* tile = reinterpret_cast<Pixel*>(bilateralShared);
    const int r = tables.radius;
    const int pitch = kTileWidth + 2 * r;
    const std::uint32_t block = firstBlock + blockIdx.x, tileRow = tilesAcross(block);
    const int left = int(block - tileRow * tilesAcross.divisor) * kTileWidth;
    const int top = firstRow + int(tileRow) * kTileHeight;
    for (int i = int(threadIdx.x); i < pitch * (kTileHeight + 2 * r); i += int(kThreads)) {
        const int row = i / pitch;
        const int y = min(max(top + row - r, 0), in.size.height - 1);
        const int x = min(max(left + i - row * pitch - r, 0), in.size.width - 1);
        tile[i] = reinterpret_cast<const Pixel*>(in.data + std::int64_t(y) * in.pitch)[x];
    }
    __syncthreads();
    const int column = int(threadIdx.x % kTileWidth), row = int(threadIdx.x / kTileWidth);
    const int x = left + column, y = top + row;
    if (x >= in.size.width || y >= lastRow) return;
    const std::uint32_t* spaces = tables.words + 2 * r + 1;
    const std::uint32_t* range = spaces + (r + 1) * (r + 1);
    const Pixel* own = tile + (row + r) * pitch + column + r;
    const Pixel centre = *own;
    BilateralSums<T, kColours> sums;
    for (int dy = -r; dy <= r; ++dy) {
        const int reach = int(__ldg(tables.words + dy + r));
        const std::uint32_t* space = spaces + abs(dy) * (r + 1);
        for (int dx = -reach; dx <= reach; ++dx)
            sums.add(tables, __ldg(space + abs(dx)), range, centre, own[dy * pitch + dx]);
        sums.endRow();
    }
    Pixel made = centre;
#pragma unroll
    for (int c = 0; c < kColours; ++c) made.samples[c] = sums.made(c, centre);
    reinterpret_cast<Pixel*>(out.data + std::int64_t(y) * out.pitch)[x] = made;
}

std::vector<std::uint32_t> wordsOf(const BilateralPlan& plan) {
    std::vector<std::uint32_t> words(plan.reach.begin(), plan.reach.end());
    words.insert(words.end(), plan.space.begin(), plan.space.end());
    for (const float weight : plan.floatSpace) {
        std::uint32_t bits = 0;
        std::memcpy(&bits, &weight, sizeof(bits));
        words.push_back(bits);
    }
    words.insert(words.end(), plan.range.begin(), plan.range.end());
    return words;
}

std::string keyOf(const char* name, const std::vector<std::uint32_t>& words) {
    std::string key = name;
    key.append(reinterpret_cast<const char*>(words.data()), words.size() * sizeof(words[0]));
    return key;
}

template <class T, int C>
void run(KernelContext& context, const BilateralPlan& plan, const DeviceImage& in,
         const DeviceImage& out) {
    const std::vector<std::uint32_t> words = wordsOf(plan);
    const std::string key = keyOf("bilateral", words);
    DeviceTables tables{};
    tables.words = reinterpret_cast<const std::uint32_t*>(
        context.device().constants(key, [&] { return words; }));
    tables.radius = plan.radius;
    tables.lastRange = plan.range.empty() ? 0 : std::uint32_t(plan.range.size() - 1);
    tables.rangeShift = plan.rangeShift;
    tables.falloff = plan.falloff;
    const int side = 2 * plan.radius + 1;
    const std::size_t sharedBytes =
        sizeof(T) * C * std::size_t(kTileWidth + side - 1) * std::size_t(kTileHeight + side - 1);
    const RowsCost cost =
        bilateralCost(in.size.width, C, int(sizeof(T)), in.pitch + out.pitch, plan.radius);
    const LaunchCut cut = cutRows(limitsOf(context), cost);
    const FastDivide across{divideUp(unsigned(in.size.width), kTileWidth)};
    forEachPiece(context, in.size.height, cut, cost.blocks, [&](int first, int last, int piece) {
        const BlockRange blocks(cut, piece,
                                across.divisor * divideUp(unsigned(last - first), kTileHeight));
        launchRange(context, "bilateral", blocks, kThreads, sharedBytes, bilateralKernel<T, C>, in,
                    out, first, last, across, blocks.first, tables);
    });
}

void run(KernelContext& context, const Plan& given, const DeviceImage& in, const DeviceImage& out) {
    const auto& plan = static_cast<const BilateralPlan&>(given);
    if (const auto tables = BilateralTables::of(plan, context.traits().sharedPerBlock)) {
        const char* name = isColor(in.format) ? "bilateral colour" : "bilateral gray";
        return runBilateralTables(context, plan, *tables, keyOf(name, wordsOf(plan)), in, out);
    }
    if (isFloat(in.format))
        return isColor(in.format) ? run<float, 4>(context, plan, in, out)
                                  : run<float, 1>(context, plan, in, out);
    forSamples(in.format, [&]<class T, int C>() { run<T, C>(context, plan, in, out); });
}

// Radii with kernels of their own and one without; weights of places that need 16 bits.
std::vector<ParamSet> warmUps() {
    std::vector<ParamSet> sets;
    for (const int radius : {1, 2, 3, 4, 5, 6})
        sets.emplace_back().set("radius", std::int64_t(radius));
    sets.emplace_back().set("sigma_space", 100.0);
    return sets;
}

}  // namespace

WARPSCOPE_CUDA_RUNNER(bilateral, .run = run, .warmUps = warmUps);

}  // namespace warpscope::cuda
