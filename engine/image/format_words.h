#pragma once

#include <string_view>

#include "engine/image/pixel_format.h"

namespace warpscope {

// As a person says it, where formatName is what files and tables have.
constexpr std::string_view formatWords(PixelFormat format) {
    switch (format) {
        case PixelFormat::Gray8:
            return "8-bit gray";
        case PixelFormat::Rgba8:
            return "8-bit colour";
        case PixelFormat::Gray16:
            return "16-bit gray";
        case PixelFormat::Rgba16:
            return "16-bit colour";
        case PixelFormat::GrayF32:
            return "float gray";
        case PixelFormat::RgbaF32:
            return "float colour";
        case PixelFormat::Gray32:
            return "32-bit sums";
        case PixelFormat::Gray64:
            return "64-bit sums";
    }
    return "";
}

}  // namespace warpscope
