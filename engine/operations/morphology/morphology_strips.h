// How a part of an image's columns goes through morphology from top to bottom; squares from
// radius 3 on are in morphology_squares.h. Included by morphology_cpu.cpp alone.
#pragma once

#include <algorithm>
#include <limits>
#include <type_traits>
#include <vector>

#include "engine/operations/alpha_rows.h"
#include "engine/operations/cpu_work.h"
#include "engine/operations/morphology/extremes.h"
#include "engine/operations/morphology/morphology.h"
#include "engine/operations/order_keys.h"

namespace warpscope {

// What is compared: float samples by keys of the same order.
template <class T>
using KeyOf = std::conditional_t<std::is_floating_point_v<T>, std::int32_t, T>;

// Results that no cache will hold are written past it.
inline constexpr std::uint64_t kMorphologyStreamBytes = 4u << 20;

inline constexpr int kPaddingBytes = 128;
template <class T>
int padded(int samples) {
    constexpr int kLine = 64 / int(sizeof(KeyOf<T>));
    return (samples + kLine - 1) / kLine * kLine + kPaddingBytes / int(sizeof(KeyOf<T>));
}

// Loses against everything.
template <class Key>
Key neutralKey(Extreme which) {
    return which == Extreme::Least ? std::numeric_limits<Key>::max()
                                   : std::numeric_limits<Key>::lowest();
}
// The sample that does.
template <class T>
T outsideSample(Extreme which) {
    if constexpr (std::is_floating_point_v<T>)
        return which == Extreme::Least ? std::numeric_limits<T>::quiet_NaN()
                                       : -std::numeric_limits<T>::infinity();
    else
        return neutralKey<T>(which);
}

// One pass: minima or maxima over the shape.
template <class T>
struct Pass {
    using Key = KeyOf<T>;

    View<const T> source;
    View<T> target;
    Extreme which = Extreme::Least;
    const MorphologyPlan& plan;
    // Where these are images, the result is `minuend` less the extremes, or these less
    // `subtrahend`. Alpha is that of `source` in any case.
    View<const T> minuend = {}, subtrahend = {};

    int reach() const { return plan.radius * source.channels; }
    Key neutral() const { return neutralKey<Key>(which); }

    // Samples [from, from + count) of row y; those outside the image are neutral.
    void load(int y, int from, int count, Key* to) const {
        const int samples = source.samplesPerRow();
        if (y < 0 || y >= source.height) {
            std::fill_n(to, count, neutral());
            return;
        }
        const int first = std::max(from, 0), last = std::min(from + count, samples);
        const T* row = source.row(y);
        std::fill_n(to, first - from, neutral());
        if constexpr (std::is_floating_point_v<T>)
            toOrderKeys(row + first, to + (first - from), last - first);
        else  // A copy; that of the library is slow where one of both is not aligned.
            extremeOfTwo(which, row + first, row + first, to + (first - from), last - first);
        std::fill(to + (last - from), to + count, neutral());
    }
};

// Columns [first, first + count) of a band: a multiple of 64 bytes but at the end of a row.
template <class T>
class Strip {
  public:
    using Key = KeyOf<T>;

    Strip(const Pass<T>& pass, int first, int count)
        : m_pass(pass),
          m_first(first),
          m_count(count),
          m_wide(count + 2 * pass.reach()),
          m_pitch(padded<T>(m_wide)),
          m_row(alignedZeros<Key>(std::size_t(m_pitch))),
          m_result(alignedZeros<Key>(2 * std::size_t(m_pitch))) {}

