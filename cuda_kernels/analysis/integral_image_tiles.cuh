// The tiles of integral_image_tiles.cu: what is kept of each, and how a warp's lanes share its
// rows.
#pragma once

#include "cuda_kernels/analysis/integral_image.cuh"
#include "cuda_kernels/runtime/blocks_by_device.cuh"

namespace warpscope::cuda::integral {

constexpr int kTileWidth = 128;
constexpr unsigned kAll = 0xffffffffu;

// Sums of tiles, of each plane in turn.
template <class Sum>
struct TileSums {
    Sum* rows;     // [tilesX][tilesY * tileRows]: of one row of a tile; after step 2 of all before
    Sum* bottoms;  // [tilesY][tilesX * kTileWidth]: last row of a tile's own integral image; after
                   // step 2 the image's last row above the tile
    Sum* totals;   // [tilesY][tilesX]
    int tilesX;
    int tilesY;
    int paddedRows;  // tilesY * rows of a tile

    __device__ Sum* rowsOf(int plane, int tileX) const {
        return rows + (std::int64_t(plane) * tilesX + tileX) * paddedRows;
    }
    __device__ Sum* bottomsOf(int plane, int tileY) const {
        return bottoms +
               (std::int64_t(plane) * tilesY + tileY) * (std::int64_t(tilesX) * kTileWidth);
    }
    __device__ Sum* totalsOf(int plane, int tileY) const {
        return totals + (std::int64_t(plane) * tilesY + tileY) * tilesX;
    }
};

struct Tile {
    int x, y, plane;
    __device__ Tile(FastDivide tilesX, FastDivide tilesY) {
        const std::uint32_t row = tilesX(blockIdx.x);
        x = int(blockIdx.x - row * tilesX.divisor);
        plane = int(tilesY(row));
        y = int(row - unsigned(plane) * tilesY.divisor);
    }
};

template <class V>
__device__ __forceinline__ V inclusiveScan(V value, int lane) {
#pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {
        const V left = __shfl_up_sync(kAll, value, unsigned(distance));
        if (lane >= distance) value += left;
    }
    return value;
}

template <class V>
__device__ __forceinline__ V warpSum(V value) {
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2)
        value += __shfl_xor_sync(kAll, value, distance);
    return value;
}

// Totals over the warp of kRows values a lane: that of row r ends in the lanes from r * 32 / kRows.
template <int kRows>
__device__ __forceinline__ std::uint32_t rowTotals(std::uint32_t (&value)[kRows], int lane) {
    int distance = 16;
#pragma unroll
    for (int half = kRows / 2; half > 0; half /= 2) {
        const bool upper = (lane & distance) != 0;
#pragma unroll
        for (int i = 0; i < half; ++i) {
            const std::uint32_t sent = upper ? value[i] : value[i + half];
            const std::uint32_t kept = upper ? value[i + half] : value[i];
            value[i] = kept + __shfl_xor_sync(kAll, sent, distance);
        }
        distance /= 2;
    }
    std::uint32_t total = value[0];
#pragma unroll
    for (int rest = 16 / kRows; rest > 0; rest /= 2) total += __shfl_xor_sync(kAll, total, rest);
    return total;
}

// Which of a tile's columns a lane has: four neighbours for 32-bit sums, two and two for 64-bit
// ones, so that a warp always stores 512 bytes in a row.
template <class Sum>
struct LaneColumns {
    static constexpr int kGroups = int(sizeof(Sum)) / 4;
    static constexpr int kEach = 4 / kGroups;
    __device__ static int first(int lane, int group) { return group * 64 + lane * kEach; }
};

template <class T, SumOf What, class Sum, int kRows>
struct LaneTile {
    using Columns = LaneColumns<Sum>;
    using Pixels = PackedPixels<T, What, Columns::kEach>;
    static constexpr int kGroups = Columns::kGroups;
    // 8 bits: two sums of up to 128 samples share a word.
    static constexpr int kShared = sizeof(T) == 1 ? 2 : 1;
    static constexpr int kScans = kRows * kGroups / kShared;

    static constexpr int kWords = int(sizeof(T));

    std::uint32_t packed[kRows][kWords];  // the lane's four samples of each row
    std::uint32_t before[kScans];         // sums of the lanes to the left

