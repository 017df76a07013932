#include "engine/operations/smoothing/median.h"

#include <hwy/cache_control.h>

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "engine/operations/alpha_rows.h"
#include "engine/operations/cpu_work.h"
#include "engine/operations/narrow_images.h"
#include "engine/operations/order_keys.h"
#include "engine/operations/smoothing/median_cost.h"
#include "engine/operations/smoothing/median_networks.h"
#include "engine/operations/smoothing/median_rows.h"
#include "engine/operations/smoothing/median_tiles.h"

namespace warpscope {
namespace {

constexpr int kMostRows = 2 * kMaxMedianRadius + 1;
// Radii up to this one have a network.
constexpr int kMaxNetworkRadius = 2;

// What is compared: samples, or the keys of float ones.
template <class T>
using Key = std::conditional_t<std::is_floating_point_v<T>, std::int32_t, T>;

template <class T>
struct Frame {
    View<const T> source;
    View<T> target;
    int radius = 1;

    int side() const { return 2 * radius + 1; }
    int last() const { return source.height - 1; }
    const T* row(int y) const { return source.row(std::clamp(y, 0, last())); }
    void copyKeys(int y, Key<T>* keys) const {
        if constexpr (std::is_floating_point_v<T>)
            toOrderKeys(source.row(y), keys, source.samplesPerRow());
        else
            std::copy_n(source.row(y), source.samplesPerRow(), keys);
    }
};

// Rows of keys, in memory of their own: a ring of the last `rows` ones.
template <class T>
class KeyRows {
  public:
    KeyRows(std::ptrdiff_t pitch, int rows)
        : m_pitch(pitch), m_rows(rows), m_keys(alignedZeros<Key<T>>(std::size_t(pitch * rows))) {}

    Key<T>* row(int y) const { return m_keys.get() + (y % m_rows) * m_pitch; }

