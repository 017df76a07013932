#include "engine/io/orientation.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/image/turn_pixels.h"
#include "engine/io/decode_support.h"

namespace warpscope::io {
namespace {

constexpr int kRowsAtATime = 32;

Result<MutableImage> turned(const Image& from, int orientation, const ReadOptions& options) {
    const bool swapsSides = orientation >= 5;
    auto to = MutableImage::create(from.format(),
                                   swapsSides ? Size{from.height(), from.width()} : from.size());
    if (!to) return to;
    for (int y = 0; y < to->height(); y += kRowsAtATime) {
        if (options.stop.stop_requested()) return cancelled();
        turnPixels(from, *to, orientation,
                   {0, y, to->width(), std::min(kRowsAtATime, to->height() - y)});
    }
    return to;
}

const char* describe(int orientation) {
    constexpr const char* kNames[] = {"",
                                      "upright",
                                      "mirrored left to right",
                                      "turned by 180 degrees",
                                      "mirrored top to bottom",
                                      "transposed",
                                      "turned 90 degrees clockwise",
                                      "transposed and turned by 180 degrees",
                                      "turned 90 degrees counter-clockwise"};
    return kNames[orientation];
}

}  // namespace

Size uprightSize(Size size, int orientation) {
    return orientation >= 5 && orientation <= 8 ? Size{size.height, size.width} : size;
}

std::uint64_t uprightBytes(PixelFormat format, Size size, int orientation, bool withRaw) {
    if (orientation < 2 || orientation > 8) return 0;
    return storageBytes(format, size).value_or(0) * (withRaw ? 2 : 1);
}

Result<Image> freezeUpright(MutableImage stored, ImageInfo info, int orientation,
                            const ReadOptions& options) {
    if (orientation < 2 || orientation > 8) return std::move(stored).freeze(std::move(info));
    addMetadata(info, "orientation", fmt::format("{}, {}", orientation, describe(orientation)));
    addNotice(info, fmt::format("shown upright ({}); coordinates are those of the upright image",
                                describe(orientation)));
    const auto beside =
        uprightBytes(stored.format(), stored.size(), orientation, info.raw != nullptr);
    if (auto ok = checkShape(stored.format(), std::uint64_t(stored.width()),
                             std::uint64_t(stored.height()), options.limits, beside);
        !ok) {
        return fail(ok.error().code,
                    fmt::format("turning it upright takes a copy: {}", ok.error().message));
    }
    if (info.raw) {
        auto raw = turned(*info.raw, orientation, options);
        if (!raw) return fail(raw.error());
        info.raw = std::make_shared<const Image>(std::move(*raw).freeze(info.raw->info()));
    }
    const Image source = std::move(stored).freeze({});
    auto upright = turned(source, orientation, options);
    if (!upright) return fail(upright.error());
    return std::move(*upright).freeze(std::move(info));
}

}  // namespace warpscope::io
