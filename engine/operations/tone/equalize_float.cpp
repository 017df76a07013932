#include <algorithm>
#include <cmath>
#include <mutex>

#include "engine/operations/cpu_work.h"
#include "engine/operations/tone/equalize.h"
#include "engine/operations/tone/grayscale.h"

namespace warpscope {
namespace {

// Pixels whose levels are taken out of them at a time; they stay in the first cache.
constexpr int kChunk = 1024;
constexpr int kLevels = 65536;
constexpr std::int64_t kLargestBand = std::int64_t{1} << 31;  // pixels: counts of 32 bits

// What is equalized of a chunk of `n` pixels: gray, one colour or luma.
const float* levelsOf(const float* pixels, int n, int channels, bool each, int channel,
                      float (&room)[kChunk]) {
    if (channels == 1) return pixels;
    if (each)
        for (int i = 0; i < n; ++i) room[i] = pixels[4 * i + channel];
    else
        lumaRow(pixels, room, n);
    return room;
}

// Calls work(levels, n, channel) for all chunks of the rows and each channel that has a table.
template <class Work>
void forLevels(const View<const float>& view, bool each, int first, int last, const Work& work) {
    float room[kChunk];
    for (int y = first; y < last; ++y)
        for (int x = 0; x < view.width; x += kChunk) {
            const int n = std::min(kChunk, view.width - x);
            const float* pixels = view.row(y) + std::ptrdiff_t(x) * view.channels;
            for (int c = 0; c < (each ? 3 : 1); ++c)
                work(levelsOf(pixels, n, view.channels, each, c, room), n, c);
        }
}

struct Extremes {
    float low[3], high[3];
    Extremes() {
        std::fill_n(low, 3, std::numeric_limits<float>::infinity());
        std::fill_n(high, 3, -std::numeric_limits<float>::infinity());
    }
    void include(int c, float lowest, float highest) {
        low[c] = std::min(low[c], lowest);
        high[c] = std::max(high[c], highest);
    }
};

bool isEach(const EqualizePlan& plan) {
    return plan.channels == EqualizeChannels::Each && isColor(plan.input);
}

}  // namespace

Result<FloatCounts> countFloats(const Image& image, bool each, const CpuContext& context) {
    FloatCounts made;
    const auto view = image.view<float>();
    CpuContext quiet = forWork(context, image.size(), 2.0);
    quiet.progress = nullptr;  // the pass over the pixels reports
    const auto rowBytes = std::uint64_t(view.samplesPerRow()) * sizeof(float);
    std::mutex merging;
    Extremes extremes;
    auto done = forEachRowBand(
        quiet, view.height, rowsPerBand(quiet, view.height, rowBytes), [&](int first, int last) {
            Extremes own;
            forLevels(view, each, first, last, [&](const float* levels, int n, int c) {
                for (int i = 0; i < n; ++i)
                    if (std::isfinite(levels[i])) own.include(c, levels[i], levels[i]);
            });
            const std::lock_guard lock(merging);
            for (int c = 0; c < 3; ++c) extremes.include(c, own.low[c], own.high[c]);
        });
    if (!done) return fail(done.error());
    for (int c = 0; c < 3; ++c)
        if (extremes.low[c] <= extremes.high[c])
            made.range[c] = {extremes.low[c], extremes.high[c]};

    // Tables are large: each band's are cleared first and added up at its end, which must cost
    // little beside its pixels.
    const int tables = each ? 3 : 1;
    for (int c = 0; c < tables; ++c) made.counts[c].resize(kLevels);
    const int least = 4 * kLevels / view.width + 1;
    const int band = int(std::min<std::int64_t>(
        rowsPerBand(quiet, view.height, rowBytes, least, 64u << 20), kLargestBand / view.width));
    done = forEachRowBand(quiet, view.height, band, [&](int first, int last) {
        std::vector<std::uint32_t> own(std::size_t(tables) * kLevels);
        for (int y = first; y < last && !quiet.stopRequested(); ++y)
            forLevels(view, each, y, y + 1, [&](const float* levels, int n, int c) {
                const EqualizeRange range = made.range[c];
                if (!range.maps()) return;
                std::uint32_t* bins = own.data() + std::size_t(c) * kLevels;
                for (int i = 0; i < n; ++i)
                    if (std::isfinite(levels[i])) ++bins[range.bin(levels[i])];
            });
        const std::lock_guard lock(merging);
        for (std::size_t i = 0; i < own.size(); ++i)
            made.counts[i / kLevels][i % kLevels] += own[i];
    });
    if (!done) return fail(done.error());
    if (context.stopRequested()) return cancelled();
    return made;
}

Result<EqualizeTablesFloat> equalizeTablesFloat(const EqualizePlan& plan, const Image& image,
                                                const CpuContext& context) {
    EqualizeTablesFloat made;
    made.each = isEach(plan);
    auto counted = countFloats(image, made.each, context);
    if (!counted) return fail(counted.error());
    for (int c = 0; c < (made.each ? 3 : 1); ++c) {
        made.range[c] = counted->range[c];
        made.table[c] = equalizeTable<std::uint16_t>(counted->counts[c], plan.mapping);
    }
    return made;
}

Result<void> runEqualizeFloat(const EqualizePlan& plan, const Image& in, const MutableImage& out,
                              const CpuContext& context) {
    EqualizeTablesFloat own;
    if (!plan.frozenFloat) {
        auto made = equalizeTablesFloat(plan, in, context);
        if (!made) return fail(made.error());
        own = std::move(*made);
    }
    const EqualizeTablesFloat& tables = plan.frozenFloat ? *plan.frozenFloat : own;
    const auto source = in.view<float>();
    const auto target = out.view<float>();
    const EqualizeTablesFloat::Map maps[3] = {tables.of(0), tables.of(1), tables.of(2)};

    const auto byChannel = [&](int y) {
        const float* from = source.row(y);
        float* to = target.row(y);
        if (source.channels == 1) {
            std::transform(from, from + source.width, to, maps[0]);
            return;
        }
        for (int x = 0; x < source.width; ++x, from += 4, to += 4) {
            for (int c = 0; c < 3; ++c) to[c] = maps[c](from[c]);
            to[3] = from[3];
        }
    };
    const auto byLuma = [&](int y) {
        float luma[kChunk];
        for (int x = 0; x < source.width; x += kChunk) {
            const int n = std::min(kChunk, source.width - x);
            const float* from = source.row(y) + 4 * std::ptrdiff_t(x);
            float* to = target.row(y) + 4 * std::ptrdiff_t(x);
            lumaRow(from, luma, n);
            for (int i = 0; i < n; ++i, from += 4, to += 4) {
                // Of a pixel with NaN all colours become NaN.
                const std::uint32_t t =
                    luma[i] == luma[i] ? maps[0].table[maps[0].range.bin(luma[i])] : 0;
                for (int c = 0; c < 3; ++c) to[c] = equalizedColor(from[c], t, luma[i]);
                to[3] = from[3];
            }
        }
    };
    const bool luma = isColor(plan.input) && !tables.each;
    if (luma && !maps[0].range.maps()) return copyCpu(plan, in, out, context);
    const CpuContext chosen = forWork(context, plan.size, 4.0 * source.channels);
    const int band = rowsPerBand(chosen, source.height,
                                 2 * sizeof(float) * std::uint64_t(source.samplesPerRow()));
    return forEachRowBand(chosen, source.height, band, [&](int first, int last) {
        for (int y = first; y < last; ++y) luma ? byLuma(y) : byChannel(y);
    });
}

}  // namespace warpscope
