#include <algorithm>
#include <cstring>

#include "engine/operations/cpu_work.h"
#include "engine/operations/narrow_images.h"
#include "engine/operations/smoothing/nl_means_rows.h"

namespace warpscope {
namespace {

int roundedUp(int value, int to) {
    return (value + to - 1) / to * to;
}

// Differences do not see what all samples are less.
template <class T>
void fillTile(NlMeansTile& tile, const Image& in) {
    constexpr int kLess = sizeof(T) == 2 ? 32768 : 0;
    std::vector<int> columns(std::size_t(tile.pitch), 0);
    const int step = channelCount(in.format());
    for (int x = 0; x < tile.pitch; ++x)
        columns[std::size_t(x)] =
            step * mirroredIndex(std::int64_t(tile.rect.x) + x - NlMeansTile::kSide, in.width());
    const auto view = in.view<T>();
    for (int y = -tile.reach; y < tile.rect.height + tile.reach; ++y) {
        const T* source = view.row(mirroredIndex(std::int64_t(tile.rect.y) + y, in.height()));
        for (int c = 0; c < tile.channels; ++c) {
            std::int16_t* target =
                tile.samples.data() + (std::int64_t(c) * tile.rows() + y + tile.reach) * tile.pitch;
            for (int x = 0; x < tile.pitch; ++x)
                target[x] = std::int16_t(source[columns[std::size_t(x)] + c] - kLess);
        }
    }
}

// The variant `automatic`. The distance between the patches around p and q is the same seen from
// both: half of the offsets are enough, each weight serves p and q. For a few neighbouring offsets
// at a time the column sums of squares slide down the tile; patch sums, weights and both weighted
// sums are made row by row while the column sums are in the first cache.
// T: the type of the image's samples. Column sums of 16-bit ones are in two parts.
template <class T>
class VectorTile {
    static constexpr bool k16 = sizeof(T) == 2;
    static constexpr int kParts = k16 ? 2 : 1;

  public:
    VectorTile(const NlMeansPlan& plan, const NlMeansTile& tile)
        : m_plan(plan),
          m_tile(tile),
          m_half(tile.pitch / 2),
          m_values(std::size_t(tile.channels) * std::size_t(valueRows() * tile.pitch)),
          m_sums(std::size_t(tile.channels) * std::size_t(sumRows() * tile.pitch)),
          m_weightSums(std::size_t(sumRows() * tile.pitch), 1.0f),
          m_pairs(std::size_t(kParts * partSize())),
          m_odds(std::size_t(kParts * partSize())),
          m_weights(std::size_t(2 * kNlOffsetsTogether * m_half)) {
        for (int c = 0; c < tile.channels; ++c)
            for (int y = -plan.searchRadius; y < tile.rect.height + plan.searchRadius; ++y) {
                const std::int16_t* samples = tile.row(c, y);
                float* values = valueRow(c, y);
                for (int j = 0; j < m_half; ++j) {
                    values[j] = samples[2 * j];
                    values[m_half + j] = samples[2 * j + 1];
                }
                // p itself has the weight 1.
                if (y >= 0 && y < tile.rect.height)
                    std::copy_n(values, tile.pitch, sumsOf(y).values[c]);
            }
    }

    void run(const NlMeansStop& stop, const NlMeansStore<T>& take) {
        const int search = m_plan.searchRadius;
        for (int dy = 0; dy <= search; ++dy)
            for (int dx = dy == 0 ? 1 : -search; dx <= search; dx += kNlOffsetsTogether) {
                if (stop()) return;
                walk(dy, dx, std::min(kNlOffsetsTogether, search - dx + 1));
            }
        if (!stop()) store(take);
    }

  private:
    void store(const NlMeansStore<T>& take) {
        std::vector<T> rows(3 * std::size_t(m_tile.blockColumns));
        constexpr int kFrom = NlMeansTile::kSide;
        const int columns = m_tile.blockColumns;
        T* out[3];
        for (int c = 0; c < 3; ++c) out[c] = rows.data() + c * columns;
        for (int y = 0; y < m_tile.rect.height; ++y) {
            const NlSums sums = sumsOf(y);
            for (int c = 0; c < m_tile.channels; ++c)
                nlFinish(sums.values[c], sums.weights, m_half, kFrom, kFrom + columns, out[c]);
            take(y, out);
        }
    }

