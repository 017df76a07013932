// How a part of an image's columns goes through squares from top to bottom, and through the two
// that an operation may be made of at once. Included by morphology_cpu.cpp alone.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/operations/morphology/morphology_strips.h"

namespace warpscope {

// Minima or maxima over squares of a radius of 3 and more, of `count` samples a row, block by block
// of 2 radius + 1 rows: a window is the end of one block and the start of the next, and all that
// begin in one block are made at once. Rows come from partOf(y): those without samples lie outside
// the image.
template <class T>
class SquareBlocks {
  public:
    using Key = KeyOf<T>;

    SquareBlocks(Extreme which, int radius, int channels, int count)
        : m_which(which),
          m_radius(radius),
          m_channels(channels),
          m_count(count),
          m_pitch(padded<T>(count + 2 * radius * channels)),
          m_memory(alignedZeros<Key>(2 * std::size_t(side()) * unsigned(m_pitch))),
          m_scratch(alignedZeros<T>(std::size_t(padded<T>(count + 4 * radius * channels) +
                                                kPaddingBytes / int(sizeof(T))))) {
        for (int j = 0; j < 2 * side(); ++j)
            (j < side() ? m_ends : m_rows).push_back(m_memory.get() + std::ptrdiff_t(j) * m_pitch);
    }

    int side() const { return 2 * m_radius + 1; }

    // The next block begins at row y.
    template <class PartOf>
    void begin(int y, const PartOf& partOf) {
        for (int j = 0; j < side(); ++j) fill(partOf(y - m_radius + j), m_ends[std::size_t(j)]);
        for (auto j = std::size_t(side()) - 1; j > 0; --j)
            extremeOfTwo(m_which, m_ends[j - 1], m_ends[j], m_ends[j - 1], m_count);
    }
    // Its first rows, as many as there are `outs`; where these are not all, there is no next one.
    template <class PartOf>
    void make(int y, const PartOf& partOf, const std::vector<FinishedRow<T>>& outs, bool stream) {
        for (std::size_t j = 0; j < outs.size(); ++j)
            fill(partOf(y + int(j) + m_radius + 1), m_rows[j]);
        extremeOfBlocks(m_which, m_ends.data(), m_rows.data(), outs.data(), side(),
                        int(outs.size()), m_count, stream);
        m_ends.swap(m_rows);
    }

  private:
    void fill(RowPart<T> part, Key* to) {
        if (!part.row) return void(std::fill_n(to, m_count, neutralKey<Key>(m_which)));
        part.count = m_count;
        part.outside = outsideSample<T>(m_which);
        extremeOfWindows(m_which, part, m_radius, m_channels, m_scratch.get(), to);
    }

    Extreme m_which;
    int m_radius, m_channels, m_count, m_pitch;
    hwy::AlignedFreeUniquePtr<Key[]> m_memory;
    hwy::AlignedFreeUniquePtr<T[]> m_scratch;
    std::vector<Key*> m_ends, m_rows;
};

template <class T>
class SquareBlockStrip {
  public:
    SquareBlockStrip(const Pass<T>& pass, int first, int count)
        : m_pass(pass),
          m_first(first),
          m_count(count),
          m_stream(std::uint64_t(pass.source.samplesPerRow()) * sizeof(T) *
                       std::uint64_t(pass.source.height) >=
                   kMorphologyStreamBytes),
          m_blocks(pass.which, pass.plan.radius, pass.source.channels, count) {}

    void run(int firstRow, int lastRow, const CpuContext& context) {
        const auto partOf = [&](int y) { return sourcePart(y, m_first); };
        m_blocks.begin(firstRow, partOf);
        for (int y = firstRow; y < lastRow && !context.stopRequested(); y += m_blocks.side())
            m_blocks.make(y, partOf, finished(y, std::min(m_blocks.side(), lastRow - y)), m_stream);
    }

