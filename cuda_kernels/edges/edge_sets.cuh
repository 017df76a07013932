// Which weak edge pixels hang together with strong ones. A warp has a tile of 32 x 32 pixels, a row
// a lane and a bit a pixel: within it white spreads by logical operations. What is left and reaches
// the tile's border is open: sets of such pixels are joined across borders, and with everything
// white in one set, whose root is node 0. Then white spreads from the border once more. What is
// reached does not depend on the order in which threads join sets.
#pragma once

#include <algorithm>

#include "cuda_kernels/runtime/early_launch.cuh"

namespace warpscope::cuda {

inline constexpr int kEdgeTile = 32;
inline constexpr unsigned kEveryLane = 0xffffffffu;

// Nodes of a tile: a place for each pixel of its border, of which corners have two.
enum EdgePlace : std::uint32_t { kTopPlace, kBottomPlace = 32, kLeftPlace = 64, kRightPlace = 96 };
inline constexpr std::uint32_t kPlaces = 128;

struct EdgeTiles {
    std::uint32_t* white;  // kEdgeTile rows a tile
    std::uint32_t* open;
    uint4* sides;            // a tile: {white, open} of its first column, then of its last
    std::uint32_t* parents;  // only where something is open
    int across, down;

    static std::uint64_t bytes(std::uint64_t tiles) {
        return tiles * (2 * kEdgeTile * sizeof(std::uint32_t) + sizeof(uint4)) +
               (tiles + 1) * kPlaces * sizeof(std::uint32_t);
    }
    static EdgeTiles in(std::byte* memory, int across, int down) {
        const std::size_t tiles = std::size_t(across) * unsigned(down);
        auto* sides = reinterpret_cast<uint4*>(memory);
        auto* white = reinterpret_cast<std::uint32_t*>(sides + tiles);
        return {white, white + tiles * kEdgeTile, sides, white + tiles * 2 * kEdgeTile, across,
                down};
    }
    __device__ std::uint32_t tileAt(int column, int row) const {
        return std::uint32_t(row) * std::uint32_t(across) + std::uint32_t(column);
    }
};

// Node 0 is no tile's.
__device__ __forceinline__ std::uint32_t firstNode(std::uint32_t tile) {
    return (tile + 1) * kPlaces;
}

// ---- within a tile ----

// All of the runs of `free` that have a bit of `seeds`, which are among them: from each seed on a
// carry runs through the bits above it.
__device__ __forceinline__ std::uint32_t filledRuns(std::uint32_t free, std::uint32_t seeds) {
    const std::uint32_t up = (free & ~(free + seeds)) | seeds;
    const std::uint32_t freeBack = __brev(free), upBack = __brev(up);
    return __brev((freeBack & ~(freeBack + upBack)) | upBack);
}

// `seeds` and what of `free` touches them or lies beside that. For whole warps.
__device__ __forceinline__ std::uint32_t grown(std::uint32_t free, std::uint32_t seeds) {
    // The first and the last lane get their own.
    const std::uint32_t column =
        seeds | __shfl_up_sync(kEveryLane, seeds, 1) | __shfl_down_sync(kEveryLane, seeds, 1);
    return filledRuns(free, free & (column | column << 1 | column >> 1));
}

// All pixels of `free` that touch each other and seeds, which are among them. For whole warps.
__device__ __forceinline__ std::uint32_t flooded(std::uint32_t free, std::uint32_t seeds) {
    while (true) {
        const std::uint32_t more = grown(free, seeds);
        if (!__any_sync(kEveryLane, more != seeds)) return seeds;
        seeds = more;
    }
}

// The sides of a tile of which each lane has a row: a bit a pixel.
struct EdgeSides {
    std::uint32_t top, bottom, left, right;

