#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "engine/io/decode_support.h"
#include "engine/io/encode_support.h"
#include "engine/io/tiff_handle.h"

namespace warpscope::io {
namespace {

constexpr std::uint64_t kStripBytes = 256 * 1024;
constexpr std::uint64_t kClassicLimit = 3ull << 30;  // offsets of a classic file have 32 bits

struct Shape {
    int channels = 1;
    std::uint64_t rowBytes = 0;
    int rowsPerStrip = 1;
};

void setTags(TIFF* tiff, const Image& image, const Shape& shape, Bytes profile) {
    const bool floats = isFloat(image.format());
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, std::uint32_t(image.width()));
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, std::uint32_t(image.height()));
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, bytesPerSample(image.format()) * 8);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, shape.channels);
    TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, floats ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC,
                 shape.channels == 1 ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    TIFFSetField(tiff, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, std::uint32_t(shape.rowsPerStrip));
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE);
    TIFFSetField(tiff, TIFFTAG_PREDICTOR, floats ? PREDICTOR_FLOATINGPOINT : PREDICTOR_HORIZONTAL);
    if (shape.channels == 4) {
        const std::uint16_t kind = EXTRASAMPLE_UNASSALPHA;
        TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &kind);
    }
    if (!profile.empty())
        TIFFSetField(tiff, TIFFTAG_ICCPROFILE, std::uint32_t(profile.size()), profile.data());
}

bool writeStrips(TIFF* tiff, const Image& image, const Shape& shape, const std::stop_token& stop) {
    std::vector<std::uint8_t> strip(std::size_t(shape.rowBytes) * std::size_t(shape.rowsPerStrip));
    const bool drops = isColor(image.format()) && shape.channels == 3;
    std::uint32_t index = 0;
    for (int y = 0; y < image.height(); y += shape.rowsPerStrip, ++index) {
        if (stop.stop_requested()) return false;
        const int rows = std::min(shape.rowsPerStrip, image.height() - y);
        for (int row = 0; row < rows; ++row) {
            std::uint8_t* to = strip.data() + shape.rowBytes * std::uint64_t(row);
            if (!drops) {
                std::memcpy(to, image.rowBytes(y + row), std::size_t(shape.rowBytes));
                continue;
            }
            visitSampleType(image.format(), [&]<class T>() {
                dropAlpha(image.view<T>().row(y + row), reinterpret_cast<T*>(to), image.width());
            });
        }
        const auto size = tmsize_t(shape.rowBytes * std::uint64_t(rows));
        if (TIFFWriteEncodedStrip(tiff, index, strip.data(), size) != size) return false;
    }
    return true;
}

}  // namespace

Result<EncodedImage> encodeTiff(const Image& given, std::string_view, const std::stop_token& stop) {
    if (given.format() == PixelFormat::Gray64) {
        return fail(ErrorCode::Unsupported,
                    "sums of 64 bits do not fit into the samples of TIFF; save as .npy");
    }
    EncodedImage encoded;
    const auto leveled = withoutWhiteLevel(given, "TIFF", encoded.notices, stop);
    if (!leveled) return fail(leveled.error());
    const Image& image = *leveled;
    const Bytes profile = usableProfile(image, encoded.notices);
    Shape shape;
    shape.channels = !isColor(image.format()) ? 1 : writesAlpha(image) ? 4 : 3;
    shape.rowBytes = std::uint64_t(image.width()) * std::uint64_t(shape.channels) *
                     std::uint64_t(bytesPerSample(image.format()));
    shape.rowsPerStrip = int(
        std::clamp<std::uint64_t>(kStripBytes / shape.rowBytes, 1, std::uint64_t(image.height())));
    const std::uint64_t total = shape.rowBytes * std::uint64_t(image.height()) + profile.size();
    TiffHandle tiff(total > kClassicLimit);
    bool ok = tiff.get() != nullptr;
    if (ok) {
        setTags(tiff.get(), image, shape, profile);
        ok = writeStrips(tiff.get(), image, shape, stop) && TIFFWriteDirectory(tiff.get()) != 0;
    }
    tiff.close();
    const std::string error = tiff.takeError();
    if (!ok && stop.stop_requested()) return cancelled();
    if (tiff.outOfMemory()) return fail(ErrorCode::OutOfMemory, "not enough memory for the TIFF");
    if (!ok || !error.empty())
        return fail(ErrorCode::Internal, fmt::format("TIFF could not be written: {}", error));
    encoded.bytes = tiff.takeOutput();
    return encoded;
}

Codec tiffCodec() {
    return {{{"TIFF", {"tif", "tiff"}, true, true}},
            [](Bytes bytes) {
                if (bytes.size() < 4) return false;
                const auto is = [&](const char* magic) {
                    return std::memcmp(bytes.data(), magic, 4) == 0;
                };
                using namespace std::string_view_literals;
                return is("II*\0"sv.data()) || is("MM\0*"sv.data()) || is("II+\0"sv.data()) ||
                       is("MM\0+"sv.data());
            },
            decodeTiff,
            encodeTiff,
            listTiffPages};
}

}  // namespace warpscope::io
