#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>
#include <vector>

#include "engine/operations/alpha_rows.h"
#include "engine/operations/cpu_work.h"
#include "engine/operations/morphology/extremes.h"
#include "engine/operations/morphology/morphology.h"
#include "engine/operations/morphology/morphology_squares.h"
#include "engine/operations/morphology/morphology_strips.h"
#include "engine/operations/narrow_images.h"
#include "engine/operations/order_keys.h"
#include "engine/operations/work_steps.h"

namespace warpscope {
namespace {

// Of what a band keeps of the rows that it needs again.
constexpr std::ptrdiff_t kKeptBytes = 192 * 1024;
// Of what lies between two passes, and its rows at least for each row of the radius, of which two
// are made twice.
constexpr std::ptrdiff_t kBetweenBytes = 1024 * 1024;
constexpr int kLeastBetween = 8;

// How the rows of a shape are made from what is kept of each row of the image.
enum class Kept {
    // Smallest disks: its samples.
    Samples,
    // Square: its row of the shape.
    Row,
    // Small disk: one for each length that a row of the disk has.
    EveryLength,
    // Large disk: the extremes of 1, 2, 4, ... samples from each sample on. Two of these cover a
    // row of the disk.
    PowersOfTwo
};
// Up to here it takes less time than blocks, or than powers of two.
constexpr int kMaxSmallSquare = 2;
constexpr int kMaxSamples = 2;
constexpr int kMaxEveryLength = 9;

Kept keptFor(const MorphologyPlan& plan) {
    if (plan.shape == MorphologyShape::Square) return Kept::Row;
    if (plan.radius <= kMaxSamples) return Kept::Samples;
    return plan.radius <= kMaxEveryLength ? Kept::EveryLength : Kept::PowersOfTwo;
}
// Of each row.
int tablesFor(const MorphologyPlan& plan) {
    switch (keptFor(plan)) {
        case Kept::Samples:
        case Kept::Row:
            return 1;
        case Kept::EveryLength:
            return plan.radius + 1;
        case Kept::PowersOfTwo:
            return std::bit_width(unsigned(2 * plan.radius + 1));
    }
    return 1;
}

// Square and disk: what is kept of the 2 radius + 1 rows around the row at hand, in a ring.
template <class T>
class RingStrip : Strip<T> {
  public:
    using Key = KeyOf<T>;

    RingStrip(const Pass<T>& pass, int first, int count)
        : Strip<T>(pass, first, count),
          m_kept(keptFor(pass.plan)),
          m_radius(pass.plan.radius),
          m_side(2 * m_radius + 1),
          m_tables(tablesFor(pass.plan)),
          m_pairs(m_kept == Kept::Samples),
          m_rows(alignedZeros<Key>(std::size_t(m_side + 1) * unsigned(m_tables) *
                                   unsigned(this->m_pitch))),
          m_chords(std::size_t(2 * m_side + kMaxSamples)) {}

    void run(int firstRow, int lastRow, const CpuContext& context) {
        const int height = this->m_pass.source.height;
        const Extreme which = this->m_pass.which;
        int ready = std::max(0, firstRow - m_radius);
        for (int y = firstRow; y < lastRow; ++y) {
            if (context.stopRequested()) return;
            const bool pair =
                m_pairs && y + 1 < lastRow && y >= m_radius && y + 1 + m_radius < height;
            for (const int end = std::min(height, y + int(pair) + m_radius + 1); ready < end;
                 ++ready)
                fill(ready);
            if (pair) {
                extremeOfPair(which, pairOf(y), {this->resultOf(y), this->resultOf(y + 1)},
                              this->m_count);
                this->store(y++);
            } else {
                extremeOfChords(which, m_chords.data(), chordsOf(y), this->resultOf(y),
                                this->m_count);
            }
            this->store(y);
        }
    }

  private:
    Key* row(int y, int table) {
        return m_rows.get() + (std::ptrdiff_t(y % (m_side + 1)) * m_tables + table) * this->m_pitch;
    }

