// Extremes over squares of medium radius, three windows at a time (window_groups.cuh): threads
// beside each other go down the columns of a tile, with all that windows share in registers; then
// each thread goes along a part of two of the tile's rows, one in each half of its words; at last
// threads beside each other make words of the image. Repeated edges change nothing: they lie in
// the window themselves.
#include "cuda_kernels/morphology/square_groups.cuh"

#include <algorithm>

#include "cuda_kernels/morphology/row_pairs.cuh"
#include "cuda_kernels/morphology/window_groups.cuh"
#include "cuda_kernels/runtime/blocks_by_device.cuh"
#include "cuda_kernels/runtime/tile_rows.h"

namespace warpscope::cuda {
namespace {

constexpr int kLeastRadius = 6, kMostRadius = 13;

constexpr int roundedUp(int value, int unit) {
    return (value + unit - 1) / unit * unit;
}

// Tiles of kRows rows. A word of the image is four gray pixels or one of colour; a thread has one
// of each row. A line has one channel of two rows.
template <int C, int kRadius, int kRows>
struct GroupTile {
    static constexpr int kThreads = C == 1 ? 128 : 256, kWordPixels = C == 1 ? 4 : 1;
    static constexpr int kBefore = (kRadius + kWordPixels - 1) / kWordPixels;
    static constexpr int kPairs = kRows / 2, kLines = kPairs * (C == 1 ? 1 : 3);
    static constexpr int kParts = kThreads / kLines;
    // Pixels that a thread makes of a line: groups of three that are words of four.
    static constexpr int kBatch = 12;
    static constexpr int kColumns = (kThreads - 2 * kBefore) * kWordPixels / 4 * 4;
    static constexpr int kPart = roundedUp(kColumns / kBatch * kBatch / kParts, kBatch);
    static constexpr int kMost = kColumns < kParts * kPart ? kColumns : kParts * kPart;

    // Words from one line to the next so that threads one after the other, which are on lines below
    // each other and then a part on, meet no bank twice: with 16 bytes, and with four.
    static constexpr int apart(int least, int words, int part, int banks) {
        int units = least / words | 1;
        while ((kLines * units - part / words) % banks != 0) units += 2;
        return units * words;
    }
    static constexpr int kPitch = apart(kThreads * kWordPixels, 4, kPart, 8);
    static constexpr int kMadePitch = apart(kPart / 4 * kParts, 1, kPart / 4, 32);
    // The last part goes on behind the last line.
    static constexpr int kCells = roundedUp(kLines * kPitch + kPart + 2 * kRadius, 4);
    static constexpr std::size_t kBytes = 4 * std::size_t(kCells + 2 * kLines * kMadePitch);
};

struct SquareGroups {
    int rows;   // of a block, a multiple of a tile's
    int words;  // of a row of a tile that are made
    FastDivide strips;
};

// Tiles as wide as each other for rows of an image.
template <int C, class Tile>
SquareGroups groupsFor(int width) {
    SquareGroups groups{};
    groups.strips = FastDivide(divideUp(unsigned(width), unsigned(Tile::kMost)));
    const unsigned words = divideUp(unsigned(width), Tile::kWordPixels);
    groups.words = int(divideUp(words, groups.strips.divisor));
    // Four at once are stored.
    if (C == 4) groups.words = roundedUp(groups.words, 4);
    return groups;
}

// The words of a column of an image. Those beyond an edge are made of the one at the edge.
template <int C>
class Column {
  public:
    __device__ __forceinline__ Column(const DeviceImage& in, int x)
        : m_pitch(std::uint32_t(in.pitch)), m_lastY(in.size.height - 1) {
        constexpr int kWordPixels = C == 1 ? 4 : 1;
        const int lastX = in.size.width - 1;
        const int inside = min(max(x, 0), lastX / kWordPixels * kWordPixels);
        m_from = in.data + std::int64_t(inside) * C;
#ifdef __CUDA_ARCH__
        // Else in.data is added once a load.
        asm("" : "+l"(m_from));
#endif
        if constexpr (C == 1) {
            const int kept = x < 0 ? 0 : min(max(lastX + 1 - x, 0), 4);
            const int edge = x < 0 ? 0 : min(lastX - inside, 3);
            const std::uint32_t outside = kept == 4 ? 0 : 0xffffu << (4 * kept) & 0xffffu;
            m_taken = (m_taken & ~outside) | (std::uint32_t(edge) * 0x1111u & outside);
        }
    }
    // A row is at one product of 32 bits from the first.
    __device__ __forceinline__ std::uint32_t fetch(int y) const {
        const auto row = std::uint32_t(min(max(y, 0), m_lastY));
        return __ldg(reinterpret_cast<const std::uint32_t*>(m_from + std::uint64_t(row) * m_pitch));
    }
    __device__ __forceinline__ std::uint32_t mended(std::uint32_t word) const {
        return C == 1 ? __byte_perm(word, 0, m_taken) : word;
    }

