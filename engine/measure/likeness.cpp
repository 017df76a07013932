#include "engine/measure/likeness.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

namespace warpscope {
namespace {

constexpr int kPlanes = 5;
constexpr int kLuma = 4;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
// Columns that are filtered at once, so that their sums stay in the cache.
constexpr int kStrip = 256;

struct Errors {
    double squares = 0;
    double absolute = 0;
    double largest = 0;
    std::uint64_t finite = 0;
};

struct RowErrors {
    // Channels as they are stored; of colour then luma.
    std::array<Errors, kPlanes> planes;
    bool opaque = true;
};

double lumaOf(double red, double green, double blue) {
    return 0.299 * red + 0.587 * green + 0.114 * blue;
}

// Of integers without a loss: the difference of 64-bit sums may fit where they do not.
template <class T>
double distance(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) return std::abs(double(a) - double(b));
    return double(a > b ? a - b : b - a);
}

void add(Errors& errors, double distance, bool finite) {
    if (!finite) return;
    ++errors.finite;
    errors.squares += distance * distance;
    errors.absolute += distance;
    errors.largest = std::max(errors.largest, distance);
}

template <class T>
void addErrors(const T* a, const T* b, int width, int channels, double full, RowErrors& row) {
    for (int x = 0; x < width; ++x, a += channels, b += channels) {
        bool finite[4] = {};
        for (int c = 0; c < channels; ++c) {
            finite[c] = std::isfinite(double(a[c])) && std::isfinite(double(b[c]));
            add(row.planes[std::size_t(c)], distance(a[c], b[c]), finite[c]);
        }
        if (channels == 1) continue;
        row.opaque = row.opaque && double(a[3]) == full && double(b[3]) == full;
        add(row.planes[kLuma],
            std::abs(lumaOf(double(a[0]), double(a[1]), double(a[2])) -
                     lumaOf(double(b[0]), double(b[1]), double(b[2]))),
            finite[0] && finite[1] && finite[2]);
    }
}

std::array<double, kSsimWindow> gaussianWeights() {
    std::array<double, kSsimWindow> weights;
    double sum = 0;
    for (int i = 0; i < kSsimWindow; ++i) {
        const double at = i - kSsimWindow / 2;
        sum += weights[std::size_t(i)] = std::exp(-at * at / (2 * 1.5 * 1.5));
    }
    for (double& weight : weights) weight /= sum;
    return weights;
}

// Mean SSIM of one plane, a channel or luma.
template <class T>
class Ssim {
  public:
    Ssim(const View<const T>& a, const View<const T>& b, const RegionRows* only, int plane,
         double full)
        : m_a(a),
          m_b(b),
          m_only(only),
          m_plane(plane),
          m_c1(0.01 * full * 0.01 * full),
          m_c2(0.03 * full * 0.03 * full) {}

    Result<double> mean(const CpuContext& context) {
        const int rows = m_a.height - kSsimWindow + 1, columns = m_a.width - kSsimWindow + 1;
        if (rows < 1 || columns < 1) return kNone;
        std::vector<Sum> sums(std::size_t(rows), Sum{});
        const int band = std::clamp(rowsPerBand(context, rows, kStrip * kMoments * 8), 1, 32);
        auto done = forEachRowBand(context, rows, band, [&](int first, int last) {
            std::vector<double> across(std::size_t(last - first + kSsimWindow - 1) * kMoments *
                                       kStrip);
            for (int x = 0; x < columns && !context.stopRequested(); x += kStrip)
                addStrip(x, std::min(kStrip, columns - x), first, last, across.data(), sums);
        });
        if (!done) return fail(done.error());
        if (context.stopRequested()) return fail(ErrorCode::Cancelled, "cancelled");
        Sum all;
        for (const Sum& sum : sums) {
            all.value += sum.value;
            all.windows += sum.windows;
        }
        return all.windows ? all.value / double(all.windows) : kNone;
    }

  private:
    // Of a, b, a a, b b and a b.
    static constexpr int kMoments = 5;
    struct Sum {
        double value = 0;
        std::uint64_t windows = 0;
    };

    double at(const T* pixel) const {
        if (m_plane < kLuma) return double(pixel[m_plane]);
        return lumaOf(double(pixel[0]), double(pixel[1]), double(pixel[2]));
    }

