#include <hwy/aligned_allocator.h>
#include <hwy/cache_control.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "engine/operations/cpu_work.h"
#include "engine/operations/geometry/resize.h"
#include "engine/operations/geometry/resize_rows.h"
#include "engine/operations/geometry/resize_single.h"

namespace warpscope {
namespace {

// Between the passes: 8 bits more, so that 16-bit samples fit 24; 8-bit ones fit 16, signed.
template <class T>
using ResizeMiddle =
    std::conditional_t<sizeof(T) == 1, std::int16_t,
                       std::conditional_t<std::is_floating_point_v<T>, float, std::int32_t>>;
template <class T>
constexpr std::int32_t kMiddleLess = sizeof(T) == 1 ? 32768 : 0;

// The largest number of taps, at least 1.
int mostTaps(const ResizeAxis& axis) {
    return std::max(1, *std::max_element(axis.count.begin(), axis.count.end()));
}

template <class T, int C>
void plainAcross(const ResizeAxis& axis, const T* from, ResizeMiddle<T>* to) {
    constexpr int kShift = sizeof(T) == 1 ? 8 : 22;
    constexpr std::int64_t kMost = (sizeof(T) == 1 ? 255 : 65535) << 8;
    for (std::size_t x = 0; x < axis.first.size(); ++x, to += C) {
        const T* taps = from + std::ptrdiff_t(axis.first[x]) * C;
        const int count = axis.count[x];
        if constexpr (std::is_floating_point_v<T>) {
            const double* weights = axis.realWeights.data() + axis.begin[x];
            double sums[C] = {};
            for (int i = 0; i < count; ++i)
                for (int c = 0; c < C; ++c) sums[c] += weights[i] * double(taps[i * C + c]);
            for (int c = 0; c < C; ++c) to[c] = float(sums[c]);
        } else {
            const std::int32_t* weights = axis.weights.data() + axis.begin[x];
            std::int64_t sums[C];
            std::fill_n(sums, C, std::int64_t(1) << (kShift - 1));
            for (int i = 0; i < count; ++i)
                for (int c = 0; c < C; ++c)
                    sums[c] += std::int64_t(weights[i]) * std::int64_t(taps[i * C + c]);
            for (int c = 0; c < C; ++c)
                to[c] = ResizeMiddle<T>(std::clamp<std::int64_t>(sums[c] >> kShift, 0, kMost) -
                                        kMiddleLess<T>);
        }
    }
}

template <class T>
void plainDown(const ResizeAxis& axis, int y, const ResizeMiddle<T>* const* rows, int samples,
               T* to) {
    using Sum = std::conditional_t<std::is_floating_point_v<T>, double, std::int64_t>;
    constexpr int kPart = 64, kShift = sizeof(T) == 1 ? 24 : 38;
    constexpr Sum kStart = std::is_floating_point_v<T> ? 0 : std::int64_t(1) << (kShift - 1);
    const auto begin = std::size_t(axis.begin[std::size_t(y)]);
    for (int from = 0; from < samples; from += kPart) {
        const int part = std::min(kPart, samples - from);
        Sum sums[kPart];
        std::fill_n(sums, part, kStart);
        for (int i = 0; i < axis.count[std::size_t(y)]; ++i) {
            const ResizeMiddle<T>* row = rows[i] + from;
            const std::size_t at = begin + std::size_t(i);
            for (int k = 0; k < part; ++k) {
                if constexpr (std::is_floating_point_v<T>)
                    sums[k] += axis.realWeights[at] * double(row[k]);
                else
                    sums[k] += std::int64_t(axis.weights[at]) * (row[k] + kMiddleLess<T>);
            }
        }
        for (int k = 0; k < part; ++k) {
            if constexpr (std::is_floating_point_v<T>)
                to[from + k] = float(sums[k]);
            else
                to[from + k] =
                    T(std::clamp<std::int64_t>(sums[k] >> kShift, 0, sizeof(T) == 1 ? 255 : 65535));
        }
    }
}

// Both passes of some rows of the output. Rows of the middle are kept while they are needed.
template <class T>
class ResizeBand {
  public:
    using Middle = ResizeMiddle<T>;

    struct Tables {
        bool hasVectors = false;
        ResizeBlocks blocks;
        ResizeColumns columns;
        ResizeLanes lanes;

        Tables(const ResizePlan& plan, const View<const T>& in) {
            const int count = resizeLaneCount();
            hasVectors = count > 0;
            if (!hasVectors) return;
            if constexpr (std::is_floating_point_v<T>) {
                if (in.channels == 1) lanes = resizeLanesOf(plan.across, count);
            } else {
                blocks = resizeBlocksOf(plan.across, in.channels, int(sizeof(T)),
                                        std::int64_t(in.samplesPerRow()) * int(sizeof(T)));
                if (sizeof(T) == 1) columns = resizeColumnsOf(plan.down);
            }
        }
    };