  private:
    const std::byte* m_from;
    std::uint32_t m_pitch, m_taken = 0x3210u;
    int m_lastY;
};

// Extremes down a column, tile by tile.
template <int C, SquareOf kWhat, int kRadius, int kRows>
class ColumnGroups {
    using E = Extremes<kWhat>;
    using Windows = WindowGroups<E, kRadius, kRows / 3>;
    using Tile = GroupTile<C, kRadius, kRows>;
    static constexpr int kBegin = Windows::kBegin;

  public:
    __device__ __forceinline__ ColumnGroups(const DeviceImage& in, int x, int top)
        : m_column(in, x) {
        constexpr int kThrees = Windows::kThrees;
        std::uint32_t words[3 * kThrees];
#pragma unroll
        for (int k = 0; k < 3 * kThrees; ++k) words[k] = m_column.fetch(top - kRadius + kBegin + k);
        fetchAhead(top);
#pragma unroll
        for (int i = 0; i < kThrees; ++i)
            m_windows.begin(i, extremes(words[3 * i]), extremes(words[3 * i + 1]),
                            extremes(words[3 * i + 2]));
    }
    // The rows that come into the tile from `y` on and those that its windows begin with: under way
    // while threads go along the tile before.
    __device__ __forceinline__ void fetchAhead(int y) {
#pragma unroll
        for (int k = 0; k < kRows; ++k) m_come[k] = m_column.fetch(y + k + kRadius);
#pragma unroll
        for (int k = 0; k < kRows + kBegin - 3; ++k)
            if (k % 3 < kBegin) m_gone[k] = m_column.fetch(y + k - kRadius);
    }
    // A tile's lines. `cells`: of the first pixel that is made, less what a window begins before
    // it.
    __device__ __forceinline__ void make(std::uint32_t* cells) {
#pragma unroll
        for (int row = 0; row < kRows; row += 6) {
            E made[6];
#pragma unroll
            for (int start = row; start < row + 6; start += 3) {
                E old[kBegin];
#pragma unroll
                for (int i = 0; i < kBegin; ++i) old[i] = extremes(m_gone[start + i]);
                const E last[3] = {extremes(m_come[start]), extremes(m_come[start + 1]),
                                   extremes(m_come[start + 2])};
                m_windows.make(start / 3, last, old, made + (start - row));
            }
#pragma unroll
            for (int i = 0; i < 6; i += 2) keep(made[i], made[i + 1], cells, (row + i) / 2);
        }
        m_windows.nextBatch();
    }

  private:
    __device__ __forceinline__ E extremes(std::uint32_t word) const {
        return E::ofWord(m_column.mended(word));
    }
    static __device__ __forceinline__ void keep(const E& upper, const E& lower,
                                                std::uint32_t* cells, int pair) {
        const uint2 a = halvesOf(upper), b = halvesOf(lower);
        const std::uint32_t samples[4] = {
            __byte_perm(a.x, b.x, 0x5410), __byte_perm(a.y, b.y, 0x5410),
            __byte_perm(a.x, b.x, 0x7632), __byte_perm(a.y, b.y, 0x7632)};
        std::uint32_t* const line = cells + pair * Tile::kPitch;
        constexpr int kShift = Tile::kBefore * Tile::kWordPixels - kRadius;
        if constexpr (C == 4) {
#pragma unroll
            for (int c = 0; c < 3; ++c) line[c * Tile::kPairs * Tile::kPitch] = samples[c];
        } else if constexpr (kShift == 0) {
            *reinterpret_cast<uint4*>(line) = {samples[0], samples[1], samples[2], samples[3]};
        } else {
            // No window needs the first pixels of a line.
            const bool isFirst = threadIdx.x == 0;
            if constexpr (kShift == 2) {
                if (!isFirst) *reinterpret_cast<uint2*>(line) = {samples[0], samples[1]};
                *reinterpret_cast<uint2*>(line + 2) = {samples[2], samples[3]};
            } else {
#pragma unroll
                for (int i = 0; i < 4; ++i)
                    if (!isFirst || i >= kShift) line[i] = samples[i];
            }
        }
    }

