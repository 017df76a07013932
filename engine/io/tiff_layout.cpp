#include "engine/io/tiff_layout.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/io/decode_support.h"

namespace warpscope::io {
namespace {

using Samples = TiffLayout::Samples;
using Color = TiffLayout::Color;
using Alpha = TiffLayout::Alpha;

tl::unexpected<Error> unsupported(std::string_view what) {
    return fail(ErrorCode::Unsupported, fmt::format("TIFF with {} is not read", what));
}

const char* photometricName(int value) {
    switch (value) {
        case PHOTOMETRIC_MASK:
            return "a transparency mask as its first page";
        case PHOTOMETRIC_YCBCR:
            return "YCbCr samples that are not JPEG-compressed";
        case PHOTOMETRIC_CIELAB:
        case PHOTOMETRIC_ICCLAB:
        case PHOTOMETRIC_ITULAB:
            return "L*a*b* samples";
        case PHOTOMETRIC_CFA:
            return "raw sensor (colour filter array) samples";
        case PHOTOMETRIC_LOGL:
        case PHOTOMETRIC_LOGLUV:
            return "LogLuv samples";
        default:
            return nullptr;
    }
}

Result<void> readSamples(const TiffHandle& tiff, TiffLayout& layout) {
    layout.bits = tiff.field<std::uint16_t>(TIFFTAG_BITSPERSAMPLE, 1);
    const int kind = tiff.field<std::uint16_t>(TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
    switch (kind) {
        case SAMPLEFORMAT_UINT:
        case SAMPLEFORMAT_VOID:
            layout.samples = Samples::Unsigned;
            if ((layout.bits >= 1 && layout.bits <= 16) || layout.bits == 32) return {};
            return unsupported(fmt::format("unsigned samples of {} bits", layout.bits));
        case SAMPLEFORMAT_INT:
            layout.samples = Samples::Signed;
            if (layout.bits == 8 || layout.bits == 16 || layout.bits == 32) return {};
            return unsupported(fmt::format("signed samples of {} bits", layout.bits));
        case SAMPLEFORMAT_IEEEFP:
            layout.samples = Samples::Float;
            if (layout.bits == 16 || layout.bits == 32 || layout.bits == 64) return {};
            return unsupported(fmt::format("float samples of {} bits", layout.bits));
        default:
            return unsupported("complex samples");
    }
}

Result<void> readAlpha(const TiffHandle& tiff, int colorChannels, TiffLayout& layout) {
    const int extra = layout.channels - colorChannels;
    if (extra == 0) return {};
    std::uint16_t count = 0;
    std::uint16_t* kinds = nullptr;
    const bool stated = TIFFGetField(tiff.get(), TIFFTAG_EXTRASAMPLES, &count, &kinds) && count > 0;
    if (extra < 0 || extra > 1 || layout.color == Color::Palette || layout.color == Color::Inks) {
        return unsupported(
            fmt::format("{} channels where {} are expected", layout.channels, colorChannels));
    }
    layout.alpha = !stated || kinds[0] == EXTRASAMPLE_UNSPECIFIED ? Alpha::Unstated
                   : kinds[0] == EXTRASAMPLE_ASSOCALPHA           ? Alpha::Premultiplied
                                                                  : Alpha::Straight;
    return {};
}

// Color map entries have 16 bits. Most files hold 8 bits times 257, times 256, or (wrongly) as they
// are; those become 8 bits, all others stay 16.
Result<void> readPalette(const TiffHandle& tiff, TiffLayout& layout) {
    std::uint16_t *red = nullptr, *green = nullptr, *blue = nullptr;
    if (!TIFFGetField(tiff.get(), TIFFTAG_COLORMAP, &red, &green, &blue) || !red || !green || !blue)
        return fail(ErrorCode::Damaged, "damaged after row 0: the colour map is missing");
    const std::size_t entries = std::size_t(1) << layout.bits;
    bool repeated = true, high = true, low = true;
    for (std::size_t i = 0; i < entries; ++i) {
        layout.palette.push_back({red[i], green[i], blue[i]});
        for (const std::uint16_t v : layout.palette.back()) {
            repeated = repeated && v >> 8 == (v & 255);
            high = high && (v & 255) == 0;
            low = low && v < 256;
        }
    }
    layout.format = repeated || high || low ? PixelFormat::Rgba8 : PixelFormat::Rgba16;
    if (layout.format == PixelFormat::Rgba8) {
        for (auto& entry : layout.palette)
            for (auto& v : entry) v = repeated || high ? std::uint16_t(v >> 8) : v;
    }
    layout.whiteLevel = fullScale(layout.format);
    return {};
}

Result<void> chooseFormat(TiffLayout& layout) {
    const bool color = layout.color != Color::Gray || layout.hasAlpha();
    const int bits = layout.bits;
    if (layout.samples != Samples::Unsigned || (bits == 32 && color)) {
        if (layout.minIsWhite) return unsupported("signed or float samples where 0 is white");
        layout.format = color ? PixelFormat::RgbaF32 : PixelFormat::GrayF32;
        layout.whiteLevel = layout.samples == Samples::Float ? 1.0
                            : layout.samples == Samples::Signed
                                ? double((std::uint64_t(1) << (bits - 1)) - 1)
                                : 4294967295.0;
    } else if (bits == 32) {
        layout.format = PixelFormat::Gray32;
        layout.whiteLevel = fullScale(layout.format);
    } else if (bits > 8) {
        layout.format = color ? PixelFormat::Rgba16 : PixelFormat::Gray16;
        layout.whiteLevel = double((1u << bits) - 1);  // 9 to 15 bits keep their raw values
    } else {
        layout.format = color ? PixelFormat::Rgba8 : PixelFormat::Gray8;
        const bool widened = bits == 1 || bits == 2 || bits == 4;
        layout.whiteLevel = widened ? 255.0 : double((1u << bits) - 1);
    }
    return {};
}

Result<void> readColor(const TiffHandle& tiff, TiffLayout& layout) {
    std::uint16_t photometric = 0;
    if (!TIFFGetField(tiff.get(), TIFFTAG_PHOTOMETRIC, &photometric))
        photometric = layout.channels >= 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK;
    int colorChannels = 1;
    switch (photometric) {
        case PHOTOMETRIC_MINISWHITE:
        case PHOTOMETRIC_MINISBLACK:
            layout.color = Color::Gray;
            layout.minIsWhite = photometric == PHOTOMETRIC_MINISWHITE;
            break;
        case PHOTOMETRIC_YCBCR:
            if (layout.compression != COMPRESSION_JPEG || layout.separatePlanes ||
                layout.channels != 3)
                return unsupported(photometricName(photometric));
            [[fallthrough]];
        case PHOTOMETRIC_RGB:
            layout.color = Color::Rgb;
            colorChannels = 3;
            break;
        case PHOTOMETRIC_PALETTE:
            layout.color = Color::Palette;
            break;
        case PHOTOMETRIC_SEPARATED:
            layout.color = Color::Inks;
            colorChannels = 4;
            break;
        default: {
            const char* name = photometricName(photometric);
            return unsupported(name ? std::string(name)
                                    : fmt::format("photometric interpretation {}", photometric));
        }
    }
    if (auto ok = readAlpha(tiff, colorChannels, layout); !ok) return ok;
    if (layout.color == Color::Palette) {
        if (layout.samples != Samples::Unsigned || layout.bits > 16)
            return unsupported("a palette and samples that are not small unsigned numbers");
        return readPalette(tiff, layout);
    }
    if (layout.color == Color::Inks) {
        const int inks = tiff.field<std::uint16_t>(TIFFTAG_INKSET, INKSET_CMYK);
        if (inks != INKSET_CMYK || layout.samples != Samples::Unsigned ||
            (layout.bits != 8 && layout.bits != 16))
            return unsupported("inks other than CMYK of 8 or 16 bits");
    }
    return chooseFormat(layout);
}

// Sides of tiles up to here are fine for the smallest image.
constexpr std::uint64_t kLargestFreeTile = 4096;

Result<void> readBlocks(const TiffHandle& tiff, TiffLayout& layout) {
    TIFF* const handle = tiff.get();
    layout.tiled = TIFFIsTiled(handle) != 0;
    if (layout.tiled) {
        layout.blockWidth = tiff.field<std::uint32_t>(TIFFTAG_TILEWIDTH, 0);
        layout.blockHeight = tiff.field<std::uint32_t>(TIFFTAG_TILELENGTH, 0);
        layout.blockBytes = TIFFTileSize64(handle);
        layout.rowBytes = TIFFTileRowSize64(handle);
        // A tile is decoded whole: a few bytes of header must not ask for gigabytes beyond the
        // image.
        const auto excessive = [](std::uint64_t tile, std::uint64_t side) {
            return tile > kLargestFreeTile && tile > 2 * side;
        };
        if (excessive(layout.blockWidth, layout.width) ||
            excessive(layout.blockHeight, layout.height))
            return fail(ErrorCode::LimitExceeded,
                        fmt::format("tiles of {} x {} pixels are far larger than the image of {} x "
                                    "{}: above {} they may be at most twice as large",
                                    layout.blockWidth, layout.blockHeight, layout.width,
                                    layout.height, kLargestFreeTile));
    } else {
        layout.blockWidth = layout.width;
        layout.blockHeight =
            std::min(tiff.field<std::uint32_t>(TIFFTAG_ROWSPERSTRIP, layout.height), layout.height);
        layout.blockBytes = TIFFStripSize64(handle);
        layout.rowBytes = TIFFScanlineSize64(handle);
    }
    const std::uint64_t needed =
        (std::uint64_t(layout.blockWidth) * std::uint64_t(layout.channelsInRow() * layout.bits) +
         7) /
        8;
    if (layout.blockWidth == 0 || layout.blockHeight == 0 || layout.rowBytes < needed ||
        layout.blockBytes / layout.blockHeight < layout.rowBytes)
        return fail(ErrorCode::Damaged, "damaged after row 0: the sizes of its parts do not fit");
    return {};
}

}  // namespace

std::string TiffLayout::describe() const {
    const std::string kind = samples == Samples::Float    ? "-bit float"
                             : samples == Samples::Signed ? "-bit signed"
                             : bits == 1                  ? " bit"
                                                          : " bits";
    const char* colors = color == Color::Inks      ? "CMYK"
                         : color == Color::Palette ? "palette"
                         : color == Color::Rgb     ? (hasAlpha() ? "RGBA" : "RGB")
                         : hasAlpha()              ? "gray and alpha"
                                                   : "gray";
    std::string text = fmt::format("TIFF, {}{}, {}", bits, kind, colors);
    if (minIsWhite) text += ", 0 is white";
    return text;
}

Result<TiffLayout> readTiffLayout(const TiffHandle& tiff) {
    TiffLayout layout;
    layout.width = tiff.field<std::uint32_t>(TIFFTAG_IMAGEWIDTH, 0);
    layout.height = tiff.field<std::uint32_t>(TIFFTAG_IMAGELENGTH, 0);
    layout.compression = tiff.field<std::uint16_t>(TIFFTAG_COMPRESSION, COMPRESSION_NONE);
    layout.orientation = tiff.field<std::uint16_t>(TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
    layout.channels = tiff.field<std::uint16_t>(TIFFTAG_SAMPLESPERPIXEL, 1);
    layout.separatePlanes = layout.channels > 1 &&
                            tiff.field<std::uint16_t>(TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) ==
                                PLANARCONFIG_SEPARATE;
    if (!TIFFIsCODECConfigured(std::uint16_t(layout.compression)))
        return unsupported(fmt::format("compression {}", layout.compression));
    // libjbig sizes its memory by a header of its own, and ends the program where that is wrong.
    if (layout.compression == COMPRESSION_JBIG) return unsupported("JBIG compression");
    if (layout.compression == COMPRESSION_OJPEG) return unsupported("old-style JPEG compression");
    if (auto ok = readSamples(tiff, layout); !ok) return fail(ok.error());
    if (auto ok = readColor(tiff, layout); !ok) return fail(ok.error());
    if (layout.compression == COMPRESSION_JPEG)
        TIFFSetField(tiff.get(), TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
    if (auto ok = readBlocks(tiff, layout); !ok) return fail(ok.error());
    return layout;
}

}  // namespace warpscope::io
