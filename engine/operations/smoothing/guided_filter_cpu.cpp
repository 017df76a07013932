#include <algorithm>
#include <array>
#include <type_traits>
#include <vector>

#include "engine/operations/color_rows.h"
#include "engine/operations/cpu_work.h"
#include "engine/operations/smoothing/guided_filter.h"
#include "engine/operations/smoothing/guided_filter_rows.h"
#include "engine/operations/smoothing/guided_filter_strips.h"
#include "engine/operations/tone/grayscale.h"

namespace warpscope {
namespace {

// Rows that go down a strip at once: what they are made of stays in the second cache.
constexpr int kBlockRows = 16;

constexpr int roundUp(int value, int step) {
    return (value + step - 1) / step * step;
}

template <class T>
using Memory = hwy::AlignedFreeUniquePtr<T[]>;

// `given` values from `before` on have their edges repeated, to `all` values.
template <class T>
void repeatEdges(T* line, int given, int before, int all) {
    std::fill_n(line, before, line[before]);
    std::fill(line + before + given, line + all, line[before + given - 1]);
}

// Rows of values, with room on both sides, which vectors read.
template <class T>
class Lines {
  public:
    Lines() = default;
    Lines(int rows, int columns)
        : m_pitch(roundUp(columns, kGuidedPadding) + 2 * kGuidedPadding),
          m_values(alignedZeros<T>(std::size_t(m_pitch) * std::size_t(rows))) {}
    T* row(int i) const { return m_values.get() + m_pitch * i + kGuidedPadding; }
    // In values.
    std::ptrdiff_t pitch() const { return m_pitch; }

  private:
    std::ptrdiff_t m_pitch = 0;
    Memory<T> m_values;
};

// What goes down columns: rows of sums along rows, and what columns of windows wait for. Nothing
// that was there before reaches a window, so it need not be zeros.
template <class Sum>
class Columns {
  public:
    Columns(int columns, int side)
        : m_side(side),
          m_rings(alignedSamples<Sum>(std::size_t(roundUp(columns, kGuidedColumns)) *
                                      std::size_t(guidedRingSums(side)))) {}
    void start() { m_taken = 0; }
    // As guidedDown().
    void take(const Sum* const* rows, int at, int count, Sum* sums) {
        guidedDown(rows, at, count, m_taken, m_side, m_rings.get() + at * guidedRingSums(m_side),
                   sums);
    }
    // After all columns.
    void taken(int count) { m_taken += count; }

  private:
    int m_side;
    int m_taken = 0;
    Memory<Sum> m_rings;
};

// Down a strip of the image. Nothing is kept of a whole strip: sums along the rows of a block, what
// the columns wait for, a and b of a block, and sums along those.
template <class T>
class GuidedStrip {
    using Sum = GuidedSum<T>;
    static constexpr int kBlock = kBlockRows * kGuidedColumns;

  public:
    // For up to so many output columns.
    GuidedStrip(const GuidedFilterPlan& plan, const View<const T>& source, const View<T>& target,
                int columns)
        : m_plan(plan),
          m_radius(plan.radius),
          m_side(2 * plan.radius + 1),
          m_colors(source.channels == 1 ? 1 : 3),
          m_source(source),
          m_target(target),
          m_sums(alignedZeros<Sum>(2 * kBlock)),
          m_mapSums(alignedZeros<double>(2 * kBlock)),
          m_rings(alignedZeros<Sum>(2 * std::size_t(guidedRingSums(m_side)))),
          m_mapRings(alignedZeros<double>(2 * std::size_t(guidedRingSums(m_side)))) {
        // Of a and b, and of those of the image itself.
        const int map = columns + 2 * m_radius, made = std::min(map, source.width);
        const int lines = m_colors == 1 ? 1 : 4;
        for (int i = 0; i < lines; ++i) {
            m_lines[std::size_t(i)] = {kBlockRows, made + 2 * m_radius};
            for (int k = 0; k < 2; ++k) m_windows.emplace_back(made, m_side);
        }
        for (int i = 0; i < 2 * m_colors; ++i) m_maps.emplace_back(columns, m_side);
        for (int k = 0; k < 2; ++k) {
            m_windowRows[k] = {kBlockRows, made};
            m_map[k] = {kBlockRows, map};
            m_mapRows[k] = {kBlockRows, columns};
        }
        if (m_colors == 1) return;
        m_lumaSums =
            alignedSamples<Sum>(2 * kBlockRows * std::size_t(roundUp(made, kGuidedColumns)));
        // Below the image its last row comes again and again.
        const int most = kBlockRows + roundUp(m_radius, kGuidedRows) + kGuidedRows;
        m_luma = {most, columns};
        for (auto& color : m_made) color = {most, columns};
    }

