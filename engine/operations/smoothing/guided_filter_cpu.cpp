#include "engine/operations/smoothing/guided_filter.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/smoothing/guided_filter_cpu.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// sums[i] = values[i] + values[i + step] + ... of `side`, for `count` places, in the order that the
// header says. `values`, of which count + (side - 1) step count, become others. Whole vectors: both
// have room for one more.
HWY_ATTR void windowSums(double* HWY_RESTRICT values, double* HWY_RESTRICT sums, int side,
                         std::ptrdiff_t step, std::ptrdiff_t count) {
    const hn::ScalableTag<double> d;
    const auto lanes = std::ptrdiff_t(hn::Lanes(d));
    std::ptrdiff_t valid = count + (side - 1) * step;
    int taken = 1;
    for (std::ptrdiff_t i = 0; i < count; i += lanes)
        hn::StoreU(hn::LoadU(d, values + i), d, sums + i);
    for (int length = 1; taken < side;) {
        // Each place has been read before it is written.
        const double* far = values + length * step;
        valid -= length * step;
        for (std::ptrdiff_t i = 0; i < valid; i += lanes)
            hn::StoreU(hn::Add(hn::LoadU(d, values + i), hn::LoadU(d, far + i)), d, values + i);
        length *= 2;
        if (!(side & length)) continue;
        const double* more = values + taken * step;
        for (std::ptrdiff_t i = 0; i < count; i += lanes)
            hn::StoreU(hn::Add(hn::LoadU(d, sums + i), hn::LoadU(d, more + i)), d, sums + i);
        taken += length;
    }
}

// a and b of windows with the sums of Y, Y^2, c and Y c. Whole vectors: there is room for them.
HWY_ATTR void guidedLines(const double* luma, const double* squares, const double* color,
                          const double* products, const GuidedFilterPlan& plan, float* a, float* b,
                          std::ptrdiff_t count) {
    const bool same = color == luma;
    std::ptrdiff_t i = 0;
// Highway makes the largest float of infinity there.
#if HWY_TARGET != HWY_SCALAR
    const hn::ScalableTag<double> d;
    const hn::Rebind<float, decltype(d)> df;
    const auto n = hn::Set(d, plan.count), softening = hn::Set(d, plan.softening);
    const auto share = hn::Set(d, plan.share), zero = hn::Zero(d);
    for (; i < count; i += std::ptrdiff_t(hn::Lanes(d))) {
        const auto y = hn::LoadU(d, luma + i), c = hn::LoadU(d, color + i);
        auto spread = hn::Sub(hn::Mul(n, hn::LoadU(d, squares + i)), hn::Mul(y, y));
        spread = hn::IfThenElse(hn::Lt(spread, zero), zero, spread);
        auto together = spread;
        if (!same) together = hn::Sub(hn::Mul(n, hn::LoadU(d, products + i)), hn::Mul(y, c));
        const auto slope = hn::DemoteTo(df, hn::Div(together, hn::Add(spread, softening)));
        const auto level = hn::Mul(hn::PromoteTo(d, slope), hn::Mul(y, share));
        hn::StoreU(slope, df, a + i);
        hn::StoreU(hn::DemoteTo(df, hn::Sub(hn::Mul(c, share), level)), df, b + i);
    }
#endif
    for (; i < count; ++i) {
        double spread = plan.count * squares[i] - luma[i] * luma[i];
        spread = spread < 0 ? 0 : spread;
        const double together = same ? spread : plan.count * products[i] - luma[i] * color[i];
        a[i] = float(together / (spread + plan.softening));
        b[i] = float(color[i] * plan.share - double(a[i]) * (luma[i] * plan.share));
    }
}

// Results by the sums of a and b; every `channels`-th sample of `out`.
template <class T>
HWY_ATTR void guidedRow(const T* luma, const double* a, const double* b,
                        const GuidedFilterPlan& plan, T* out, int channels, std::ptrdiff_t count) {
    const double share = plan.share, white = plan.white;
    std::ptrdiff_t i = 0;
#if HWY_TARGET != HWY_SCALAR
    if constexpr (!std::is_floating_point_v<T>) {
        const hn::ScalableTag<double> d;
        const hn::Rebind<std::int32_t, decltype(d)> di;
        const hn::Rebind<T, decltype(d)> samples;
        const auto lanes = std::ptrdiff_t(hn::Lanes(d));
        T made[hn::MaxLanes(d)];
        for (; i + lanes <= count; i += lanes) {
            const auto y = hn::PromoteTo(d, hn::PromoteTo(di, hn::LoadU(samples, luma + i)));
            const auto slope = hn::Mul(hn::LoadU(d, a + i), hn::Set(d, share));
            const auto offset = hn::Mul(hn::LoadU(d, b + i), hn::Set(d, share));
            const auto v = hn::Add(hn::Mul(slope, y), offset);
            const auto bounded = hn::Min(hn::Max(v, hn::Zero(d)), hn::Set(d, white));
            const auto level =
                hn::DemoteTo(samples, hn::DemoteTo(di, hn::Add(bounded, hn::Set(d, 0.5))));
            hn::StoreU(level, samples, channels == 1 ? out + i : made);
            if (channels == 1) continue;
            for (std::ptrdiff_t k = 0; k < lanes; ++k) out[(i + k) * channels] = made[k];
        }
    }
#endif
    for (; i < count; ++i) {
        const double v = a[i] * share * double(luma[i]) + b[i] * share;
        if constexpr (std::is_floating_point_v<T>) {
            out[i * channels] = T(v);
        } else {
            const double bounded = v < 0 ? 0 : v > white ? white : v;
            out[i * channels] = T(std::int32_t(bounded + 0.5));
        }
    }
}

