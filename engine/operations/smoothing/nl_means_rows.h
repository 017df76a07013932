// The vector code of nl_means: single rows of a tile, without any knowledge of images or threads.
//
// Even and odd columns are kept apart in what is 32 bits wide: a multiply-add of neighbouring
// 16-bit differences gives sums of two columns at once. Half row: the even columns, then, `half`
// further, the odd ones.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpscope {

// Search offsets of one row that are worked on together: their sums stay in the first cache.
inline constexpr int kNlOffsetsTogether = 8;

// Sliding column sums for `count` offsets (firstDx and on): `pairs` holds for each offset the sum
// over columns 2j and 2j + 1 and over the rows of the patch of the squared difference to the pixel
// at the offset, `odds` that of column 2j + 1 alone. `half` elements an offset.
struct NlColumnSums {
    std::int32_t* pairs = nullptr;
    std::int32_t* odds = nullptr;
    // 16-bit samples: the two above are of the low 16 bits of each square, these of the high ones.
    std::int32_t* highPairs = nullptr;
    std::int32_t* highOdds = nullptr;
    int half = 0;
    int firstDx = 0;
    int count = 0;
};

// The same row of the patch around p and around q; null where there is none.
struct NlRowPair {
    const std::int16_t* own[3] = {};
    const std::int16_t* other[3] = {};
};

// Adds the squares of row `entering`, takes those of `leaving` (if it has rows) away, for columns
// [from, to), multiples of 32.
void nlSlide(const NlColumnSums& sums, int channels, const NlRowPair& entering,
             const NlRowPair& leaving, int from, int to);

// Sums of weighted values and of weights of a row, half rows.
struct NlSums {
    float* values[3] = {};
    float* weights = nullptr;
};

struct NlWeighing {
    NlColumnSums sums;
    int patchRadius = 0;
    int channels = 1;
    float exponent = 0;        // w = exp2(exponent * sum)
    float* weights = nullptr;  // out: half rows of the weights, 2 half an offset
};

// Weights of the offsets [first, last) of the group for columns [from, to); each value at p + q
// goes to p with its weight.
void nlGather(const NlWeighing& w, int first, int last, const float* const* valuesAtQ,
              const NlSums& out, int from, int to);

// The other way round: each value at p goes to p + q with the same weight, for columns [from, to)
// of p + q.
void nlScatter(const NlWeighing& w, const float* const* valuesAtP, const NlSums& out, int from,
               int to);

// floor(value / weight + 1/2) of `to - from` columns, even and odd ones joined.
void nlFinish(const float* values, const float* weights, int half, int from, int to,
              std::uint8_t* out);

// For 16-bit samples that lie 32,768 lower; nlFinishWide() puts them back.
void nlSlideWide(const NlColumnSums& sums, int channels, const NlRowPair& entering,
                 const NlRowPair& leaving, int from, int to);
void nlGatherWide(const NlWeighing& w, int first, int last, const float* const* valuesAtQ,
                  const NlSums& out, int from, int to);
void nlScatterWide(const NlWeighing& w, const float* const* valuesAtP, const NlSums& out, int from,
                   int to);
void nlFinishWide(const float* values, const float* weights, int half, int from, int to,
                  std::uint16_t* out);

}  // namespace warpscope