    int partSize() const { return kNlOffsetsTogether * m_half; }

    std::ptrdiff_t valueRows() const { return m_tile.rect.height + 2 * m_plan.searchRadius; }
    // One more than the tile has, for what goes to pixels outside.
    std::ptrdiff_t sumRows() const { return m_tile.rect.height + 1; }

    float* valueRow(int channel, int y) {
        return m_values.data() +
               (channel * valueRows() + y + m_plan.searchRadius) * std::ptrdiff_t(m_tile.pitch);
    }

    NlSums sumsOf(int y) {
        if (y < 0 || y >= m_tile.rect.height) y = m_tile.rect.height;
        NlSums sums;
        for (int c = 0; c < m_tile.channels; ++c)
            sums.values[c] = m_sums.data() + (c * sumRows() + y) * std::ptrdiff_t(m_tile.pitch);
        sums.weights = m_weightSums.data() + y * std::ptrdiff_t(m_tile.pitch);
        return sums;
    }

    NlRowPair rowPair(int y, int dy) const {
        NlRowPair pair;
        for (int c = 0; c < m_tile.channels; ++c) {
            pair.own[c] = m_tile.row(c, y);
            pair.other[c] = m_tile.row(c, y + dy);
        }
        return pair;
    }

    // All rows for the offsets (firstDx, dy) to (firstDx + count - 1, dy).
    void walk(int dy, int firstDx, int count) {
        const int radius = m_plan.patchRadius;
        const int height = m_tile.rect.height;
        // Pixels to the left and above matter for what they give to the tile.
        constexpr int kFrom = NlMeansTile::kSide - NlMeansTile::kColumnBlock;
        const int core = NlMeansTile::kSide + m_tile.blockColumns;
        const int to = core + NlMeansTile::kColumnBlock;
        const int last = firstDx + count;

        NlWeighing w;
        w.sums.pairs = m_pairs.data();
        w.sums.odds = m_odds.data();
        if (k16) {
            w.sums.highPairs = m_pairs.data() + partSize();
            w.sums.highOdds = m_odds.data() + partSize();
        }
        w.sums.half = m_half;
        w.sums.firstDx = firstDx;
        w.sums.count = count;
        w.patchRadius = radius;
        w.channels = m_tile.channels;
        w.exponent = float(m_plan.exponent);
        w.weights = m_weights.data();
        std::fill(m_pairs.begin(), m_pairs.end(), 0);
        std::fill(m_odds.begin(), m_odds.end(), 0);

        for (int y = -dy - radius; y < -dy + radius; ++y)
            nlSlide(w.sums, w.channels, rowPair(y, dy), {}, kFrom, to);
        for (int y = -dy; y < height; ++y) {
            const NlRowPair leaving = y == -dy ? NlRowPair{} : rowPair(y - radius - 1, dy);
            nlSlide(w.sums, w.channels, rowPair(y + radius, dy), leaving, kFrom, to);

            const float* atQ[3];
            const float* atP[3];
            for (int c = 0; c < m_tile.channels; ++c) {
                atQ[c] = valueRow(c, y + dy);
                atP[c] = valueRow(c, y);
            }
            // Beside the tile only those offsets count that reach into it.
            const int toRight = std::max(firstDx, 1);
            const int toLeft = std::min(last, m_tile.rect.width - m_tile.blockColumns);
            const NlSums own = sumsOf(y);
            if (toRight < last)
                nlGather(w, toRight - firstDx, count, atQ, own, kFrom, NlMeansTile::kSide);
            nlGather(w, 0, count, atQ, own, NlMeansTile::kSide, core);
            if (firstDx < toLeft) nlGather(w, 0, toLeft - firstDx, atQ, own, core, to);
            if (y + dy < height) nlScatter(w, atP, sumsOf(y + dy), NlMeansTile::kSide, core);
        }
    }

    const NlMeansPlan& m_plan;
    const NlMeansTile& m_tile;
    int m_half;
    // Half rows.
    std::vector<float> m_values, m_sums, m_weightSums;
    std::vector<std::int32_t> m_pairs, m_odds;
    std::vector<float> m_weights;
};

// Tiles of about this size: the sums of one fit the second cache, and one lasts some 10 ms.
constexpr int kTileColumns = 512;
constexpr int kTileRows = 128;
constexpr int kLeastTileRows = 32;

// How the image is cut: all tiles but the last of a row or column have the same size.
struct Tiling {
    Size image;
    int columns = 0, rows = 0;  // of a tile
    int across = 0, down = 0;