    void run(const Rect& tile, const CpuContext& context) {
        const int r = m_radius, end = tile.y + tile.height;
        m_tile = tile;
        // Where a and b are needed.
        m_needed.x = std::max(0, tile.x - r);
        m_needed.y = std::max(0, tile.y - r);
        m_needed.width = std::min(m_source.width, tile.x + tile.width + r) - m_needed.x;
        m_needed.height = std::min(m_source.height, end + r) - m_needed.y;
        for (auto& columns : m_windows) columns.start();
        for (auto& columns : m_maps) columns.start();
        // Of the first windows all rows but the last.
        const int before = roundUp(2 * r, kGuidedRows);
        for (int done = 0; done < before; done += kBlockRows) {
            const int rows = std::min(kBlockRows, before - done);
            readLines(m_needed.y + r - before + done, rows);
            for (int i = 0; i < int(m_windows.size()) / 2; ++i) sumWindows(i, rows, 0);
        }
        // Above the image there is the first row of a and b again, below it the last one.
        Block block;
        block.above = roundUp(std::max(0, r - tile.y), kGuidedRows);
        block.at = m_needed.y - block.above;
        for (int done = 0; done < m_needed.height; done += kBlockRows) {
            if (context.stopRequested()) return;
            block.rows = std::min(kBlockRows, m_needed.height - done);
            block.taken = roundUp(block.rows, kGuidedRows);
            const int next = m_needed.y + done + block.taken;
            if (done + block.rows == m_needed.height)
                block.below = roundUp(std::max(0, end + r - next), kGuidedRows);
            readLines(m_needed.y + r + done, block.taken);
            finish(block);
            block.above = 0;
            block.at = next;
        }
    }

  private:
    // Rows of a and b: `rows` new ones, with copies of the last one `taken`; before them the first
    // one `above` times, after them the last one `below` times. The first of all is row `at`.
    struct Block {
        int at = 0, above = 0, rows = 0, taken = 0, below = 0;
    };

    // Luma and colours of the columns of all windows, from row y on, which may lie outside.
    void readLines(int y, int rows) {
        const int r = m_radius;
        const int from = std::max(0, m_needed.x - r);
        const int given = std::min(m_source.width, m_needed.x + m_needed.width + r) - from;
        const int before = from - (m_needed.x - r), all = m_needed.width + 2 * r;
        for (int i = 0; i < rows; ++i) {
            const T* row = m_source.row(std::clamp(y + i, 0, m_source.height - 1)) +
                           std::ptrdiff_t(from) * m_source.channels;
            T* luma = m_lines[0].row(i);
            if (m_colors == 1) {
                std::copy_n(row, given, luma + before);
            } else {
                lumaRow(row, luma + before, given);
                T* const colors[3] = {m_lines[1].row(i) + before, m_lines[2].row(i) + before,
                                      m_lines[3].row(i) + before};
                splitColors(row, colors, given);
                for (int c = 1; c <= 3; ++c)
                    repeatEdges(m_lines[std::size_t(c)].row(i), given, before, all);
            }
            repeatEdges(luma, given, before, all);
        }
    }