  protected:
    // While rows y and y + 1 are made: the two rows of the image that the next two need, and rows
    // `to` and to + 1 of the result. From sample m_first + at on, for `count` samples.
    RowsAhead aheadOf(int y, int to, int at, int count) const {
        RowsAhead ahead(count * std::ptrdiff_t{sizeof(T)});
        const int height = m_pass.source.height;
        for (int k = 0; k < 2; ++k) {
            const int next = y + 2 + m_pass.plan.radius + k;
            if (next < height) ahead.add(m_pass.source.row(next) + m_first + at);
            if (to + k < height) ahead.add(m_pass.target.row(to + k) + m_first + at);
        }
        return ahead;
    }
    // Minima or maxima over the row's part of a square.
    void alongRow(int y, Key* to) {
        const int channels = m_pass.source.channels, side = 2 * m_pass.plan.radius + 1;
        Key* row = m_row.get();
        m_pass.load(y, m_first - m_pass.reach(), m_wide, row);
        extremeAlong(m_pass.which, row, side, channels, to, m_count);
    }
    // Where the result of row y is to be made; then store(). A row and the next may be made at
    // once.
    Key* resultOf(int y) {
        if constexpr (std::is_floating_point_v<T>)
            return m_result.get() + y % 2 * m_pitch;
        else
            return m_pass.target.row(y) + m_first;
    }
    void store(int y) {
        if constexpr (std::is_floating_point_v<T>)
            fromOrderKeys(resultOf(y), m_pass.target.row(y) + m_first, m_count);
        T* made = m_pass.target.row(y) + m_first;
        if (m_pass.minuend.data) subtractRows(m_pass.minuend.row(y) + m_first, made, made, m_count);
        if (m_pass.subtrahend.data)
            subtractRows(made, m_pass.subtrahend.row(y) + m_first, made, m_count);
        if (m_pass.source.channels == 4)
            copyAlpha(m_pass.source.row(y) + m_first, m_pass.target.row(y) + m_first, m_count);
    }

    const Pass<T>& m_pass;
    int m_first, m_count;
    // With what lies beside, and the distance of such rows.
    int m_wide, m_pitch;
    hwy::AlignedFreeUniquePtr<Key[]> m_row, m_result;
};

// Cross: along columns by blocks of 2 radius + 1 rows. A window is the
// end of one block and the start of the next; slot j of the ring holds the extreme from row j to
// the end of the block until the window has left it, and from then on row j of the next block.
template <class T>
class BlockStrip : Strip<T> {
  public:
    using Key = KeyOf<T>;

    BlockStrip(const Pass<T>& pass, int first, int count)
        : Strip<T>(pass, first, count),
          m_side(2 * pass.plan.radius + 1),
          m_cross(pass.plan.shape == MorphologyShape::Cross),
          m_ring(alignedZeros<Key>(std::size_t(m_side) * unsigned(this->m_pitch))),
          m_start(alignedZeros<Key>(std::size_t(this->m_pitch))) {}

    void run(int firstRow, int lastRow, const CpuContext& context) {
        const Extreme which = this->m_pass.which;
        const int top = firstRow - this->m_pass.plan.radius;
        const int count = this->m_count;
        for (int j = 0; j < m_side; ++j) fill(top + j, slot(j));
        for (int block = firstRow; block < lastRow; block += m_side) {
            for (int j = m_side - 2; j >= 0; --j)
                extremeOfTwo(which, slot(j), slot(j + 1), slot(j), count);
            const int rows = std::min(m_side, lastRow - block);
            for (int j = 0; j < rows; ++j) {
                if (context.stopRequested()) return;
                const int y = block + j;
                Key* result = this->resultOf(y);
                extremeOfTwo(which, slot(j), j == 0 ? slot(j) : m_start.get(), result, count);
                if (m_cross) {
                    // The row's part of the cross.
                    this->alongRow(y, this->m_row.get());
                    extremeOfTwo(which, result, this->m_row.get(), result, count);
                }
                this->store(y);
                fill(y - this->m_pass.plan.radius + m_side, slot(j));
                extremeOfTwo(which, slot(j), j == 0 ? slot(j) : m_start.get(), m_start.get(),
                             count);
            }
        }
    }

  private:
    Key* slot(int j) { return m_ring.get() + std::ptrdiff_t(j) * this->m_pitch; }
    void fill(int y, Key* to) {
        const int height = this->m_pass.source.height;
        if (m_cross || y < 0 || y >= height)
            this->m_pass.load(y, this->m_first, this->m_count, to);
        else
            this->alongRow(y, to);
    }

