#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "engine/operations/cpu_work.h"
#include "engine/operations/geometry/resize.h"

namespace warpscope {
namespace {

// Between the passes: 8 bits more, so that 8-bit samples fit 16 and 16-bit samples 24.
template <class T>
using ResizeMiddle =
    std::conditional_t<sizeof(T) == 1, std::uint16_t,
                       std::conditional_t<std::is_floating_point_v<T>, float, std::uint32_t>>;

template <class T, int C>
void resizeAcross(const ResizeAxis& axis, const T* from, ResizeMiddle<T>* to) {
    constexpr int kShift = sizeof(T) == 1 ? 8 : 22;
    using Sum = std::conditional_t<sizeof(T) == 1, std::int32_t, std::int64_t>;
    constexpr Sum kMost = sizeof(T) == 1 ? 255 << 8 : 65535 << 8;
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
            Sum sums[C];
            std::fill_n(sums, C, Sum(1) << (kShift - 1));
            for (int i = 0; i < count; ++i)
                for (int c = 0; c < C; ++c) sums[c] += Sum(weights[i]) * Sum(taps[i * C + c]);
            for (int c = 0; c < C; ++c)
                to[c] = ResizeMiddle<T>(std::clamp<Sum>(sums[c] >> kShift, 0, kMost));
        }
    }
}

// A row of the output from rows of the middle. `sums` and `low` hold a row.
template <class T>
void resizeDown(const ResizeAxis& axis, int y, const ResizeMiddle<T>* rows, int samples,
                std::int32_t* low, std::int32_t* high, std::int64_t* sums, double* reals, T* to) {
    const int count = axis.count[std::size_t(y)];
    const auto begin = std::size_t(axis.begin[std::size_t(y)]);
    if constexpr (std::is_floating_point_v<T>) {
        std::fill_n(reals, samples, 0.0);
        for (int i = 0; i < count; ++i, rows += samples) {
            const double weight = axis.realWeights[begin + std::size_t(i)];
            for (int k = 0; k < samples; ++k) reals[k] += weight * double(rows[k]);
        }
        for (int k = 0; k < samples; ++k) to[k] = float(reals[k]);
    } else if constexpr (sizeof(T) == 1) {
        // Weights of 17 bits times 16 do not fit 32: high and low bytes are summed apart.
        std::fill_n(high, samples, 0);
        std::fill_n(low, samples, 1 << 23);
        for (int i = 0; i < count; ++i, rows += samples) {
            const std::int32_t weight = axis.weights[begin + std::size_t(i)];
            for (int k = 0; k < samples; ++k) {
                high[k] += weight * (rows[k] >> 8);
                low[k] += weight * (rows[k] & 255);
            }
        }
        for (int k = 0; k < samples; ++k)
            to[k] = T(std::clamp((high[k] + (low[k] >> 8)) >> 16, 0, 255));
    } else {
        std::fill_n(sums, samples, std::int64_t(1) << 37);
        for (int i = 0; i < count; ++i, rows += samples) {
            const std::int64_t weight = axis.weights[begin + std::size_t(i)];
            for (int k = 0; k < samples; ++k) sums[k] += weight * std::int64_t(rows[k]);
        }
        for (int k = 0; k < samples; ++k)
            to[k] = T(std::clamp<std::int64_t>(sums[k] >> 38, 0, 65535));
    }
}

template <class T>
Result<void> runTyped(const ResizePlan& plan, const Image& source, const MutableImage& target,
                      const CpuContext& context) {
    const auto in = source.view<T>();
    const auto out = target.view<T>();
    const ResizeAxis& down = plan.down;
    const int samples = out.samplesPerRow();
    const CpuContext chosen = forWork(context, plan.size, plan.guessedMsPerMegapixel);
    // Bands share rows of the input at their ends, which each makes for itself.
    const int most = int(std::max<std::int64_t>(16, 4096 / std::max(1, out.width)));
    const int band =
        std::max(std::min(out.height, most),
                 rowsPerBand(chosen, out.height, std::uint64_t(samples) * sizeof(T) * 2));
    return forEachRowBand(chosen, out.height, band, [&](int first, int last) {
        int top = in.height, bottom = 0;
        for (int y = first; y < last; ++y) {
            top = std::min(top, down.first[std::size_t(y)]);
            bottom = std::max(bottom, down.first[std::size_t(y)] + down.count[std::size_t(y)]);
        }
        // A band whose taps all lie beyond the part has none.
        const auto rows = std::size_t(std::max(0, bottom - top));
        std::vector<ResizeMiddle<T>> middle(rows * std::size_t(samples));
        for (std::size_t i = 0; i < rows && !chosen.stopRequested(); ++i) {
            const T* from = in.row(top + int(i));
            ResizeMiddle<T>* to = middle.data() + i * std::size_t(samples);
            in.channels == 1 ? resizeAcross<T, 1>(plan.across, from, to)
                             : resizeAcross<T, 4>(plan.across, from, to);
        }
        const auto held = std::size_t(samples);
        std::vector<std::int32_t> low(sizeof(T) == 1 ? held : 0), high(low.size());
        std::vector<std::int64_t> sums(sizeof(T) == 2 ? held : 0);
        std::vector<double> reals(sizeof(T) == 4 ? held : 0);
        for (int y = first; y < last && !chosen.stopRequested(); ++y) {
            const auto begin =
                std::min(rows, std::size_t(std::max(0, down.first[std::size_t(y)] - top)));
            resizeDown<T>(down, y, middle.data() + begin * held, samples, low.data(), high.data(),
                          sums.data(), reals.data(), out.row(y));
        }
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