// The given samples as doubles, and their products with luma.
template <class T>
HWY_ATTR void guidedProducts(const T* samples, int channels, const T* luma, double* values,
                             double* products, std::ptrdiff_t count) {
    std::ptrdiff_t i = 0;
#if HWY_TARGET != HWY_SCALAR
    if constexpr (!std::is_floating_point_v<T>) {
        const hn::ScalableTag<double> d;
        const hn::Rebind<std::int32_t, decltype(d)> di;
        const hn::Rebind<T, decltype(d)> narrow;
        const auto lanes = std::ptrdiff_t(hn::Lanes(d));
        const auto load = [&](const T* from)
                              HWY_ATTR { return hn::PromoteTo(di, hn::LoadU(narrow, from)); };
        for (; channels == 1 && i + lanes <= count; i += lanes) {
            const auto value = hn::PromoteTo(d, load(samples + i));
            hn::StoreU(value, d, values + i);
            hn::StoreU(hn::Mul(value, hn::PromoteTo(d, load(luma + i))), d, products + i);
        }
    }
#endif
    for (; i < count; ++i) {
        const auto value = double(samples[i * channels]);
        values[i] = value;
        products[i] = value * double(luma[i]);
    }
}

#define WARPSCOPE_GUIDED(T, Suffix)                                                                \
    HWY_ATTR void guidedRow##Suffix(const T* luma, const double* a, const double* b,               \
                                    const GuidedFilterPlan& plan, T* out, int channels,            \
                                    std::ptrdiff_t count) {                                        \
        channels == 1 ? guidedRow(luma, a, b, plan, out, 1, count)                                 \
                      : guidedRow(luma, a, b, plan, out, 4, count);                                \
    }                                                                                              \
    HWY_ATTR void guidedProducts##Suffix(const T* samples, int channels, const T* luma,            \
                                         double* values, double* products, std::ptrdiff_t count) { \
        channels == 1 ? guidedProducts(samples, 1, luma, values, products, count)                  \
                      : guidedProducts(samples, 4, luma, values, products, count);                 \
    }
WARPSCOPE_GUIDED(std::uint8_t, 8)
WARPSCOPE_GUIDED(std::uint16_t, 16)
WARPSCOPE_GUIDED(float, Float)
#undef WARPSCOPE_GUIDED

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <algorithm>

#include "engine/operations/cpu_work.h"
#include "engine/operations/tone/grayscale.h"

namespace warpscope {
namespace {

HWY_EXPORT(windowSums);
HWY_EXPORT(guidedLines);
HWY_EXPORT(guidedRow8);
HWY_EXPORT(guidedRow16);
HWY_EXPORT(guidedRowFloat);
HWY_EXPORT(guidedProducts8);
HWY_EXPORT(guidedProducts16);
HWY_EXPORT(guidedProductsFloat);

constexpr int kGuidedPadding = 64;
// Of output pixels of a tile, unless windows are large; those reach beyond it twice.
constexpr int kLeastGuidedTile = 128;

// Sums over windows of `values`, whose rows are given one after the other.
class GuidedSums {
  public:
    // Up to so many columns and rows of sums.
    GuidedSums(int columns, int rows, int radius)
        : m_side(2 * radius + 1),
          m_line(alignedZeros<double>(std::size_t(columns + 2 * radius + kGuidedPadding))),
          m_rows(alignedZeros<double>(strideOf(columns) * std::size_t(rows + 2 * radius) +
                                      kGuidedPadding)),
          m_sums(alignedZeros<double>(strideOf(columns) * std::size_t(rows) + kGuidedPadding)) {}

