// A tile of the image with all that the windows around its pixels reach, borders mirrored. Every
// variant of nl_means works on one tile at a time, so that its memory is bounded and a stop is
// heard soon.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/operations/smoothing/nl_means.h"

namespace warpscope {

// -1 is 0, -2 is 1, n is n - 1: mirrored with the edge sample repeated, again and again.
int mirroredIndex(std::int64_t index, int count);

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
    bool wide = false;     // 16 bits: each sample is kept less 32,768
    int channels = 1;      // 1, or 3 for colour
    int reach = 0;         // patch and search radius
    int blockColumns = 0;  // width in whole blocks
    int pitch = 0;         // kSide + blockColumns + kSide
    std::vector<std::int16_t> samples;
};

// Bodies of the variants: results for a tile. `store(y, channels)` takes rect.width rounded samples
// of each channel of a row of the tile, of the image's type T (8 or 16 bits). They leave early,
// without storing, when stop() says so.
using NlMeansStop = std::function<bool()>;
template <class T>
using NlMeansStore = std::function<void(int y, const T* const* channels)>;

template <class T>
void nlMeansVectors(const NlMeansPlan& plan, const NlMeansTile& tile, const NlMeansStop& stop,
                    const NlMeansStore<T>& store);
template <class T>
void nlMeansDirect(const NlMeansPlan& plan, const NlMeansTile& tile, const NlMeansStop& stop,
                   const NlMeansStore<T>& store);
// `together`: integral images for a whole row of offsets at a time.
template <class T>
void nlMeansIntegral(const NlMeansPlan& plan, const NlMeansTile& tile, bool together,
                     const NlMeansStop& stop, const NlMeansStore<T>& store);

}  // namespace warpscope
