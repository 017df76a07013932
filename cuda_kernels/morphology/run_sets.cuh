// Sets of pixels that touch. Pixels are bits of words of 32; what is joined are the runs of set
// bits within a word, so that full areas cost a node a word. Nodes are numbered in the order of the
// pixels: the node with the smallest number of a set has its first pixel. Tiles are joined in
// shared memory first and with each other afterwards. Which runs make a set does not depend on the
// order in which threads join them.
#pragma once

#include <algorithm>

#include "cuda_kernels/runtime/kernel_support.cuh"

namespace warpscope::cuda {

// Neighbouring runs have a clear bit between them: half of a run's first bit numbers it.
inline constexpr std::uint32_t kNodesPerWord = 16;
inline constexpr int kSetTileWords = 4;
inline constexpr unsigned kSetThreads = 256;

struct RunSets {
    std::uint32_t* words;    // rows of `perRow`
    std::uint32_t* parents;  // only where runs begin
    int perRow;
    int rows;
};

// A bit for the first bit of each run.
__device__ __forceinline__ std::uint32_t firstsOfRuns(std::uint32_t word) {
    return word & ~(word << 1);
}

// Of the run that bit `bit` is in: its first one.
__device__ __forceinline__ int firstOfRun(std::uint32_t word, int bit) {
    const std::uint32_t clear = ~word & ((1u << bit) - 1u);
    return clear ? 32 - __clz(int(clear)) : 0;
}

// Bits from `bit` on up to the end of its run.
__device__ __forceinline__ std::uint32_t restOfRun(std::uint32_t word, int bit) {
    const std::uint32_t beyond = ~word & (~0u << bit);
    const std::uint32_t below = beyond ? (beyond & (0u - beyond)) - 1u : ~0u;
    return below & (~0u << bit);
}

__device__ __forceinline__ std::uint32_t nodeAt(std::uint32_t wordIndex, std::uint32_t word,
                                                int bit) {
    return wordIndex * kNodesPerWord + std::uint32_t(firstOfRun(word, bit)) / 2;
}

// Parents while threads join sets.
struct GlobalParents {
    std::uint32_t* at;
    __device__ std::uint32_t load(std::uint32_t node) const {
        return *const_cast<volatile std::uint32_t*>(at + node);
    }
    // Of a node that has a parent and keeps one: whoever is late puts back one that is further
    // away.
    __device__ void bringNearer(std::uint32_t node, std::uint32_t parent) const {
        *const_cast<volatile std::uint32_t*>(at + node) = parent;
    }
};
struct SharedParents {
    std::uint32_t* at;
    // Between atomic accesses there are no races.
    __device__ std::uint32_t load(std::uint32_t node) const { return atomicOr(at + node, 0u); }
    __device__ void bringNearer(std::uint32_t node, std::uint32_t parent) const {
        atomicMin(at + node, parent);
    }
};

// The root of a node's set. Nodes on the way are brought nearer to it. Others may join sets
// meanwhile: parents only become smaller on the way up.
template <class Parents>
__device__ __forceinline__ std::uint32_t rootOf(const Parents& parents, std::uint32_t node) {
    std::uint32_t parent = parents.load(node);
    while (true) {
        const std::uint32_t next = parents.load(parent);
        if (next == parent) return parent;
        parents.bringNearer(node, next);
        node = parent;
        parent = next;
    }
}

template <class Parents>
__device__ __forceinline__ void joinNodes(const Parents& parents, std::uint32_t a,
                                          std::uint32_t b) {
    std::uint32_t first = rootOf(parents, a), second = rootOf(parents, b);
    while (first != second) {
        const std::uint32_t large = max(first, second), small = min(first, second);
        const std::uint32_t found = atomicCAS(parents.at + large, large, small);
        if (found == large) return;
        // Somebody else joined it first.
        first = rootOf(parents, found);
        second = rootOf(parents, small);
    }
}

// Of a set that is not joined any more; others may write its root as the parent of their nodes.
__device__ __forceinline__ std::uint32_t rootAtRest(const std::uint32_t* parents,
                                                    std::uint32_t node) {
    const volatile std::uint32_t* at = parents;
    std::uint32_t parent = at[node];
    for (std::uint32_t next; (next = at[parent]) != parent;) parent = next;
    return parent;
}

// A word, those beside it and the three above.
struct WordsAround {
    std::uint32_t left, own, right, aboveLeft, above, aboveRight;
};

// Calls touches(bit, side) for bits of the word that touch the row above at bit + side, but not
// where what the neighbour at the left or right touches joins them too.
template <class Touches>
__device__ __forceinline__ void forEachTouchAbove(const WordsAround& w, bool corners,
                                                  const Touches& touches) {
    const std::uint32_t left = w.own << 1 | w.left >> 31, right = w.own >> 1 | w.right << 31;
    const std::uint32_t aboveLeft = w.above << 1 | w.aboveLeft >> 31;
    const std::uint32_t aboveRight = w.above >> 1 | w.aboveRight << 31;
    const auto forEach = [&](std::uint32_t bits, int side) {
        for (; bits; bits &= bits - 1) touches(__ffs(int(bits)) - 1, side);
    };
    forEach(w.own & w.above & ~(left & aboveLeft), 0);
    if (!corners) return;
    const std::uint32_t free = w.own & ~w.above;
    forEach(free & aboveLeft & ~left, -1);
    forEach(free & aboveRight & ~right, 1);
}

// The node above a bit of the word with index `index` and `perRow` words a row.
__device__ __forceinline__ std::uint32_t nodeAbove(const WordsAround& w, std::uint32_t index,
                                                   std::uint32_t perRow, int bit, int side) {
    const std::uint32_t above = index - perRow;
    const int at = bit + side;
    if (at < 0) return nodeAt(above - 1, w.aboveLeft, 31);
    if (at > 31) return nodeAt(above + 1, w.aboveRight, 0);
    return nodeAt(above, w.above, at);
}

// A tile, of which each thread has a word, words[thread]. Afterwards each run has its parent in
// `parents` (kNodesPerWord a word, nodes within the tile). All threads of the block come here.
__device__ __forceinline__ void joinTile(const std::uint32_t* words, std::uint32_t* parents,
                                         bool corners) {
    const std::uint32_t index = threadIdx.x;
    const std::uint32_t own = words[index];
    for (std::uint32_t firsts = firstsOfRuns(own); firsts; firsts &= firsts - 1) {
        const std::uint32_t node =
            index * kNodesPerWord + std::uint32_t(__ffs(int(firsts)) - 1) / 2;
        parents[node] = node;
    }
    __syncthreads();
    if (own) {
        const bool hasLeft = index % kSetTileWords > 0;
        const bool hasRight = index % kSetTileWords + 1 < kSetTileWords;
        const bool hasAbove = index >= kSetTileWords;
        WordsAround w{};
        w.own = own;
        if (hasLeft) w.left = words[index - 1];
        if (hasRight) w.right = words[index + 1];
        if (hasAbove) {
            const std::uint32_t above = index - kSetTileWords;
            w.above = words[above];
            if (hasLeft) w.aboveLeft = words[above - 1];
            if (hasRight) w.aboveRight = words[above + 1];
        }
        if (own & w.left >> 31)
            joinNodes(SharedParents{parents}, nodeAt(index, own, 0), nodeAt(index - 1, w.left, 31));
        forEachTouchAbove(w, corners, [&](int bit, int side) {
            joinNodes(SharedParents{parents}, nodeAt(index, own, bit),
                      nodeAbove(w, index, kSetTileWords, bit, side));
        });
    }
    __syncthreads();
}

// Where a thread's word of a tile is in the image.
struct TileWord {
    int tileLeft, tileTop;  // word, row
    int word, row;
    bool inside;