    __device__ void load(const DeviceImage& in, int tileColumn, int y, int plane, int lane) {
#pragma unroll
        for (int r = 0; r < kRows; ++r) {
#pragma unroll
            for (int g = 0; g < kGroups; ++g) {
                const int column = tileColumn + Columns::first(lane, g);
                const int valid = y + r < in.size.height ? in.size.width - column : 0;
                std::uint32_t group[Pixels::kWords];
                Pixels::load(in.data + (y + r) * in.pitch, column, valid, plane, group);
                if constexpr (sizeof(T) == 1 && kGroups == 2) {
                    packed[r][0] = g == 0 ? group[0] : packed[r][0] | group[0] << 16;
                } else {
#pragma unroll
                    for (int w = 0; w < Pixels::kWords; ++w)
                        packed[r][g * Pixels::kWords + w] = group[w];
                }
            }
        }
    }
    __device__ std::uint32_t total(int r, int g) const {
        std::uint32_t sum = 0;
#pragma unroll
        for (int k = 0; k < Columns::kEach; ++k)
            sum += sampleOf<T>(packed[r], g * Columns::kEach + k);
        return sum;
    }
    __device__ void scan(int lane) {
#pragma unroll
        for (int i = 0; i < kScans; ++i) {
            const int q = i * kShared;
            std::uint32_t own = total(q / kGroups, q % kGroups);
            if constexpr (kShared == 2) own |= total((q + 1) / kGroups, (q + 1) % kGroups) << 16;
            const std::uint32_t upTo = inclusiveScan(own, lane);
            before[i] = upTo - own;
            if constexpr (kGroups == 2) {
                // The second half of the tile follows the first.
                if constexpr (kShared == 2)
                    before[i] += __shfl_sync(kAll, upTo, 31) << 16;
                else if (i % 2 == 0)
                    m_half = __shfl_sync(kAll, upTo, 31);
                else
                    before[i] += m_half;
            }
        }
    }
    // Sums within the tile's row up to and with the lane's columns.
    __device__ void rowSums(int r, std::uint32_t (&sums)[4]) const {
#pragma unroll
        for (int g = 0; g < kGroups; ++g) {
            const int q = r * kGroups + g;
            std::uint32_t sum = before[q / kShared];
            if constexpr (kShared == 2) sum = q % 2 ? sum >> 16 : sum & 0xffffu;
#pragma unroll
            for (int k = 0; k < Columns::kEach; ++k) {
                sum += sampleOf<T>(packed[r], g * Columns::kEach + k);
                sums[g * Columns::kEach + k] = sum;
            }
        }
    }

    // Keeps the compiler from carrying row sums over to their second use: adding up again is
    // cheaper than the registers.
    __device__ void forget() {
#pragma unroll
        for (int r = 0; r < kRows; ++r) {
#pragma unroll
            for (int w = 0; w < kWords; ++w) asm volatile("" : "+r"(packed[r][w]));
        }
#pragma unroll
        for (int i = 0; i < kScans; ++i) asm volatile("" : "+r"(before[i]));
    }

  private:
    std::uint32_t m_half;
};

__device__ __forceinline__ void storeSums(std::byte* at, const std::uint32_t (&sums)[4], int) {
    *reinterpret_cast<uint4*>(at) = {sums[0], sums[1], sums[2], sums[3]};
}
__device__ __forceinline__ void storeSums(std::byte* at, const std::uint64_t (&sums)[4],
                                          int group) {
    *reinterpret_cast<ulonglong2*>(at) = {sums[2 * group], sums[2 * group + 1]};
}

// Blocks of the last step on a multiprocessor, so that a 4K image runs in one wave where registers
// allow it: the compiler would rather keep sums than add them up again.
// Of the smallest images there is one on a multiprocessor. On the newest devices the assembler
// itself stays at the registers of two, and keeps nothing in memory then.
enum class Before { Scanned, Tiles, Pixels };  // where a tile finds what lies before it
template <class T, SumOf What, class Sum, Before kBefore>
constexpr int kResident = kBefore == Before::Pixels ? 1
                          : sizeof(T) == 2          ? blocksByDevice({2, 2, 2, 0})
                          : sizeof(Sum) == 8        ? blocksByDevice({2, 3, 2, 0})
                          : What == SumOf::Luma     ? blocksByDevice({3, 4, 2})
                                                    : blocksByDevice({3, 4, 3});

}  // namespace warpscope::cuda::integral