    Column<C> m_column;
    Windows m_windows;
    std::uint32_t m_come[kRows], m_gone[kRows + 1];
};

// Windows along a part of a line: from `cells` on to words of four samples, of the upper row and of
// the lower one.
template <class Tile, SquareOf kWhat, int kRadius>
__device__ __forceinline__ void goAlong(const std::uint32_t* cells, std::uint32_t* upper,
                                        std::uint32_t* lower) {
    using V = RowPair<kWhat>;
    using Windows = WindowGroups<V, kRadius, Tile::kPart / 3>;
    constexpr int kBatch = Tile::kBatch, kBegin = Windows::kBegin, kThrees = Windows::kThrees;
    constexpr int kAll = roundedUp(Tile::kPart + 2 * kRadius, 4);
    std::uint32_t words[kAll];
    const auto load = [&](int first, int end) {
#pragma unroll
        for (int i = first; i < end; i += 4) {
            const uint4 four = *reinterpret_cast<const uint4*>(cells + i);
            words[i] = four.x, words[i + 1] = four.y, words[i + 2] = four.z, words[i + 3] = four.w;
        }
    };
    const auto value = [&](int i) { return V::ofCell(words[i]); };
    int loaded = roundedUp(2 * kRadius, 4);
    load(0, loaded);
    Windows windows;
#pragma unroll
    for (int i = 0; i < kThrees; ++i) {
        const int at = kBegin + 3 * i;
        windows.begin(i, value(at), value(at + 1), value(at + 2));
    }
#pragma unroll
    for (int start = 0; start < Tile::kPart; start += kBatch) {
        const int needed = roundedUp(start + kBatch + 2 * kRadius, 4);
        load(loaded, needed);
        loaded = needed;
        V made[kBatch];
#pragma unroll
        for (int i = 0; i < kBatch; i += 3) {
            const int at = start + i, end = at + 2 * kRadius;
            V old[kBegin];
#pragma unroll
            for (int k = 0; k < kBegin; ++k) old[k] = value(at + k);
            const V last[3] = {value(end), value(end + 1), value(end + 2)};
            windows.make(at / 3, last, old, made + i);
        }
#pragma unroll
        for (int i = 0; i < kBatch; i += 4) {
            const std::uint32_t first = V::results(made[i], made[i + 1]);
            const std::uint32_t second = V::results(made[i + 2], made[i + 3]);
            upper[(start + i) / 4] = __byte_perm(first, second, 0x5410);
            lower[(start + i) / 4] = __byte_perm(first, second, 0x7632);
        }
    }
}

// The first `count` rows of a tile. What lies beyond a row goes into its padding.
template <int C, class Tile, int kRows>
__device__ __forceinline__ void write(const DeviceImage& in, const DeviceImage& out,
                                      const std::uint32_t* results, int madeX, int words, int y,
                                      int count) {
    constexpr int kPitch = Tile::kMadePitch;
    // Upper rows of all lines come first.
    const auto line = [&](int row) {
        return results + (row % 2 * Tile::kLines + row / 2) * kPitch;
    };
    const int thread = int(threadIdx.x), lastX = in.size.width - 1;
    if constexpr (C == 1) {
        const int x = madeX + thread * 4;
        if (thread >= words || x > lastX) return;
        std::byte* to = out.data + std::int64_t(y) * out.pitch + x;
#pragma unroll
        for (int k = 0; k < kRows; ++k, to += out.pitch)
            if (k < count) *reinterpret_cast<std::uint32_t*>(to) = line(k)[thread];
    } else {
        constexpr int kAcross = 64, kAtOnce = Tile::kThreads / kAcross;
        static_assert(Tile::kMost <= 4 * kAcross);
        const int four = thread % kAcross, x = madeX + 4 * four;
        if (4 * four >= words || x > lastX) return;
#pragma unroll
        for (int row = 0; row < kRows; row += kAtOnce) {
            const int k = row + thread / kAcross;
            if (k >= min(count, kRows)) continue;
            const std::uint32_t* const from = line(k) + four;
            const std::int64_t at = std::int64_t(x) * C;
            const uint4 centre = __ldg(
                reinterpret_cast<const uint4*>(in.data + std::int64_t(y + k) * in.pitch + at));
            *reinterpret_cast<uint4*>(out.data + std::int64_t(y + k) * out.pitch + at) = colours(
                from[0], from[Tile::kPairs * kPitch], from[2 * Tile::kPairs * kPitch], centre);
        }
    }
}

// Blocks of a multiprocessor that registers are to leave room for.
template <int C, int kRadius>
constexpr int blocksFor(SquareOf what) {
    if (C == 4) return 2;
    if (what != SquareOf::Difference) return 5;
    return kRadius == 12 ? blocksByDevice({4, 4, 3, 4}) : 4;
}

// Output rows [first, last); tiles of kRows rows are numbered along the rows.
template <int C, SquareOf kWhat, int kRadius, int kRows>
__global__ void __launch_bounds__(GroupTile<C, kRadius, kRows>::kThreads,
                                  (blocksFor<C, kRadius>(kWhat)))
    squareGroupsKernel(DeviceImage in, DeviceImage out, int first, int last, SquareGroups groups) {
    // Elsewhere extremes of three are no instruction, and other kernels are taken.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    using Tile = GroupTile<C, kRadius, kRows>;
    extern __shared__ __align__(16) unsigned char sharedBytes[];
    auto* const cells = reinterpret_cast<std::uint32_t*>(sharedBytes);
    auto* const results = cells + Tile::kCells;
    const int thread = int(threadIdx.x);
    const std::uint32_t down = groups.strips(blockIdx.x);
    const int strip = int(blockIdx.x - down * groups.strips.divisor);
    const int top = first + int(down) * groups.rows, bottom = min(top + groups.rows, last);
    const int madeX = strip * groups.words * Tile::kWordPixels;
    ColumnGroups<C, kWhat, kRadius, kRows> column(
        in, madeX + (thread - Tile::kBefore) * Tile::kWordPixels, top);
    std::uint32_t* const own =
        cells + thread * Tile::kWordPixels - (Tile::kBefore * Tile::kWordPixels - kRadius);
    const int line = thread % Tile::kLines, part = thread / Tile::kLines;
    const bool goes = part < Tile::kParts && part * Tile::kPart < groups.words * Tile::kWordPixels;
    const std::uint32_t* const from = cells + line * Tile::kPitch + part * Tile::kPart;
    std::uint32_t* const upper = results + line * Tile::kMadePitch + part * (Tile::kPart / 4);
    for (int y = top; y < bottom; y += kRows) {
        column.make(own);
        if (y + kRows < bottom) column.fetchAhead(y + kRows);
        __syncthreads();
        if (goes)
            goAlong<Tile, kWhat, kRadius>(from, upper, upper + Tile::kLines * Tile::kMadePitch);
        __syncthreads();
        write<C, Tile, kRows>(in, out, results, madeX, groups.words, y, bottom - y);
    }
#endif
}

constexpr int kTileRows = 12;
// Of a block: as measured, higher ones leave multiprocessors with less to do in between.
template <int C>
constexpr int kMostRows = C == 1 ? 24 : 72;

template <int C, SquareOf kWhat, int kRadius>
void runOf(KernelContext& context, const DeviceImage& in, const DeviceImage& out) {
    using Tile = GroupTile<C, kRadius, kTileRows>;
    SquareGroups groups = groupsFor<C, Tile>(in.size.width);
    const unsigned across = groups.strips.divisor;
    const int most =
        context.rowsPerLaunch(in.pitch * 4 + out.pitch, std::int64_t(across) * Tile::kThreads * 64);
    const int wanted = tileRowsFor(kTileRows, 2 * kRadius, int(across), in.size.height,
                                   context.traits().multiprocessors, kMostRows<C>);
    groups.rows = std::max(kTileRows, std::min(wanted, most / kTileRows * kTileRows));
    const int bandRows = std::max(groups.rows, most / groups.rows * groups.rows);
    context.forEachBand(in.size.height, bandRows, [&](int first, int last) {
        launch(context, "morphology square", across * divideUp(unsigned(last - first), groups.rows),
               Tile::kThreads, Tile::kBytes, squareGroupsKernel<C, kWhat, kRadius, kTileRows>, in,
               out, first, last, groups);
    });
}

template <class Work, int kRadius = kLeastRadius>
void forRadius(int radius, const Work& work) {
    if constexpr (kRadius <= kMostRadius) {
        if (radius == kRadius)
            work.template operator()<kRadius>();
        else
            forRadius<Work, kRadius + 1>(radius, work);
    }
}

}  // namespace

bool fitsSquareGroups(const KernelContext& context, PixelFormat format, int radius) {
    if (context.traits().major < 9) return false;
    if (isFloat(format) || bytesPerSample(format) != 1) return false;
    return radius >= kLeastRadius && radius <= kMostRadius;
}

void runSquareGroups(KernelContext& context, int radius, SquareOf what, const DeviceImage& in,
                     const DeviceImage& out) {
    forSquareOf(what, [&]<SquareOf kWhat>() {
        forRadius(radius, [&]<int kRadius>() {
            isColor(in.format) ? runOf<4, kWhat, kRadius>(context, in, out)
                               : runOf<1, kWhat, kRadius>(context, in, out);
        });
    });
}

void loadSquareGroups() {
    for (const SquareOf what : {SquareOf::Least, SquareOf::Most, SquareOf::Difference})
        forSquareOf(what, [&]<SquareOf kWhat>() {
            for (int radius = kLeastRadius; radius <= kMostRadius; ++radius)
                forRadius(radius, [&]<int kRadius>() {
                    loadKernel(squareGroupsKernel<1, kWhat, kRadius, kTileRows>);
                    loadKernel(squareGroupsKernel<4, kWhat, kRadius, kTileRows>);
                });
        });
}

}  // namespace warpscope::cuda
