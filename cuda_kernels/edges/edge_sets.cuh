// Which weak edge pixels hang together with strong ones. A warp has a tile of 32 x 32 pixels, a row
// a lane and a bit a pixel: within it white spreads by logical operations. What is left and reaches
// the tile's border is open: sets of such pixels are joined across borders, and with everything
// white in one set, whose root is node 0. Then white spreads from the border once more. What is
// reached does not depend on the order in which threads join sets.
#pragma once

#include "cuda_kernels/runtime/kernel_support.cuh"

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

// All pixels of `free` that touch each other and seeds, which are among them. For whole warps.
__device__ __forceinline__ std::uint32_t flooded(std::uint32_t free, std::uint32_t seeds) {
    while (true) {
        // The first and the last lane get their own.
        const std::uint32_t column =
            seeds | __shfl_up_sync(kEveryLane, seeds, 1) | __shfl_down_sync(kEveryLane, seeds, 1);
        const std::uint32_t grown = filledRuns(free, free & (column | column << 1 | column >> 1));
        if (!__any_sync(kEveryLane, grown != seeds)) return seeds;
        seeds = grown;
    }
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
        const auto bit = std::uint32_t(__shfl_sync(kEveryLane, __ffs(int(pending)) - 1, int(row)));
        const std::uint32_t node = first + (row == 0    ? kTopPlace + bit
                                            : row == 31 ? kBottomPlace + bit
                                            : bit == 0  ? kLeftPlace + row
                                                        : kRightPlace + row);
        const auto give = [&](std::uint32_t places, std::uint32_t from) {
            if (places >> lane & 1u) parents[first + from + lane] = node;
        };
        give(__shfl_sync(kEveryLane, set, 0), kTopPlace);
        give(__shfl_sync(kEveryLane, set, 31), kBottomPlace);
        give(__ballot_sync(kEveryLane, set & 1u), kLeftPlace);
        give(__ballot_sync(kEveryLane, set >> 31), kRightPlace);
        open |= set;
        pending &= ~set;
    }
    return open;
}