    static std::size_t strideOf(int columns) { return (std::size_t(columns) + 15) / 16 * 16; }
    // Where 2 radius more values than sums are put before they are taken as a row.
    double* line() { return m_line.get(); }
    void take(int row, int columns) {
        HWY_DYNAMIC_DISPATCH(windowSums)
        (line(), m_rows.get() + strideOf(columns) * std::size_t(row), m_side, 1, columns);
    }
    // Once all rows are taken, 2 radius more than of sums.
    const double* finish(int columns, int rows) {
        const auto stride = std::ptrdiff_t(strideOf(columns));
        HWY_DYNAMIC_DISPATCH(windowSums)
        (m_rows.get(), m_sums.get(), m_side, stride, stride * rows);
        return m_sums.get();
    }

  private:
    int m_side;
    hwy::AlignedFreeUniquePtr<double[]> m_line, m_rows, m_sums;
};

// `given` values from `before` on have their edges repeated, to `all` values.
template <class T>
void repeatEdges(T* line, int given, int before, int all) {
    for (int i = before - 1; i >= 0; --i) line[i] = line[before];
    for (int i = before + given; i < all; ++i) line[i] = line[before + given - 1];
}

template <class T>
class GuidedTiles {
  public:
    GuidedTiles(const GuidedFilterPlan& plan, const View<const T>& source, const View<T>& target,
                Size most)
        : m_plan(plan),
          m_radius(plan.radius),
          m_source(source),
          m_target(target),
          m_columns(std::min(most.width + 2 * m_radius, source.width)),
          m_lines(std::min(most.height + 2 * m_radius, source.height)),
          m_first(m_columns, m_lines, m_radius),
          m_second(m_columns, m_lines, m_radius),
          m_luma(alignedZeros<T>(std::size_t(m_columns + 2 * m_radius + kGuidedPadding))),
          m_slopes(alignedZeros<float>(mapRoom())),
          m_offsets(alignedZeros<float>(mapRoom())) {
        if (source.channels == 4) {
            m_lumaSums = alignedZeros<double>(mapRoom());
            m_squareSums = alignedZeros<double>(mapRoom());
        }
    }

    void run(const Rect& tile, const CpuContext& context) {
        const int r = m_radius;
        // Where a and b are needed.
        m_map.x = std::max(0, tile.x - r);
        m_map.y = std::max(0, tile.y - r);
        m_map.width = std::min(m_source.width, tile.x + tile.width + r) - m_map.x;
        m_map.height = std::min(m_source.height, tile.y + tile.height + r) - m_map.y;
        const auto samples = std::ptrdiff_t(stride()) * m_map.height;
        sums(-1);
        if (context.stopRequested()) return;
        const double* luma = m_first.finish(m_map.width, m_map.height);
        const double* squares = m_second.finish(m_map.width, m_map.height);
        if (m_source.channels == 1) {
            lines(luma, squares, luma, squares, samples);
            finish(tile, 0);
            return;
        }
        std::copy_n(luma, samples, m_lumaSums.get());
        std::copy_n(squares, samples, m_squareSums.get());
        for (int c = 0; c < 3; ++c) {
            sums(c);
            if (context.stopRequested()) return;
            const double* color = m_first.finish(m_map.width, m_map.height);
            const double* products = m_second.finish(m_map.width, m_map.height);
            lines(m_lumaSums.get(), m_squareSums.get(), color, products, samples);
            finish(tile, c);
            if (context.stopRequested()) return;
        }
        for (int y = tile.y; y < tile.y + tile.height; ++y)
            for (int x = tile.x; x < tile.x + tile.width; ++x)
                m_target.row(y)[4 * x + 3] = m_source.row(y)[4 * x + 3];
    }

  private:
    std::size_t mapRoom() const {
        return GuidedSums::strideOf(m_columns) * std::size_t(m_lines) + kGuidedPadding;
    }
    std::size_t stride() const { return GuidedSums::strideOf(m_map.width); }

    // Luma of `count` pixels.
    const T* lumaOf(int x, int y, int count) {
        const T* row = m_source.row(y) + std::ptrdiff_t(x) * m_source.channels;
        if (m_source.channels == 1) return row;
        lumaRow(row, m_luma.get(), count);
        return m_luma.get();
    }

    // Of channel c and its products with luma; -1: of luma and its squares.
    void sums(int c) {
        const int r = m_radius;
        const int from = std::max(0, m_map.x - r);
        const int to = std::min(m_source.width, m_map.x + m_map.width + r);
        const int before = from - (m_map.x - r), all = m_map.width + 2 * r;
        for (int j = 0; j < m_map.height + 2 * r; ++j) {
            const int y = std::clamp(m_map.y - r + j, 0, m_source.height - 1);
            const T* luma = lumaOf(from, y, to - from);
            const int channels = c < 0 ? 1 : 4;
            const T* row = c < 0 ? luma : m_source.row(y) + 4 * std::ptrdiff_t(from) + c;
            double* values = m_first.line() + before;
            double* products = m_second.line() + before;
            if constexpr (std::is_floating_point_v<T>) HWY_DYNAMIC_DISPATCH(guidedProductsFloat)
            (row, channels, luma, values, products, to - from);
            else if constexpr (sizeof(T) == 2) HWY_DYNAMIC_DISPATCH(guidedProducts16)(
                row, channels, luma, values, products, to - from);
            else HWY_DYNAMIC_DISPATCH(guidedProducts8)(row, channels, luma, values, products,
                                                       to - from);
            repeatEdges(m_first.line(), to - from, before, all);
            repeatEdges(m_second.line(), to - from, before, all);
            m_first.take(j, m_map.width);
            m_second.take(j, m_map.width);
        }
    }

