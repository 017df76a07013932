// How high strips of tiles are that blocks work down.
#pragma once

#include <cstdint>

namespace warpscope::cuda {

// How many rows a block makes, a multiple of those of a tile: what a multiprocessor does is its
// blocks, each of which begins with `before` rows that cost a third of those it makes.
inline int tileRowsFor(int tileRows, int before, int across, int height, int multiprocessors) {
    constexpr int kMostTiles = 6;
    int best = 2 * tileRows;
    std::int64_t least = 0;
    for (int tiles = 2; tiles <= kMostTiles; ++tiles) {
        const int rows = tiles * tileRows;
        const std::int64_t blocks = std::int64_t(across) * ((height + rows - 1) / rows);
        // Three a multiprocessor at least, which work while others wait.
        if (tiles > 2 && blocks <= 2 * multiprocessors) break;
        const std::int64_t rounds = (blocks + multiprocessors - 1) / multiprocessors;
        const std::int64_t cost = rounds * (3 * rows + before);
        if (tiles == 2 || cost < least) {
            least = cost;
            best = rows;
        }
    }
    return best;
}

// Whether strips of two tiles are two blocks for every multiprocessor.
inline bool tilesFill(int tileRows, int across, int height, int multiprocessors) {
    return std::int64_t(across) * height >= std::int64_t(4) * multiprocessors * tileRows;
}

}  // namespace warpscope::cuda