  protected:
    const T* sourceRow(int y) const {
        const View<const T>& source = m_pass.source;
        return y >= 0 && y < source.height ? source.row(y) : nullptr;
    }
    RowPart<T> sourcePart(int y, int first) const {
        return {sourceRow(y), m_pass.source.samplesPerRow(), first, 0, {}, sourceRow(y + 1)};
    }
    // Processors look ahead along rows; this goes down a part of them. The next block's rows are
    // asked for while this one's results go.
    const T* aheadOf(int y, int first) const {
        const T* row = sourceRow(y - m_pass.plan.radius + 2 * m_blocks.side());
        return row ? row + first : nullptr;
    }
    // As Strip::store() does it.
    std::vector<FinishedRow<T>> finished(int y, int rows) const {
        std::vector<FinishedRow<T>> made;
        for (const int end = y + rows; y < end; ++y) {
            const auto at = [&](const View<const T>& view) {
                return view.data ? view.row(y) + m_first : nullptr;
            };
            made.push_back(
                {m_pass.target.row(y) + m_first, at(m_pass.minuend), at(m_pass.subtrahend),
                 m_pass.source.channels == 4 ? at(m_pass.source) : nullptr, aheadOf(y, m_first)});
        }
        return made;
    }

    const Pass<T>& m_pass;
    int m_first, m_count;
    bool m_stream;
    SquareBlocks<T> m_blocks;
};

// The other extreme before that of the pass: the minuends of a gradient, or the rows that the pass
// works on, with what lies beside. A block of them is kept.
template <class T>
class TwoSquaresStrip : SquareBlockStrip<T> {
  public:
    TwoSquaresStrip(const Pass<T>& pass, int first, int count)
        : SquareBlockStrip<T>(pass, first, count),
          m_gradient(pass.plan.operationOf == MorphologyOperation::Gradient),
          m_from(m_gradient ? first : std::max(first - pass.reach(), 0)),
          m_wide(m_gradient ? count
                            : std::min(first + count + pass.reach(), pass.source.samplesPerRow()) -
                                  m_from),
          m_pitch(padded<T>(m_wide)),
          m_before(pass.which == Extreme::Least ? Extreme::Most : Extreme::Least, pass.plan.radius,
                   pass.source.channels, m_wide),
          m_between(alignedZeros<T>(std::size_t(m_before.side()) * unsigned(m_pitch))) {}

    void run(int firstRow, int lastRow, const CpuContext& context) {
        const int side = m_before.side(), radius = this->m_pass.plan.radius;
        const auto sourceOf = [&](int y) { return this->sourcePart(y, m_from); };
        // The first row of what is between.
        int since = m_gradient ? firstRow : firstRow - radius;
        const auto betweenOf = [&](int y) {
            if (!this->sourceRow(y)) return RowPart<T>{};
            return RowPart<T>{between(y - since), m_wide, this->m_first - m_from, 0, {}, nullptr};
        };
        m_before.begin(since, sourceOf);
        if (m_gradient) {
            this->m_blocks.begin(firstRow, sourceOf);
        } else {
            m_before.make(since, sourceOf, betweenRows(since, side), false);
            this->m_blocks.begin(firstRow, betweenOf);
            since += side;
        }
        for (int y = firstRow; y < lastRow && !context.stopRequested(); y += side, since += side) {
            const int rows = std::min(side, lastRow - y);
            m_before.make(since, sourceOf, betweenRows(since, rows), false);
            auto made = this->finished(y, rows);
            for (int j = 0; m_gradient && j < rows; ++j) made[std::size_t(j)].minuend = between(j);
            if (m_gradient)
                this->m_blocks.make(y, sourceOf, made, this->m_stream);
            else
                this->m_blocks.make(y, betweenOf, made, this->m_stream);
        }
    }

  private:
    T* between(int j) { return m_between.get() + std::ptrdiff_t(j) * m_pitch; }
    std::vector<FinishedRow<T>> betweenRows(int y, int rows) {
        std::vector<FinishedRow<T>> made;
        for (int j = 0; j < rows; ++j)
            made.push_back({between(j), nullptr, nullptr, nullptr, this->aheadOf(y + j, m_from)});
        return made;
    }

    bool m_gradient;
    // Columns of the extremes before.
    int m_from, m_wide, m_pitch;
    SquareBlocks<T> m_before;
    hwy::AlignedFreeUniquePtr<T[]> m_between;
};

}  // namespace warpscope