    // Of rows y and y + 1, all of whose shapes lie in the image.
    ChordsOfPair<Key> pairOf(int y) {
        Chord<Key>* next = m_chords.data();
        bool open = false;
        const auto add = [&](const Key* sample) {
            if (open)
                next[-1].right = sample;
            else
                *next++ = {sample, sample};
            open = !open;
        };
        const auto closed = [&](const Chord<Key>* since) {
            open = false;
            return int(next - since);
        };
        const int channels = this->m_pass.source.channels;
        const auto half = [&](int dy) {
            return std::abs(dy) > m_radius ? -1 : this->m_pass.plan.halves.at[std::abs(dy)];
        };
        // Samples of row y + dy that lie beyond `from` and up to `to` beside the middle.
        const auto addBeside = [&](int dy, int from, int to) {
            const Key* middle = row(y + dy, 0) + m_radius * channels;
            for (int x = from + 1; x <= to; ++x) {
                add(middle + x * channels);
                if (x > 0) add(middle - x * channels);
            }
        };
        for (int dy = -m_radius; dy <= m_radius + 1; ++dy)
            addBeside(dy, -1, std::min(half(dy), half(dy - 1)));
        const int shared = closed(m_chords.data());
        int own = 0;
        for (const int k : {0, 1}) {
            const Chord<Key>* since = next;
            for (int dy = -m_radius; dy <= m_radius + 1; ++dy)
                addBeside(dy, std::min(half(dy), half(dy - 1)), half(dy - k));
            own = closed(since);
        }
        return {m_chords.data(), shared, own, this->aheadOf(y, y + 2, 0, this->m_count)};
    }

    void fill(int y) {
        const Extreme which = this->m_pass.which;
        const int channels = this->m_pass.source.channels, wide = this->m_wide;
        if (m_kept == Kept::Row) return this->alongRow(y, row(y, 0));
        const bool all = m_kept == Kept::EveryLength;
        Key* samples = all ? this->m_row.get() : row(y, 0);
        this->m_pass.load(y, this->m_first - this->m_pass.reach(), wide, samples);
        if (all) {
            Key* outs[kMaxEveryLength + 1] = {};
            for (int dy = 0; dy <= m_radius; ++dy) {
                const int half = this->m_pass.plan.halves.at[dy];
                outs[half] = row(y, half);
            }
            return extremesAround(which, samples, m_radius, channels, outs, this->m_count);
        }
        // Of samples there is one table.
        for (int table = 1; table < m_tables; ++table) {
            const int half = (1 << (table - 1)) * channels;
            extremeOfTwo(which, row(y, table - 1), row(y, table - 1) + half, row(y, table),
                         wide - 2 * half + channels);
        }
    }

    // Into m_chords; how many.
    int chordsOf(int y) {
        const int lastRow = this->m_pass.source.height - 1;
        int count = 0;
        if (m_kept == Kept::Samples) {
            const int channels = this->m_pass.source.channels;
            for (int dy = std::max(-m_radius, -y); dy <= std::min(m_radius, lastRow - y); ++dy)
                for (int dx = this->m_pass.plan.halves.at[std::abs(dy)], x = -dx; x <= dx; ++x) {
                    // Two samples a chord; the last may stand alone.
                    const Key* sample = row(y + dy, 0) + (m_radius + x) * channels;
                    Chord<Key>& chord = m_chords[std::size_t(count / 2)];
                    chord = {count % 2 ? chord.left : sample, sample};
                    ++count;
                }
            return (count + 1) / 2;
        }
        if (m_kept == Kept::PowersOfTwo) {
            for (int dy = std::max(-m_radius, -y); dy <= std::min(m_radius, lastRow - y); ++dy)
                m_chords[std::size_t(count++)] = chordOf(y + dy, std::abs(dy));
            return count;
        }
        for (int dy = 0; dy <= m_radius; ++dy) {
            const int table = m_kept == Kept::Row ? 0 : this->m_pass.plan.halves.at[dy];
            const int above = y - dy, below = y + dy;
            if (above < 0 && below > lastRow) break;
            m_chords[std::size_t(count++)] = {row(above < 0 ? below : above, table),
                                              row(below > lastRow ? above : below, table)};
        }
        return count;
    }
    Chord<Key> chordOf(int y, int away) {
        const int channels = this->m_pass.source.channels;
        const int half = this->m_pass.plan.halves.at[away];
        const int length = 2 * half + 1, table = std::bit_width(unsigned(length)) - 1;
        const Key* left = row(y, table) + (m_radius - half) * channels;
        return {left, left + (length - (1 << table)) * channels};
    }