    __device__ explicit EdgeSides(std::uint32_t row)
        : top(__shfl_sync(kEveryLane, row, 0)),
          bottom(__shfl_sync(kEveryLane, row, 31)),
          left(__ballot_sync(kEveryLane, row & 1u)),
          right(__ballot_sync(kEveryLane, row >> 31)) {}
    __device__ std::uint32_t any() const { return top | bottom | left | right; }
    // The first place of all.
    __device__ std::uint32_t firstPlace() const {
        return top      ? kTopPlace + firstBit(top)
               : bottom ? kBottomPlace + firstBit(bottom)
               : left   ? kLeftPlace + firstBit(left)
                        : kRightPlace + firstBit(right);
    }
    __device__ void remove(const EdgeSides& others) {
        top &= ~others.top;
        bottom &= ~others.bottom;
        left &= ~others.left;
        right &= ~others.right;
    }
    static __device__ std::uint32_t firstBit(std::uint32_t bits) {
        return std::uint32_t(__ffs(int(bits))) - 1;
    }
};

// Makes the first place of a set the parent of all its places. For whole warps.
__device__ __forceinline__ void giveParents(const EdgeSides& set, std::uint32_t* parents,
                                            std::uint32_t first) {
    const std::uint32_t lane = threadIdx.x % 32, node = first + set.firstPlace();
    const auto give = [&](std::uint32_t places, std::uint32_t from) {
        if (places >> lane & 1u) parents[first + from + lane] = node;
    };
    give(set.top, kTopPlace);
    give(set.bottom, kBottomPlace);
    give(set.left, kLeftPlace);
    give(set.right, kRightPlace);
}

// Gives each set of `weak` that reaches the border a node, the parent of all its places; the others
// are left out of what is returned. For whole warps.
__device__ __forceinline__ std::uint32_t openSets(std::uint32_t weak, std::uint32_t* parents,
                                                  std::uint32_t first) {
    const std::uint32_t lane = threadIdx.x % 32;
    std::uint32_t pending = weak & (lane == 0 || lane == 31 ? ~0u : 0x80000001u);
    std::uint32_t open = 0;
    while (const std::uint32_t lanes = __ballot_sync(kEveryLane, pending != 0)) {
        const std::uint32_t row = std::uint32_t(__ffs(int(lanes))) - 1;
        const std::uint32_t set = flooded(weak, lane == row ? pending & (0u - pending) : 0u);
        giveParents(EdgeSides(set), parents, first);
        open |= set;
        pending &= ~set;
    }
    return open;
}

// Of a tile: what is white within it, and what is open. For whole warps.
__device__ __forceinline__ void storeEdgeTile(const EdgeTiles& tiles, std::uint32_t tile,
                                              std::uint32_t white, std::uint32_t open) {
    const std::uint32_t lane = threadIdx.x % 32;
    tiles.white[tile * kEdgeTile + lane] = white;
    tiles.open[tile * kEdgeTile + lane] = open;
    const uint4 sides{__ballot_sync(kEveryLane, white & 1u), __ballot_sync(kEveryLane, open & 1u),
                      __ballot_sync(kEveryLane, white >> 31),
                      __ballot_sync(kEveryLane, open >> 31)};
    if (lane == 0) tiles.sides[tile] = sides;
}

// Candidates of a tile, the strong ones among them. For whole warps.
__device__ __forceinline__ void beginEdgeTile(const EdgeTiles& tiles, std::uint32_t tile,
                                              std::uint32_t candidates, std::uint32_t strong) {
    const std::uint32_t white = flooded(candidates, strong);
    const std::uint32_t open = openSets(candidates & ~white, tiles.parents, firstNode(tile));
    storeEdgeTile(tiles, tile, white, open);
}

// ---- within a tile, by several warps ----

// Warps that look for open sets.
inline constexpr std::uint32_t kSetWarps = 8;

// All of the set of `seeds`, or nothing once something strong is reached. For whole warps.
__device__ __forceinline__ std::uint32_t weakSet(std::uint32_t free, std::uint32_t strong,
                                                 std::uint32_t seeds) {
    while (true) {
        const std::uint32_t more = grown(free, seeds);
        const bool done = !__any_sync(kEveryLane, more != seeds);
        if (__any_sync(kEveryLane, (more & strong) != 0)) return 0;
        if (done) return seeds;
        seeds = more;
    }
}

// As openSets(), of candidates, from the places on that are `part` modulo kSetWarps: sets that
// several warps find get the same node from all. Rows of what all of them find are brought together
// in `opens`, which is zero before. For whole warps.
__device__ __forceinline__ void openSetsFrom(std::uint32_t part, std::uint32_t candidates,
                                             std::uint32_t strong, std::uint32_t* parents,
                                             std::uint32_t first, std::uint32_t* opens) {
    // Most of what hangs together with something strong does so within two rows.
    const std::uint32_t white = grown(candidates, grown(candidates, strong));
    const std::uint32_t lane = threadIdx.x % 32, chosen = 0x01010101u << part;
    static_assert(32 % kSetWarps == 0 && kSetWarps == 8);
    // Of each run along a side one place; corners are in two sides.
    EdgeSides seeds(candidates & ~white);
    seeds.top &= ~(seeds.top << 1) & chosen;
    seeds.bottom &= ~(seeds.bottom << 1) & chosen;
    seeds.left &= ~(seeds.left << 1) & chosen & ~1u;
    seeds.right &= ~(seeds.right << 1) & chosen & ~1u;
    std::uint32_t open = 0;
    while (seeds.any()) {
        const std::uint32_t place = seeds.firstPlace(), at = place % 32, side = place - at;
        const std::uint32_t row = side == kTopPlace ? 0 : side == kBottomPlace ? 31 : at;
        const std::uint32_t bit = side == kLeftPlace    ? 1u
                                  : side == kRightPlace ? 0x80000000u
                                                        : 1u << at;
        const std::uint32_t set = weakSet(candidates, white, lane == row ? bit : 0u);
        const EdgeSides reached(set);
        if (reached.any()) giveParents(reached, parents, first);
        open |= set;
        seeds.remove(reached);
        (side == kTopPlace      ? seeds.top
         : side == kBottomPlace ? seeds.bottom
         : side == kLeftPlace   ? seeds.left
                                : seeds.right) &= ~(1u << at);
    }
    if (open) atomicOr(opens + lane, open);
}

// ---- between tiles ----

__device__ __forceinline__ std::uint32_t parentNow(const std::uint32_t* parents,
                                                   std::uint32_t node) {
    return *const_cast<const volatile std::uint32_t*>(parents + node);
}

__device__ __forceinline__ void setParent(std::uint32_t* parents, std::uint32_t node,
                                          std::uint32_t parent) {
    *const_cast<volatile std::uint32_t*>(parents + node) = parent;
}

// Others may join sets meanwhile. Where the larger node is a root, which it is for the most part,
// one access to memory does; else what was its parent is joined in its place. Parents only become
// smaller.
__device__ __forceinline__ void joinEdges(std::uint32_t* parents, std::uint32_t a,
                                          std::uint32_t b) {
    while (a != b) {
        const std::uint32_t large = max(a, b), small = min(a, b);
        const std::uint32_t before = atomicMin(parents + large, small);
        if (before == large) return;
        a = before;
        b = small;
    }
}

// A pixel of a border, and those that it touches beyond, as bits of places from `beyond` on.
struct EdgeTouch {
    bool white, open;
    std::uint32_t node;
    std::uint32_t whiteBeyond, openBeyond;
    std::uint32_t beyond;

