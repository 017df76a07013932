#include "engine/operations/smoothing/gaussian_blur.h"

#include <algorithm>

#include "engine/operations/color_rows.h"
#include "engine/operations/cpu_work.h"
#include "engine/operations/smoothing/gaussian_blur_rows.h"
#include "engine/operations/work_steps.h"

namespace warpscope {
namespace {

// What stays the same over the whole image, or over a strip of its columns.
template <class T>
struct Frame {
    View<const T> source;
    View<T> target;
    int radius = 0;
    GaussianWeights weights;
    int planes = 1;            // 3 for colour: alpha is not blurred
    int first = 0;             // column of the strip: a multiple of a block
    int width = 0;             // of the strip: whole blocks, but of the last one
    int planeColumns = 0;      // width rounded up to whole blocks
    std::ptrdiff_t pitch = 0;  // of rows between the passes, in samples
    const RowFinish* finish = nullptr;

    int columns() const { return planes * planeColumns; }
    bool isWhole() const { return width == source.width; }
    const T* sourceRow(int y) const {
        return source.row(y) + std::ptrdiff_t(first) * source.channels;
    }
    T* targetRow(int y) const { return target.row(y) + std::ptrdiff_t(first) * target.channels; }
    void finishRow(int y) const {
        if (finish) finish->row(first, width, y);
    }

    Frame strip(int from, int columnsWide) const {
        Frame made = *this;
        made.first = from;
        made.width = columnsWide;
        made.planeColumns = (columnsWide + kGaussianBlock - 1) / kGaussianBlock * kGaussianBlock;
        // An odd number of cache lines: rows one above the other never fight for the same cache
        // set.
        made.pitch =
            std::ptrdiff_t(made.columns()) + std::ptrdiff_t(64 / sizeof(GaussianMiddle<T>));
        return made;
    }
};

// Rows between the passes: a ring of the last `capacity` ones, or all.
template <class T>
class MiddleRows {
  public:
    using Sample = GaussianMiddle<T>;

    MiddleRows(const Frame<T>& frame, int capacity)
        : m_capacity(capacity),
          m_pitch(frame.pitch),
          m_samples(alignedSamples<Sample>(std::size_t(frame.pitch * capacity))) {}

    Sample* row(int y) const { return m_samples.get() + (y % m_capacity) * m_pitch; }

  private:
    int m_capacity;
    std::ptrdiff_t m_pitch;
    hwy::AlignedFreeUniquePtr<Sample[]> m_samples;
};

template <class T>
class RowPass {
  public:
    explicit RowPass(const Frame<T>& frame)
        : m_frame(frame),
          m_before(std::min(frame.radius, frame.first)),
          m_after(std::min(frame.radius, frame.source.width - frame.first - frame.width)),
          m_length(gaussianPaddedLength(frame.width + m_before + m_after, frame.radius)),
          m_spread(
              alignedZeros<GaussianMiddle<T>>(std::size_t(m_length * frame.planes + m_before))) {}

    void run(int y, const MiddleRows<T>& middle) const {
        if (m_frame.isWhole() &&
            gaussianRowOfImage(m_frame.source.row(y), m_frame.width, m_frame.planes,
                               m_frame.weights, reinterpret_cast<T*>(m_spread.get()), middle.row(y),
                               m_frame.planeColumns))
            return;
        const int channels = m_frame.source.channels;
        gaussianSpread(m_frame.sourceRow(y) - m_before * channels,
                       m_before + m_frame.width + m_after, channels, m_frame.radius, m_spread.get(),
                       m_length);
        for (int c = 0; c < m_frame.planes; ++c)
            gaussianRow(m_spread.get() + m_before + c * m_length, m_frame.weights,
                        middle.row(y) + c * m_frame.planeColumns, m_frame.planeColumns);
    }

  private:
    const Frame<T>& m_frame;
    // Columns beside the strip that are there.
    int m_before, m_after;
    std::ptrdiff_t m_length;
    hwy::AlignedFreeUniquePtr<GaussianMiddle<T>[]> m_spread;
};

template <class T>
class ColumnPass {
  public:
    // `behindRows`: whether the row pass goes on just ahead of it.
    ColumnPass(const Frame<T>& frame, bool behindRows)
        : m_frame(frame),
          m_behindRows(behindRows),
          m_rows(std::size_t(frame.weights.count + kGaussianRowsAtOnce - 1)),
          m_planar(alignedSamples<T>(std::size_t(frame.columns()) * kGaussianRowsAtOnce)) {}

