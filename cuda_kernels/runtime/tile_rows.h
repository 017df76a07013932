// How high strips of tiles are that blocks work down.
#pragma once

#include <algorithm>
#include <cstdint>

namespace warpscope::cuda {

// How many rows a block makes, a multiple of those of a tile, at most `mostRows`: what a
// multiprocessor does is its blocks, each of which begins with `before` rows that cost a third of
// those it makes.
inline int tileRowsFor(int tileRows, int before, int across, int height, int multiprocessors,
                       int mostRows = 96) {
    int best = tileRows;
    std::int64_t least = 0;
    for (int rows = tileRows; rows <= mostRows; rows += tileRows) {
        const std::int64_t blocks = std::int64_t(across) * ((height + rows - 1) / rows);
        // Three a multiprocessor at least, which work while others wait.
        if (rows > tileRows && blocks <= 2 * multiprocessors) break;
        const std::int64_t rounds = (blocks + multiprocessors - 1) / multiprocessors;
        const std::int64_t cost = rounds * (3 * rows + before);
        if (rows == tileRows || cost < least) {
            least = cost;
            best = rows;
        }
    }
    return best;
}

// Work of a row as above with its share of the `before` rows that strips of `rows` begin with.
inline std::int64_t tileRowWork(std::int64_t work, int before, int rows) {
    return work + work * before / (3 * rows);
}

struct TileBand {
    int rows = 0;      // of a strip, a multiple of a tile's
    int bandRows = 0;  // of a launch, whole strips
};
// `wanted`: rows of a strip if a launch may have as many; `work`: of a row; rowsFor(work) of a row:
// rows that a launch may have. One row of the lowest strips must be within that.
template <class RowsFor>
TileBand tileBandFor(int tileRows, int before, int wanted, std::int64_t work,
                     const RowsFor& rowsFor) {
    TileBand band;
    int most = rowsFor(tileRowWork(work, before, wanted));
    band.rows = std::max(tileRows, std::min(wanted, most / tileRows * tileRows));
    if (band.rows < wanted) most = rowsFor(tileRowWork(work, before, band.rows));
    band.bandRows = std::max(band.rows, most / band.rows * band.rows);
    return band;
}

// Quarters of a tile for every multiprocessor. Strips, whose warps are more than those of few
// tiles, but wait for loads and scans once a row, take less only of small windows.
inline constexpr int kTwoTilesEach = 8, kFewTiles = 3;

// Whether tiles of an image are as many.
inline bool tilesFill(int tileRows, int across, int height, int multiprocessors,
                      int quarters = kTwoTilesEach) {
    return std::int64_t(across) * height * 4 >= std::int64_t(quarters) * multiprocessors * tileRows;
}

// How many rows a warp slides down that begins with those of a window of `radius`: few enough for
// some warps a multiprocessor, which wait for memory in turns.
inline int slidingRowsFor(int radius, int across, int height, int multiprocessors) {
    constexpr int kWarpsEach = 8, kLeastRows = 4;
    const std::int64_t fitting =
        std::int64_t(across) * height / (std::int64_t(multiprocessors) * kWarpsEach);
    return int(std::clamp<std::int64_t>(fitting, kLeastRows, radius <= 3 ? 8 : 12));
}

}  // namespace warpscope::cuda