    __device__ void join(std::uint32_t* parents) const {
        if (!white && !open) return;
        if (open && whiteBeyond) joinEdges(parents, node, 0);
        for (std::uint32_t rest = openBeyond; rest; rest &= rest - 1)
            joinEdges(parents, beyond + std::uint32_t(__ffs(int(rest))) - 1, white ? 0u : node);
    }
};

// Of `places` those that a pixel across from place `at` touches; what touches the one in the middle
// too hangs together with it.
__device__ __forceinline__ std::uint32_t touched(std::uint32_t places, std::uint32_t at) {
    const std::uint32_t middle = 1u << at;
    const std::uint32_t found = places & (middle | middle << 1 | middle >> 1);
    return found & middle ? middle : found;
}

// A tile with the one at the right. For whole warps.
__device__ __forceinline__ void joinRight(const EdgeTiles& tiles, int column, int row) {
    if (column + 1 >= tiles.across) return;
    const std::uint32_t lane = threadIdx.x % 32, tile = tiles.tileAt(column, row);
    const uint4 own = tiles.sides[tile], right = tiles.sides[tile + 1];
    EdgeTouch{
        bool(own.z >> lane & 1u), bool(own.w >> lane & 1u), firstNode(tile) + kRightPlace + lane,
        touched(right.x, lane),   touched(right.y, lane),   firstNode(tile + 1) + kLeftPlace}
        .join(tiles.parents);
}

// A tile with the three below. For whole warps.
__device__ __forceinline__ void joinBelow(const EdgeTiles& tiles, int column, int row) {
    if (row + 1 >= tiles.down) return;
    const std::uint32_t lane = threadIdx.x % 32, tile = tiles.tileAt(column, row),
                        below = tile + std::uint32_t(tiles.across);
    const auto rowOf = [](const std::uint32_t* rows, std::uint32_t of, unsigned y) {
        return rows[of * kEdgeTile + y];
    };
    const std::uint32_t white = rowOf(tiles.white, tile, 31), open = rowOf(tiles.open, tile, 31),
                        whiteBelow = rowOf(tiles.white, below, 0),
                        openBelow = rowOf(tiles.open, below, 0);
    // The tile in the corner: lane 0 at the left, the last one at the right.
    const bool hasCorner = lane == 0 ? column > 0 : lane == 31 && column + 1 < tiles.across;
    const std::uint32_t corner = lane == 0 ? below - 1 : below + 1;
    const std::uint32_t cornerBit = lane == 0 ? 0x80000000u : 1u;
    const std::uint32_t whiteCorner = hasCorner ? rowOf(tiles.white, corner, 0) & cornerBit : 0u,
                        openCorner = hasCorner ? rowOf(tiles.open, corner, 0) & cornerBit : 0u;
    EdgeTouch touch{
        bool(white >> lane & 1u),  bool(open >> lane & 1u),  firstNode(tile) + kBottomPlace + lane,
        touched(whiteBelow, lane), touched(openBelow, lane), firstNode(below) + kTopPlace};
    touch.join(tiles.parents);
    touch.whiteBeyond = whiteCorner;
    touch.openBeyond = openCorner;
    touch.beyond = firstNode(corner) + kTopPlace;
    touch.join(tiles.parents);
}

inline constexpr unsigned kJoinThreads = 64;

// Rows of tiles from `firstRow` on, a block a tile.
static __global__ void __launch_bounds__(kJoinThreads)
    joinEdgeTilesKernel(EdgeTiles tiles, int firstRow, FastDivide across) {
    letNextLaunchBegin();
    const std::uint32_t down = across(blockIdx.x);
    const int row = firstRow + int(down), column = int(blockIdx.x - down * across.divisor);
    waitForLaunchBefore();
    if (threadIdx.x < 32)
        joinRight(tiles, column, row);
    else
        joinBelow(tiles, column, row);
}

inline void joinEdgeTiles(KernelContext& context, const EdgeTiles& tiles) {
    // Chains of parents may be long.
    const auto across = std::uint32_t(tiles.across);
    const std::int64_t filled = std::int64_t(across) * kEdgeTile;
    const int bandRows = std::min(context.rowsPerLaunch(filled * 32, filled * 512),
                                  int(0x7fffffffu / (across * 32)));
    context.forEachBand(tiles.down, bandRows, [&](int first, int last) {
        launchEarly(context, "Canny joins", across * unsigned(last - first), kJoinThreads, 0,
                    joinEdgeTilesKernel, tiles, first, FastDivide(across));
    });
}

// ---- in the end ----

// Moves all nodes to their roots at once, so that they wait for memory together. Nodes on the way
// are brought nearer to the root, for whoever comes later.
__device__ __forceinline__ void moveToRoots(std::uint32_t* parents, std::uint32_t (&nodes)[4]) {
    std::uint32_t before[4] = {};
    bool moved;
    do {
        std::uint32_t next[4];
#pragma unroll
        for (int k = 0; k < 4; ++k) next[k] = nodes[k] ? parentNow(parents, nodes[k]) : 0u;
        moved = false;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            if (next[k] == nodes[k]) continue;
            if (before[k]) setParent(parents, before[k], next[k]);
            before[k] = nodes[k];
            nodes[k] = next[k];
            moved = true;
        }
    } while (moved);
}