    // Output rows [y, y + kGaussianRowsAtOnce) that lie before `last`.
    void run(int y, int last, const MiddleRows<T>& middle) {
        const int height = m_frame.source.height;
        // What the next ones need.
        RowsAhead ahead(std::ptrdiff_t(m_frame.width) * m_frame.source.channels *
                        std::ptrdiff_t{sizeof(T)});
        const int next = y + kGaussianRowsAtOnce;
        for (int k = 0; k < kGaussianRowsAtOnce; ++k) {
            const int row = next + m_frame.radius + k;
            if (m_behindRows && row < height) ahead.add(m_frame.sourceRow(row));
            if (next + k < last) ahead.add(m_frame.targetRow(next + k));
        }
        for (std::size_t i = 0; i < m_rows.size(); ++i)
            m_rows[i] = middle.row(std::clamp(y + int(i) - m_frame.radius, 0, height - 1));
        const int rows = std::min(kGaussianRowsAtOnce, last - y);
        T* out[kGaussianRowsAtOnce];
        for (int k = 0; k < kGaussianRowsAtOnce; ++k)
            out[k] = m_planar.get() + std::ptrdiff_t(k) * m_frame.columns();
        if (m_frame.planes == 1) {
            // Straight into the image: its rows have room for whole cache lines.
            for (int k = 0; k < rows; ++k) out[k] = m_frame.targetRow(y + k);
            const bool toTheEnd = m_frame.first + m_frame.width == m_frame.source.width;
            const auto samples = int(m_frame.target.pitch / std::ptrdiff_t{sizeof(T)});
            gaussianColumns(m_rows.data(), m_frame.weights,
                            toTheEnd ? samples - m_frame.first : m_frame.width, out, ahead);
            for (int k = 0; k < rows; ++k) m_frame.finishRow(y + k);
            return;
        }
        gaussianColumns(m_rows.data(), m_frame.weights, m_frame.columns(), out, ahead);
        for (int k = 0; k < rows; ++k) {
            const T* const colors[3] = {out[k], out[k] + m_frame.planeColumns,
                                        out[k] + 2 * m_frame.planeColumns};
            joinColors(colors, m_frame.sourceRow(y + k), m_frame.targetRow(y + k), m_frame.width);
            m_frame.finishRow(y + k);
        }
    }

  private:
    const Frame<T>& m_frame;
    const bool m_behindRows;
    std::vector<const GaussianMiddle<T>*> m_rows;
    hwy::AlignedFreeUniquePtr<T[]> m_planar;
};

// Rows between the passes that the column pass needs at a time.
template <class T>
int middleRows(const Frame<T>& frame) {
    return std::min(frame.source.height, frame.weights.count + kGaussianRowsAtOnce - 1);
}

// Of a strip, whose rows between the passes stay in the second cache; each spreads the `radius`
// columns on both sides of it once more.
template <class T>
int stripColumns(const Frame<T>& frame) {
    constexpr std::int64_t kMiddleBytes = 1 << 20;
    const int width = frame.source.width;
    const std::int64_t column =
        std::int64_t(middleRows(frame)) * frame.planes * std::int64_t{sizeof(GaussianMiddle<T>)};
    const std::int64_t fitting = kMiddleBytes / column / kGaussianBlock * kGaussianBlock;
    if (fitting >= width || fitting < std::max(4 * kGaussianBlock, 4 * frame.radius)) return width;
    const int strips = int((width + fitting - 1) / fitting);
    return ((width + strips - 1) / strips + kGaussianBlock - 1) / kGaussianBlock * kGaussianBlock;
}

// Both passes over output rows [first, last), the row pass just ahead of the column pass. Leaves
// early when asked to stop.
template <class T>
void runFused(const Frame<T>& frame, int first, int last, const CpuContext& context) {
    const int height = frame.source.height;
    const int needed = middleRows(frame);
    const MiddleRows<T> middle(frame, needed);
    const RowPass<T> rowPass(frame);
    ColumnPass<T> columnPass(frame, true);
    int ready = std::max(0, first - frame.radius);  // rows before this one are there
    for (int y = first; y < last && !context.stopRequested(); y += kGaussianRowsAtOnce) {
        // Clamped rows below the image stand for the last one; no further row is made.
        const int end = std::min(height, y + kGaussianRowsAtOnce + frame.radius);
        for (; ready < end; ++ready) rowPass.run(ready, middle);
        columnPass.run(y, last, middle);
    }
}

// One pass after the other over the whole image: for radii that are large beside the share of a
// thread, whose row passes would otherwise be repeated in every band.
template <class T>
Result<void> runInTwoPasses(const Frame<T>& frame, const CpuContext& context) {
    const int height = frame.source.height;
    const MiddleRows<T> middle(frame, height);
    const int band = rowsPerBand(context, height, std::uint64_t(frame.columns()) * 3, 1, 1 << 16);
    CpuContext quiet = context;
    if (context.progress) quiet.progress = [&](double done) { context.progress(done / 2); };
    auto rows = forEachRowBand(quiet, height, band, [&](int first, int last) {
        const RowPass<T> rowPass(frame);
        for (int y = first; y < last && !context.stopRequested(); ++y) rowPass.run(y, middle);
    });
    if (!rows) return rows;
    if (context.progress) quiet.progress = [&](double done) { context.progress(0.5 + done / 2); };
    const int columnBand =
        (band + kGaussianRowsAtOnce - 1) / kGaussianRowsAtOnce * kGaussianRowsAtOnce;
    return forEachRowBand(quiet, height, columnBand, [&](int first, int last) {
        ColumnPass<T> columnPass(frame, false);
        for (int y = first; y < last && !context.stopRequested(); y += kGaussianRowsAtOnce)
            columnPass.run(y, last, middle);
    });
}

// Few samples a row, of which a block would be mostly empty: strips of rows lie side by side and
// share the column pass. In the row pass, columns beyond the border are the border's weight.
template <class T>
class NarrowStrips {
  public:
    using Middle = GaussianMiddle<T>;

