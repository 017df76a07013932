// What the CPU code of nl_means shares: the tile that it works on, the published variants, and the
// vector code for single rows of a tile, without any knowledge of images or threads.
//
// In vector code even and odd columns are kept apart in what is 32 bits wide: a multiply-add of
// neighbouring 16-bit differences gives sums of two columns at once. Half row: the even columns,
// then, `half` further, the odd ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "engine/operations/smoothing/nl_means.h"

namespace warpscope {

// -1 is 0, -2 is 1, n is n - 1: mirrored with the edge sample repeated, again and again.
int mirroredIndex(std::int64_t index, int count);

// A tile of the image with all that the windows around its pixels reach, borders mirrored. Every
// variant works on one tile at a time, so that its memory is bounded and a stop is heard soon.
struct NlMeansTile {
    // Columns kept on each side of the tile: more than patch and search radius together, and whole
    // vectors.
    static constexpr int kSide = 64;
    static constexpr int kColumnBlock = 32;

    NlMeansTile(const NlMeansPlan& plan, const Image& in, const Rect& rect);

    int rows() const { return rect.height + 2 * reach; }
    // Column x of the tile lies at index kSide + x, row y at `y + reach`.
    const std::int16_t* row(int channel, int y) const {
        return samples.data() + (std::int64_t(channel) * rows() + y + reach) * pitch;
    }

    Rect rect;
    // 1, or 3 for colour.
    int channels = 1;
    // Patch and search radius.
    int reach = 0;
    // The width in whole blocks.
    int blockColumns = 0;
    // kSide + blockColumns + kSide
    int pitch = 0;
    // 16-bit ones less 32,768.
    std::vector<std::int16_t> samples;
};

// The body of the published variants: results for a tile. `store(y, channels)` takes rect.width
// rounded samples of each channel of a row of the tile, of the image's type T (8 or 16 bits).
// Leaves early, without storing, when stop() says so.
using NlMeansStop = std::function<bool()>;
template <class T>
using NlMeansStore = std::function<void(int y, const T* const* channels)>;

template <class T>
void nlMeansPublished(const NlMeansPlan& plan, const NlMeansTile& tile, const NlMeansStop& stop,
                      const NlMeansStore<T>& store);

// A tile of float samples, `automatic` and `direct`. Leaves early, without all of it written, when
// stop() says so.
void nlMeansFloatTile(const NlMeansPlan& plan, const Image& in, const MutableImage& out,
                      const Rect& rect, const NlMeansStop& stop);

// Search offsets of one row that are worked on together: their sums stay in the first cache.
inline constexpr int kNlOffsetsTogether = 8;

// Sliding column sums for `count` offsets (firstDx and on): `pairs` holds for each offset the sum
// over columns 2j and 2j + 1 and over the rows of the patch of the squared difference to the pixel
// at the offset, `odds` that of column 2j + 1 alone. `half` elements an offset.
struct NlColumnSums {
    std::int32_t* pairs = nullptr;
    std::int32_t* odds = nullptr;
    // 16-bit samples: the two above are of the low 16 bits of each square, these of the high ones.
    // Null for 8 bits.
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
// For 16-bit samples; puts back the 32,768 that they lie lower.
void nlFinish(const float* values, const float* weights, int half, int from, int to,
              std::uint16_t* out);

}  // namespace warpscope