// A row of what is white in the end. For whole warps.
__device__ __forceinline__ std::uint32_t whiteInTheEnd(const EdgeTiles& tiles, std::uint32_t tile) {
    const std::uint32_t lane = threadIdx.x % 32;
    const std::uint32_t* places = tiles.parents + firstNode(tile) + lane;
    const std::uint32_t white = tiles.white[tile * kEdgeTile + lane];
    const std::uint32_t open = tiles.open[tile * kEdgeTile + lane];
    // On their way together with the rows; anything where nothing is open.
    std::uint32_t nodes[4], found[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) nodes[k] = parentNow(places, std::uint32_t(32 * k));
    if (!__any_sync(kEveryLane, open != 0)) return white;
    const std::uint32_t sides[4] = {
        __shfl_sync(kEveryLane, open, 0), __shfl_sync(kEveryLane, open, 31),
        __ballot_sync(kEveryLane, open & 1u), __ballot_sync(kEveryLane, open >> 31)};
#pragma unroll
    for (int k = 0; k < 4; ++k)
        if (!(sides[k] >> lane & 1u)) nodes[k] = 0;
    moveToRoots(tiles.parents, nodes);
#pragma unroll
    for (int k = 0; k < 4; ++k) found[k] = __ballot_sync(kEveryLane, nodes[k] == 0) & sides[k];
    std::uint32_t seeds = lane == 0 ? found[0] : lane == 31 ? found[1] : 0u;
    seeds |= (found[2] >> lane & 1u) | (found[3] >> lane & 1u) << 31;
    return white | flooded(open, seeds);
}

}  // namespace warpscope::cuda
