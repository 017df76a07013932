// A block has a tile of pixels, those around it and all weights in shared memory. A thread makes
// four pixels beside each other, from words of neighbours that it has in registers: of each
// neighbour a sum that is the address of its weight, the look-up, and the sums.
#include "cuda_kernels/runtime/launch_pieces.cuh"
#include "cuda_kernels/smoothing/bilateral_tables.cuh"

#include <string>

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = 256;
constexpr int kEach = kBilateralEach;
constexpr int kGroups = kBilateralTileWidth / kEach;
constexpr int kRowsAtATime = int(kThreads) / kGroups;
// The largest radius with a kernel of its own.
constexpr int kMostUnrolled = 5;

__host__ __device__ constexpr bool isInDisk(int dx, int dy, int radius) {
    return dx * dx + dy * dy <= radius * radius;
}

// The floor of n / d for n up to 2^27 and results up to 256.
__device__ __forceinline__ int quotientOf(int n, int d) {
    int made = int(__fdividef(__int2float_rn(n), __int2float_rn(d)));
    const int rest = n - made * d;
    if (rest < 0) --made;
    if (rest >= d) ++made;
    return made;
}

// |a - b| of three bytes, and `sum`.
__device__ __forceinline__ std::uint32_t distance(std::uint32_t a, std::uint32_t b,
                                                  std::uint32_t sum) {
#ifdef WARPSCOPE_EMULATED_DOT_PRODUCTS
    for (int i = 0; i < 4; ++i) sum += std::uint32_t(abs(int(byteOf(a, i)) - int(byteOf(b, i))));
    return sum;
#else
    std::uint32_t made;
    asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(made) : "r"(a), "r"(b), "r"(sum));
    return made;
#endif
}

// Four pixels of a tile.
template <int C>
struct PixelGroup;

template <>
struct PixelGroup<1> {
    std::uint32_t word;
    __device__ __forceinline__ std::uint32_t operator[](int i) const { return byteOf(word, i); }
};
// Without alpha.
template <>
struct __align__(16) PixelGroup<4> {
    std::uint32_t words[4];
    __device__ __forceinline__ std::uint32_t operator[](int i) const {
        return words[i];
    }
};

// Begins with the pixel itself, whose weight is 256.
template <int C, class Entry>
struct PixelSums;

template <class Entry>
struct PixelSums<1, Entry> {
    std::uint32_t weight, sum, own;

    __device__ __forceinline__ explicit PixelSums(std::uint32_t pixel)
        : weight(256), sum(256 * pixel), own(pixel) {}
    __device__ __forceinline__ void add(const Entry* table, std::uint32_t place,
                                        std::uint32_t pixel) {
        const std::uint32_t w = table[pixel - own + place];
        weight += w;
        sum += w * pixel;
    }
};

template <class Entry>
struct PixelSums<4, Entry> {
    std::uint32_t weight, sums[3], own;

    __device__ __forceinline__ explicit PixelSums(std::uint32_t pixel) : weight(256), own(pixel) {
#pragma unroll
        for (int c = 0; c < 3; ++c) sums[c] = 256 * byteOf(pixel, c);
    }
    __device__ __forceinline__ void add(const Entry* table, std::uint32_t place,
                                        std::uint32_t pixel) {
        const std::uint32_t w = table[distance(pixel, own, place)];
        weight += w;
#pragma unroll
        for (int c = 0; c < 3; ++c) sums[c] += w * byteOf(pixel, c);
    }
};

// Group number `group` of a row, which may begin before or end after it; edges repeated.
template <int C>
__device__ __forceinline__ PixelGroup<C> loadGroup(const std::byte* row, int group, int lastX) {
    const int x = group * kEach;
    const bool inside = x >= 0 && x + kEach - 1 <= lastX;
    PixelGroup<C> made;
    if constexpr (C == 1) {
        if (inside) {
            made.word = __ldg(reinterpret_cast<const std::uint32_t*>(row + x));
        } else {
            made.word = 0;
#pragma unroll
            for (int i = 0; i < kEach; ++i)
                made.word |= std::uint32_t(row[min(max(x + i, 0), lastX)]) << (8 * i);
        }
    } else {
#pragma unroll
        for (int i = 0; i < kEach; ++i)
            made.words[i] =
                __ldg(reinterpret_cast<const std::uint32_t*>(row) + min(max(x + i, 0), lastX)) &
                0xffffffu;
    }
    return made;
}