    // Of luma and its squares (0), or of a colour and its products with luma. `taken` rows of the
    // lines; windows that end in the first `rows` of them become a and b, those of colour's luma
    // are kept.
    void sumWindows(int line, int taken, int rows) {
        const int width = m_needed.width;
        const Sum* along[2][kBlockRows];
        for (int i = 0; i < taken; ++i) {
            const T* values = m_lines[std::size_t(line)].row(i);
            guidedProductsAlong(values, m_lines[0].row(i), m_side, m_windowRows[0].row(i),
                                m_windowRows[1].row(i), width, m_rings.get());
            for (int k = 0; k < 2; ++k) along[k][i] = m_windowRows[k].row(i);
        }
        const int start = m_needed.x - (m_tile.x - m_radius);
        const bool kept = m_colors == 3 && line == 0;
        Columns<Sum>* columns = &m_windows[2 * std::size_t(line)];
        for (int at = 0; at < width; at += kGuidedColumns) {
            Sum* luma =
                m_colors == 1 ? nullptr : m_lumaSums.get() + 2 * kBlockRows * std::ptrdiff_t(at);
            Sum* made = kept ? luma : m_sums.get();
            for (int k = 0; k < 2; ++k) columns[k].take(along[k], at, taken, made + k * kBlock);
            if (kept) continue;
            GuidedWindows<Sum> windows{made, made + kBlock, nullptr, nullptr};
            if (line > 0) windows = {luma, luma + kBlock, made, made + kBlock};
            guidedLines(windows, m_plan, m_map[0].row(0) + start + at, m_map[1].row(0) + start + at,
                        m_map[0].pitch(), rows);
        }
        for (int k = 0; k < 2; ++k) columns[k].taken(taken);
    }

    void finish(const Block& block) {
        const int all = block.above + block.taken + block.below;
        // Output rows whose windows end in the block.
        m_first = std::max(m_tile.y, block.at - m_radius);
        m_end = std::min(m_tile.y + m_tile.height, block.at + all - m_radius);
        const int x = m_tile.x, width = m_tile.width;
        sumWindows(0, block.taken, block.rows);
        if (m_colors == 1) return sumMap(block, 0);
        for (int y = m_first; y < m_end; ++y)
            lumaRow(m_source.row(y) + 4 * std::ptrdiff_t(x), m_luma.row(y - m_first), width);
        for (int c = 0; c < 3; ++c) {
            sumWindows(1 + c, block.taken, block.rows);
            sumMap(block, c);
        }
        for (int y = m_first; y < m_end; ++y) {
            const T* const colors[3] = {m_made[0].row(y - m_first), m_made[1].row(y - m_first),
                                        m_made[2].row(y - m_first)};
            joinColors(colors, m_source.row(y) + 4 * std::ptrdiff_t(x),
                       m_target.row(y) + 4 * std::ptrdiff_t(x), width);
        }
    }

    // Output of channel c by the a and b of a block.
    void sumMap(const Block& block, int c) {
        const int all = m_tile.width + 2 * m_radius;
        const int before = m_needed.x - (m_tile.x - m_radius);
        for (int i = 0; i < block.rows; ++i) {
            for (auto& map : m_map) repeatEdges(map.row(i), m_needed.width, before, all);
            guidedLinesAlong(m_map[0].row(i), m_map[1].row(i), m_side, m_mapRows[0].row(i),
                             m_mapRows[1].row(i), m_tile.width, m_mapRings.get());
        }
        int at = block.at;
        const auto take = [&](int count, auto&& rowOf) {
            for (int done = 0; done < count; done += kBlockRows) {
                const int rows = std::min(kBlockRows, count - done);
                const double* along[2][kBlockRows];
                for (int i = 0; i < rows; ++i)
                    for (int k = 0; k < 2; ++k) along[k][i] = m_mapRows[k].row(rowOf(i));
                output(along, rows, at, c);
                at += rows;
            }
        };
        take(block.above, [](int) { return 0; });
        take(block.taken, [&](int i) { return std::min(i, block.rows - 1); });
        take(block.below, [&](int) { return block.rows - 1; });
    }

