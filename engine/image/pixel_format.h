// How the samples of an image are stored.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

#include "engine/base/result.h"

namespace warpscope {

// Colour is always four interleaved channels R, G, B, A (never premultiplied); Gray32 and Gray64
// hold the sums of integral images.
enum class PixelFormat { Gray8, Rgba8, Gray16, Rgba16, GrayF32, RgbaF32, Gray32, Gray64 };

inline constexpr PixelFormat kAllPixelFormats[] = {
    PixelFormat::Gray8,   PixelFormat::Rgba8,   PixelFormat::Gray16, PixelFormat::Rgba16,
    PixelFormat::GrayF32, PixelFormat::RgbaF32, PixelFormat::Gray32, PixelFormat::Gray64};

// The largest side of an image, in pixels.
inline constexpr int kMaxSide = 1'048'576;

struct Size {
    int width = 0;   // pixels
    int height = 0;  // pixels

    std::int64_t pixels() const { return std::int64_t(width) * height; }
    bool empty() const { return width <= 0 || height <= 0; }
    friend bool operator==(const Size&, const Size&) = default;
};

// Pixels [x, x + width) by [y, y + height).
struct Rect {
    int x = 0;
    int y = 0;
    int width = 0;
    int height = 0;

    Size size() const { return {width, height}; }
    bool empty() const { return width <= 0 || height <= 0; }
    friend bool operator==(const Rect&, const Rect&) = default;
};

Rect intersect(const Rect& a, const Rect& b);
Rect grown(const Rect& rect, int by);  // by pixels on each side, not clipped
inline bool contains(const Rect& outer, const Rect& inner) {
    return intersect(outer, inner) == inner;
}

constexpr int channelCount(PixelFormat format) {
    return format == PixelFormat::Rgba8 || format == PixelFormat::Rgba16 ||
                   format == PixelFormat::RgbaF32
               ? 4
               : 1;
}

constexpr bool isColor(PixelFormat format) {
    return channelCount(format) == 4;
}

constexpr int bytesPerSample(PixelFormat format) {
    switch (format) {
        case PixelFormat::Gray8:
        case PixelFormat::Rgba8:
            return 1;
        case PixelFormat::Gray16:
        case PixelFormat::Rgba16:
            return 2;
        case PixelFormat::GrayF32:
        case PixelFormat::RgbaF32:
        case PixelFormat::Gray32:
            return 4;
        case PixelFormat::Gray64:
            return 8;
    }
    return 0;
}

constexpr int bytesPerPixel(PixelFormat format) {
    return bytesPerSample(format) * channelCount(format);
}

constexpr bool isFloat(PixelFormat format) {
    return format == PixelFormat::GrayF32 || format == PixelFormat::RgbaF32;
}

// The largest value that a sample of this format can take by convention: 255, 65535, 2^32-1,
// 2^64-1, and 1 for float.
double fullScale(PixelFormat format);

// The format with the same sample type and one or four channels; integral formats have no colour
// twin.
std::optional<PixelFormat> withChannels(PixelFormat format, bool color);
// Gray8 or Rgba8 with as many channels as `format`.
constexpr PixelFormat eightBitTwin(PixelFormat format) {
    return isColor(format) ? PixelFormat::Rgba8 : PixelFormat::Gray8;
}

std::string_view formatName(PixelFormat format);  // "Gray8", ...
std::optional<PixelFormat> formatFromName(std::string_view name);

// Calls f.template operator()<T>() with T the sample type of the format, so that code is written
// once over the sample type.
template <class F>
decltype(auto) visitSampleType(PixelFormat format, F&& f) {
    switch (format) {
        case PixelFormat::Gray8:
        case PixelFormat::Rgba8:
            return f.template operator()<std::uint8_t>();
        case PixelFormat::Gray16:
        case PixelFormat::Rgba16:
            return f.template operator()<std::uint16_t>();
        case PixelFormat::GrayF32:
        case PixelFormat::RgbaF32:
            return f.template operator()<float>();
        case PixelFormat::Gray32:
            return f.template operator()<std::uint32_t>();
        case PixelFormat::Gray64:
            return f.template operator()<std::uint64_t>();
    }
    __builtin_unreachable();
}

}  // namespace warpscope