// Output rows [first, last); tiles are numbered along the rows. kRadius 0: whatever `radius` is.
template <int C, class Entry, int kRadius>
__global__ void __launch_bounds__(kThreads, 3)
    bilateralTableKernel(DeviceImage in, DeviceImage out, int first, int last,
                         FastDivide tilesAcross, unsigned firstBlock, int radius,
                         const uint4* tables, int tableBytes,
                         const __grid_constant__ BilateralPlaces places) {
    using Group = PixelGroup<C>;
    extern __shared__ __align__(16) unsigned char bilateralTableShared[];
    const int r = kRadius ? kRadius : radius;
    const int halo = (r + kEach - 1) / kEach, pitch = kGroups + 2 * halo + 1;
    const auto* const table = reinterpret_cast<const Entry*>(bilateralTableShared);
    auto* const rowPlaces = reinterpret_cast<BilateralPlaces*>(bilateralTableShared + tableBytes);
    auto* const tile = reinterpret_cast<Group*>(rowPlaces + 1);
    const std::uint32_t block = firstBlock + blockIdx.x, tileRow = tilesAcross(block);
    const int left = int(block - tileRow * tilesAcross.divisor) * kGroups;
    const int top = first + int(tileRow) * kBilateralTileHeight;
    const int bottom = min(top + kBilateralTileHeight, last);
    const int lastX = in.size.width - 1, lastY = in.size.height - 1;
    for (int i = int(threadIdx.x); i < tableBytes / 16; i += int(kThreads))
        reinterpret_cast<uint4*>(bilateralTableShared)[i] = __ldg(tables + i);
    if constexpr (kRadius == 0)
        for (int i = int(threadIdx.x); i < int(sizeof(places) / 4); i += int(kThreads))
            reinterpret_cast<std::uint32_t*>(rowPlaces)[i] =
                reinterpret_cast<const std::uint32_t*>(&places)[i];
    for (int i = int(threadIdx.x); i < pitch * (bottom - top + 2 * r); i += int(kThreads)) {
        const int row = i / pitch;
        const int y = min(max(top + row - r, 0), lastY);
        tile[i] = loadGroup<C>(in.data + std::int64_t(y) * in.pitch, left + i - row * pitch - halo,
                               lastX);
    }
    __syncthreads();
    const int group = int(threadIdx.x) % kGroups;
    const int x = (left + group) * kEach;
    if (x > lastX) return;
#pragma unroll 1
    for (int row = int(threadIdx.x) / kGroups; row < bottom - top; row += kRowsAtATime) {
        const Group* const own = tile + (row + r) * pitch + group + halo;
        const Group centre = *own;
        PixelSums<C, Entry> sums[kEach] = {
            PixelSums<C, Entry>(centre[0]), PixelSums<C, Entry>(centre[1]),
            PixelSums<C, Entry>(centre[2]), PixelSums<C, Entry>(centre[3])};
        // Columns dx to dx + 3 of a row of neighbours, dy above or below.
        [[maybe_unused]] const auto addGroup = [&](const Group& here, const Group& next, int dx,
                                                   int dy) {
#pragma unroll
            for (int j = 0; j < kEach; ++j) {
                if (!isInDisk(dx + j, dy, r) || (dx + j == 0 && dy == 0)) continue;
                const std::uint32_t place = places.at[dy][dx + j + BilateralPlaces::kMiddle];
#pragma unroll
                for (int i = 0; i < kEach; ++i)
                    sums[i].add(table, place, i + j < kEach ? here[i + j] : next[i + j - kEach]);
            }
        };
        if constexpr (kRadius) {
            constexpr int kHalo = (kRadius + kEach - 1) / kEach;
#pragma unroll
            for (int away = 0; away <= kRadius; ++away) {
                // The row above and the one below in turn: else sums of places and pixels would be
                // kept for all rows, in memory.
#pragma unroll 1
                for (int dy = -away; dy <= away; dy += away ? 2 * away : 1) {
                    const Group* const row = own + dy * pitch;
#pragma unroll
                    for (int k = -kHalo; k <= kRadius / kEach; ++k)
                        addGroup(row[k], row[k + 1], k * kEach, away);
                }
            }
        } else {
            for (int dy = -r; dy <= r; ++dy) {
                // Of two columns at a time, one may lie outside the disk.
                const int reach = int(rowPlaces->reach[abs(dy)]);
                const int begin = -(reach + 1) / 2 * 2, end = reach / 2 * 2;
                const Group* const line = own + dy * pitch;
                const uint4* const groups = reinterpret_cast<const uint4*>(
                    rowPlaces->at[abs(dy)] + BilateralPlaces::kMiddle);
                const int firstGroup = (begin - 2) / kEach;
                Group here = line[firstGroup];
                for (int k = firstGroup; k <= end / kEach; ++k) {
                    const Group next = line[k + 1];
                    const uint4 given = groups[k];
                    const std::uint32_t place[kEach] = {given.x, given.y, given.z, given.w};
#pragma unroll
                    for (int half = 0; half < kEach; half += 2) {
                        if (k * kEach + half < begin || k * kEach + half > end) continue;
#pragma unroll
                        for (int j = half; j < half + 2; ++j)
#pragma unroll
                            for (int i = 0; i < kEach; ++i)
                                sums[i].add(table, place[j],
                                            i + j < kEach ? here[i + j] : next[i + j - kEach]);
                    }
                    here = next;
                }
            }
        }
        const int y = top + row;
        std::byte* const to = out.data + std::int64_t(y) * out.pitch + std::int64_t(x) * C;
        if constexpr (C == 1) {
            std::uint32_t made = 0;
#pragma unroll
            for (int i = 0; i < kEach; ++i)
                made |= std::uint32_t(quotientOf(int(2 * sums[i].sum + sums[i].weight),
                                                 int(2 * sums[i].weight)))
                        << (8 * i);
            *reinterpret_cast<std::uint32_t*>(to) = made;
        } else {
            // Alpha from the image; what lies beyond the row goes into its padding.
            const uint4 given = __ldg(reinterpret_cast<const uint4*>(
                in.data + std::int64_t(y) * in.pitch + std::int64_t(x) * C));
            std::uint32_t made[kEach] = {given.x, given.y, given.z, given.w};
#pragma unroll
            for (int i = 0; i < kEach; ++i) {
                made[i] &= 0xff000000u;
#pragma unroll
                for (int c = 0; c < 3; ++c)
                    made[i] |= std::uint32_t(quotientOf(int(2 * sums[i].sums[c] + sums[i].weight),
                                                        int(2 * sums[i].weight)))
                               << (8 * c);
            }
            *reinterpret_cast<uint4*>(to) = {made[0], made[1], made[2], made[3]};
        }
    }
}