// Candidates of a tile, the strong ones among them. For whole warps.
__device__ __forceinline__ void beginEdgeTile(const EdgeTiles& tiles, std::uint32_t tile,
                                              std::uint32_t candidates, std::uint32_t strong) {
    const std::uint32_t lane = threadIdx.x % 32;
    const std::uint32_t white = flooded(candidates, strong);
    const std::uint32_t open = openSets(candidates & ~white, tiles.parents, firstNode(tile));
    tiles.white[tile * kEdgeTile + lane] = white;
    tiles.open[tile * kEdgeTile + lane] = open;
    const uint4 sides{__ballot_sync(kEveryLane, white & 1u), __ballot_sync(kEveryLane, open & 1u),
                      __ballot_sync(kEveryLane, white >> 31),
                      __ballot_sync(kEveryLane, open >> 31)};
    if (lane == 0) tiles.sides[tile] = sides;
    if (tile == 0 && lane == 0) tiles.parents[0] = 0;
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

// Others may join sets meanwhile: parents only become smaller on the way up. Nodes on the way are
// brought nearer to the root; they have a parent and keep one, so that whoever is late puts back
// one that is further away.
__device__ __forceinline__ std::uint32_t rootOfEdges(std::uint32_t* parents, std::uint32_t node) {
    std::uint32_t parent = parentNow(parents, node);
    while (parent != node) {
        const std::uint32_t next = parentNow(parents, parent);
        if (next == parent) return parent;
        setParent(parents, node, next);
        node = parent;
        parent = next;
    }
    return node;
}

__device__ __forceinline__ void joinEdges(std::uint32_t* parents, std::uint32_t a,
                                          std::uint32_t b) {
    while (true) {
        a = rootOfEdges(parents, a);
        b = rootOfEdges(parents, b);
        if (a == b) return;
        const std::uint32_t large = max(a, b), small = min(a, b);
        // Else somebody joined it first.
        if (atomicCAS(parents + large, large, small) == large) return;
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

inline constexpr unsigned kJoinThreads = 256;

// Rows of tiles from `firstRow` on, a warp a tile: with the one at the right, and with the three
// below.
static __global__ void __launch_bounds__(kJoinThreads)
    joinEdgeTilesKernel(EdgeTiles tiles, int firstRow, FastDivide across, std::uint32_t count) {
    const std::uint32_t i = (blockIdx.x * kJoinThreads + threadIdx.x) / 32;
    if (i >= count) return;
    const std::uint32_t lane = threadIdx.x % 32;
    const std::uint32_t down = across(i);
    const int row = firstRow + int(down), column = int(i - down * across.divisor);
    const std::uint32_t tile = tiles.tileAt(column, row), below = tile + across.divisor;
    const bool hasRight = column + 1 < tiles.across, hasBelow = row + 1 < tiles.down;
    const auto word = [&](const std::uint32_t* rows, bool has, std::uint32_t of, int y) {
        return has ? rows[of * kEdgeTile + unsigned(y)] : 0u;
    };
    const uint4 none{}, own = tiles.sides[tile], right = hasRight ? tiles.sides[tile + 1] : none;
    const std::uint32_t white = word(tiles.white, hasBelow, tile, 31),
                        open = word(tiles.open, hasBelow, tile, 31),
                        whiteBelow = word(tiles.white, hasBelow, below, 0),
                        openBelow = word(tiles.open, hasBelow, below, 0);
    // The tile in the corner: lane 0 at the left, the last one at the right.
    const bool hasCorner = hasBelow && (lane == 0 ? column > 0 : lane == 31 && hasRight);
    const std::uint32_t corner = lane == 0 ? below - 1 : below + 1;
    const std::uint32_t cornerBit = lane == 0 ? 0x80000000u : 1u;
    const std::uint32_t whiteCorner = word(tiles.white, hasCorner, corner, 0) & cornerBit,
                        openCorner = word(tiles.open, hasCorner, corner, 0) & cornerBit;
    const auto is = [&](std::uint32_t bits) { return bool(bits >> lane & 1u); };
    EdgeTouch{is(own.z),
              is(own.w),
              firstNode(tile) + kRightPlace + lane,
              touched(right.x, lane),
              touched(right.y, lane),
              firstNode(tile + 1) + kLeftPlace}
        .join(tiles.parents);
    EdgeTouch touch{is(white),
                    is(open),
                    firstNode(tile) + kBottomPlace + lane,
                    touched(whiteBelow, lane),
                    touched(openBelow, lane),
                    firstNode(below) + kTopPlace};
    touch.join(tiles.parents);
    touch.whiteBeyond = whiteCorner;
    touch.openBeyond = openCorner;
    touch.beyond = firstNode(corner) + kTopPlace;
    touch.join(tiles.parents);
}

// Moves all nodes to their roots at once, so that they wait for memory together.
__device__ __forceinline__ void moveToRoots(std::uint32_t* parents, std::uint32_t (&nodes)[4]) {
    bool moved;
    do {
        std::uint32_t near[4], far[4];
#pragma unroll
        for (int k = 0; k < 4; ++k) near[k] = parentNow(parents, nodes[k]);
#pragma unroll
        for (int k = 0; k < 4; ++k) far[k] = parentNow(parents, near[k]);
        moved = false;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            if (far[k] != near[k]) {
                setParent(parents, nodes[k], far[k]);
                moved = true;
            }
            nodes[k] = far[k];
        }
    } while (moved);
}

// A row of what is white in the end. For whole warps.
__device__ __forceinline__ std::uint32_t whiteInTheEnd(const EdgeTiles& tiles, std::uint32_t tile) {
    const std::uint32_t lane = threadIdx.x % 32;
    const std::uint32_t white = tiles.white[tile * kEdgeTile + lane];
    const std::uint32_t open = tiles.open[tile * kEdgeTile + lane];
    if (!__any_sync(kEveryLane, open != 0)) return white;
    const std::uint32_t sides[4] = {
        __shfl_sync(kEveryLane, open, 0), __shfl_sync(kEveryLane, open, 31),
        __ballot_sync(kEveryLane, open & 1u), __ballot_sync(kEveryLane, open >> 31)};
    const std::uint32_t* places = tiles.parents + firstNode(tile) + lane;
    std::uint32_t nodes[4], found[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) nodes[k] = sides[k] >> lane & 1u ? places[32 * k] : 0u;
    moveToRoots(tiles.parents, nodes);
#pragma unroll
    for (int k = 0; k < 4; ++k) found[k] = __ballot_sync(kEveryLane, nodes[k] == 0) & sides[k];
    std::uint32_t seeds = lane == 0 ? found[0] : lane == 31 ? found[1] : 0u;
    seeds |= (found[2] >> lane & 1u) | (found[3] >> lane & 1u) << 31;
    return white | flooded(open, seeds);
}

}  // namespace warpscope::cuda
