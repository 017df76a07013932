// The mean over a square of float samples. A sum that slides would carry what rounding left, NaN
// and infinity from one window to the next, so windows are put together instead: rows, counted with
// the repeated edge, are cut in blocks of as many as a window has, and a window is the end of one
// block and the start of the next. Sums from each row of a block to its end and from its start take
// one addition each. The same along the row, of the sums of columns. The blocks are those of the
// image, whatever the bands, and the order of additions is the same everywhere: from the end of a
// block up, from the start of the next one down, then the two.
#include "engine/operations/smoothing/box_mean.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/smoothing/box_mean_float.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// to = from + row; may be the same. Of `row` no more is read.
HWY_ATTR void addRow(const double* from, const float* row, double* to, int samples) {
    const hn::ScalableTag<double> d;
    const hn::Rebind<float, decltype(d)> half;
    const int lanes = int(hn::Lanes(d));
    int i = 0;
    for (; i + lanes <= samples; i += lanes) {
        const auto value = hn::PromoteTo(d, hn::LoadU(half, row + i));
        hn::StoreU(hn::Add(hn::LoadU(d, from + i), value), d, to + i);
    }
    for (; i < samples; ++i) to[i] = from[i] + double(row[i]);
}

// to = a + b. Whole vectors: there is room for them.
HWY_ATTR void addSums(const double* a, const double* b, double* to, int samples) {
    const hn::ScalableTag<double> d;
    const int lanes = int(hn::Lanes(d));
    for (int i = 0; i < samples; i += lanes)
        hn::StoreU(hn::Add(hn::LoadU(d, a + i), hn::LoadU(d, b + i)), d, to + i);
}

