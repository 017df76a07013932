#include "engine/operations/smoothing/box_mean.h"

#include <algorithm>
#include <cstddef>

#include "engine/operations/cpu_work.h"
#include "engine/operations/narrow_images.h"
#include "engine/operations/smoothing/box_mean_rows.h"

namespace warpscope {
namespace {

constexpr int kPadding = 64;
constexpr int kRowsBetweenStops = 16;

// 8 bits: every sum over a square stays below 2^32, and differences of prefix sums that wrapped
// are right modulo 2^32.
struct Kernels8 {
    static constexpr double kNanoseconds = 0.35;  // a sample
    using Sample = std::uint8_t;
    using Sum = std::uint32_t;
    explicit Kernels8(std::uint32_t n) : count(n) {}
    std::uint32_t count;
};

// 16 bits where the same holds.
constexpr std::uint32_t countOf(int radius) {
    return std::uint32_t((2 * radius + 1) * (2 * radius + 1));
}
static_assert(BoxQuotient::of16(countOf(kNarrowRadius16)) &&
              !BoxQuotient::of16(countOf(kNarrowRadius16 + 1)));
struct Kernels16 {
    static constexpr double kNanoseconds = 0.6;
    using Sample = std::uint16_t;
    using Sum = std::uint32_t;
    explicit Kernels16(std::uint32_t n) : count(*BoxQuotient::of16(n)) {}
    BoxQuotient count;
};

// Larger squares of 16 bits: 65,535 x 1,002,001 needs more than 32 bits.
struct LargeKernels16 {
    static constexpr double kNanoseconds = 2.0;
    using Sample = std::uint16_t;
    using Sum = std::uint64_t;
    explicit LargeKernels16(std::uint32_t n) : count(n) {}
    std::uint32_t count;
};

// Rows of one band, top to bottom.
template <class K>
class Band {
  public:
    using Sample = typename K::Sample;
    using Sum = typename K::Sum;

    Band(int radius, const View<const Sample>& source, const BoxSumsRow<Sum>& row)
        : m_radius(radius),
          m_source(source),
          m_row(row),
          m_columns(alignedZeros<Sum>(room())),
          m_prefix(alignedZeros<Sum>(room() + std::size_t(source.channels))) {}

    void run(int first, int last, const CpuContext& context) {
        const int r = m_radius;
        const int height = m_source.height;
        start(first);
        for (int y = first; y < last; ++y) {
            if ((y - first) % kRowsBetweenStops == 0 && context.stopRequested()) return;
            if (y > first)
                moveBoxColumns(m_source.row(std::min(y + r, height - 1)),
                               m_source.row(std::max(y - r - 1, 0)), columns(),
                               m_source.samplesPerRow());
            finish(y);
        }
    }

  private:
    std::size_t room() const {
        return (std::size_t(m_source.width) + 2 * std::size_t(m_radius)) *
                   std::size_t(m_source.channels) +
               kPadding;
    }
    Sum* columns() { return m_columns.get() + m_radius * m_source.channels; }

    // Column sums for row y: rows beyond the border count as often as they are repeated.
    void start(int y) {
        const int r = m_radius;
        const int height = m_source.height;
        const int samples = m_source.samplesPerRow();
        std::fill_n(columns(), samples, Sum{});
        const int top = std::max(0, y - r), bottom = std::min(height - 1, y + r);
        for (int j = top; j <= bottom; ++j) {
            int times = 1;
            if (j == 0) times += std::max(0, r - y);
            if (j == height - 1) times += std::max(0, y + r - (height - 1));
            addToBoxColumns(m_source.row(j), std::uint32_t(times), columns(), samples);
        }
    }

    void finish(int y) {
        const int r = m_radius;
        const int channels = m_source.channels;
        const int width = m_source.width;
        Sum* row = columns();
        for (int i = 1; i <= r * channels; ++i) row[-i] = row[channels - 1 - (i - 1) % channels];
        Sum* end = row + std::ptrdiff_t(width) * channels;
        for (int i = 0; i < r * channels; ++i) end[i] = end[i - channels];
        // m_prefix begins with one pixel of zeros: entry k is the sum of k columns.
        boxPrefixes(m_columns.get(), m_prefix.get() + channels, width + 2 * r, channels);
        m_row(y, m_prefix.get(), m_prefix.get() + std::ptrdiff_t(2 * r + 1) * channels);
    }

    int m_radius;
    View<const Sample> m_source;
    const BoxSumsRow<Sum>& m_row;
    hwy::AlignedFreeUniquePtr<Sum[]> m_columns, m_prefix;
};

template <class K>
Result<void> forSums(const Image& in, int radius, const CpuContext& context,
                     const BoxSumsRow<typename K::Sum>& row) {
    using Sample = typename K::Sample;
    const auto source = in.view<Sample>();
    const CpuContext chosen = forWork(context, in.size(), K::kNanoseconds * source.channels);
    const int threads = chosen.threadCount();
    // Tall beside the 2 radius rows that every band adds up first.
    const int tall = std::max(128, 4 * radius);
    const int bands = std::max(1, source.height / tall / threads) * threads;
    const int band = (source.height + bands - 1) / bands;
    return forEachRowBand(chosen, source.height, band, [&](int first, int last) {
        Band<K>(radius, source, row).run(first, last, chosen);
    });
}

template <class K>
Result<void> runTyped(const BoxMeanPlan& plan, const Image& in, const MutableImage& out,
                      const CpuContext& context) {
    using Sample = typename K::Sample;
    using Sum = typename K::Sum;
    const auto source = in.view<Sample>();
    const auto target = out.view<Sample>();
    const K kernels(plan.count);
    return forSums<K>(in, plan.radius, context, [&](int y, const Sum* before, const Sum* until) {
        boxMeans(before, until, kernels.count, source.channels == 1 ? nullptr : source.row(y),
                 target.row(y), source.samplesPerRow());
    });
}

}  // namespace

Result<void> forBoxSums8(const Image& in, int radius, const CpuContext& context,
                         const BoxSumsRow<std::uint32_t>& row) {
    return forSums<Kernels8>(in, radius, context, row);
}

Result<void> forNarrowBoxSums16(const Image& in, int radius, const CpuContext& context,
                                const BoxSumsRow<std::uint32_t>& row) {
    return forSums<Kernels16>(in, radius, context, row);
}

Result<void> forBoxSums16(const Image& in, int radius, const CpuContext& context,
                          const BoxSumsRow<std::uint64_t>& row) {
    return forSums<LargeKernels16>(in, radius, context, row);
}

Result<void> runBoxMeanCpu(const BoxMeanPlan& plan, const Image& in, const MutableImage& out,
                           const CpuContext& context) {
    return onLongRows(in, out, context, [&](const Image& source, const MutableImage& target) {
        if (isFloat(plan.input)) return runBoxMeanFloat(plan, source, target, context);
        if (bytesPerSample(plan.input) == 1)
            return runTyped<Kernels8>(plan, source, target, context);
        return BoxQuotient::of16(plan.count)
                   ? runTyped<Kernels16>(plan, source, target, context)
                   : runTyped<LargeKernels16>(plan, source, target, context);
    });
}

}  // namespace warpscope