    int m_side;
    bool m_cross;
    hwy::AlignedFreeUniquePtr<Key[]> m_ring, m_start;
};

// Small square of integers: along columns straight from the image, two rows at once, then along the
// row. Strips are at least a line of 64 bytes wide.
template <class T>
class SquareStrip : Strip<T> {
  public:
    SquareStrip(const Pass<T>& pass, int first, int count)
        : Strip<T>(pass, first, count),
          m_radius(pass.plan.radius),
          m_second(alignedZeros<T>(std::size_t(this->m_pitch))),
          m_from(std::max(first - pass.reach(), 0)),
          m_inside(std::min(first + count + pass.reach(), pass.source.samplesPerRow()) - m_from) {
        const int before = m_from - (first - pass.reach());
        for (T* row : {this->m_row.get(), m_second.get()}) {
            std::fill_n(row, before, pass.neutral());
            std::fill(row + before + m_inside, row + this->m_pitch, pass.neutral());
        }
        m_before = before;
    }

    void run(int firstRow, int lastRow, const CpuContext& context) {
        const int height = this->m_pass.source.height;
        for (int y = firstRow; y < lastRow; ++y) {
            if (context.stopRequested()) return;
            if (y + 1 < lastRow && y >= m_radius && y + 1 + m_radius < height) {
                pairOfColumns(y);
                along(y++, this->m_row.get());
                along(y, m_second.get());
            } else {
                columns(y);
                along(y, this->m_row.get());
            }
        }
    }

  private:
    static constexpr int kLine = 64 / int(sizeof(T));
    static constexpr int kMostRows = 8;

    // `make` makes so many samples, whole lines, from so many samples on.
    template <class Make>
    void wholeLines(Make make) {
        const int whole = m_inside / kLine * kLine;
        make(0, whole);
        // The last line overlaps what is done: nothing beyond the row is read.
        if (whole < m_inside) make(m_inside - kLine, kLine);
    }
    const T* sourceRow(int y, int at) const { return this->m_pass.source.row(y) + m_from + at; }
    // The end of the row was overwritten by whole vectors; what lies beside is neutral as before.
    void along(int y, T* row) {
        std::fill_n(row + m_before + m_inside, this->m_wide - m_before - m_inside,
                    this->m_pass.neutral());
        extremeAlong(this->m_pass.which, row, 2 * m_radius + 1, this->m_pass.source.channels,
                     this->resultOf(y), this->m_count);
        this->store(y);
    }
    void columns(int y) {
        wholeLines([&](int at, int count) {
            Chord<T> chords[kMostRows];
            int rows = 0;
            const int last = std::min(y + m_radius, this->m_pass.source.height - 1);
            for (int k = std::max(y - m_radius, 0); k <= last; ++k)
                chords[rows++] = {sourceRow(k, at), sourceRow(k, at)};
            extremeOfChords(this->m_pass.which, chords, rows, this->m_row.get() + m_before + at,
                            count);
        });
    }
    void pairOfColumns(int y) {
        wholeLines([&](int at, int count) {
            Chord<T> chords[kMostRows];
            for (int k = 0; k < m_radius; ++k)
                chords[k] = {sourceRow(y - m_radius + 1 + 2 * k, at),
                             sourceRow(y - m_radius + 2 + 2 * k, at)};
            chords[m_radius] = {sourceRow(y - m_radius, at), sourceRow(y - m_radius, at)};
            chords[m_radius + 1] = {sourceRow(y + m_radius + 1, at),
                                    sourceRow(y + m_radius + 1, at)};
            // What is made here is written by the next step, which would wait for its rows.
            const RowsAhead ahead = this->aheadOf(y, y, m_from + at - this->m_first, count);
            extremeOfPair(this->m_pass.which, {chords, m_radius, 1, ahead},
                          {this->m_row.get() + m_before + at, m_second.get() + m_before + at},
                          count);
        });
    }

    int m_radius;
    hwy::AlignedFreeUniquePtr<T[]> m_second;
    // Samples of the row that lie in the image, and the neutral ones before them.
    int m_from, m_inside, m_before = 0;
};

}  // namespace warpscope
