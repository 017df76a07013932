// The variant `automatic`. The distance between the patches around p and q is the same seen from
// both: half of the offsets are enough, each weight serves p and q. For a few neighbouring offsets
// at a time the column sums of squares slide down the tile; patch sums, weights and both weighted
// sums are made row by row while the column sums are in the first cache.
#include <algorithm>
#include <numeric>

#include "engine/operations/smoothing/nl_means_rows.h"
#include "engine/operations/smoothing/nl_means_tile.h"

namespace warpscope {
namespace {

// T: the type of the image's samples. Column sums of 16-bit ones are in two parts.
template <class T>
class VectorTile {
    static constexpr bool kWide = sizeof(T) == 2;
    static constexpr int kParts = kWide ? 2 : 1;

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

    void run(const NlMeansStop& stop) {
        const int search = m_plan.searchRadius;
        for (int dy = 0; dy <= search; ++dy)
            for (int dx = dy == 0 ? 1 : -search; dx <= search; dx += kNlOffsetsTogether) {
                if (stop()) return;
                walk(dy, dx, std::min(kNlOffsetsTogether, search - dx + 1));
            }
    }

    void store(const NlMeansStore<T>& take) {
        std::vector<T> rows(3 * std::size_t(m_tile.blockColumns));
        const T* out[3];
        for (int c = 0; c < 3; ++c) out[c] = rows.data() + c * m_tile.blockColumns;
        for (int y = 0; y < m_tile.rect.height; ++y) {
            const NlSums sums = sumsOf(y);
            for (int c = 0; c < m_tile.channels; ++c)
                finish(sums.values[c], sums.weights, rows.data() + c * m_tile.blockColumns);
            take(y, out);
        }
    }

  private:
    static void slide(const NlColumnSums& sums, int channels, const NlRowPair& entering,
                      const NlRowPair& leaving, int from, int to) {
        (kWide ? nlSlideWide : nlSlide)(sums, channels, entering, leaving, from, to);
    }

    static void gather(const NlWeighing& w, int first, int last, const float* const* valuesAtQ,
                       const NlSums& out, int from, int to) {
        (kWide ? nlGatherWide : nlGather)(w, first, last, valuesAtQ, out, from, to);
    }

    void finish(const float* values, const float* weights, T* out) const {
        constexpr int kFrom = NlMeansTile::kSide;
        const int to = kFrom + m_tile.blockColumns;
        if constexpr (kWide)
            nlFinishWide(values, weights, m_half, kFrom, to, out);
        else
            nlFinish(values, weights, m_half, kFrom, to, out);
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
        if (kWide) {
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
            slide(w.sums, w.channels, rowPair(y, dy), {}, kFrom, to);
        for (int y = -dy; y < height; ++y) {
            const NlRowPair leaving = y == -dy ? NlRowPair{} : rowPair(y - radius - 1, dy);
            slide(w.sums, w.channels, rowPair(y + radius, dy), leaving, kFrom, to);

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
                gather(w, toRight - firstDx, count, atQ, own, kFrom, NlMeansTile::kSide);
            gather(w, 0, count, atQ, own, NlMeansTile::kSide, core);
            if (firstDx < toLeft) gather(w, 0, toLeft - firstDx, atQ, own, core, to);
            if (y + dy < height)
                (kWide ? nlScatterWide : nlScatter)(w, atP, sumsOf(y + dy), NlMeansTile::kSide,
                                                    core);
        }
    }

    const NlMeansPlan& m_plan;
    const NlMeansTile& m_tile;
    int m_half;
    std::vector<float> m_values;      // half rows
    std::vector<float> m_sums;        // half rows
    std::vector<float> m_weightSums;  // half rows
    std::vector<std::int32_t> m_pairs, m_odds;
    std::vector<float> m_weights;
};

}  // namespace

template <class T>
void nlMeansVectors(const NlMeansPlan& plan, const NlMeansTile& tile, const NlMeansStop& stop,
                    const NlMeansStore<T>& store) {
    VectorTile<T> work(plan, tile);
    work.run(stop);
    if (!stop()) work.store(store);
}

template void nlMeansVectors<std::uint8_t>(const NlMeansPlan&, const NlMeansTile&,
                                           const NlMeansStop&, const NlMeansStore<std::uint8_t>&);
template void nlMeansVectors<std::uint16_t>(const NlMeansPlan&, const NlMeansTile&,
                                            const NlMeansStop&, const NlMeansStore<std::uint16_t>&);

}  // namespace warpscope
