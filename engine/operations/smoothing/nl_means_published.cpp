// The published forms of nl_means, as they are described: every offset on its own, weights by the
// exponential of the mathematics library.
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "engine/operations/smoothing/nl_means_rows.h"

namespace warpscope {
namespace {

// Sums of squared differences, exact modulo 2^32 or 2^64. A patch has at most 3 x 225 of them, of
// 255^2 or 65,535^2 each.
template <class T>
using Squares = std::conditional_t<sizeof(T) == 2, std::uint64_t, std::uint32_t>;

// Weighted sums of a tile.
template <class T>
class Sums {
  public:
    Sums(const NlMeansPlan& plan, const NlMeansTile& tile)
        : m_plan(plan),
          m_tile(tile),
          m_values(std::size_t(tile.channels) * pixels()),
          m_weights(pixels()) {}

    // `patchSums`: for each pixel of row y the sum of squared differences between the patches.
    void add(int y, int dx, int dy, const Squares<T>* patchSums) {
        const int width = m_tile.rect.width;
        const std::size_t at = std::size_t(y) * std::size_t(width);
        m_row.resize(std::size_t(width));
        for (int x = 0; x < width; ++x) {
            const double weight = std::exp2(m_plan.exponent * double(patchSums[x]));
            m_row[std::size_t(x)] = weight;
            m_weights[at + std::size_t(x)] += weight;
        }
        for (int c = 0; c < m_tile.channels; ++c) {
            const std::int16_t* values = m_tile.row(c, y + dy) + NlMeansTile::kSide + dx;
            double* sums = m_values.data() + std::size_t(c) * pixels() + at;
            for (int x = 0; x < width; ++x) sums[x] += m_row[std::size_t(x)] * values[x];
        }
    }

    void store(const NlMeansStore<T>& take) const {
        const std::size_t width = std::size_t(m_tile.rect.width);
        // 16-bit samples lie lower in the tile.
        constexpr double kRound = sizeof(T) == 2 ? 32768.5 : 0.5;
        std::vector<T> rows(3 * width);
        const T* out[3] = {rows.data(), rows.data() + width, rows.data() + 2 * width};
        for (int y = 0; y < m_tile.rect.height; ++y) {
            const std::size_t at = std::size_t(y) * width;
            for (std::size_t c = 0; c < std::size_t(m_tile.channels); ++c)
                for (std::size_t x = 0; x < width; ++x)
                    rows[c * width + x] =
                        T(m_values[c * pixels() + at + x] / m_weights[at + x] + kRound);
            take(y, out);
        }
    }

  private:
    std::size_t pixels() const { return std::size_t(m_tile.rect.size().pixels()); }

    const NlMeansPlan& m_plan;
    const NlMeansTile& m_tile;
    std::vector<double> m_values;
    std::vector<double> m_weights;
    std::vector<double> m_row;
};

// Sums over all rows above and columns to the left, modulo 2^32 or 2^64, of the squared differences
// at one offset; a row and a column of zeros before them. Differences of four of them are right as
// long as a patch's sum fits.
template <class T>
class DifferenceIntegral {
  public:
    DifferenceIntegral(const NlMeansPlan& plan, const NlMeansTile& tile)
        : m_tile(tile),
          m_radius(plan.patchRadius),
          m_columns(std::size_t(tile.rect.width) + 2 * std::size_t(m_radius) + 1),
          m_sums(m_columns * (std::size_t(tile.rect.height) + 2 * std::size_t(m_radius) + 1)) {}

    void build(int dx, int dy) {
        Squares<T>* above = m_sums.data();
        for (int y = -m_radius; y < m_tile.rect.height + m_radius; ++y) {
            Squares<T>* sums = above + m_columns;
            Squares<T> inRow = 0;
            for (std::size_t i = 1; i < m_columns; ++i) {
                const int x = NlMeansTile::kSide - m_radius + int(i) - 1;
                for (int c = 0; c < m_tile.channels; ++c) {
                    const auto d = Squares<T>(m_tile.row(c, y)[x] - m_tile.row(c, y + dy)[x + dx]);
                    inRow += d * d;
                }
                sums[i] = above[i] + inRow;
            }
            above = sums;
        }
    }

