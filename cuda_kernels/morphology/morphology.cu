// Minima and maxima over a shape, a pass after the other over the image. Rows: tiles in shared
// memory, of which the extremes of 2, 4, 8, ... samples from each one on are made; two of these
// cover a row of the shape. Columns: a thread takes a block of 2 radius + 1 rows of a word of
// samples. Every pass leaves alpha as it is. Small disks on 8-bit images go to small_disk.cu,
// squares of these to square.cu.
#include "engine/operations/morphology/morphology.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <type_traits>

#include "cuda_kernels/morphology/small_disk.cuh"
#include "cuda_kernels/morphology/square.cuh"
#include "cuda_kernels/morphology/square_tiles.cuh"
#include "cuda_kernels/morphology/window_costs.h"
#include "cuda_kernels/runtime/blocks_by_device.cuh"
#include "cuda_kernels/runtime/launch_pieces.cuh"
#include "cuda_kernels/runtime/two_samples.cuh"
#include "engine/operations/order_keys.h"

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = kMorphologyThreads;
constexpr int kTile = kMorphologyTile;  // samples of a row that a block makes

// What is compared: float samples by keys of the same order.
template <class T>
using KeyOf = std::conditional_t<std::is_floating_point_v<T>, std::int32_t, T>;

__device__ __forceinline__ std::int32_t keyOfBits(std::uint32_t bits) {
    const auto value = std::int32_t(bits);
    return (value & kNanKey) > 0x7f800000 ? kNanKey : value ^ ((value >> 31) & kNanKey);
}
__device__ __forceinline__ std::uint32_t bitsOfKey(std::int32_t key) {
    return std::uint32_t(key ^ ((key >> 31) & kNanKey));
}
template <class T>
__device__ __forceinline__ KeyOf<T> keyOf(T sample) {
    if constexpr (std::is_floating_point_v<T>)
        return keyOfBits(__float_as_uint(sample));
    else
        return sample;
}
template <class T>
__device__ __forceinline__ T sampleOfKey(KeyOf<T> key) {
    if constexpr (std::is_floating_point_v<T>)
        return __uint_as_float(bitsOfKey(key));
    else
        return key;
}

template <bool kMost, class Key>
__device__ __forceinline__ Key extreme(Key a, Key b) {
    return (kMost ? a > b : a < b) ? a : b;
}
// Loses against everything.
template <bool kMost, class Key>
__device__ __forceinline__ Key neutral() {
    return kMost ? std::numeric_limits<Key>::lowest() : std::numeric_limits<Key>::max();
}

template <class T>
__device__ __forceinline__ const T* rowOf(const DeviceImage& image, int y) {
    return reinterpret_cast<const T*>(image.data + std::int64_t(y) * image.pitch);
}

// Samples [from, from + wide) of a row as keys; those outside the image are neutral.
template <class T, bool kMost>
__device__ __forceinline__ void loadKeys(const T* row, int samples, int from, int wide,
                                         KeyOf<T>* to) {
    for (int i = int(threadIdx.x); i < wide; i += int(kThreads)) {
        const int sample = from + i;
        to[i] = sample >= 0 && sample < samples ? keyOf(row[sample]) : neutral<kMost, KeyOf<T>>();
    }
}