    // Of windows that end in rows `at`, ... of a and b.
    void output(const double* const (&along)[2][kBlockRows], int rows, int at, int c) {
        Columns<double>* columns = &m_maps[2 * std::size_t(c)];
        double* sums = m_mapSums.get();
        const int first = std::max(m_first, at - m_radius);
        const int end = std::min(m_end, at + rows - m_radius);
        GuidedRows<const T> luma{nullptr, m_source.pitch};
        GuidedRows<T> made{nullptr, m_target.pitch};
        if (first < end && m_colors == 1) {
            luma.first = m_source.row(first) + m_tile.x;
            made.first = m_target.row(first) + m_tile.x;
        } else if (first < end) {
            const Lines<T>& lines = m_made[std::size_t(c)];
            luma = {m_luma.row(first - m_first), m_luma.pitch() * std::ptrdiff_t(sizeof(T))};
            made = {lines.row(first - m_first), lines.pitch() * std::ptrdiff_t(sizeof(T))};
        }
        for (int x = 0; x < m_tile.width; x += kGuidedColumns) {
            for (int k = 0; k < 2; ++k) columns[k].take(along[k], x, rows, sums + k * kBlock);
            if (first >= end) continue;
            const double* a = sums + (first - (at - m_radius)) * kGuidedColumns;
            guidedResults({luma.row(0) + x, luma.pitch}, a, a + kBlock, m_plan,
                          {made.row(0) + x, made.pitch}, std::min(kGuidedColumns, m_tile.width - x),
                          end - first);
        }
        for (int k = 0; k < 2; ++k) columns[k].taken(rows);
    }

    const GuidedFilterPlan& m_plan;
    int m_radius, m_side, m_colors;
    View<const T> m_source;
    View<T> m_target;
    // Where output is made, and where a and b are needed for that; output rows of a block.
    Rect m_tile, m_needed;
    int m_first = 0, m_end = 0;
    // Luma, red, green and blue.
    std::array<Lines<T>, 4> m_lines;
    // Of values and their products; of a and b.
    std::array<Lines<Sum>, 2> m_windowRows;
    std::array<Lines<float>, 2> m_map;
    std::array<Lines<double>, 2> m_mapRows;
    std::vector<Columns<Sum>> m_windows;
    std::vector<Columns<double>> m_maps;
    // Of columns of a block.
    Memory<Sum> m_sums;
    Memory<double> m_mapSums;
    Memory<Sum> m_rings;
    Memory<double> m_mapRings;
    // With colour: sums of luma and its squares in a block, luma of its output rows, these.
    Memory<Sum> m_lumaSums;
    Lines<T> m_luma;
    std::array<Lines<T>, 3> m_made;
};

template <class T>
Result<void> runTyped(const GuidedFilterPlan& plan, const Image& in, const MutableImage& out,
                      const CpuContext& context, const GuidedCut& cut) {
    const auto source = in.view<T>();
    const auto target = out.view<T>();
    const int atOnce = std::clamp(cut.strips() / (4 * context.threadCount()), 1, 16);
    return forEachRowBand(context, cut.strips(), atOnce, [&](int first, int last) {
        GuidedStrip<T> strip(plan, source, target, cut.columns);
        for (int i = first; i < last; ++i) {
            if (context.stopRequested()) return;
            const int x = i % cut.across * cut.columns, y = i / cut.across * cut.rows;
            strip.run({x, y, std::min(cut.columns, source.width - x),
                       std::min(cut.rows, source.height - y)},
                      context);
        }
    });
}

}  // namespace

Result<void> runGuidedStrips(const GuidedFilterPlan& plan, const Image& in, const MutableImage& out,
                             const CpuContext& context, const GuidedCut& cut) {
    if (isFloat(plan.input)) return runTyped<float>(plan, in, out, context, cut);
    if (bytesPerSample(plan.input) == 2)
        return runTyped<std::uint16_t>(plan, in, out, context, cut);
    return runTyped<std::uint8_t>(plan, in, out, context, cut);
}

Result<void> runGuidedFilterCpu(const GuidedFilterPlan& plan, const Image& in,
                                const MutableImage& out, const CpuContext& context) {
    const CpuContext chosen =
        forWork(context, in.size(), guidedNanoseconds(plan.input, plan.radius));
    const GuidedCut cut = guidedCut(in.size(), plan.radius, chosen.threadCount());
    return runGuidedStrips(plan, in, out, chosen, cut);
}

}  // namespace warpscope
