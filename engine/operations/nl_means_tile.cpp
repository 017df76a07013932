#include "engine/operations/nl_means_tile.h"

namespace warpscope {
namespace {

int roundedUp(int value, int to) {
    return (value + to - 1) / to * to;
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
      channels(isColor(in.format()) ? 3 : 1),
      reach(plan.patchRadius + plan.searchRadius),
      blockColumns(roundedUp(tileRect.width, kColumnBlock)),
      pitch(kSide + blockColumns + kSide),
      samples(std::size_t(channels) * std::size_t(rows()) * std::size_t(pitch)) {
    std::vector<int> columns(std::size_t(pitch), 0);
    const int step = channelCount(in.format());
    for (int x = 0; x < pitch; ++x)
        columns[std::size_t(x)] =
            step * mirroredIndex(std::int64_t(rect.x) + x - kSide, in.width());
    const auto view = in.view<std::uint8_t>();
    for (int y = -reach; y < rect.height + reach; ++y) {
        const std::uint8_t* source = view.row(mirroredIndex(std::int64_t(rect.y) + y, in.height()));
        for (int c = 0; c < channels; ++c) {
            std::int16_t* target = samples.data() + (std::int64_t(c) * rows() + y + reach) * pitch;
            for (int x = 0; x < pitch; ++x) target[x] = source[columns[std::size_t(x)] + c];
        }
    }
}

}  // namespace warpscope