using BilateralKernel = void (*)(DeviceImage, DeviceImage, int, int, FastDivide, unsigned, int,
                                 const uint4*, int, BilateralPlaces);

// With a compiled radius where there is one.
template <int C, int kRadius = 1>
BilateralKernel kernelFor(int radius) {
    if constexpr (kRadius > kMostUnrolled)
        return bilateralTableKernel<C, std::uint8_t, 0>;
    else
        return radius == kRadius ? bilateralTableKernel<C, std::uint8_t, kRadius>
                                 : kernelFor<C, kRadius + 1>(radius);
}

}  // namespace

void runBilateralTables(KernelContext& context, const BilateralPlan& plan,
                        const BilateralTables& tables, const std::string& key,
                        const DeviceImage& in, const DeviceImage& out) {
    const auto* words = reinterpret_cast<const uint4*>(
        context.device().constants(key, [&] { return tables.words(plan); }));
    const bool colour = isColor(in.format);
    BilateralKernel kernel = nullptr;
    if (tables.entryBytes == 2)
        kernel = colour ? bilateralTableKernel<4, std::uint16_t, 0>
                        : bilateralTableKernel<1, std::uint16_t, 0>;
    else
        kernel = colour ? kernelFor<4>(plan.radius) : kernelFor<1>(plan.radius);
    const FastDivide across(divideUp(unsigned(in.size.width), kBilateralTileWidth));
    const RowsCost cost =
        bilateralTablesCost(in.size.width, colour, in.pitch * 3 + out.pitch, plan.radius);
    const LaunchCut cut = cutRows(limitsOf(context), cost);
    forEachPiece(context, in.size.height, cut, cost.blocks, [&](int first, int last, int piece) {
        const BlockRange blocks(
            cut, piece, across.divisor * divideUp(unsigned(last - first), kBilateralTileHeight));
        launchRange(context, "bilateral", blocks, kThreads, tables.sharedBytes(plan.radius), kernel,
                    in, out, first, last, across, blocks.first, plan.radius, words,
                    int(tables.tableBytes()), tables.places);
    });
}

}  // namespace warpscope::cuda
