// Tables of resize for vector code. A vector holds 16 bytes of each of several rows; the same place
// of all of them has the same weights.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/operations/geometry/resize.h"

namespace warpscope {

// ResizeBlocks::isShared has no more pairs than these.
inline constexpr int kMostSharedPairs = 3;

// The pass along rows, of integer samples. Four sums at a time, a block: of four gray pixels, or
// the channels of one coloured pixel. Weights are split into planes that fit 16 bits signed: 8-bit
// samples: w, w / 4 where all allow it, or 4 w0 + w1; 16-bit samples: 2^16 w0 + 2^8 w1 + w2. Taps
// go in pairs; what is missing weighs 0.
struct ResizeBlocks {
    // Else plain code has to do it, and nothing else here counts.
    bool fits = false;
    int planes = 0;
    // Of one plane: weights are so many bits less.
    int shift = 0;
    // Even; those beyond the row weigh nothing.
    int blocks = 0;
    // Of a block, each of 16 bytes; and pairs of taps that one load serves.
    int loads = 0, pairsPerLoad = 0;
    // One load serves a gray block and the next one, whose places are the same.
    bool isShared = false;
    // Gray pixels whose taps lie too far apart for that: a load belongs to one of the four, and
    // `pairsPerLoad` counts groups of eight taps.
    bool isLong = false;
    // [block][load], of long ones [block][pixel][load]: bytes from the row's first.
    std::vector<std::int32_t> at;
    // For a byte of a pair's four 16-bit taps each, where in the load it lies; 0x80: zero.
    // Gray: [block][pair][16], coloured [pair of a load][16]; long: none.
    std::vector<std::uint8_t> picks;
    // Gray [block][pair][plane][8], long [block][pixel][load][group][plane][8], coloured
    // [block][pair][plane][2].
    std::vector<std::int16_t> weights;
    // Gray [block][plane][4], coloured [block][plane]: what sums begin with.
    std::vector<std::int32_t> starts;
};

// `rowBytes`: of a row of the input, behind which 16 bytes can be read.
ResizeBlocks resizeBlocksOf(const ResizeAxis& axis, int channels, int sampleBytes,
                            std::int64_t rowBytes);

// The pass along columns of 8-bit samples, weights as 16 w0 + w1.
struct ResizeColumns {
    // Else plain code has to do it.
    bool fits = false;
    // Some w1 is not 0.
    bool hasLow = false;
    // Of row y: from begin[y] on, for each two taps a word of w0 and one of w1, low half first.
    std::vector<std::int32_t> begin, pairs, words;
    // What sums of w0 begin with.
    std::vector<std::int32_t> starts;
};

ResizeColumns resizeColumnsOf(const ResizeAxis& axis);

// The pass along rows of gray float samples, `lanes` pixels at a time.
struct ResizeLanes {
    int lanes = 0, blocks = 0;
    bool fits = false;
    // Of a block: first tap of its first pixel, and how many taps its pixels have.
    struct Block {
        std::int32_t first = 0, least = 0, most = 0;
        std::size_t begin = 0;
    };
    std::vector<Block> block;
    // [block][2 lanes]: first tap after that of the first pixel; those of the other half are 0.
    std::vector<std::int32_t> offsets;
    // [block][lane]: taps.
    std::vector<double> counts;
    // From Block::begin on, [tap][lane].
    std::vector<double> weights;
};

ResizeLanes resizeLanesOf(const ResizeAxis& axis, int lanes);

}  // namespace warpscope
