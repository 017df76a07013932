// NumPy's .npy, version 1.0: exact samples for other programs.
#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "engine/io/decode_support.h"
#include "engine/io/encode_support.h"

namespace warpscope::io {
namespace {

static_assert(std::endian::native == std::endian::little,
              "samples are written as they lie in memory");

std::string_view descriptor(PixelFormat format) {
    switch (format) {
        case PixelFormat::Gray8:
        case PixelFormat::Rgba8:
            return "|u1";
        case PixelFormat::Gray16:
        case PixelFormat::Rgba16:
            return "<u2";
        case PixelFormat::GrayF32:
        case PixelFormat::RgbaF32:
            return "<f4";
        case PixelFormat::Gray32:
            return "<u4";
        case PixelFormat::Gray64:
            return "<u8";
    }
    return "";
}

// Magic, version, length of the dictionary, and the dictionary padded so that the samples begin at
// a multiple of 64.
std::string header(const Image& image, int channels) {
    const std::string shape =
        channels > 1 ? fmt::format("({}, {}, {})", image.height(), image.width(), channels)
                     : fmt::format("({}, {})", image.height(), image.width());
    std::string dictionary = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}",
                                         descriptor(image.format()), shape);
    constexpr std::size_t kPrefix = 10;
    const std::size_t total = (kPrefix + dictionary.size() + 1 + 63) / 64 * 64;
    dictionary.append(total - kPrefix - dictionary.size() - 1, ' ');
    dictionary += '\n';
    std::string text("\x93NUMPY\x01\x00", 8);
    text += char(dictionary.size() & 255);
    text += char(dictionary.size() >> 8);
    return text + dictionary;
}

}  // namespace

Result<EncodedImage> encodeNpy(const Image& given, std::string_view, const std::stop_token& stop) {
    EncodedImage encoded;
    const auto leveled = withoutWhiteLevel(given, "NumPy", encoded.notices, stop);
    if (!leveled) return fail(leveled.error());
    const Image& image = *leveled;
    const int channels = !isColor(image.format()) ? 1 : writesAlpha(image) ? 4 : 3;
    const std::string head = header(image, channels);
    const std::size_t row =
        std::size_t(image.width()) * std::size_t(channels * bytesPerSample(image.format()));
    encoded.bytes.resize(head.size() + row * std::size_t(image.height()));
    std::memcpy(encoded.bytes.data(), head.data(), head.size());
    const auto written = forEachRow(image.height(), stop, [&](int y) -> Result<void> {
        std::uint8_t* to = encoded.bytes.data() + head.size() + row * std::size_t(y);
        if (channels != 3) {
            std::memcpy(to, image.rowBytes(y), row);
            return {};
        }
        // Samples begin at a multiple of 64, so that they are aligned.
        visitSampleType(image.format(), [&]<class T>() {
            dropAlpha(image.view<T>().row(y), reinterpret_cast<T*>(to), image.width());
        });
        return {};
    });
    if (!written) return fail(written.error());
    if (image.info().iccProfile)
        encoded.notices.emplace_back(
            "the colour profile was not kept, this format has no place for it");
    return encoded;
}

Codec npyCodec() {
    return {{{"NumPy", {"npy"}, true, true}},
            [](Bytes bytes) {
                return bytes.size() >= 6 && std::memcmp(bytes.data(), "\x93NUMPY", 6) == 0;
            },
            decodeNpy,
            encodeNpy};
}

}  // namespace warpscope::io