    // The moments of `count` windows a row of samples long, from column x on: kStrip of each.
    void filterRow(int y, int x, int count, double* to) const {
        double planes[kMoments][kStrip + kSsimWindow];
        const T* a = m_a.row(y) + std::ptrdiff_t(x) * m_a.channels;
        const T* b = m_b.row(y) + std::ptrdiff_t(x) * m_b.channels;
        const int needed = count + kSsimWindow - 1;
        for (int i = 0; i < needed; ++i, a += m_a.channels, b += m_b.channels) {
            const double first = at(a), second = at(b);
            planes[0][i] = first;
            planes[1][i] = second;
            planes[2][i] = first * first;
            planes[3][i] = second * second;
            planes[4][i] = first * second;
        }
        for (int m = 0; m < kMoments; ++m, to += kStrip) {
            for (int i = 0; i < count; ++i) to[i] = 0;
            for (int k = 0; k < kSsimWindow; ++k) {
                const double weight = m_weights[std::size_t(k)];
                const double* from = planes[m] + k;
                for (int i = 0; i < count; ++i) to[i] += weight * from[i];
            }
        }
    }

    void addStrip(int x, int count, int first, int last, double* across,
                  std::vector<Sum>& sums) const {
        constexpr int kRow = kMoments * kStrip;
        for (int y = first; y < last + kSsimWindow - 1; ++y)
            filterRow(y, x, count, across + std::ptrdiff_t(y - first) * kRow);
        double moments[kRow];
        for (int y = first; y < last; ++y) {
            std::fill(moments, moments + kRow, 0.0);
            for (int k = 0; k < kSsimWindow; ++k) {
                const double weight = m_weights[std::size_t(k)];
                const double* row = across + std::ptrdiff_t(y - first + k) * kRow;
                for (int i = 0; i < kRow; ++i) moments[i] += weight * row[i];
            }
            Sum& sum = sums[std::size_t(y)];
            const auto addWindow = [&](int i) {
                const double meanA = moments[i], meanB = moments[kStrip + i];
                const double squareA = meanA * meanA, squareB = meanB * meanB;
                const double product = meanA * meanB;
                const double varianceA = moments[2 * kStrip + i] - squareA;
                const double varianceB = moments[3 * kStrip + i] - squareB;
                const double covariance = moments[4 * kStrip + i] - product;
                const double value = (2 * product + m_c1) * (2 * covariance + m_c2) /
                                     ((squareA + squareB + m_c1) * (varianceA + varianceB + m_c2));
                // NaN and infinities have spread to every window that has them.
                if (!std::isfinite(value)) return;
                sum.value += value;
                ++sum.windows;
            };
            // Of windows whose middle counts.
            constexpr int kHalf = kSsimWindow / 2;
            forEachRun(m_a, y + kHalf, m_only, [&](const T*, int column, int width) {
                const int from = std::max(column - kHalf - x, 0);
                const int to = std::min(column + width - kHalf - x, count);
                for (int i = from; i < to; ++i) addWindow(i);
            });
        }
    }

