// PNG files made with libpng itself.
#pragma once

#include <png.h>

#include "tests/io/io_helpers.h"

namespace io_test {

struct PngSpec {
    int width = 0, height = 0, bits = 8, colorType = PNG_COLOR_TYPE_GRAY;
    bool interlaced = false;
    std::vector<png_color> palette = {};
    ByteBuffer paletteAlpha = {};               // tRNS of a palette
    const png_color_16* transparent = nullptr;  // tRNS of gray and RGB
    ByteBuffer exif = {};
    std::string comment = {};
    double pixelsPerMetre = 0;
};

inline int pngChannels(int colorType) {
    switch (colorType) {
        case PNG_COLOR_TYPE_GRAY_ALPHA:
            return 2;
        case PNG_COLOR_TYPE_RGB:
            return 3;
        case PNG_COLOR_TYPE_RGBA:
            return 4;
        default:
            return 1;
    }
}

// `rows` are packed as the format stores them (16 bits big-endian).
inline ByteBuffer makePng(const PngSpec& spec, ByteBuffer rows) {
    ByteBuffer out;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    png_infop info = png_create_info_struct(png);
    png_set_write_fn(
        png, &out,
        [](png_structp p, png_bytep data, std::size_t n) {
            auto* to = static_cast<ByteBuffer*>(png_get_io_ptr(p));
            to->insert(to->end(), data, data + n);
        },
        [](png_structp) {});
    png_set_IHDR(png, info, png_uint_32(spec.width), png_uint_32(spec.height), spec.bits,
                 spec.colorType, spec.interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_BASE, PNG_FILTER_TYPE_BASE);
    if (!spec.palette.empty())
        png_set_PLTE(png, info, spec.palette.data(), int(spec.palette.size()));
    if (!spec.paletteAlpha.empty())
        png_set_tRNS(png, info, spec.paletteAlpha.data(), int(spec.paletteAlpha.size()), nullptr);
    if (spec.transparent) png_set_tRNS(png, info, nullptr, 0, spec.transparent);
    ByteBuffer exif = spec.exif;
    if (!exif.empty()) png_set_eXIf_1(png, info, png_uint_32(exif.size()), exif.data());
    if (spec.pixelsPerMetre > 0)
        png_set_pHYs(png, info, png_uint_32(spec.pixelsPerMetre), png_uint_32(spec.pixelsPerMetre),
                     PNG_RESOLUTION_METER);
    std::string comment = spec.comment;
    if (!comment.empty()) {
        png_text text{};
        text.compression = PNG_TEXT_COMPRESSION_NONE;
        text.key = const_cast<char*>("Comment");
        text.text = comment.data();
        text.text_length = comment.size();
        png_set_text(png, info, &text, 1);
    }
    png_write_info(png, info);
    const std::size_t rowBytes = rows.size() / std::size_t(spec.height);
    std::vector<png_bytep> pointers;
    for (int y = 0; y < spec.height; ++y)
        pointers.push_back(rows.data() + rowBytes * std::size_t(y));
    png_write_image(png, pointers.data());
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return out;
}

}  // namespace io_test
