#include "engine/image/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/image/exact_figures.h"

namespace warpscope {
namespace {

// Rows are summed in chunks of fixed height and the chunks merged in order, so that the result does
// not depend on the number of threads.
constexpr int kChunkRows = 64;

template <class T>
constexpr bool kSumsAreExact = std::is_integral_v<T> && sizeof(T) <= 4;

struct Partial {
    double minimum = std::numeric_limits<double>::infinity();
    double maximum = -std::numeric_limits<double>::infinity();
    // Where kSumsAreExact; else the two below.
    ExactSums sums;
    double mean = 0;
    double squares = 0;  // sum of squared distances from the mean
    std::uint64_t count = 0;
    std::uint64_t notFinite = 0;
    std::uint64_t notANumber = 0;

    // Chan, Golub and LeVeque's update of mean and squares.
    void merge(const Partial& other) {
        notFinite += other.notFinite;
        notANumber += other.notANumber;
        if (other.count == 0) return;
        sums.add(other.sums);
        const double total = double(count) + double(other.count);
        const double delta = other.mean - mean;
        squares += other.squares + delta * delta * (double(count) * double(other.count) / total);
        mean += delta * (double(other.count) / total);
        count += other.count;
        minimum = std::min(minimum, other.minimum);
        maximum = std::max(maximum, other.maximum);
    }
};

template <class T>
Partial sumsOfRow(const T* row, int width, int channels) {
    // A row of 16-bit squares fits in 64 bits.
    using Squares = std::conditional_t<sizeof(T) <= 2, std::uint64_t, ExactSums::Wide>;
    std::uint64_t sum = 0;
    Squares squares = 0;
    T minimum = row[0], maximum = row[0];
    for (int x = 0; x < width; ++x) {
        const T v = row[x * channels];
        sum += v;
        squares += Squares(v) * v;
        minimum = std::min(minimum, v);
        maximum = std::max(maximum, v);
    }
    Partial p;
    p.count = std::uint64_t(width);
    p.sums.add(p.count, sum, squares);
    p.minimum = double(minimum);
    p.maximum = double(maximum);
    return p;
}

template <class T>
Partial ofRow(const T* row, int width, int channels) {
    if constexpr (kSumsAreExact<T>) return sumsOfRow(row, width, channels);
    Partial p;
    double sum = 0;
    for (int x = 0; x < width; ++x) {
        const double v = double(row[x * channels]);
        if constexpr (std::is_floating_point_v<T>) {
            if (!std::isfinite(v)) {
                ++p.notFinite;
                p.notANumber += std::isnan(v);
                continue;
            }
        }
        sum += v;
        p.minimum = std::min(p.minimum, v);
        p.maximum = std::max(p.maximum, v);
        ++p.count;
    }
    if (p.count == 0) return p;
    p.mean = sum / double(p.count);
    for (int x = 0; x < width; ++x) {
        const double v = double(row[x * channels]);
        if constexpr (std::is_floating_point_v<T>)
            if (!std::isfinite(v)) continue;
        p.squares += (v - p.mean) * (v - p.mean);
    }
    return p;
}

}  // namespace

Result<std::vector<ChannelStatistics>> computeStatistics(const Image& image,
                                                         const CpuContext& context,
                                                         const RegionRows* rows) {
    const int channels = channelCount(image.format());
    const int chunks = (image.height() + kChunkRows - 1) / kChunkRows;
    std::vector<Partial> partials(std::size_t(chunks) * std::size_t(channels));
    const auto body = [&](int first, int last) {
        visitSampleType(image.format(), [&]<class T>() {
            const auto view = image.view<T>();
            for (int chunk = first; chunk < last; ++chunk) {
                const int end = std::min((chunk + 1) * kChunkRows, view.height);
                for (int y = chunk * kChunkRows; y < end; ++y)
                    forEachRun(view, y, rows, [&](const T* pixels, int, int width) {
                        for (int c = 0; c < channels; ++c)
                            partials[std::size_t(chunk * channels + c)].merge(
                                ofRow(pixels + c, width, channels));
                    });
            }
        });
    };
    if (auto done = forEachRowBand(context, chunks, 1, body); !done) return fail(done.error());

    std::vector<ChannelStatistics> result;
    for (int c = 0; c < channels; ++c) {
        Partial all;
        for (int chunk = 0; chunk < chunks; ++chunk)
            all.merge(partials[std::size_t(chunk * channels + c)]);
        ChannelStatistics s;
        s.count = all.count;
        s.notFinite = all.notFinite;
        s.notANumber = all.notANumber;
        if (all.count > 0) {
            s.minimum = all.minimum;
            s.maximum = all.maximum;
            const bool exact = all.sums.count() > 0;
            s.mean = exact ? all.sums.mean() : all.mean;
            s.standardDeviation =
                exact ? all.sums.standardDeviation() : std::sqrt(all.squares / double(all.count));
        }
        result.push_back(s);
    }
    return result;
}

}  // namespace warpscope