    Tiling(Size size, int threads) : image(size) {
        across = (size.width - 1) / kTileColumns + 1;
        columns = roundedUp((size.width - 1) / across + 1, NlMeansTile::kColumnBlock);
        across = (size.width - 1) / columns + 1;
        // Every thread gets several, of equal height.
        const int wanted = threads == 1 ? 1 : (4 * threads + across - 1) / across;
        down = std::max((size.height - 1) / kTileRows + 1,
                        std::min(wanted, (size.height - 1) / kLeastTileRows + 1));
        rows = (size.height - 1) / down + 1;
        down = (size.height - 1) / rows + 1;
    }

    std::int64_t count() const { return std::int64_t(across) * down; }
    Rect tile(int index) const {
        const int x = index % across * columns;
        const int y = index / across * rows;
        return {x, y, std::min(columns, image.width - x), std::min(rows, image.height - y)};
    }
};

template <class T>
void storeRow(const Image& in, const MutableImage& out, int x, int y, int width,
              const T* const* channels) {
    if (!isColor(in.format())) {
        std::memcpy(out.view<T>().row(y) + x, channels[0], std::size_t(width) * sizeof(T));
        return;
    }
    const T* source = in.view<T>().row(y) + 4 * std::ptrdiff_t(x);
    T* target = out.view<T>().row(y) + 4 * std::ptrdiff_t(x);
    for (int i = 0; i < width; ++i, source += 4, target += 4) {
        for (int c = 0; c < 3; ++c) target[c] = channels[c][i];
        target[3] = source[3];
    }
}

template <class T>
void runTile(const NlMeansPlan& plan, const Image& in, const MutableImage& out, const Rect& rect,
             const NlMeansStop& stop) {
    const NlMeansTile tile(plan, in, rect);
    const NlMeansStore<T> store = [&](int y, const T* const* channels) {
        storeRow(in, out, rect.x, rect.y + y, rect.width, channels);
    };
    if (plan.variant == kAutomaticVariant)
        VectorTile<T>(plan, tile).run(stop, store);
    else
        nlMeansPublished(plan, tile, stop, store);
}

}  // namespace

int mirroredIndex(std::int64_t index, int count) {
    const std::int64_t period = 2 * std::int64_t(count);
    index %= period;
    if (index < 0) index += period;
    return int(index < count ? index : period - 1 - index);
}

NlMeansTile::NlMeansTile(const NlMeansPlan& plan, const Image& in, const Rect& tileRect)
    : rect(tileRect),
      channels(isColor(in.format()) ? 3 : 1),
      reach(plan.patchRadius + plan.searchRadius),
      blockColumns(roundedUp(tileRect.width, kColumnBlock)),
      pitch(kSide + blockColumns + kSide),
      samples(std::size_t(channels) * std::size_t(rows()) * std::size_t(pitch)) {
    if (bytesPerSample(in.format()) == 2)
        fillTile<std::uint16_t>(*this, in);
    else
        fillTile<std::uint8_t>(*this, in);
}

Result<void> runNlMeansCpu(const NlMeansPlan& plan, const Image& in, const MutableImage& out,
                           const CpuContext& context) {
    const double offsets = 2.0 * plan.searchRadius + 1;
    const CpuContext chosen = forWork(context, plan.size, 0.2 * offsets * offsets);
    const NlMeansStop stop = [&] { return context.stopRequested(); };
    const auto run = isFloat(plan.input)               ? nlMeansFloatTile
                     : bytesPerSample(plan.input) == 2 ? runTile<std::uint16_t>
                                                       : runTile<std::uint8_t>;
    return onLongRows(in, out, chosen, [&](const Image& source, const MutableImage& target) {
        const Tiling tiling(source.size(), chosen.threadCount());
        // A tile is a "row" here: that is how often progress is told.
        return forEachRowBand(chosen, int(tiling.count()), 1, [&](int first, int last) {
            for (int i = first; i < last; ++i) run(plan, source, target, tiling.tile(i), stop);
        });
    });
}

}  // namespace warpscope