    ResizeBand(const ResizePlan& plan, const Tables& tables, const View<const T>& in, int samples)
        : m_plan(plan),
          m_tables(tables),
          m_in(in),
          m_samples(samples),
          // Blocks and vectors reach beyond a row.
          m_stride(std::size_t(samples + 7) / 8 * 8),
          m_held(mostTaps(plan.down) + kResizeRows),
          m_middle(alignedZeros<Middle>(m_stride * std::size_t(m_held) + 64)) {}

    void makeRow(int y, T* to) {
        const int first = m_plan.down.first[std::size_t(y)];
        const int count = m_plan.down.count[std::size_t(y)];
        m_next = std::max(m_next, first);
        while (m_next < first + count) addRows();
        m_rows.clear();
        for (int i = 0; i < count; ++i) m_rows.push_back(rowAt(first + i));
        // In pairs.
        if (count % 2 == 1) m_rows.push_back(m_rows.back());
        const Middle* const* rows = m_rows.data();
        const auto begin = m_plan.down.begin[std::size_t(y)];
        if (!m_tables.hasVectors) return plainDown<T>(m_plan.down, y, rows, m_samples, to);
        if constexpr (sizeof(T) == 1) {
            if (m_tables.columns.fits) return resizeDown(m_tables.columns, y, rows, m_samples, to);
            plainDown<T>(m_plan.down, y, rows, m_samples, to);
        } else if constexpr (sizeof(T) == 2) {
            resizeDown(m_plan.down.weights.data() + begin, rows, count, m_samples, to);
        } else {
            resizeDown(m_plan.down.realWeights.data() + begin, rows, count, m_samples, to);
        }
    }

  private:
    Middle* rowAt(int y) { return m_middle.get() + m_stride * std::size_t(y % m_held); }

    void addRows() {
        const T* from[kResizeRows];
        Middle* to[kResizeRows];
        for (int i = 0; i < kResizeRows; ++i) {
            from[i] = m_in.row(std::min(m_next + i, m_in.height - 1));
            to[i] = rowAt(m_next + i);
        }
        const int rows = std::min(kResizeRows, m_in.height - m_next);
        m_next += kResizeRows;
        if constexpr (std::is_floating_point_v<T>) {
            if (m_tables.lanes.fits) return resizeAcross(m_tables.lanes, from, to);
            if (m_tables.hasVectors) return resizeAcross(m_plan.across, m_in.channels, from, to);
        } else if (m_tables.blocks.fits) {
            return resizeAcross(m_tables.blocks, m_in.channels, from, to);
        }
        for (int i = 0; i < rows; ++i)
            m_in.channels == 1 ? plainAcross<T, 1>(m_plan.across, from[i], to[i])
                               : plainAcross<T, 4>(m_plan.across, from[i], to[i]);
    }