// out = (a + b) / n, the first `samples`.
HWY_ATTR void means(const double* a, const double* b, double n, float* out, int samples) {
    int i = 0;
// Highway makes the largest float of infinity there.
#if HWY_TARGET != HWY_SCALAR
    const hn::ScalableTag<double> d;
    const hn::Rebind<float, decltype(d)> half;
    const int lanes = int(hn::Lanes(d));
    const auto count = hn::Set(d, n);
    for (; i + lanes <= samples; i += lanes) {
        const auto sum = hn::Add(hn::LoadU(d, a + i), hn::LoadU(d, b + i));
        hn::StoreU(hn::DemoteTo(half, hn::Div(sum, count)), half, out + i);
    }
#endif
    for (; i < samples; ++i) out[i] = float((a[i] + b[i]) / n);
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "engine/operations/cpu_work.h"

namespace warpscope {
namespace {

HWY_EXPORT(addRow);
HWY_EXPORT(addSums);
HWY_EXPORT(means);

constexpr int kPadding = 16;
// Rows whose sums to the end of their block are kept at a time.
constexpr int kChunk = 32;
// Columns that are worked on at a time, so that memory does not grow with the image: about so many,
// whole blocks, and what the windows of the last one reach.
constexpr int kColumnsTogether = 8192;

// Output rows of one band, columns [first, last); the first begins a block.
class Band {
  public:
    Band(const BoxMeanPlan& plan, const View<const float>& source, const View<float>& target,
         int first, int last)
        : m_radius(plan.radius),
          m_block(2 * plan.radius + 1),
          m_count(double(plan.count)),
          m_source(source),
          m_target(target),
          m_first(first),
          m_columnCount(last - first),
          m_from(std::max(0, first - m_radius)),
          m_beyond(std::max(0, m_radius - first)),
          m_samples((std::min(source.width, last + m_radius) - m_from) * source.channels),
          m_rowRoom(std::size_t(m_samples + kPadding)),
          m_checkpoints(alignedZeros<double>(m_rowRoom * std::size_t(m_block / kChunk + 2))),
          m_chunk(alignedZeros<double>(m_rowRoom * kChunk)),
          m_starts(alignedZeros<double>(m_rowRoom)),
          m_columns(alignedZeros<double>(paddedSamples() + kPadding)),
          m_toEnd(alignedZeros<double>(paddedSamples() + kPadding)),
          m_fromStart(alignedZeros<double>(paddedSamples() + kPadding)) {}

    // The window of output row y is rows y to y + 2 radius of those counted with the edge, and
    // begins in block y / m_block.
    // False when asked to stop.
    bool run(int first, int last, const CpuContext& context) {
        for (int block = first / m_block; block * m_block < last; ++block)
            if (!runBlock(block * m_block, first, last, context)) return false;
        return true;
    }

  private:
    std::size_t paddedSamples() const {
        return std::size_t(m_columnCount + 2 * m_radius) * std::size_t(m_source.channels);
    }
    const float* row(int padded) const {
        return m_source.row(std::clamp(padded - m_radius, 0, m_source.height - 1)) +
               std::ptrdiff_t(m_from) * m_source.channels;
    }
    double* checkpoint(int chunk) { return m_checkpoints.get() + std::size_t(chunk) * m_rowRoom; }

    // Output rows of the block that begins at `start`. False when asked to stop.
    bool runBlock(int start, int first, int last, const CpuContext& context) {
        const int from = std::max(first, start) - start;
        const int to = std::min(last, start + m_block) - start;
        // Sums to the end of the block from the first row of each chunk on; above the last, none.
        const int chunks = (m_block + kChunk - 1) / kChunk;
        std::fill_n(checkpoint(chunks), m_rowRoom, 0.0);
        for (int c = chunks - 1; c > from / kChunk; --c) {
            if (context.stopRequested()) return false;
            const double* sum = checkpoint(c + 1);
            for (int i = std::min((c + 1) * kChunk, m_block) - 1; i >= c * kChunk; --i) {
                HWY_DYNAMIC_DISPATCH(addRow)(sum, row(start + i), checkpoint(c), m_samples);
                sum = checkpoint(c);
            }
        }
        // Sums from the start of the next block up to the row that the window needs.
        std::fill_n(m_starts.get(), m_rowRoom, 0.0);
        for (int i = 0; i < from; ++i) addToStarts(start + m_block + i - 1, i);
        for (int c = from / kChunk; c * kChunk < to; ++c) {
            const int begin = c * kChunk, end = std::min(begin + kChunk, m_block);
            const double* sum = checkpoint(c + 1);
            for (int i = end - 1; i >= std::max(begin, from); --i) {
                double* own = m_chunk.get() + std::size_t(i - begin) * m_rowRoom;
                HWY_DYNAMIC_DISPATCH(addRow)(sum, row(start + i), own, m_samples);
                sum = own;
            }
            for (int i = std::max(begin, from); i < std::min(end, to); ++i) {
                if (context.stopRequested()) return false;
                addToStarts(start + m_block + i - 1, i);
                HWY_DYNAMIC_DISPATCH(addSums)
                (m_chunk.get() + std::size_t(i - begin) * m_rowRoom, m_starts.get(),
                 m_columns.get() + m_beyond * m_source.channels, m_samples);
                finish(start + i);
            }
        }
        return true;
    }

    // The i-th window of a block has i rows of the next one.
    void addToStarts(int padded, int i) {
        if (i > 0) HWY_DYNAMIC_DISPATCH(addRow)
        (m_starts.get(), row(padded), m_starts.get(), m_samples);
    }

    // m_columns has the sums of columns; the same along the row.
    void finish(int y) {
        switch (m_source.channels) {
            case 1:
                alongRow<1>();
                break;
            default:
                alongRow<4>();
        }
        const std::ptrdiff_t start = std::ptrdiff_t(m_first) * m_source.channels;
        float* to = m_target.row(y) + start;
        const int samples = m_columnCount * m_source.channels;
        HWY_DYNAMIC_DISPATCH(means)
        (m_toEnd.get(), m_fromStart.get() + std::ptrdiff_t(m_block - 1) * m_source.channels,
         m_count, to, samples);
        if (m_source.channels == 4)
            for (int i = 3; i < samples; i += 4) to[i] = m_source.row(y)[start + i];
    }

    // m_toEnd: from each pixel to the end of its block. m_fromStart: from the start of its block to
    // each pixel, but nothing in the last one, which no window has to share.
    template <int kChannels>
    void alongRow() {
        const int pixels = int(paddedSamples()) / kChannels;
        double* columns = m_columns.get();
        const int inside = m_samples / kChannels;
        for (int c = 0; c < kChannels; ++c) {
            for (int x = 0; x < m_beyond; ++x)
                columns[x * kChannels + c] = columns[m_beyond * kChannels + c];
            for (int x = m_beyond + inside; x < pixels; ++x)
                columns[x * kChannels + c] = columns[(m_beyond + inside - 1) * kChannels + c];
        }
        for (int start = 0; start < pixels; start += m_block) {
            const int end = std::min(start + m_block, pixels);
            double sum[kChannels] = {};
            for (int x = end - 1; x >= start; --x)
                for (int c = 0; c < kChannels; ++c)
                    m_toEnd[std::size_t(x * kChannels + c)] = sum[c] += columns[x * kChannels + c];
            std::fill_n(sum, kChannels, 0.0);
            for (int x = start; x < end; ++x)
                for (int c = 0; c < kChannels; ++c) {
                    sum[c] += columns[x * kChannels + c];
                    m_fromStart[std::size_t(x * kChannels + c)] =
                        x + 1 < start + m_block ? sum[c] : 0.0;
                }
        }
    }

    int m_radius;
    int m_block;
    double m_count;
    View<const float> m_source;
    View<float> m_target;
    int m_first, m_columnCount;
    // The first column of the source that is read, and how many the first window has beyond the
    // edge.
    int m_from, m_beyond;
    // Of a row of the source that are read.
    int m_samples;
    std::size_t m_rowRoom;
    hwy::AlignedFreeUniquePtr<double[]> m_checkpoints, m_chunk, m_starts, m_columns, m_toEnd,
        m_fromStart;
};

}  // namespace

Result<void> runBoxMeanFloat(const BoxMeanPlan& plan, const Image& in, const MutableImage& out,
                             const CpuContext& context) {
    const auto source = in.view<float>();
    const auto target = out.view<float>();
    const CpuContext chosen = forWork(context, in.size(), 2.0 * source.channels);
    const int threads = chosen.threadCount();
    // Tall beside the 2 radius rows that every band adds up first.
    const int tall = std::max(128, 4 * plan.radius);
    const int bands = std::max(1, source.height / tall / threads) * threads;
    const int band = (source.height + bands - 1) / bands;
    const int block = 2 * plan.radius + 1;
    const int columns = std::max(1, kColumnsTogether / block) * block;
    return forEachRowBand(chosen, source.height, band, [&](int first, int last) {
        for (int x = 0; x < source.width; x += columns)
            if (!Band(plan, source, target, x, std::min(x + columns, source.width))
                     .run(first, last, chosen))
                return;
    });
}

}  // namespace warpscope

#endif  // HWY_ONCE