    void lines(const double* luma, const double* squares, const double* color,
               const double* products, std::ptrdiff_t samples) {
        HWY_DYNAMIC_DISPATCH(guidedLines)
        (luma, squares, color, products, m_plan, m_slopes.get(), m_offsets.get(), samples);
    }

    // Channel c of the tile from a and b.
    void finish(const Rect& tile, int c) {
        const int r = m_radius, all = tile.width + 2 * r;
        const int before = m_map.x - (tile.x - r);
        for (int j = 0; j < tile.height + 2 * r; ++j) {
            const int y = std::clamp(tile.y - r + j - m_map.y, 0, m_map.height - 1);
            const auto at = stride() * std::size_t(y);
            std::copy_n(m_slopes.get() + at, m_map.width, m_first.line() + before);
            std::copy_n(m_offsets.get() + at, m_map.width, m_second.line() + before);
            repeatEdges(m_first.line(), m_map.width, before, all);
            repeatEdges(m_second.line(), m_map.width, before, all);
            m_first.take(j, tile.width);
            m_second.take(j, tile.width);
        }
        const double* a = m_first.finish(tile.width, tile.height);
        const double* b = m_second.finish(tile.width, tile.height);
        const int channels = m_source.channels;
        for (int j = 0; j < tile.height; ++j) {
            const int y = tile.y + j;
            const auto at = std::ptrdiff_t(GuidedSums::strideOf(tile.width)) * j;
            const T* luma = lumaOf(tile.x, y, tile.width);
            T* to = m_target.row(y) + std::ptrdiff_t(tile.x) * channels + c;
            if constexpr (std::is_floating_point_v<T>) HWY_DYNAMIC_DISPATCH(guidedRowFloat)
            (luma, a + at, b + at, m_plan, to, channels, tile.width);
            else if constexpr (sizeof(T) == 2) HWY_DYNAMIC_DISPATCH(guidedRow16)(
                luma, a + at, b + at, m_plan, to, channels, tile.width);
            else HWY_DYNAMIC_DISPATCH(guidedRow8)(luma, a + at, b + at, m_plan, to, channels,
                                                  tile.width);
        }
    }

    const GuidedFilterPlan& m_plan;
    int m_radius;
    View<const T> m_source;
    View<T> m_target;
    // Of a and b of the largest tile.
    int m_columns, m_lines;
    Rect m_map;
    GuidedSums m_first, m_second;
    hwy::AlignedFreeUniquePtr<T[]> m_luma;
    hwy::AlignedFreeUniquePtr<float[]> m_slopes, m_offsets;
    hwy::AlignedFreeUniquePtr<double[]> m_lumaSums, m_squareSums;
};

template <class T>
Result<void> runGuided(const GuidedFilterPlan& plan, const Image& in, const MutableImage& out,
                       const CpuContext& context) {
    const auto source = in.view<T>();
    const auto target = out.view<T>();
    const CpuContext chosen = forWork(context, in.size(), source.channels == 1 ? 12.0 : 60.0);
    const int side = std::max(kLeastGuidedTile, 4 * plan.radius);
    const Size most{std::min(side, source.width), std::min(side, source.height)};
    const int across = (source.width + side - 1) / side;
    const int tiles = across * ((source.height + side - 1) / side);
    return forEachRowBand(
        chosen, tiles, std::clamp(tiles / (4 * chosen.threadCount()), 1, 16),
        [&](int first, int last) {
            GuidedTiles<T> work(plan, source, target, most);
            for (int tile = first; tile < last && !chosen.stopRequested(); ++tile) {
                const int x = tile % across * side, y = tile / across * side;
                work.run(
                    {x, y, std::min(side, source.width - x), std::min(side, source.height - y)},
                    chosen);
            }
        });
}

}  // namespace

Result<void> runGuidedFilterCpu(const GuidedFilterPlan& plan, const Image& in,
                                const MutableImage& out, const CpuContext& context) {
    if (isFloat(plan.input)) return runGuided<float>(plan, in, out, context);
    if (bytesPerSample(plan.input) == 2) return runGuided<std::uint16_t>(plan, in, out, context);
    return runGuided<std::uint8_t>(plan, in, out, context);
}

}  // namespace warpscope

#endif  // HWY_ONCE