// Output rows from `first` on, or one from sample `left` on. `merge`: with what `out` holds.
template <class T, int C, bool kMost>
__global__ void __launch_bounds__(kThreads)
    rowsKernel(DeviceImage in, DeviceImage out, int first, int radius, bool merge,
               FastDivide tilesPerRow, int left) {
    using Key = KeyOf<T>;
    extern __shared__ __align__(16) unsigned char sharedBytes[];
    const int line = int(tilesPerRow(blockIdx.x)), y = first + line;
    const int tile = int(blockIdx.x - unsigned(line) * tilesPerRow.divisor) * kTile + left;
    const int reach = radius * C, wide = kTile + 2 * reach, side = 2 * radius + 1;
    const int samples = in.size.width * C;
    Key* now = reinterpret_cast<Key*>(sharedBytes);
    Key* next = now + wide;
    const T* row = rowOf<T>(in, y);
    loadKeys<T, kMost>(row, samples, tile - reach, wide, now);
    __syncthreads();
    int length = 1;
    for (; 2 * length <= side; length *= 2) {
        const int valid = wide - (2 * length - 1) * C;
        for (int i = int(threadIdx.x); i < valid; i += int(kThreads))
            next[i] = extreme<kMost>(now[i], now[i + length * C]);
        __syncthreads();
        Key* const made = next;
        next = now;
        now = made;
    }
    const int apart = (side - length) * C;
    T* const target = reinterpret_cast<T*>(out.data + std::int64_t(y) * out.pitch);
    for (int i = int(threadIdx.x); i < kTile; i += int(kThreads)) {
        const int sample = tile + i;
        if (sample >= samples) break;
        if (C == 4 && sample % 4 == 3) {
            target[sample] = row[sample];
            continue;
        }
        Key best = extreme<kMost>(now[i], now[i + apart]);
        if (merge) best = extreme<kMost>(best, keyOf(target[sample]));
        target[sample] = sampleOfKey<T>(best);
    }
}

// Words of samples: four, two or one.
template <class T, bool kMost>
struct Words {
    static __device__ std::uint32_t neutralWord() {
        if constexpr (std::is_floating_point_v<T>)
            return std::uint32_t(neutral<kMost, std::int32_t>());
        else
            return kMost ? 0u : 0xffffffffu;
    }
    static __device__ std::uint32_t keys(std::uint32_t word) {
        if constexpr (std::is_floating_point_v<T>)
            return std::uint32_t(keyOfBits(word));
        else
            return word;
    }
    static __device__ std::uint32_t word(std::uint32_t keys) {
        if constexpr (std::is_floating_point_v<T>)
            return bitsOfKey(std::int32_t(keys));
        else
            return keys;
    }
    static __device__ std::uint32_t best(std::uint32_t a, std::uint32_t b) {
        if constexpr (std::is_floating_point_v<T>)
            return std::uint32_t(extreme<kMost>(std::int32_t(a), std::int32_t(b)));
        else if constexpr (sizeof(T) == 1)
            return kMost ? __vmaxu4(a, b) : __vminu4(a, b);
        else
            return kMost ? __vmaxu2(a, b) : __vminu2(a, b);
    }
    // The bits of word number `index` of a row that are alpha.
    template <int C>
    static __device__ std::uint32_t alpha(int index) {
        if (C == 1) return 0;
        if (sizeof(T) == 1) return 0xff000000u;
        if (sizeof(T) == 2) return index % 2 ? 0xffff0000u : 0u;
        return index % 4 == 3 ? 0xffffffffu : 0u;
    }
};

// A thread makes output rows start to start + 2 radius, those before `last`, of a column of words:
// first the extremes up to the row start + radius, from below, then those of the rows after it.
template <class T, int C, bool kMost>
__global__ void __launch_bounds__(kThreads)
    columnsKernel(DeviceImage in, DeviceImage out, int first, int last, int radius,
                  FastDivide wordsPerRow, unsigned firstBlock, std::uint32_t count) {
    using W = Words<T, kMost>;
    const std::uint32_t index = (firstBlock + blockIdx.x) * kThreads + threadIdx.x;
    if (index >= count) return;
    const int side = 2 * radius + 1, height = in.size.height;
    const std::uint32_t line = wordsPerRow(index);
    const int column = int(index - line * wordsPerRow.divisor);
    const int start = first + int(line) * side, made = min(side, last - start);
    const std::uint32_t alpha = W::template alpha<C>(column);
    const std::byte* __restrict__ from = in.data + std::int64_t(column) * 4;
    std::byte* __restrict__ to = out.data + std::int64_t(column) * 4;
    const auto given = [&](int y) {
        return *reinterpret_cast<const std::uint32_t*>(from + std::int64_t(y) * in.pitch);
    };
    const auto target = [&](int y) -> std::uint32_t& {
        return *reinterpret_cast<std::uint32_t*>(to + std::int64_t(y) * out.pitch);
    };
    std::uint32_t best = W::neutralWord();
#pragma unroll 4
    for (int j = side - 1; j >= 0; --j) {
        const int row = start + j - radius;
        if (row >= 0 && row < height) best = W::best(best, W::keys(given(row)));
        if (j < made) target(start + j) = (W::word(best) & ~alpha) | (given(start + j) & alpha);
    }
    best = W::neutralWord();
#pragma unroll 4
    for (int j = 1; j < made; ++j) {
        // At least side - radius below the first row of the image.
        const int row = start + side - radius + j - 1;
        if (row < height) best = W::best(best, W::keys(given(row)));
        const std::uint32_t before = target(start + j);
        target(start + j) = (W::word(W::best(best, W::keys(before))) & ~alpha) | (before & alpha);
    }
}