    explicit NarrowStrips(const Frame<T>& frame)
        : m_frame(frame),
          m_samples(frame.planes * frame.source.width),
          m_strips(kColumns / m_samples),
          m_rows((frame.source.height + m_strips - 1) / m_strips),
          m_folded(std::size_t(frame.source.width * frame.source.width)) {
        const int width = frame.source.width;
        for (int x = 0; x < width; ++x)
            for (int i = -frame.radius; i <= frame.radius; ++i)
                m_folded[std::size_t(x * width + std::clamp(x + i, 0, width - 1))] +=
                    frame.weights.taps[std::size_t(i + frame.radius)];
    }

    static bool fits(const Frame<T>& frame) {
        return frame.planes * frame.source.width <= 32 &&
               frame.source.height > 8 * (kColumns / (frame.planes * frame.source.width));
    }
    int rows() const { return m_rows; }  // of each strip, and of forEachRowBand

    // Rows [first, last) of every strip.
    void run(int first, int last, const CpuContext& context) const {
        const int made =
            (last - first + kGaussianRowsAtOnce - 1) / kGaussianRowsAtOnce * kGaussianRowsAtOnce;
        const int needed = made + 2 * m_frame.radius;
        const auto middle = alignedZeros<Middle>(std::size_t(needed) * kColumns);
        const auto planar = alignedSamples<T>(std::size_t{kGaussianRowsAtOnce * kColumns});
        std::vector<const Middle*> rows(std::size_t(needed), nullptr);
        for (int i = 0; i < needed; ++i) {
            if (context.stopRequested()) return;
            Middle* out = middle.get() + std::ptrdiff_t(i) * kColumns;
            rows[std::size_t(i)] = out;
            for (int s = 0; s < m_strips; ++s, out += m_samples)
                rowPass(s * m_rows + first + i - m_frame.radius, out);
        }
        T* out[kGaussianRowsAtOnce];
        for (int k = 0; k < kGaussianRowsAtOnce; ++k) out[k] = planar.get() + k * kColumns;
        for (int y = first; y < last && !context.stopRequested(); y += kGaussianRowsAtOnce) {
            gaussianColumns(rows.data() + (y - first), m_frame.weights, kColumns, out);
            for (int k = 0; k < std::min(kGaussianRowsAtOnce, last - y); ++k)
                for (int s = 0; s < m_strips; ++s)
                    store(s * m_rows + y + k, out[k] + s * m_samples);
        }
    }

  private:
    static constexpr int kColumns = 4 * kGaussianBlock;

    void rowPass(int y, Middle* out) const {
        const int width = m_frame.source.width;
        const int channels = m_frame.source.channels;
        const T* row = m_frame.source.row(std::clamp(y, 0, m_frame.source.height - 1));
        for (int c = 0; c < m_frame.planes; ++c)
            for (int x = 0; x < width; ++x) {
                const std::uint64_t* folded = m_folded.data() + x * width;
                std::uint64_t sum = 128;
                for (int j = 0; j < width; ++j) sum += folded[j] * row[j * channels + c];
                // As gaussianRow() stores them.
                *out++ = Middle((sum >> 8) - (sizeof(T) == 1 ? 32768 : 0));
            }
    }

