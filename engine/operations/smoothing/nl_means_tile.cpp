#include "engine/operations/smoothing/nl_means_tile.h"

namespace warpscope {
namespace {

int roundedUp(int value, int to) {
    return (value + to - 1) / to * to;
}

// Differences do not see what all samples are less.
template <class T>
void fillTile(NlMeansTile& tile, const Image& in) {
    constexpr int kLess = sizeof(T) == 2 ? 32768 : 0;
    std::vector<int> columns(std::size_t(tile.pitch), 0);
    const int step = channelCount(in.format());
    for (int x = 0; x < tile.pitch; ++x)
        columns[std::size_t(x)] =
            step * mirroredIndex(std::int64_t(tile.rect.x) + x - NlMeansTile::kSide, in.width());
    const auto view = in.view<T>();
    for (int y = -tile.reach; y < tile.rect.height + tile.reach; ++y) {
        const T* source = view.row(mirroredIndex(std::int64_t(tile.rect.y) + y, in.height()));
        for (int c = 0; c < tile.channels; ++c) {
            std::int16_t* target =
                tile.samples.data() + (std::int64_t(c) * tile.rows() + y + tile.reach) * tile.pitch;
            for (int x = 0; x < tile.pitch; ++x)
                target[x] = std::int16_t(source[columns[std::size_t(x)] + c] - kLess);
        }
    }
}

}  // namespace

int mirroredIndex(std::int64_t index, int count) {
    const std::int64_t period = 2 * std::int64_t(count);
    index %= period;
    if (index < 0) index += period;
    return int(index < count ? index : period - 1 - index);
}

NlMeansTile::NlMeansTile(const NlMeansPlan& plan, const Image& in, const Rect& tileRect)
    : rect(tileRect),
      wide(bytesPerSample(in.format()) == 2),
      channels(isColor(in.format()) ? 3 : 1),
      reach(plan.patchRadius + plan.searchRadius),
      blockColumns(roundedUp(tileRect.width, kColumnBlock)),
      pitch(kSide + blockColumns + kSide),
      samples(std::size_t(channels) * std::size_t(rows()) * std::size_t(pitch)) {
    if (wide)
        fillTile<std::uint16_t>(*this, in);
    else
        fillTile<std::uint8_t>(*this, in);
}

}  // namespace warpscope
