// Histograms that are wrong on purpose: the traps of the published ways, deterministic at every
// thread count.
#include <algorithm>
#include <array>
#include <mutex>

#include "engine/operations/analysis/histogram.h"
#include "engine/operations/tone/grayscale.h"

namespace warpscope {
namespace {

constexpr int kBins = 256;

// The levels of n pixels, n at most kUnawaitedPixels; `room` has space for them.
const std::uint8_t* levelsOf(const std::uint8_t* pixels, int n, int channels,
                             HistogramChannel channel, std::uint8_t* room) {
    if (channels == 1) return pixels;
    if (channel == HistogramChannel::Luma) {
        lumaRow(pixels, room, n);
    } else {
        const int color = int(channel) - int(HistogramChannel::Red);
        for (int i = 0; i < n; ++i) room[i] = pixels[4 * i + color];
    }
    return room;
}

}  // namespace

Result<void> countWrongCpu(const HistogramPlan& plan, const Image& image, const CpuContext& context,
                           HistogramSet& set) {
    const auto view = image.view<std::uint8_t>();
    const bool overflows = plan.variant == "wrong_8bit_counters";
    const int columns = overflows ? kOverflowingColumns : kUnawaitedPixels;
    const int rows = overflows ? kOverflowingRows : 1;
    const int tiles = (view.height + rows - 1) / rows;
    const int band = rowsPerBand(context, tiles, std::uint64_t(view.samplesPerRow() * rows));
    std::mutex adding;  // guards the bins of `set`
    for (Histogram& histogram : set.channels) {
        auto done = forEachRowBand(context, tiles, band, [&](int first, int last) {
            std::array<std::uint64_t, kBins> sums{};
            std::uint8_t room[kUnawaitedPixels];
            for (int tile = first; tile < last; ++tile) {
                const int end = std::min((tile + 1) * rows, view.height);
                for (int x = 0; x < view.width; x += columns) {
                    const int n = std::min(columns, view.width - x);
                    // When the sums are taken, the second half has not been counted yet.
                    const int counted = overflows ? n : (n + 1) / 2;
                    std::array<std::uint16_t, kBins> counters{};
                    for (int y = tile * rows; y < end; ++y) {
                        const std::uint8_t* levels =
                            levelsOf(view.row(y) + view.channels * std::ptrdiff_t(x), counted,
                                     view.channels, histogram.channel, room);
                        for (int i = 0; i < counted; ++i) ++counters[levels[i]];
                    }
                    for (std::size_t k = 0; k < kBins; ++k)
                        sums[k] += overflows ? std::uint8_t(counters[k]) : counters[k];
                }
            }
            const std::lock_guard lock(adding);
            for (std::size_t k = 0; k < kBins; ++k) histogram.bins[k] += sums[k];
        });
        if (!done) return done;
    }
    return {};
}

}  // namespace warpscope