    const ResizePlan& m_plan;
    const Tables& m_tables;
    const View<const T> m_in;
    const int m_samples;
    const std::size_t m_stride;
    // Rows that there is room for.
    const int m_held;
    hwy::AlignedFreeUniquePtr<Middle[]> m_middle;
    // The row of the input that comes next.
    int m_next = 0;
    std::vector<const Middle*> m_rows;
};

template <class T>
bool areAll(const std::vector<T>& weights, T value) {
    return std::all_of(weights.begin(), weights.end(), [&](T weight) { return weight == value; });
}

// Whether samples are means of two, in order.
bool isHalved(const ResizeAxis& axis) {
    if (axis.weights.size() + axis.realWeights.size() != 2 * axis.first.size()) return false;
    for (std::size_t i = 0; i < axis.first.size(); ++i)
        if (axis.first[i] != 2 * std::int32_t(i) || axis.count[i] != 2) return false;
    const std::int32_t half = axis.weights.empty() ? 0 : axis.weights.front();
    return (half == 1 << 15 || half == 1 << 29 || axis.weights.empty()) &&
           areAll(axis.weights, half) && areAll(axis.realWeights, 0.5);
}

// Means of four, in one pass: both passes together round them like this.
template <class T>
void halveRow(const View<const T>& in, int y, int width, T* to, bool stream) {
    const T* above = in.row(2 * y);
    const T* below = in.row(2 * y + 1);
    const int channels = in.channels;
    for (int x = resizeHalf(above, below, channels, width, to, stream); x < width; ++x)
        for (int c = 0; c < channels; ++c) {
            const int at = 2 * x * channels + c, next = at + channels;
            if constexpr (std::is_floating_point_v<T>)
                to[x * channels + c] = T(0.5 * T(0.5 * above[at] + 0.5 * above[next]) +
                                         0.5 * T(0.5 * below[at] + 0.5 * below[next]));
            else
                to[x * channels + c] =
                    T((above[at] + above[next] + below[at] + below[next] + 2) >> 2);
        }
}

// Whether every sample is one of the input.
bool isPicked(const ResizeAxis& axis) {
    if (axis.weights.size() + axis.realWeights.size() != axis.first.size()) return false;
    for (const std::int32_t count : axis.count)
        if (count != 1) return false;
    const std::int32_t whole = axis.weights.empty() ? 0 : axis.weights.front();
    return (whole == 1 << 16 || whole == 1 << 30 || axis.weights.empty()) &&
           areAll(axis.weights, whole) && areAll(axis.realWeights, 1.0);
}

template <int kBytes>
void pickPixels(const ResizeAxis& axis, std::size_t first, const std::byte* from, std::byte* to) {
    for (std::size_t x = first; x < axis.first.size(); ++x)
        std::memcpy(to + x * kBytes, from + std::ptrdiff_t(axis.first[x]) * kBytes, kBytes);
}

void pickRow(const ResizeAxis& axis, const ResizePicks& picks, int pixelBytes,
             const std::byte* from, std::byte* to, bool stream) {
    const std::size_t first = resizePick(picks, from, to, stream) / std::size_t(pixelBytes);
    switch (pixelBytes) {
        case 1:
            return pickPixels<1>(axis, first, from, to);
        case 2:
            return pickPixels<2>(axis, first, from, to);
        case 4:
            return pickPixels<4>(axis, first, from, to);
        case 8:
            return pickPixels<8>(axis, first, from, to);
        default:
            return pickPixels<16>(axis, first, from, to);
    }
}

// Rows of the output, a band of them for each thread. Bands of two passes share rows of the input
// at their ends, which each makes for itself.
template <class Body>
Result<void> forRows(const ResizePlan& plan, const CpuContext& context, const Body& body) {
    const CpuContext chosen = forWork(context, plan.size, plan.guessedMsPerMegapixel);
    const Size size = plan.outputSize;
    const double shared = double(mostTaps(plan.down)) * size.height / plan.size.height;
    const int least = int(std::clamp(std::max(8 * shared, 4096.0 / size.width), 16.0, 16384.0));
    const int band =
        rowsPerBand(chosen, size.height,
                    std::uint64_t(size.width) * std::uint64_t(bytesPerPixel(plan.output)) * 2,
                    std::min(least, size.height));
    return forEachRowBand(chosen, size.height, band, [&](int first, int last) {
        body(first, last, chosen);
        hwy::FlushStream();
    });
}

constexpr std::uint64_t kResizeStreamBytes = 4u << 20;

template <class T>
Result<void> runTyped(const ResizePlan& plan, const Image& source, const MutableImage& target,
                      const CpuContext& context) {
    const auto in = source.view<T>();
    const auto out = target.view<T>();
    // Results that no cache will hold are written past it.
    const bool stream =
        std::uint64_t(out.samplesPerRow()) * sizeof(T) * std::uint64_t(out.height) >=
        kResizeStreamBytes;
    if (isPicked(plan.across) && isPicked(plan.down)) {
        const ResizePicks picks = resizePicksOf(plan.across, bytesPerPixel(plan.output));
        // Rows that come twice are read again.
        const bool past = stream && out.height <= in.height;
        return forRows(plan, context, [&](int first, int last, const CpuContext& chosen) {
            const auto& rows = plan.down.first;
            for (int y = first; y < last && !chosen.stopRequested(); ++y) {
                std::byte* to = target.rowBytes(y);
                if (y > first && rows[std::size_t(y)] == rows[std::size_t(y) - 1])
                    std::memcpy(to, target.rowBytes(y - 1),
                                std::size_t(out.samplesPerRow()) * sizeof(T));
                else
                    pickRow(plan.across, picks, bytesPerPixel(plan.output),
                            source.rowBytes(rows[std::size_t(y)]), to, past);
            }
        });
    }
    if (isHalved(plan.across) && isHalved(plan.down))
        return forRows(plan, context, [&](int first, int last, const CpuContext& chosen) {
            for (int y = first; y < last && !chosen.stopRequested(); ++y)
                halveRow(in, y, out.width, out.row(y), stream);
        });
    const typename ResizeBand<T>::Tables tables(plan, in);
    return forRows(plan, context, [&](int first, int last, const CpuContext& chosen) {
        ResizeBand<T> band(plan, tables, in, out.samplesPerRow());
        for (int y = first; y < last && !chosen.stopRequested(); ++y) band.makeRow(y, out.row(y));
    });
}

}  // namespace

Result<void> runResizeCpu(const ResizePlan& plan, const Image& in, const MutableImage& out,
                          const CpuContext& context) {
    if (isFloat(plan.input)) return runTyped<float>(plan, in, out, context);
    return bytesPerSample(plan.input) == 2 ? runTyped<std::uint16_t>(plan, in, out, context)
                                           : runTyped<std::uint8_t>(plan, in, out, context);
}

}  // namespace warpscope