    View<const T> m_a, m_b;
    const RegionRows* m_only;
    int m_plane;
    double m_c1, m_c2;
    std::array<double, kSsimWindow> m_weights = gaussianWeights();
};

void finish(ChannelLikeness& row, const Errors& errors, std::uint64_t samples, double full) {
    row.samples = samples;
    row.notFinite = samples - errors.finite;
    const auto count = double(errors.finite);
    const bool any = errors.finite > 0;
    row.meanSquared = any ? errors.squares / count : kNone;
    row.rootMeanSquared = std::sqrt(row.meanSquared);
    row.meanAbsolute = any ? errors.absolute / count : kNone;
    row.largest = any ? errors.largest : kNone;
    row.psnr = row.meanSquared == 0 ? std::numeric_limits<double>::infinity()
                                    : 10 * std::log10(full * full / row.meanSquared);
}

void add(Errors& to, const Errors& from) {
    to.squares += from.squares;
    to.absolute += from.absolute;
    to.largest = std::max(to.largest, from.largest);
    to.finite += from.finite;
}

template <class T>
Result<std::vector<ChannelLikeness>> likeness(const Image& a, const Image& b,
                                              const CpuContext& context, const RegionRows* only) {
    const auto first = a.view<T>(), second = b.view<T>();
    const double full = fullScale(a.format());
    const int channels = first.channels;
    std::vector<RowErrors> rows(std::size_t(first.height), RowErrors{});
    const auto bytes = std::uint64_t(first.samplesPerRow()) * sizeof(T) * 2;
    auto done = forEachRowBand(
        context, first.height, rowsPerBand(context, first.height, bytes), [&](int from, int to) {
            for (int y = from; y < to; ++y)
                forEachRun(first, y, only, [&](const T* pixels, int column, int width) {
                    addErrors(pixels, second.row(y) + std::ptrdiff_t(column) * channels, width,
                              channels, full, rows[std::size_t(y)]);
                });
        });
    if (!done) return fail(done.error());
    // Row after row, so that threads change no bit.
    RowErrors all;
    for (const RowErrors& row : rows) {
        for (std::size_t p = 0; p < kPlanes; ++p) add(all.planes[p], row.planes[p]);
        all.opaque = all.opaque && row.opaque;
    }

    const auto pixels = only ? only->pixels() : std::uint64_t(a.size().pixels());
    std::vector<ChannelLikeness> found;
    const auto addRow = [&](const char* name, int plane) -> Result<void> {
        ChannelLikeness row;
        row.channel = name;
        finish(row, all.planes[std::size_t(plane)], pixels, full);
        auto ssim = Ssim<T>(first, second, only, plane, full).mean(context);
        if (!ssim) return fail(ssim.error());
        row.ssim = *ssim;
        found.push_back(std::move(row));
        return {};
    };
    if (channels == 1) {
        if (auto added = addRow("gray", 0); !added) return fail(added.error());
        return found;
    }
    ChannelLikeness together;
    together.channel = "all";
    Errors colors;
    int plane = 0;
    for (const char* name : {"red", "green", "blue"}) {
        add(colors, all.planes[std::size_t(plane)]);
        if (auto added = addRow(name, plane++); !added) return fail(added.error());
        together.ssim += found.back().ssim / 3;
    }
    finish(together, colors, 3 * pixels, full);
    if (!all.opaque)
        if (auto added = addRow("alpha", 3); !added) return fail(added.error());
    if (auto added = addRow("luma", kLuma); !added) return fail(added.error());
    found.push_back(std::move(together));
    return found;
}

}  // namespace

Result<std::vector<ChannelLikeness>> likenessOf(const Image& a, const Image& b,
                                                const CpuContext& context, const RegionRows* rows) {
    if (a.isNull() || b.isNull()) return fail(ErrorCode::InvalidArgument, "there is no image");
    if (a.size() != b.size())
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("images of {} x {} and {} x {} pixels cannot be compared",
                                a.width(), a.height(), b.width(), b.height()));
    if (a.format() != b.format())
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("images of the formats {} and {} cannot be compared",
                                formatName(a.format()), formatName(b.format())));
    return visitSampleType(a.format(), [&]<class T>() { return likeness<T>(a, b, context, rows); });
}

AnalysisTable likenessTable(const std::vector<ChannelLikeness>& rows) {
    AnalysisTable table;
    const auto column = [&](const char* id, const char* label, const char* unit, auto&& cellOf) {
        TableColumn& made = table.columns.emplace_back(TableColumn{id, label, unit});
        for (const ChannelLikeness& row : rows) made.cells.emplace_back(cellOf(row));
    };
    const auto real = [&](const char* id, const char* label, const char* unit,
                          double ChannelLikeness::*from) {
        column(id, label, unit, [&](const auto& row) { return row.*from; });
    };
    column("channel", "Channel", "", [](const auto& row) { return row.channel; });
    column("samples", "Samples", "", [](const auto& row) { return std::int64_t(row.samples); });
    column("not_finite", "Not finite", "",
           [](const auto& row) { return std::int64_t(row.notFinite); });
    real("mse", "Mean squared error", "", &ChannelLikeness::meanSquared);
    real("rmse", "Root mean squared error", "", &ChannelLikeness::rootMeanSquared);
    real("mae", "Mean absolute error", "", &ChannelLikeness::meanAbsolute);
    real("maximum", "Largest difference", "", &ChannelLikeness::largest);
    real("psnr", "PSNR", "dB", &ChannelLikeness::psnr);
    real("ssim", "SSIM", "", &ChannelLikeness::ssim);
    return table;
}

}  // namespace warpscope