    Kept m_kept;
    int m_radius, m_side, m_tables;
    bool m_pairs;
    hwy::AlignedFreeUniquePtr<Key[]> m_rows;
    std::vector<Chord<Key>> m_chords;
};

template <class T, template <class> class OfStrip>
void runStrips(const Pass<T>& pass, int keptRows, int first, int last, const CpuContext& context) {
    constexpr int kLine = 64 / int(sizeof(T));
    const int samples = pass.source.samplesPerRow();
    // As many columns as fit the cache, but not few beside what lies beside them.
    const std::ptrdiff_t fits = kKeptBytes / std::ptrdiff_t(sizeof(T)) / keptRows;
    const int columns =
        int(std::max<std::ptrdiff_t>({fits, 512, 2 * pass.reach()})) / kLine * kLine;
    // None is narrower than a line, but of an image that is.
    for (int x = 0, count = 0; x < samples; x += count) {
        count = samples - x < columns + kLine ? samples - x : columns;
        OfStrip<T>(pass, x, count).run(first, last, context);
    }
}

// body(first, last, context) for bands of rows.
template <class T, class Body>
Result<void> runBands(const Pass<T>& pass, double nanosecondsPerByte, const CpuContext& context,
                      const Body& body) {
    const int height = pass.source.height;
    const double cost = double(sizeof(T) * unsigned(pass.source.channels)) * nanosecondsPerByte;
    const CpuContext chosen = forWork(context, {pass.source.width, height}, cost);
    // Tall beside the 2 radius rows that every band makes once more, with two squares 4 radius.
    const int threads = chosen.threadCount();
    const int tall = std::max(384, 24 * pass.plan.radius);
    const int bands = std::max(1, height / tall / threads) * threads;
    return forEachRowBand(chosen, height, (height + bands - 1) / bands,
                          [&](int first, int last) { body(first, last, chosen); });
}

// Rows [first, last).
template <class T>
void runRows(const Pass<T>& pass, int first, int last, const CpuContext& context) {
    const bool disk = pass.plan.shape == MorphologyShape::Disk;
    const int radius = pass.plan.radius, side = 2 * radius + 1;
    const bool square = pass.plan.shape == MorphologyShape::Square;
    const bool small = square && radius <= kMaxSmallSquare;
    if constexpr (!std::is_floating_point_v<T>)
        if (small && pass.source.samplesPerRow() >= 64 / int(sizeof(T)))
            return runStrips<T, SquareStrip>(pass, side, first, last, context);
    if (square && !small)
        return runStrips<T, SquareBlockStrip>(pass, 2 * side, first, last, context);
    if (disk || small)
        runStrips<T, RingStrip>(pass, side * tablesFor(pass.plan), first, last, context);
    else
        runStrips<T, BlockStrip>(pass, side, first, last, context);
}

double nanosecondsPerByte(const MorphologyPlan& plan) {
    return plan.shape == MorphologyShape::Disk ? 0.1 + 0.05 * plan.radius : 0.3;
}

template <class T>
Result<void> runPass(const Pass<T>& pass, const CpuContext& context) {
    return runBands(
        pass, nanosecondsPerByte(pass.plan), context,
        [&](int first, int last, const CpuContext& chosen) { runRows(pass, first, last, chosen); });
}

// Both extremes of an operation at once: what lies between them stays in the cache.
template <class T>
Result<void> runTwoSquares(const Pass<T>& pass, const CpuContext& context) {
    // Of the five blocks that a strip keeps, three are in use at a time.
    const int keptRows = 3 * (2 * pass.plan.radius + 1);
    return runBands(pass, 0.6, context, [&](int first, int last, const CpuContext& chosen) {
        runStrips<T, TwoSquaresStrip>(pass, keptRows, first, last, chosen);
    });
}

// Of what lies between two passes, those that stay in the cache at a time; 0: too few beside the
// rows that are made twice.
int rowsBetween(const Image& in, int radius) {
    const auto rows = int(std::min<std::ptrdiff_t>(
        in.height(), kBetweenBytes / std::ptrdiff_t(in.pitch()) - 2 * radius));
    return rows >= kLeastBetween * radius ? rows : 0;
}

// Two passes, of so many rows at a time: `first`, which is given the target of both, and then
// second(what lies between).
template <class T, class Second>
Result<void> runThroughCache(const Pass<T>& first, const Second& second, int rows,
                             const CpuContext& context) {
    const int radius = first.plan.radius, height = first.source.height;
    const std::ptrdiff_t pitch = first.source.pitch;
    const auto runSome = [&](int from, int last, const CpuContext& chosen) {
        // Crosses look at a row that they do not need, and vectors, as in images, beyond the end.
        constexpr std::ptrdiff_t kBeyond = 64;
        const auto memory =
            alignedSamples<std::byte>(std::size_t(pitch * (rows + 2 * radius + 1) + kBeyond));
        for (int y = from; y < last && !chosen.stopRequested(); y += rows) {
            const int end = std::min(y + rows, last);
            const int above = std::max(y - radius, 0), below = std::min(end + radius, height);
            // The rows from `above` on are there, no others.
            Pass<T> pass = first;
            pass.target.data = reinterpret_cast<T*>(memory.get() - pitch * above);
            pass.target.pitch = pitch;
            runRows(pass, above, below, chosen);
            runRows(second(pass.target), y, end, chosen);
        }
    };
    return runBands(first, 2 * nanosecondsPerByte(first.plan), context, runSome);
}

template <class T>
Result<void> runTyped(const MorphologyPlan& plan, const Image& in, const MutableImage& out,
                      const CpuContext& context) {
    using enum MorphologyOperation;
    const auto source = in.view<T>();
    const auto target = out.view<T>();
    const auto asSource = [](const View<T>& view) {
        return View<const T>{view.data, view.width, view.height, view.channels, view.pitch};
    };
    const MorphologyOperation of = plan.operationOf;
    if (of == Erode || of == Dilate)
        return runPass(Pass<T>{source, target, of == Erode ? Extreme::Least : Extreme::Most, plan},
                       context);
    const bool darkFirst = of == Open || of == TopHat;
    const Extreme one = darkFirst ? Extreme::Least : Extreme::Most;
    const Extreme other = darkFirst ? Extreme::Most : Extreme::Least;
    if (plan.shape == MorphologyShape::Square && plan.radius > kMaxSmallSquare) {
        Pass<T> both{source, target, other, plan};
        if (of == TopHat) both.minuend = source;
        if (of == BlackHat) both.subtrahend = source;
        return runTwoSquares(both, context);
    }
    const auto secondPass = [&](const View<T>& between) {
        Pass<T> pass{of == Gradient ? source : asSource(between), target, other, plan};
        if (of == Gradient) pass.minuend = asSource(between);
        if (of == TopHat) pass.minuend = source;
        if (of == BlackHat) pass.subtrahend = source;
        return pass;
    };
    const int rows = rowsBetween(in, plan.radius);
    if (rows > 0) return runThroughCache<T>({source, target, one, plan}, secondPass, rows, context);
    auto memory = MutableImage::create(in.format(), in.size());
    if (!memory) return fail(memory.error());
    const auto between = memory->template view<T>();
    if (auto done = runPass(Pass<T>{source, between, one, plan}, workStep(context, 0, 2)); !done)
        return done;
    return runPass(secondPass(between), workStep(context, 1, 2));
}

}  // namespace

Result<void> runMorphologyCpu(const MorphologyPlan& plan, const Image& in, const MutableImage& out,
                              const CpuContext& context) {
    return onLongRows(in, out, context, [&](const Image& source, const MutableImage& target) {
        if (isFloat(plan.input)) return runTyped<float>(plan, source, target, context);
        return bytesPerSample(plan.input) == 2
                   ? runTyped<std::uint16_t>(plan, source, target, context)
                   : runTyped<std::uint8_t>(plan, source, target, context);
    });
}

}  // namespace warpscope
