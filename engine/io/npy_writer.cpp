#include "engine/io/npy_writer.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <new>
#include <string>

namespace warpscope {
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
std::string header(const Image& image) {
    const std::string shape = isColor(image.format())
                                  ? fmt::format("({}, {}, 4)", image.height(), image.width())
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

Result<std::vector<std::uint8_t>> encodeNpy(const Image& image) {
    const std::string head = header(image);
    const std::size_t row = std::size_t(image.width()) * std::size_t(bytesPerPixel(image.format()));
    std::vector<std::uint8_t> bytes;
    try {
        bytes.resize(head.size() + row * std::size_t(image.height()));
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::OutOfMemory, "not enough memory to write the values");
    }
    std::memcpy(bytes.data(), head.data(), head.size());
    for (int y = 0; y < image.height(); ++y)
        std::memcpy(bytes.data() + head.size() + row * std::size_t(y), image.rowBytes(y), row);
    return bytes;
}

Result<SaveResult> saveNpy(const Image& image, const std::filesystem::path& target,
                           const WriteOptions& options) {
    auto bytes = encodeNpy(image);
    if (!bytes) return fail(bytes.error());
    if (auto written = writeFileAtomically(target, *bytes, options); !written)
        return fail(written.error());
    return SaveResult{{}, bytes->size()};
}

}  // namespace warpscope