  private:
    std::ptrdiff_t m_pitch;
    int m_rows;
    hwy::AlignedFreeUniquePtr<Key<T>[]> m_keys;
};

template <class T>
void storeMedians(const Frame<T>& frame, const Key<T>* medians, int y) {
    fromOrderKeys(medians, frame.target.row(y), frame.source.samplesPerRow());
    keepAlpha(frame.source, frame.target, y);
}

// Radius 1: rows of the image as they are; of float ones, their keys.
template <class T>
void runNetwork3(const Frame<T>& frame, int first, int last, const CpuContext& context) {
    constexpr bool kFloat = std::is_floating_point_v<T>;
    constexpr int kRows = kMedian3Rows + 2;
    const int samples = frame.source.samplesPerRow();
    const std::ptrdiff_t pitch = medianPitch(samples);
    const KeyRows<T> keys(pitch, kFloat ? kRows : 1);
    // Below that, and of float samples, results may stay in the cache.
    constexpr std::int64_t kStreamBytes = 16 << 20;
    const bool stream =
        !kFloat &&
        std::int64_t(samples) * std::int64_t{sizeof(T)} * frame.source.height >= kStreamBytes;
    // Rows of float ones, or those below the last.
    const KeyRows<T> medians(pitch, kMedian3Rows);
    int ready = std::max(0, first - 1);
    for (int y = first; y < last && !context.stopRequested(); y += kMedian3Rows) {
        const Key<T>* rows[kRows];
        Key<T>* out[kMedian3Rows];
        if constexpr (kFloat)
            for (const int end = std::min(frame.source.height, y + kRows - 1); ready < end; ++ready)
                frame.copyKeys(ready, keys.row(ready));
        for (int i = 0; i < kRows; ++i) {
            const int from = std::clamp(y - 1 + i, 0, frame.last());
            if constexpr (kFloat)
                rows[i] = keys.row(from);
            else
                rows[i] = frame.source.row(from);
        }
        for (int i = 0; i < kMedian3Rows; ++i) {
            out[i] = medians.row(i);
            if constexpr (!kFloat)
                if (y + i < last) out[i] = frame.target.row(y + i);
        }
        RowsAhead ahead(samples * std::ptrdiff_t{sizeof(T)});
        for (int i = y + kMedian3Rows; i < y + 2 * kMedian3Rows; ++i) {
            if (i < frame.last()) ahead.add(frame.source.row(i + 1));
            if (!stream && i < last) ahead.add(frame.target.row(i));
        }
        medianRows3(rows, samples, frame.source.channels, ahead, out, stream);
        if constexpr (kFloat)
            for (int i = 0; i < kMedian3Rows && y + i < last; ++i)
                storeMedians(frame, out[i], y + i);
    }
    if (stream) hwy::FlushStream();
}

// Halves of rows in a ring. medians(rows, scratch, ahead, out) makes `together` rows of them, also
// those below the last.
template <class T, class Medians>
void runHalves(const Frame<T>& frame, int first, int last, const CpuContext& context, int together,
               std::size_t scratchSamples, const Medians& medians) {
    constexpr bool kFloat = std::is_floating_point_v<T>;
    const int width = frame.source.width;
    const int channels = frame.source.channels;
    const int samples = frame.source.samplesPerRow();
    const int rowsIn = together + 2 * frame.radius;
    const std::ptrdiff_t pitch = medianHalfPitch(width, channels);
    const KeyRows<T> ring(2 * pitch, rowsIn);
    const KeyRows<T> made(2 * pitch, together);
    const KeyRows<T> whole(kFloat ? medianPitch(samples) : 1, 1);
    const auto scratch = alignedZeros<Key<T>>(scratchSamples);
    const auto halves = [&](Key<T>* row) {
        return MedianHalves<Key<T>>{row + kHalfPadding, row + pitch + kHalfPadding};
    };
    MedianHalves<const Key<T>> rows[kTileRows + 2 * kMaxMedianRadius];
    MedianHalves<Key<T>> out[kTileRows];
    for (int i = 0; i < together; ++i) out[i] = halves(made.row(i));
    int ready = std::max(0, first - frame.radius);
    for (int y = first; y < last && !context.stopRequested(); y += together) {
        const int end = std::min(frame.source.height, y + rowsIn - frame.radius);
        for (; ready < end; ++ready) {
            const auto half = halves(ring.row(ready));
            const Key<T>* row;
            if constexpr (kFloat) {
                frame.copyKeys(ready, whole.row(0));
                row = whole.row(0);
            } else {
                row = frame.source.row(ready);
            }
            medianSplit(row, width, channels, frame.radius, half.even, half.odd);
        }
        for (int i = 0; i < rowsIn; ++i) {
            const auto half = halves(ring.row(std::clamp(y - frame.radius + i, 0, frame.last())));
            rows[i] = {half.even, half.odd};
        }
        RowsAhead ahead(samples * std::ptrdiff_t{sizeof(T)});
        for (int i = ready; i < std::min(frame.source.height, ready + together); ++i)
            ahead.add(frame.source.row(i));
        for (int i = y; i < std::min(last, y + together); ++i) ahead.add(frame.target.row(i));
        medians(rows, scratch.get(), ahead, out);
        for (int i = 0; i < together && y + i < last; ++i) {
            const Key<T>* even = out[i].even;
            if constexpr (kFloat) {
                medianJoin(even, static_cast<const Key<T>*>(out[i].odd), width, channels,
                           whole.row(0));
                storeMedians(frame, whole.row(0), y + i);
            } else {
                T* target = frame.target.row(y + i);
                medianJoin(even, static_cast<const T*>(out[i].odd), width, channels, target);
                if (channels == 4) copyAlpha(frame.source.row(y + i), target, samples);
            }
        }
    }
}

template <class T>
void runNetwork5(const Frame<T>& frame, int first, int last, const CpuContext& context) {
    runHalves(frame, first, last, context, kMedian5Rows, kMedian5Scratch,
              [&](const auto* rows, Key<T>* scratch, const RowsAhead& ahead, const auto* out) {
                  medianRows5(rows, frame.source.width, frame.source.channels, scratch, ahead, out);
              });
}

template <class T>
void runTiles(const Frame<T>& frame, int first, int last, const CpuContext& context) {
    runHalves(frame, first, last, context, kTileRows, medianTileScratch<Key<T>>(frame.radius),
              [&](const auto* rows, Key<T>* scratch, const RowsAhead& ahead, const auto* out) {
                  medianTiles(frame.radius, rows, frame.source.width, frame.source.channels,
                              scratch, ahead, out);
              });
}

// 16 bits and float without tiles: rows with repeated edges in a ring.
template <class T>
void runRing(const Frame<T>& frame, int first, int last, const CpuContext& context) {
    const int samples = frame.source.samplesPerRow();
    const int channels = frame.source.channels;
    const std::ptrdiff_t pitch = medianPitch(samples);
    const KeyRows<T> ring(pitch, frame.side());
    const KeyRows<T> medians(pitch, 1);
    const auto slot = [&](int y) { return ring.row(y) + kMedianPadding; };
    int ready = std::max(0, first - frame.radius);
    for (int y = first; y < last && !context.stopRequested(); ++y) {
        for (const int end = std::min(frame.source.height, y + frame.radius + 1); ready < end;
             ++ready) {
            Key<T>* row = slot(ready);
            frame.copyKeys(ready, row);
            for (int k = 1; k <= frame.radius * channels; ++k)
                row[-k] = row[channels - 1 - (k - 1) % channels];
            for (int k = 0; k < frame.radius * channels; ++k)
                row[samples + k] = row[samples + k - channels];
        }
        const Key<T>* rows[kMostRows];
        for (int i = 0; i < frame.side(); ++i)
            rows[i] = slot(std::clamp(y - frame.radius + i, 0, frame.last()));
        if constexpr (std::is_floating_point_v<T>) {
            selectMedian(rows, frame.radius, samples, channels, medians.row(0));
            storeMedians(frame, medians.row(0), y);
        } else {
            selectMedian(rows, frame.radius, samples, channels, frame.target.row(y));
            keepAlpha(frame.source, frame.target, y);
        }
    }
}

// 8 bits without tiles. Columns whose histograms fit the second-level cache at a time.
void runHistograms(const Frame<std::uint8_t>& frame, int first, int last,
                   const CpuContext& context) {
    constexpr int kStrip = 512;
    const int r = frame.radius;
    const int channels = frame.source.channels;
    const int width = frame.source.width;
    const int most = std::min(width, kStrip) + 2 * r;
    const auto fine = alignedZeros<std::uint8_t>(std::size_t(most) * 256);
    const auto coarse = alignedZeros<std::uint8_t>(std::size_t(most) * 16);
    // Adds or takes a row of a strip's columns.
    const auto count = [&](int y, int left, int columns, int channel, std::uint8_t by) {
        const std::uint8_t* row = frame.row(y) + channel;
        for (int i = 0; i < columns; ++i) {
            const std::size_t v = row[std::clamp(left + i, 0, width - 1) * channels];
            const auto at = std::size_t(i);
            fine[256 * at + v] = std::uint8_t(fine[256 * at + v] + by);
            coarse[16 * at + v / 16] = std::uint8_t(coarse[16 * at + v / 16] + by);
        }
    };
    for (int x = 0; x < width; x += kStrip)
        for (int c = 0; c < std::min(channels, 3); ++c) {
            const int outputs = std::min(kStrip, width - x);
            const int columns = outputs + 2 * r;
            std::fill_n(fine.get(), std::size_t(columns) * 256, std::uint8_t{0});
            std::fill_n(coarse.get(), std::size_t(columns) * 16, std::uint8_t{0});
            for (int y = first - r; y < first + r; ++y) count(y, x - r, columns, c, 1);
            for (int y = first; y < last && !context.stopRequested(); ++y) {
                count(y + r, x - r, columns, c, 1);
                slideHistograms(fine.get(), coarse.get(), r, outputs,
                                frame.target.row(y) + std::ptrdiff_t(x) * channels + c, channels);
                count(y - r, x - r, columns, c, 0xFF);
            }
        }
    for (int y = first; y < last; ++y) keepAlpha(frame.source, frame.target, y);
}

// Beyond the networks: tiles wherever they are to be had. Only of images so narrow that they fill
// a part of one vector, histograms of 8 bits, whose time hardly depends on the radius, are faster:
// gray below 14 columns with radius 5 and below 42 with radius 7, as measured with AVX-512.
template <class T>
bool byTiles(const Frame<T>& frame) {
    if (sizeof(T) == 1 && frame.source.samplesPerRow() < 14 * (frame.radius - 4)) return false;
    return frame.radius <= kMostTileRadius && hasMedianTiles();
}

template <class T>
Result<void> runTyped(const MedianPlan& plan, const Image& in, const MutableImage& out,
                      const CpuContext& context) {
    const Frame<T> frame{in.view<T>(), out.view<T>(), plan.radius};
    const bool network = plan.radius <= kMaxNetworkRadius;
    const bool tiles = !network && byTiles(frame);
    const CpuContext chosen =
        forWork(context, plan.size,
                medianNanoseconds(plan.input, plan.radius) * double(frame.source.channels));
    const int height = frame.source.height;
    const auto rowBytes = std::uint64_t(frame.source.samplesPerRow()) * sizeof(T);
    // Networks and tiles make some rows at once. Histograms are filled anew in every band, so bands
    // are tall, and tiles split the rows anew that bands share; they last some milliseconds and
    // look at the stop token themselves.
    const int least = network ? 1 : tiles ? 32 : 64;
    int band = rowsPerBand(chosen, height, rowBytes, std::min(height, least));
    if (network || tiles) band = (band + 3) / 4 * 4;
    return forEachRowBand(chosen, height, band, [&](int first, int last) {
        if (plan.radius == 1)
            runNetwork3(frame, first, last, chosen);
        else if (plan.radius == 2)
            runNetwork5(frame, first, last, chosen);
        else if (tiles)
            runTiles(frame, first, last, chosen);
        else if constexpr (sizeof(T) == 1)
            runHistograms(frame, first, last, chosen);
        else
            runRing(frame, first, last, chosen);
    });
}

}  // namespace

double medianNanoseconds(PixelFormat format, int radius) {
    const bool ofFloat = isFloat(format);
    const int bytes = bytesPerSample(format);
    if (radius == 1) return ofFloat ? 1.0 : 0.08 * bytes;
    if (radius == 2) return ofFloat ? 1.6 : 0.22 * bytes;
    const int square = radius * radius;
    if (radius <= kMostTileRadius && hasMedianTiles())
        return (0.17 + 0.05 * square) * bytes + (ofFloat ? 0.8 : 0.0);
    const int side = 2 * radius + 1;
    return bytes == 1 ? 12.0 : (ofFloat ? 1.05 : 0.35) * side * side;
}

Result<void> runMedianCpu(const MedianPlan& plan, const Image& in, const MutableImage& out,
                          const CpuContext& context) {
    return onLongRows(in, out, context, [&](const Image& source, const MutableImage& target) {
        if (isFloat(plan.input)) return runTyped<float>(plan, source, target, context);
        return bytesPerSample(plan.input) == 2
                   ? runTyped<std::uint16_t>(plan, source, target, context)
                   : runTyped<std::uint8_t>(plan, source, target, context);
    });
}

}  // namespace warpscope