// Where the assembler itself stays at 40 registers and keeps values in memory. When it is asked for
// as many, they suffice, but for 16 bits on the newest devices; on compute capability 9.0 what
// keeps two values of 8 bits in memory is faster.
template <class T, int C>
constexpr int kResidentDisks = C == 1 && sizeof(T) == 1   ? blocksByDevice({6, 0, 0}, kThreads)
                               : C == 1 && sizeof(T) == 2 ? blocksByDevice({6, 0, 0, 4}, kThreads)
                               : sizeof(T) == 2           ? blocksByDevice({0, 0, 0, 4}, kThreads)
                                                          : 0;

// Output rows [first, last), or kDiskRows of them from sample `left` on.
template <class T, int C, bool kMost>
__global__ void __launch_bounds__(kThreads, (kResidentDisks<T, C>))
    diskKernel(DeviceImage in, DeviceImage out, int first, int last, int radius, int levels,
               FastDivide tilesPerRow, int left, const __grid_constant__ DiskHalves halves) {
    using Key = KeyOf<T>;
    constexpr int kEach = kDiskTile / int(kThreads);
    extern __shared__ __align__(16) unsigned char sharedBytes[];
    Key* const tables = reinterpret_cast<Key*>(sharedBytes);
    const int line = int(tilesPerRow(blockIdx.x));
    const int tile = int(blockIdx.x - unsigned(line) * tilesPerRow.divisor) * kDiskTile + left;
    const int start = first + line * kDiskRows, end = min(start + kDiskRows, last);
    const int reach = radius * C, wide = kDiskTile + 2 * reach;
    const int samples = in.size.width * C;
    Key best[kDiskRows][kEach];
#pragma unroll
    for (int k = 0; k < kDiskRows; ++k)
#pragma unroll
        for (int p = 0; p < kEach; ++p) best[k][p] = neutral<kMost, Key>();
    const int lastRow = min(in.size.height - 1, end - 1 + radius);
    for (int row = max(0, start - radius); row <= lastRow; ++row) {
        // The tables of the row before were used.
        __syncthreads();
        loadKeys<T, kMost>(rowOf<T>(in, row), samples, tile - reach, wide, tables);
        for (int level = 1; level < levels; ++level) {
            __syncthreads();
            const Key* below = tables + (level - 1) * wide;
            const int half = (1 << (level - 1)) * C, valid = wide - 2 * half + C;
            for (int i = int(threadIdx.x); i < valid; i += int(kThreads))
                tables[level * wide + i] = extreme<kMost>(below[i], below[i + half]);
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < kDiskRows; ++k) {
            const int dy = abs(row - (start + k));
            if (dy > radius) continue;
            const int half = halves.at[dy], length = 2 * half + 1;
            const int level = 31 - __clz(length);
            const Key* left = tables + level * wide + (radius - half) * C;
            const int apart = (length - (1 << level)) * C;
#pragma unroll
            for (int p = 0; p < kEach; ++p) {
                const int i = int(threadIdx.x) + p * int(kThreads);
                best[k][p] = extreme<kMost>(best[k][p], extreme<kMost>(left[i], left[i + apart]));
            }
        }
    }
#pragma unroll
    for (int k = 0; k < kDiskRows; ++k) {
        const int y = start + k;
        if (y >= end) break;
#pragma unroll
        for (int p = 0; p < kEach; ++p) {
            const int sample = tile + int(threadIdx.x) + p * int(kThreads);
            if (sample >= samples) break;
            T* const to = reinterpret_cast<T*>(out.data + std::int64_t(y) * out.pitch) + sample;
            if (C == 4 && sample % 4 == 3)
                *to = rowOf<T>(in, y)[sample];
            else
                *to = sampleOfKey<T>(best[k][p]);
        }
    }
}

