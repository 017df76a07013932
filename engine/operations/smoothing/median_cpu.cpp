#include "engine/operations/smoothing/median.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "engine/operations/cpu_work.h"
#include "engine/operations/narrow_images.h"
#include "engine/operations/smoothing/median_rows.h"

namespace warpscope {
namespace {

constexpr int kMostRows = 2 * kMaxMedianRadius + 1;

template <class T>
struct Frame {
    View<const T> source;
    View<T> target;
    int radius = 1;

    int side() const { return 2 * radius + 1; }
    const T* row(int y) const { return source.row(std::clamp(y, 0, source.height - 1)); }
};

template <class T>
void runNetwork(const Frame<T>& frame, int first, int last, const CpuContext& context) {
    const int samples = frame.source.samplesPerRow();
    const auto ranks = alignedZeros<T>(std::size_t(medianPitch(samples) * frame.side()));
    for (int y = first; y < last && !context.stopRequested(); ++y) {
        const T* rows[kMostRows];
        for (int i = 0; i < frame.side(); ++i) rows[i] = frame.row(y - frame.radius + i);
        medianRow(rows, frame.radius, samples, frame.source.channels, ranks.get(),
                  frame.target.row(y));
    }
}

// 16 bits beyond the networks, and float, whose keys are sorted: rows with repeated edges in a
// ring.
template <class T>
void runRing(const Frame<T>& frame, int first, int last, const CpuContext& context) {
    using Key = std::conditional_t<std::is_floating_point_v<T>, std::int32_t, T>;
    const int samples = frame.source.samplesPerRow();
    const int channels = frame.source.channels;
    const std::ptrdiff_t pitch = medianPitch(samples);
    const int height = frame.source.height;
    const bool network = frame.radius <= kMaxNetworkRadius;
    const auto ring = alignedZeros<Key>(std::size_t(pitch * frame.side()));
    const auto ranks = alignedZeros<Key>(network ? std::size_t(pitch * frame.side()) : 1);
    const auto medians = alignedZeros<Key>(std::size_t(pitch));
    const auto slot = [&](int y) {
        return ring.get() + (y % frame.side()) * pitch + kMedianPadding;
    };
    int ready = std::max(0, first - frame.radius);
    for (int y = first; y < last && !context.stopRequested(); ++y) {
        for (const int end = std::min(height, y + frame.radius + 1); ready < end; ++ready) {
            Key* row = slot(ready);
            const T* from = frame.source.row(ready);
            if constexpr (std::is_floating_point_v<T>)
                std::transform(from, from + samples, row, orderKey);
            else
                std::copy_n(from, samples, row);
            for (int k = 1; k <= frame.radius * channels; ++k)
                row[-k] = row[channels - 1 - (k - 1) % channels];
            for (int k = 0; k < frame.radius * channels; ++k)
                row[samples + k] = row[samples + k - channels];
        }
        const Key* rows[kMostRows];
        for (int i = 0; i < frame.side(); ++i)
            rows[i] = slot(std::clamp(y - frame.radius + i, 0, height - 1));
        if constexpr (std::is_floating_point_v<T>) {
            if (network)
                medianRow(rows, frame.radius, samples, channels, ranks.get(), medians.get());
            else
                selectMedian(rows, frame.radius, samples, channels, medians.get());
            std::transform(medians.get(), medians.get() + samples, frame.target.row(y),
                           fromOrderKey);
        } else {
            selectMedian(rows, frame.radius, samples, channels, frame.target.row(y));
        }
        keepAlpha(frame.source, frame.target, y);
    }
}

// 8 bits beyond the networks. Columns whose histograms fit the second-level cache at a time.
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

template <class T>
Result<void> runTyped(const MedianPlan& plan, const Image& in, const MutableImage& out,
                      const CpuContext& context) {
    const Frame<T> frame{in.view<T>(), out.view<T>(), plan.radius};
    const bool network = plan.radius <= kMaxNetworkRadius;
    const double cost = network ? 0.15 * plan.radius : 10.0;
    const CpuContext chosen =
        forWork(context, plan.size, cost * frame.source.channels * double(sizeof(T)));
    const int height = frame.source.height;
    const auto rowBytes = std::uint64_t(frame.source.samplesPerRow()) * sizeof(T);
    // Histograms are filled anew in every band, so bands are tall; they last some milliseconds and
    // look at the stop token themselves.
    const int band = network ? rowsPerBand(chosen, height, rowBytes)
                             : rowsPerBand(chosen, height, rowBytes, std::min(height, 64));
    return forEachRowBand(chosen, height, band, [&](int first, int last) {
        if constexpr (std::is_floating_point_v<T>)
            runRing(frame, first, last, chosen);
        else if (network)
            runNetwork(frame, first, last, chosen);
        else if constexpr (sizeof(T) == 1)
            runHistograms(frame, first, last, chosen);
        else
            runRing(frame, first, last, chosen);
    });
}

}  // namespace

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
