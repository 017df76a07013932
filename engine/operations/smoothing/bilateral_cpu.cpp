#include <algorithm>
#include <type_traits>
#include <vector>

#include "engine/operations/color_rows.h"
#include "engine/operations/cpu_work.h"
#include "engine/operations/narrow_images.h"
#include "engine/operations/smoothing/bilateral.h"
#include "engine/operations/smoothing/bilateral_rows.h"

namespace warpscope {
namespace {

// The rows of a band and its halo, a plane for each channel but alpha, edges repeated.
template <class P>
struct BilateralPlanes {
    int channels;
    std::ptrdiff_t pitch;
    std::ptrdiff_t planeSize;
    int radius;
    hwy::AlignedFreeUniquePtr<P[]> samples;

    template <class T>
    BilateralPlanes(const View<const T>& in, int first, int last, int reach)
        : channels(std::min(in.channels, 3)),
          pitch(in.width + 2 * reach + kBilateralSlack),
          planeSize(pitch * (last - first + 2 * reach)),
          radius(reach),
          samples(alignedZeros<P>(std::size_t(planeSize * channels + kBilateralSlack))) {
        for (int i = 0; i < last - first + 2 * reach; ++i) {
            const T* from = in.row(std::clamp(first - reach + i, 0, in.height - 1));
            P* rows[3] = {};
            for (int c = 0; c < channels; ++c)
                rows[c] = samples.get() + c * planeSize + i * pitch + reach;
            if (in.channels == 1) {
                std::copy_n(from, in.width, rows[0]);
            } else if constexpr (std::is_same_v<P, T>) {
                splitColors(from, rows, in.width);
            } else {
                for (int c = 0; c < 3; ++c)
                    for (int x = 0; x < in.width; ++x) rows[c][x] = P(from[4 * x + c]);
            }
            for (int c = 0; c < channels; ++c) {
                std::fill_n(rows[c] - reach, reach, rows[c][0]);
                std::fill_n(rows[c] + in.width, reach, rows[c][in.width - 1]);
            }
        }
    }
    // The first pixel of row `i` of the band.
    const P* row(int i, int c) const {
        return samples.get() + c * planeSize + (i + radius) * pitch + radius;
    }
};

// Rows that are written beyond their width.
template <class P>
struct BilateralRows {
    hwy::AlignedFreeUniquePtr<P[]> samples;
    P* row[3];

    explicit BilateralRows(int width)
        : samples(alignedZeros<P>(3 * (std::size_t(width) + kBilateralSlack))) {
        for (int c = 0; c < 3; ++c) row[c] = samples.get() + c * (width + kBilateralSlack);
    }
};

template <class T>
void putTogether(const View<const T>& in, const View<T>& out, int y, const T* const* rows) {
    if (in.channels == 1)
        std::copy_n(rows[0], in.width, out.row(y));
    else
        joinColors(rows, in.row(y), out.row(y), in.width);
}

// Calls use(dx, dy) for every place of the disk, row by row.
template <class Use>
void forDisk(const BilateralPlan& plan, Use&& use) {
    for (int dy = -plan.radius; dy <= plan.radius; ++dy) {
        const int reach = plan.reach[std::size_t(dy + plan.radius)];
        for (int dx = -reach; dx <= reach; ++dx) use(dx, dy);
    }
}

// What differences weigh, by which neighbours are multiplied.
struct WeightTable {
    alignas(64) std::uint8_t weights[kBilateralLevels] = {};
    int blocks = 0;

    void set(std::size_t difference, std::uint32_t weight) {
        weights[difference] = std::uint8_t(weight);
        blocks = int(difference) / 16 + 1;
    }
};

// A table for each distance. A weight of 256 does not fit: a second table has the missing 1.
struct BilateralTables {
    std::vector<WeightTable> weights, missing;