struct Difference {
    __device__ int operator()(int a, int b) const { return a - b; }
    __device__ float operator()(float a, float b) const { return __fsub_rn(a, b); }
};

template <class T, int C>
class Passes {
  public:
    Passes(KernelContext& context, const MorphologyPlan& plan, const DeviceImage& in,
           const DeviceImage& out)
        : m_context(context), m_plan(plan), m_in(in), m_out(out) {}

    void run() {
        using enum MorphologyOperation;
        const MorphologyOperation of = m_plan.operationOf;
        const bool square = m_plan.shape == MorphologyShape::Square;
        if (square && of == Gradient && fits(SquareOf::Difference))
            return runSquare(m_context, m_plan.radius, SquareOf::Difference, m_in, m_out);
        if (square && !fits(SquareOf::Most)) m_between = imageIn(m_betweenMemory);
        if (of == Erode) return pass<false>(m_in, m_out);
        if (of == Dilate) return pass<true>(m_in, m_out);
        DeviceMemory memory;
        const DeviceImage first = imageIn(memory);
        if (of == Open || of == TopHat) {
            pass<false>(m_in, first);
            pass<true>(first, m_out);
        } else {
            pass<true>(m_in, first);
            pass<false>(of == Gradient ? m_in : first, m_out);
        }
        if (of == Gradient) subtract(first, m_out);
        if (of == TopHat) subtract(m_in, m_out);
        if (of == BlackHat) subtract(m_out, m_in);
    }

  private:
    bool fits(SquareOf what) const {
        return fitsSquare(m_context, m_in.format, m_plan.radius, what);
    }

    DeviceImage imageIn(DeviceMemory& memory) {
        memory = m_context.allocate(std::size_t(m_out.pitch) * unsigned(m_out.size.height));
        return {memory.as(), m_out.pitch, m_out.size, m_out.format};
    }

    template <bool kMost>
    void pass(const DeviceImage& in, const DeviceImage& out) {
        switch (m_plan.shape) {
            case MorphologyShape::Disk:
                return disk<kMost>(in, out);
            case MorphologyShape::Square:
                if (fits(SquareOf::Most))
                    return runSquare(m_context, m_plan.radius,
                                     kMost ? SquareOf::Most : SquareOf::Least, in, out);
                rows<kMost>(in, m_between, false);
                return columns<kMost>(m_between, out);
            case MorphologyShape::Cross:
                columns<kMost>(in, out);
                return rows<kMost>(in, out, true);
        }
    }

    template <bool kMost>
    void rows(const DeviceImage& in, const DeviceImage& out, bool merge) {
        const std::int64_t samples = std::int64_t(in.size.width) * C;
        const int wide = kTile + 2 * m_plan.radius * C;
        const FastDivide tiles(divideUp(std::uint64_t(samples), kTile));
        const std::size_t shared = 2 * sizeof(KeyOf<T>) * unsigned(wide);
        inPieces(morphologyRowsCost(samples, C, in.pitch + 2 * out.pitch, m_plan.radius),
                 [&](int first, int last, const LaunchCut& cut, int piece) {
                     const BlockRange blocks(cut, piece, tiles.divisor * unsigned(last - first));
                     launchRange(m_context, "morphology rows", blocks, kThreads, shared,
                                 rowsKernel<T, C, kMost>, in, out, first, m_plan.radius, merge,
                                 tiles, int(blocks.first) * kTile);
                 });
    }