    __device__ TileWord(const RunSets& sets, int left, int top)
        : tileLeft(left),
          tileTop(top),
          word(left + int(threadIdx.x) % kSetTileWords),
          row(top + int(threadIdx.x) / kSetTileWords),
          inside(word < sets.perRow && row < sets.rows) {}
    __device__ std::uint32_t index(const RunSets& sets) const {
        return std::uint32_t(row) * std::uint32_t(sets.perRow) + std::uint32_t(word);
    }
    // What a node within the tile is in the image.
    __device__ std::uint32_t inImage(const RunSets& sets, std::uint32_t node) const {
        const std::uint32_t inTile = node / kNodesPerWord;
        const std::uint32_t row = std::uint32_t(tileTop) + inTile / kSetTileWords;
        const std::uint32_t word = std::uint32_t(tileLeft) + inTile % kSetTileWords;
        return (row * std::uint32_t(sets.perRow) + word) * kNodesPerWord + node % kNodesPerWord;
    }
};

// Rows of tiles from firstTileRow on: a thread for each word of the first row of a tile, which may
// touch the tile above, and for each row of the first column of a tile, which may touch the one at
// the left.
template <int kRows>
__global__ void __launch_bounds__(kSetThreads)
    joinTilesKernel(RunSets sets, int firstTileRow, FastDivide perTileRow, std::uint32_t count,
                    bool corners) {
    const std::uint32_t i = blockIdx.x * kSetThreads + threadIdx.x;
    if (i >= count) return;
    const std::uint32_t down = perTileRow(i);
    const int item = int(i - down * perTileRow.divisor);
    const int top = (firstTileRow + int(down)) * kRows;
    const auto perRow = std::uint32_t(sets.perRow);
    if (item < sets.perRow) {
        if (top == 0) return;
        const std::uint32_t index = std::uint32_t(top) * perRow + std::uint32_t(item);
        const std::uint32_t* own = sets.words + index;
        const std::uint32_t* above = own - perRow;
        WordsAround w{};
        w.own = *own;
        if (w.own == 0) return;
        w.above = *above;
        if (item > 0) {
            w.left = own[-1];
            w.aboveLeft = above[-1];
        }
        if (item + 1 < sets.perRow) {
            w.right = own[1];
            w.aboveRight = above[1];
        }
        forEachTouchAbove(w, corners, [&](int bit, int side) {
            joinNodes(GlobalParents{sets.parents}, nodeAt(index, w.own, bit),
                      nodeAbove(w, index, perRow, bit, side));
        });
        return;
    }
    const int row = (item - sets.perRow) % kRows, column = (item - sets.perRow) / kRows + 1;
    const int y = top + row;
    if (y >= sets.rows) return;
    const std::uint32_t index = std::uint32_t(y) * perRow + std::uint32_t(column * kSetTileWords);
    const std::uint32_t own = sets.words[index], left = sets.words[index - 1];
    const bool hasOwn = own & 1u, hasLeft = left >> 31;
    const std::uint32_t aboveIndex = index - perRow;
    std::uint32_t above = 0, aboveLeft = 0;
    // Of the first row the other threads see to what is above.
    if (row > 0) {
        above = sets.words[aboveIndex];
        aboveLeft = sets.words[aboveIndex - 1];
    }
    const bool hasAbove = above & 1u, hasAboveLeft = aboveLeft >> 31;
    if (hasOwn && hasLeft) {
        // Else the row above joins them.
        if (!(hasAbove && hasAboveLeft))
            joinNodes(GlobalParents{sets.parents}, nodeAt(index, own, 0),
                      nodeAt(index - 1, left, 31));
    } else if (corners && hasOwn && !hasAbove && hasAboveLeft) {
        joinNodes(GlobalParents{sets.parents}, nodeAt(index, own, 0),
                  nodeAt(aboveIndex - 1, aboveLeft, 31));
    } else if (corners && hasLeft && !hasAboveLeft && hasAbove) {
        joinNodes(GlobalParents{sets.parents}, nodeAt(index - 1, left, 31),
                  nodeAt(aboveIndex, above, 0));
    }
}

// Words, rows and tiles of an image, and memory for them.
template <int kRows>
class RunSetsMemory {
  public:
    RunSetsMemory(KernelContext& context, Size size)
        : perRow(divideUp(unsigned(size.width), 32)),
          tilesAcross(divideUp(perRow, kSetTileWords)),
          tilesDown(divideUp(unsigned(size.height), kRows)),
          words(std::uint64_t(perRow) * unsigned(size.height)),
          m_words(context.allocate(words * sizeof(std::uint32_t))),
          m_parents(context.allocate(words * kNodesPerWord * sizeof(std::uint32_t))),
          sets{m_words.as<std::uint32_t>(), m_parents.as<std::uint32_t>(), int(perRow),
               size.height} {}

