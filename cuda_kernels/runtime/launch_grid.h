// How many threads and blocks work of some size takes.
#pragma once

#include <algorithm>
#include <cstdint>

namespace warpscope::cuda {

struct LaunchGrid {
    unsigned each = 1;  // items that a thread takes
    unsigned threads = 0;
    unsigned blocks = 0;
};

// A thread takes several items, up to `most`, once there are threads enough for every
// multiprocessor to wait for memory. What there is of small images is spread: fewer threads a
// block, down from `threads`, a multiple of 64. `items`: at least 1.
inline LaunchGrid launchGrid(std::uint32_t items, int multiprocessors, unsigned threads,
                             unsigned most = 1) {
    constexpr unsigned kThreadsEach = 1024, kBlocksEach = 2, kFewThreads = 64;
    const auto parts = [items](unsigned size) {
        return unsigned((std::uint64_t(items) + size - 1) / size);
    };
    LaunchGrid grid;
    grid.each = std::clamp(parts(unsigned(multiprocessors) * kThreadsEach), 1u, most);
    grid.threads = threads;
    while (grid.threads > kFewThreads &&
           parts(grid.threads * grid.each) < unsigned(multiprocessors) * kBlocksEach)
        grid.threads /= 2;
    grid.blocks = parts(grid.threads * grid.each);
    return grid;
}

}  // namespace warpscope::cuda
