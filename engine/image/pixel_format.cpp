#include "engine/image/pixel_format.h"

#include <algorithm>

namespace warpscope {

Rect intersect(const Rect& a, const Rect& b) {
    const std::int64_t left = std::max(a.x, b.x);
    const std::int64_t top = std::max(a.y, b.y);
    const std::int64_t right = std::min(std::int64_t(a.x) + a.width, std::int64_t(b.x) + b.width);
    const std::int64_t bottom =
        std::min(std::int64_t(a.y) + a.height, std::int64_t(b.y) + b.height);
    if (right <= left || bottom <= top) return {};
    return {int(left), int(top), int(right - left), int(bottom - top)};
}

Rect grown(const Rect& rect, int by) {
    return {rect.x - by, rect.y - by, rect.width + 2 * by, rect.height + 2 * by};
}

double fullScale(PixelFormat format) {
    switch (format) {
        case PixelFormat::Gray8:
        case PixelFormat::Rgba8:
            return 255.0;
        case PixelFormat::Gray16:
        case PixelFormat::Rgba16:
            return 65535.0;
        case PixelFormat::GrayF32:
        case PixelFormat::RgbaF32:
            return 1.0;
        case PixelFormat::Gray32:
            return 4294967295.0;
        case PixelFormat::Gray64:
            return 18446744073709551615.0;
    }
    return 0.0;
}

std::optional<PixelFormat> withChannels(PixelFormat format, bool color) {
    switch (format) {
        case PixelFormat::Gray8:
        case PixelFormat::Rgba8:
            return color ? PixelFormat::Rgba8 : PixelFormat::Gray8;
        case PixelFormat::Gray16:
        case PixelFormat::Rgba16:
            return color ? PixelFormat::Rgba16 : PixelFormat::Gray16;
        case PixelFormat::GrayF32:
        case PixelFormat::RgbaF32:
            return color ? PixelFormat::RgbaF32 : PixelFormat::GrayF32;
        case PixelFormat::Gray32:
        case PixelFormat::Gray64:
            if (color) return std::nullopt;
            return format;
    }
    return std::nullopt;
}

std::string_view formatName(PixelFormat format) {
    switch (format) {
        case PixelFormat::Gray8:
            return "Gray8";
        case PixelFormat::Rgba8:
            return "Rgba8";
        case PixelFormat::Gray16:
            return "Gray16";
        case PixelFormat::Rgba16:
            return "Rgba16";
        case PixelFormat::GrayF32:
            return "GrayF32";
        case PixelFormat::RgbaF32:
            return "RgbaF32";
        case PixelFormat::Gray32:
            return "Gray32";
        case PixelFormat::Gray64:
            return "Gray64";
    }
    return "";
}

std::optional<PixelFormat> formatFromName(std::string_view name) {
    for (const PixelFormat format : kAllPixelFormats)
        if (formatName(format) == name) return format;
    return std::nullopt;
}

}  // namespace warpscope