    void store(int y, const T* planar) const {
        if (y >= m_frame.source.height) return;
        const int width = m_frame.source.width;
        T* out = m_frame.target.row(y);
        if (m_frame.planes == 1) {
            std::copy_n(planar, width, out);
        } else {
            const T* const colors[3] = {planar, planar + width, planar + 2 * width};
            joinColors(colors, m_frame.source.row(y), out, width);
        }
        m_frame.finishRow(y);
    }

    const Frame<T>& m_frame;
    int m_samples;  // of a row between the passes
    int m_strips;
    int m_rows;
    std::vector<std::uint64_t> m_folded;  // for each column the weight of every column
};

// Rows of a band: a multiple of what is made at once, the same share for every thread, and tall
// beside the 2 radius rows whose row pass is done twice.
int fusedBandRows(int height, int radius, int threads) {
    const int tall = std::max(64, 16 * radius);
    const int bands = std::max(1, height / tall / threads) * threads;
    const int rows = (height + bands - 1) / bands;
    return (rows + kGaussianRowsAtOnce - 1) / kGaussianRowsAtOnce * kGaussianRowsAtOnce;
}

template <class T>
Result<void> run(const GaussianBlurPlan& plan, const Image& in, const MutableImage& out,
                 const CpuContext& context, const RowFinish* finish = nullptr) {
    const auto source = in.view<T>();
    const auto target = out.view<T>();
    Frame<T> frame{source, target, plan.radius, GaussianWeights(plan.taps)};
    frame.planes = source.channels == 1 ? 1 : 3;
    frame.finish = finish;
    frame = frame.strip(0, source.width);

    const double beside = sizeof(T) == 1 ? 0.1 : 0.8;
    const double each = sizeof(T) == 1 ? 0.02 : 0.07;
    const double cost = frame.planes * (beside + each * frame.weights.count) +
                        (finish ? finish->nanosecondsPerPixel : 0);
    const CpuContext chosen = forWork(context, plan.size, cost);
    const int threads = chosen.threadCount();
    if (NarrowStrips<T>::fits(frame)) {
        const NarrowStrips<T> strips(frame);
        const int rows = fusedBandRows(strips.rows(), frame.radius, threads);
        return forEachRowBand(chosen, strips.rows(),
                              std::min(rows, std::max(256, 8 * frame.radius)),
                              [&](int first, int last) { strips.run(first, last, chosen); });
    }
    const int band = fusedBandRows(source.height, frame.radius, threads);
    if (threads > 1 && band < 4 * frame.radius) return runInTwoPasses(frame, chosen);
    const int wide = stripColumns(frame);
    return forEachRowBand(chosen, source.height, band, [&](int first, int last) {
        for (int x = 0; x < source.width; x += wide)
            runFused(frame.strip(x, std::min(wide, source.width - x)), first, last, chosen);
    });
}

}  // namespace

Result<void> runGaussianBlurCpu(const GaussianBlurPlan& plan, const Image& in,
                                const MutableImage& out, const CpuContext& context) {
    if (isFloat(plan.input)) return runGaussianBlurFloat(plan, in, out, context);
    if (plan.variant != kAutomaticVariant) return runGaussianBlurPublished(plan, in, out, context);
    if (bytesPerSample(plan.input) == 1) return run<std::uint8_t>(plan, in, out, context);
    return run<std::uint16_t>(plan, in, out, context);
}

Result<void> blurAndFinish(const GaussianBlurPlan& plan, const Image& in, const MutableImage& out,
                           const CpuContext& context, const RowFinish& finish) {
    if (!isFloat(plan.input) && plan.variant == kAutomaticVariant) {
        if (bytesPerSample(plan.input) == 1)
            return run<std::uint8_t>(plan, in, out, context, &finish);
        return run<std::uint16_t>(plan, in, out, context, &finish);
    }
    // Not while it is in the cache, then.
    auto blurred = runGaussianBlurCpu(plan, in, out, workStep(context, 0, 2));
    if (!blurred) return blurred;
    const CpuContext last = forWork(workStep(context, 1, 2), plan.size, finish.nanosecondsPerPixel);
    const Size size = in.size();
    const int band = rowsPerBand(last, size.height, 2 * in.byteCount() / unsigned(size.height));
    return forEachRowBand(last, size.height, band, [&](int first, int end) {
        for (int y = first; y < end; ++y) finish.row(0, size.width, y);
    });
}

}  // namespace warpscope