    explicit BilateralTables(const BilateralPlan& plan)
        : weights(plan.space.size()), missing(plan.space.size()) {
        for (std::size_t s = 0; s < plan.space.size(); ++s)
            for (std::size_t d = 0; d < plan.range.size(); ++d) {
                const std::uint32_t weight = (plan.space[s] * plan.range[d] + 128) >> 8;
                if (weight == 0) break;
                weights[s].set(d, std::min(weight, 255u));
                if (weight == 256) missing[s].set(d, 1);
            }
    }
};

std::vector<BilateralTap> tapsOf(const BilateralPlan& plan, const BilateralTables& tables,
                                 std::ptrdiff_t pitch) {
    static const WeightTable nothing;
    std::vector<BilateralTap> taps;
    forDisk(plan, [&](int dx, int dy) {
        if (dx == 0 && dy == 0) return;
        for (const auto* list : {&tables.weights, &tables.missing}) {
            const WeightTable& table = (*list)[plan.spaceIndex(dx, dy)];
            if (table.blocks > 0) taps.push_back({dy * pitch + dx, table.weights, table.blocks});
        }
    });
    while (taps.size() % kBilateralTapsTogether != 0) taps.push_back({0, nothing.weights, 0});
    return taps;
}

void runTables(const BilateralPlan& plan, const BilateralTables& tables,
               const View<const std::uint8_t>& in, const View<std::uint8_t>& out, int first,
               int last, const CpuContext& context) {
    const BilateralPlanes<std::uint8_t> planes(in, first, last, plan.radius);
    const BilateralRows<std::uint8_t> made(in.width);
    const auto taps = tapsOf(plan, tables, planes.pitch);
    for (int y = first; y < last && !context.stopRequested(); ++y) {
        const std::uint8_t* rows[3] = {};
        for (int c = 0; c < planes.channels; ++c) rows[c] = planes.row(y - first, c);
        bilateralRow(rows, made.row, planes.channels, in.width, taps.data(), int(taps.size()));
        putTogether<std::uint8_t>(in, out, y, made.row);
    }
}

std::vector<BilateralNeighbour> neighboursOf(const BilateralPlan& plan, std::ptrdiff_t pitch) {
    std::vector<BilateralNeighbour> list;
    int row = -plan.radius - 1;
    forDisk(plan, [&](int dx, int dy) {
        const std::size_t at = plan.spaceIndex(dx, dy);
        list.push_back({dy * pitch + dx, plan.space.empty() ? 0 : std::int32_t(plan.space[at]),
                        plan.floatSpace.empty() ? 0 : plan.floatSpace[at], dy != row});
        row = dy;
    });
    return list;
}

// 16 bits, and colours of 8 where far differences weigh.
template <class T>
void runSums(const BilateralPlan& plan, const View<const T>& in, const View<T>& out, int first,
             int last, const CpuContext& context) {
    const BilateralPlanes<std::int32_t> planes(in, first, last, plan.radius);
    const BilateralRows<std::int32_t> weights(in.width), low(in.width), high(in.width);
    const BilateralRows<T> made(in.width);
    const auto neighbours = neighboursOf(plan, planes.pitch);
    const std::vector<std::int32_t> range(plan.range.begin(), plan.range.end());
    for (int y = first; y < last && !context.stopRequested(); ++y) {
        const std::int32_t* rows[3] = {};
        for (int c = 0; c < planes.channels; ++c) rows[c] = planes.row(y - first, c);
        bilateralSums(rows, planes.channels, in.width, neighbours.data(), int(neighbours.size()),
                      range.data(), int(range.size()) - 1, plan.rangeShift, weights.row[0], low.row,
                      high.row);
        for (int c = 0; c < planes.channels; ++c)
            for (int x = 0; x < in.width; ++x) {
                // Below 2^53: the quotient, rounded down, is exact.
                const double weight = weights.row[0][x];
                const double sum = 256.0 * high.row[c][x] + low.row[c][x];
                made.row[c][x] = T((2 * sum + weight) / (2 * weight));
            }
        putTogether<T>(in, out, y, made.row);
    }
}

void runFloats(const BilateralPlan& plan, const View<const float>& in, const View<float>& out,
               int first, int last, const CpuContext& context) {
    const BilateralPlanes<float> planes(in, first, last, plan.radius);
    const BilateralRows<float> made(in.width);
    const auto neighbours = neighboursOf(plan, planes.pitch);
    for (int y = first; y < last && !context.stopRequested(); ++y) {
        const float* rows[3] = {};
        for (int c = 0; c < planes.channels; ++c) rows[c] = planes.row(y - first, c);
        bilateralFloats(rows, made.row, planes.channels, in.width, neighbours.data(),
                        int(neighbours.size()), plan.falloff);
        putTogether<float>(in, out, y, made.row);
    }
}

template <class T>
Result<void> runTyped(const BilateralPlan& plan, const Image& source, const MutableImage& target,
                      const CpuContext& context) {
    const auto in = source.view<T>();
    const auto out = target.view<T>();
    const CpuContext chosen = forWork(context, plan.size, plan.guessedMsPerMegapixel);
    const int band = rowsPerBand(chosen, in.height, std::uint64_t(in.samplesPerRow()) * sizeof(T),
                                 std::min(in.height, 2 * plan.radius));
    if constexpr (sizeof(T) == 1) {
        // Sums of differences are cut off at 255, which must weigh nothing then.
        if (in.channels == 1 || (plan.range.size() <= 256 && plan.range.back() == 0)) {
            const BilateralTables tables(plan);
            return forEachRowBand(chosen, in.height, band, [&](int first, int last) {
                runTables(plan, tables, in, out, first, last, chosen);
            });
        }
    }
    return forEachRowBand(chosen, in.height, band, [&](int first, int last) {
        if constexpr (std::is_floating_point_v<T>)
            runFloats(plan, in, out, first, last, chosen);
        else
            runSums<T>(plan, in, out, first, last, chosen);
    });
}

}  // namespace

Result<void> runBilateralCpu(const BilateralPlan& plan, const Image& in, const MutableImage& out,
                             const CpuContext& context) {
    // Float sums depend on the order, so that no image is turned.
    if (isFloat(plan.input)) return runTyped<float>(plan, in, out, context);
    return onLongRows(in, out, context, [&](const Image& source, const MutableImage& target) {
        return bytesPerSample(plan.input) == 2
                   ? runTyped<std::uint16_t>(plan, source, target, context)
                   : runTyped<std::uint8_t>(plan, source, target, context);
    });
}

}  // namespace warpscope
