// Equalization of 16-bit images: counts in device memory (counting_wide.cu), two small launches
// that make tables of them, one that applies the tables. The host takes no part in between.
#include <string>
#include <vector>

#include "cuda_kernels/analysis/counting.h"
#include "cuda_kernels/runtime/kernel_support.cuh"
#include "cuda_kernels/tone/equalize_paths.h"

namespace warpscope::cuda {
namespace {

constexpr int kLevels = kWideBins;
constexpr int kMostTables = 3;

// A block takes a part of a channel's levels.
constexpr unsigned kPartLevels = 1024;
constexpr unsigned kParts = kLevels / kPartLevels;
static_assert(kParts == 64, "a warp looks at two parts a lane");

struct PartSums {
    unsigned long long all[kMostTables * kParts];
    unsigned long long darkest[kMostTables * kParts];  // of the darkest level present; 0 if none is
};

constexpr unsigned kSumThreads = 256;

__global__ void __launch_bounds__(kSumThreads)
    sumPartsKernel(const unsigned long long* bins, PartSums* parts) {
    __shared__ unsigned long long all;
    __shared__ unsigned darkest;  // level of the part
    if (threadIdx.x == 0) {
        all = 0;
        darkest = kPartLevels;
    }
    __syncthreads();
    const unsigned long long* own = bins + std::size_t(blockIdx.x) * kPartLevels;
    unsigned long long sum = 0;
    unsigned first = kPartLevels;
    for (unsigned k = threadIdx.x; k < kPartLevels; k += kSumThreads) {
        sum += own[k];
        if (own[k] != 0) first = min(first, k);
    }
#pragma unroll
    for (unsigned distance = 16; distance > 0; distance /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, distance);
    if (threadIdx.x % 32 == 0) atomicAdd(&all, sum);
    if (first < kPartLevels) atomicMin(&darkest, first);
    __syncthreads();
    if (threadIdx.x == 0) {
        parts->all[blockIdx.x] = all;
        parts->darkest[blockIdx.x] = darkest < kPartLevels ? own[darkest] : 0;
    }
}

// t(k) as engine/operations/tone/equalize.h defines it, a thread a level. 2 * 65,535 * pixels fits
// in 64 bits for every image there can be.
__global__ void __launch_bounds__(kPartLevels)
    makeTablesKernel(const unsigned long long* bins, const PartSums* parts, bool full,
                     std::uint64_t pixels, std::uint16_t* tables) {
    __shared__ unsigned long long warpSums[kPartLevels / 32];
    __shared__ unsigned long long before;   // pixels of this channel in lower parts
    __shared__ unsigned long long darkest;  // pixels of the darkest level present
    const unsigned channel = blockIdx.x / kParts, part = blockIdx.x % kParts;
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const std::size_t level = std::size_t(blockIdx.x) * kPartLevels + threadIdx.x;

    unsigned long long cumulative = bins[level];
#pragma unroll
    for (unsigned distance = 1; distance < 32; distance *= 2) {
        const unsigned long long below = __shfl_up_sync(0xffffffffu, cumulative, distance);
        if (lane >= distance) cumulative += below;
    }
    if (lane == 31) warpSums[warp] = cumulative;
    if (warp == 0) {
        const unsigned long long* sums = parts->all + channel * kParts;
        const unsigned long long low = sums[lane], high = sums[lane + 32];
        unsigned long long lower = (lane < part ? low : 0) + (lane + 32 < part ? high : 0);
#pragma unroll
        for (unsigned distance = 16; distance > 0; distance /= 2)
            lower += __shfl_xor_sync(0xffffffffu, lower, distance);
        const unsigned inLow = __ballot_sync(0xffffffffu, low != 0);
        const unsigned inHigh = __ballot_sync(0xffffffffu, high != 0);
        if (lane == 0) {
            before = lower;
            const int first = inLow ? __ffs(int(inLow)) - 1 : 31 + __ffs(int(inHigh));
            darkest = parts->darkest[channel * kParts + unsigned(first)];
        }
    }
    __syncthreads();
    cumulative += before;
    for (unsigned w = 0; w < warp; ++w) cumulative += warpSums[w];

    const unsigned long long below = full ? darkest : 0;
    const unsigned long long spread = pixels - below;
    const unsigned long long above = cumulative > below ? cumulative - below : 0;
    const unsigned own = part * kPartLevels + threadIdx.x;
    tables[level] = spread == 0
                        ? std::uint16_t(own)
                        : std::uint16_t((2ull * (kLevels - 1) * above + spread) / (2 * spread));
}

// Two words of an image: four gray pixels or one of colour.
struct GrayMapping {
    const std::uint16_t* table;
    __device__ explicit GrayMapping(const std::uint16_t* tables) : table(tables) {}
    __device__ std::uint32_t word(std::uint32_t word) const {
        return table[word & 0xffffu] | std::uint32_t(table[word >> 16]) << 16;
    }
    __device__ uint2 operator()(const uint2& words) const { return {word(words.x), word(words.y)}; }
};

struct EachMapping {
    const std::uint16_t* tables;
    __device__ explicit EachMapping(const std::uint16_t* tables) : tables(tables) {}
    __device__ uint2 operator()(const uint2& pixel) const {
        const std::uint32_t red = tables[pixel.x & 0xffffu];
        const std::uint32_t green = tables[kLevels + (pixel.x >> 16)];
        const std::uint32_t blue = tables[2 * kLevels + (pixel.y & 0xffffu)];
        return {red | green << 16, blue | (pixel.y & 0xffff0000u)};
    }
};

// R' = min(65,535, (2 R t + Y) / (2 Y)), which is min(65,535, floor((R t + floor(Y / 2)) / Y)): the
// half that is lost where Y is odd never reaches the next whole number. R t + Y / 2 fits in 32
// bits. Its quotient is a product with f = floor((2^32 - 1) / Y), which takes at most 1 off the
// true ratio, so that it is right or 1 too small.
struct LumaMapping {
    const std::uint16_t* table;
    __device__ explicit LumaMapping(const std::uint16_t* tables) : table(tables) {}
    __device__ uint2 operator()(const uint2& pixel) const {
        const std::uint32_t red = pixel.x & 0xffffu, green = pixel.x >> 16,
                            blue = pixel.y & 0xffffu;
        const std::uint32_t y = luma(red, green, blue);
        const std::uint32_t wanted = table[y];
        if (y == 0) return pixel;
        const std::uint32_t factor = 0xffffffffu / y;
        const auto scaled = [&](std::uint32_t value) {
            const std::uint32_t dividend = value * wanted + y / 2;
            const std::uint32_t quotient = __umulhi(dividend, factor);
            return min(65535u, dividend - quotient * y >= y ? quotient + 1 : quotient);
        };
        return {scaled(red) | scaled(green) << 16, scaled(blue) | (pixel.y & 0xffff0000u)};
    }
};

constexpr unsigned kThreads = 256;
constexpr int kInFlight = 2;  // 16-byte loads a thread

template <class Mapping>
__global__ void __launch_bounds__(kThreads)
    applyWideKernel(DeviceImage in, DeviceImage out, Pieces pieces, const std::uint16_t* tables) {
    const Mapping mapping(tables);
    const std::uint32_t step = gridDim.x * kThreads;
    for (std::uint32_t first = blockIdx.x * kThreads + threadIdx.x; first < pieces.count;
         first += step * kInFlight) {
        uint4 loaded[kInFlight];
        std::byte* target[kInFlight];
#pragma unroll
        for (int k = 0; k < kInFlight; ++k) {
            const std::uint32_t i = first + unsigned(k) * step;
            target[k] = nullptr;
            if (i >= pieces.count) continue;
            const std::uint32_t row = pieces.perRow(i);
            const std::int64_t offset = std::int64_t(i - row * pieces.perRow.divisor) * 16;
            loaded[k] = *reinterpret_cast<const uint4*>(in.data + row * in.pitch + offset);
            target[k] = out.data + row * out.pitch + offset;
        }
#pragma unroll
        for (int k = 0; k < kInFlight; ++k) {
            if (!target[k]) continue;
            // Whatever stands in the padding of a row is mapped too; nobody looks at it.
            const uint2 low = mapping(uint2{loaded[k].x, loaded[k].y});
            const uint2 high = mapping(uint2{loaded[k].z, loaded[k].w});
            *reinterpret_cast<uint4*>(target[k]) = {low.x, low.y, high.x, high.y};
        }
    }
}

template <class Mapping>
void apply(KernelContext& context, const DeviceImage& in, const DeviceImage& out,
           const std::uint16_t* tables) {
    const unsigned most = unsigned(context.traits().multiprocessors) * 8;
    // A look-up may fetch 32 bytes of a table.
    const std::int64_t bytes = 2 * in.pitch + std::int64_t(in.size.width) * 32 * kMostTables;
    const int bandRows = context.rowsPerLaunch(bytes, std::int64_t(in.size.width) * 32);
    context.forEachBand(in.size.height, bandRows, [&](int first, int last) {
        const Pieces pieces = Pieces::of(in.size.width, last - first, 16 / bytesPerPixel(in.format),
                                         isPacked(in) && isPacked(out));
        launch(context, "equalize 16 bits", min(most, divideUp(pieces.count, kThreads)), kThreads,
               0, applyWideKernel<Mapping>, rowsOf(in, first, last), rowsOf(out, first, last),
               pieces, tables);
    });
}

// Counts and makes the tables, those of each colour one after the other.
const std::uint16_t* countedTables(KernelContext& context, const EqualizePlan& plan,
                                   const DeviceImage& in, bool each) {
    struct Scratch {
        unsigned long long bins[kMostTables * kLevels];
        PartSums parts;
        std::uint16_t tables[kMostTables * kLevels];
    };
    auto* scratch = reinterpret_cast<Scratch*>(
        context.device().scratch(DeviceContext::Scratch::Small, sizeof(Scratch)));
    const unsigned long long* bins = scratch->bins;
    const PartSums* parts = &scratch->parts;
    std::uint16_t* tables = scratch->tables;
    countSixteenBit(context, in, each ? ChannelSet{false, true, true, true} : ChannelSet{},
                    scratch->bins);
    const unsigned blocks = kParts * (each ? 3 : 1);
    launch(context, "sum counts", blocks, kSumThreads, 0, sumPartsKernel, bins, &scratch->parts);
    launch(context, "make tables", blocks, kPartLevels, 0, makeTablesKernel, bins, parts,
           plan.mapping == EqualizeMapping::Full, std::uint64_t(in.size.pixels()), tables);
    return tables;
}

// Tables taken from another image, which stay on the device for the next run.
const std::uint16_t* storedTables(KernelContext& context, const EqualizeTables16& frozen) {
    std::string key = "equalize 16 bits ";
    const std::vector<std::uint16_t>* channels[] = {&frozen.red, &frozen.green, &frozen.blue};
    for (const auto* table : channels)
        key.append(reinterpret_cast<const char*>(table->data()),
                   table->size() * sizeof((*table)[0]));
    return reinterpret_cast<const std::uint16_t*>(context.device().constants(key, [&] {
        std::vector<std::uint32_t> words;
        for (const auto* table : channels)
            for (std::size_t k = 0; k + 1 < table->size(); k += 2)
                words.push_back((*table)[k] | std::uint32_t((*table)[k + 1]) << 16);
        return words;
    }));
}

}  // namespace

void runEqualizeWide(KernelContext& context, const EqualizePlan& plan, const DeviceImage& in,
                     const DeviceImage& out) {
    const bool color = isColor(in.format);
    const bool each = color && plan.channels == EqualizeChannels::Each;
    const std::uint16_t* tables = plan.frozen16 ? storedTables(context, *plan.frozen16)
                                                : countedTables(context, plan, in, each);
    if (!color)
        apply<GrayMapping>(context, in, out, tables);
    else if (each)
        apply<EachMapping>(context, in, out, tables);
    else
        apply<LumaMapping>(context, in, out, tables);
}

}  // namespace warpscope::cuda