    // Calls launchTiles(first, last) for bands of rows of tiles; `items` are counted in 31 bits.
    template <class LaunchTiles>
    void forEachTileRow(KernelContext& context, std::int64_t bytesPerRow, std::int64_t workPerPixel,
                        std::int64_t itemsPerTileRow, const LaunchTiles& launchTiles) const {
        const std::int64_t work = std::int64_t(tilesAcross) * kSetTileWords * 32 * workPerPixel;
        const int fitting = context.rowsPerLaunch(bytesPerRow * kRows, work * kRows);
        const auto counted = int(std::max<std::int64_t>(0x7fffffff / itemsPerTileRow, 1));
        context.forEachBand(int(tilesDown), std::min(fitting, counted), launchTiles);
    }

    void joinTiles(KernelContext& context, const char* name, bool corners) const {
        const std::uint32_t perTileRow = perRow + kRows * (tilesAcross - 1);
        // Chains of parents may be long.
        forEachTileRow(
            context, std::int64_t(perRow) * 32, 16, perTileRow, [&](int first, int last) {
                const std::uint32_t count = perTileRow * unsigned(last - first);
                launch(context, name, divideUp(count, kSetThreads), kSetThreads, 0,
                       joinTilesKernel<kRows>, sets, first, FastDivide(perTileRow), count, corners);
            });
    }

    const std::uint32_t perRow, tilesAcross, tilesDown;
    const std::uint64_t words;

  private:
    DeviceMemory m_words, m_parents;

  public:
    const RunSets sets;
};

}  // namespace warpscope::cuda
