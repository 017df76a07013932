#include "engine/io/orientation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/io/decode_support.h"

namespace warpscope::io {
namespace {

constexpr int kTile = 32;  // pixels; two tiles of 16-byte pixels fit the first-level cache

template <std::size_t PixelBytes>
void turnRows(const Image& from, MutableImage& to, int orientation, int firstRow, int lastRow) {
    using Pixel = std::array<std::byte, PixelBytes>;
    const int w = from.width(), h = from.height();
    const bool swapsSides = orientation >= 5;
    const bool flipsX = orientation == 2 || orientation == 3 || orientation >= 7;
    const bool flipsY =
        orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
    for (int x0 = 0; x0 < to.width(); x0 += kTile) {
        const int x1 = std::min(x0 + kTile, to.width());
        for (int y = firstRow; y < lastRow; ++y) {
            auto* target = reinterpret_cast<Pixel*>(to.rowBytes(y));
            for (int x = x0; x < x1; ++x) {
                int sx = swapsSides ? y : x, sy = swapsSides ? x : y;
                if (flipsX) sx = w - 1 - sx;
                if (flipsY) sy = h - 1 - sy;
                target[x] = reinterpret_cast<const Pixel*>(from.rowBytes(sy))[sx];
            }
        }
    }
}

Result<MutableImage> turned(const Image& from, int orientation, const ReadOptions& options) {
    const bool swapsSides = orientation >= 5;
    auto to = MutableImage::create(from.format(),
                                   swapsSides ? Size{from.height(), from.width()} : from.size());
    if (!to) return to;
    for (int y = 0; y < to->height(); y += kTile) {
        if (options.stop.stop_requested()) return cancelled();
        const int last = std::min(y + kTile, to->height());
        switch (bytesPerPixel(from.format())) {
            case 1:
                turnRows<1>(from, *to, orientation, y, last);
                break;
            case 2:
                turnRows<2>(from, *to, orientation, y, last);
                break;
            case 4:
                turnRows<4>(from, *to, orientation, y, last);
                break;
            case 8:
                turnRows<8>(from, *to, orientation, y, last);
                break;
            default:
                turnRows<16>(from, *to, orientation, y, last);
                break;
        }
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