    void patchSums(int y, Squares<T>* sums) const {
        const std::size_t side = 2 * std::size_t(m_radius) + 1;
        const Squares<T>* top = m_sums.data() + std::size_t(y) * m_columns;
        const Squares<T>* bottom = top + side * m_columns;
        for (std::size_t x = 0; x < std::size_t(m_tile.rect.width); ++x)
            sums[x] = bottom[x + side] - bottom[x] - top[x + side] + top[x];
    }

  private:
    const NlMeansTile& m_tile;
    int m_radius;
    std::size_t m_columns;
    std::vector<Squares<T>> m_sums;
};

template <class T>
void directPatchSums(const NlMeansPlan& plan, const NlMeansTile& tile, int y, int dx, int dy,
                     std::vector<Squares<T>>& sums) {
    const int radius = plan.patchRadius;
    std::fill(sums.begin(), sums.end(), Squares<T>(0));
    for (int c = 0; c < tile.channels; ++c)
        for (int j = -radius; j <= radius; ++j)
            for (int i = -radius; i <= radius; ++i) {
                const std::int16_t* own = tile.row(c, y + j) + NlMeansTile::kSide + i;
                const std::int16_t* other = tile.row(c, y + j + dy) + NlMeansTile::kSide + i + dx;
                for (int x = 0; x < tile.rect.width; ++x) {
                    const auto d = Squares<T>(own[x] - other[x]);
                    sums[std::size_t(x)] += d * d;
                }
            }
}

template <class T>
void direct(const NlMeansPlan& plan, const NlMeansTile& tile, const NlMeansStop& stop,
            const NlMeansStore<T>& store) {
    Sums<T> sums(plan, tile);
    std::vector<Squares<T>> row(std::size_t(tile.rect.width));
    const int search = plan.searchRadius;
    for (int dy = -search; dy <= search; ++dy)
        for (int dx = -search; dx <= search; ++dx) {
            for (int y = 0; y < tile.rect.height; ++y) {
                if (y % 16 == 0 && stop()) return;
                directPatchSums<T>(plan, tile, y, dx, dy, row);
                sums.add(y, dx, dy, row.data());
            }
        }
    sums.store(store);
}

// `together`: integral images for a whole row of offsets at a time.
template <class T>
void integral(const NlMeansPlan& plan, const NlMeansTile& tile, bool together,
              const NlMeansStop& stop, const NlMeansStore<T>& store) {
    Sums<T> sums(plan, tile);
    std::vector<Squares<T>> row(std::size_t(tile.rect.width));
    const int search = plan.searchRadius;
    const int planes = together ? 2 * search + 1 : 1;
    std::vector<DifferenceIntegral<T>> integrals(std::size_t(planes), {plan, tile});
    for (int dy = -search; dy <= search; ++dy)
        for (int firstDx = -search; firstDx <= search; firstDx += planes) {
            for (int k = 0; k < planes; ++k) {
                if (stop()) return;
                integrals[std::size_t(k)].build(firstDx + k, dy);
            }
            for (int k = 0; k < planes; ++k)
                for (int y = 0; y < tile.rect.height; ++y) {
                    integrals[std::size_t(k)].patchSums(y, row.data());
                    sums.add(y, firstDx + k, dy, row.data());
                }
        }
    if (!stop()) sums.store(store);
}

}  // namespace

template <class T>
void nlMeansPublished(const NlMeansPlan& plan, const NlMeansTile& tile, const NlMeansStop& stop,
                      const NlMeansStore<T>& store) {
    if (plan.variant == "direct")
        direct(plan, tile, stop, store);
    else
        integral(plan, tile, plan.variant == "integral_rows", stop, store);
}

template void nlMeansPublished(const NlMeansPlan&, const NlMeansTile&, const NlMeansStop&,
                               const NlMeansStore<std::uint8_t>&);
template void nlMeansPublished(const NlMeansPlan&, const NlMeansTile&, const NlMeansStop&,
                               const NlMeansStore<std::uint16_t>&);

}  // namespace warpscope