    template <bool kMost>
    void columns(const DeviceImage& in, const DeviceImage& out) {
        const int side = 2 * m_plan.radius + 1;
        const FastDivide words(divideUp(std::uint64_t(in.rowBytes()), 4));
        inPieces(morphologyColumnsCost(words.divisor, 3 * in.pitch + 3 * out.pitch, m_plan.radius),
                 [&](int first, int last, const LaunchCut& cut, int piece) {
                     const std::uint32_t count =
                         words.divisor * divideUp(unsigned(last - first), unsigned(side));
                     const BlockRange blocks(cut, piece, divideUp(count, kThreads));
                     launchRange(m_context, "morphology columns", blocks, kThreads, 0,
                                 columnsKernel<T, C, kMost>, in, out, first, last, m_plan.radius,
                                 words, blocks.first, count);
                 });
    }

    template <bool kMost>
    void disk(const DeviceImage& in, const DeviceImage& out) {
        if constexpr (sizeof(T) == 1)
            if (m_plan.radius <= kMostSmallDisk)
                return runSmallDisk(m_context, m_plan.radius, kMost, in, out);
        const int radius = m_plan.radius, side = 2 * radius + 1;
        const int levels = std::bit_width(unsigned(side));
        const int wide = kDiskTile + 2 * radius * C;
        const std::int64_t samples = std::int64_t(in.size.width) * C;
        const FastDivide tiles(divideUp(std::uint64_t(samples), kDiskTile));
        const std::size_t shared = sizeof(KeyOf<T>) * unsigned(wide * levels);
        inPieces(diskCost(samples, C, in.pitch * 2 + out.pitch, radius),
                 [&](int first, int last, const LaunchCut& cut, int piece) {
                     const BlockRange blocks(
                         cut, piece, tiles.divisor * divideUp(unsigned(last - first), kDiskRows));
                     launchRange(m_context, "morphology disk", blocks, kThreads, shared,
                                 diskKernel<T, C, kMost>, in, out, first, last, radius, levels,
                                 tiles, int(blocks.first) * kDiskTile, m_plan.halves);
                 });
    }

    template <class LaunchPiece>
    void inPieces(const RowsCost& cost, const LaunchPiece& launchPiece) {
        const LaunchCut cut = cutRows(limitsOf(m_context), cost);
        forEachPiece(m_context, m_in.size.height, cut, cost.blocks,
                     [&](int first, int last, int piece) { launchPiece(first, last, cut, piece); });
    }

    // Into m_out, which may be one of both.
    void subtract(const DeviceImage& a, const DeviceImage& b) {
        combineSamples<T>(m_context, "morphology difference", a, b, m_out, Difference());
    }

    KernelContext& m_context;
    const MorphologyPlan& m_plan;
    DeviceImage m_in, m_out;
    // Of a square that runSquare() does not take: after its rows.
    DeviceMemory m_betweenMemory;
    DeviceImage m_between;
};

void run(KernelContext& context, const Plan& given, const DeviceImage& in, const DeviceImage& out) {
    const auto& plan = static_cast<const MorphologyPlan&>(given);
    if (isFloat(in.format)) {
        isColor(in.format) ? Passes<float, 4>(context, plan, in, out).run()
                           : Passes<float, 1>(context, plan, in, out).run();
        return;
    }
    forSamples(in.format, [&]<class T, int C>() { Passes<T, C>(context, plan, in, out).run(); });
}

// Minima and maxima of each shape and of disks that have kernels of their own, and their
// difference.
std::vector<ParamSet> warmUps() {
    std::vector<ParamSet> sets;
    const auto add = [&](const char* shape, int radius) {
        sets.emplace_back().set("operation", std::string("gradient"));
        sets.back().set("shape", std::string(shape));
        sets.back().set("radius", std::int64_t(radius));
    };
    for (const char* shape : {"disk", "square", "cross"}) add(shape, kMostSmallDisk + 1);
    add("square", kMaxMorphologyRadius);
    for (const char* operation : {"erode", "dilate"}) {
        add("square", 1);
        sets.back().set("operation", std::string(operation));
    }
    for (int radius = 1; radius <= kMostSmallDisk; ++radius) add("disk", radius);
    return sets;
}

}  // namespace

WARPSCOPE_CUDA_RUNNER(morphology, .run = run, .warmUps = warmUps, .loadKernels = loadSquareTiles);

}  // namespace warpscope::cuda
