#include "engine/operations/analysis/histogram.h"

#include <algorithm>
#include <array>
#include <atomic>

#include "engine/operations/tone/grayscale.h"

namespace warpscope {
namespace {

constexpr int kBins = 256;
constexpr int kChunk = 2048;  // pixels whose levels are made together

// Calls use(levels, n) for the levels of one channel in rows [first, last).
template <class Use>
void forLevels(const View<const std::uint8_t>& view, HistogramChannel channel, int first, int last,
               Use&& use) {
    std::uint8_t levels[kChunk];
    for (int y = first; y < last; ++y) {
        const std::uint8_t* row = view.row(y);
        for (int x = 0; x < view.width; x += kChunk) {
            const int n = std::min(kChunk, view.width - x);
            const std::uint8_t* pixels = row + view.channels * std::ptrdiff_t(x);
            if (view.channels == 1) {
                use(pixels, n);
                continue;
            }
            if (channel == HistogramChannel::Luma) {
                lumaRow(pixels, levels, n);
            } else {
                const int color = int(channel) - int(HistogramChannel::Red);
                for (int i = 0; i < n; ++i) levels[i] = pixels[4 * i + color];
            }
            use(levels, n);
        }
    }
}

using Totals = std::array<std::atomic<std::uint64_t>, kBins>;

void countGlobally(const std::uint8_t* levels, int n, Totals& totals) {
    for (int i = 0; i < n; ++i) totals[levels[i]].fetch_add(1, std::memory_order_relaxed);
}

// First stage of two: a table for each band.
struct BandTable {
    std::array<std::uint64_t, kBins> counts{};
    void add(const std::uint8_t* levels, int n) {
        for (int i = 0; i < n; ++i) ++counts[levels[i]];
    }
    void addTo(Totals& totals) const {
        for (std::size_t k = 0; k < kBins; ++k)
            if (counts[k]) totals[k].fetch_add(counts[k], std::memory_order_relaxed);
    }
};

// Counters of 8 bits, added up before one of them can pass 255.
class PrivateTable {
  public:
    explicit PrivateTable(Totals& totals) : m_totals(totals) {}
    ~PrivateTable() { flush(); }
    PrivateTable(const PrivateTable&) = delete;
    PrivateTable& operator=(const PrivateTable&) = delete;

    void add(const std::uint8_t* levels, int n) {
        while (n > 0) {
            const int some = std::min(n, kMost - m_counted);
            for (int i = 0; i < some; ++i) ++m_counters[levels[i]];
            m_counted += some;
            levels += some;
            n -= some;
            if (m_counted == kMost) flush();
        }
    }

  private:
    static constexpr int kMost = 255;
    void flush() {
        for (std::size_t k = 0; k < kBins; ++k)
            if (m_counters[k]) m_totals[k].fetch_add(m_counters[k], std::memory_order_relaxed);
        m_counters.fill(0);
        m_counted = 0;
    }
    Totals& m_totals;
    std::array<std::uint8_t, kBins> m_counters{};
    int m_counted = 0;
};

}  // namespace

Result<void> countPublishedCpu(const HistogramPlan& plan, const Image& image,
                               const CpuContext& context, HistogramSet& set) {
    const auto view = image.view<std::uint8_t>();
    // 8,192 pixels and more a table.
    const int band = rowsPerBand(context, view.height, std::uint64_t(view.samplesPerRow()),
                                 8192 / view.width + 1, 64 * 1024);
    for (Histogram& histogram : set.channels) {
        Totals totals{};
        auto done = forEachRowBand(context, view.height, band, [&](int first, int last) {
            const auto levels = [&](auto&& use) {
                forLevels(view, histogram.channel, first, last, use);
            };
            if (plan.variant == "global_atomics") {
                levels([&](const std::uint8_t* at, int n) { countGlobally(at, n, totals); });
            } else if (plan.variant == "shared_two_stage") {
                BandTable table;
                levels([&](const std::uint8_t* at, int n) { table.add(at, n); });
                table.addTo(totals);
            } else {
                PrivateTable table(totals);
                levels([&](const std::uint8_t* at, int n) { table.add(at, n); });
            }
        });
        if (!done) return done;
        for (std::size_t k = 0; k < kBins; ++k) histogram.bins[k] = totals[k].load();
    }
    return {};
}

}  // namespace warpscope
