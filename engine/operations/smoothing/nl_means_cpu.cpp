#include "engine/operations/smoothing/nl_means_cpu.h"

#include <algorithm>
#include <cstring>

#include "engine/operations/cpu_work.h"
#include "engine/operations/smoothing/nl_means_tile.h"

namespace warpscope {
namespace {

// Tiles of about this size: the sums of one fit the second cache, and one lasts some 10 ms.
constexpr int kTileColumns = 512;
constexpr int kTileRows = 128;
constexpr int kLeastTileRows = 32;

// How the image is cut: all tiles but the last of a row or column have the same size.
struct Tiling {
    Size image;
    int columns = 0, rows = 0;  // of a tile
    int across = 0, down = 0;

    Tiling(Size size, int threads) : image(size) {
        across = (size.width - 1) / kTileColumns + 1;
        columns = (size.width - 1) / across + 1;
        columns = (columns + NlMeansTile::kColumnBlock - 1) / NlMeansTile::kColumnBlock *
                  NlMeansTile::kColumnBlock;
        across = (size.width - 1) / columns + 1;
        // Every thread gets several, of equal height.
        const int wanted = threads == 1 ? 1 : (4 * threads + across - 1) / across;
        down = std::max((size.height - 1) / kTileRows + 1,
                        std::min(wanted, (size.height - 1) / kLeastTileRows + 1));
        rows = (size.height - 1) / down + 1;
        down = (size.height - 1) / rows + 1;
    }

    std::int64_t count() const { return std::int64_t(across) * down; }
    Rect tile(int index) const {
        const int x = index % across * columns;
        const int y = index / across * rows;
        return {x, y, std::min(columns, image.width - x), std::min(rows, image.height - y)};
    }
};

template <class T>
void storeRow(const Image& in, const MutableImage& out, int x, int y, int width,
              const T* const* channels) {
    if (!isColor(in.format())) {
        std::memcpy(out.view<T>().row(y) + x, channels[0], std::size_t(width) * sizeof(T));
        return;
    }
    const T* source = in.view<T>().row(y) + 4 * std::ptrdiff_t(x);
    T* target = out.view<T>().row(y) + 4 * std::ptrdiff_t(x);
    for (int i = 0; i < width; ++i, source += 4, target += 4) {
        for (int c = 0; c < 3; ++c) target[c] = channels[c][i];
        target[3] = source[3];
    }
}

template <class T>
void runTile(const NlMeansPlan& plan, const Image& in, const MutableImage& out, const Rect& rect,
             const NlMeansStop& stop) {
    const NlMeansTile tile(plan, in, rect);
    const NlMeansStore<T> store = [&](int y, const T* const* channels) {
        storeRow(in, out, rect.x, rect.y + y, rect.width, channels);
    };
    if (plan.variant == "direct")
        nlMeansDirect(plan, tile, stop, store);
    else if (plan.variant == "integral_per_offset")
        nlMeansIntegral(plan, tile, false, stop, store);
    else if (plan.variant == "integral_rows")
        nlMeansIntegral(plan, tile, true, stop, store);
    else
        nlMeansVectors(plan, tile, stop, store);
}

}  // namespace

Result<void> runNlMeansCpu(const NlMeansPlan& plan, const Image& in, const MutableImage& out,
                           const CpuContext& context) {
    const double offsets = 2.0 * plan.searchRadius + 1;
    const CpuContext chosen = forWork(context, plan.size, 0.2 * offsets * offsets);
    const Tiling tiling(plan.size, chosen.threadCount());
    const NlMeansStop stop = [&] { return context.stopRequested(); };
    const auto run =
        bytesPerSample(plan.input) == 2 ? runTile<std::uint16_t> : runTile<std::uint8_t>;
    // A tile is a "row" here: that is how often progress is told.
    auto done = forEachRowBand(chosen, int(tiling.count()), 1, [&](int first, int last) {
        for (int i = first; i < last; ++i) run(plan, in, out, tiling.tile(i), stop);
    });
    // A tile that was left early is not whole, though none was left out.
    if (done && context.stopRequested()) return cancelled();
    return done;
}

}  // namespace warpscope
